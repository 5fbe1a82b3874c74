"""Dual kernels E[f(u) g(v)] of a centred Gaussian pair (u, v) with any variances.

Closed forms when both functions are sums of elementary terms, Hermite series or direct integration otherwise.
A variance of zero is allowed: the variable is then the constant 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.errors import InputError
from giantstep.gaussian.functions import ScalarFunction, Term, evaluate
from giantstep.gaussian.hermite.series import expand, hermite_series
from giantstep.gaussian.kernels.closed_forms import atoms_of, closed_kernel
from giantstep.gaussian.kernels.pairs import Side, pair_kernel
from giantstep.gaussian.quadrature.lines import EPS

SNAP = 8.0 * EPS
"""Correlations this near to +-1 are taken as +-1: nearer than that the covariance's own rounding decides."""

_ONE = (Term(1.0, "constant"),)


def dual_kernel(
    f: ScalarFunction,
    g: ScalarFunction,
    var_u: ArrayLike,
    var_v: ArrayLike,
    cov: ArrayLike,
    *,
    tol: float = 1e-12,
) -> Array:
    """E[f(u) g(v)] for centred Gaussian (u, v) with the given variances and covariance; arrays broadcast.

    Args:
        f: a function of the first variable.
        g: a function of the second.
        var_u: variance of u, 0 or more.
        var_v: variance of v, 0 or more.
        cov: their covariance.
        tol: relative to sqrt(E f(u)^2 E g(v)^2), only used where no closed form exists.
    """
    vu, vv = np.asarray(var_u, dtype=np.float64), np.asarray(var_v, dtype=np.float64)
    c = np.asarray(cov, dtype=np.float64)
    shape = np.broadcast_shapes(vu.shape, vv.shape, c.shape)
    rho = correlation(vu, vv, c)
    if f.terms is not None and g.terms is not None:
        out = closed_kernel(atoms_of(f.terms), atoms_of(g.terms), vu, vv, rho)
    else:
        iu, scales_u = _distinct(np.sqrt(vu), shape)
        iv, scales_v = _distinct(np.sqrt(vv), shape)
        sides = Side(f, scales_u, exact_degree(f)), Side(g, scales_v, exact_degree(g))
        flat = np.broadcast_to(rho, shape).ravel()
        out = pair_kernel(*sides, iu, iv, flat, tol).reshape(shape)
    return with_constants(f, g, vu, vv, np.array(np.broadcast_to(out, shape)))


def mean_at(f: ScalarFunction, r: ArrayLike) -> Array:
    """E f(r z), z ~ N(0,1), for a function `f` and every scale in the array `r`."""
    scale = np.asarray(r, dtype=np.float64)
    if f.terms is not None:
        zero = np.zeros_like(scale)
        out = closed_kernel(atoms_of(f.terms), atoms_of(_ONE), scale * scale, np.ones(()), zero)
        return _at_zero(f, scale, out, 1)
    return hermite_series(f, 0, scale)[..., 0]


def second_moment_at(f: ScalarFunction, r: ArrayLike) -> Array:
    """E f(r z)^2, z ~ N(0,1), for a function `f` and every scale in the array `r`."""
    scale = np.asarray(r, dtype=np.float64)
    if f.terms is not None:
        atoms = atoms_of(f.terms)
        variance = scale * scale
        return _at_zero(f, scale, closed_kernel(atoms, atoms, variance, variance, np.ones_like(scale)), 2)
    return expand(f, scale.ravel(), 0).second_moment.reshape(scale.shape)


def hermite_at(f: ScalarFunction, r: ArrayLike, degree: int) -> Array:
    """E[f(r z) He_k(z)] (unnormalised) for k = 0..degree; shape (*r.shape, degree + 1).

    Args:
        f: a function.
        r: scales, an array of any shape.
        degree: the highest, at most 300.
    """
    import scipy

    if degree > 300:
        raise InputError(f"unnormalised Hermite coefficients overflow at degree {degree}; 300 is the highest allowed")
    k = np.arange(degree + 1)
    return np.asarray(hermite_series(f, degree, r) * np.exp(0.5 * scipy.special.gammaln(k + 1.0)))


def correlation(var_u: Array, var_v: Array, cov: Array) -> Array:
    """cov / (sd_u sd_v), 0 for a constant, exactly +-1 where it is that up to rounding; checks its input."""
    if np.any(var_u < 0.0) or np.any(var_v < 0.0):
        raise InputError("a variance is negative; variances must be 0 or more")
    if not (np.all(np.isfinite(var_u)) and np.all(np.isfinite(var_v)) and np.all(np.isfinite(cov))):
        raise InputError("a variance or covariance is not finite; all must be finite numbers")
    product = np.sqrt(var_u) * np.sqrt(var_v)
    product, c = np.broadcast_arrays(product, cov)
    rho: Array = np.divide(c, product, out=np.zeros(product.shape), where=product > 0)
    if np.any(np.abs(rho) > 1.0 + 1e-9) or np.any((product == 0) & (np.abs(c) > 1e-9)):
        raise InputError("a covariance is larger than its variances allow; |cov|^2 <= var_u var_v must hold")
    np.copyto(rho, np.sign(rho), where=np.abs(rho) >= 1.0 - SNAP)
    return rho


def exact_degree(f: ScalarFunction) -> int | None:
    """The degree of f if its terms say that it is a polynomial."""
    if f.terms is None:
        return None
    atoms = atoms_of(f.terms)
    return None if atoms.others else atoms.degree


def _distinct(scale: Array, shape: tuple[int, ...]) -> tuple[Any, Array]:
    """Distinct scales, found before broadcasting, and for every pair the place of its own."""
    distinct, inverse = np.unique(scale, return_inverse=True)
    return np.broadcast_to(inverse.reshape(scale.shape), shape).ravel(), distinct


def with_constants(f: ScalarFunction, g: ScalarFunction, var_u: Array, var_v: Array, out: Array) -> Array:
    """Where a variance is zero the function is f(0), whatever convention f has at a jump."""
    if np.all(var_u > 0.0) and np.all(var_v > 0.0):
        return out
    vu, vv = np.broadcast_to(var_u, out.shape), np.broadcast_to(var_v, out.shape)
    f0, g0 = (float(evaluate(h, np.zeros(1))[0]) for h in (f, g))
    still = vu == 0.0
    out[still] = f0 * mean_at(g, np.sqrt(vv[still]))
    still = (vv == 0.0) & (vu > 0.0)
    out[still] = g0 * mean_at(f, np.sqrt(vu[still]))
    return out


def _at_zero(f: ScalarFunction, scale: Array, out: Array, power: int) -> Array:
    if np.all(scale != 0.0):
        return out
    return np.where(scale == 0.0, float(evaluate(f, np.zeros(1))[0]) ** power, out)
