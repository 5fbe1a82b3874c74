"""Networks before and after giant steps on a table, and the features that a head reads.

A step moves the weights along the gradient of the correlation with labels y, per neuron i with its sign a_i,

    w_i <- w_i + step a_i g_i/|g|,    g_i = sum_m s_m y_m sigma'(<w_i, x_m> + b_i) x_m,    |g|^2 = mean |g_i|^2,

with |g| of the first step in all: `step` is the length of the first move in lengths of the weights. The neurons use
w_i over the mean length of all: weight decay, as in Algorithm 1 of [dls22], which is the limit of large steps. With
several labels each neuron follows one of them, dealt in turn. The first step follows the labels; a later one what the
best head on the present features leaves of them, by its errors on rows that it was fitted without: what is linear
given what was found before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.heads import ValidatedHead, validated_head
from giantstep.learners.networks import Initialisation, Network, Scaling, initialise
from giantstep.problems import Activation, ArraySample
from giantstep.streams import Streams

START = Initialisation("sphere", "signs", biases="gaussian", scaling=Scaling.UNIT)
"""Unit weights, random signs, Gaussian biases: local fields of whitened rows have variance 1."""


@dataclass(frozen=True, eq=False)
class Features:
    """What a head reads of whitened rows: the neurons, and beside them the rows themselves.

    Args:
        network: the neurons, N of them.
        walked: their weights before they are brought to mean length 1, (N, r).
        unit: |g| of the first step; None before it.
        step: the size of the steps taken; 0 for random features.
        steps: their number.
    """

    network: Network
    walked: Array
    unit: float | None = None
    step: float = 0.0
    steps: int = 0

    def __call__(self, rows: Floats) -> Floats:
        """(n, N + r) for rows (n, r): the rows weigh as much as all neurons together."""
        net = self.network
        size = rows.dtype.type(np.sqrt(net.neurons / net.d))
        return np.hstack([net.features(rows).astype(rows.dtype, copy=False), rows * size])


def random_features(activation: Activation, d: int, neurons: int, streams: Streams) -> Features:
    """The network before any step."""
    network = initialise(START, activation, d, neurons, streams)
    return Features(network, network.weights)


def moved(features: Features, rows: Floats, labels: Array, share: Array, step: float) -> Features:
    """The features after one more step on `labels` (n, k) of rows (n, r) with shares (n,)."""
    net, kinds = features.network, labels.shape[1]
    gradient = np.zeros_like(net.weights)
    for kind in range(min(kinds, net.neurons)):
        mine = slice(kind, None, kinds)
        assert net.biases is not None
        group = Network(
            net.weights[mine], np.zeros_like(net.biases[mine]), net.activation, net.scaling, net.biases[mine]
        )
        # The engine averages over rows: n times the share of each makes that the weighted sum.
        weighted = ArraySample(rows, len(rows) * share * labels[:, kind])
        gradient[mine] = first_layer_gradient(group, weighted).gradient
    unit = features.unit or float(np.sqrt((gradient**2).sum(axis=1).mean()))
    walked = features.walked + (step / unit if unit else 0.0) * net.second_layer[:, None] * gradient
    network = net.with_weights(walked / np.sqrt((walked**2).sum(axis=1).mean()))
    return Features(network, walked, unit, step, features.steps + 1)


def next_step(features: Features, rows: Floats, labels: Array, share: Array, step: float, ridge: Array) -> Features:
    """The first step on the labels, or a later one on what the head leaves of them, out of sample."""
    if features.steps:
        head = validated_head(features(rows), labels, ridge, weights=share)
        labels = head.held_out[row_errors(head).sum(axis=1).argmin()]
    return moved(replace(features, step=step), rows, labels, share, step)


def row_errors(head: ValidatedHead) -> Array:
    """Squared held-out errors of the rows, summed over labels, for each penalty, (L, n)."""
    return np.asarray((head.held_out**2).sum(axis=2))
