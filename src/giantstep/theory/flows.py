"""Gradient flows of one neuron on a single-index target with spiked inputs, as equations for two overlaps.

x ~ N(0, Sigma), Sigma = I + theta mu mu^T, f*(x) = g(<x, beta>/sqrt(kappa)), rho = <mu, beta>, kappa = 1 + theta rho^2.
With the whitened unit vectors v = Sigma^(1/2) w/|.| and u = Sigma^(1/2) beta/|.|, and

    omega = <v, u>,   m = <v, mu>,   r = <u, mu> = sqrt((1 + theta)/kappa) rho,
    zeta(omega) = sum_j j j! a_j a*_j omega^(j-1),      sigma = sum_j a_j He_j,  g = sum_j a*_j He_j,

the normalised flow w' = -|Sigma^(1/2) w|^2 grad E(f - f*)^2, f = sigma(<x, w>/|Sigma^(1/2) w|) of [mws23] is, exactly,

    plain:            omega' = 2 zeta ((1 - omega^2) + theta (r - omega m)^2),
                      m' = 2 zeta (r - omega m) (1 + theta (1 - m^2));
    Sigma^-1 grad:    omega' = 2 zeta (1 - omega^2),        m' = 2 zeta (r - omega m).

The spherical flow of f = sigma(<x, w>), |w| = 1, lives on (<w, mu>, <w, beta>) with s^2 = 1 + theta <w, mu>^2 and

    R = E2(s) - 2 sum_j C_j(s) a*_j omega^j + E f*^2,   C_j = E[sigma(s z) He_j(z)],  E2 = E sigma(s z)^2,
    dC_j/ds = (C_{j+2} + j C_j)/s.        (All derived; the factor 2 is that of the squared loss.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.chebyshev import chebder, chebfit, chebval
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.special import ndtr

from giantstep.errors import InputError
from giantstep.gaussian import hermite_at, second_moment_at
from giantstep.gaussian.quadrature import gauss_legendre
from giantstep.problems import Activation, Target

Array: TypeAlias = NDArray[np.float64]

LARGEST = 16.0  # log(1 + theta) up to which the spherical flow is tabulated
NODES = 40  # Chebyshev points of that table: all digits for kinks, see the tests
TIGHT = 1e-9


def logit(omega: Array) -> Array:
    """L(omega) = ln(omega/sqrt(1 - omega^2)), the clock on which overlaps grow evenly."""
    return np.asarray(np.log(omega) - 0.5 * np.log1p(-(omega**2)))


def unlogit(clock: Array) -> Array:
    """omega with L(omega) = clock."""
    return np.asarray(1.0 / np.sqrt(1.0 + np.exp(-2.0 * clock)))


@dataclass(frozen=True)
class SpikedFlow:
    """The setting: a polynomial target of x1, the neuron's activation, the spike theta, rho = <mu, beta>.

    >>> SpikedFlow(Activation("He3(z)"), Target("He3(x1)"), 0.0, 1.0).exponent
    3
    """

    activation: Activation
    target: Target
    theta: float
    rho: float

    @property
    def kappa(self) -> float:
        return 1.0 + self.theta * self.rho**2

    @property
    def r(self) -> float:
        """<u, mu>, the whitened alignment of target and spike."""
        return min(1.0, sqrt((1.0 + self.theta) / self.kappa) * self.rho)

    @property
    def coefficients(self) -> Array:
        """a*_j of g = sum a*_j He_j."""
        return _series(self.activation, self.target)[0]

    @property
    def zeta(self) -> Polynomial:
        """zeta(omega); j! a_j is E[sigma He_j]."""
        return _series(self.activation, self.target)[1]

    @property
    def exponent(self) -> int:
        """k: zeta ~ omega^(k-1) for small omega, 0 if the activation sees nothing of the target."""
        seen = np.flatnonzero(self.zeta.coef)
        return int(seen[0]) + 1 if len(seen) else 0

    @property
    def leading(self) -> float:
        """c of zeta ~ c omega^(k-1)."""
        return float(self.zeta.coef[self.exponent - 1]) if self.exponent else 0.0

    # Normalised flows ---------------------------------------------------------------------------------

    def whitened(self, on_spike: Array, on_target: Array) -> tuple[Array, Array]:
        """(omega, m) of unit vectors w with these overlaps with mu and beta."""
        size = np.sqrt(1.0 + self.theta * on_spike**2)
        omega = (on_target + self.theta * self.rho * on_spike) / (size * sqrt(self.kappa))
        return np.asarray(omega), np.asarray(sqrt(1.0 + self.theta) * on_spike / size)

    def _speeds(self, omega: Array, m: Array, preconditioned: bool) -> tuple[Array, Array]:
        pull = 2.0 * np.asarray(self.zeta(omega))
        off = self.r - omega * m
        if preconditioned:
            return pull * (1.0 - omega**2), pull * off
        return pull * ((1.0 - omega**2) + self.theta * off**2), pull * off * (1.0 + self.theta * (1.0 - m**2))

    def normalised_path(self, omega: Array, m: Array, times: Array, preconditioned: bool) -> tuple[Array, Array]:
        """(omega, m) of the normalised flow at `times` (from 0 on): shapes (times, starts)."""

        def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
            return np.concatenate(self._speeds(state[: len(omega)], state[len(omega) :], preconditioned))

        start = np.concatenate([omega, m])
        found = _solved(speeds, float(times[-1]), start, t_eval=times, rtol=TIGHT, atol=1e-12).T
        return found[:, : len(omega)], found[:, len(omega) :]

    def hitting_time(self, omega: Array, m: Array, level: float, preconditioned: bool) -> Array:
        """When omega reaches `level`, for each start 0 < omega < level; zeta must be positive on the way.

        With the clock L(omega), dt = dL omega (1 - omega^2)/omega'. Preconditioned this is one integral; plain, m goes
        along: dm/dL = m' dt/dL. For zeta = c omega^(k-1), preconditioned, 2 c T = F(level) - F(omega), where
        F = atanh w, ln(w/sqrt(1 - w^2)), -1/w + atanh w for k = 1, 2, 3.
        """
        omega = np.asarray(omega, dtype=np.float64)
        begin, length = logit(omega), logit(np.asarray(level)) - logit(omega)
        if preconditioned:
            # Panels grow with the clock's length: on each the integrand e^((2-k) L) is smooth.
            nodes, weights = gauss_legendre(16)
            panels = max(8, int(np.ceil(2 * length.max())))
            places = (np.arange(panels)[:, None] + 0.5 * (nodes + 1.0)).ravel() / panels
            on_way = unlogit(begin[:, None] + length[:, None] * places)
            rates = on_way / (2.0 * np.asarray(self.zeta(on_way)))
            return np.asarray(length * (rates @ np.tile(0.5 * weights / panels, panels)))

        def speeds(share: float, state: Array) -> Array:
            here = unlogit(begin + share * length)
            grow, turn = self._speeds(here, state[0::2], False)
            clock = length * here * (1.0 - here**2) / grow
            return np.stack([turn * clock, clock], axis=1).ravel()

        start = np.stack([m, np.zeros(len(omega))], axis=1).ravel()
        floor = np.stack([1e-8 * np.abs(m) + 1e-15, np.full(len(omega), 1e-9)], axis=1).ravel()
        return _solved(speeds, 1.0, start, lband=1, uband=1, rtol=1e-8, atol=floor)[1::2, -1]

    # Spherical flow -----------------------------------------------------------------------------------

    def spherical_path(self, on_spike: Array, on_target: Array, times: Array) -> tuple[Array, Array]:
        """(<w, mu>, <w, beta>) of the spherical flow at `times` (from 0 on): shapes (times, starts)."""
        count, root = len(on_spike), sqrt(self.kappa)
        degree = len(self.coefficients) - 1
        table = _scale_table(self.activation, degree + 2)
        orders = np.arange(degree + 1)[:, None]

        def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
            m, a = state[0::2], state[1::2]
            s = np.sqrt(1.0 + self.theta * m**2)
            omega = (a + self.theta * self.rho * m) / (s * root)
            moments, square_slope = _moments(table, s)
            slopes = (moments[2:] + orders * moments[:-2]) / s
            powers = self.coefficients[:, None] * omega**orders
            by_omega = -2.0 * np.sum(
                moments[1:-2] * orders[1:] * self.coefficients[1:, None] * omega ** (orders[1:] - 1), axis=0
            )
            by_s = square_slope - 2.0 * np.sum(slopes * powers, axis=0)
            inward = by_s * s  # <w, grad R>
            spike = (1.0 + self.theta) * (by_s * m / s + by_omega * (self.rho / (s * root) - omega * m / s**2))
            target = by_s * root * omega + by_omega * root * (1.0 - omega**2) / s
            return np.stack([m * inward - spike, a * inward - target], axis=1).ravel()

        start = np.stack([on_spike, on_target], axis=1).ravel()
        floor = 1e-8 * float(np.abs(start).min()) + 1e-14
        states = _solved(speeds, float(times[-1]), start, t_eval=times, lband=1, uband=1, rtol=1e-8, atol=floor)
        found = states.T.reshape(len(times), count, 2)
        return found[:, :, 0], found[:, :, 1]


def _solved(speeds: Callable[[float, Array], Array], end: float, start: Array, **options: Any) -> Array:
    """States of state' = speeds(t, state) from 0 to `end`, (states, times)."""
    found = solve_ivp(speeds, (0.0, end), start, method="LSODA", **options)
    if not found.success:
        raise InputError(f"the equations of the flow could not be solved up to {end:g}; try a weaker spike")
    return np.asarray(found.y)


@lru_cache(maxsize=256)
def _series(activation: Activation, target: Target) -> tuple[Array, Polynomial]:
    found = np.zeros((target.degree or 0) + 1)
    for index, value in target.hermite().items():
        found[sum(index)] = float(value)
    parts = [j * activation.hermite_coefficient(j) * c if c else 0.0 for j, c in enumerate(found)]
    return found, Polynomial(parts[1:] if len(parts) > 1 else [0.0])


@lru_cache(maxsize=32)
def _scale_table(activation: Activation, degree: int) -> Array:
    """Chebyshev coefficients in ln s of C_0/s, .., C_degree/s and E2/s^2, for 1 <= s <= e^(LARGEST/2)."""
    nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    scales = np.exp(0.25 * LARGEST * (1.0 + nodes))
    values = np.column_stack([
        hermite_at(activation, scales, degree) / scales[:, None], second_moment_at(activation, scales) / scales**2
    ])  # fmt: skip
    return np.asarray(chebfit(nodes, values, NODES - 1))


def _moments(table: Array, s: Array) -> tuple[Array, Array]:
    """C_j(s), (degree + 1, starts), and dE2/ds."""
    place = np.log(s) / (0.25 * LARGEST) - 1.0
    values = chebval(place, table)
    square = values[-1]
    # d/ds (s^2 q(ln s)) = s (2 q + dq/dln s)
    steep = chebval(place, chebder(table[:, -1])) / (0.25 * LARGEST)
    return values[:-1] * s, s * (2.0 * square + steep)


def time_constant(exponent: int, start: float, level: float) -> float:
    """2 c T for zeta = c omega^(k-1): F(level) - F(start), for k = 1, 2, 3 (closed form)."""
    if exponent not in (1, 2, 3):
        raise InputError(f"the closed form of the time is known for k = 1, 2, 3, not for {exponent}")
    if exponent == 2:
        return float(logit(np.asarray(level)) - logit(np.asarray(start)))
    slow = 1.0 / start - 1.0 / level if exponent == 3 else 0.0
    return float(np.arctanh(level) - np.arctanh(start) + slow)


def start_exponent(alignment_exponent: float, spike_exponent: float) -> float:
    """log_d of the typical omega at a random start, <mu, beta> = d^-gamma1, theta = d^gamma2 [mws23, delta_0]:

    -1/2 for gamma2 <= gamma1,  gamma2 - gamma1 - 1/2 up to 2 gamma1,  (gamma2 - 1)/2 beyond.
    """
    if spike_exponent <= alignment_exponent:
        return -0.5
    if spike_exponent <= 2.0 * alignment_exponent:
        return spike_exponent - alignment_exponent - 0.5
    return 0.5 * (spike_exponent - 1.0)


def needed_samples_exponent(k: int, alignment_exponent: float, spike_exponent: float) -> float:
    """log_d n with which the theorem of [mws23] guarantees learning: n = d delta_0^(-2(k-1))."""
    return 1.0 - 2.0 * (k - 1) * start_exponent(alignment_exponent, spike_exponent)


def needed_time_exponent(k: int, alignment_exponent: float, spike_exponent: float) -> float:
    """The power of d in tau_k(delta_0) = 1, ln(1/delta_0), delta_0^(2-k); for k = 2 the factor of ln d."""
    growth = -start_exponent(alignment_exponent, spike_exponent)
    return {1: 0.0, 2: growth}.get(k, (k - 2) * growth)


def spherical_threshold(k: int) -> float:
    """gamma2 above which repulsion, theta m, beats attraction, m^(k-1), at m ~ d^(-1/2): -(k - 2)/2. Derived."""
    return -0.5 * (k - 2)


def random_start_law(flow: SpikedFlow, d: int, level: float) -> float:
    """P(|omega| < level) at a random start w ~ Unif(sphere), by integrating two Gaussian coordinates of w.

    With w = (g_1, g_2, rest)/|.| on mu, on the part of beta orthogonal to it and beyond, |rest|^2 ~ d - 2,
    |omega| < x  iff  (alpha g_1 + b g_2)^2 < x^2 kappa ((1 + theta) g_1^2 + g_2^2 + d - 2), a quadratic in g_2.
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
    low, high = np.sort([(-cross - spread) / square, (-cross + spread) / square], axis=0)
    between = ndtr(high) - ndtr(low)
    inside = np.where(spread == 0.0, (rest < 0).astype(float), between if square > 0 else 1.0 - between)
    return float(density @ inside / density.sum())


@lru_cache(maxsize=4096)
def typical_start(flow: SpikedFlow, d: int) -> float:
    """The median of |omega| at a random start: delta_0 with its constant."""
    low, high = -40.0, 0.0  # log omega
    for _ in range(44):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if random_start_law(flow, d, float(np.exp(middle))) > 0.5 else (middle, high)
    return float(np.exp(0.5 * (low + high)))
