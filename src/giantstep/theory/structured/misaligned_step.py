"""The expected first gradient under a spiked law whose spike mu is not the target's direction beta.

x ~ N(0, S), S = I + theta mu mu^T, rho = <mu, beta>, kappa = 1 + theta rho^2, y = f*(<x, beta>/sqrt(kappa)). By Stein

    E[y s'(<x, w>) x] = S beta/sqrt(kappa) E[s'(u) f*'(v)] + S w E[s''(u) f*(v)],

u, v Gaussian with standard deviations r = |S^1/2 w| and 1 and correlation omega. With s(r .) = sum a_j h_j and
f* = sum a*_j h_j the two means are (1/r) sum j a_j a*_j omega^(j-1) and
(1/r^2) sum sqrt((j+1)(j+2)) a_(j+2) a*_j omega^j. The slides give the first with j^2 alpha_j alpha*_j in the He_j,
which lacks (j-1)!. When it dominates, the step goes along S beta = beta + theta rho mu:

    cos to beta (1 + theta rho^2)/M,   cos to mu rho (1 + theta)/M,   M^2 = 1 + 2 theta rho^2 + theta^2 rho^2 ,

nearer to the spike than to the target as soon as theta rho > 1. For an information exponent k >= 2 the sign is that of
omega^(k-1). A batch of n adds noise of squared length E[y^2 s'^2 |x|^2]/n = (d + theta) E[s'^2] E[y^2]/n up to terms
without the factor d.

To predictions the direction g has the overlap omega' = <g, S beta>/(|S^1/2 g| |S^1/2 beta|) with the target; S beta has

    omega' = (1 + (2 theta + theta^2) rho^2)/sqrt(kappa (1 + (3 theta + 3 theta^2 + theta^3) rho^2)) ,

and the noise adds E[s'^2] E[y^2] tr(S^2)/n to |S^1/2 g|^2 (derived).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.kernels import second_moment_at

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target


@dataclass(frozen=True)
class StepCosines:
    """Cosines of the first step with the target's direction and with the spike."""

    target: float
    spike: float


def step_limit(theta: float, rho: float) -> StepCosines:
    """The direction S beta, from infinitely many samples at an overlap omega = 0.

    Args:
        theta: strength of the spike, S = I + theta mu mu^T.
        rho: <mu, beta>, the cosine of spike and target.

    >>> step_limit(0.0, 0.3)
    StepCosines(target=1.0, spike=0.3)
    """
    length = math.sqrt(1 + 2 * theta * rho**2 + theta**2 * rho**2)
    return StepCosines((1 + theta * rho**2) / length, rho * (1 + theta) / length)


def step_cosines(
    target: Target,
    activation: Activation,
    d: int,
    theta: float,
    rho: float,
    overlaps: Array,
    samples: float = math.inf,
    noise: float = 0.0,
) -> StepCosines:
    """Means of the cosines over neurons of known overlaps, |w| = 1, and n samples; the module's formulas (derived).

    Args:
        target: f*, a polynomial of one direction beta.
        activation: s of the neurons.
        d: input dimension.
        theta: strength of the spike mu.
        rho: <mu, beta>.
        overlaps: (<w, beta>, <w, mu>) of the neurons as rows, (N, 2).
        samples: n, the size of the batch; infinite for the mean gradient.
        noise: standard deviation of the label noise.
    """
    along, bent, omega, r = _parts(target, activation, theta, rho, overlaps)
    aim, spike = overlaps.T
    kappa = 1 + theta * rho**2
    to_target = along * kappa + bent * (aim + theta * rho * spike)
    to_spike = (1 + theta) * (along * rho + bent * spike)
    square = along**2 * (1 + 2 * theta * rho**2 + theta**2 * rho**2) + bent**2 * (1 + (2 * theta + theta**2) * spike**2)
    square += 2 * along * bent * (aim + (2 * theta + theta**2) * rho * spike)
    gate = second_moment_at(activation.derivative_activation, r)
    square += (d + theta) * gate * (float(target.norm2) + noise**2) / samples
    signed = np.sign(omega) ** ((target.information_exponent or 1) - 1) / np.sqrt(square)
    return StepCosines(float(np.mean(signed * to_target)), float(np.mean(signed * to_spike)))


def _parts(
    target: Target, activation: Activation, theta: float, rho: float, overlaps: Array
) -> tuple[Array, Array, Array, Array]:
    """The coefficients of S beta and S w in the mean gradient, omega and r = |S^1/2 w|, (N,) each."""
    aim, spike = overlaps.T
    kappa = 1 + theta * rho**2
    r = np.sqrt(1 + theta * spike**2)
    omega = (aim + theta * rho * spike) / (r * math.sqrt(kappa))
    degree = target.degree or 0
    wanted = np.zeros(degree + 1)
    for index, value in target.hermite().items():
        wanted[index[0]] = float(value) * math.sqrt(math.factorial(index[0]))
    j = np.arange(degree + 1)
    series = hermite_series(activation, degree + 2, r)  # (N, degree + 3)
    powers = omega[:, None] ** j
    along = (series[:, 1 : degree + 1] * (j * wanted)[1:] * powers[:, :-1]).sum(axis=1) / r / math.sqrt(kappa)
    bent = (series[:, 2:] * (np.sqrt((j + 1.0) * (j + 2.0)) * wanted) * powers).sum(axis=1) / r**2
    return along, bent, omega, r


def stepped_overlaps(
    target: Target,
    activation: Activation,
    d: int,
    theta: float,
    rho: float,
    overlaps: Array,
    samples: float = math.inf,
    noise: float = 0.0,
) -> Array:
    """omega' of each neuron's first step, (N,), for neurons of known overlaps; the module's formulas (derived).

    Args:
        target: f*, a polynomial of one direction beta.
        activation: s of the neurons.
        d: input dimension.
        theta: strength of the spike mu.
        rho: <mu, beta>.
        overlaps: (<w, beta>, <w, mu>) of the neurons as rows, (N, 2), |w| = 1.
        samples: n, the size of the batch; infinite for the mean gradient.
        noise: standard deviation of the label noise.
    """
    along, bent, _, r = _parts(target, activation, theta, rho, overlaps)
    aim, spike = overlaps.T
    off = math.sqrt(max(1 - rho**2, 1e-300))
    beside = (spike - rho * aim) / off  # on the axis that spans the plane of beta and mu with beta
    rest = np.sqrt(np.maximum(1 - aim**2 - beside**2, 0.0))
    mu = np.array([rho, off, 0.0])
    plain = along[:, None] * np.array([1.0, 0.0, 0.0]) + bent[:, None] * np.stack([aim, beside, rest], axis=1)
    step = plain + theta * np.multiply.outer(plain @ mu, mu)
    beta = np.array([1.0, 0.0, 0.0]) + theta * rho * mu
    square = (step**2).sum(axis=1) + theta * (step @ mu) ** 2
    gate = second_moment_at(activation.derivative_activation, r)
    square += gate * (float(target.norm2) + noise**2) * (d - 1 + (1 + theta) ** 2) / samples
    return np.asarray(step @ beta / np.sqrt(square * (1 + theta * rho**2)))


def stepped_limit(theta: float, rho: float) -> float:
    """omega' along S beta, from infinitely many samples.

    Args:
        theta: strength of the spike.
        rho: <mu, beta>.

    >>> stepped_limit(0.0, 0.3), round(stepped_limit(9.0, 1.0), 9)
    (1.0, 1.0)
    """
    square, cube = 2 * theta + theta**2, 3 * theta + 3 * theta**2 + theta**3
    return (1 + square * rho**2) / math.sqrt((1 + theta * rho**2) * (1 + cube * rho**2))
