"""Products of functions taken apart into independent components.

A product of atoms phi(<a,x> + ...) depends on x through the linear forms of its atoms. Atoms with orthogonal linear
forms are independent under N(0, I), so the product splits into components, each a function of k coordinates u = U x
with U orthonormal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems.forms.linear_forms import RANK_TOLERANCE, direction_space, orthonormal
from giantstep.problems.forms.normal import Atom, Form, Monomial, grouped, merge
from giantstep.problems.text.scanner import MAX_DIRECTIONS

MAX_COUPLED = 4
"""Most directions in which a product may be coupled: it is integrated over a grid in that many dimensions."""

MAX_PRODUCTS = 64
"""Most different products of functions (not polynomials) in one target."""
MAX_MIXED_TERMS = 400
"""Most terms of a multiplied-out target that is not a polynomial; its square has that many squared."""


class CouplingError(InputError):
    """A product of functions that couples too many directions to be integrated."""


@dataclass(frozen=True)
class Component:
    """A product of atoms that cannot be split, as a function of u = basis @ x."""

    atoms: Monomial
    basis: tuple[tuple[float, ...], ...]

    @property
    def rank(self) -> int:
        return len(self.basis)


@lru_cache(maxsize=1024)
def _space_of(atom: Atom, dimension: int) -> Array:
    return direction_space(atom.argument, dimension)


def split(atoms: Monomial, dimension: int) -> tuple[Component, ...]:
    """The independent components of a product of atoms; refused if one couples too many directions."""
    groups: list[tuple[list[tuple[Atom, int]], Array]] = []
    for atom, p in atoms:
        assert isinstance(atom, Atom)
        members, space = [(atom, p)], _space_of(atom, dimension)
        apart = []
        for other_members, other_space in groups:
            if np.abs(other_space @ space.T).max(initial=0.0) > RANK_TOLERANCE:
                members = other_members + members
                space = orthonormal([*other_space, *space], dimension)
            else:
                apart.append((other_members, other_space))
        groups = [*apart, (members, space)]
    for _, space in groups:
        if len(space) > MAX_COUPLED:
            raise CouplingError(
                f"a product here couples {len(space)} directions in a way that does not factorise; "
                f"at most {MAX_COUPLED} can be integrated"
            )
    return tuple(Component(tuple(members), tuple(map(tuple, space.tolist()))) for members, space in groups)


def check_coupling(form: Form) -> None:
    """Refuse at once what the integrals of f and f^2 could not do later."""
    products = [atoms for atoms in grouped(form) if atoms]
    if len(products) > MAX_PRODUCTS:
        raise CouplingError(f"the text has {len(products)} different products of functions; at most {MAX_PRODUCTS}")
    if products and form.size > MAX_MIXED_TERMS:
        raise CouplingError(
            f"this multiplies out into {form.size} terms; with functions in it {MAX_MIXED_TERMS} are allowed"
        )
    for i, a in enumerate(products):
        for b in products[: i + 1]:
            split(merge(a, b), MAX_DIRECTIONS)
