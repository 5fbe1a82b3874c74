"""The conjugate kernel M M^T (n x n), M = s(X W)/sqrt(N), before and after one giant step: bulk, edge and
spike.

With gamma = psi1/psi2 = n/N, r = mu2^2/mu1^2, and for a centred activation,

    L(x) = mu1^2 (1 + gamma x)(1 + psi2/x) + mu2^2,   F(x) = 1 + 1/x + r/(x + psi2),   z(x) = L(x) F(x),

the companion Stieltjes transform mt(z) = (1/N) tr(M^T M - z)^-1 is mt = -1/L(x) at z = z(x): the spectral
curve is rational. It solves z = -1/mt + gamma int tau/(1 + mt tau) dnu(tau), tau = mu1^2 t + mu2^2 with t
of the Marchenko-Pastur law of X X^T/d (Fan and Wang 2020). The spike is the solution of the rank-one
perturbation equation of the Gaussian-equivalent features ([bes22], conjecture on the spike of the
conjugate kernel). Closed forms: derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive
from giantstep.theory.proportional import ROUNDING, Student
from giantstep.theory.spectra.marchenko_pastur import TRACY_WIDOM_MEAN

# Nodes for the distribution function per interval of the support: doubled until the mass is one to
# _MASS_ERROR.
_CDF_NODES = (257, 513, 1025, 2049, 4097)
_MASS_ERROR = 1e-8
# A kernel without ridge may reach zero; in the logarithm the distribution function starts here.
_SMALLEST = 1e-26


@dataclass(frozen=True)
class ConjugateKernel:
    """Limiting spectrum of the conjugate kernel of a centred activation, n/d -> psi1, N/d -> psi2.

    Args:
        mu1: E z s of the activation, not 0.
        mu2_squared: E s^2 - mu1^2.
        psi1: n/d.
        psi2: N/d.

    >>> kernel = ConjugateKernel(mu1=1.0, mu2_squared=0.0, psi1=1.0, psi2=1.0)
    >>> round(kernel.edge, 12), round(kernel.threshold**2, 12)
    (6.75, 2.0)
    """

    mu1: float
    mu2_squared: float
    psi1: float
    psi2: float

    def __post_init__(self) -> None:
        positive("|mu1| of the activation", abs(self.mu1))
        not_negative("mu2_squared of the activation", self.mu2_squared)
        positive("samples_per_dim (psi1)", self.psi1)
        positive("neurons_per_dim (psi2)", self.psi2)

    @classmethod
    def of(cls, student: Student, psi1: float, psi2: float) -> ConjugateKernel:
        """For a student, whose mean is left out; a nonlinear part of the size of rounding is none."""
        is_linear = student.mu2 < ROUNDING * abs(student.mu1)
        return cls(student.mu1, 0.0 if is_linear else student.mu2_squared, psi1, psi2)

    @property
    def _ratio(self) -> float:
        return self.mu2_squared / self.mu1**2

    @property
    def gamma(self) -> float:
        """n/N."""
        return self.psi1 / self.psi2

    def population(self, x: ArrayLike) -> Array:
        """L(x) = -1/mt."""
        at = np.asarray(x)
        return np.asarray(self.mu1**2 * ((1 + self.gamma * at) * (1 + self.psi2 / at) + self._ratio))

    def factor(self, x: ArrayLike) -> Array:
        """F(x) = z(x)/L(x)."""
        at = np.asarray(x)
        return np.asarray(1 + 1 / at + self._ratio / (at + self.psi2))

    def curve(self, x: ArrayLike) -> Array:
        """z(x); for x = theta1^2 above the threshold it is the place of the spike."""
        return self.population(x) * self.factor(x)

    def curve_slope(self, x: ArrayLike) -> Array:
        """z'(x)."""
        at = np.asarray(x, dtype=np.float64)
        slope_l = self.mu1**2 * (self.gamma - self.psi2 / at**2)
        slope_f = -1 / at**2 - self._ratio / (at + self.psi2) ** 2
        return slope_l * self.factor(at) + self.population(at) * slope_f

    @cached_property
    def threshold(self) -> float:
        """Smallest theta1 whose spike leaves the bulk: theta_c^2 is the minimiser of z over x > 0."""
        positive_places = self._critical_places[self._critical_places > 0]
        return float(np.sqrt(positive_places[np.argmin(self.curve(positive_places))]))

    @property
    def edge(self) -> float:
        """Right edge of the bulk, min of z over x > 0."""
        return float(self.curve(self.threshold**2))

    def spike(self, theta1: ArrayLike, samples: int | None = None) -> Array:
        """Limit of the largest eigenvalue after a rank-one step of size theta1: z(theta1^2), or the edge below the
        threshold; with `samples` the edge is shifted to the mean of the largest of n eigenvalues there."""
        x, above = self._above(theta1)
        shift = 0.0 if samples is None else TRACY_WIDOM_MEAN * self.edge_scale(samples)
        return np.where(above, self.curve(x), self.edge + shift)

    def spike_overlap(self, theta1: ArrayLike) -> Array:
        """Squared overlap of the top eigenvector with X g, g the direction of the step: z'(x)/(gamma mu1^2 F(x)),
        x = theta1^2, and 0 below the threshold. Derived."""
        x, above = self._above(theta1)
        return np.where(above, self.curve_slope(x) / (self.gamma * self.mu1**2 * self.factor(x)), 0.0)

    def _above(self, theta1: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
        """theta1^2 (the threshold's where there is no spike), and where there is one."""
        theta = not_negative("theta1", theta1)
        return np.maximum(theta, self.threshold) ** 2, theta > self.threshold

    def edge_scale(self, samples: int) -> float:
        """The Tracy-Widom unit of the n = `samples` eigenvalues at the right edge, of order n^(-2/3).

        Near the edge E the density is (c/pi) sqrt(E - lambda) with c = (L'/L^2) sqrt(2/z'')/gamma at the threshold,
        for z has a minimum there; the unit is (n c)^(-2/3), and the largest eigenvalue of a bulk without spike has mean
        E - 1.2065 units. Derived.

        >>> kernel = ConjugateKernel(mu1=1.0, mu2_squared=0.0, psi1=1.0, psi2=1.0)
        >>> round(kernel.edge_scale(1000) / kernel.edge_scale(8000), 9)
        4.0
        """
        x = self.threshold**2
        slope_l = self.mu1**2 * (self.gamma - self.psi2 / x**2)
        slope_f = -1 / x**2 - self._ratio / (x + self.psi2) ** 2
        bend_f = 2 / x**3 + 2 * self._ratio / (x + self.psi2) ** 3
        population = float(self.population(x))
        bend = 2 * self.mu1**2 * self.psi2 / x**3 * float(self.factor(x)) + 2 * slope_l * slope_f + population * bend_f
        steepness = slope_l / population**2 * np.sqrt(2 / bend) / self.gamma
        return float((samples * steepness) ** (-2 / 3))

    @property
    def atom(self) -> float:
        """Share of zero eigenvalues among the n."""
        rank = min(self.psi1, self.psi2) if self.mu2_squared > 0 else min(self.psi1, self.psi2, 1.0)
        return 1 - rank / self.psi1

    @cached_property
    def support(self) -> tuple[tuple[float, float], ...]:
        """The intervals that carry the continuous part, left to right.

        Their ends are critical values of z; an interval between two of them belongs if the density is
        positive inside.
        """
        ends = np.sort(self.curve(self._critical_places))
        ends = np.concatenate([[0.0], ends[(ends > _SMALLEST * self.edge) & (ends < self.edge)], [self.edge]])
        filled = self.density((ends[:-1] + ends[1:]) / 2) > 0
        pieces: list[tuple[float, float]] = []
        for low, high, is_filled in zip(ends[:-1], ends[1:], filled, strict=True):
            if not is_filled or high <= low:
                continue
            if pieces and pieces[-1][1] == low:
                pieces[-1] = (pieces[-1][0], float(high))
            else:
                pieces.append((float(low), float(high)))
        return tuple(pieces)

    @property
    def _curve_polynomials(self) -> tuple[Array, Array]:
        """Numerator and denominator of z/mu1^2, lowest power first.

        z/mu1^2 = P Q/(x^2 (x + psi2)), P = gamma x^2 + (1 + psi1 + r) x + psi2, Q = x^2 + (1 + psi2 + r) x
        + psi2; a linear activation, r = 0, leaves (1 + gamma x)(1 + x)(x + psi2)/x^2.
        """
        if self._ratio == 0:
            linear = polynomial.polymul([1.0, self.gamma], [1.0, 1.0])
            return np.asarray(polynomial.polymul(linear, [self.psi2, 1.0])), np.array([0.0, 0.0, 1.0])
        p = np.array([self.psi2, 1 + self.psi1 + self._ratio, self.gamma])
        q = np.array([self.psi2, 1 + self.psi2 + self._ratio, 1.0])
        return np.asarray(polynomial.polymul(p, q)), np.array([0.0, 0.0, self.psi2, 1.0])

    @cached_property
    def _critical_places(self) -> Array:
        """Real x with z'(x) = 0, refined by Newton steps on the polynomial."""
        top, bottom = self._curve_polynomials
        # z' = 0 is top' bottom = top bottom', where one power of x is common to all terms.
        left = polynomial.polymul(polynomial.polyder(top), bottom[1:])
        condition = polynomial.polysub(left, polynomial.polymul(top, polynomial.polyder(bottom)[1:]))
        slope = polynomial.polyder(condition)
        roots = polynomial.polyroots(condition)
        real = roots.real[np.abs(roots.imag) < 1e-7 * np.abs(roots)]
        for _ in range(3):
            rate = polynomial.polyval(real, slope)
            real = real - np.divide(polynomial.polyval(real, condition), rate, out=np.zeros_like(real), where=rate != 0)
        return np.asarray(real[(real != 0) & (np.abs(real + self.psi2) > 1e-12 * self.psi2)])

    def density(self, eigenvalue: ArrayLike) -> Array:
        """Density of the n eigenvalues away from 0; its integral is 1 - atom.

        The quartic z(x) = eigenvalue is solved for all points at once; the root with the largest Im(-1/L)
        gives density = Im(mt)/(pi gamma).
        """
        value = np.atleast_1d(np.asarray(eigenvalue, dtype=np.float64))
        flat = value.ravel() / self.mu1**2
        inside = (flat > 0) & (value.ravel() < self.edge)
        result = np.zeros(flat.shape)
        if inside.any():
            transform = self._transforms(flat[inside]) / self.mu1**2
            result[inside] = np.maximum(transform.imag.max(axis=1), 0.0) / (np.pi * self.gamma)
        return result.reshape(np.shape(eigenvalue))

    def _roots(self, level: Array) -> NDArray[np.complex128]:
        """All roots x of z(x)/mu1^2 = level, by companion matrices in a balanced variable."""
        top, bottom = self._curve_polynomials
        degree = len(top) - 1
        # x -> scale x makes the first and last coefficients equal in size.
        scale = (top[0] / top[-1]) ** (1 / degree)
        powers = scale ** np.arange(degree + 1.0)
        coefficients = np.repeat((top * powers)[None, :], len(level), axis=0)
        coefficients[:, : len(bottom)] -= level[:, None] * bottom * powers[: len(bottom)]
        companion = np.zeros((len(level), degree, degree))
        companion[:, np.arange(1, degree), np.arange(degree - 1)] = 1.0
        companion[:, :, -1] = -coefficients[:, :-1] / coefficients[:, -1:]
        return np.asarray(np.linalg.eigvals(companion) * scale, dtype=np.complex128)

    def _transforms(self, level: Array) -> NDArray[np.complex128]:
        """-mu1^2/L at all roots, after Newton steps in y = x + psi2.

        A small mu2 puts the roots that carry the lowest eigenvalues next to x = -psi2, where L is a
        difference of almost equal numbers in x but not in y.
        """
        y = self._roots(level) + self.psi2
        with np.errstate(all="ignore"):
            for _ in range(2):
                x = y - self.psi2
                population = ((1 + self.gamma * x) * y + self._ratio * x) / x
                factor = 1 + 1 / x + self._ratio / y
                slope = (self.gamma - self.psi2 / x**2) * factor
                slope -= population * (1 / x**2 + self._ratio / y**2)
                move = (population * factor - level[:, None]) / slope
                # Near an edge two roots meet and the step is not to be trusted; the first root is good there.
                y = np.where(np.abs(move) < 1e-4 * np.abs(y), y - move, y)
            x = y - self.psi2
            return np.asarray(np.nan_to_num(-x / ((1 + self.gamma * x) * y + self._ratio * x)))

    @cached_property
    def _primitives(self) -> list[tuple[float, float, Array]]:
        """Per interval: ends in log eigenvalue and the cosine series of density d(eigenvalue)/d(angle)."""
        series: list[tuple[float, float, Array]] = []
        for nodes in _CDF_NODES:
            series = [self._series(low, high, nodes) for low, high in self.support]
            mass = self.atom + sum(float(coefficients[0]) * np.pi for _, _, coefficients in series)
            if abs(mass - 1) < _MASS_ERROR:
                break
        return series

    def _series(self, low: float, high: float, nodes: int) -> tuple[float, float, Array]:
        a, b = np.log(max(low, _SMALLEST * high)), np.log(high)
        angle = np.pi * np.arange(nodes) / (nodes - 1)
        value = np.exp((a + b) / 2 - (b - a) / 2 * np.cos(angle))
        weighted = self.density(value) * value * (b - a) / 2 * np.sin(angle)
        coefficients = np.asarray(scipy.fft.dct(weighted, type=1)) / (nodes - 1)
        coefficients[[0, -1]] /= 2
        return float(a), float(b), coefficients

    @property
    def mass(self) -> float:
        """Integral of the numerical density plus the atom: how far from 1 it is tells the accuracy of `cdf`."""
        return self.atom + sum(float(coefficients[0]) * np.pi for _, _, coefficients in self._primitives)

    def cdf(self, eigenvalue: ArrayLike) -> Array:
        """Share of the n eigenvalues at or below a value, zeros included.

        The density is smooth in the angle that maps each interval of log eigenvalues to a half circle; its
        cosine series is integrated term by term.
        """
        value = np.asarray(eigenvalue, dtype=np.float64)
        total = np.where(value >= 0, self.atom, 0.0)
        with np.errstate(divide="ignore"):
            logarithm = np.log(np.maximum(value, 0.0))
        for a, b, coefficients in self._primitives:
            order = np.arange(1, len(coefficients))
            angle = np.arccos(np.clip((a + b - 2 * logarithm) / (b - a), -1.0, 1.0))
            waves = np.sin(angle[..., None] * order) @ (coefficients[1:] / order)
            total = total + coefficients[0] * angle + waves
        return np.clip(total, 0.0, 1.0)
