"""The risk after one step at 31 penalties and 5 step sizes, against the same job written with scikit-learn.

    python benchmarks/one_step_risk.py [d] [threads]               (default d = 1000, 2 threads)

n = 2 d samples for the step and as many for ridge regression, N = 1.5 d neurons, tanh on tanh(x1), noise 0.2. Both
sides get the same network and data in memory, use as many threads, and take the gradient and the products with the
data once for all step sizes. Ours: one factorisation per step size serves all penalties, and the risk is exact.
scikit-learn: a `Ridge` per penalty, judged on 10,000 test points. Also said: how far the risks of either side are from
the exact risk of its own heads, and how far apart the heads are. On a busy machine only one thread tells the truth:
BLAS threads spin while they wait for each other.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from _measure import header, interleaved, row
from giantstep.learners.engines import GiantStep, apply_gradient, first_layer_gradient, one_blas_thread
from giantstep.learners.heads import HeadPath, RidgeHead, fit_ridge
from giantstep.learners.networks import BES22, Network, StepConvention, initialise
from giantstep.learners.risk import FeatureMoments, feature_moments
from giantstep.problems import Activation, ArraySample, Problem, Sample, Target
from giantstep.streams import Streams

STEPS = (0.0, 1.0, 2.0, 4.0, 8.0)
PENALTIES = np.logspace(-3, 2, 31)
TEST_POINTS = 10_000


class Job:
    """The network and the data that both sides are given."""

    def __init__(self, d: int, threads: int) -> None:
        self.threads = threads
        self.problem = Problem(Target("tanh(x1)"), d, noise=0.2)
        self.net = initialise(BES22, Activation("tanh"), d, round(1.5 * d), Streams(1))
        self.step, self.ridge = (held(self.problem.sample(2 * d, Streams(seed))) for seed in (2, 3))
        self.test = held(Problem(Target("tanh(x1)"), d).sample(TEST_POINTS, Streams(4)))

    def fields(self, sample: ArraySample, gradient: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """X W^T and what a step of size 1 adds to it: linear in the step, so that two products serve all sizes."""
        return sample.inputs @ self.net.weights.T, sample.inputs @ (self.net.second_layer[:, None] * gradient).T


def held(sample: Sample) -> ArraySample:
    inputs, labels = (np.concatenate(p) for p in zip(*map(sample.block, range(sample.blocks())), strict=True))
    return ArraySample(inputs, labels)


def ours(job: Job) -> list[tuple[np.ndarray, np.ndarray, FeatureMoments]]:
    """Risks, heads and feature moments for each step size; the fits and then the moments are dealt to threads."""
    net, head = job.net, RidgeHead(PENALTIES)
    seen = first_layer_gradient(net, job.step, threads=job.threads)
    before, change = job.fields(job.ridge, seen.gradient)

    def fit(size: float) -> HeadPath:
        return fit_ridge(net.activation(before + size * change), job.ridge.labels, head)

    def moments_after(size: float) -> FeatureMoments:
        return feature_moments(apply_gradient(net, seen, GiantStep(size, StepConvention.BES22_SLIDE)), job.problem)

    with one_blas_thread(), ThreadPoolExecutor(job.threads) as pool:
        fits = [pool.submit(fit, size) for size in STEPS]
        moments = [pool.submit(moments_after, size) for size in STEPS]
        pairs = [(fit.result().coefficients, known.result()) for fit, known in zip(fits, moments, strict=True)]
    return [(known.risk(heads), heads, known) for heads, known in pairs]


def with_scikit_learn(job: Job) -> list[tuple[np.ndarray, np.ndarray]]:
    """Risks on the test set and heads for each step size, as one writes it with NumPy and scikit-learn."""
    net: Network = job.net
    x, y = job.step.inputs, job.step.labels
    hidden = np.tanh(x @ net.weights.T)
    residual = y - hidden @ net.second_layer / np.sqrt(net.neurons)
    gradient = (residual[:, None] * (1 - hidden**2)).T @ x / len(y)
    found = []
    before, change = job.fields(job.ridge, gradient)
    test_before, test_change = job.fields(job.test, gradient)
    for size in STEPS:
        features, test_features = np.tanh(before + size * change), np.tanh(test_before + size * test_change)
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
    given = [int(argument) for argument in sys.argv[1:]]
    job = Job(*(given + [1000, 2][len(given) :]))
    with threadpool_limits(job.threads):
        print(header("sklearn", "ours"))
        times = interleaved(2, ours=lambda: ours(job), sklearn=lambda: with_scikit_learn(job))
        what = f"31 penalties, 5 steps, d={job.problem.d}, {job.threads} threads"
        print(row(what, times["sklearn"], times["ours"], ">= 10"))
        print(accuracy(job))
