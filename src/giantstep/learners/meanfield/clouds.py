"""What is seen of interacting particles: how far networks are from a limit, their law, and its energies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.meanfield.energies import entropy, free_energy, gibbs_divergence, gibbs_free_energy
from giantstep.learners.meanfield.interacting import InteractingParticles, ParticleStart, ParticleTask
from giantstep.learners.trajectory import run
from giantstep.streams import Streams


@dataclass(frozen=True, eq=False, repr=False)
class Cloud:
    """All particles of many copies of a network at one time.

    Args:
        task: what they learn.
        weights: w, (copies, N).
        outputs: each copy's f(x_k), (copies, n).
    """

    task: ParticleTask
    weights: Array
    outputs: Array

    def squared_errors(self, outputs: Array) -> Array:
        """Each copy's squared distance from these `outputs` (n,), mean over data points: (copies,)."""
        return np.asarray(np.mean((self.outputs - outputs) ** 2, axis=1))

    def log_error(self, outputs: Array) -> float:
        """The logarithm of the expected squared error: that of a mean is low by half its relative variance."""
        errors = self.squared_errors(outputs)
        mean = float(errors.mean())
        return log(mean) + float(errors.var(ddof=1)) / (2 * len(errors) * mean**2)

    @property
    def variance(self) -> float:
        """Var sigma(w x_k) over all particles, mean over data points."""
        fields = np.multiply.outer(self.weights.reshape(-1), self.task.inputs)
        return float(np.var(self.task.activation(fields), axis=0).mean())

    def shares(self, edges: Array) -> Array:
        """The share of all particles between neighbouring `edges`."""
        return np.asarray(np.histogram(self.weights, edges)[0] / self.weights.size)

    def energies(self, rest_outputs: Array) -> tuple[float, float, float]:
        """The free energy above that of the rest, which has `rest_outputs` (n,); lambda KL(mu | rest); and
        lambda KL(mu | Gibbs(mu))."""
        task, weights, negentropy = self.task, self.weights, entropy(self.weights)
        excess = free_energy(task, weights, negentropy) - gibbs_free_energy(task, rest_outputs)
        low, high = (
            gibbs_divergence(task, weights, negentropy, outputs)
            for outputs in (rest_outputs, task.outputs(weights.reshape(-1)))
        )
        return excess, low, high

    def __repr__(self) -> str:
        copies, neurons = self.weights.shape
        return f"Cloud({copies} copies of N={neurons})"


def particle_clouds(
    task: ParticleTask, start: ParticleStart, step: float, times: Sequence[int], streams: Streams
) -> dict[int, Cloud]:
    """One trajectory of interacting particles, seen after each of several numbers of steps.

    Args:
        task: what the particles learn.
        start: how many copies of how many neurons, and the spread of their weights.
        step: h.
        times: the numbers of steps, increasing.
        streams: where the start and the noise are drawn from.
    """
    dynamics = InteractingParticles(task, step, streams)
    seen = run(dynamics, start, times=times, watch=("weights", "outputs"))
    return {t: Cloud(task, seen["weights"][k], seen["outputs"][k]) for k, t in enumerate(times)}
