"""What trained networks of [dls22] are compared with: features that learn nothing, and kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.kernels.wide import kernel_ridge
from giantstep.learners.kernels.with_biases import BiasedKernel, kernel_risks
from giantstep.learners.networks.initialisation import DLS22, initialise
from giantstep.learners.networks.network import Network
from giantstep.problems import Activation, Problem, Sample, whole
from giantstep.streams import Streams


def random_features(activation: Activation, d: int, neurons: int, streams: Streams) -> Network:
    """Neurons that learn nothing: unit vectors with biases N(0, 1), drawn one by one.

    Args:
        activation: sigma.
        d: the dimension of the inputs.
        neurons: N.
        streams: where weights and biases are drawn from.
    """
    return initialise(
        replace(DLS22, paired=False, biases="gaussian"), activation, d, neurons, streams.child("random features")
    )


def least_kernel_risk(kernel: BiasedKernel, problem: Problem, sample: Sample, ridge: Array) -> float:
    """The smallest exact risk on `problem` of ridge regression on a `kernel`, fitted to a `sample`, over the penalties
    `ridge` of K + rho, (L,): the best one in hindsight."""
    x, y = whole(sample)
    return float(np.min(kernel_risks(kernel, x, kernel_ridge(kernel.matrix(x), y, ridge), problem)))
