"""The normalised gradient flow of one neuron on a single-index target with spiked inputs: equations for two overlaps.

x ~ N(0, Sigma), Sigma = I + theta mu mu^T, f*(x) = g(<x, beta>/sqrt(kappa)), rho = <mu, beta>, kappa = 1 + theta rho^2.
With the whitened unit vectors v = Sigma^(1/2) w/|.| and u = Sigma^(1/2) beta/|.|, and

    omega = <v, u>,   m = <v, mu>,   r = <u, mu> = sqrt((1 + theta)/kappa) rho,
    zeta(omega) = sum_j j j! a_j a*_j omega^(j-1),      sigma = sum_j a_j He_j,  g = sum_j a*_j He_j,

the normalised flow w' = -|Sigma^(1/2) w|^2 grad E(f - f*)^2, f = sigma(<x, w>/|Sigma^(1/2) w|) of [mws23] is, exactly,

    plain:            omega' = 2 zeta ((1 - omega^2) + theta (r - omega m)^2),
                      m' = 2 zeta (r - omega m) (1 + theta (1 - m^2));
    Sigma^-1 grad:    omega' = 2 zeta (1 - omega^2),        m' = 2 zeta (r - omega m).

All derived; the factor 2 is that of the squared loss. `spherical_flow` has the flow on the sphere, `starts` the
law of random starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, sqrt
from typing import Any

import numpy as np
import scipy
from numpy.polynomial import Polynomial

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import panel_nodes
from giantstep.problems import Activation, Target

TIGHT = 1e-9


def logit(omega: Array) -> Array:
    """L(omega) = ln(omega/sqrt(1 - omega^2)), the clock on which overlaps grow evenly."""
    return np.asarray(np.log(omega) - 0.5 * np.log1p(-(omega**2)))


def unlogit(clock: Array) -> Array:
    """omega with L(omega) = clock."""
    return np.asarray(1.0 / np.sqrt(1.0 + np.exp(-2.0 * clock)))


@dataclass(frozen=True)
class SpikedFlow:
    """The setting of a flow under a spiked law, and its equations.

    Args:
        target: f*, a polynomial of x1.
        activation: sigma of the neuron.
        theta: strength of the spike mu.
        rho: <mu, beta>, the cosine of spike and target.

    >>> SpikedFlow(Target("He3(x1)"), Activation("He3(z)"), 0.0, 1.0).exponent
    3
    """

    target: Target
    activation: Activation
    theta: float
    rho: float

    @property
    def kappa(self) -> float:
        """1 + theta rho^2, the variance of <x, beta>."""
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
    def printed(self) -> Polynomial:
        """sum_i (i+1)^2 a_{i+1} a*_{i+1} omega^i, the series as the slides print it: it lacks i! in this convention."""
        return Polynomial(self.zeta.coef / [factorial(i) for i in range(len(self.zeta.coef))])

    @property
    def exponent(self) -> int:
        """k: zeta ~ omega^(k-1) for small omega, 0 if the activation sees nothing of the target."""
        seen = np.flatnonzero(self.zeta.coef)
        return int(seen[0]) + 1 if len(seen) else 0

    @property
    def leading(self) -> float:
        """c of zeta ~ c omega^(k-1)."""
        return float(self.zeta.coef[self.exponent - 1]) if self.exponent else 0.0

    def whitened(self, on_spike: Array, on_target: Array) -> tuple[Array, Array]:
        """(omega, m) of unit vectors w with overlaps `on_spike` = <w, mu>, `on_target` = <w, beta>, (starts,) each."""
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
        """(omega, m) of the normalised flow at `times` (from 0 on), (times, starts) each.

        It starts from `omega` and `m`, (starts,); `preconditioned` by Sigma^-1, or plain.
        """

        def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
            return np.concatenate(self._speeds(state[: len(omega)], state[len(omega) :], preconditioned))

        start = np.concatenate([omega, m])
        found = solved(speeds, float(times[-1]), start, t_eval=times, rtol=TIGHT, atol=1e-12).T
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
            panels = max(8, int(np.ceil(2 * length.max())))
            places, weights = (part.ravel() for part in panel_nodes(np.linspace(0.0, 1.0, panels + 1)))
            on_way = unlogit(begin[:, None] + length[:, None] * places)
            rates = on_way / (2.0 * np.asarray(self.zeta(on_way)))
            return np.asarray(length * (rates @ weights))

        def speeds(share: float, state: Array) -> Array:
            here = unlogit(begin + share * length)
            grow, turn = self._speeds(here, state[0::2], False)
            clock = length * here * (1.0 - here**2) / grow
            return np.stack([turn * clock, clock], axis=1).ravel()

        start = np.stack([m, np.zeros(len(omega))], axis=1).ravel()
        floor = np.stack([1e-8 * np.abs(m) + 1e-15, np.full(len(omega), 1e-9)], axis=1).ravel()
        return solved(speeds, 1.0, start, lband=1, uband=1, rtol=1e-8, atol=floor)[1::2, -1]


def solved(speeds: Callable[[float, Array], Array], end: float, start: Array, **options: Any) -> Array:
    """States of state' = speeds(t, state) from 0 to `end`, (states, times)."""
    found = scipy.integrate.solve_ivp(speeds, (0.0, end), start, method="LSODA", **options)
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


def time_constant(exponent: int, start: float, level: float) -> float:
    """2 c T for zeta = c omega^(k-1): F(level) - F(start), for k = 1, 2, 3 (closed form)."""
    if exponent not in (1, 2, 3):
        raise InputError(f"the closed form of the time is known for k = 1, 2, 3, not for {exponent}")
    if exponent == 2:
        return float(logit(np.asarray(level)) - logit(np.asarray(start)))
    slow = 1.0 / start - 1.0 / level if exponent == 3 else 0.0
    return float(np.arctanh(level) - np.arctanh(start) + slow)
