"""The settings at which dklps23/sgd-limit looks, as differences from its defaults, and its start."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array

ERF = "erf(z/sqrt(2))"
COMMITTEE = {"target": "(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2", "activation": ERF, "neurons": 2}
RELU = {"target": "(relu(x1) + relu(x2))/2", "activation": "relu", "neurons": 2, "step": 2, "time": 40}
NOISY = {"noise": 0.5, "time": 15}
ESCAPE = {"constraint": "sphere", "neurons": 1, "replicas": 256}
LINEAR = {**ESCAPE, "target": "x1", "activation": ERF, "step": 0.5, "d": 256}
SQUARE = {**ESCAPE, "target": "He2(x1)/sqrt(2)", "activation": "relu", "step": 0.3, "d": 256}
CUBIC = {**ESCAPE, "target": "-He3(x1)/sqrt(6)", "activation": "sin(sqrt(3)*z)", "step": 0.2, "d": 64}


def start_at(overlap: float, neurons: int, directions: int) -> tuple[Array, Array]:
    """M and Q of unit neurons, number i with this overlap with direction i modulo r, else orthogonal."""
    m = overlap * np.eye(directions)[np.arange(neurons) % directions]
    return m, (1 - overlap**2) * np.eye(neurons) + m @ m.T
