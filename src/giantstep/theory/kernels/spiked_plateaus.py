"""What kernel ridge regression on spiked inputs tends to between two thresholds of the spike: its plateaus.

At theta = d^gamma, gamma in (1 - 1/l, 1 - 1/(l+1)), n = psi d samples teach a kernel sum_m g_m t^m the powers z^m of
the spike's coordinate with m <= l and g_m > 0. What of the target lies beyond their span is fitted as noise by the d
linear features of the bulk, and the risk tends to E0 |f* - P f*|^2 + (E0 - 1) noise^2,

    E0 = psi/(psi - L^2),  L = g_1/(g_1 + q),  psi = L + (ridge + g(1) - g(0) - g'(0))/q,   psi = n/d.

[bes23] states it without E0, for kernels that have all degrees: then P is the projection on degrees up to l.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import InnerProductKernel, as_kernel

if TYPE_CHECKING:
    from giantstep.problems import Target

HIGHEST_DEGREE = 12
"""Of the powers of z that are looked at, where the target has no degree of its own."""


def learned_degree(gamma: float) -> int:
    """The largest l with gamma > 1 - 1/l, at least 1: the degree learned from n ~ d samples. [bes23]

    `gamma` is the exponent of the spike, theta = d^gamma, gamma < 1.
    """
    return max(1, math.ceil(1 / (1 - gamma)) - 1) if gamma < 1 else 10**6


def inflation(kernel: InnerProductKernel | str, samples_per_dim: float, ridge: float) -> float:
    """E0, the factor by which the bulk's linear features raise the part that is not learned."""
    kernel = as_kernel(kernel)
    g0, g1 = map(float, kernel.coefficients(2))
    rest = ridge + float(kernel.derivative(0, 1.0)) - g0 - g1
    if g1 == 0:
        return 1.0

    def surplus(log_q: float) -> float:
        q = math.exp(log_q)
        return g1 / (g1 + q) + rest / q - samples_per_dim

    q = math.exp(scipy.optimize.brentq(surplus, -80.0, 80.0, xtol=1e-14))
    share = g1 / (g1 + q)
    return float(samples_per_dim / (samples_per_dim - share**2))


def plateau(
    target: Target,
    kernel: InnerProductKernel | str,
    gamma: float,
    samples_per_dim: float,
    ridge: float,
    noise: float = 0.0,
) -> float:
    """E0 |f* - P f*|^2 + (E0 - 1) noise^2, P the projection on what is learned at theta = d^gamma; [bes23] without E0.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        gamma: exponent of the spike.
        samples_per_dim: psi = n/d.
        ridge: what is added to the diagonal of the kernel matrix.
        noise: standard deviation of the label noise.
    """
    left, factor = unlearned(target, kernel, gamma), inflation(kernel, samples_per_dim, ridge)
    return float(factor * left + (factor - 1) * noise**2)


def unlearned(target: Target, kernel: InnerProductKernel | str, gamma: float) -> float:
    """|f* - P f*|^2, P the projection on the span of z^m with m <= l and g_m > 0.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        gamma: exponent of the spike.
    """
    degree = target.degree or HIGHEST_DEGREE
    wanted = np.zeros(max(degree, HIGHEST_DEGREE) + 1)
    for index, value in target.hermite().items():
        wanted[index[0]] = float(value) * math.sqrt(math.factorial(index[0]))
    series = as_kernel(kernel).coefficients(len(wanted))
    seen = [m for m in range(min(learned_degree(gamma), len(wanted) - 1) + 1) if series[m] > 0]
    if 0 not in seen and wanted[0]:
        raise InputError(
            f"the kernel {kernel} has no constant, but the target {target} has a mean: the bulk's length learns a part "
            "of it, and there is no plateau"
        )
    nodes, weight = gauss_hermite(len(wanted) + 1)
    powers = hermite_table(len(wanted) - 1, nodes, normalised=True) @ (weight[:, None] * nodes[:, None] ** seen)
    powers /= np.linalg.norm(powers, axis=0)
    fitted = powers @ np.linalg.lstsq(powers, wanted, rcond=None)[0]
    return float(((wanted - fitted) ** 2).sum())
