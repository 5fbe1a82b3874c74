"""Targets of one direction, f(x) = g(<b, x>): the function g of one variable and the unit vector b."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from giantstep.problems.activation import Activation
from giantstep.problems.forms.components import exact_direction
from giantstep.problems.forms.normal import Form, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.scalars import ZERO, Scalar, add, is_zero, multiply, negate, reciprocal, square_root


def along_line(form: Form, dimension: int) -> tuple[Activation, NDArray[np.float64]]:
    """(g, b) for a form that depends on one linear form v: b = v/|v|, g(t) = f(t b), exactly where v is exact."""
    vector = exact_direction(form, dimension)
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
    return Activation.from_expression(to_expression(line, ("z",))), np.array([float(u) for u in unit])
