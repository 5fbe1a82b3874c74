"""Products of functions taken apart into independent components.

A product of atoms phi(<a,x> + ...) depends on x through the linear forms of its atoms. Atoms with orthogonal linear
forms are independent under N(0, I), so the product splits into components, each a function of k coordinates u = U x
with U orthonormal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems.forms.normal import Atom, Form, Monomial, grouped, merge
from giantstep.problems.text.scalars import ZERO, Scalar, add, multiply
from giantstep.problems.text.scanner import MAX_DIRECTIONS

MAX_COUPLED = 4
"""Most directions in which a product may be coupled: it is integrated over a grid in that many dimensions."""

_RANK_TOLERANCE = 1e-9
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


# --- directions -------------------------------------------------------------------------------------------


def direction_space(form: Form, dimension: int) -> Array:
    """An orthonormal basis (rows) of a space of linear forms through which the form depends on x.

    Grouped by atoms, f = sum_A P_A(x) A(x): it is spanned by the gradients of the P_A and the spaces of the atoms.
    """
    rows = [np.array([float(c) for c in vector]) for vector in _gradients(form, dimension)]
    for atom in _atoms(form):
        rows.extend(direction_space(atom.argument, dimension))
    return _orthonormal(rows, dimension)


def exact_direction(form: Form, dimension: int) -> tuple[Scalar, ...] | None:
    """Some linear form of `direction_space` without rounding: for a form of rank one, its direction up to length."""
    for vector in _gradients(form, dimension):
        return tuple(vector)
    for atom in _atoms(form):
        if found := exact_direction(atom.argument, dimension):
            return found
    return None


def _atoms(form: Form) -> list[Atom]:
    return list(dict.fromkeys(g for monomial, _ in form.terms for g, _ in monomial if isinstance(g, Atom)))


def _gradients(form: Form, dimension: int) -> list[list[Scalar]]:
    """The coefficient vectors of grad P_A, one for every A and monomial of the gradient."""
    found: dict[Monomial, list[Scalar]] = {}
    for monomial, c in form.terms:
        for i, p in monomial:
            if isinstance(i, int):
                lowered = tuple((g, q - (g == i)) for g, q in monomial if q - (g == i))
                vector = found.setdefault(lowered, [ZERO] * dimension)
                vector[i] = add(vector[i], multiply(c, Fraction(p)))
    return list(found.values())


def _orthonormal(rows: Sequence[NDArray[Any]], dimension: int) -> Array:
    """Gram-Schmidt, twice; coordinate axes stay coordinate axes."""
    basis: list[NDArray[Any]] = []
    for row in sorted(rows, key=lambda v: int(np.count_nonzero(v))):
        size = float(np.linalg.norm(row))
        if size == 0.0:
            continue
        vector = row / size
        for _ in range(2):
            for b in basis:
                vector = vector - (vector @ b) * b
        left = float(np.linalg.norm(vector))
        if left > _RANK_TOLERANCE:
            vector = vector / left
            first = vector[np.flatnonzero(np.abs(vector) > _RANK_TOLERANCE)[0]]
            basis.append(vector if first > 0 else -vector)
    return np.array(basis).reshape(len(basis), dimension)


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
            if np.abs(other_space @ space.T).max(initial=0.0) > _RANK_TOLERANCE:
                members = other_members + members
                space = _orthonormal([*other_space, *space], dimension)
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
