"""What a flow of one neuron learns, and where it starts.

    x ~ N(0, Sigma),  Sigma = I + theta mu mu^T,   y = g(<x, beta>/sqrt(kappa)),   kappa = <beta, Sigma beta>

A population flow never leaves the span of its start, mu and beta, so three coordinates are exact in law at any d.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal, get_args

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, shown, whole_number
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.learners.draws import folded_directions
from giantstep.problems import Activation, Target
from giantstep.problems.inputs import Spiked
from giantstep.streams import Streams

FlowKind = Literal["spherical", "normalised", "preconditioned"]


def check_kind(kind: str) -> None:
    """Refuse what is no flow."""
    if kind not in get_args(FlowKind):
        raise InputError(
            f"kind = {shown(kind)} is not allowed; a flow is 'spherical', 'normalised' or 'preconditioned'"
        )


@dataclass(frozen=True)
class FlowTask:
    """What is learned: g of the direction beta = e1, from inputs with a spike, by one neuron.

    Args:
        target: g, a polynomial of x1.
        activation: sigma of the neuron.
        theta: the strength of the spike, 0 or more.
        rho: <mu, beta>, the cosine between the spike and the target's direction.
        coordinates: all d, or 3 of them for population flows in any dimension.
    """

    target: Target
    activation: Activation
    theta: float
    rho: float
    coordinates: int = 3

    def __post_init__(self) -> None:
        if self.target.directions != 1 or self.target.degree is None:
            raise InputError(f"a flow learns a polynomial of x1, but the target is {self.target}")
        whole_number("coordinates", self.coordinates, least=3)
        real_number("theta", self.theta, "a number of 0 or more", least=0)
        real_number("rho", self.rho, "a number from -1 to 1", least=-1, most=1)

    @property
    def kappa(self) -> float:
        return 1.0 + self.theta * self.rho**2

    @cached_property
    def beta(self) -> Array:
        found = np.zeros(self.coordinates)
        found[0] = 1.0
        return found

    @cached_property
    def mu(self) -> Array:
        found = np.zeros(self.coordinates)
        found[:2] = self.rho, sqrt(max(0.0, 1.0 - self.rho**2))
        return found

    @cached_property
    def towards(self) -> Array:
        """Sigma beta/sqrt(kappa)."""
        return np.asarray((self.beta + self.theta * self.rho * self.mu) / sqrt(self.kappa))

    def coloured(self, w: Array) -> Array:
        """Sigma w, for rows w."""
        return np.asarray(w + self.theta * (w @ self.mu)[:, None] * self.mu)

    def size(self, w: Array) -> Array:
        """|Sigma^(1/2) w| for each row."""
        return np.asarray(np.sqrt(np.einsum("bi,bi->b", w, w) + self.theta * (w @ self.mu) ** 2))

    def overlap(self, w: Array) -> Array:
        """omega: the correlation of <x, w> and <x, beta>, for each row."""
        return np.asarray(w @ self.towards / self.size(w))

    @cached_property
    def z_rule(self) -> tuple[Array, Array]:
        """Nodes and weights under N(0, 1) that are exact for the target."""
        return gauss_hermite((self.target.degree or 0) // 2 + 2)

    def samples(self, count: int, streams: Streams) -> tuple[Array, Array]:
        """So many inputs, (count, coordinates), and their labels."""
        law = Spiked(self.theta, alignment=self.rho)
        x = law.draw(streams.generator(), count, self.coordinates)
        return x, self.target((x[:, 0] / sqrt(self.kappa))[:, None])


def sphere_starts(task: FlowTask, d: int, count: int, streams: Streams, *, positive: bool = True) -> Array:
    """Starts uniform on the sphere of R^d, (count, D), in the D coordinates of the task: 3, or all d of them.

    With three, the last one is the length of everything orthogonal to mu and beta.

    Args:
        task: what is learned.
        d: the dimension.
        count: how many starts.
        streams: where they are drawn from.
        positive: turn w to -w where omega < 0.
    """
    w = folded_directions(d, task.coordinates, count, streams)
    if positive:
        w *= np.where(task.overlap(w) < 0, -1.0, 1.0)[:, None]
    return w
