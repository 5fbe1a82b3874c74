"""For which biases a neuron is pulled to the target all the way.

A neuron s(u + b) with u of overlap omega feels the pull zeta_b(omega) = sum_j j! j a_j(b) a*_j omega^(j-1) of the
normalised flow [mws23], whose theorem supposes zeta(omega) >= c omega^(k-1) on (0, 1). For ReLU

    j! a_j(b) = (-1)^j He_(j-2)(b) phi(b)  (j >= 2),    Phi(b)  (j = 1),

so that for targets without linear part zeta_b/phi(b) is a polynomial in omega, and b ~ N(0, 1) meets the condition with
a probability that is an integral over b (derived).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite

if TYPE_CHECKING:
    from giantstep.problems import Target

BIASES = 20_001
OVERLAPS = 400
REACH = 6.0


def relu_pulls(target: Target, biases: Array, overlaps: Array) -> Array:
    """zeta_b(omega)/omega^(k-1) of ReLU neurons, (biases, overlaps).

    Args:
        target: f*, a polynomial of x1.
        biases: b, (B,).
        overlaps: omega, (O,).
    """
    k = target.information_exponent or 1
    total = np.zeros((len(biases), len(overlaps)))
    for index, value in target.hermite().items():
        j = sum(index)
        if j == 0:
            continue
        gate = scipy.special.ndtr(biases)
        if j >= 2:
            gate = (-1) ** j * hermite(j - 2, biases) * np.exp(-(biases**2) / 2) / np.sqrt(2 * np.pi)
        total += np.multiply.outer(j * float(value) * gate, overlaps ** (j - k))
    return total


@lru_cache(maxsize=256)
def pulled_share(target: Target, level: float = 1.0) -> float:
    """The probability that b ~ N(0, 1) gives zeta_b(omega)/omega^(k-1) > 0 for all 0 <= omega <= level.

    Args:
        target: f*, a polynomial of x1.
        level: up to which overlap.

    >>> from giantstep.problems import Target
    >>> round(pulled_share(Target("He3(x1)")), 3)  # biases below 0
    0.5
    """
    biases = np.linspace(-REACH, REACH, BIASES)
    pulls = np.concatenate([
        relu_pulls(target, part, np.linspace(0.0, level, OVERLAPS)).min(axis=1)
        for part in np.array_split(biases, 20)
    ])  # fmt: skip
    mass = np.exp(-(biases**2) / 2)
    return float(mass[pulls > 0].sum() / mass.sum())
