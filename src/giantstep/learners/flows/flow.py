"""Gradient flows of one neuron, from many starts at once: spherical, normalised, preconditioned; population or data.

    spherical:       f = sigma(<x, w>),                     w' = -(I - w w^T) grad E(f - y)^2,   |w| = 1
    normalised:      f = sigma(<x, w>/|Sigma^(1/2) w|),     w' = -<w, Sigma w> grad E(f - y)^2
    preconditioned:  the normalised one with Sigma^-1 in front of the gradient [mws23]

where y = g(<x, beta>/sqrt(kappa)) and x ~ N(0, Sigma) as in `flow_task`. For the population risk, with u = <x, w>/s of
variance 1 and z the part of <x, beta>/sqrt(kappa) that is independent of u,

    E[x | u, z] = (Sigma w/s) u + t z,     t = (Sigma beta/sqrt(kappa) - omega Sigma w/s)/sqrt(1 - omega^2),

and the two averages E[e sigma' u], E[e sigma' z] of the error e = y - f are integrals over (u, z), taken by quadrature
with the kinks of sigma as edges. On data, averages are over samples and Sigma is the sample covariance.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from giantstep.arrays import Array
from giantstep.checks import real_number, shown, whole_number
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import cut_panels
from giantstep.learners.flows.task import FlowTask
from giantstep.problems import Activation

REACH = 9.0  # standard deviations of u that are integrated over
ORDER = 28  # nodes between two edges
TOLERANCE = 1e-6
NEAR = 1e-6  # an overlap near the equator


@dataclass(frozen=True)
class Flow:
    """One of the flows above.

    >>> Flow("normalised", preconditioned=True)
    Flow(kind='normalised', preconditioned=True)
    """

    kind: Literal["spherical", "normalised"] = "normalised"
    preconditioned: bool = False

    def __post_init__(self) -> None:
        if self.kind not in ("spherical", "normalised"):
            raise InputError(f"kind = {shown(self.kind)} is not allowed; a flow is 'spherical' or 'normalised'")
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

    def growth(self, task: FlowTask, w: Array, speed: Array | None = None) -> Array:
        """omega' of the population flow for each row of w."""
        speed = self.velocity(task, w) if speed is None else speed
        size = task.size(w)
        turning = np.einsum("bi,bi->b", speed, task.coloured(w)) / size
        return np.asarray((speed @ task.towards - task.overlap(w) * turning) / size)

    def run(self, task: FlowTask, start: Array, times: Array) -> Array:
        """The population flow at `times` (from 0 on), all starts as one system: (times, starts, D)."""
        _check_starts(task, start)
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

    def growth_at(self, task: FlowTask, omega: float) -> float:
        """omega' where w has this overlap, and apart from the target's direction lies off the spike."""
        w = np.zeros((1, task.coordinates))
        w[0, 0], w[0, 2] = omega / sqrt(task.kappa), sqrt((1.0 - omega) * (1.0 + omega))
        return float(self.growth(task, w)[0])

    def rate(self, task: FlowTask) -> float:
        """omega'/omega as omega goes to 0: finite for information exponent 2, 0 above."""
        return self.growth_at(task, NEAR) / NEAR

    def hitting_time(self, task: FlowTask, start: Array, level: float) -> Array:
        """When omega reaches `level` from each start, if it grows all the way; 0 if it is there already.

        Every start has a clock of its own, ln(omega/sqrt(1 - omega^2)), stretched so that all of them arrive together:
        slow starts and quick ones then cost the same steps. Time is one more coordinate.
        """
        _check_starts(task, start)
        omega = task.overlap(start)
        if not (omega > 0).all() or not 0 < level < 1:
            raise InputError(
                f"starts must have a positive overlap and the level lie between 0 and 1, but the lowest overlap is "
                f"{omega.min():.3g} and the level {level:g}"
            )
        times = np.zeros(len(start))
        on_way = omega < level
        if on_way.any():
            times[on_way] = self._times_on_way(task, start[on_way], level)
        return times

    def _times_on_way(self, task: FlowTask, start: Array, level: float) -> Array:
        count, width = start.shape
        stretch = _clock(np.full(count, level)) - _clock(task.overlap(start))

        def speeds(share: float, state: Array) -> Array:  # noqa: ARG001
            w = state.reshape(count, width + 1)[:, :width]
            speed, omega = self.velocity(task, w), task.overlap(w)
            clock = stretch * omega * (1.0 - omega**2) / self.growth(task, w, speed)
            return np.column_stack([speed * clock[:, None], clock]).ravel()

        first = np.column_stack([start, np.zeros(count)])
        # Looser than a path: averages of order omega^(k-1) carry the rounding of the integrals.
        rtol = 10 * TOLERANCE
        floor = rtol * np.column_stack([100 * np.abs(start) + 1e-7, np.ones(count)]).ravel()
        solved = solve_ivp(
            speeds, (0.0, 1.0), first.ravel(), method="LSODA", lband=width, uband=width, rtol=rtol, atol=floor
        )
        if not solved.success:
            raise RuntimeError(f"the flow could not be followed: {solved.message}")
        return np.asarray(solved.y[:, -1].reshape(count, width + 1)[:, width])

    def descend(
        self, activation: Activation, x: Array, y: Array, start: Array, step: float, steps: int, every: int = 1
    ) -> Array:
        """Gradient descent on n samples from all starts: w after 0, every, 2 every, ... steps, (times, starts, d).

        The spherical step is projected back to the sphere; normalised ones keep <w, Sigma_n w> = 1, which is no
        restriction: f and the direction of w' do not depend on the length of w.
        """
        _check_data(x, y, start)
        real_number("step", step)
        steps, every = whole_number("steps", steps), whole_number("every", every)
        covariance = x.T @ x / len(x)
        factor = self._factor(covariance, len(x))
        w = start / self._length(start, covariance)
        seen = [w]
        for iteration in range(1, steps + 1):
            u = x @ w.T
            value, slope = activation.value_and_derivative(u)
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

    def _factor(self, covariance: Array, samples: int) -> tuple[Array, bool] | None:
        if not self.preconditioned:
            return None
        try:
            factor, lower = cho_factor(covariance)
        except LinAlgError:
            raise InputError(
                f"the covariance of {samples} samples in {len(covariance)} dimensions is singular, but the "
                "preconditioner inverts it: give more samples, or take the flow without preconditioner"
            ) from None
        return factor, lower

    def _length(self, w: Array, covariance: Array) -> Array:
        metric = w if self.kind == "spherical" else w @ covariance
        return np.asarray(np.sqrt(np.einsum("bi,bi->b", w, metric))[:, None])


def _check_starts(task: FlowTask, start: Array) -> None:
    if np.ndim(start) != 2 or start.shape[1] != task.coordinates or not np.isfinite(start).all():
        raise InputError(
            f"starts must be finite and of shape (B, {task.coordinates}), the task's coordinates, not {shown(start)}"
        )


def _check_data(x: Array, y: Array, start: Array) -> None:
    if x.ndim != 2 or y.shape != x.shape[:1] or start.ndim != 2 or start.shape[1:] != x.shape[1:]:
        raise InputError(
            f"inputs (n, d), labels (n,) and starts (B, d) do not fit together: {x.shape}, {y.shape} and {start.shape}"
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all() and np.isfinite(start).all()):
        raise InputError("inputs, labels and starts must be finite")


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
