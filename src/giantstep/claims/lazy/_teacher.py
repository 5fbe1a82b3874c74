"""What the claims on two-layer networks share: the teacher, the sizes that make sense, and one training."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims.refusals import refuse_odd
from giantstep.errors import InputError
from giantstep.problems import Activation

STOP = 1e-3  # training ends at |f - y| = STOP |y|
CONVENTION = "loss (1/2) sum over samples of (f - y)^2; f = (alpha^2/m) sum of neurons with w ~ N(0, I/d), v ~ N(0, 1)"
MOST_ENTRIES = 4e7  # of a matrix samples x neurons


def teacher(activation: Activation, x: Array, rank: int) -> Array:
    """y = s(x_1) - s(x_2) + s(x_3) - ...: neurons of unit weight along the first axes, of alternating signs."""
    return np.asarray(activation(x[:, :rank]) @ signs(rank))


def signs(rank: int) -> Array:
    return np.where(np.arange(rank) % 2, -1.0, 1.0)


def relative_error(outputs: Array, labels: Array) -> float:
    """The mean squared error over the labels' second moment."""
    return float(np.mean((outputs - labels) ** 2) / np.mean(labels**2))


def refuse_impossible_nets(samples: int, neurons: int, doubled: bool) -> None:
    if doubled:
        refuse_odd("neurons", neurons)
    if samples * max(samples, neurons) > MOST_ENTRIES:
        raise InputError(
            f"{samples} samples and {neurons} neurons are too many to train to the end; samples times the larger of "
            f"both must be at most {MOST_ENTRIES:g}"
        )
