"""Gaussian moments of a network's features: all that the risk of any head on them depends on.

    Sigma_ij = E[sigma(<w_i, x> + b_i) sigma(<w_j, x> + b_j)],  k_i = E[sigma(<w_i, x> + b_i) f*(x)],  |f*|^2

Only the Gram matrix of the weights and their overlaps with the target's directions enter. k follows from the
Hermite expansion f* = sum_alpha c_alpha He_alpha: with r = |w|, u = w / r in the target's directions,

    E[sigma(<w, x> + b) He_alpha(x)] = E[sigma(r z + b) He_|alpha|(z)] u^alpha     (exact, derived)

which ends for polynomials; a target of one direction is a dual kernel; otherwise the series is cut and the
rest bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, prod, sqrt
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.kernels import (
    HIGHEST_DEGREE,
    dual_kernel,
    gram_kernel,
    second_moment_at,
    shifted_gram,
    shifted_series,
    shifted_tails,
)
from giantstep.learners.engines.reduced import ReducedState
from giantstep.learners.networks.network import Network
from giantstep.problems import Problem, check_problem
from giantstep.problems.inputs import Isotropic

if TYPE_CHECKING:
    from giantstep.problems import Target

TOLERANCE = 1e-10
"""Accuracy asked of Sigma and k, relative to the sizes of the functions."""
LARGER_DEGREES = (20, 40)
"""Degrees tried, where the target offers them, when its default expansion leaves more than rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class FeatureMoments:
    """Computed once per network, then the risk of any head costs one quadratic form.

    Args:
        covariance: Sigma, (N, N): second moments, not centred.
        cross: k, (N,).
        norm2: |f*|^2.
        covariance_error: bound on the error of an entry of Sigma.
        cross_error: bound on the error of an entry of k.
    """

    covariance: Array
    cross: Array
    norm2: float
    covariance_error: float
    cross_error: float

    def risk(self, coefficients: Array) -> Array:
        """E (f(x) - f*(x))^2 = c^T Sigma c - 2 c^T k + |f*|^2 for c (N,), or for each row of c (L, N)."""
        c = np.asarray(real_array("the coefficients", coefficients), dtype=np.float64)
        if c.shape[-1:] != self.cross.shape:
            raise InputError(f"coefficients of shape {c.shape} are not allowed; they must be (..., {len(self.cross)})")
        quadratic = np.einsum("...i,...i->...", c @ self.covariance, c)
        return np.asarray(quadratic - 2.0 * (c @ self.cross) + self.norm2)

    def risk_error(self, coefficients: Array) -> Array:
        """A bound on the error of `risk`, from the bounds on Sigma and k."""
        size = np.abs(np.asarray(coefficients)).sum(axis=-1)
        return np.asarray(self.covariance_error * size**2 + 2.0 * self.cross_error * size)

    def __repr__(self) -> str:
        return (
            f"FeatureMoments(N={len(self.cross)}, |f*|^2={self.norm2:.4g}, "
            f"errors {self.covariance_error:.1e}, {self.cross_error:.1e})"
        )


def seen_by(state: Network | ReducedState, problem: Problem) -> tuple[Network, Problem]:
    """The network and the problem in the coordinates in which they are computed."""
    check_problem(problem)
    if isinstance(state, ReducedState):
        return state.local, state.local_problem(problem)
    return state, problem


def feature_moments(state: Network | ReducedState, problem: Problem) -> FeatureMoments:
    """Sigma, k and |f*|^2 of a `state`, network or reduced, on a `problem` with isotropic Gaussian inputs."""
    net, problem = seen_by(state, problem)
    if not isinstance(problem.inputs, Isotropic):
        raise InputError("the exact risk needs isotropic Gaussian inputs; use monte_carlo_risk")
    if net.d != problem.d:
        raise InputError(f"the network has dimension {net.d}, the problem {problem.d}; they must be equal")
    gram = net.weights @ net.weights.T
    if net.biases is None:
        covariance = gram_kernel(net.activation, gram, tol=TOLERANCE)
        covariance_error = TOLERANCE * float(np.diag(covariance).max())
    else:
        covariance, covariance_error = shifted_gram(net.activation, gram, net.biases, TOLERANCE)
    cross, cross_error = _cross(net, problem.target, np.sqrt(np.diag(gram)))
    return FeatureMoments(covariance, cross, float(problem.target.norm2), covariance_error, cross_error)


def term_correlations(net: Network, target: Target) -> tuple[Array, Array]:
    """E[sigma_i t] for each Hermite term t = c He_alpha of a polynomial, (terms, N), and the terms' energies |t|^2: the
    share of a term that a head c fits is <c, E sigma t>/|t|^2. Terms come in the order of `target.hermite()`.

    Args:
        net: whose features are meant; the target's directions are its first axes.
        target: a polynomial.
    """
    norms = np.linalg.norm(net.weights, axis=1)
    cosines = net.weights[:, : target.directions] / np.where(norms > 0, norms, 1.0)[:, None]
    terms = target.hermite()
    series, _ = _series(net, norms, max(map(sum, terms)))
    found = [
        float(c) * sqrt(factorial(sum(a))) * series[:, sum(a)] * np.prod(cosines ** np.asarray(a), axis=1)
        for a, c in terms.items()
    ]
    return np.array(found), np.array([float(c) ** 2 * prod(map(factorial, a)) for a, c in terms.items()])


def _cross(net: Network, target: Target, norms: Array) -> tuple[Array, float]:
    """k and a bound on its errors."""
    overlaps = net.weights[:, : target.directions]
    single = None if target.is_polynomial else target.single_index
    if single is not None and net.biases is None:
        link, direction = single
        cross = dual_kernel(net.activation, link, norms**2, 1.0, overlaps @ direction, tol=TOLERANCE)
        size = second_moment_at(net.activation, norms).max() * float(target.norm2)
        return cross, TOLERANCE * sqrt(float(size))
    lengths = np.where(norms > 0, norms, 1.0)[:, None]
    if single is not None:
        link, direction = single
        coefficients = hermite_series(link, HIGHEST_DEGREE)
        cosines = (overlaps / lengths) @ direction
        series, squares = _series(net, norms, HIGHEST_DEGREE)
        cross = (series * coefficients * cosines[:, None] ** np.arange(HIGHEST_DEGREE + 1)).sum(axis=1)
        left = max(float(target.norm2) - float((coefficients**2).sum()), 0.0)
        bound = np.abs(cosines) ** (HIGHEST_DEGREE + 1) * np.sqrt(shifted_tails(series, squares) * left)
        return cross, float(bound.max()) + TOLERANCE * sqrt(float(squares.max()) * float(target.norm2))
    return _cross_by_expansion(net, target, norms, overlaps / lengths)


def _cross_by_expansion(net: Network, target: Target, norms: Array, cosines: Array) -> tuple[Array, float]:
    """sum_alpha c_alpha E[sigma(r z + b) He_|alpha|(z)] u^alpha, exact for polynomials.

    The terms beyond degree K are at most |u|^(K+1) times the norms of both functions beyond degree K.
    """
    norm2, reach = float(target.norm2), np.sqrt((cosines**2).sum(axis=1))
    for wanted in (None, *LARGER_DEGREES):
        try:
            coefficients = target.hermite(wanted)
        except InputError:
            break  # too many coefficients: the previous degree is the last one
        degree = max(map(sum, coefficients), default=0)
        series, squares = _series(net, norms, degree)
        cross, energy = np.zeros(net.neurons), 0.0
        for alpha, coefficient in coefficients.items():
            order = sum(alpha)
            power = np.prod(cosines ** np.asarray(alpha), axis=1)
            cross += float(coefficient) * sqrt(factorial(order)) * series[:, order] * power
            energy += float(coefficient) ** 2 * prod(map(factorial, alpha))
        error = TOLERANCE * sqrt(float(squares.max()) * norm2)
        if target.is_polynomial:
            return cross, error
        beyond = reach ** (degree + 1) * np.sqrt(shifted_tails(series, squares) * max(norm2 - energy, 0.0))
        if float(beyond.max()) <= error:
            break
    return cross, error + float(beyond.max())


def _series(net: Network, norms: Array, degree: int) -> tuple[Array, Array]:
    """E[sigma(r_i z + b_i) h_k(z)], (N, degree + 1), and E sigma(r_i z + b_i)^2, (N,)."""
    if net.biases is not None:
        return shifted_series(net.activation, norms, net.biases, degree)
    return hermite_series(net.activation, degree, norms), second_moment_at(net.activation, norms)
