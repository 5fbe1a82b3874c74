"""Sums, products and powers of normal forms, with the work of multiplying out bounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from giantstep.problems.forms.normal import (
    Atom,
    Form,
    FormError,
    Monomial,
    constant_form,
    degree_of,
    make_form,
    merge,
)
from giantstep.problems.text.scalars import ONE, Scalar, add, multiply, power
from giantstep.problems.text.surds import Surd

MAX_DEGREE = 20
"""Highest degree of a target, and most factors in any of its products."""
MAX_TERMS = 5000
"""Most terms of a multiplied-out text."""
MAX_WORK = 60_000
"""Most multiplications of terms while multiplying out."""

REDUCIBLE = ("sign", "step", "abs")
"""Functions whose powers are reduced: sign^2 = 1, step^2 = step and abs(u)^2 = u^2."""


class FormArithmetic:
    """The ring of forms; the work, the degree and the number of terms are bounded over its life."""

    def __init__(
        self, max_degree: int = MAX_DEGREE, max_work: int = MAX_WORK, reducible: tuple[str, ...] = REDUCIBLE
    ) -> None:
        self.reducible = reducible
        self.work = 0
        self.at = 0
        self.max_degree = max_degree
        self.max_work = max_work

    def fail(self, sentence: str) -> NoReturn:
        """Refuse with the place in the text that is being worked on."""
        raise FormError(sentence, self.at)

    def total(self, forms: Iterable[Form]) -> Form:
        result: dict[Monomial, Scalar] = {}
        for form in forms:
            self._spend(len(form.terms))
            for monomial, c in form.terms:
                result[monomial] = add(result[monomial], c) if monomial in result else c
        return make_form(result)

    def scaled(self, form: Form, factor: Scalar) -> Form:
        self._spend(len(form.terms))
        return make_form({m: multiply(c, factor) for m, c in form.terms})

    def times(self, a: Form, b: Form) -> Form:
        self._spend(len(a.terms) * len(b.terms) * _longest_number(a) * _longest_number(b))
        result: dict[Monomial, Scalar] = {}
        leftovers: list[Form] = []
        for m, c in a.terms:
            for n, d in b.terms:
                monomial = merge(m, n)
                coefficient = multiply(c, d)
                if any(isinstance(g, Atom) and p > 1 and g.name in self.reducible for g, p in monomial):
                    leftovers.append(self._reduced(monomial, coefficient))
                    continue
                self._check_degree(degree_of(monomial))
                result[monomial] = add(result[monomial], coefficient) if monomial in result else coefficient
            if len(result) > MAX_TERMS:
                self.fail(f"this multiplies out into more than {MAX_TERMS} terms; write a smaller expression")
        return self.total([make_form(result), *leftovers]) if leftovers else make_form(result)

    def _reduced(self, monomial: Monomial, coefficient: Scalar) -> Form:
        """sign^2 = 1, step^2 = step, abs(u)^2 = u^2 and, where asked for, relu(u)^2 = u relu(u), almost everywhere."""
        rest: Monomial = ()
        squares: list[tuple[Form, int]] = []
        for g, p in monomial:
            if isinstance(g, Atom) and p > 1 and g.name in self.reducible:
                keep = 1 if g.name in ("step", "relu") else p % 2
                if g.name in ("abs", "relu"):
                    squares.append((g.argument, p - keep))
                p = keep
            if p:
                rest = (*rest, (g, p))
        self._check_degree(degree_of(rest) + sum(p for _, p in squares))
        result = make_form({rest: coefficient})
        for argument, p in squares:
            result = self.times(result, self.power(argument, p))
        return result

    def power(self, base: Form, exponent: int) -> Form:
        if len(base.terms) == 1 and base.is_polynomial:
            monomial, c = base.terms[0]
            self._check_degree(degree_of(monomial) * exponent)
            return make_form({tuple((g, p * exponent) for g, p in monomial if exponent): power(c, exponent)})
        result = constant_form(ONE)
        for _ in range(exponent):
            result = self.times(result, base)
        return result

    def _check_degree(self, degree: int) -> None:
        if degree > self.max_degree:
            self.fail(f"the degree here is {degree}; at most degree {self.max_degree} is allowed")

    def _spend(self, amount: int) -> None:
        self.work += amount
        if self.work > self.max_work:
            self.fail("this takes too long to multiply out; write a smaller expression")


def _longest_number(form: Form) -> int:
    """The most parts of a coefficient: sums of square roots multiply slower than fractions."""
    return max((len(c.parts) for _, c in form.terms if isinstance(c, Surd)), default=1)
