"""One-pass SGD, one fresh sample a step, for many replicas at once: exact in law, at a cost that does not know d.

    w_i <- w_i + c_i x,   c_i = s a_i (y - f(x)) sigma'(<w_i, x>),   x ~ N(0, I_d)                    [saad95]

Write w_i = (M_i, L_i) with M_i in the target's r directions and L_i in p axes that span the rest of the weights. In
these axes x = (x_V, g), and rho^2 ~ chi^2_{d-r-p} is the squared length of what is left of x, in one more axis. The
step changes the Gram matrix of the rest to L (I + u g^T + g u^T + (|g|^2 + rho^2) u u^T) L^T with L u = c, which is
that of

    L' = L + c v^T,   v = g + u rho^2 / (1 + g.u + root),   root^2 = (1 + g.u)^2 + rho^2 |u|^2,

so that p axes are enough for ever. The inverse, which u needs, follows: N' = N - u (v^T N) / root, N = L^-1. With the
root of the sign of 1 + g.u nothing cancels. (Derived.) Arrays have the replicas as their last axis; no Python work is
done per replica.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.engines.giant_step import check_finite
from giantstep.learners.engines.online.replicas import OnlineState
from giantstep.learners.trajectory import in_blocks, run
from giantstep.problems import Problem
from giantstep.problems.inputs import Isotropic
from giantstep.streams import Streams

if TYPE_CHECKING:
    from giantstep.problems import Activation

BLOCK_STEPS = 256
"""Steps whose samples are drawn together; after each block the inverse is computed afresh."""


@dataclass(frozen=True, eq=False)
class OnlineSGD:
    """One-pass SGD of many replicas, a dynamics for `run`: starts and states are `OnlineState`, times are numbers of
    steps. Samples are drawn in blocks that end at the times asked for, so that other times draw other samples.

    Args:
        problem: what is learned; isotropic inputs in the dimension of the start.
        step: s of the step above.
        streams: where the samples are drawn from.
        sphere: divide every neuron by its length after each step.
    """

    problem: Problem
    step: float
    streams: Streams
    sphere: bool = False

    def states(self, start: OnlineState, times: Sequence[float]) -> Iterator[OnlineState]:
        self._check(start)
        generator = self.streams.child("samples").generator()

        def block(state: OnlineState, steps: int) -> OnlineState:
            return _block(state, self.step, *self._samples(generator, steps, start), self.sphere)

        return in_blocks(start, times, BLOCK_STEPS, block)

    def _samples(self, generator: np.random.Generator, steps: int, start: OnlineState) -> tuple[Array, Array, Array]:
        """Coordinates z of so many samples, the squared length of the rest, and labels: one of each a replica."""
        axes, shape = start.neurons + start.directions, (steps, start.replicas)
        z = generator.standard_normal((steps, axes, start.replicas))
        rest = generator.chisquare(start.d - axes, shape) if start.d > axes else np.zeros(shape)
        labels = np.array(self.problem.target(np.moveaxis(z[:, : start.directions], 1, -1)))
        if self.problem.noise:
            labels += self.problem.noise * generator.standard_normal(labels.shape)
        return z, rest, labels

    def _check(self, start: OnlineState) -> None:
        problem = self.problem
        if problem.d != start.d or problem.target.directions > start.directions:
            raise InputError(f"the problem has d = {problem.d}, the state d = {start.d}: they must match")
        if not isinstance(problem.inputs, Isotropic):
            raise InputError("one-pass SGD on order parameters needs isotropic Gaussian inputs")


def escape_steps(
    dynamics: OnlineSGD, start: OnlineState, level: float, steps: int, progress: Callable[[float], None] | None = None
) -> int:
    """The steps after which half of the replicas of one neuron have had an |<w, e_1>| of `level`.

    Args:
        dynamics: SGD, on the sphere.
        start: the replicas, of one neuron each.
        level: the overlap that counts as an escape, between 0 and 1.
        steps: the most steps; the run is refused if they are not enough.
        progress: is told the share of `steps` that is done.
    """
    if start.neurons != 1:
        raise InputError(f"escape is that of one neuron, not of {start.neurons}")
    best, done, found = np.abs(start.overlaps[0, 0]), 0, -1
    wanted = (start.replicas + 1) // 2

    def has_escaped(state: OnlineState) -> bool:
        nonlocal best, done, found
        assert state.course is not None
        reached = np.maximum.accumulate(np.vstack([best[None], np.abs(state.course)]), axis=0)
        enough = (reached >= level).sum(axis=1) >= wanted
        if enough.any():
            found = done + int(np.argmax(enough))
        best, done = reached[-1], done + len(state.course)
        return found >= 0

    blocks = [*range(BLOCK_STEPS, steps, BLOCK_STEPS), steps]
    if not run(dynamics, start, times=blocks, stop=has_escaped, progress=progress).stopped:
        raise InputError(f"half of the replicas had not escaped after {steps} steps; take a smaller step")
    return found


def _block(state: OnlineState, step: float, z: Array, rest: Array, labels: Array, sphere: bool) -> OnlineState:
    """Some steps on given samples; z is overwritten."""
    r, weights = state.directions, state.coordinates.copy()
    second = state.second_layer
    output, move_by = state.scaling.factor(state.neurons) * second, (step * second)[:, None]
    advance = _advance_one if state.neurons == 1 else _advance
    inverse = _inverses(weights[:, r:])
    course = np.empty_like(labels)
    both = value_and_slope(state.activation)
    for t, sample in enumerate(z):
        fields = np.einsum("ikr,kr->ir", weights, sample)
        values, slopes = both(fields)
        change = slopes * (labels[t] - output @ values)
        change *= move_by
        advance(weights, inverse, sample, change, rest[t], r)
        if sphere:
            norm = np.sqrt(np.einsum("ikr,ikr->ir", weights, weights))
            weights /= norm[:, None]
            inverse *= norm
        course[t] = weights[0, 0]
    check_finite(weights)
    return replace(state, coordinates=weights, course=course)


def _advance(weights: Array, inverse: Array, sample: Array, change: Array, rest: Array, r: int) -> None:
    """The step in place: x becomes (x_V, v), then all weights move along it, and the inverse follows."""
    g = sample[r:]
    u = np.einsum("ijr,jr->ir", inverse, change)
    forward = 1.0 + np.einsum("ir,ir->r", g, u)
    root = np.copysign(np.sqrt(forward * forward + rest * np.einsum("ir,ir->r", u, u)), forward)
    g += u * (rest / (forward + root))
    weights += change[:, None] * sample
    u /= root
    inverse -= u[:, None] * np.einsum("jr,jkr->kr", g, inverse)


def _advance_one(weights: Array, inverse: Array, sample: Array, change: Array, rest: Array, r: int) -> None:  # noqa: ARG001
    """The same for one neuron, whose rest is a length: L' = sqrt((L + c g)^2 + c^2 rho^2). No inverse is needed."""
    weights += change[:, None] * sample
    weights[0, r] = np.sqrt(weights[0, r] ** 2 + change[0] ** 2 * rest)


def value_and_slope(activation: Activation) -> Callable[[Array], tuple[Array, Array]]:
    """sigma and sigma' on arrays; a single elementary term is called directly, for reading the text's tree at every
    step would cost more than all the rest of it."""
    term = activation.terms[0] if activation.terms is not None and len(activation.terms) == 1 else None
    if term is None or term.family not in ("erf", "sin", "cos"):
        return activation.value_and_derivative
    size, scale = term.coefficient, term.scale
    slope = size * scale * (2 / np.sqrt(np.pi) if term.family == "erf" else 1.0)

    def erf_pair(h: Array) -> tuple[Array, Array]:
        scaled = scale * h
        return size * scipy.special.erf(scaled), slope * np.exp(-scaled * scaled)

    def sin_pair(h: Array) -> tuple[Array, Array]:
        scaled = scale * h
        return size * np.sin(scaled), slope * np.cos(scaled)

    def cos_pair(h: Array) -> tuple[Array, Array]:
        scaled = scale * h
        return size * np.cos(scaled), -slope * np.sin(scaled)

    return {"erf": erf_pair, "sin": sin_pair, "cos": cos_pair}[term.family]


def _inverses(rest: Array) -> Array:
    if len(rest) == 1:
        return np.ones_like(rest)
    try:
        return np.ascontiguousarray(np.moveaxis(np.linalg.inv(np.moveaxis(rest, -1, 0)), 0, -1))
    except np.linalg.LinAlgError:
        raise InputError("two neurons are equal or lie in the target's directions; start with different ones") from None
