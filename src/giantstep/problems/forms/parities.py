"""A form as a sum of parts that are even or odd in each variable, exactly.

    f = sum_s f_s,   f_s(x) = 2^-r sum_D prod_{D_i = -1} (-1)^{s_i} f(Dx),   s in {0, 1}^r.

A coefficient c_a of f is one of f_s, s = a mod 2. Where f_s vanishes or is a polynomial, its coefficients are known
without any integral: relu(x1) has the odd part x1/2, so that its degrees 3, 5, ... are exactly zero.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from giantstep.problems.forms.normal import Form, FormError, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.text.scalars import NumberError

MOST_TERMS = 600
"""Most terms of all parts together; of a longer form nothing is said."""


@lru_cache(maxsize=256)
def parity_parts(form: Form, dimension: int) -> dict[Index, Form] | None:
    """The parts that do not vanish, by the parities of the variables; None if they are too long to write down."""
    parts: dict[Index, Form] = {(): form}
    try:
        for i in range(dimension):
            split: dict[Index, Form] = {}
            for parities, part in parts.items():
                for odd, one in enumerate(_even_and_odd(part, i, dimension)):
                    if one.terms:
                        split[(*parities, odd)] = one
            parts = split
            if sum(part.size for part in parts.values()) > MOST_TERMS:
                return None
    except (FormError, NumberError):
        return None
    return parts


def _even_and_odd(form: Form, i: int, dimension: int) -> tuple[Form, Form]:
    if i not in form.variables:
        return form, Form(())
    work = Normaliser()
    half = Fraction(1, 2)
    mirrored = reflected(form, frozenset((i,)), dimension)
    even = work.scaled(work.total([form, mirrored]), half)
    return even, work.scaled(work.total([form, work.scaled(mirrored, Fraction(-1))]), half)


def reflected(form: Form, coordinates: frozenset[int], dimension: int) -> Form:
    """f with the signs of some of the variables changed."""
    work = Normaliser()
    images = [work.scaled(variable_form(i), Fraction(-1 if i in coordinates else 1)) for i in range(dimension)]
    return work.substitute(form, images)
