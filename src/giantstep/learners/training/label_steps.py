"""One step of the first layer on the labels alone, the same second layer for all neurons ([cui24]):

    W1 = W0 + eta mean(y s'(W0 x) x^T).

The output of the network, which a gradient would subtract from the labels, is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.engines.blocks import Progress
from giantstep.learners.networks import Network
from giantstep.problems import Sample


@dataclass(frozen=True, eq=False, repr=False)
class LabelStep:
    """A network before the step and what its neurons saw: one pass over the sample serves every step size.

    Args:
        start: the network before the step.
        pull: mean(y s'(<w_i, x>) x) as rows, (N, d).
    """

    start: Network
    pull: Array

    @property
    def direction(self) -> Array:
        """The direction into which all neurons are pulled, (d,), a unit vector."""
        mean = self.pull.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean))

    def after(self, step: float) -> Network:
        """The network after a step of this size."""
        return replace(self.start, weights=self.start.weights + step * self.pull)

    def scaled(self, factors: Array) -> LabelStep:
        """The same where neuron i goes `factors`_i times as far, (N,): a second layer of different sizes."""
        return replace(self, pull=factors[:, None] * self.pull)

    def equally_long(self, step: float) -> Network:
        """The same, the part of each row beyond the common direction stretched to the mean squared length of all."""
        rows, v = self.after(step).weights, self.direction
        along = np.outer(rows @ v, v)
        beyond = rows - along
        squares = (beyond**2).sum(axis=1)
        return replace(self.start, weights=along + beyond * np.sqrt(squares.mean() / squares)[:, None])


def label_step(network: Network, sample: Sample, *, threads: int = 1, progress: Progress | None = None) -> LabelStep:
    """What the neurons of a network see of the labels, taken once for all step sizes.

    Args:
        network: the network before its step.
        sample: the samples of the step.
        threads: how many threads may work on it.
        progress: told the fraction done.
    """
    silent = replace(network, second_layer=np.zeros(network.neurons))
    return LabelStep(network, first_layer_gradient(silent, sample, threads=threads, progress=progress).gradient)
