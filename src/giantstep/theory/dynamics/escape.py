"""How long one neuron on the sphere stays near its mediocre start, by the target's information exponent l.

    w <- (w + (gamma/d) e sigma'(h) x) / |.|,   e = y - sigma(h),   m = <w, x_1>,   t = n/d

For large d, m is a diffusion with dm = v(m) dt + sqrt(D(m)) dB (derived from the step's first two moments),

    v = gamma (E[e sigma' x_1] - m E[e sigma' h]) - (gamma^2/2) m E[e^2 sigma'^2],
    D = (gamma^2/d) E[e^2 sigma'^2 (x_1 - m h)^2].

The first term of v is gamma (1 - m^2) d/dm E[f* sigma(h)] ~ gamma c_l m^(l-1), so that from m ~ d^(-1/2) the neuron
needs n ~ d samples for l = 1 and d log d for l = 2. For l > 2 the last term of v wins at m ~ d^(-1/2) unless
gamma ~ d^(1 - l/2), and then n ~ d^(l-1) [bagj21]. For l > 1 the noise D moves m by as much as the start itself while
it lasts, at any d: the differential equation (D = 0), started from the drawn overlap, comes too late by a constant
factor, and only steps that are small beside c_l make it exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.polynomial.chebyshev import chebfit, chebval

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.field_averages import rule_fields

TYPICAL = 0.6744897501960817
"""The median of |N(0, 1)|: half of all starts have |m| above TYPICAL/sqrt(d)."""
DEGREE = 24
"""Of the polynomials in m that stand for the averages: they are analytic for |m| < 1, so that 24 gives all digits."""
GROWTH = 0.02
"""Each time step is this share of the time passed."""
LONGEST = 1e12
NEARLY_NONE = 1e-6
"""Of all neurons: when no more than this share is left, no time is asked for."""


@dataclass(frozen=True, eq=False)
class Overlap:
    """The law of m: v = gamma pull - (gamma^2/2) m square, D = (gamma^2/d) noise, for |m| up to `level`."""

    level: float
    table: Array
    """Chebyshev coefficients in m/level of pull, m square and noise, (DEGREE + 1, 3)."""

    def velocity_and_spread(self, m: Array, gamma: float, d: int) -> tuple[Array, Array]:
        """v and D at each m."""
        pull, push, noise = chebval(m / self.level, self.table)
        return gamma * pull - 0.5 * gamma**2 * push, (gamma**2 / d) * noise

    def without_noise(self, gamma: float, d: int) -> float:
        """t at which the differential equation dm/dt = v reaches the level from a typical start; infinite if never."""
        m = np.geomspace(TYPICAL / d**0.5, self.level, 2000)
        speed, _ = self.velocity_and_spread(m, gamma, d)
        return float(np.trapezoid(m / speed, np.log(m))) if (speed > 0).all() else float("inf")

    def half_escaped(self, gamma: float, d: int, growth: float = GROWTH) -> float:
        """t by which half of all neurons, started at random with m > 0, have reached |m| = level; infinite if never.

        Args:
            gamma: the step at this d.
            d: the dimension of the inputs.
            growth: each time step is this share of the time passed; where drift and not noise decides, all neurons
                arrive at nearly the same time, and steps must be smaller.
        """
        past, before = 0.0, 1.0
        for time, left in self._left(gamma, d, growth):
            if left <= 0.5:
                return past + (time - past) * (before - 0.5) / (before - left) if time else 0.0
            past, before = time, left
        return float("inf")

    def share_escaped(self, gamma: float, d: int, time: float) -> float:
        """The share of neurons, started at random with m > 0, that have reached |m| = level by this t.

        Args:
            gamma: the step at this d.
            d: the dimension of the inputs.
            time: t = n/d, at which the share is asked for.
        """
        past, before = 0.0, 1.0
        for now, left in self._left(gamma, d, GROWTH):
            if now >= time:
                part = (time - past) / (now - past) if now > past else 1.0
                return float(np.clip(1.0 - (before + part * (left - before)), 0.0, 1.0))
            past, before = now, left
        return float(np.clip(1.0 - before, 0.0, 1.0))

    def _left(self, gamma: float, d: int, growth: float) -> Iterator[tuple[float, float]]:
        """Times, and the share of neurons that have not escaped by then, from t = 0 on until nearly none is left.

        The density of m is carried forward on a grid that resolves d^(-1/2), with matched drift and variance, and in
        growing implicit time steps of second order (Alexander's SDIRK).
        """
        points = 2 * int(np.clip(12 * d**0.5, 200, 2000)) + 1
        bend = float(np.arcsinh(min(40.0, 2.0 * self.level * d**0.5)))
        m = self.level * np.sinh(bend * np.linspace(-1, 1, points)) / np.sinh(bend)
        v, spread = self.velocity_and_spread(m, gamma, d)
        bands, mass = _rates(m, v[1:-1], spread[1:-1]), _start_law(m, d)
        yield 0.0, float(mass.sum())
        if not v.any():  # a neuron whose slope is 0 everywhere: nothing ever moves
            return
        time = step = 0.01 * self.level / float(np.abs(v).max())
        inner = 1.0 - 0.5**0.5
        while time <= LONGEST and mass.sum() > NEARLY_NONE:
            matrix = -inner * step * bands
            matrix[1] += 1.0
            stage = scipy.linalg.solve_banded((1, 1), matrix, mass, check_finite=False)
            mass = scipy.linalg.solve_banded(
                (1, 1), matrix, mass + (1.0 / inner - 1.0) * (stage - mass), check_finite=False
            )
            yield time, float(mass.sum())
            step = growth * time
            time += step


@lru_cache(maxsize=64)
def sphere_overlap(target: Target, activation: Activation, level: float, noise: float = 0.0) -> Overlap:
    """The law of the overlap m of one neuron on the unit sphere with x1: v and D of the module, for |m| <= level.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        level: the |m| at which a neuron has escaped, between 0 and 1.
        noise: standard deviation of the label noise.
    """
    if not 0 < level < 1:
        raise InputError(f"level = {level:g} is not allowed; a neuron has escaped at an overlap between 0 and 1")
    if target.directions != 1:
        raise InputError(f"escape is towards one direction, but the target has {target.directions}")
    fields = rule_fields(activation, target, 1)

    def averages(m: Array) -> Array:
        found = [_moments(activation, target, *fields(np.array([[v]]), np.ones((1, 1))), noise) for v in m]
        towards, along, square, spread = np.array(found).T
        return np.stack([towards - m * along, m * square, spread])

    nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
    table = chebfit(nodes, averages(level * nodes).T, DEGREE)
    return Overlap(level, np.asarray(table, dtype=np.float64))


def _rates(m: Array, v: Array, spread: Array) -> Array:
    """The tridiagonal generator of a walk on the inner grid with this drift and variance, absorbed at both ends, in
    the banded form of `solve_banded`."""
    up, down = np.diff(m)[1:], np.diff(m)[:-1]
    rise, fall = (spread + v * down) / (up * (up + down)), (spread - v * up) / (down * (up + down))
    return np.array([np.append(0.0, fall[1:]), -(rise + fall), np.append(rise[:-1], 0.0)])


def _moments(
    activation: Activation, target: Target, h: Array, x: Array, weights: Array, noise: float
) -> tuple[float, float, float, float]:
    """E[e s' x1], E[e s' h], E[e^2 s'^2] and E[e^2 s'^2 (x1 - m h)^2], with label noise in e^2."""
    values, slopes = activation.value_and_derivative(h[0])
    field, first = h[0], x[0]
    error = np.asarray(target(x.T)) - values
    pulled = weights * error * slopes
    squared = weights * slopes**2 * (error**2 + noise**2)
    m = float(weights @ (field * first))
    return (
        float(pulled @ first),
        float(pulled @ field),
        float(squared.sum()),
        float(squared @ (first - m * field) ** 2),
    )


def _start_law(m: Array, d: int) -> Array:
    """Masses of |<w, e_1>|, w uniform on the sphere, in the cells of the inner grid; what is beyond has escaped."""
    edges = np.clip(0.5 * (m[1:] + m[:-1]), 0.0, 1.0)
    return np.asarray(np.diff(scipy.special.betainc(0.5, 0.5 * (d - 1), edges**2)))


def step_power(exponent: int) -> float:
    """q = max(0, l/2 - 1) with gamma = step d^(-q): the largest steps with which such a target is learned. [bagj21]

    `exponent` is l, the target's information exponent.
    """
    return max(0.0, exponent / 2 - 1)


def escape_step(target: Target, d: int, step: float) -> float:
    """gamma = step d^(1 - l/2) for l > 2, else step: with larger ones a neuron on the sphere does not find the target.

    Args:
        target: f*, of information exponent l.
        d: the dimension of the inputs.
        step: gamma without its power of d.
    """
    return float(step * math.pow(d, -step_power(target.information_exponent or 1)))


@lru_cache(maxsize=256)
def escape_samples(
    target: Target, activation: Activation, d: int, step: float, noise: float, level: float
) -> tuple[float, float]:
    """Samples by which half of the neurons have escaped, and those of the equation without the noise of samples;
    infinite if they never do.

    Args:
        target: f*, of x1 alone.
        activation: sigma.
        d: the dimension of the inputs.
        step: gamma without its power of d, see `escape_step`.
        noise: standard deviation of the labels' noise.
        level: the overlap that counts as an escape, between 0 and 1.
    """
    law, gamma = sphere_overlap(target, activation, level, noise), escape_step(target, d, step)
    return d * law.half_escaped(gamma, d), d * law.without_noise(gamma, d)


def asymptotic_exponent(exponent: int, d: float, ratio: float) -> float:
    """log(n(d)/n(d/ratio)) / log(ratio) for n = d, d log d or d^(l-1), l = 1, 2, > 2. [bagj21]

    Args:
        exponent: l, the target's information exponent.
        d: input dimension.
        ratio: factor between the two dimensions that are compared, above 1.
    """
    if not 1 < ratio < d:
        raise InputError(f"ratio = {ratio:g} is not allowed; it must be above 1 and below d = {d:g}")
    if exponent == 2:
        return float(1 + np.log(np.log(d) / np.log(d / ratio)) / np.log(ratio))
    return float(max(1, exponent - 1))
