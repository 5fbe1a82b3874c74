"""How many steps a neuron on the sphere takes to find its target with batches: the same samples, fewer steps.

    w <- w + (gamma/d) sum_b c_b x_b over B fresh samples, then over its length,
    c = y sigma'(h) (correlation loss)   or   c = (y - sigma(h)) sigma'(h) (squared loss),   h = <w, x>

With k = gamma B/d, a = E[c z] and p = E[c h], the mean step is k E[c x], which lies in the plane of e_1 and w, and the
noise has the squared length (gamma^2 B/d) E c^2. So the overlap m becomes, in the mean,

    m' = (m + k a)/N,    N^2 = (1 + k p)^2 + k^2 (a - m p)^2/(1 - m^2) + (gamma^2 B/d) E c^2,                (derived)

with the variance (gamma^2 B/d^2) E[c^2 (z - m h)^2]/N^2. As long as a step changes m by little, m is a diffusion in
t = n/d with v = (m' - m) d/B, which is that of `escape` for k -> 0: samples count, and steps are samples over B. Where
does it end? From m ~ d^(-1/2) to 1/2 with gamma ~ d^(1 - l/2) the mean step k is of order one at B ~ d^(l/2). With the
squared loss p = -E[sigma sigma' h] is then the larger part of it and turns the neuron round, unless gamma shrinks like
d/B: the number of steps stays of the order d^(l/2 - 1) [adklps24]. With the correlation loss p is small, and
steps go on to shrink until one is enough, at B ~ d^(l-1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import chebfit

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.escape import DEGREE, Overlap, escape_step
from giantstep.theory.dynamics.field_averages import rule_fields

BatchLoss: TypeAlias = Literal["correlation", "squared"]
FINE = 0.01
"""Growth of the time steps."""


def batch_step(target: Target, d: int, batch: int, step: float, loss: BatchLoss) -> float:
    """gamma = step d^(1 - l/2), l > 2 the information exponent; with the squared loss at most step d/B.

    Args:
        target: f*, of one direction.
        d: the dimension of the inputs.
        batch: B.
        step: gamma without its powers.
        loss: "correlation" or "squared".
    """
    gamma = escape_step(target, d, step)
    return min(gamma, step * d / batch) if loss == "squared" else gamma


def batch_steps(
    target: Target, activation: Activation, d: int, batch: int, step: float, loss: BatchLoss, level: float
) -> float:
    """Steps after which half of all neurons, started at random, have |m| = level, at least 1; infinite if never.

    Args:
        target: f*, of one direction.
        activation: sigma of the neuron.
        d: the dimension of the inputs.
        batch: B.
        step: gamma without its powers, see `batch_step`.
        loss: "correlation" or "squared".
        level: the overlap that is to be reached, between 0 and 1.
    """
    gamma = batch_step(target, d, batch, step, loss)
    return max(1.0, _half_escaped(target, activation, d, batch, gamma, loss, level) * d / batch)


@lru_cache(maxsize=256)
def _half_escaped(
    target: Target, activation: Activation, d: int, batch: int, gamma: float, loss: BatchLoss, level: float
) -> float:
    """t = n/d by which half of the neurons have |m| = level."""
    require(target.directions == 1, f"batches are for one direction, but the target has {target.directions}")
    nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
    m = level * nodes
    towards, along, square, spread = _averages(target, activation, loss, tuple(m))
    k = gamma * batch / d
    length = np.sqrt((1 + k * along) ** 2 + k**2 * (towards - m * along) ** 2 / (1 - m**2) + k * gamma * square)
    speed = ((m + k * towards) / length - m) * d / batch
    # `Overlap` has v = gamma pull - ..., D = (gamma^2/d) noise.
    table = chebfit(nodes, np.array([speed / gamma, np.zeros_like(m), spread / length**2]).T, DEGREE)
    return Overlap(level, np.asarray(table)).half_escaped(gamma, d, FINE)


@lru_cache(maxsize=64)
def _averages(
    target: Target, activation: Activation, loss: BatchLoss, overlaps: tuple[float, ...]
) -> tuple[Array, Array, Array, Array]:
    """E[c z], E[c h], E[c^2] and E[c^2 (z - m h)^2] at each m."""
    fields, found = rule_fields(activation, target, 1), []
    for m in overlaps:
        h, x, weights = fields(np.array([[m]]), np.ones((1, 1)))
        values, slopes = activation.value_and_derivative(h[0])
        c = (np.asarray(target(x.T)) - (values if loss == "squared" else 0.0)) * slopes
        squared = weights * c**2
        found.append([weights * c @ x[0], weights * c @ h[0], squared.sum(), squared @ (x[0] - m * h[0]) ** 2])
    towards, along, square, spread = np.array(found).T
    return towards, along, square, spread
