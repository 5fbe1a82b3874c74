"""Random starts under a spiked covariance: the law of their overlap, and the exponents in d that follow from it.

<mu, beta> = d^-gamma1, theta = d^gamma2. From the overlap delta_0 of a typical start, the normalised flow needs

    n = d delta_0^(-2(k-1)) samples (sufficient) and a time tau_k(delta_0) = 1, ln(1/delta_0), delta_0^(2-k)

for information exponents k = 1, 2, > 2 [mws23, complexity of empirical gradient flow].
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
import scipy

from giantstep.theory.structured.flows.normalised_flow import SpikedFlow


def start_exponent(alignment_exponent: float, spike_exponent: float) -> float:
    """log_d of the typical omega at a random start, <mu, beta> = d^-gamma1, theta = d^gamma2 [mws23, delta_0]:

    -1/2 for gamma2 <= gamma1,  gamma2 - gamma1 - 1/2 up to 2 gamma1,  (gamma2 - 1)/2 beyond.

    Args:
        alignment_exponent: gamma1.
        spike_exponent: gamma2.
    """
    if spike_exponent <= alignment_exponent:
        return -0.5
    if spike_exponent <= 2.0 * alignment_exponent:
        return spike_exponent - alignment_exponent - 0.5
    return 0.5 * (spike_exponent - 1.0)


def needed_samples_exponent(exponent: int, alignment_exponent: float, spike_exponent: float) -> float:
    """log_d n with which the theorem of [mws23] guarantees learning: n = d delta_0^(-2(k-1)).

    Args:
        exponent: k, the information exponent.
        alignment_exponent: gamma1 in <mu, beta> = d^-gamma1.
        spike_exponent: gamma2 in theta = d^gamma2.
    """
    return 1.0 - 2.0 * (exponent - 1) * start_exponent(alignment_exponent, spike_exponent)


def needed_time_exponent(exponent: int, alignment_exponent: float, spike_exponent: float) -> float:
    """The power of d in tau_k(delta_0) = 1, ln(1/delta_0), delta_0^(2-k); for k = 2 the factor of ln d. [mws23]

    Args:
        exponent: k, the information exponent.
        alignment_exponent: gamma1 in <mu, beta> = d^-gamma1.
        spike_exponent: gamma2 in theta = d^gamma2.
    """
    growth = -start_exponent(alignment_exponent, spike_exponent)
    return {1: 0.0, 2: growth}.get(exponent, (exponent - 2) * growth)


def random_start_law(flow: SpikedFlow, d: int, level: float) -> float:
    """P(|omega| < level) at a random start w ~ Unif(sphere), by integrating two Gaussian coordinates of w.

    With w = (g_1, g_2, rest)/|.| on mu, on the part of beta orthogonal to it and beyond, |rest|^2 ~ d - 2,
    |omega| < x  iff  (alpha g_1 + b g_2)^2 < x^2 kappa ((1 + theta) g_1^2 + g_2^2 + d - 2), a quadratic in g_2.

    Args:
        flow: target, activation and spike.
        d: input dimension.
        level: x, between 0 and 1.
    """
    alpha, b = (1.0 + flow.theta) * flow.rho, sqrt(max(0.0, 1.0 - flow.rho**2))
    g = np.linspace(-7.0, 7.0, 4001)
    density = np.exp(-0.5 * g**2)
    budget = level**2 * flow.kappa
    square, cross = b**2 - budget, alpha * b * g
    rest = alpha**2 * g**2 - budget * ((1.0 + flow.theta) * g**2 + max(d - 2, 1))
    spread = np.sqrt(np.maximum(cross**2 - square * rest, 0.0))
    if square == 0.0:
        square = -1e-300
    roots = (-cross - spread) / square, (-cross + spread) / square
    low, high = np.minimum(*roots), np.maximum(*roots)
    between = scipy.special.ndtr(high) - scipy.special.ndtr(low)
    inside = np.where(spread == 0.0, (rest < 0).astype(float), between if square > 0 else 1.0 - between)
    return float(density @ inside / density.sum())


@lru_cache(maxsize=4096)
def typical_start(flow: SpikedFlow, d: int) -> float:
    """The median of |omega| at a random start: delta_0 with its constant.

    Args:
        flow: target, activation and spike.
        d: input dimension.
    """
    low, high = -40.0, 0.0  # log omega
    for _ in range(44):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if random_start_law(flow, d, float(np.exp(middle))) > 0.5 else (middle, high)
    return float(np.exp(0.5 * (low + high)))


def typical_time(flow: SpikedFlow, d: int, level: float) -> float:
    """The median time of the normalised flow to omega = `level` from random starts, with the preconditioner.

    It is the time from the median start, for T falls with omega. `flow` is the setting in dimension `d`.
    """
    start = np.array([min(typical_start(flow, d), 0.99 * level)])
    return float(flow.hitting_time(start, np.zeros(1), level, True)[0])
