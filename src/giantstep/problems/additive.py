"""Targets that are sums of functions of one direction each, such as a committee machine."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giantstep.problems.forms.components import direction_space
from giantstep.problems.forms.normal import Atom, Form, Monomial, make_form
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scalars import Scalar

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation
    from giantstep.problems.target import Target

ROUGH = frozenset({"relu", "abs", "sign", "step"})
"""Functions of the language that are not smooth."""

Part = tuple["Activation", NDArray[np.float64]]


@lru_cache(maxsize=256)
def single_index_parts(target: Target) -> tuple[Part, ...] | None:
    """(g_k, b_k) with f(x) = sum_k g_k(<b_k, x>) and |b_k| = 1; None if a term couples two directions.

    >>> from giantstep.problems import Target
    >>> [str(g) for g, _ in single_index_parts(Target("relu(x1) + tanh(x2) + x2"))]
    ['z + tanh(z)', 'relu(z)']
    """
    groups: dict[tuple[float, ...], dict[Monomial, Scalar]] = {}
    constant: dict[Monomial, Scalar] = {}
    for monomial, c in target.form.terms:
        space = direction_space(Form(((monomial, c),)), target.directions)
        if len(space) > 1:
            return None
        where = constant if not len(space) else groups.setdefault(tuple(float(v) for v in space[0].round(9)), {})
        where[monomial] = c
    if not groups:
        return None
    next(iter(groups.values())).update(constant)
    names = [f"x{i + 1}" for i in range(target.directions)]
    parts = []
    for terms in groups.values():
        single = type(target)(to_text(to_expression(make_form(terms), names))).single_index
        assert single is not None
        function, direction = single
        parts.append((function, np.pad(direction, (0, target.directions - len(direction)))))
    return tuple(parts)


def is_smooth(form: Form) -> bool:
    """Whether no function in it has a kink or a jump."""
    atoms = [g for monomial, _ in form.terms for g, _ in monomial if isinstance(g, Atom)]
    return all(atom.name not in ROUGH and is_smooth(atom.argument) for atom in atoms)
