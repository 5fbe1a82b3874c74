"""Gradient flows of one neuron on the population risk, from many starts at once: spherical, normalised, preconditioned.

    spherical:       f = sigma(<x, w>),                     w' = -(I - w w^T) grad E(f - y)^2,   |w| = 1
    normalised:      f = sigma(<x, w>/|Sigma^(1/2) w|),     w' = -<w, Sigma w> grad E(f - y)^2
    preconditioned:  the normalised one with Sigma^-1 in front of the gradient [mws23]

where y = g(<x, beta>/sqrt(kappa)) and x ~ N(0, Sigma) as in `FlowTask`. With u = <x, w>/s of variance 1 and z the part
of <x, beta>/sqrt(kappa) that is independent of u,

    E[x | u, z] = (Sigma w/s) u + t z,     t = (Sigma beta/sqrt(kappa) - omega Sigma w/s)/sqrt(1 - omega^2),

and the two averages E[e sigma' u], E[e sigma' z] of the error e = y - f are integrals over (u, z), taken by quadrature
with the kinks of sigma as edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import shown
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import cut_panels
from giantstep.learners.flows.task import FlowKind, FlowTask, check_kind

REACH = 9.0  # standard deviations of u that are integrated over
ORDER = 28  # nodes between two edges
TOLERANCE = 1e-6
NEAR = 1e-6  # an overlap near the equator


@dataclass(frozen=True)
class PopulationFlow:
    """One of the flows above, a dynamics for `run`: starts and states are w, (starts, D), in the D coordinates of the
    task; times are those of the flow.

    Args:
        task: what is learned.
        kind: "spherical", "normalised" or "preconditioned".
    """

    task: FlowTask
    kind: FlowKind = "normalised"

    def __post_init__(self) -> None:
        check_kind(self.kind)

    def states(self, start: Array, times: Sequence[float]) -> Iterator[Array]:
        """w at each time, all starts as one system that is solved at once."""
        _check_starts(self.task, start)
        shape = start.shape

        def speeds(t: float, state: Array) -> Array:  # noqa: ARG001
            return self.velocity(state.reshape(shape)).ravel()

        # Starts do not feel each other: the Jacobian is a band of D x D blocks, which LSODA uses when it is stiff.
        band = shape[1] - 1
        floor = TOLERANCE * np.maximum(np.abs(start), 1e-3 * np.abs(start).max(axis=1, keepdims=True)).ravel()
        solved = scipy.integrate.solve_ivp(
            speeds, (0.0, float(times[-1])), start.ravel(), method="LSODA", t_eval=times, lband=band, uband=band,
            rtol=TOLERANCE, atol=floor,
        )  # fmt: skip
        if not solved.success:
            raise RuntimeError(f"the flow could not be followed: {solved.message}")
        yield from solved.y.T.reshape(len(times), *shape)

    def velocity(self, w: Array) -> Array:
        """w' of the population flow for each row of w."""
        if self.kind == "spherical":  # only the direction counts, so that rounding cannot leave the sphere
            w = w / np.linalg.norm(w, axis=1, keepdims=True)
        task = self.task
        size, omega = task.size(w), task.overlap(w)
        along = task.coloured(w) / size[:, None]
        # What is left of beta, times sqrt(1 - omega^2); t of the module's head is this over 1 - omega^2.
        rest = np.sqrt(np.maximum((1.0 - omega) * (1.0 + omega), 1e-30))
        towards = task.towards - omega[:, None] * along
        scale = np.ones_like(size) if self.kind != "spherical" else size
        by_u, by_z = _error_averages(task, scale, omega, rest)
        signal = (by_z / rest)[:, None] * towards
        if self.kind == "spherical":
            pull = by_u[:, None] * along + signal
            return np.asarray(2.0 * (pull - np.einsum("bi,bi->b", w, pull)[:, None] * w))
        if self.kind == "preconditioned":
            plain = task.beta / sqrt(task.kappa) - (omega / size)[:, None] * w
            signal = (by_z / rest)[:, None] * plain
        return np.asarray(2.0 * size[:, None] * signal)

    def growth(self, w: Array, speed: Array | None = None) -> Array:
        """omega' of the population flow for each row of w."""
        speed = self.velocity(w) if speed is None else speed
        task, size = self.task, self.task.size(w)
        turning = np.einsum("bi,bi->b", speed, task.coloured(w)) / size
        return np.asarray((speed @ task.towards - task.overlap(w) * turning) / size)

    def growth_at(self, omega: float) -> float:
        """omega' where w has this overlap, and apart from the target's direction lies off the spike."""
        w = np.zeros((1, self.task.coordinates))
        w[0, 0], w[0, 2] = omega / sqrt(self.task.kappa), sqrt((1.0 - omega) * (1.0 + omega))
        return float(self.growth(w)[0])

    def rate(self) -> float:
        """omega'/omega as omega goes to 0: finite for information exponent 2, 0 above."""
        return self.growth_at(NEAR) / NEAR

    def hitting_time(self, start: Array, level: float) -> Array:
        """When omega reaches `level` from each start, if it grows all the way; 0 if it is there already.

        Every start has a clock of its own, ln(omega/sqrt(1 - omega^2)), stretched so that all of them arrive together:
        slow starts and quick ones then cost the same steps. Time is one more coordinate.
        """
        _check_starts(self.task, start)
        omega = self.task.overlap(start)
        if not (omega > 0).all() or not 0 < level < 1:
            raise InputError(
                f"starts must have a positive overlap and the level lie between 0 and 1, but the lowest overlap is "
                f"{omega.min():.3g} and the level {level:g}"
            )
        times = np.zeros(len(start))
        on_way = omega < level
        if on_way.any():
            times[on_way] = self._times_on_way(start[on_way], level)
        return times

    def _times_on_way(self, start: Array, level: float) -> Array:
        count, width = start.shape
        stretch = _clock(np.full(count, level)) - _clock(self.task.overlap(start))

        def speeds(share: float, state: Array) -> Array:  # noqa: ARG001
            w = state.reshape(count, width + 1)[:, :width]
            speed, omega = self.velocity(w), self.task.overlap(w)
            clock = stretch * omega * (1.0 - omega**2) / self.growth(w, speed)
            return np.column_stack([speed * clock[:, None], clock]).ravel()

        first = np.column_stack([start, np.zeros(count)])
        # Looser than a path: averages of order omega^(k-1) carry the rounding of the integrals.
        rtol = 10 * TOLERANCE
        floor = rtol * np.column_stack([100 * np.abs(start) + 1e-7, np.ones(count)]).ravel()
        solved = scipy.integrate.solve_ivp(
            speeds, (0.0, 1.0), first.ravel(), method="LSODA", lband=width, uband=width, rtol=rtol, atol=floor
        )
        if not solved.success:
            raise RuntimeError(f"the flow could not be followed: {solved.message}")
        return np.asarray(solved.y[:, -1].reshape(count, width + 1)[:, width])


def _check_starts(task: FlowTask, start: Array) -> None:
    if np.ndim(start) != 2 or start.shape[1] != task.coordinates or not np.isfinite(start).all():
        raise InputError(
            f"starts must be finite and of shape (B, {task.coordinates}), the task's coordinates, not {shown(start)}"
        )


def _clock(omega: Array) -> Array:
    return np.asarray(np.log(omega) - 0.5 * np.log((1.0 - omega) * (1.0 + omega)))


def _error_averages(task: FlowTask, scale: Array, omega: Array, rest: Array) -> tuple[Array, Array]:
    """E[e sigma'(s u) u] and E[e sigma'(s u) z] for each start, e = g(omega u + rest z) - sigma(s u)."""
    kinks = np.array([0.0, *(k for k in task.activation.kinks if k != 0.0)])
    nodes, weights = cut_panels(np.array([-REACH, REACH]), kinks / scale[:, None], ORDER)
    u = nodes.reshape(len(scale), -1)
    mass = weights.reshape(u.shape) * np.exp(-0.5 * u**2) / sqrt(2.0 * np.pi)
    value, slope = task.activation.value_and_derivative(scale[:, None] * u)
    z, z_mass = task.z_rule
    field = (omega[:, None] * u)[:, :, None] + rest[:, None, None] * z
    labels = task.target(field.reshape(-1, 1)).reshape(field.shape)
    weighted = mass * slope
    by_u = np.einsum("bu,bu->b", weighted * u, labels @ z_mass - value)
    by_z = np.einsum("bu,bu->b", weighted, labels @ (z_mass * z))
    return by_u, by_z
