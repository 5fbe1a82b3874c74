"""The free energy of a cloud of particles, estimated from the particles alone.

    F_lambda(mu) = (1/2n) sum_k (f(x_k) - y_k)^2 + (r/2) E w^2 + lambda int mu log mu

All but the entropy are means over particles. The entropy is that of m-spacings of the sorted particles,

    int mu log mu ~ psi(m) - (1/(M - m)) sum_i log((M + 1) (w_(i+m) - w_(i))),

whose bias is of order (m/M) log M, from the tails, where spacings are wide (measured: about half of that for normal
laws). The divergence from a Gibbs measure exp(-V/lambda)/Z needs the mean of V and Z, an integral over a line.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.meanfield.interacting import ParticleTask

SPACING = 3  # m: larger ones are less noisy, but see less of the tails
LINE_POINTS = 8001
DEEP = 60.0  # of V/lambda above its minimum: mass beyond is nothing


def entropy(weights: Array, spacing: int = SPACING) -> float:
    """int mu log mu of the law that the `weights`, an array of any shape, are drawn from; `spacing` is m."""
    ordered = np.sort(weights, axis=None)
    count = ordered.size
    if count <= 2 * spacing:
        raise InputError(f"{count} particles are too few for an entropy from spacings of {spacing}")
    gaps = np.maximum(ordered[spacing:] - ordered[:-spacing], 1e-300)
    return float(scipy.special.digamma(spacing) - np.mean(np.log(gaps)) - log(count + 1))


def entropy_bias(count: int, spacing: int = SPACING) -> float:
    """A bound on the error in the mean of `entropy` from `count` particles with this `spacing`, for laws with tails
    like normal ones."""
    return spacing * log(count) / count


def free_energy(task: ParticleTask, weights: Array, negentropy: float) -> float:
    """F_lambda of the particles' `weights`, (copies, N), that learn `task`, given `negentropy`, int mu log mu."""
    outputs = task.outputs(weights.reshape(-1))
    loss = float(np.mean((outputs - task.labels) ** 2)) / 2
    return loss + task.ridge / 2 * float(np.mean(weights**2)) + task.temperature * negentropy


def log_partition(task: ParticleTask, outputs: Array) -> float:
    """log Z of exp(-V/lambda)/Z, V that of outputs f(x_k)."""
    steep = float(np.max(np.abs(task.activation.derivative(np.linspace(-20.0, 20.0, 801)))))
    pull = steep * float(np.mean(np.abs((outputs - task.labels) * task.inputs)))
    end = 2 * pull / task.ridge + sqrt(2 * DEEP * task.temperature / task.ridge)
    line = np.linspace(-end, end, LINE_POINTS)
    exponent = -task.potential(line, outputs) / task.temperature
    return float(scipy.special.logsumexp(exponent)) + log(line[1] - line[0])


def gibbs_divergence(task: ParticleTask, weights: Array, negentropy: float, outputs: Array) -> float:
    """lambda KL(mu | exp(-V/lambda)/Z), V that of `outputs` f(x_k), (n,), in `task`; mu is given by its particles'
    `weights` and its `negentropy`, int mu log mu."""
    mean = float(np.mean(task.potential(weights.reshape(-1), outputs)))
    return task.temperature * (negentropy + log_partition(task, outputs)) + mean


def gibbs_free_energy(task: ParticleTask, outputs: Array) -> float:
    """F_lambda of the measure with `outputs` f(x_k), (n,), in `task` that is its own Gibbs measure: from E V and log Z,
    -(1/2n) sum_k (f_k^2 - y_k^2) - lambda log Z."""
    loss = float(np.mean(task.labels**2 - outputs**2)) / 2
    return loss - task.temperature * log_partition(task, outputs)
