"""The spherical gradient flow of one neuron on a single-index target with spiked inputs: equations for two overlaps.

f = sigma(<x, w>), |w| = 1, lives on (m, a) = (<w, mu>, <w, beta>) with s^2 = 1 + theta m^2 and omega as in
`normalised_flow`, and

    R = E2(s) - 2 sum_j C_j(s) a*_j omega^j + E f*^2,   C_j = E[sigma(s z) He_j(z)],  E2 = E sigma(s z)^2,
    dC_j/ds = (C_{j+2} + j C_j)/s.

Derived. E2, the repulsion of [mws23], grows with m; the middle term is the attraction.
"""

from __future__ import annotations

from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.polynomial.chebyshev import chebder, chebfit

from giantstep.arrays import Array
from giantstep.gaussian.kernels import hermite_at, second_moment_at
from giantstep.problems import Activation
from giantstep.theory.structured.flows.normalised_flow import SpikedFlow, solved
from giantstep.theory.structured.flows.starts import random_start_law

STRONGEST = 16.0
"""ln(1 + theta) of the strongest spike under which the flow is tabulated."""
ROUNDS, STARTS = 4, 8  # of the search for the lowest start that arrives: its logarithm to 1/500
NODES = 40  # Chebyshev points of that table: all digits for kinks, see the tests


def spherical_path(flow: SpikedFlow, on_spike: Array, on_target: Array, times: Array) -> tuple[Array, Array]:
    """(<w, mu>, <w, beta>) of the spherical flow, (times, starts) each; the module's equations.

    Args:
        flow: target, activation and spike; ln(1 + theta) at most `STRONGEST`.
        on_spike: <w, mu> at the start, (starts,).
        on_target: <w, beta> at the start, (starts,).
        times: where the flow is wanted, from 0 on, (times,).
    """
    count, root = len(on_spike), sqrt(flow.kappa)
    degree = len(flow.coefficients) - 1
    table = _scale_table(flow.activation, degree + 2)
    orders = np.arange(degree + 1)[:, None]

    def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
        m, a = state[0::2], state[1::2]
        s = np.sqrt(1.0 + flow.theta * m**2)
        omega = (a + flow.theta * flow.rho * m) / (s * root)
        moments, square_slope = _moments(table, s)
        slopes = (moments[2:] + orders * moments[:-2]) / s
        powers = flow.coefficients[:, None] * omega**orders
        by_omega = -2.0 * np.sum(
            moments[1:-2] * orders[1:] * flow.coefficients[1:, None] * omega ** (orders[1:] - 1), axis=0
        )
        by_s = square_slope - 2.0 * np.sum(slopes * powers, axis=0)
        inward = by_s * s  # <w, grad R>
        spike = (1.0 + flow.theta) * (by_s * m / s + by_omega * (flow.rho / (s * root) - omega * m / s**2))
        target = by_s * root * omega + by_omega * root * (1.0 - omega**2) / s
        return np.stack([m * inward - spike, a * inward - target], axis=1).ravel()

    start = np.stack([on_spike, on_target], axis=1).ravel()
    floor = 1e-8 * float(np.abs(start).min()) + 1e-14
    states = solved(speeds, float(times[-1]), start, t_eval=times, lband=1, uband=1, rtol=1e-8, atol=floor)
    found = states.T.reshape(len(times), count, 2)
    return found[:, :, 0], found[:, :, 1]


@lru_cache(maxsize=32)
def _scale_table(activation: Activation, degree: int) -> Array:
    """Chebyshev coefficients in ln s up to s = e^(STRONGEST/2), (degree + 3, nodes).

    Those of C_0, .., C_degree over sqrt(E2), of ln E2, and of its derivative.
    """
    nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    scales = np.exp(0.25 * STRONGEST * (1.0 + nodes))
    square = second_moment_at(activation, scales)
    values = np.column_stack([hermite_at(activation, scales, degree) / np.sqrt(square)[:, None], np.log(square)])
    table = chebfit(nodes, values, NODES - 1)
    steep = np.append(chebder(table[:, -1]), 0.0) / (0.25 * STRONGEST)  # d ln E2/d ln s
    return np.column_stack([table, steep]).T


def _moments(table: Array, s: Array) -> tuple[Array, Array]:
    """C_j(s), (degree + 1, starts), and dE2/ds."""
    place = np.clip(np.log(s) / (0.25 * STRONGEST) - 1.0, -1.0, 1.0)
    # T_k = cos(k arccos x): one product of matrices, where a recursion in k would take most of the time of the flow.
    values = table @ np.cos(np.arange(NODES)[:, None] * np.arccos(place))
    square = np.exp(values[-2])
    return values[:-2] * np.sqrt(square), square * values[-1] / s


@lru_cache(maxsize=256)
def spherical_success(flow: SpikedFlow, d: int, duration: float, level: float) -> float:
    """The share of random starts from which the spherical flow reaches an overlap in time, with beta = mu.

    The flow is then one of <w, mu> alone, and starts above some overlap arrive, which is searched: their share is that
    of the law of random starts.

    Args:
        flow: target, activation and spike, with rho = 1.
        d: input dimension.
        duration: how long the flow runs.
        level: the overlap that is to be reached.
    """
    low, high, times = log(1e-3 / sqrt(d)), 0.0, np.array([0.0, duration])
    for _ in range(ROUNDS):
        logs = np.linspace(low, high, STARTS + 1)[:-1]
        m = np.exp(logs)
        arrived = np.abs(flow.whitened(*(path[-1] for path in spherical_path(flow, m, m, times)))[0]) > level
        first = int(np.argmax(arrived)) if arrived.any() else STARTS
        low, high = logs[max(first - 1, 0)], logs[first] if first < STARTS else high
    if high == 0.0:
        return 0.0
    start = np.exp(np.array([high]))
    return 1.0 - random_start_law(flow, d, float(flow.whitened(start, start)[0][0]))


def spherical_threshold(exponent: int) -> float:
    """gamma2 above which repulsion, theta m, beats attraction, m^(k-1), at m ~ d^(-1/2): -(k - 2)/2. Derived.

    `exponent` is k, the information exponent; theta = d^gamma2.
    """
    return -0.5 * (exponent - 2)
