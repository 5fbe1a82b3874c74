"""The last phase of low-rank sensing: how signal and error end, from m Gaussian measurements and a small start.

Near the truth M of rank r*, errors E lie in the tangent space T of the matrices of rank r*, and h = A* A restricted to
T is, for Gaussian measurements, a Wishart matrix: its eigenvalues follow the Marchenko-Pastur law of ratio dim T / m.
A step of gradient descent on the factors takes E to E - mu L h E, where L is 2 on the block of T inside the column
space of M (M itself lies there) and 1 on the rest. So the step must be below 2/(largest eigenvalue of L h), and in the
end the error shrinks by

    max(1 - mu (1 - sqrt(dim T/m))^2,  |1 - mu l_max|),       for m = infinity   max(1 - mu, |1 - 2 mu|),

a step. Before the end U = u X + D, with a signal u and D orthogonal to X, and the error is M seen through h: E =
(u^2 - 1) M + c(h) M. Up to terms of order s^2 (the noise of Z inside the complement of X),

    a = <M, h E>,       u <- u (1 - mu a),       c <- (1 - mu a)(c - mu u^2 (h E - a M)),

from the power method's c = u^2 (h - 1) M, for u small. Averages over h are averages over the Marchenko-Pastur law.
Derived. Blocks of T inside the column space other than M itself are neglected: they matter if |1 - mu l_max| leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.errors import InputError

NODES = 400
SMALL = 1e-3  # the signal from which it is followed: until there it is the power method
MOST_STEPS = 100_000


def tangent_dimension(d: int, true_rank: int, *, symmetric: bool = True, columns: int | None = None) -> int:
    """dim T: d r* - r*(r* - 1)/2 for symmetric matrices, (d + d2) r* - r*^2 for others.

    Args:
        d: rows of the matrices.
        true_rank: r*.
        symmetric: whether the matrices are symmetric.
        columns: d2; as many as rows if not given.
    """
    if symmetric:
        return d * true_rank - true_rank * (true_rank - 1) // 2
    return (d + (d if columns is None else columns)) * true_rank - true_rank**2


def largest_curvature(d: int, true_rank: int, measurements: float, *, symmetric: bool = True) -> float:
    """l_max, the largest eigenvalue of L h (see the module), the edge of a sample covariance matrix whose population
    has the eigenvalue 2 for a share p of all directions and 1 for the others:

        l_max = min over -1/2 < z < 0 of  -1/z + (dim T/m) ((1 - p)/(1 + z) + 2 p/(1 + 2 z)),       2 for m = infinity.

    Source: Silverstein and Choi 1995, for the edge.

    Args:
        d: rows and columns of the truth.
        true_rank: r*.
        measurements: m, may be infinite.
        symmetric: U U^T or U V^T.
    """
    size = tangent_dimension(d, true_rank, symmetric=symmetric)
    inside = true_rank * (true_rank + 1) / 2 if symmetric else true_rank**2
    return _edge(size / measurements, inside / size)


def _edge(ratio: float, share: float) -> float:
    """The minimum of `largest_curvature`, from dim T/m and p."""
    if ratio == 0:
        return 2.0

    def falls(z: float) -> float:
        """The derivative in z, times z^2."""
        return 1 - ratio * z**2 * ((1 - share) / (1 + z) ** 2 + 4 * share / (1 + 2 * z) ** 2)

    z = float(scipy.optimize.brentq(falls, -0.5 * (1 - 1e-9), -1e-12))
    return float(-1 / z + ratio * ((1 - share) / (1 + z) + 2 * share / (1 + 2 * z)))


@dataclass(frozen=True, eq=False)
class Refinement:
    """The last phase, see the module.

    Args:
        step: mu.
        x: eigenvalues of h, as nodes of their law, (nodes,).
        weight: their weights, (nodes,).
        least: the smallest eigenvalue of h, which decides how slow the slowest direction is.
        largest: l_max, the largest of L h.
    """

    step: float
    x: Array
    weight: Array
    least: float
    largest: float

    @classmethod
    def of(
        cls,
        d: int,
        true_rank: int,
        measurements: float,
        step: float,
        *,
        symmetric: bool = True,
        columns: int | None = None,
    ) -> Refinement:
        """From `d` rows and `columns` (as many if not given), r* = `true_rank`, m = `measurements` above dim T (or
        infinite), mu = `step`."""
        size = tangent_dimension(d, true_rank, symmetric=symmetric, columns=columns)
        ratio = size / measurements
        require(ratio < 1, "with no more measurements than dimensions of the tangent space nothing is refined")
        angle = (np.arange(NODES) + 0.5) / NODES * np.pi
        x = 1 + ratio + 2 * sqrt(ratio) * np.cos(angle)
        inside = true_rank * (true_rank + 1) / 2 if symmetric else true_rank**2
        largest = _edge(ratio, inside / size)
        return cls(step, x, 2 * np.sin(angle) ** 2 / (NODES * x), (1 - sqrt(ratio)) ** 2, largest)

    @property
    def rate(self) -> float:
        """Slope of ln(error) in t at the end, ln max(1 - mu least, |1 - mu largest|): negative if descent converges."""
        return log(max(abs(1 - self.step * self.least), abs(1 - self.step * self.largest)))

    @property
    def is_led_by_the_rest(self) -> bool:
        """Whether the slowest direction lies outside the column space, as it does for steps below 2/3 or less."""
        return 1 - self.step * self.least >= abs(1 - self.step * self.largest)

    def states(self) -> Iterator[tuple[float, Array]]:
        """u and c at the nodes, step by step, from a small signal on."""
        signal, across = SMALL, SMALL**2 * (self.x - 1)
        while True:
            yield signal, across
            along, rest = self.pull(signal, across)
            across = (1 + self.step * along) * (across + self.step * signal**2 * rest)
            signal *= 1 + self.step * along

    def pull(self, signal: float, across: Array) -> tuple[float, Array]:
        """-h E, which moves the factors: its part -a along M, and the rest at the nodes, from u and c."""
        pulled = self.x * (1 - signal**2 - across)
        along = self._mean(pulled)
        return along, pulled - along

    def course(self) -> Iterator[tuple[float, float]]:
        """The relative error and the relative misfit of the measurements, step by step, from a small signal on."""
        for signal, across in self.states():
            error = signal**2 - 1 + across
            yield sqrt(self._mean(error**2)), sqrt(self._mean(self.x * error**2))

    def turning(self) -> float:
        """mu^2 sum_t u^2 |g + a c/u^2|^2, -h E = -a M + g: how much the factors turn away from the singular vectors of
        Z, which is what unbalances them (see `imbalance`)."""
        total, before = 0.0, -1.0
        for t, (signal, across) in enumerate(self.states()):
            along, rest = self.pull(signal, across)
            total += self.step**2 * signal**2 * self._mean((rest - along * across / signal**2) ** 2)
            if (signal > 0.9 and total - before <= 1e-6 * total) or t >= MOST_STEPS:
                break
            before = total
        return total

    def duration(self, high: float, low: float) -> float:
        """Iterations in which the error falls from `high` to `low`, whatever the rank of the model."""
        require(0 < low < high < 1, f"the errors must fall from below 1, got {high} and {low}")
        return self._passing(low, lambda now: now[0])[0] - self._passing(high, lambda now: now[0])[0]

    def stopped(self, misfit: float) -> float:
        """The error when the relative misfit is down to a given value: larger, for slow directions are those that
        measurements see least."""
        require(0 < misfit < 1, f"the misfit must lie between 0 and 1, got {misfit}")
        return self._passing(misfit, lambda now: now[1])[1]

    def _passing(self, value: float, seen: Callable[[tuple[float, float]], float]) -> tuple[float, float]:
        """When the course passes a value, and the error then; both interpolated in logarithms."""
        for t, (before, after) in enumerate(pairwise(self.course())):
            if seen(after) <= value:
                part = log(seen(before) / value) / log(seen(before) / seen(after))
                return t + part, exp((1 - part) * log(before[0]) + part * log(after[0]))
            if t >= MOST_STEPS or not np.isfinite(after[0]):
                break
        raise InputError(f"the error does not fall to {value:g}; take a smaller step")

    def _mean(self, values: Array) -> float:
        return float(np.sum(self.weight * values))
