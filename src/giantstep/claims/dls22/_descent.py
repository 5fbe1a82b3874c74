"""Gradient descent on a head for T = 1/(eta lambda) steps: what is left of the way, and how long the head is then."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.heads import GradientHead, fit_head
from giantstep.learners.networks import Network
from giantstep.problems import Sample, whole

ENDLESS = 10**9


def descent_of(net: Network, sample: Sample, decay: float) -> tuple[float, float]:
    """|a_T - a|/|a_0 - a| from the head that `net` has, and |a_T|/|a| from a_0 = 0, on this `sample`, where a is what
    endless descent with this `decay` lambda comes to and T = 1/(eta lambda), eta one over the largest curvature."""
    x, _ = whole(sample)
    psi = net.activation(x @ net.weights.T + (0.0 if net.biases is None else net.biases))
    steps = math.ceil(float(np.linalg.eigvalsh(psi.T @ psi / len(x))[-1]) / decay) + 1

    def after(start: Network, number: int) -> Array:
        return np.asarray(fit_head(start, sample, GradientHead(number, decay)).coefficients[0])

    limit, silent = after(net, ENDLESS), replace(net, second_layer=np.zeros(net.neurons))
    left = np.linalg.norm(after(net, steps) - limit) / np.linalg.norm(net.coefficients - limit)
    return float(left), float(np.linalg.norm(after(silent, steps)) / np.linalg.norm(limit))
