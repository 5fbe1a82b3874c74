"""The rows of the weights after one giant step on n0 = alpha0 d samples, all a_i alike.

w_i = w + eta mean(y s'(<w, x>) x), w uniform on the unit sphere, y = f*(x1) + noise. With t1 = E[x1 y], t2 = E y^2,
mu1 = E s', mu3 = E s''', q = s' - mu1 and E s'' = 0:

    w_i = kappa_i v + tau_i (unit vector),   v = X^T y/|X^T y|,   <v, x1> = gamma = t1/L,   L = sqrt(t1^2 + t2/alpha0)
    kappa_i -> r = eta mu1 L,   tau_i^2 -> c = 1 + eta^2 t2 Var(s')/alpha0                       [cui24], derived

The neurons differ in order d^(-1/2), and this counts, for p of them together tell it to the head. Derived: with e the
direction of x1 - gamma v, sqrt(d) (kappa_i - r, tau_i - sqrt(c), <w_i, e>) has the covariance Gamma of

    kappa_i - r = <w, v> + eta mean(y <x, v> q(<w, x>)),
    sqrt(c) (tau_i - sqrt(c)) = eta mu3 L <w, v> + eta mean(y h(<w, x>)) + (eta^2/2) (|g|^2 - E|g|^2),
    <w_i, e> = <w, e> + eta mean(y <x, e> q(<w, x>)),

g = mean(y q x), h the part of z s'(z) beyond the linear one. Means over samples are of independent terms, and in them
<x, v> = (t1 x1 + y/alpha0 + sqrt(t2/alpha0) N(0,1))/L, for x has itself a part in v. [cui24] has Gamma = diag(c, 0, c).
Left out is how the fluctuations depend on directions beyond v and e, a correction of relative order alpha0^(-3/2).

An activation with E s'' != 0 turns the rows by 1 + eta E s'' mean(y x x^T), a matrix with a spectrum of its own: it is
refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import not_negative, positive, require
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite, panel_rule
from giantstep.problems import Activation, Target

NEGLIGIBLE = 1e-9
NOISE_NODES = 8
"""Gauss-Hermite nodes of the label noise: exact for the sixth powers of labels that occur, and more."""
LENGTH_NODES = 64


@dataclass(frozen=True, eq=False)
class RowLaw:
    """The rows of the weights after the step, as the module describes them.

    Args:
        spike: r, what all rows have along v.
        spread: c, the squared length of the rest.
        alignment: gamma, the cosine of v with the target's direction.
        covariance: Gamma, d times the covariance of (kappa, tau, <w, e>) over neurons, (3, 3).
    """

    spike: float
    spread: float
    alignment: float
    covariance: Array

    def __repr__(self) -> str:
        return f"RowLaw(spike={self.spike:.6g}, spread={self.spread:.6g}, alignment={self.alignment:.6g})"

    def equally_long(self) -> RowLaw:
        """The same rows with the parts beyond v made equally long."""
        keep = np.diag([1.0, 0.0, 1.0])
        return replace(self, covariance=keep @ self.covariance @ keep)

    def as_published(self) -> RowLaw:
        """Gamma = diag(c, 0, c): rows of one length, spread evenly."""
        return replace(self, covariance=np.diag([self.spread, 0.0, self.spread]))

    def second_order(self, activation: Activation, d: int) -> float:
        """Var(tau) E l^2/E u0^2, u0(k) = E s(r k + tau z), l = E[z s'(r k + tau z)]: how much the rows' lengths change
        what features tell of k, squared. The equations keep the first order; of this order is the next.

        Args:
            activation: s.
            d: the dimension, by which Var(tau) is Gamma/d.
        """
        (k, of_k), (z, of_z) = gauss_hermite(LENGTH_NODES), gauss_hermite(LENGTH_NODES)
        values, slopes = activation.value_and_derivative(self.spike * k[:, None] + np.sqrt(self.spread) * z)
        told, changed = values @ of_z, slopes @ (of_z * z)
        return float(self.covariance[1, 1] / d * (of_k @ changed**2) / (of_k @ told**2))


def row_law(
    target: Target, activation: Activation, step_samples_per_dim: float, step: float, noise: float = 0.0
) -> RowLaw:
    """The law of the rows after one giant step; see the module.

    Args:
        target: f*, a function of one direction.
        activation: s, continuous, with E s' not 0 and E s'' = 0.
        step_samples_per_dim: alpha0 = n0/d, of the samples of the step.
        step: eta, 0 or more.
        noise: standard deviation of the label noise.

    >>> row_law(Target("sin(x1)"), Activation("tanh"), 20.0, 3.0)
    RowLaw(spike=1.13406, spread=1.01897, alignment=0.971854)
    """
    alpha0, eta = float(positive("step_samples_per_dim", step_samples_per_dim)), float(not_negative("step", step))
    s, y = _slopes(activation), _labels(target, alpha0, float(not_negative("noise", noise)))
    grown, length = eta**2 * s.variance / alpha0, eta * y.length
    c = 1 + grown * y.square
    root = np.sqrt(c)
    gamma = np.empty((3, 3))
    gamma[0, 0], gamma[0, 2], gamma[2, 2] = np.array([1.0, 0.0, 1.0]) + grown * y.spread
    lengths = eta**2 * y.square * s.lengthening / alpha0 + eta**3 * y.cube * s.both / alpha0**2
    squares = y.fourth * s.square_variance / alpha0**3 + 2 * (y.square * s.variance / alpha0) ** 2
    gamma[1, 1] = ((s.third * length) ** 2 + lengths + eta**4 / 4 * squares) / c
    turned = eta**2 * y.square_parts * s.mixed / alpha0 + eta**3 / 2 * y.cube_parts * s.skew / alpha0**2
    gamma[0, 1], gamma[1, 2] = (np.array([s.third * length, 0.0]) + turned) / root
    gamma[1, 0], gamma[2, 0], gamma[2, 1] = gamma[0, 1], gamma[0, 2], gamma[1, 2]
    return RowLaw(s.mean * length, c, y.alignment, gamma)


@dataclass(frozen=True)
class _Slopes:
    """Moments of s': mean mu1, third mu3, and of q = s' - mu1 and h the variances, E[h q], E[q^3], E[h q^2]."""

    mean: float
    third: float
    variance: float
    square_variance: float
    lengthening: float
    mixed: float
    skew: float
    both: float


@lru_cache(maxsize=64)  # the same for every step
def _slopes(activation: Activation) -> _Slopes:
    if activation.jumps:
        raise InputError(f"the activation {activation} jumps; a gradient step needs a continuous one")
    z, weight = panel_rule(activation.kinks)
    value, slope = np.asarray(activation(z)), np.asarray(activation.derivative(z))
    mean, curvature = float(weight @ slope), float(weight @ (z * slope))
    require(abs(mean) > NEGLIGIBLE, f"the activation {activation} has E s' = 0: a step on n ~ d samples learns nothing")
    require(
        abs(curvature) < 1e-6 * float(weight @ slope**2) ** 0.5,
        f"the activation {activation} has E s'' = {curvature:.3g}: the step then turns the rows, and the limit is "
        "known for E s'' = 0 only, as odd activations have it",
    )
    q, long = slope - mean, z * slope
    third = float(weight @ (value * (z**3 - 3 * z)))
    h = long - float(weight @ long) - (mean + third) * z
    found = (q**2, h**2, h * q, q**3, h * q**2)
    variance, lengthening, mixed, skew, both = (float(weight @ v) for v in found)
    return _Slopes(mean, third, variance, float(weight @ q**4) - variance**2, lengthening, mixed, skew, both)


@dataclass(frozen=True, eq=False)
class _Labels:
    """Moments of the step's labels y, alone and with the sample's own parts a = <x, v> and b = <x, e>: L and gamma,
    E y^2, E y^3, E y^4, E y^2 (a^2, a b, b^2), E y^2 (a, b) and E y^3 (a, b)."""

    length: float
    alignment: float
    square: float
    cube: float
    fourth: float
    spread: Array
    square_parts: Array
    cube_parts: Array


@lru_cache(maxsize=64)  # the same for every step
def _labels(target: Target, alpha0: float, noise: float) -> _Labels:
    require(target.single_index is not None, f"the target {target} is not a function of one direction")
    assert target.single_index is not None
    link = target.single_index[0]
    x, weight = panel_rule(link.kinks)
    e, chance = gauss_hermite(NOISE_NODES)
    value = np.asarray(link(x))[:, None] + noise * e
    grid = weight[:, None] * chance
    t1, t2 = float((grid * value * x[:, None]).sum()), float((grid * value**2).sum())
    length = np.sqrt(t1**2 + t2 / alpha0)
    alignment, own = t1 / length, np.sqrt(t2 / alpha0) / length  # own is sqrt(1 - alignment^2)
    along = (t1 * x[:, None] + value / alpha0) / length
    across = (x[:, None] - alignment * along) / own

    def mean(of: Array) -> float:
        return float((grid * of).sum())

    # What <x, v> and <x, e> have besides, the same independent noise times own and -alignment.
    apart = t2 * np.array([own**2, -own * alignment, alignment**2])
    spread = [mean(value**2 * pair) for pair in (along**2, along * across, across**2)]
    square_parts, cube_parts = ([mean(value**k * part) for part in (along, across)] for k in (2, 3))
    return _Labels(
        length,
        alignment,
        t2,
        mean(value**3),
        mean(value**4),
        np.array(spread) + apart,
        np.array(square_parts),
        np.array(cube_parts),
    )
