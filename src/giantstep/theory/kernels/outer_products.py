"""The average gradient outer product of a kernel ridge regression: does its top vector find the target's direction?

Samples y = f(<v, x>) + noise e, x ~ N(0, I_d), f = sum_k c_k h_k (h_k = He_k/sqrt(k!)); kernel k(x, x') = sum_m g_m
(<x, x'>/d)^m, ridge rho on its diagonal. To leading order in 1/d it has the eigenvalue mu_k = g_k k!/d^k on the N_k ~
d^k/k! functions of degree k, and ridge regression on them is equivalent to (compare `theory.ridge`)

    sum_k N_k mu_k/(mu_k + kappa) + rho/kappa = n,       s_k = mu_k/(mu_k + kappa),
    fitted coefficient of each function = s_k (its own + sqrt(R/n) N(0, 1)),
    R = (E r^2 + noise^2)/(1 - sum_k N_k s_k^2/n),       r(z) = f(z) - sum_k s_k c_k h_k(z).

So the fit has the linear part b = s_1 (c_1 v + sqrt(R/n) N(0, I)) and the quadratic part A = s_2 (c_2 v v^T + noise),
where the noise of b along v and that of A in the row of v have E r^2 z^2 in place of E r^2: residuals are large where z
is. Then

    E grad f grad f^T = b b^T + 2 A^2 + sum_(k > 2) k s_k^2 c_k^2 v v^T + a multiple of the identity,

and its top vector is found in the span of v and of the noise beside it in b and in A. Derived; see [zddf26] for the
subspace at n ~ d^p. A target without linear part: |b|^2 = s_1^2 R d/n is noise, which is larger than 2 s_2^2 c_2^2,
s_2 ~ n/d^2, up to n ~ d^(5/3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, factorial, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import not_negative, positive, require, whole_number
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.quadrature import uniform_rule
from giantstep.problems import InnerProductKernel, Target

DEGREES = 8
"""Degrees beyond act together as a ridge."""


@dataclass(frozen=True)
class OuterProductLaw:
    """What the average gradient outer product shows.

    Args:
        alignment: <v, u>^2 of its top vector u.
        top: its largest eigenvalue.
        linear: |b|^2, the eigenvalue that the linear part of the fit makes.
        curved: the one that its quadratic part makes.
        lead: the largest eigenvalue over the second one of the two and those of higher degree.
        shrinkage: s_1, the share of the linear part that is fitted, and s_2.
    """

    alignment: float
    top: float
    linear: float
    curved: float
    lead: float
    shrinkage: tuple[float, float]


def outer_product_law(
    target: Target, kernel: InnerProductKernel, d: int, samples: int, ridge: float, noise: float
) -> OuterProductLaw:
    """The top of E grad f grad f^T after kernel ridge regression, by the module's formulas.

    Args:
        target: f*, of one direction.
        kernel: of <x, x'>/d.
        d: input dimension.
        samples: n.
        ridge: rho, what is added to the diagonal of the kernel's matrix.
        noise: standard deviation of the labels' noise.
    """
    d, n = whole_number("d", d), whole_number("samples", samples)
    pair = target.single_index
    require(pair is not None, f"the target {target.text} depends on several directions; this is for one direction")
    assert pair is not None
    z, weight, basis = _line()
    values = np.asarray(pair[0](z), dtype=np.float64)
    own = basis @ (weight * values)
    shrink, left = _shrinkage(kernel, d, n, float(positive("ridge", ridge)))
    residual = values - (shrink * own) @ basis
    extra = float(not_negative("noise", noise)) ** 2
    # Per coefficient; along the row of v residuals are weighed by z^2.
    e, row = (float(weight @ (residual**2 * z**p)) + extra for p in (0, 2))
    e, row = e / (left * n), row / (left * n)
    return _top(own, shrink, d, e, row)


@cache
def _line() -> tuple[Array, Array, Array]:
    """Places and weights for z ~ N(0, 1), and h_0, h_1, ... there."""
    z, weight = uniform_rule(400, reach=9.0)
    return z, weight, np.stack([hermite(k, z, normalised=True) for k in range(DEGREES + 1)])


@lru_cache(maxsize=64)
def _series(kernel: InnerProductKernel) -> Array:
    """g_0, g_1, ...: the same for every number of samples."""
    return kernel.coefficients(4 * DEGREES)


def _shrinkage(kernel: InnerProductKernel, d: int, n: int, ridge: float) -> tuple[Array, float]:
    """s_k, and 1 - sum_k N_k s_k^2/n."""
    series = _series(kernel)
    values = series[: DEGREES + 1] * np.array([factorial(k) / float(d) ** k for k in range(DEGREES + 1)])
    many = np.array([float(comb(d + k - 1, k)) for k in range(DEGREES + 1)])
    penalty = ridge + float(series[DEGREES + 1 :].sum())

    def missing(log: float) -> float:
        kappa = np.exp(log)
        return float(many @ (values / (values + kappa)) + penalty / kappa - n)

    kappa = float(np.exp(scipy.optimize.brentq(missing, -60.0, 60.0, xtol=1e-13)))
    shrink = values / (values + kappa)
    return shrink, 1 - float(many @ shrink**2) / n


def _top(own: Array, shrink: Array, d: int, e: float, row: float) -> OuterProductLaw:
    """The top eigenpair in the span of v, the noise of b and the noise of A."""
    b = shrink[1] * np.array([sqrt(own[1] ** 2 + row), sqrt(e * (d - 1)), 0.0])
    strength, radius2, beside2 = abs(own[2]), e * d / 2, row * d / 2
    if strength**2 > radius2:
        size = shrink[2] * (strength + beside2 / strength)
        cosine2 = (strength**2 - radius2) / (strength**2 - radius2 + beside2)
    else:
        size, cosine2 = 2 * shrink[2] * sqrt(radius2), 0.0
    a = np.array([sqrt(cosine2), 0.0, sqrt(1 - cosine2)])
    higher = sum(k * (shrink[k] * own[k]) ** 2 for k in range(3, len(own)))
    matrix = np.outer(b, b) + 2 * size**2 * np.outer(a, a) + higher * np.diag([1.0, 0.0, 0.0])
    values, vectors = np.linalg.eigh(matrix)
    many = np.array([float(comb(d + k - 1, k)) for k in range(len(own))])
    around = e / d * sum(k * many[k] * shrink[k] ** 2 for k in range(2, len(own)))
    return OuterProductLaw(
        float(vectors[0, -1] ** 2),
        float(values[-1] + around),
        float(b @ b),
        float(2 * size**2),
        float(values[-1] / max(values[-2], 1e-300)),
        (float(shrink[1]), float(shrink[2])),
    )
