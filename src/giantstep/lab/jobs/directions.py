"""The directions of a target in the order in which giant steps learn them, each with the sentence that explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from giantstep.arrays import Array
from giantstep.problems import Activation, Target
from giantstep.problems.analysis import Landscape, Vector, common_activations, direction_text, unit_rows


@dataclass(frozen=True)
class DirectionTold:
    """A direction of a target.

    Args:
        vector: its entries in x1, x2, ...
        step: the giant step that learns it; None if none does with n ~ d samples.
        orders: the k of the activation's coefficients E[s He_k] through which it is reached.
        seen_by: common activations that have one of them.
        sentence: all this in words.
    """

    vector: Vector
    step: int | None
    orders: tuple[int, ...]
    seen_by: tuple[str, ...]
    sentence: str

    def data(self) -> dict[str, Any]:
        """As plain data; `vector` as floats."""
        return {
            "name": direction_text(self.vector),
            "vector": [float(entry) for entry in self.vector],
            "step": self.step,
            "level": self.step,
            "seen_by": list(self.seen_by),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, eq=False)
class Stairs:
    """The staircase that an activation climbs, or with none, that all of them together do.

    Args:
        landscape: of the target.
        bases: U_0, U_1, ...
        directions: learned ones in their order, then the others.
    """

    landscape: Landscape
    bases: tuple[Any, ...]
    directions: tuple[DirectionTold, ...]

    @property
    def unit(self) -> Array:
        """The directions as orthonormal rows, (dim V*, r)."""
        return unit_rows([one.vector for one in self.directions])

    def told(self) -> list[dict[str, Any]]:
        """The directions as plain data."""
        return [one.data() for one in self.directions]

    def levels(self) -> list[dict[str, Any]]:
        """The least risk on each level: what knowing U_t leaves open."""
        return [
            {
                "level": number,
                "step": number,
                "risk": float(self.landscape.spread(basis).variance),
                "new": [i for i, one in enumerate(self.directions) if one.step == number],
                "words": f"{', '.join(map(direction_text, basis))} learned" if basis else "nothing learned",
            }
            for number, basis in enumerate(self.bases)
        ]


def stairs_of(target: Target, activation: Activation | None = None) -> Stairs:
    """The staircase of a target with n ~ d samples a step, as an activation climbs it or as some activation could."""
    landscape = Landscape(target)
    full = landscape.staircase()
    climbed = landscape.seen_by(activation).staircase if activation is not None else full
    told = [
        _learned(new.vector, number, new.orders, climbed.levels[number - 1].basis)
        for number, level in enumerate(climbed.levels)
        for new in level.new
    ]
    others = landscape.outside(climbed.top.basis)
    reachable = {new.vector: new.orders for level in full.levels for new in level.new}
    told += [
        _not_learned(vector, reachable.get(vector, ()), activation, climbed.top.basis, landscape) for vector in others
    ]
    return Stairs(landscape, tuple(level.basis for level in climbed.levels), tuple(told))


def _learned(vector: Vector, step: int, orders: tuple[int, ...], before: Sequence[Vector]) -> DirectionTold:
    seen = common_activations(orders)
    given = (
        f"given {_listed(before)}, the target is linear in it in part"
        if before
        else "the target has a linear part in it"
    )
    through = " or ".join(f"mu{k} = E[sigma He{k}]" for k in orders[:3])
    sentence = (
        f"{direction_text(vector)} is learned in step {step} with n ~ d samples: {given}. A network reaches it through "
        f"the coefficient {through} of its activation sigma, which {_listed_words(seen)}."
    )
    return DirectionTold(vector, step, orders, seen, sentence)


def _not_learned(
    vector: Vector,
    orders: tuple[int, ...],
    activation: Activation | None,
    known: Sequence[Vector],
    landscape: Landscape,
) -> DirectionTold:
    name = direction_text(vector)
    if activation is not None and orders:
        through = " and ".join(f"mu{k}" for k in orders[:3])
        why = f"another activation would learn it, but {activation} has {through} = 0"
    else:
        order = next((m for m in range(2, landscape.terms.degree + 1) if _reaches(landscape, m, vector)), None)
        given = f"given {_listed(known)}, the target" if known else "the target"
        why = f"{given} has no linear part in it" + (f"; it takes n ~ d^{order} samples a step" if order else "")
    return DirectionTold(
        vector, None, orders, common_activations(orders), f"{name} is not learned with n ~ d samples a step: {why}."
    )


def _reaches(landscape: Landscape, order: int, vector: Vector) -> bool:
    """Whether the staircase with n ~ d^order samples a step holds a direction."""
    basis = landscape.staircase(order).top.basis
    rows = unit_rows(basis) if basis else None
    if rows is None:
        return False
    unit = unit_rows([vector])[0]
    return bool(((rows @ unit) ** 2).sum() > 1 - 1e-9)


def _listed(vectors: Sequence[Vector]) -> str:
    return ", ".join(map(direction_text, vectors))


def _listed_words(names: Sequence[str]) -> str:
    return f"{', '.join(names)} have" if len(names) > 1 else f"{names[0]} has" if names else "no common one has"
