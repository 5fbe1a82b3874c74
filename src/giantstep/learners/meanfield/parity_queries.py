"""Gradients of neurons on a parity of isotropic signs, in blocks of samples.

g = (1/n) sum_i y_i s'(<w, x_i>) x_i,     x uniform in {-1, 1}^d,  y = x_1 ... x_k .
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.problems import Activation
from giantstep.problems.inputs import ParityInputs
from giantstep.streams import Streams

BLOCK = 4096


def parity_gradients(activation: Activation, weights: Array, order: int, samples: int, streams: Streams) -> Array:
    """g of each neuron, (N, d).

    Args:
        activation: s.
        weights: w, (N, d).
        order: k.
        samples: n.
        streams: where the signs are drawn from.
    """
    generator, d, law = streams.generator(), weights.shape[1], ParityInputs(order)
    total = np.zeros_like(weights)
    with one_blas_thread():
        for begin in range(0, samples, BLOCK):
            x = law.draw(generator, min(BLOCK, samples - begin), d) * np.sqrt(d)
            slopes = activation.derivative(x @ weights.T)
            total += (slopes * x[:, :order].prod(axis=1)[:, None]).T @ x
    return total / samples
