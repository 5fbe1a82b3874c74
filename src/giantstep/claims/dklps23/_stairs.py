"""What claims on several giant steps share: the staircase of a target, as an activation climbs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Hypothesis
from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.problems.analysis import Basis, Landscape, Vector, unit_rows
from giantstep.verdicts.stating import Curve

FEW_SUFFICE = Hypothesis(
    "the activation has a kink, as ReLU: for smooth ones 64 neurons are not many (cos(z) + z/2 needs a thousand)",
    lambda point: bool(point.activation.kinks),
    ("fit_on_U", "reached"),
)


def refuse_divergence(activation: Activation, steps: int) -> None:
    """Refuse several steps of a network that grows like a power of its weights."""
    if activation.is_polynomial and (activation.degree or 0) > 1 and steps > 1:
        raise InputError("networks with a polynomial activation diverge at the second step: take another, or steps = 1")


def direction_name(vector: Vector) -> str:
    """A direction as a name that flags and records can carry.

    >>> direction_name((1, -1)), direction_name((0, 2, 5)), direction_name((0.6, 0, -0.8))
    ('x1-x2', '2x2+5x3', '0.6x1-0.8x3')
    """
    text = ""
    for number, entry in enumerate(map(float, vector), 1):
        if entry:
            size = "" if abs(entry) == 1 else f"{abs(entry):.3g}"
            text += ("-" if entry < 0 else "+" if text else "") + f"{size}x{number}"
    return text


def _way(places: Array) -> Curve:
    """A way through the plane, (places, 2)."""
    return Curve(places[:, 0], places[:, 1], "x1")


@dataclass(frozen=True, eq=False)
class Stairs:
    """U_0, U_1, ... as one activation climbs them with n ~ d^order samples a step, and a basis of V* along them.

    `steps[k]` is the step at which direction number k is learned, None if it never is.
    """

    landscape: Landscape
    levels: tuple[Basis, ...]
    directions: tuple[Vector, ...]
    steps: tuple[int | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(direction_name, self.directions))

    @property
    def unit(self) -> Array:
        """The directions as orthonormal rows, (dim V*, r)."""
        return unit_rows(self.directions)

    def energies(self, shares: Array) -> Array:
        """Energies along the directions, (dim V*, times), from second moments in V* at each time, (times, r, r)."""
        return np.asarray(np.einsum("tkl,uk,ul->ut", shares, self.unit, self.unit))

    def paths(self, cosines: Sequence[Array], second_layer: Array) -> dict[str, list[Curve]]:
        """The neurons' ways in the plane of x1 and x2, and the directions of the staircase there.

        `cosines` are those with V* at the start and after each step, (p, r) each.
        """
        if len(self.directions) < 2:
            return {}
        ways = np.stack([c[:, :2] for c in cosines], axis=1)
        shown = {"a > 0": second_layer > 0, "a < 0": second_layer < 0}
        found = {name: [_way(one) for one in ways[chosen]] for name, chosen in shown.items()}
        return found | {"staircase": [_way(np.stack([-row, row])) for row in self.unit[:, :2]]}

    def learned_by(self, step: int) -> list[int]:
        """The numbers of the directions in U_t."""
        return [k for k, at in enumerate(self.steps) if at is not None and at <= step]

    def after(self, step: int) -> Basis:
        """U_t."""
        return self.levels[min(step, len(self.levels) - 1)]

    def in_words(self) -> list[str]:
        """When each direction is learned."""
        return [
            f"{name} is learned at step {at}" if at is not None else f"{name} is not learned at any step"
            for name, at in zip(self.names, self.steps, strict=True)
        ]


@lru_cache(maxsize=256)
def stairs_of(target: Target, activation: Activation, order: int = 1) -> Stairs:
    """The staircase of a target with n ~ d^order samples a step, without what the activation cannot see."""
    landscape = Landscape(target)
    seen = landscape.seen_by(activation, order).staircase
    directions: list[Vector] = []
    steps: list[int | None] = []
    for number, level in enumerate(seen.levels):
        directions += [new.vector for new in level.new]
        steps += [number] * len(level.new)
    rest = landscape.outside(seen.top.basis)
    return Stairs(
        landscape,
        tuple(level.basis for level in seen.levels),
        (*directions, *rest),
        (*steps, *(None for _ in rest)),
    )


def length_of_mean(increments: Array, second_layer: Array) -> float:
    """Over all steps, the length of the mean over neurons of a_i times an increment: increments are (T, p, r)."""
    return float(np.linalg.norm(np.einsum("i,tik->tk", second_layer, increments) / len(second_layer)))
