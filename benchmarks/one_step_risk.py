"""The risk after one step at 31 penalties and 5 step sizes, against the same job written with scikit-learn.

    python benchmarks/one_step_risk.py [d]                    (default d = 1000)

n = 2 d samples for the step and as many for ridge regression, N = 1.5 d neurons, tanh on tanh(x1), noise 0.2. Both sides
get the same network and data in memory, use 2 threads and take the gradient once. Ours: one factorisation per step size
serves all penalties, and the risk is exact. scikit-learn: a `Ridge` per penalty, judged on 10,000 test points. Also said:
how far the risks of either side are from the exact risk of its own heads, and how far the heads are apart.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from _measure import header, interleaved, row
from giantstep.learners import (
    BES22,
    FeatureMoments,
    GiantStep,
    Network,
    RidgeHead,
    StepConvention,
    apply_gradient,
    feature_moments,
    first_layer_gradient,
    fit_head_on,
    initialise,
    one_blas_thread,
)
from giantstep.problems import Activation, ArraySample, Problem, Sample, Target
from giantstep.streams import Streams

STEPS = (0.0, 1.0, 2.0, 4.0, 8.0)
PENALTIES = np.logspace(-3, 2, 31)
TEST_POINTS, THREADS = 10_000, 2


class Job:
    """The network and the data that both sides are given."""

    def __init__(self, d: int) -> None:
        self.problem = Problem(Target("tanh(x1)"), d, noise=0.2)
        self.net = initialise(BES22, Activation("tanh"), d, round(1.5 * d), Streams(1))
        self.step, self.ridge = (held(self.problem.sample(2 * d, Streams(seed))) for seed in (2, 3))
        self.test = held(Problem(Target("tanh(x1)"), d).sample(TEST_POINTS, Streams(4)))


def held(sample: Sample) -> ArraySample:
    return ArraySample(*map(np.concatenate, zip(*map(sample.block, range(sample.blocks())), strict=True)))


def ours(job: Job) -> list[tuple[np.ndarray, np.ndarray, FeatureMoments]]:
    """Risks, heads and feature moments for each step size; step sizes are dealt to threads."""
    seen = first_layer_gradient(job.net, job.step, threads=THREADS)

    def after(size: float) -> tuple[np.ndarray, np.ndarray, FeatureMoments]:
        net = apply_gradient(job.net, seen, GiantStep(size, StepConvention.BES22_SLIDE))
        heads = fit_head_on(net, job.ridge, RidgeHead(PENALTIES)).coefficients
        moments = feature_moments(net, job.problem)
        return moments.risk(heads), heads, moments

    with one_blas_thread(), ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(after, STEPS))


def with_scikit_learn(job: Job) -> list[tuple[np.ndarray, np.ndarray]]:
    """Risks on the test set and heads for each step size, as one writes it with NumPy and scikit-learn."""
    net: Network = job.net
    x, y = job.step.inputs, job.step.labels
    hidden = np.tanh(x @ net.weights.T)
    residual = y - hidden @ net.second_layer / np.sqrt(net.width)
    gradient = (residual[:, None] * (1 - hidden**2)).T @ x / len(y)
    found = []
    for size in STEPS:
        weights = net.weights + size * net.second_layer[:, None] * gradient
        features, test_features = np.tanh(job.ridge.inputs @ weights.T), np.tanh(job.test.inputs @ weights.T)
        risks, heads = [], []
        for penalty in PENALTIES:
            model = Ridge(alpha=len(features) * penalty, fit_intercept=False).fit(features, job.ridge.labels)
            risks.append(np.mean((model.predict(test_features) - job.test.labels) ** 2))
            heads.append(model.coef_)
        found.append((np.array(risks), np.array(heads)))
    return found


def accuracy(job: Job) -> str:
    """How far each side's risks are from the exact risk of its own heads, relative; and how far apart the heads are."""
    bound, test_set, apart = 0.0, 0.0, 0.0
    for (risks, heads, moments), (estimates, their_heads) in zip(ours(job), with_scikit_learn(job), strict=True):
        exact = moments.risk(their_heads)
        bound = max(bound, float(np.max(moments.risk_error(heads) / risks)))
        test_set = max(test_set, float(np.max(np.abs(estimates / exact - 1))))
        apart = max(apart, float(np.max(np.abs(risks / exact - 1))))
    return (
        f"largest relative error of a risk: ours {bound:.1e} (its bound), test set of {TEST_POINTS} {test_set:.1e}; "
        f"exact risks of the two sides' heads agree to {apart:.1e}"
    )


if __name__ == "__main__":
    job = Job(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    with threadpool_limits(THREADS):
        print(header("sklearn", "ours"))
        times = interleaved(3, ours=lambda: ours(job), sklearn=lambda: with_scikit_learn(job))
        print(row(f"31 penalties, 5 steps, d={job.problem.d}", times["sklearn"], times["ours"], ">= 10"))
        print(accuracy(job))
