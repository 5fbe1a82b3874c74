"""The parts of a polynomial in the spherical harmonics of R^d, and the floor of all rotation invariant kernels.

Under rotations L^2 of a Gaussian splits into degrees l of spherical harmonics, n_l of them for each radial function. A
polynomial's Hermite part f_k of degree k has components l = k, k - 2, ...; with K = Laplacian/2, which lowers k by 2
and keeps l, and j = (k - l)/2,

    |K^i f_k|^2 = sum_l E_kl prod_{s<i} (j - s)(j - s + l + d/2 - 1),

a triangular system for the energies E_kl (and for the products of parts of different k): only norms of Laplacians of
f enter. At large d all of E_k is at l = k; at d = 16, 29 % of He4 are at l = 2 and 0. Derived (K and its adjoint span
su(1,1) with the number operator).

Floor. A kernel predictor lies in the span of n functions that rotate with the inputs. Averaged over rotations, a
space of dimension n holds at most E_l tau_l/n_l of degree l, tau_l <= n_l and sum tau_l <= n. So no penalty and no
invariant kernel, nor random features (dimension min(n, N)), beats

    |f*|^2 - max_tau sum_l E_l tau_l/n_l,

which for n = d^kappa tends to the energy of the degrees above kappa, as Ghorbani et al. 2019 state and [dls22] cites.
Derived; exact at any n and d in the mean over data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.sphere import harmonics

if TYPE_CHECKING:
    from giantstep.problems import Target

Index = tuple[int, ...]
Series = Mapping[Index, float]


@dataclass(frozen=True)
class HarmonicEnergies:
    """For each degree l: the degrees k of the Hermite parts that have a component there, and their inner products."""

    d: int
    parts: Mapping[int, tuple[tuple[int, ...], Array]]

    def energy(self, degree: int) -> float:
        """E_l, the energy of f in harmonics of degree l."""
        return float(np.trace(self.parts[degree][1])) if degree in self.parts else 0.0


def _half_laplacian(series: Series) -> dict[Index, float]:
    found: dict[Index, float] = {}
    for a, c in series.items():
        for i, k in enumerate(a):
            if k >= 2:
                low = (*a[:i], k - 2, *a[i + 1 :])
                found[low] = found.get(low, 0.0) + 0.5 * k * (k - 1) * c
    return found


def _inner(f: Series, g: Series) -> float:
    return float(sum(c * g[a] * prod(map(factorial, a)) for a, c in f.items() if a in g))


@lru_cache(maxsize=128)
def harmonic_energies(target: Target, d: int) -> HarmonicEnergies:
    """The components of a polynomial in the harmonics of R^d, by the module's triangular system."""
    require(target.is_polynomial, f"The target must be a polynomial, {target} is none")
    require(d >= 3, f"d must be 3 or more, got {d}")
    by_degree: dict[int, dict[Index, float]] = {}
    for a, c in target.hermite().items():
        if c:
            by_degree.setdefault(sum(a), {})[a] = float(c)
    lowered = {}
    for k, part in by_degree.items():
        lowered[k] = [part]
        for _ in range(k // 2):
            lowered[k].append(_half_laplacian(lowered[k][-1]))

    def factor(k: int, degree: int, times: int) -> float:
        j = (k - degree) // 2
        return float(prod((j - s) * (j - s + degree + d / 2 - 1) for s in range(times)))

    def root(k: int, other: int, degree: int, times: int) -> float:
        return sqrt(factor(k, degree, times) * factor(other, degree, times + (other - k) // 2))

    products: dict[int, dict[tuple[int, int], float]] = {}
    for k in by_degree:
        for other in (o for o in by_degree if o >= k and (o - k) % 2 == 0):
            found: dict[int, float] = {}
            for times in range(k // 2, -1, -1):  # from the lowest harmonic, which survives most Laplacians
                degree = k - 2 * times
                seen = _inner(lowered[k][times], lowered[other][times + (other - k) // 2])
                known = sum(root(k, other, low, times) * value for low, value in found.items())
                found[degree] = (seen - known) / root(k, other, degree, times)
            for degree, value in found.items():
                products.setdefault(degree, {})[k, other] = value
    parts = {}
    for degree, table in sorted(products.items()):
        ks = tuple(sorted({k for k, _ in table}))
        parts[degree] = (ks, np.array([[table[min(k, o), max(k, o)] for o in ks] for k in ks]))
    return HarmonicEnergies(d, parts)


def kernel_floor(target: Target, d: int, dimension: int) -> float:
    """The mean risk that no predictor in a rotation invariant random space of this dimension can beat (see above).

    Args:
        target: f*, a polynomial.
        d: input dimension, 3 or more.
        dimension: of the space: n for kernel ridge regression, min(n, N) for N random features.
    """
    energies = harmonic_energies(target, d)
    counts = {degree: harmonics(degree, d) for degree in energies.parts}
    each = sorted(((energies.energy(k) / count, count) for k, count in counts.items()), reverse=True)
    risk, left = float(target.norm2), dimension
    for energy, number in each:
        taken = min(left, number)
        risk, left = risk - energy * taken, left - taken
    return max(risk, 0.0)
