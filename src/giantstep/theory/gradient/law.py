"""The law of one neuron's gradient g = (1/n) sum_i f(x_i) s'(<w, x_i>) x_i at |w| = 1, through a few moments.

V is spanned by the first r axes, m = w_V is the neuron's overlap with it. With f = sum_a c_a He_a and
mu_k = E[s He_k] the mean gradient is, exactly,

    E g = sum_k mu_{k+1}/k! C_{k+1}(m^k) + w sum_k mu_{k+2}/k! <C_k, m^k>
        = sum_a c_a mu_{|a|} grad(m^a) + w sum_a c_a mu_{|a|+2} m^a.

Source: [dklps23], Hermite expansion of the first giant step; the multi-index form is derived (C_k[i..] =
c_a a!).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.quadrature import hermite_grid, panel_rule

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

Index = tuple[int, ...]

# Powers of m beyond this are of order d^(-k/2): they are dropped for targets that are not polynomials.
SERIES_DEGREE = {1: 16, 2: 12, 3: 8}
LONGEST_SERIES = 5
# Grids that resolve f(x)^2 s'(z)^2: nodes per direction of V (Gauss-Hermite) and panels in z.
_NODES = {2: 40, 3: 18}
_PANELS = {1: 24, 2: 12, 3: 6}
MOST_DIRECTIONS_ON_A_GRID = 3


@dataclass(frozen=True)
class MeanGradient:
    """The mean gradient as a polynomial in the overlap m.

    Args:
        exponents: a of each term of the target, (K, r).
        coefficients: c_a of the target, (K,).
        hermite: mu_0, mu_1, ... of the activation, two beyond the target's degree, (M,).
    """

    exponents: Array
    coefficients: Array
    hermite: Array

    @property
    def directions(self) -> int:
        """Number r of directions of the target."""
        return int(self.exponents.shape[1])

    @property
    def constant(self) -> float:
        """c_0 = E f."""
        return float(self.coefficients[self.exponents.sum(axis=1) == 0].sum())

    def __call__(self, overlap: Array) -> tuple[Array, Array]:
        """(a, b) with E g = (a, 0) + b w, for overlaps m (..., r): a (..., r) lies in V, b is a scalar."""
        degree = self.exponents.sum(axis=1).astype(np.int64)
        m = np.asarray(overlap, dtype=np.float64)[..., None, :]
        along_w = np.prod(m**self.exponents, axis=-1) @ (self.coefficients * self.hermite[degree + 2])
        weight = self.coefficients * self.hermite[degree]
        inside = np.empty((*m.shape[:-2], self.directions))
        for i in range(self.directions):
            lowered = self.exponents.copy()
            lowered[:, i] = np.maximum(lowered[:, i] - 1, 0)
            inside[..., i] = np.prod(m**lowered, axis=-1) @ (weight * self.exponents[:, i])
        return inside, along_w

    @classmethod
    def of_coefficients(cls, coefficients: Mapping[Index, float], hermite: Array) -> MeanGradient:
        """From c_a of the target and mu_0, mu_1, .. of the activation, up to two beyond the degree."""
        terms = sorted(coefficients.items())
        require(bool(terms), "The target is zero: its gradient has no direction")
        exponents = np.array([a for a, _ in terms], dtype=np.float64)
        values = np.array([float(c) for _, c in terms])
        require(
            len(hermite) > exponents.sum(axis=1).max() + 2,
            "The activation's Hermite coefficients are too few",
        )
        return cls(exponents, values, np.asarray(hermite, dtype=np.float64))


@dataclass(frozen=True)
class SampleLaw:
    """Joint law of one sample's contribution at m = 0, as a table over groups of equal p = f(x)^2 s'(z)^2.

    With h = (x_V, z), z the coordinate along w: `weight` = P(group), `power` = E[p | group], `first` = E[f
    s' h; group], `slope` its derivative in m at m = 0 (G, r+1, r) and `second` = E[p h h^T; group] (G,
    r+1, r+1). Grouping makes E[. exp(-lam p)] cheap for any lam.
    """

    power: Array
    weight: Array
    first: Array
    slope: Array
    second: Array

    @property
    def extra(self) -> Array:
        """E[p |h|^2 | group]."""
        moment = np.trace(self.second, axis1=1, axis2=2)
        return np.asarray(np.divide(moment, self.weight, out=np.zeros_like(moment), where=self.weight > 0))

    def across(self) -> SampleLaw:
        """The same of f s' (x - z w), h = (x_V - z m, 0): its slope in m loses E[f s' z] for each direction."""
        first, slope, second = self.first.copy(), self.slope.copy(), self.second.copy()
        r = slope.shape[2]
        slope[:, range(r), range(r)] -= first[:, -1:]
        first[:, -1], slope[:, -1], second[:, -1], second[:, :, -1] = 0.0, 0.0, 0.0, 0.0
        return replace(self, first=first, slope=slope, second=second)


@dataclass(frozen=True)
class GradientLaw:
    """What is needed to predict the share of V in a neuron's gradient.

    Args:
        mean: E g as a function of the overlap m.
        power: E f^2 E s'^2.
        second: E[f^2 s'^2 h h^T] at m = 0, h = (x_V, z), (r + 1, r + 1).
        samples: the law of one sample's contribution; None for too many directions for a grid.
        is_across: whether this is the law of g - <g, w> w, the gradient's part across the neuron.
    """

    mean: MeanGradient
    power: float
    second: Array
    samples: SampleLaw | None
    is_across: bool = False

    @property
    def directions(self) -> int:
        """Number r of directions of the target."""
        return self.mean.directions

    def mean_in_frame(self, overlap: Array) -> Array:
        """Coordinates of E g in V and along the rest of w, (K, r + 1), for overlaps m (K, r)."""
        inside, along_w = self.mean(overlap)
        if self.is_across:
            along_w = -(inside * overlap).sum(axis=1)
        rest = np.sqrt(np.maximum(0.0, 1 - (overlap**2).sum(axis=1)))
        return np.concatenate([inside + along_w[:, None] * overlap, (along_w * rest)[:, None]], axis=1)

    def across(self) -> GradientLaw:
        """The law of g - <g, w> w, a sum of f s' (x - z w): to first order in m its part in V is f s' (x_V - z m).

        The part mu_2 E f w of the mean, which says nothing of the target's directions, is gone (derived).
        """
        if self.is_across:
            return self
        second = self.second.copy()
        second[-1, :] = second[:, -1] = 0.0
        samples = None if self.samples is None else self.samples.across()
        return replace(self, second=second, samples=samples, is_across=True)

    def noise_in_target_space(self) -> float:
        """N_V = E[f^2 s'^2 |x_V|^2] at m = 0."""
        return float(np.trace(self.second[:-1, :-1]))

    def total_noise(self, d: int) -> float:
        """T = E[f^2 s'^2 |x|^2] = (d-r-1) E f^2 E s'^2 + E[f^2 |x_V|^2] E s'^2 + E f^2 E[s'^2 z^2], m = 0."""
        return (d - self.directions - 1) * self.power + float(np.trace(self.second))


@lru_cache(maxsize=128)
def gradient_law(target: Target, activation: Activation) -> GradientLaw:
    """The gradient's law; moments by quadrature, exact for polynomials. [dklps23], see the module.

    Args:
        target: f*, of r directions.
        activation: s of the neuron.
    """
    r = target.directions
    degree = target.degree if target.is_polynomial else SERIES_DEGREE.get(r, LONGEST_SERIES)
    coefficients = {
        tuple(a): float(c) for a, c in target.hermite(None if target.is_polynomial else degree).items() if c
    }
    highest = max((sum(a) for a in coefficients), default=0)
    mu = np.array([activation.hermite_coefficient(k) for k in range(highest + 3)])
    mean = MeanGradient.of_coefficients(coefficients, mu)
    z, weight = panel_rule(breaks=activation.kinks, order=8, panels=_PANELS.get(r, 24), reach=9.0)
    slope = np.asarray(activation.derivative(z), dtype=np.float64)
    if r > MOST_DIRECTIONS_ON_A_GRID:
        power, second = _second_moments(coefficients, r, z, weight * slope**2)
        return GradientLaw(mean, power, second, None)
    x, share = target_grid(r)
    law = group_samples(x, share, np.asarray(target(x), dtype=np.float64)[:, None] * slope, z, weight)
    return GradientLaw(mean, float(law.weight @ law.power), law.second.sum(axis=0), law)


def target_grid(directions: int) -> tuple[Array, Array]:
    """Nodes (K, r) and weights for E over x_V."""
    if directions == 1:
        nodes, weights = panel_rule(breaks=(0.0,), order=12, panels=24)
        return nodes[:, None], weights
    return hermite_grid(_NODES[directions], directions)


def group_samples(x: Array, share: Array, factors: Array, z: Array, weight: Array) -> SampleLaw:
    """Sum the product grid over groups whose p agree within 2 %, keeping each group's mean p exactly.

    `factors` (K, L) is what multiplies the input of a sample in the gradient, f(x) s'(z), at the nodes x (K, r) of
    weight `share` and z (L,) of weight `weight`; p is its square.
    """
    r = x.shape[1]
    factor = factors.ravel()
    mass = (share[:, None] * weight).ravel()
    p = factor**2
    top = p.max()
    require(top > 0, "The gradient vanishes: the target or the activation's derivative is zero")
    label = np.round(50 * np.log(np.maximum(p / top, 1e-30))).astype(np.int64)
    _, group = np.unique(label, return_inverse=True)
    count = int(group.max()) + 1

    def summed(values: Array) -> Array:
        return np.asarray(np.bincount(group, weights=values, minlength=count), dtype=np.float64)

    h = [np.repeat(x[:, i], len(z)) for i in range(r)] + [np.tile(z, len(x))]
    total = summed(mass)
    first = np.stack([summed(mass * factor * hi) for hi in h], axis=1)
    # With q(z) = s'(z) exp(-lam p) and z = <m, x> + t: d/dm_j E[f x_i q(z)] = E[f x_i x_j z q(z)] and
    # d/dm_j E[f t q(z)] = E[f x_j (z^2 - 1) q(z)], by Stein's identity.
    turn = [hi * h[r] for hi in h[:r]] + [h[r] ** 2 - 1]
    slope_in_m = np.stack([[summed(mass * factor * ti * h[j]) for j in range(r)] for ti in turn]).transpose(2, 0, 1)
    second = np.empty((count, r + 1, r + 1))
    for i in range(r + 1):
        for j in range(i + 1):
            second[:, i, j] = second[:, j, i] = summed(mass * p * h[i] * h[j])
    power = np.divide(summed(mass * p), total, out=np.zeros(count), where=total > 0)
    return SampleLaw(power, total, first, slope_in_m, second)


def _second_moments(coefficients: Mapping[Index, float], r: int, z: Array, weight: Array) -> tuple[float, Array]:
    """E f^2 E s'^2 and E[f^2 s'^2 h h^T] from Hermite coefficients, with x_i He_a = He_{a+e_i} + a_i
    He_{a-e_i}.

    `weight` holds the quadrature weights times s'(z)^2.
    """
    slope2, slope2_z, slope2_z2 = (float(np.sum(weight * z**k)) for k in range(3))
    moved = [_times_coordinate(coefficients, i) for i in range(r)]
    norm2 = _inner(coefficients, coefficients)
    second = np.zeros((r + 1, r + 1))
    for i in range(r):
        second[i, r] = second[r, i] = _inner(coefficients, moved[i]) * slope2_z
        for j in range(r):
            second[i, j] = _inner(moved[i], moved[j]) * slope2
    second[r, r] = norm2 * slope2_z2
    return norm2 * slope2, second


def _times_coordinate(coefficients: Mapping[Index, float], i: int) -> dict[Index, float]:
    result: dict[Index, float] = {}
    for a, c in coefficients.items():
        up = (*a[:i], a[i] + 1, *a[i + 1 :])
        result[up] = result.get(up, 0.0) + c
        if a[i]:
            down = (*a[:i], a[i] - 1, *a[i + 1 :])
            result[down] = result.get(down, 0.0) + a[i] * c
    return result


def _inner(f: Mapping[Index, float], g: Mapping[Index, float]) -> float:
    """E f g = sum_a f_a g_a a!."""
    return float(sum(c * g[a] * prod(factorial(k) for k in a) for a, c in f.items() if a in g))
