"""Neurons of networks on the plane, seen as vectors: where their mass is, how far they turned, and a film of them."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.descents.two_layer import ScaledNetwork


def circle(turns: Array) -> Array:
    """Points of the unit circle, (n, 2), at angles `turns`, (n,), in full turns.

    >>> circle(np.array([0.0, 0.5])).round(9).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    return np.stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)], axis=1)


def mass_near(network: ScaledNetwork, directions: Array, signs: Array, degrees: float) -> float:
    """The mass of all neurons of a `network` on the plane that point to one of some directions with its sign.

    Args:
        network: of two-dimensional inputs.
        directions: the vectors (k, 2) that neurons are held against.
        signs: +1 or -1 for each direction, (k,), which the second layer must have.
        degrees: neurons count up to this angle from a direction.
    """
    apart = _angle_between(_angle(network.weights)[:, None], _angle(directions)[None, :])
    near = (apart < degrees) & (np.sign(network.second_layer)[:, None] == signs)
    return float(network.masses()[near.any(axis=1)].sum())


def mean_turn(start: ScaledNetwork, end: ScaledNetwork) -> float:
    """The angle in degrees by which neurons on the plane turned from `start` to `end`, weighted by their masses at the
    end."""
    masses = end.masses()
    return float(_angle_between(_angle(end.weights), _angle(start.weights)) @ masses / masses.sum())


class Film:
    """Networks on the way of a training: all of them if they are few, else every second, fourth, ...

    Args:
        most: networks that are kept.
    """

    def __init__(self, most: int) -> None:
        self.seen: list[ScaledNetwork] = []
        self._most, self._count, self._every = most, 0, 1

    def see(self, network: ScaledNetwork) -> None:
        """The next `network`."""
        if self._count % self._every == 0:
            self.seen.append(network)
        self._count += 1
        if len(self.seen) > self._most:
            self.seen, self._every = self.seen[::2], 2 * self._every


def _angle(vectors: Array) -> Array:
    """In degrees."""
    return np.asarray(np.degrees(np.arctan2(vectors[:, 1], vectors[:, 0])))


def _angle_between(one: Array, other: Array) -> Array:
    return np.asarray(np.abs((one - other + 180) % 360 - 180))
