"""Gradient flows of one neuron, from many starts at once: spherical, normalised, preconditioned; population or data.

    x ~ N(0, Sigma),  Sigma = I + theta mu mu^T,   y = g(<x, beta>/sqrt(kappa)),   kappa = <beta, Sigma beta>

    spherical:       f = sigma(<x, w>),                     w' = -(I - w w^T) grad E(f - y)^2,   |w| = 1
    normalised:      f = sigma(<x, w>/|Sigma^(1/2) w|),     w' = -<w, Sigma w> grad E(f - y)^2
    preconditioned:  the normalised one with Sigma^-1 in front of the gradient [mws23]

The population gradient never leaves the span of w, mu and beta, so three coordinates are exact in law at any d
(`sphere_starts`). With u = <x, w>/s of variance 1 and z the part of <x, beta>/sqrt(kappa) that is independent of u,

    E[x | u, z] = (Sigma w/s) u + t z,     t = (Sigma beta/sqrt(kappa) - omega Sigma w/s)/sqrt(1 - omega^2),

and the two averages E[e sigma' u], E[e sigma' z] of the error e = y - f are integrals over (u, z), taken by quadrature
with the kinks of sigma as edges. On data, averages are over samples and Sigma is the sample covariance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import cho_factor, cho_solve

from giantstep.errors import InputError
from giantstep.gaussian import gauss_hermite
from giantstep.gaussian.quadrature import gauss_legendre
from giantstep.problems import Activation, Target
from giantstep.problems.spiked import Spiked
from giantstep.streams import Streams

Array: TypeAlias = NDArray[np.float64]

REACH = 9.0  # standard deviations of u that are integrated over
ORDER = 28  # nodes between two edges
TOLERANCE = 1e-6


@dataclass(frozen=True)
class FlowTask:
    """What is learned: g of the direction beta = e1, from inputs with a spike at the angle arccos(rho), by sigma.

    `coordinates` are all d, or 3 of them for population flows in any dimension.
    """

    activation: Activation
    target: Target
    theta: float
    rho: float
    coordinates: int = 3

    def __post_init__(self) -> None:
        if self.target.directions != 1 or self.target.degree is None:
            raise InputError(f"a flow learns a polynomial of x1, but the target is {self.target}")
        if self.coordinates < 3:
            raise InputError(f"a flow has at least 3 coordinates, not {self.coordinates}")

    @property
    def kappa(self) -> float:
        return 1.0 + self.theta * self.rho**2

    @cached_property
    def beta(self) -> Array:
        found = np.zeros(self.coordinates)
        found[0] = 1.0
        return found

    @cached_property
    def mu(self) -> Array:
        found = np.zeros(self.coordinates)
        found[:2] = self.rho, sqrt(max(0.0, 1.0 - self.rho**2))
        return found

    @cached_property
    def towards(self) -> Array:
        """Sigma beta/sqrt(kappa)."""
        return np.asarray((self.beta + self.theta * self.rho * self.mu) / sqrt(self.kappa))

    def coloured(self, w: Array) -> Array:
        """Sigma w, for rows w."""
        return np.asarray(w + self.theta * (w @ self.mu)[:, None] * self.mu)

    def size(self, w: Array) -> Array:
        """|Sigma^(1/2) w| for each row."""
        return np.asarray(np.sqrt(np.einsum("bi,bi->b", w, w) + self.theta * (w @ self.mu) ** 2))

    def overlap(self, w: Array) -> Array:
        """omega: the correlation of <x, w> and <x, beta>, for each row."""
        return np.asarray(w @ self.towards / self.size(w))

    @cached_property
    def z_rule(self) -> tuple[Array, Array]:
        """Nodes and weights under N(0, 1) that are exact for the target."""
        return gauss_hermite((self.target.degree or 0) // 2 + 2)

    def samples(self, count: int, streams: Streams) -> tuple[Array, Array]:
        """Inputs (n, coordinates) and their labels."""
        law = Spiked(self.theta, alignment=self.rho)
        x = law.draw(streams.generator(), count, self.coordinates)
        return x, self.target((x[:, 0] / sqrt(self.kappa))[:, None])


def sphere_starts(task: FlowTask, d: int, count: int, streams: Streams, *, positive: bool = True) -> Array:
    """Starts uniform on the sphere of R^d, (count, D), in the D coordinates of the task: 3, or all d of them.

    With three, the last one is the length of everything orthogonal to mu and beta. `positive` turns w to -w where
    omega < 0.
    """
    generator, coordinates = streams.generator(), task.coordinates
    w = generator.standard_normal((count, coordinates))
    if coordinates < d:
        w[:, -1] = np.sqrt(generator.chisquare(d - coordinates + 1, count))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    if positive:
        w *= np.where(task.overlap(w) < 0, -1.0, 1.0)[:, None]
    return w


@dataclass(frozen=True)
class Flow:
    """One of the flows above.

    >>> Flow("normalised", preconditioned=True)
    Flow(kind='normalised', preconditioned=True)
    """

    kind: Literal["spherical", "normalised"] = "normalised"
    preconditioned: bool = False

    def __post_init__(self) -> None:
        if self.kind == "spherical" and self.preconditioned:
            raise InputError("the spherical flow has no preconditioner; use the normalised one")

    def velocity(self, task: FlowTask, w: Array) -> Array:
        """w' of the population flow for each row of w."""
        if self.kind == "spherical":  # only the direction counts, so that rounding cannot leave the sphere
            w = w / np.linalg.norm(w, axis=1, keepdims=True)
        size, omega = task.size(w), task.overlap(w)
        along = task.coloured(w) / size[:, None]
        # What is left of beta, times sqrt(1 - omega^2); t of the module's head is this over 1 - omega^2.
        rest = np.sqrt(np.maximum((1.0 - omega) * (1.0 + omega), 1e-30))
        towards = task.towards - omega[:, None] * along
        scale = np.ones_like(size) if self.kind == "normalised" else size
        by_u, by_z = _error_averages(task, scale, omega, rest)
        signal = (by_z / rest)[:, None] * towards
        if self.kind == "spherical":
            pull = by_u[:, None] * along + signal
            return np.asarray(2.0 * (pull - np.einsum("bi,bi->b", w, pull)[:, None] * w))
        if self.preconditioned:
            plain = task.beta / sqrt(task.kappa) - (omega / size)[:, None] * w
            signal = (by_z / rest)[:, None] * plain
        return np.asarray(2.0 * size[:, None] * signal)

    def run(self, task: FlowTask, start: Array, times: Array) -> Array:
        """The population flow at `times` (from 0 on), all starts as one system: (times, starts, D)."""
        shape = start.shape

        def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
            return self.velocity(task, state.reshape(shape)).ravel()

        # Starts do not feel each other: the Jacobian is a band of D x D blocks, which LSODA uses when it is stiff.
        band = shape[1] - 1
        floor = TOLERANCE * np.maximum(np.abs(start), 1e-3 * np.abs(start).max(axis=1, keepdims=True)).ravel()
        solved = solve_ivp(
            speeds, (0.0, float(times[-1])), start.ravel(), method="LSODA", t_eval=times, lband=band, uband=band,
            rtol=TOLERANCE, atol=floor,
        )  # fmt: skip
        if not solved.success:
            raise RuntimeError(f"the flow could not be followed: {solved.message}")
        return np.asarray(solved.y.T.reshape(len(times), *shape))

    def hitting_time(self, task: FlowTask, start: Array, level: float) -> Array:
        """When omega reaches `level` from each start (0 < omega < level), if it grows all the way.

        Every start has a clock of its own, ln(omega/sqrt(1 - omega^2)), stretched so that all of them arrive together:
        slow starts and quick ones then cost the same steps. Time is one more coordinate.
        """
        count, width = start.shape
        ends = np.array([_clock(task.overlap(start)), np.full(count, _clock(np.array([level]))[0])])
        stretch = ends[1] - ends[0]

        def speeds(share: float, state: Array) -> Array:  # noqa: ARG001
            w = state.reshape(count, width + 1)[:, :width]
            speed = self.velocity(task, w)
            omega, size = task.overlap(w), task.size(w)
            growth = speed @ task.towards / size
            growth -= omega * np.einsum("bi,bi->b", speed, task.coloured(w)) / size**2
            clock = stretch * omega * (1.0 - omega**2) / growth
            return np.column_stack([speed * clock[:, None], clock]).ravel()

        first = np.column_stack([start, np.zeros(count)])
        floor = np.column_stack([TOLERANCE * np.abs(start) + 1e-15, np.full(count, TOLERANCE)]).ravel()
        # Looser than a path: averages of order omega^(k-1) carry the rounding of the integrals.
        solved = solve_ivp(
            speeds, (0.0, 1.0), first.ravel(), method="LSODA", lband=width, uband=width, rtol=1e-6, atol=100 * floor
        )
        if not solved.success:
            raise RuntimeError(f"the flow could not be followed: {solved.message}")
        return np.asarray(solved.y[:, -1].reshape(count, width + 1)[:, width])

    def descend(
        self, task: FlowTask, x: Array, y: Array, start: Array, step: float, steps: int, every: int = 1
    ) -> Array:
        """Gradient descent on n samples from all starts: w after 0, every, 2 every, ... steps, (times, starts, D).

        The spherical step is projected back to the sphere; normalised ones keep <w, Sigma_n w> = 1, which is no
        restriction: f and the direction of w' do not depend on the length of w.
        """
        covariance = x.T @ x / len(x)
        factor = cho_factor(covariance) if self.preconditioned else None
        w = start / self._length(start, covariance)
        seen = [w]
        for iteration in range(1, steps + 1):
            u = x @ w.T
            value, slope = task.activation.value_and_derivative(u)
            value -= y[:, None]
            value *= -slope
            pull = value.T @ x / len(x)  # mean of e sigma' x
            if self.kind == "spherical":
                move = pull - np.einsum("bi,bi->b", w, pull)[:, None] * w
            else:
                move = pull - np.einsum("bi,bi->b", w, pull)[:, None] * (w @ covariance)
                if factor is not None:
                    move = cho_solve(factor, move.T).T
            w = w + 2.0 * step * move
            w /= self._length(w, covariance)
            if iteration % every == 0:
                seen.append(w)
        return np.array(seen)

    def _length(self, w: Array, covariance: Array) -> Array:
        metric = w if self.kind == "spherical" else w @ covariance
        return np.asarray(np.sqrt(np.einsum("bi,bi->b", w, metric))[:, None])


def _clock(omega: Array) -> Array:
    return np.asarray(np.log(omega) - 0.5 * np.log((1.0 - omega) * (1.0 + omega)))


def _error_averages(task: FlowTask, scale: Array, omega: Array, rest: Array) -> tuple[Array, Array]:
    """E[e sigma'(s u) u] and E[e sigma'(s u) z] for each start, e = g(omega u + rest z) - sigma(s u)."""
    kinks = np.array([0.0, *(k for k in task.activation.kinks if k != 0.0)])
    inner = np.sort(np.clip(kinks / scale[:, None], -REACH, REACH), axis=1)
    ends = np.full((len(scale), 1), REACH)
    edges = np.hstack([-ends, inner, ends])
    nodes, weights = gauss_legendre(ORDER)
    half = 0.5 * np.diff(edges, axis=1)[:, :, None]
    u = (0.5 * (edges[:, 1:] + edges[:, :-1])[:, :, None] + half * nodes).reshape(len(scale), -1)
    mass = (half * weights).reshape(u.shape) * np.exp(-0.5 * u**2) / sqrt(2.0 * np.pi)
    value, slope = task.activation.value_and_derivative(scale[:, None] * u)
    z, z_mass = task.z_rule
    field = (omega[:, None] * u)[:, :, None] + rest[:, None, None] * z
    labels = task.target(field.reshape(-1, 1)).reshape(field.shape)
    weighted = mass * slope
    by_u = np.einsum("bu,bu->b", weighted * u, labels @ z_mass - value)
    by_z = np.einsum("bu,bu->b", weighted, labels @ (z_mass * z))
    return by_u, by_z
