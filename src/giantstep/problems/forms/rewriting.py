"""From normal forms back to expressions, to print and to evaluate.

Polynomials of higher degree are written in the Hermite basis: summing their monomials would cancel all digits where the
normal law has its mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from giantstep.problems.forms.normal import Atom, Form, Monomial, degree_of, grouped
from giantstep.problems.forms.polynomial import hermite_expansion
from giantstep.problems.text.expression import Call, Expression, Number, Power, Product, Sum, Variable
from giantstep.problems.text.printing import number_text
from giantstep.problems.text.scalars import ZERO, Scalar
from giantstep.problems.text.surds import Surd

HIGHEST_MONOMIAL = 3
"""Polynomials up to this degree are written in powers."""


def to_expression(form: Form, names: Sequence[str], highest_monomial: int = HIGHEST_MONOMIAL) -> Expression:
    """The form as a tree, with the given names of the variables.

    >>> from giantstep.problems.forms.normal import variable_form
    >>> to_expression(variable_form(0), ["z"]).name
    'z'
    """
    terms: list[Expression] = []
    for atoms, polynomial in grouped(form).items():
        functions = [_power(_function(atom, names), p) for atom, p in atoms if isinstance(atom, Atom)]
        for factors, c in _polynomial_terms(polynomial, names, highest_monomial):
            terms.append(_product(c, [*factors, *functions]))
    if not terms:
        return Number(ZERO)
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def _polynomial_terms(form: Form, names: Sequence[str], highest: int) -> list[tuple[list[Expression], Scalar]]:
    if max(degree_of(m) for m, _ in form.terms) <= highest:
        return [(_monomial(m, names), c) for m, c in form.terms]
    series = hermite_expansion(form, len(names))
    return [([_hermite(k, i, names) for i, k in enumerate(index) if k], c) for index, c in series.items()]


def _monomial(monomial: Monomial, names: Sequence[str]) -> list[Expression]:
    return [_power(Variable(g, names[g]), p) for g, p in monomial if isinstance(g, int)]


def _hermite(k: int, index: int, names: Sequence[str]) -> Expression:
    variable = Variable(index, names[index])
    return variable if k == 1 else Call(f"He{k}", variable)


def _function(atom: Atom, names: Sequence[str]) -> Expression:
    return Call(atom.name, to_expression(atom.argument, names))


def _power(base: Expression, exponent: int) -> Expression:
    return base if exponent == 1 else Power(base, exponent)


def _product(c: Scalar, factors: list[Expression]) -> Expression:
    if c != Fraction(1) or not factors:
        factors = [Number(c, number_text(c) if isinstance(c, Surd) else ""), *factors]
    return factors[0] if len(factors) == 1 else Product(tuple(factors))
