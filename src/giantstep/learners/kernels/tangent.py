"""Ridge regression on the tangent kernel of the first layer, and its risk without a test set.

    k(x, x') = (<x, x'>/d) (1/N) sum_i s'(<w_i, x>) s'(<w_i, x'>)

has Nd features, but a fit k(x)^T alpha is a network linearised in its first layer,

    f(x) = sum_i s'(<w_i, x>) <v_i, x>,      v_i = (1/(N d)) sum_m alpha_m s'(<w_i, x_m>) x_m,

so that its risk is a sum over pairs of neurons. With unit vectors u_i = w_i/r_i, p_ij = <v_i, u_j>, rho_ij = <u_i, u_j>
and the Hermite series s'(r z) = sum_k b_k(r) h_k(z), Stein's identity gives for i != j

    E[s'_i s'_j <v_i, x> <v_j, x>] = <v_i, v_j> D_ij + (p_ii p_jj + p_ij p_ji) C_ij + p_ii p_ji T_ij + p_jj p_ij T_ji,
    D_ij = sum_k b_k(r_i) b_k(r_j) rho^k,    C_ij = sum_k k b_k(r_i) b_k(r_j) rho^(k-1),
    T_ij = sum_k sqrt((k+1)(k+2)) b_{k+2}(r_i) b_k(r_j) rho^k,

and for i = j it is |v_i|^2 E s'^2 + p_ii^2 E[s'^2 (z^2 - 1)]. Derived; exact up to the cut of the series. No
derivative of s' is taken, so that s may have kinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_series
from giantstep.learners.networks.network import Network
from giantstep.problems import Problem, check_problem
from giantstep.problems.inputs import Isotropic

if TYPE_CHECKING:
    from giantstep.problems import Target


TOLERANCE = 1e-11
"""Size, relative to the sizes of the functions, of the first term that the series leave out."""
MOST_DEGREES = 400
TARGET_DEGREES = {1: 48, 2: 24}
"""Degree of the series of a target that is no polynomial, by its number of directions."""


def tangent_kernel(network: Network, inputs: NDArray[Any]) -> Array:
    """The kernel matrix (n, n) of the first layer of `network`, without biases, on the rows of `inputs` (n, d)."""
    net, x = network, real_array("the inputs", inputs, axes=2)
    slopes = _slopes(net, x)
    return np.asarray((x @ x.T / net.d) * (slopes @ slopes.T / net.neurons))


def tangent_directions(network: Network, inputs: NDArray[Any], dual: Array) -> Array:
    """v (L, N, d) of the linearised networks that dual coefficients stand for.

    Args:
        network: the network at which is linearised, without biases.
        inputs: the samples of the fit, (n, d).
        dual: alpha, (L, n).
    """
    slopes = _slopes(network, inputs)
    return np.stack([(slopes * row[:, None]).T @ inputs for row in dual]) / (network.neurons * network.d)


def _slopes(net: Network, x: NDArray[Any]) -> Array:
    if net.biases is not None:
        raise InputError("the tangent kernel is for networks without biases: give one that has none")
    if x.shape[1:] != (net.d,):
        raise InputError(f"the inputs have shape {x.shape}; the network needs (n, {net.d})")
    return np.asarray(net.activation.derivative(x @ net.weights.T))


@dataclass(frozen=True, eq=False, repr=False)
class TangentMoments:
    """Computed once per network; the risk of each linearised network on it then costs two matrix products.

    Args:
        unit: u, (N, d).
        value: D, (N, N), with E s'^2 on the diagonal.
        curvature: C, (N, N), with E[s'^2 (z^2 - 1)]/2 on the diagonal.
        twist: T, (N, N), with zeros on the diagonal.
        cross: E[s'(<w_i, x>) f*(x) x] as rows, (N, d).
        norm2: |f*|^2.
    """

    unit: Array
    value: Array
    curvature: Array
    twist: Array
    cross: Array
    norm2: float

    def risk(self, directions: Array) -> Array:
        """E (f(x) - f*(x))^2 of the linearised network with v (N, d), or of each of (L, N, d)."""
        if directions.ndim > 2:
            return np.stack([self.risk(v) for v in directions])
        v, p = directions, directions @ self.unit.T
        own = np.diagonal(p)
        square = np.vdot(v @ v.T, self.value) + own @ self.curvature @ own + np.vdot(p * p.T, self.curvature)
        square += 2.0 * np.vdot(own[:, None] * p.T, self.twist)
        return np.asarray(square - 2.0 * np.vdot(v, self.cross) + self.norm2)

    def __repr__(self) -> str:
        return f"TangentMoments(N={self.unit.shape[0]}, d={self.unit.shape[1]}, |f*|^2={self.norm2:.4g})"


def tangent_moments(network: Network, problem: Problem) -> TangentMoments:
    """What the risk of any fit on the tangent kernel of `network` depends on; the inputs of `problem` are isotropic."""
    net = network
    if not isinstance(check_problem(problem).inputs, Isotropic):
        raise InputError("the exact risk needs isotropic Gaussian inputs; use a test set")
    norms = np.linalg.norm(net.weights, axis=1)
    if net.biases is not None or not norms.all():
        raise InputError("the tangent kernel is for neurons without biases whose weights are not all zero")
    unit = net.weights / norms[:, None]
    rho = unit @ unit.T
    np.fill_diagonal(rho, 0.0)
    degree = _degree(float(np.abs(rho).max()))
    slope = net.activation.derivative_activation
    b = hermite_series(slope, degree + 2, norms)
    k = np.arange(degree + 1)
    value = _series(b[:, :-2], b[:, :-2], rho)
    curvature = _series(b[:, 1:-1] * (k + 1), b[:, 1:-1], rho)
    twist = _series(b[:, 2:] * np.sqrt((k + 1) * (k + 2)), b[:, :-2], rho)
    squares = hermite_series(lambda z: slope(z) ** 2, 2, norms, breaks=net.activation.kinks)
    np.fill_diagonal(value, squares[:, 0])
    np.fill_diagonal(curvature, squares[:, 2] / sqrt(2.0))
    np.fill_diagonal(twist, 0.0)
    cross = _cross(problem.target, unit, norms, slope)
    return TangentMoments(unit, value, curvature, twist, cross, float(problem.target.norm2))


def _degree(reach: float) -> int:
    """The degree whose power of the largest correlation is negligible."""
    return min(MOST_DEGREES, 4 + int(log(TOLERANCE) / log(min(max(reach, 1e-3), 0.999))))


def _series(left: Array, right: Array, rho: Array) -> Array:
    """sum_k left_ik right_jk rho_ij^k by Horner's rule."""
    total = np.multiply.outer(left[:, -1], right[:, -1])
    for k in range(left.shape[1] - 2, -1, -1):
        total *= rho
        total += np.multiply.outer(left[:, k], right[:, k])
    return np.asarray(total)


def _cross(target: Target, unit: Array, norms: Array, slope: Any) -> Array:
    """E[s'(<w_i, x>) f*(x) x]. With f* = sum_a c_a He_a and B_k = E[s'(r z) He_k(z)] it is, by Stein's identity,

    sum_a c_a { B_{|a|+1} u^a u + sum_j a_j B_{|a|-1} u^(a - e_j) e_j }.
    """
    seen = unit[:, : target.directions]
    degree = target.degree
    if degree is None:
        reach = float(np.linalg.norm(seen, axis=1).max())
        degree = min(_degree(reach), TARGET_DEGREES.get(target.directions, 12))
    b = hermite_series(slope, degree + 1, norms) * np.sqrt([float(factorial(k)) for k in range(degree + 2)])
    along, found = np.zeros(len(unit)), np.zeros_like(unit)
    for index, coefficient in target.hermite(degree).items():
        order, powers = sum(index), np.asarray(index)
        along += float(coefficient) * b[:, order + 1] * np.prod(seen**powers, axis=1)
        for j in np.flatnonzero(powers):
            lowered = powers - np.eye(len(powers), dtype=int)[j]
            found[:, j] += float(coefficient) * powers[j] * b[:, order - 1] * np.prod(seen**lowered, axis=1)
    return found + along[:, None] * unit
