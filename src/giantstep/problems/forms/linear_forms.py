"""Through which linear forms <a, x> a function depends on x: their space, and the line if it is only one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.problems.forms.normal import Atom, Form, Monomial, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.text.scalars import ZERO, Scalar, add, is_zero, multiply, negate, reciprocal, square_root

RANK_TOLERANCE = 1e-9
"""Length, of a unit vector, below which what is left of it after projection counts as rounding."""


def direction_space(form: Form, dimension: int) -> Array:
    """An orthonormal basis (rows) of a space of linear forms through which the form depends on x.

    Grouped by atoms, f = sum_A P_A(x) A(x): it is spanned by the gradients of the P_A and the spaces of the atoms.
    """
    rows = [np.array([float(c) for c in vector]) for vector in _gradients(form, dimension)]
    for atom in _atoms(form):
        rows.extend(direction_space(atom.argument, dimension))
    return orthonormal(rows, dimension)


def on_its_line(form: Form, dimension: int) -> tuple[Form, Array]:
    """(g, b) for a form that depends on one linear form v: b = v/|v|, g(t) = f(t b), exactly where v is exact."""
    vector = _exact_direction(form, dimension)
    assert vector is not None
    work = Normaliser()
    square: Scalar = ZERO
    for v in vector:
        square = add(square, multiply(v, v))
    length = square_root(square)
    if float(next(v for v in reversed(vector) if not is_zero(v))) < 0:
        length = negate(length)
    unit = [multiply(v, reciprocal(length)) for v in vector]
    line = work.substitute(form, [work.scaled(variable_form(0), u) for u in unit])
    return line, np.array([float(u) for u in unit])


def _exact_direction(form: Form, dimension: int) -> tuple[Scalar, ...] | None:
    """Some linear form of `direction_space` without rounding: for a form of rank one, its direction up to length."""
    for vector in _gradients(form, dimension):
        return tuple(vector)
    for atom in _atoms(form):
        if found := _exact_direction(atom.argument, dimension):
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


def orthonormal(rows: Sequence[NDArray[Any]], dimension: int) -> Array:
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
        if left > RANK_TOLERANCE:
            vector = vector / left
            first = vector[np.flatnonzero(np.abs(vector) > RANK_TOLERANCE)[0]]
            basis.append(vector if first > 0 else -vector)
    return np.array(basis).reshape(len(basis), dimension)
