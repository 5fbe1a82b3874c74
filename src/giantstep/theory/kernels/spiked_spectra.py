"""The spectrum of a kernel g(<x, x'>/d) under N(0, I + theta mu mu^T), and what of it a kernel matrix shows.

In the sectors of `spiked_inputs` the operator is a matrix on the classes (z, |v|) for each degree l of the bulk's
harmonics, and each of its eigenvalues comes N_l times. In sector 0 the function He_l(z) of the spike has

    lambda_l = l! g_l ((1 + theta)/d)^l (1 + O(theta/d) + O(1/d)),

found here at finite d by Gauss quadrature, as the eigenfunction with a squared overlap with He_l above one half (there
is at most one): the order of size would mistake it for functions of |v|, which lie in between. Derived; compare the
threshold theta = d^(1 - 1/l) of [bes23], which is n lambda_l ~ 1.

Of n samples, the matrix K has a bulk and outliers. Outside the bulk (K - x)^-1 is -diag(c) in the mean, and

    1/c = x - R - sum_{l>=1} N_l T_l(.,.),   T_l = (1 - n k_l C)^-1 k_l,   C = diag(p c),     R = k(x,x) - sum N_l k_l,

the equivalent of `spiked_inputs` at a ridge of -x. Outliers are where n k_0 C has the eigenvalue 1, with the
eigenvector q; K has the eigenvector c q on the samples, of squared length -n E[c' q^2], and its squared overlap with
h_l(z_i) is n E[c q h_l]^2 over this (derived).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_table
from giantstep.problems import InnerProductKernel, as_kernel
from giantstep.theory.kernels.spiked_sectors import Sectors, kernel_sectors

PRESENT = 0.1
"""Classes of which fewer samples than this are expected have c = 1/x: a sample that does hold one has an eigenvalue of
its own for it, which is not part of the bulk."""
NEGLIGIBLE = 1e-7
ROUNDING = 1e-14
MOST_ROUNDS = 250
SETTLED = 1e-8
NARROW = 1.004
"""Ratio to which the edge of the bulk is searched."""


@dataclass(frozen=True)
class SpikedMode:
    """One eigenvalue that belongs to He_l(z) of the spike's coordinate z.

    Args:
        degree: l.
        value: the eigenvalue.
        overlap: squared overlap of the eigenfunction with He_l.
        leading: l! g_l ((1 + theta)/d)^l, the eigenvalue to leading order.
    """

    degree: int
    value: float
    overlap: float
    leading: float


@dataclass(frozen=True)
class BulkSector:
    """The largest eigenvalues on products of a harmonic of degree l of the bulk with functions of the spike's z."""

    degree: int
    multiplicity: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class SpikedSpectrum:
    """Eigenvalues of the kernel's operator; `spectrum[l]` is that of He_l(z).

    >>> found = spiked_spectrum("exp", 1000, 1000**0.6, degrees=3)
    >>> [float(f"{found[l].value:.5g}") for l in (1, 2, 3)]
    [0.064527, 0.004153, 0.00026729]
    >>> found.bulk[0].multiplicity
    999
    """

    kernel: InnerProductKernel
    d: int
    theta: float
    modes: tuple[SpikedMode, ...]
    bulk: tuple[BulkSector, ...]
    trace: float
    """E k(x, x), the sum of all eigenvalues."""

    def __getitem__(self, degree: int) -> SpikedMode:
        found = [mode for mode in self.modes if mode.degree == degree]
        if not found:
            raise InputError(
                f"no eigenfunction of {self.kernel} is mostly He{degree} of the spike: the kernel lacks the degree, "
                f"its eigenvalue is below rounding, theta/d = {self.theta / self.d:.3g} is too large, or more degrees "
                "must be asked for"
            )
        return found[0]

    def __repr__(self) -> str:
        values = ", ".join(f"He{m.degree}: {m.value:.4g}" for m in self.modes)
        bulk = ", ".join(f"{s.multiplicity} x {s.values[0]:.3g}" for s in self.bulk)
        return f"SpikedSpectrum({self.kernel}, d={self.d}, theta={self.theta:.4g}; {values}; bulk {bulk})"


def spiked_spectrum(
    kernel: InnerProductKernel | str, d: int, theta: float, degrees: int = 4, *, shown: int = 3
) -> SpikedSpectrum:
    """Eigenvalues of the kernel's operator: of the functions of the spike, and the largest of each sector of the bulk.

    Args:
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension, 3 or more.
        theta: strength of the spike.
        degrees: He_0, ..., He_degrees of the spike's coordinate are looked for, at most 12.
        shown: how many eigenvalues of each sector are kept.
    """
    if d < 3 or theta < 0 or not 0 <= degrees <= 12:
        raise InputError(
            f"d = {d}, theta = {theta}, degrees = {degrees}: needed are d >= 3, theta >= 0, degrees 0 to 12"
        )
    kernel = as_kernel(kernel)
    sectors = kernel_sectors(kernel, d, float(theta))
    root = np.sqrt(sectors.weight)
    values, vectors = np.linalg.eigh(root[:, None] * sectors.kernels * root)
    overlaps = ((hermite_table(degrees, sectors.z, normalised=True) * root) @ vectors[0]) ** 2
    g = kernel.coefficients(degrees + 1)
    modes = []
    for degree, row in enumerate(overlaps):
        place = int(row.argmax())
        if row[place] > 0.5:
            leading = math.factorial(degree) * float(g[degree]) * ((1 + theta) / d) ** degree
            modes.append(SpikedMode(degree, float(values[0, place]), float(row[place]), leading))
    bulk = [
        BulkSector(degree, int(sectors.counts[degree]), tuple(float(v) for v in values[degree, : -shown - 1 : -1]))
        for degree in range(1, len(values))
    ]
    held = np.einsum("l,lii->i", sectors.counts, sectors.kernels) + sectors.rest
    return SpikedSpectrum(kernel, d, float(theta), tuple(modes), tuple(bulk), float(sectors.weight @ held))


@dataclass(frozen=True)
class Outlier:
    """An eigenvalue of K/n outside the bulk.

    Args:
        degree: l of the He_l(z) it belongs to.
        value: the eigenvalue.
        overlap: squared overlap of its eigenvector with h_l at the samples.
    """

    degree: int
    value: float
    overlap: float


@dataclass(frozen=True)
class MatrixSpectrum:
    """What the matrix K/n of a sample shows: where its bulk ends, and the outliers by the degree they belong to."""

    edge: float
    outliers: tuple[Outlier, ...]

    def of(self, degree: int) -> Outlier | None:
        """The outlier whose eigenvector is more than half He_l; None if there is none."""
        return next((one for one in self.outliers if one.degree == degree and one.overlap > 0.5), None)


@lru_cache(maxsize=256)
def matrix_spectrum(
    kernel: InnerProductKernel | str, d: int, theta: float, samples: int, degrees: int = 4
) -> MatrixSpectrum:
    """Bulk edge and outliers of K/n for n samples; the module's equations (derived).

    Args:
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension, 3 or more.
        theta: strength of the spike.
        samples: n.
        degrees: at most degrees + 1 outliers are looked for.
    """
    classes = _Classes(kernel_sectors(kernel, d, float(theta)), samples)
    low, high = 1e-12 * classes.largest, 2.0 * classes.largest
    while classes.resolvent(high) is None and high < 1e6 * classes.largest:
        high *= 2.0
    while high / low > NARROW:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if classes.resolvent(middle) is None else (low, middle)
    edge, top = high, 4.0 * max(high, classes.largest)
    outliers = []
    for order in range(degrees + 1):
        if classes.excess(math.log(edge), order) < 0:
            break
        place = math.exp(scipy.optimize.brentq(classes.excess, math.log(edge), math.log(top), args=(order,), xtol=1e-9))
        overlaps = classes.overlaps(place, order, degrees)
        degree = int(overlaps.argmax())
        outliers.append(Outlier(degree, place / samples, float(overlaps[degree])))
    return MatrixSpectrum(edge / samples, tuple(outliers))


class _Classes:
    """The resolvent of K on the classes of the sectors, each k_l = U_l U_l^T of low rank."""

    def __init__(self, sectors: Sectors, samples: int) -> None:
        kept = samples * sectors.weight > NEGLIGIBLE
        self.z, self.rest, self.number = sectors.z[kept], sectors.rest[kept], samples * sectors.weight[kept]
        self.counts, root = sectors.counts, np.sqrt(self.number)
        values, vectors = np.linalg.eigh(root[:, None] * sectors.kernels[:, kept][:, :, kept] * root)
        self.factors = [
            (vectors[degree] * np.sqrt(np.maximum(row, 0.0)))[:, row > ROUNDING * row[-1]] / root[:, None]
            for degree, row in enumerate(values)
        ]
        self.rare = self.number < PRESENT
        self.largest = float(values[:, -1].max())
        self.known: dict[float, Array | None] = {}

    def resolvent(self, x: float) -> Array | None:
        """c at a place x; None within the bulk, where there is none."""
        if x not in self.known:
            self.known[x] = self._resolvent(x)
        return self.known[x]

    def _resolvent(self, x: float) -> Array | None:
        """Grows from 1/x to the fixed point."""
        c, before, growing = np.full(len(self.z), 1.0 / x), math.inf, 0
        for _ in range(MOST_ROUNDS):
            left = x - self.rest
            for factor, count in zip(self.factors[1:], self.counts[1:], strict=True):
                weighed = np.eye(factor.shape[1]) - (factor.T * (self.number * c)) @ factor
                try:
                    half = np.linalg.solve(np.linalg.cholesky(weighed), factor.T)
                except np.linalg.LinAlgError:
                    return None
                left = left - count * (half**2).sum(axis=0)
            left = np.where(self.rare, x, left)
            if (left <= 0).any():
                return None
            moved = float(np.abs(1.0 / (left * c) - 1).max())
            if moved < SETTLED:
                return np.asarray(1.0 / left)
            # Towards a fixed point the steps shrink; through the gap where it has vanished they grow again.
            growing = growing + 1 if moved > before else 0
            if growing > 3:
                return None
            c, before = 1.0 / left, moved
        return None

    def modes(self, x: float) -> tuple[Array, Array, Array]:
        """c, and eigenvalues and eigenvectors of U_0^T n C U_0, largest first."""
        c = self.resolvent(x)
        assert c is not None  # outside the bulk
        values, vectors = np.linalg.eigh((self.factors[0].T * (self.number * c)) @ self.factors[0])
        return c, values[::-1], vectors[:, ::-1]

    def excess(self, log_x: float, order: int) -> float:
        """Above zero while the outlier of this order lies beyond x."""
        values = self.modes(math.exp(log_x))[1]
        return math.log(max(float(values[order]), 1e-300)) if order < len(values) else -1.0

    def overlaps(self, x: float, order: int, degrees: int) -> Array:
        """Of the eigenvector with h_0, h_1, ...; c' by three values beyond x, since before x the bulk may begin."""
        step = 1e-3 * x
        c, _, vectors = self.modes(x)
        slope = (4 * self.modes(x + step)[0] - self.modes(x + 2 * step)[0] - 3 * c) / (2 * step)
        q = self.factors[0] @ vectors[:, order]
        seen = hermite_table(degrees, self.z, normalised=True) @ (self.number * c * q)
        return np.asarray(seen**2 / (-(self.number * slope * q**2).sum() * self.number.sum()))
