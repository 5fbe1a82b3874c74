"""Kernel ridge regression beside a spike: the deterministic equivalent of a target that the spike knows in part.

With u = <x, beta>/sqrt(kappa) = r z + q t, z the spike's variable, t one of the bulk's, r^2 = (1 + theta) rho^2/kappa
and q^2 = 1 - r^2, a normalised Hermite polynomial is

    h_p(u) = sum_m sqrt(C(p, m)) r^(p-m) q^m h_(p-m)(z) h_m(t) :

its part of degree m in t lies, up to order 1/d, in the sector m of the bulk's harmonics (`spiked_sectors`), where the
bias is b_m = (1 + n k_m C)^-1 f_m, and all of them enter the variance (`spiked_inputs`). Degree p is learned at
n ~ d^(p (1 - gamma2)) if q -> 0, that is gamma2 > 2 gamma1, and at n ~ d^p if the target lies in the bulk (derived).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial, sqrt
from typing import TYPE_CHECKING

import numpy as np

from giantstep.gaussian.hermite import hermite_table
from giantstep.problems import InnerProductKernel
from giantstep.theory.kernels.spiked_inputs import penalties
from giantstep.theory.kernels.spiked_sectors import degrees_needed, kernel_sectors, smoothers
from giantstep.theory.searches import first_half

if TYPE_CHECKING:
    from giantstep.problems import Target


def misaligned_kernel_risk(
    target: Target, kernel: InnerProductKernel | str, d: int, theta: float, rho: float, samples: float, ridge: float
) -> float:
    """Risk of f = k(x)^T (K + ridge)^-1 y, class by class; the module's equations (derived).

    Args:
        target: f*, a polynomial of the direction beta.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        theta: strength of the spike mu.
        rho: <mu, beta>.
        samples: n.
        ridge: what is added to the diagonal of the kernel matrix.
    """
    degree = target.degree or 0
    sectors = kernel_sectors(kernel, d, theta, max(degree, degrees_needed(d, samples)))
    share = min(1.0, (1 + theta) * rho**2 / (1 + theta * rho**2))
    along, beside = sqrt(share), sqrt(1 - share)
    table = hermite_table(degree, sectors.z, normalised=True)
    wanted = np.zeros((len(sectors.counts), len(sectors.z)))
    for index, value in target.hermite().items():
        p = sum(index)
        for m in range(p + 1):
            size = float(value) * sqrt(factorial(p) * comb(p, m)) * along ** (p - m) * beside**m
            wanted[m] += size * table[p - m]
    c = penalties(sectors, float(samples), float(ridge))
    root = np.sqrt(samples * sectors.weight * c)
    smooth = smoothers(sectors, root)
    bias = np.array([f - part @ (root * f) / root for f, part in zip(wanted, smooth, strict=True)])
    error = (bias**2).sum(axis=0)
    spread = np.einsum("l,lij->ij", sectors.counts, smooth**2) * c / root[:, None] ** 2
    variance = np.linalg.solve(np.eye(len(c)) - spread, spread @ error)
    return float(sectors.weight @ (error + variance))


@lru_cache(maxsize=256)
def misaligned_half_samples(
    target: Target, kernel: InnerProductKernel | str, d: int, theta: float, rho: float, ridge: float
) -> float:
    """n at which the risk is half of |f*|^2.

    Args:
        target: f*, a polynomial of the direction beta.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        theta: strength of the spike.
        rho: <mu, beta>.
        ridge: what is added to the diagonal of the kernel matrix.
    """

    def left(samples: float) -> float:
        return misaligned_kernel_risk(target, kernel, d, theta, rho, samples, ridge) / float(target.norm2)

    least = max(1.0, 1e-3 * ((d + theta) / (1 + theta)) ** (target.degree or 0))
    refusal = f"no number of samples up to d^5 halves the risk of {target}"
    return first_half(left, least, float(d) ** 5, refusal=refusal, tol=1e-4)
