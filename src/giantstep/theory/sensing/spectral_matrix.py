"""Low-rank sensing from m Gaussian measurements: the spectral matrix, and the error that a small start ends with.

The truth is M = X X^T (X orthonormal, d x r*) or M = X Y^T. The spectral matrix Z = A* A (M) is M plus, to leading
order, an independent Gaussian matrix, so that its spectrum has a semicircle (asymmetric and square: the same law for
singular values) of half-width 2 s and r* outliers:

    s^2 = d |M|^2 / (2 m)  (symmetric),      s^2 = d |M|^2 / m  (asymmetric, d1 = d2 = d),      |M|^2 = r*,
    outliers 1 + s^2,      squared overlap with the truth 1 - s^2,      while s < 1.

A singular value l of M, l > s, has its outlier at l + s^2/l. For d1 x d2 matrices the two sides have scales of their
own, s^2 = d1 |M|^2/m and t^2 = d2 |M|^2/m: the noise ends at s + t, and the outlier is at sqrt((l^2 + s^2)(l^2 +
t^2))/l while s t < l^2.

Source: the Baik-Ben Arous-Peche transition for Wigner and square Gaussian matrices, Benaych-Georges and Nadakuditi
(2012) for rectangular ones; that Z has this form is derived
([ss21] bounds |Z - M| by the restricted isometry constant).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require

NODES = 20_001


@dataclass(frozen=True)
class SpectralMatrix:
    """The limiting spectrum of Z = A* A (M).

    `s` is the scale of the noise: its spectrum ends at 2 s; `across` the scale t of the other side, if it is another.
    """

    s: float
    across: float | None = None

    @classmethod
    def of(
        cls, d: int, energy: float, measurements: float, *, symmetric: bool = True, columns: int | None = None
    ) -> SpectralMatrix:
        """From the rows `d`, the truth's `energy` |M|^2 (its rank r*, if its singular values are 1), the number of
        measurements, which may be infinite, and the `columns`, if they are not as many as rows."""
        require(0 < energy <= d, f"the truth must have an energy |M|^2 of at most d = {d}, got {energy}")
        require(measurements > 0, f"measurements must be positive, got {measurements}")
        across = None if columns in (None, d) else sqrt(float(columns or d) * energy / measurements)
        return cls(sqrt(d * energy / ((2 if symmetric else 1) * measurements)), across)

    @property
    def edge(self) -> float:
        """Largest eigenvalue, or singular value, of the noise: 2 s, or s + t."""
        return 2 * self.s if self.across is None else self.s + self.across

    @property
    def edges(self) -> tuple[float, float]:
        """Where the noise of a symmetric Z begins and ends."""
        return -self.edge, self.edge

    def density(self, place: Array) -> Array:
        """The semicircle sqrt(4 s^2 - x^2)/(2 pi s^2) at each `place` x."""
        return np.asarray(np.sqrt(np.maximum(0.0, self.edge**2 - place**2)) / (2 * np.pi * self.s**2))

    def cdf(self, place: Array) -> Array:
        """Its distribution function at each `place`."""
        x = np.clip(place / self.edge, -1.0, 1.0)
        return np.asarray(0.5 + (x * np.sqrt(1 - x**2) + np.arcsin(x)) / np.pi)

    @property
    def top(self) -> float:
        """The outliers of singular values 1, at 1 + s^2; the edge where there are none."""
        return self.outlier(1.0)

    def outlier(self, strength: float) -> float:
        """Where an eigenvalue of the truth lies in Z, l + s^2/l for l = `strength`; at the edge if l <= s."""
        if self.across is not None and self.s * self.across < strength**2:
            return sqrt((strength**2 + self.s**2) * (strength**2 + self.across**2)) / strength
        return strength + self.s**2 / strength if self.s < strength else self.edge

    @property
    def overlap2(self) -> float:
        """Squared overlap of an outlier's eigenvector with the truth, 1 - s^2."""
        return max(0.0, 1 - self.s**2)

    def sine(self, d: int, true_rank: int) -> float:
        """Sine of the largest principal angle between truth and outliers, s (1 + sqrt(r*/d)) to first order."""
        return min(1.0, self.s * (1 + sqrt(true_rank / d)))

    def noise_eigenvalues(self, count: int) -> Array:
        """Quantiles of the semicircle law: where `count` eigenvalues of the noise lie."""
        return np.asarray(-2 * self.s * _cosines(count))


@lru_cache(maxsize=64)
def _cosines(count: int) -> Array:
    """cos(phi/2) where (phi - sin phi)/(2 pi), the distribution function of -2 s cos(phi/2), is (j + 1/2)/count, found
    by interpolation."""
    angle = np.linspace(0.0, 2 * np.pi, NODES)
    below = (angle - np.sin(angle)) / (2 * np.pi)
    return np.asarray(np.cos(np.interp((np.arange(count) + 0.5) / count, below, angle) / 2))


def saddle_bound(s: float) -> float:
    """-(1 - 4 s): what the least curvature of a stationary point of (1/4)|A(U U^T) - y|^2 hardly exceeds, unless it is
    the truth X X^T, X orthonormal.

    A direction x of the truth is missing, and R = A*(y - A(U U^T)) has an eigenvalue of 1 - 2 s at least there, by
    Weyl's inequality for the noise of R. A column of U that is 0, or along a direction of eigenvalue l, turned towards
    x curves the loss by l - (1 - 2 s); columns along noise have l <= 2 s. Derived, to leading order in s.

    Args:
        s: the scale of the noise of Z.
    """
    return -(1 - 4 * s)


def growth_time(step: float, scale: float, top: float) -> float:
    """t_s = ln(1/alpha) / ln(1 + mu (1 + s^2)): when a signal that started at alpha is of order 1.

    Args:
        step: mu.
        scale: alpha of the start.
        top: 1 + s^2, the outlier of Z.
    """
    return log(1 / scale) / log(1 + step * top)


@dataclass(frozen=True)
class FinalError:
    """The relative error |U U^T - X X^T| / |X X^T| at which gradient descent from scale alpha settles.

    Args:
        value: the error.
        limit_exponent: p = 2 (1 - ln(1 + 2 mu s) / ln(1 + mu (1 + s^2))), the exponent of alpha as alpha -> 0.
        warning: what the prediction strains, if anything.
    """

    value: float
    limit_exponent: float
    warning: str | None = None


def final_error(
    d: int, true_rank: int, rank: int, measurements: float, step: float, scale: float, *, symmetric: bool = True
) -> FinalError:
    """The error that a small start ends with.

    While the signal grows from alpha to 1 by 1 + mu (1 + s^2) a step, noise in an eigendirection lambda of Z grows
    by 1 + mu lambda; then both stop. What is left in the q = r - r* directions free of signal is the error:

        error = alpha^2 sqrt((q^2 + q) tr D^2 + q (tr D)^2) / (r sqrt(r*)),      D = (1 + mu lambda)^(2 t_s),

    the traces over the semicircle of the d - r* noise directions. No constant is fitted. For m = infinity D = 1.
    For U V^T the noise directions come in pairs (u_j, +-v_j)/sqrt(2) of [U; V] that grow by 1 +- mu lambda_j. With
    A, B = (1 +- mu lambda)^(2 t_s) and C = A + B,

        4 r^2 r* error^2 / alpha^4 = q (tr C)^2 - q tr C^2 + (q^2 + 2 q) tr(A^2 + B^2) - 2 q^2 tr(A B),

    and the signal has to reach sqrt(2) in [U; V]. Derived. Regime: small alpha, r > r*, entries alpha N(0, 1/r).

    Args:
        d: rows and columns of the truth.
        true_rank: r*.
        rank: r, columns of the factors.
        measurements: m, may be infinite.
        step: mu.
        scale: alpha of the start.
        symmetric: U U^T or U V^T.
    """
    require(rank >= true_rank, f"the rank must be at least the true rank {true_rank}, got {rank}")
    spectrum = SpectralMatrix.of(d, true_rank, measurements, symmetric=symmetric)
    q = float(rank - true_rank)
    if symmetric:
        time = growth_time(step, scale, spectrum.top)
        grown = (1 + step * spectrum.noise_eigenvalues(d - true_rank)) ** (2 * time)
        squares = (q**2 + q) * float(np.sum(grown**2)) + q * float(np.sum(grown)) ** 2
    else:
        time = growth_time(step, scale / sqrt(2), spectrum.top)
        values = spectrum.noise_eigenvalues(2 * (d - true_rank))[d - true_rank :]
        up, down = (1 + step * values) ** (2 * time), (1 - step * values) ** (2 * time)
        both = up + down
        squares = q * float(np.sum(both)) ** 2 - q * float(np.sum(both**2))
        squares += (q**2 + 2 * q) * float(np.sum(up**2 + down**2)) - 2 * q**2 * float(np.sum(up * down))
        squares /= 4
    return FinalError(
        scale**2 * sqrt(squares) / (rank * sqrt(true_rank)),
        limit_exponent(spectrum, step),
        "The noise reaches the signal: there are too few measurements." if spectrum.s >= 1 else None,
    )


def limit_exponent(spectrum: SpectralMatrix, step: float) -> float:
    """p = 2 (1 - ln(1 + 2 mu s) / ln(1 + mu (1 + s^2))); 2 for infinitely many measurements.

    Args:
        spectrum: of Z, which knows s.
        step: mu.
    """
    return 2 * (1 - log(1 + step * spectrum.edge) / log(1 + step * spectrum.top))


def error_exponent(
    d: int, true_rank: int, rank: int, measurements: float, step: float, scales: Array, *, symmetric: bool = True
) -> float:
    """The least-squares slope of ln(error) in ln(alpha) over some scales, from `final_error`.

    Args:
        d: rows and columns of the truth.
        true_rank: r*.
        rank: r, columns of the factors.
        measurements: m, may be infinite.
        step: mu.
        scales: alpha of the starts, (scales,).
        symmetric: U U^T or U V^T.
    """
    errors = [final_error(d, true_rank, rank, measurements, step, float(a), symmetric=symmetric).value for a in scales]
    return float(np.polyfit(np.log(scales), np.log(errors), 1)[0])


def errors_on_draw(
    spectral: Array, start: tuple[Array, Array | None], true_rank: int, step: float, scales: Array
) -> Array:
    """The error that small starts of several scales end with, for the Z and the start drawn, (scales,).

    As in `final_error`, with the eigenvectors of Z instead of their law: noise is what the start has outside the r*
    leading eigenvectors, and outside the columns' directions that the signal takes; it grows by 1 + mu lambda_j a step
    until the geometric mean of the signals is of order 1,

        t_s = (ln(1/alpha) - ln det(S S^T)/(2 r*)) / mean ln(1 + mu lambda_i),       S = (leading eigenvectors)^T U_0.

    For U V^T, Z is the block of a symmetric matrix, whose leading eigenvectors hold [U; V]. Derived.

    Args:
        spectral: Z, (d1, d2).
        start: U_0 (d1, r) and V_0 (d2, r), or U_0 and nothing for U U^T, at scale 1.
        true_rank: r*.
        step: mu.
        scales: alpha of the starts, (scales,).
    """
    left, right = start
    whole, rows = (left, len(left)) if right is None else (np.vstack([left, right]), len(left))
    lifted = spectral
    if right is not None:
        lifted = np.zeros((len(whole), len(whole)))
        lifted[:rows, rows:], lifted[rows:, :rows] = spectral, spectral.T
    values, vectors = np.linalg.eigh(lifted)
    parts = vectors.T @ whole
    signal, noise = parts[-true_rank:], parts[:-true_rank]
    taken = np.linalg.svd(signal, full_matrices=False)[2]
    noise = noise - (noise @ taken.T) @ taken
    growth = np.log1p(step * values)
    strength = np.linalg.slogdet(signal @ signal.T)[1] / (2 * true_rank) - (0.0 if right is None else log(2) / 2)
    found = []
    for scale in scales:
        time = (-log(scale) - strength) / float(growth[-true_rank:].mean())
        grown = scale * vectors[:, :-true_rank] @ (np.exp(time * growth[:-true_rank, None]) * noise)
        upper, lower = (grown, grown) if right is None else (grown[:rows], grown[rows:])
        found.append(_product_size(upper, lower))
    return np.array(found) / sqrt(true_rank)


def _product_size(upper: Array, lower: Array) -> float:
    """|U V^T|, without making it."""
    return sqrt(max(0.0, float(np.sum((upper.T @ upper) * (lower.T @ lower)))))
