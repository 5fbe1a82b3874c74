"""Replicas of a small network in coordinates that do not know d, and how they start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.draws import replicated_directions
from giantstep.learners.networks.conventions import Scaling
from giantstep.streams import Streams

if TYPE_CHECKING:
    from giantstep.problems import Activation


@dataclass(frozen=True, eq=False, repr=False)
class OnlineState:
    """Replicas of a network of p neurons in dimension d, known up to rotations that fix the target's directions.

    Args:
        coordinates: the weights in the target's r directions and in p further axes, (p, r + p, replicas).
        second_layer: a, (p,), the same in all replicas.
        activation: sigma.
        scaling: the factor of the output, f = factor * sum_i a_i sigma(<w_i, x>).
        d: the dimension of the inputs.
        course: <w_1, e_1> after each step of the last block of SGD, (steps, replicas); nothing at the start.
    """

    coordinates: Array
    second_layer: Array
    activation: Activation
    scaling: Scaling
    d: int
    course: Array | None = None

    def __post_init__(self) -> None:
        p, axes, _ = self.coordinates.shape
        if axes > self.d:
            raise InputError(
                f"{axes - p} directions and {p} neurons do not fit in d = {self.d}; d must be {axes} or more"
            )

    @property
    def neurons(self) -> int:
        return int(self.coordinates.shape[0])

    @property
    def directions(self) -> int:
        return int(self.coordinates.shape[1]) - self.neurons

    @property
    def replicas(self) -> int:
        return int(self.coordinates.shape[2])

    @property
    def overlaps(self) -> Array:
        """M = W W*^T, (p, r, replicas)."""
        return self.coordinates[:, : self.directions]

    @property
    def gram(self) -> Array:
        """Q = W W^T, (p, p, replicas)."""
        return np.asarray(np.einsum("ikr,jkr->ijr", self.coordinates, self.coordinates))

    def repeated(self, replicas: int) -> OnlineState:
        """So many replicas of the same start."""
        return replace(self, coordinates=np.repeat(self.coordinates[:, :, :1], replicas, axis=2))

    def __repr__(self) -> str:
        return (
            f"OnlineState(p={self.neurons}, r={self.directions}, d={self.d}, replicas={self.replicas}, "
            f"sigma={self.activation.text!r}, f = {self.scaling.value} * sum)"
        )


def replicas_at(
    overlaps: Array, gram: Array, activation: Activation, d: int, scaling: Scaling = Scaling.INVERSE_WIDTH
) -> OnlineState:
    """One replica with given order parameters; its second layer is of ones.

    Args:
        overlaps: M = W W*^T, (p, r).
        gram: Q = W W^T, (p, p), for which Q - M M^T is positive.
        activation: sigma.
        d: the dimension of the inputs.
        scaling: the factor of the output.
    """
    try:
        rest = np.linalg.cholesky(gram - overlaps @ overlaps.T)
    except np.linalg.LinAlgError:
        raise InputError(
            "these overlaps are too large for weights of these lengths; Q - M M^T must be positive"
        ) from None
    weights = np.hstack([overlaps, rest])[:, :, None]
    return OnlineState(weights, np.ones(len(gram)), activation, scaling, d)


def random_replicas(
    activation: Activation,
    d: int,
    neurons: int,
    directions: int,
    replicas: int,
    streams: Streams,
    *,
    upper: bool = False,
    scaling: Scaling = Scaling.INVERSE_WIDTH,
) -> OnlineState:
    """Neurons uniform on the unit sphere, drawn for each replica; the second layer is of ones.

    Args:
        activation: sigma.
        d: the dimension of the inputs.
        neurons: p.
        directions: r, of the target.
        replicas: how many.
        streams: where the weights are drawn from.
        upper: mirror neurons with <w, e_1> < 0.
        scaling: the factor of the output.
    """
    weights = replicated_directions(d, directions, neurons, replicas, streams.child("first layer"))
    if upper:
        weights *= np.where(weights[:, :1] < 0.0, -1.0, 1.0)
    return OnlineState(weights, np.ones(neurons), activation, scaling, d)
