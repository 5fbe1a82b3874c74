"""One-pass SGD: points, starts and allowances of the claim, its measurement of escapes, and solutions remembered."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Measurement, Run
from giantstep.learners.engines.online import OnlineSGD, escape_steps, random_replicas
from giantstep.problems import Activation, Problem, Target
from giantstep.theory.dynamics import OnlineSetting, OrderParameters, solve_order_parameters, sphere_overlap, step_power

if TYPE_CHECKING:
    from giantstep.claims.dklps23.sgd_limit import SgdLimit

# The points of the views and presets.
COMMITTEE: dict[str, Any] = {
    "target": "(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2",
    "activation": "erf(z/sqrt(2))",
    "neurons": 2,
}
RELU: dict[str, Any] = {"target": "(relu(x1) + relu(x2))/2", "activation": "relu", "neurons": 2, "step": 2, "time": 40}
NOISY: dict[str, Any] = {"noise": 0.5, "time": 15}
ESCAPE: dict[str, Any] = {"constraint": "sphere", "neurons": 1, "replicas": 256}
LINEAR: dict[str, Any] = {**ESCAPE, "target": "x1", "activation": "erf(z/sqrt(2))", "step": 0.5, "d": 256}
SQUARE: dict[str, Any] = {**ESCAPE, "target": "He2(x1)/sqrt(2)", "activation": "relu", "step": 0.3, "d": 256}
CUBIC: dict[str, Any] = {**ESCAPE, "target": "-He3(x1)/sqrt(6)", "activation": "sin(sqrt(3)*z)", "step": 0.2, "d": 64}

RATIO = 4
"""The exponent of an escape is that between d/4 and d."""
LEVEL = 0.5
"""A neuron has escaped when its overlap with the target's direction is this large."""


def free(point: SgdLimit) -> bool:
    return point.constraint == "free"


def on_sphere(point: SgdLimit) -> bool:
    return point.constraint == "sphere"


def risk_allowance(point: SgdLimit, predicted: float) -> float:
    """2/d of the risk is typical, 5/d where neurons part; near the target the risk is a square of what is left."""
    return float((4 / point.d + point.rule_error) * predicted + 0.3 / point.d * point.target.norm2)


def alignment_allowance(point: SgdLimit, predicted: float) -> float:
    return 2 / point.d + point.rule_error * predicted


def given_start(neurons: int, directions: int, overlap: float) -> tuple[Array, Array]:
    """M and Q of unit neurons, number i with this overlap with direction i modulo r, orthogonal in all else."""
    m = np.zeros((neurons, directions))
    m[np.arange(neurons), np.arange(neurons) % directions] = overlap
    return m, (1 - overlap**2) * np.eye(neurons) + m @ m.T


def solution(setting: OnlineSetting, m: Array, q: Array, times: tuple[float, ...]) -> OrderParameters:
    """The order parameters at these times."""
    return _solution(setting, _rows(m), _rows(q), times)


def mean_alignment(overlaps: Array, gram: Array) -> Array:
    """|P_V* w|^2/|w|^2, mean over neurons, for M (times, p, r, ...) and Q (times, p, p, ...)."""
    return np.asarray(((overlaps**2).sum(axis=2) / np.einsum("tii...->ti...", gram)).mean(axis=1))


def gamma_at(target: Target, step: float, d: int) -> float:
    """step d^(1 - l/2) for l > 2, else step: with larger ones a neuron on the sphere does not find the target."""
    return float(step * math.pow(d, -step_power(target.information_exponent or 1)))


def measured_escape(point: SgdLimit, run: Run) -> Measurement:
    """Escape times at d and at d/4; the limit on steps only ends runs that would never escape."""
    needed, found = [], []
    for d in (point.d // RATIO, point.d):
        streams, expected = run.streams.child(f"d = {d}"), point.escape(d)[0]
        start = random_replicas(point.activation, d, 1, 1, point.replicas, streams, upper=True)
        rate, limit = gamma_at(point.target, point.step, d) / d, math.ceil(100 + 20 * expected)
        sgd = OnlineSGD(Problem(point.target, d, point.noise), rate, streams, sphere=True)
        found.append(escape_steps(sgd, start, LEVEL, limit, progress=run.progress))
        needed.append(expected)
    exponent, exact = (math.log(large / small) / math.log(RATIO) for small, large in (found, needed))
    return Measurement({"escape_time": float(found[1]), "exponent": exponent}, {"exponent": exact})


@lru_cache(maxsize=256)
def escape_samples(activation: Activation, target: Target, step: float, noise: float, d: int) -> tuple[float, float]:
    """Samples by which half of the neurons have escaped, and those of the equation without noise."""
    law, gamma = sphere_overlap(target, activation, LEVEL, noise), gamma_at(target, step, d)
    return d * law.half_escaped(gamma, d), d * law.without_noise(gamma, d)


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(v) for v in row) for row in matrix)


@lru_cache(maxsize=64)
def _solution(
    setting: OnlineSetting, m: tuple[tuple[float, ...], ...], q: tuple[tuple[float, ...], ...], times: tuple[float, ...]
) -> OrderParameters:
    return solve_order_parameters(setting, np.array(m), np.array(q), np.array(times))
