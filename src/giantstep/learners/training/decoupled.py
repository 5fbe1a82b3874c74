"""The two-stage training of [dklps23]: T giant steps on fresh batches, then a ridge head on new data.

Steps are taken without biases, from a paired start. For the head each neuron gets a bias N(0, 1) of its own: without
them ReLU features are blind to odd degrees of three and more. Narrow networks (p well below d) run on the reduced
engine, wide ones on the full engine; what comes out is a network and a problem of the same law.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from giantstep.learners.engines.blocks import Progress
from giantstep.learners.engines.giant_step import GiantStep
from giantstep.learners.engines.reduced import ReducedState, initial_state
from giantstep.learners.engines.step import take_steps
from giantstep.learners.networks.initialisation import DKLPS23_GAUSSIAN, Initialisation, initialise
from giantstep.learners.networks.network import Network
from giantstep.problems import Problem
from giantstep.streams import Streams

if TYPE_CHECKING:
    from giantstep.problems import Activation

NARROW = 8
"""The reduced engine is used where d is at least this many times the number of neurons."""


def first_layer(
    problem: Problem,
    activation: Activation,
    samples: int,
    neurons: int,
    step: float,
    steps: int,
    streams: Streams,
    *,
    init: Initialisation = DKLPS23_GAUSSIAN,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[Network, Problem]:
    """The network after some steps w_i += s a_i g_i, with biases for the head, and the problem it sees.

    On the reduced engine both are in local coordinates: features and labels have the law of dimension d.

    Args:
        problem: what is learned, in dimension d.
        activation: sigma.
        samples: n of each step, fresh ones.
        neurons: p.
        step: s.
        steps: T.
        streams: where network, samples and biases are drawn from.
        init: how the network starts.
        threads: that work on blocks; the result does not depend on it.
        progress: is told the share that is done.
    """
    network, data = streams.child("network"), streams.child("step data")
    state: Network | ReducedState
    if NARROW * neurons <= problem.d:
        state = initial_state(init, activation, problem.d, neurons, problem.target.directions, network)
    else:
        state = initialise(init, activation, problem.d, neurons, network)
    batches = [problem.sample(samples, data.child(str(number))) for number in range(steps)]
    state = take_steps(state, batches, GiantStep(step), threads=threads, progress=progress)[-1]
    net, seen = (state.local, state.local_problem(problem)) if isinstance(state, ReducedState) else (state, problem)
    return replace(net, biases=streams.child("biases").generator().standard_normal(neurons)), seen
