"""What a neuron on the sphere gains by looking at a sample twice: the drift of its overlap with a look-ahead.

    u = w + (rho/d) g(w) x,   w <- (w + (gamma/d) g(u) P x) / |.|,   g(w) = y sigma'(<w, x>)             [addkp24]

For large d the trial step moves the field h = <w, x> by rho g, of order one, for |x|^2 = d. So the step is that of

    psi(y, h) = y sigma'(h + rho y sigma'(h)),    "twice": psi + y sigma'(h),

which is no longer linear in y. The overlap m = <w, x_1> at t = n/d is the diffusion of `escape` with e sigma' replaced
by psi, and with Mehler's series for the law of (z, h), Stein's lemma in z - m h makes its pull

    v = gamma (1 - m^2) sum_i mu_i m^(i-1)/(i-1)! - (gamma^2/2) m E psi^2,   mu_i = E[psi He_i(z) He_(i-1)(h)], z, h
    independent,                                                                             [tme25; derived]

where at finite d heavy tails of psi are cut by the length L = sqrt(1 + (gamma^2/d) psi^2) that a step gives to w: the
exact step has psi/L for psi in the pull and (2 d/gamma^2)(1 - 1/L) for psi^2 in the friction. Hence the first i with
mu_i != 0 decides: t ~ 1 for i = 1, log d for i = 2, d^(i-2) for i > 2, with gamma ~ d^(1-i/2). Without look-ahead
psi = y sigma' gives mu_i = E[f* He_i] E[sigma He_i]: the information exponent, where sigma sees it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebfit
from numpy.polynomial.polynomial import polyval

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import uniform_rule
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.escape import DEGREE, Overlap, step_power

Way: TypeAlias = Literal["look-ahead", "twice"]
ORDERS = 48
"""Of Mehler's series: at |m| <= 1/2 what is left out is 2^-48."""
TARGET_POINTS, FIELD_POINTS, REACH = 601, 2000, 9.0
"""Equal steps, since psi jumps where sigma has a kink; of the jump's places, which move with y, the errors average."""
FINE = 0.01
"""Growth of the time steps: with mu_1 != 0 all neurons arrive at nearly the same time, here known to 0.3 %."""
ROUGH = 0.1
"""The same where a time need only be known to some percent."""
SEEN = 1e-6
"""mu_i below this, beside the root of E psi^2, are rounding."""


def repetition_time(
    target: Target,
    activation: Activation,
    d: int,
    step: float,
    look_ahead: float,
    way: Way,
    level: float,
    *,
    rough: bool = False,
) -> float:
    """t = n/d by which half of all neurons, started at random, have |m| = level; infinite if they never have.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        d: the dimension of the inputs.
        step: gamma without its power of d, see `repetition_step`.
        look_ahead: rho, 0 for one pass.
        way: the step at the trial place alone ("look-ahead"), or at both places ("twice").
        level: the overlap that is to be reached, at most 1/2.
        rough: to some percent, in a twentieth of the time: psi is not cut, and the time steps are long.
    """
    gamma = repetition_step(target, activation, d, step, look_ahead, way)
    law = repeated_overlap(target, activation, look_ahead, way, level, 0.0 if rough else gamma**2 / d)
    return _half_escaped(law, gamma, d, ROUGH if rough else FINE)


def repetition_share(
    target: Target, activation: Activation, d: int, step: float, look_ahead: float, way: Way, level: float, time: float
) -> float:
    """The share of neurons, started at random, that have |m| = level by t = n/d.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        d: the dimension of the inputs.
        step: gamma without its power of d, see `repetition_step`.
        look_ahead: rho, 0 for one pass.
        way: "look-ahead" or "twice".
        level: the overlap that is to be reached, at most 1/2.
        time: t.
    """
    gamma = repetition_step(target, activation, d, step, look_ahead, way)
    law = repeated_overlap(target, activation, look_ahead, way, level, gamma**2 / d)
    return law.share_escaped(gamma, d, time)


def repetition_step(target: Target, activation: Activation, d: int, step: float, look_ahead: float, way: Way) -> float:
    """gamma = step d^(1 - i/2) if the first mu_i that is not 0 has i > 2, else step: larger ones find nothing.

    Args:
        target: f*, of one direction; its information exponent stands for i if no mu_i is seen.
        activation: sigma of the neuron.
        d: the dimension of the inputs.
        step: gamma without its power of d.
        look_ahead: rho, 0 for one pass.
        way: "look-ahead" or "twice".
    """
    first = repetition_exponent(target, activation, look_ahead, way) or target.information_exponent or 1
    return float(step * math.pow(d, -step_power(first)))


@lru_cache(maxsize=64)
def look_ahead_threshold(
    target: Target, activation: Activation, step: float, way: Way, level: float, time: float
) -> float:
    """The smallest look-ahead with which, for large d, neurons have |m| = level by this t; infinite if none does.

    From m = 0 the differential equation dm/dt = v goes where mu_1 points; it must not come to rest on its way. Looked
    for up to rho = 2.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        step: gamma.
        way: "look-ahead" or "twice".
        level: the overlap that is to be reached, at most 1/2.
        time: t = n/d.
    """

    def arrives(look_ahead: float) -> bool:
        law = repeated_overlap(target, activation, look_ahead, way, level)
        sign = math.copysign(1.0, _series(target, activation, look_ahead, way)[0][0])
        m = np.linspace(0.0, level, 400)
        speed = sign * law.velocity_and_spread(sign * m, step, 1)[0]
        return bool((speed > 0).all()) and float(np.trapezoid(1.0 / speed, m)) <= time

    tried = np.linspace(0.0, 2.0, 21)[1:]
    found = next((k for k, look_ahead in enumerate(tried) if arrives(float(look_ahead))), None)
    if found is None:
        return math.inf
    low, high = float(tried[found] - tried[0]), float(tried[found])
    for _ in range(8):
        middle = (low + high) / 2
        low, high = (low, middle) if arrives(middle) else (middle, high)
    return high


@lru_cache(maxsize=256)
def _half_escaped(law: Overlap, gamma: float, d: int, time_growth: float) -> float:
    return law.half_escaped(gamma, d, time_growth)


@lru_cache(maxsize=256)
def repeated_overlap(
    target: Target, activation: Activation, look_ahead: float, way: Way, level: float, growth: float = 0.0
) -> Overlap:
    """The law of m of a neuron that looks ahead on each sample, for |m| <= level <= 1/2; arguments as above.

    `growth` is gamma^2/d, by which a step's psi^2 lengthens |w|^2; 0 is the limit of large d.
    """
    require(0 < level <= 0.5, f"the level is at most 1/2, where the series converges, got {level!r}")
    pull, square, spread = _series(target, activation, look_ahead, way, growth)
    nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
    m = level * nodes
    averages = [(1 - m**2) * polyval(m, pull), m * polyval(m, square), polyval(m, spread)]
    return Overlap(level, np.asarray(chebfit(nodes, np.array(averages).T, DEGREE), dtype=np.float64))


def repetition_coefficients(target: Target, activation: Activation, look_ahead: float, way: Way) -> Array:
    """mu_i of the module for i = 1, 2, ..., 8, (8,).

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        look_ahead: rho, 0 for one pass.
        way: "look-ahead" or "twice".
    """
    pull = _series(target, activation, look_ahead, way)[0]
    return np.array([pull[i] * math.factorial(i) for i in range(8)])


def repetition_exponent(target: Target, activation: Activation, look_ahead: float, way: Way) -> int | None:
    """The first i with mu_i != 0, which decides how long the neuron takes; None if there is none up to 8.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        look_ahead: rho, 0 for one pass.
        way: "look-ahead" or "twice".

    >>> he3, relu, tanh = Target("He3(x1)"), Activation("relu"), Activation("tanh")
    >>> [repetition_exponent(he3, a, rho, "look-ahead") for a in (relu, tanh) for rho in (0.0, 1.0)]
    [None, 1, 3, 1]
    """
    pull, square, _ = _series(target, activation, look_ahead, way)
    seen = np.abs(pull[:8]) > SEEN * math.sqrt(square[0])
    return int(np.argmax(seen)) + 1 if seen.any() else None


@lru_cache(maxsize=256)
def _series(
    target: Target, activation: Activation, look_ahead: float, way: Way, growth: float = 0.0
) -> tuple[Array, Array, Array]:
    """Coefficients of powers of m: mu_(k+1)/k!, those of E psi^2, and those of E psi^2 (z - m h)^2; with a growth those
    of what the step has for psi and psi^2."""
    require(target.directions == 1, f"repeated samples are for one direction, but the target has {target.directions}")
    z, of_z = uniform_rule(TARGET_POINTS, REACH)
    h, of_h = uniform_rule(FIELD_POINTS, REACH)
    labels = np.asarray(target(z[:, None]))[:, None]
    here = labels * activation.derivative(h)
    psi = labels * activation.derivative(h + look_ahead * here)
    if way == "twice":
        psi = psi + here
    length = np.sqrt(1 + growth * psi**2)
    friction = 2 / growth * (1 - 1 / length) if growth else psi**2
    psi = psi / length
    left = hermite_table(ORDERS + 1, z, normalised=True) * of_z
    right = hermite_table(ORDERS, h, normalised=True) * of_h
    k = np.arange(ORDERS)
    pull = np.sqrt(k + 1) * np.einsum("kh,kh->k", left[1 : ORDERS + 1] @ psi, right[:ORDERS])
    squared = psi**2

    def mehler(weighted: Array, power: int) -> Array:
        """E of what is given under correlation m is sum_k m^k E[. h_k(z) h_k(h)], z and h independent."""
        series = np.einsum("kh,kh->k", left[:ORDERS] @ weighted, right[:ORDERS])
        return np.concatenate([np.zeros(power), series[: ORDERS - power]])

    column = z[:, None]
    spread = mehler(squared * column**2, 0) - 2 * mehler(squared * column * h, 1) + mehler(squared * h**2, 2)
    return pull, mehler(friction, 0), spread
