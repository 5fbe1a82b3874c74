"""The population risk E (f(x) - f*(x))^2 of many replicas at many times, from their order parameters.

    risk = sum_ij c_i c_j E[sigma(h_i) sigma(h_j)] - 2 sum_i c_i E[sigma(h_i) f*] + |f*|^2

All pairs of all replicas and times are dual kernels in one call. E[sigma(h) f*] is a finite Hermite sum for a
polynomial target and a sum of dual kernels for a sum of functions of one direction each.
"""

from __future__ import annotations

from math import factorial, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.kernels import dual_kernel
from giantstep.learners.engines.online.replicas import OnlineState
from giantstep.learners.trajectory import Trajectory
from giantstep.problems import Problem, single_index_parts


def online_risk(trajectory: Trajectory[OnlineState], problem: Problem) -> Array:
    """The risk without label noise, (times, replicas), along a `trajectory` of SGD on `problem` that has watched the
    `overlaps` and the `gram` of its states."""
    state, gram, overlaps = trajectory.last, trajectory["gram"], trajectory["overlaps"]
    variances = np.einsum("tiir->tir", gram)
    output = state.scaling.factor(state.neurons) * state.second_layer
    pairs = dual_kernel(state.activation, state.activation, variances[:, :, None], variances[:, None], gram)
    cross = _cross(state, problem, overlaps, variances)
    square = np.einsum("i,tijr,j->tr", output, pairs, output)
    return np.asarray(square - 2.0 * np.einsum("i,tir->tr", output, cross) + float(problem.target.norm2))


def _cross(state: OnlineState, problem: Problem, overlaps: Array, variances: Array) -> Array:
    """E[sigma(h) f*], (times, p, replicas)."""
    target = problem.target
    if target.is_polynomial:
        coefficients = target.hermite()
        lengths = np.sqrt(variances)
        cosines = overlaps / lengths[:, :, None]
        series = hermite_series(state.activation, max(map(sum, coefficients), default=0), lengths)
        total = np.zeros_like(variances)
        for alpha, c in coefficients.items():
            power = np.prod([cosines[:, :, k] ** n for k, n in enumerate(alpha)], axis=0)
            total += float(c) * sqrt(factorial(sum(alpha))) * series[..., sum(alpha)] * power
        return total
    parts = single_index_parts(target)
    if parts is None:
        raise InputError(
            f"the target {target} couples directions and is no polynomial; one-pass SGD is for polynomials and "
            "sums of functions of one direction each"
        )
    along = [np.einsum("tikr,k->tir", overlaps[:, :, : len(b)], b) for _, b in parts]
    kernels = [dual_kernel(state.activation, g, variances, 1.0, c) for (g, _), c in zip(parts, along, strict=True)]
    return np.asarray(np.sum(kernels, axis=0))
