"""The whole run of gradient descent on U U^T from a small start, iteration by iteration.

Infinitely many measurements (A* A = Id), X = Q diag(s_i), Q orthonormal: with Q^T U_0 = C W^T, W orthonormal (r, r*),
and N = (I - Q Q^T) U_0, up to O(alpha^2) and for all times

    C <- C + mu (diag(s_i^2) - C C^T) C,      N W <- N W (I - mu C^T C),      N (I - W W^T) stays,
    |U U^T - X X^T|^2 = |diag(s_i^2) - C C^T|^2 + 2 |N W C^T|^2 + |(N W)^T N W|^2 + |N (I - W W^T) N^T|^2.

U W W^T is the signal part of U, U (I - W W^T) the noise part ([ss21]). Derived; it is exact for alpha -> 0 and predicts
all times to the iteration. For s_i = 1 all of it goes by scalar maps of the singular values of C.

Gaussian measurements, X orthonormal: the signals, singular values of X^T U_t, are those of the power method on the Z
drawn while they are below 0.03, then u <- u (1 + mu (l - u^2)) at the growth 1 + mu l that they had, and from 0.2 on
the last phase (`Refinement`), each for itself; the error's square is the mean of theirs and the square of what noise
leaves (`errors_on_draw`). Derived, up to terms of order s^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.theory.sensing.phase_laws import LINEAR, power_iterates
from giantstep.theory.sensing.refinement import Refinement
from giantstep.theory.sensing.spectral_matrix import errors_on_draw

REFINES = 0.2  # the signal from which on the last phase is followed


class Moment(NamedTuple):
    """Where a run is after some iterations.

    Args:
        weakest: sigma_min(Q^T U).
        error: |U U^T - X X^T| / |X X^T|.
        signal_error: the same for the signal part U W W^T.
        noise: |U (I - W W^T)|, spectral norm.
    """

    weakest: float
    error: float
    signal_error: float
    noise: float


@dataclass(frozen=True, eq=False)
class PopulationStart:
    """What the population's course depends on, see the module.

    Args:
        signal: C, (r*, r*).
        outside: (N W)^T N W, (r*, r*).
        free4: |N N^T|^2 of the free directions.
        noise: |N (I - W W^T)|, spectral norm.
        strength: eigenvalues s_i^2 of X X^T, (r*,).
    """

    signal: Array
    outside: Array
    free4: float
    noise: float
    strength: Array

    @classmethod
    def of(cls, start: Array, basis: Array, singular: Array | None = None) -> PopulationStart:
        """From the factors U_0, the orthonormal basis Q of the truth's columns and its singular values s_i, 1 if not
        given."""
        vectors, values, right = np.linalg.svd(basis.T @ start, full_matrices=False)
        noise = start - basis @ (basis.T @ start)
        along = noise @ right.T
        free = noise - along @ right
        gram = free.T @ free if free.shape[0] > free.shape[1] else free @ free.T
        strength = np.ones(len(values)) if singular is None else singular**2
        size = sqrt(float(np.linalg.norm(gram, 2)))
        return cls(vectors * values, along.T @ along, float(np.sum(gram**2)), size, strength)

    @property
    def energy(self) -> float:
        """|X X^T|^2."""
        return float(np.sum(self.strength**2))

    @property
    def plateau(self) -> float:
        """The relative error that stays, |N (I - W W^T) N^T| / |X X^T|."""
        return sqrt(self.free4 / self.energy)

    def course(self, step: float) -> Iterator[Moment]:
        """The run after t = 0, 1, 2, ... iterations of size `step`."""
        signal, outside, truth = self.signal, self.outside, np.diag(self.strength)
        while True:
            gram = signal.T @ signal
            squares = float(np.sum((truth - signal @ signal.T) ** 2) + 2 * np.sum(gram * outside) + np.sum(outside**2))
            weakest = float(np.linalg.svd(signal, compute_uv=False)[-1])
            errors = (sqrt((squares + self.free4) / self.energy), sqrt(squares / self.energy))
            yield Moment(weakest, *errors, self.noise)
            shrinks = np.eye(len(gram)) - step * gram
            outside = shrinks @ outside @ shrinks
            signal = signal + step * (self.strength[:, None] * signal - signal @ gram)


def population_times(start: PopulationStart, step: float, escaped: float, refined: float) -> tuple[int, int]:
    """First t with sigma_min(Q^T U_t) >= escaped, and first t after it with relative error <= refined.

    Args:
        start: what the course depends on.
        step: mu.
        escaped: level of the signal.
        refined: level of the relative error.
    """
    escape = -1
    for t, now in enumerate(start.course(step)):
        if escape < 0 and now.weakest >= escaped:
            escape = t
        if escape >= 0 and now.error <= refined:
            return escape, t
        require(t < 10**6, "the refinement does not reach the error asked for")
    raise AssertionError


def errors_along(
    spectral: Array, basis: Array, start: Array, step: float, steps: int, refinement: Refinement
) -> tuple[Array, Array]:
    """The weakest signal and the relative error after t = 0, 1, ..., T iterations with Gaussian measurements, two
    arrays (T + 1,), see the module.

    Args:
        spectral: Z, symmetric, (d, d).
        basis: X, orthonormal, (d, r*).
        start: U_0, (d, r).
        step: mu.
        steps: T.
        refinement: the last phase of the setting.
    """
    signals = _signals(spectral, basis, start, step, steps)
    late = list(islice(zip(refinement.states(), refinement.course(), strict=False), steps + int(10 / step) + 50))
    grown, falling = np.array([state[0] for state, _ in late]), np.array([moment[0] for _, moment in late])
    first = int(np.argmax(grown >= REFINES))
    rising = slice(0, int(np.argmax(grown)) + 1 if grown.max() > grown[-1] else len(grown))
    squares = np.zeros(steps + 1)
    for one in signals.T:
        after = int(np.argmax(one >= REFINES)) if one.max() >= REFINES else steps + 1
        squares[:after] += (1 - one[:after] ** 2) ** 2
        if after <= steps:
            place = np.interp(log(one[after]), np.log(grown[rising]), np.arange(len(grown))[rising])
            where = max(place, first) + np.arange(steps + 1 - after)
            squares[after:] += np.exp(2 * np.interp(where, np.arange(len(falling)), np.log(falling)))
            one[after:] = np.interp(where, np.arange(len(grown)), grown)
    stays = float(errors_on_draw(spectral, (start, None), basis.shape[1], step, np.ones(1))[0])
    free = start.shape[1] > basis.shape[1]
    return signals.min(axis=1), np.sqrt(squares / basis.shape[1] + (stays**2 if free else 0.0))


def _signals(spectral: Array, basis: Array, start: Array, step: float, steps: int) -> Array:
    """The singular values of X^T U_t, largest first, (steps + 1, r*): by the power method until the weakest is no
    longer small, then each by its scalar map."""
    found: list[Array] = []
    for current in islice(power_iterates(spectral, start, step), steps + 1):
        found.append(np.asarray(np.linalg.svd(basis.T @ current, compute_uv=False), dtype=float))
        if found[-1][-1] >= LINEAR and len(found) > 1:
            break
    tops = (found[-1] / found[-2] - 1) / step if len(found) > 1 else np.ones(basis.shape[1])
    while len(found) <= steps:
        found.append(np.minimum(1.0, found[-1] * (1 + step * (tops - found[-1] ** 2))))
    return np.array(found)
