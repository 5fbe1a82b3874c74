"""The top eigenvector of a matrix of inputs weighted by a transform of their labels, D = (1/n) sum_i T(y_i) x_i x_i^T.

Labels y = f(z, noise), z = <v, x>, x ~ N(0, I_d), delta = n/d, T bounded from above. For l > sup T

    psi(l) = l (1/delta + E[T/(l - T)]),     phi(l) = l E[T z^2/(l - T)].

The bulk of eigenvalues ends at min psi = psi(l_0). If psi and phi meet at l* > l_0, there is an outlier:

    top eigenvalue -> psi(l*),     <v, v_1>^2 -> psi'(l*)/(psi'(l*) - phi'(l*)),

else the top eigenvalue is at the edge and its vector tells nothing. Source: [ll20], [mm19]. psi'(l_0) = 0 says
1/delta = E[T^2/(l_0 - T)^2]; with psi(l_0) = phi(l_0) it gives the threshold of delta for this T:

    E[T^2/(l - T)^2] = E[T (z^2 - 1)/(l - T)]  at l,     delta_c = 1/(that).

The best transform, at every delta, is T(y) = 1 - 1/E[z^2 | y] [lal19]; it solves this at l = 1, where both sides are
E[(E[z^2 | y] - 1)^2] = 1/alpha_c. Laws of labels come as slices with weights p_h, on which T is constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import positive, real_array, require

LEAST_SECOND = 1e-3
"""E[z^2 | y] below it counts as this: T = 1 - 1/E[z^2 | y] is then -999, as good as minus infinity."""
_NEAR, _FAR, _PLACES = 1e-9, 1e6, 400


@dataclass(frozen=True)
class SpectralLaw:
    """What the matrix D shows in the limit.

    Args:
        overlap: <v, v_1>^2 of the top eigenvector; 0 if there is no outlier.
        top: the largest eigenvalue.
        edge: where the bulk ends.
        scale: eigenvalues at the edge lie inside it by the Tracy-Widom law times scale d^(-2/3).
    """

    overlap: float
    top: float
    edge: float
    scale: float = 0.0

    @property
    def has_outlier(self) -> bool:
        """Whether the top eigenvalue left the bulk."""
        return self.overlap > 0


def best_transform(second: ArrayLike) -> Array:
    """T(y) = 1 - 1/E[z^2 | y], the best transform of the labels at every n/d. [lal19]

    `second` is E[z^2 | y], an array; values below 0.001 count as 0.001.

    >>> best_transform([0.5, 1.0, 4.0]).tolist()
    [-1.0, 0.0, 0.75]
    """
    values = real_array("E[z^2 | y]", np.asarray(second, dtype=np.float64))
    return np.asarray(1 - 1 / np.maximum(values, LEAST_SECOND))


@dataclass(frozen=True, eq=False)
class _Functions:
    """psi and phi of a transform on slices, and their derivatives."""

    t: Array
    weight: Array
    second: Array
    inverse: float  # 1/delta

    @property
    def sup(self) -> float:
        return float(self.t.max())

    def mean(self, values: Array) -> float:
        return float(self.weight @ values)

    def psi(self, place: float) -> float:
        return place * (self.inverse + self.mean(self.t / (place - self.t)))

    def phi(self, place: float) -> float:
        return place * self.mean(self.t * self.second / (place - self.t))

    def psi_slope(self, place: float) -> float:
        return self.inverse - self.mean((self.t / (place - self.t)) ** 2)

    def phi_slope(self, place: float) -> float:
        return -self.mean(self.second * (self.t / (place - self.t)) ** 2)

    def edge_scale(self, place: float) -> float:
        """(delta/l^2 sqrt(2/psi''))^(-2/3) at the edge: the bulk has the resolvent delta/l, so its density begins as
        delta/(pi l^2) sqrt(2 (edge - lambda)/psi''), and the Airy law follows (derived)."""
        curvature = 2 * self.mean(self.t**2 / (place - self.t) ** 3)
        return float((np.sqrt(2 / curvature) / (self.inverse * place**2)) ** (-2 / 3))

    def bracket(self) -> tuple[float, float]:
        """Between the largest value of T and far beyond all of them."""
        size = max(float(np.abs(self.t[self.weight > 1e-15]).max()), 1e-12)
        return self.sup + _NEAR * max(abs(self.sup), 1e-3 * size), self.sup + _FAR * size


def _functions(transform: ArrayLike, weight: ArrayLike, second: ArrayLike, inverse: float) -> _Functions:
    t, p, s = (np.asarray(v, dtype=np.float64) for v in (transform, weight, second))
    require(t.shape == p.shape == s.shape and t.ndim == 1, "transform, weight and second must have one entry a slice")
    require(bool(np.isfinite(t).all()), "the transform of the labels must be finite")
    require(bool((p >= 0).all()) and abs(p.sum() - 1) < 1e-6, "the weights must be probabilities that sum to 1")
    require(bool(np.any(t[p > 0] != t[p > 0][0])), "the transform is constant: it tells nothing about the labels")
    kept = p > 0
    return _Functions(t[kept], p[kept], s[kept], inverse)


def spectral_law(transform: ArrayLike, weight: ArrayLike, second: ArrayLike, samples_per_dim: float) -> SpectralLaw:
    """Edge, top eigenvalue and overlap of D = (1/n) sum T(y_i) x_i x_i^T, see the module's formulas. [ll20, mm19]

    Args:
        transform: T on each slice of the labels, (H,).
        weight: p_h, the probability of each slice, (H,).
        second: E[z^2 | slice], (H,).
        samples_per_dim: delta = n/d.

    >>> from giantstep.problems import Target
    >>> from giantstep.problems.labels import label_law
    >>> law = label_law(Target("x1**2"))
    >>> found = spectral_law(np.maximum(best_transform(law.second_along), -5), law.weight, law.second_along, 2.0)
    >>> round(found.overlap, 3), found.top > found.edge
    (0.612, True)
    """
    f = _functions(transform, weight, second, 1 / float(positive("samples_per_dim", samples_per_dim)))
    near, far = f.bracket()
    # The slope of psi grows with l wherever it is negative, so there is one minimum.
    start = near if f.psi_slope(near) >= 0 else float(scipy.optimize.brentq(f.psi_slope, near, far, xtol=1e-13))
    edge, scale = f.psi(start), f.edge_scale(start)
    if f.phi(start) <= edge:
        return SpectralLaw(0.0, edge, edge, scale)
    meeting = float(scipy.optimize.brentq(lambda place: f.psi(place) - f.phi(place), start, far, xtol=1e-13))
    rise, fall = max(f.psi_slope(meeting), 0.0), f.phi_slope(meeting)
    return SpectralLaw(rise / (rise - fall), f.psi(meeting), edge, scale)


def spectral_threshold(transform: ArrayLike, weight: ArrayLike, second: ArrayLike) -> float:
    """The n/d from which on D has an outlier, for this transform of the labels; inf if it never has.

    The outlier is there where phi > psi at the edge l_0: a condition on l_0, which falls as n/d grows from 0. [mm19],
    see the module's formulas.

    Args:
        transform: T on each slice of the labels, (H,).
        weight: p_h, the probability of each slice, (H,).
        second: E[z^2 | slice], (H,).

    >>> from giantstep.problems import Target
    >>> from giantstep.problems.labels import label_law
    >>> law = label_law(Target("abs(x1)"))
    >>> round(spectral_threshold(best_transform(law.second_along), law.weight, law.second_along), 3)
    0.5
    """
    f = _functions(transform, weight, second, 0.0)
    near, far = f.bracket()

    def gap(log: float) -> float:
        ratio = f.t / (np.exp(log) + f.sup - f.t)
        return f.mean(ratio * (f.second - 1)) - f.mean(ratio**2)

    # l_0 grows with delta: the least delta with a positive gap is that of the smallest such l.
    logs = np.linspace(np.log(near - f.sup), np.log(far - f.sup), _PLACES)
    above = np.array([gap(log) for log in logs]) > 0
    if not above.any():
        return float("inf")
    first = int(np.argmax(above))
    log = logs[0] if first == 0 else float(scipy.optimize.brentq(gap, logs[first - 1], logs[first]))
    return 1 / f.mean((f.t / (np.exp(log) + f.sup - f.t)) ** 2)
