"""One verb for a giant step, whatever the engine: a state and a sample in, the next state and what was seen out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from giantstep.learners.engines.blocks import Progress
from giantstep.learners.engines.full import full_gradient
from giantstep.learners.engines.giant_step import GiantStep, StepInfo, check_step
from giantstep.learners.engines.reduced import ReducedState, reduced_gradient
from giantstep.learners.networks.network import Network
from giantstep.problems import Sample

State = TypeVar("State", bound=Network | ReducedState)


def first_layer_gradient(
    state: Network | ReducedState, sample: Sample, *, threads: int = 1, progress: Progress | None = None
) -> StepInfo:
    """What `take_step` sees, g_i for every neuron: one pass over the sample serves every step size.

    Args:
        state: a network (full engine) or a reduced state.
        sample: n labelled inputs in dimension d. The reduced engine takes from `problem.sample(n, streams)` the
            problem, n, the streams and the number type, and draws what it needs of such a batch itself.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done after each block.
    """
    if isinstance(state, ReducedState):
        return reduced_gradient(state, sample, threads=threads, progress=progress)
    return full_gradient(state, sample, threads=threads, progress=progress)


def apply_gradient(state: State, seen: StepInfo, step: GiantStep) -> State:
    """The next state, w_i + s a_i g_i.

    Args:
        state: the network or reduced state whose gradients were `seen`.
        seen: what `first_layer_gradient` gave.
        step: the size of the step, in a convention that fits the network's scaling.
    """
    check_step(step).convention.check(state.scaling)
    change = (step.multiplier(state.neurons) * state.second_layer)[:, None] * seen.gradient
    return cast(State, state.moved_by(change))


def take_step(
    state: State, sample: Sample, step: GiantStep, *, threads: int = 1, progress: Progress | None = None
) -> tuple[State, StepInfo]:
    """One step on one sample: the next state, and what the step saw.

    Args:
        state: a network (full engine) or a reduced state, which has the same law at a cost that does not know d.
        sample: n labelled inputs in dimension d, as `problem.sample(n, streams)`. Give the same sample again for a
            second step of a network on the same batch; a reduced state needs a fresh one, other streams, each time.
        step: the size of the step, in a named convention.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done after each block.
    """
    check_step(step).convention.check(state.scaling)
    seen = first_layer_gradient(state, sample, threads=threads, progress=progress)
    return apply_gradient(state, seen, step), seen


def take_steps(
    state: State, batches: Sequence[Sample], step: GiantStep, *, threads: int = 1, progress: Progress | None = None
) -> list[State]:
    """The states at the start and after each step, one step on each of the batches.

    Args:
        state: the start, as for `take_step`.
        batches: the samples, one for each step.
        step: the size of every step, in a named convention.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done of all steps, after each block.
    """

    def part(number: int) -> Progress | None:
        return None if progress is None else lambda done: progress((number + done) / len(batches))

    states = [state]
    for number, sample in enumerate(batches):
        states.append(take_step(states[-1], sample, step, threads=threads, progress=part(number))[0])
    return states
