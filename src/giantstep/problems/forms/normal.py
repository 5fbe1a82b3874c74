"""The normal form of an expression: a sum of products of powers of variables and of functions.

    f = sum_m c_m prod_g g^p,    g a variable x_i or an atom phi(form)

Two texts with the same normal form are the same function (almost everywhere: sign(u)^2 is 1). A polynomial has
variables only, and its coefficients are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from giantstep.problems.text.printing import number_text
from giantstep.problems.text.scalars import ONE, ZERO, Scalar, is_zero


class FormError(ValueError):
    """An expression without a usable normal form: one sentence and the place in the text."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.sentence, self.at = sentence, at


@dataclass(frozen=True)
class Atom:
    """A function of the language at a form that is not constant."""

    name: str
    argument: Form

    @cached_property
    def text(self) -> str:
        return f"{self.name}({self.argument.text})"

    @cached_property
    def _hash(self) -> int:
        return hash(self.text)

    def __hash__(self) -> int:
        return self._hash


Generator: TypeAlias = int | Atom
Monomial: TypeAlias = tuple[tuple[Generator, int], ...]


def _generator_key(generator: Generator) -> tuple[int, int, str]:
    return (0, generator, "") if isinstance(generator, int) else (1, 0, generator.text)


def _monomial_key(monomial: Monomial) -> tuple[object, ...]:
    return (degree_of(monomial), tuple((_generator_key(g), -p) for g, p in monomial))


def degree_of(monomial: Monomial) -> int:
    return sum(p for _, p in monomial)


@dataclass(frozen=True)
class Form:
    """A normal form; `terms` is sorted by degree, then by variables, and has no zero coefficients."""

    terms: tuple[tuple[Monomial, Scalar], ...]

    @property
    def constant(self) -> Scalar | None:
        """The value if the form is constant."""
        if not self.terms:
            return ZERO
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def is_polynomial(self) -> bool:
        return all(isinstance(g, int) for monomial, _ in self.terms for g, _ in monomial)

    @cached_property
    def size(self) -> int:
        """The number of terms, with those inside atoms."""
        return sum(1 + sum(g.argument.size for g, _ in m if isinstance(g, Atom)) for m, _ in self.terms)

    @cached_property
    def variables(self) -> frozenset[int]:
        """The indices of all variables in it, those inside atoms too."""
        found: set[int] = set()
        for monomial, _ in self.terms:
            for g, _ in monomial:
                found |= {g} if isinstance(g, int) else g.argument.variables
        return frozenset(found)

    @cached_property
    def text(self) -> str:
        """A canonical text, which names the form: equal forms have equal texts."""
        return " + ".join(_term_text(monomial, c) for monomial, c in self.terms) or "0"


def _term_text(monomial: Monomial, coefficient: Scalar) -> str:
    def name(g: Generator) -> str:
        return g.text if isinstance(g, Atom) else f"x{g + 1}"

    factors = [name(g) + (f"**{p}" if p > 1 else "") for g, p in monomial]
    if coefficient == 1 and factors:
        return "*".join(factors)
    return "*".join([f"({number_text(coefficient)})", *factors])


def make_form(terms: dict[Monomial, Scalar]) -> Form:
    kept = [(m, c) for m, c in terms.items() if not is_zero(c)]
    return Form(tuple(sorted(kept, key=lambda item: _monomial_key(item[0]))))


def constant_form(value: Scalar) -> Form:
    return make_form({(): value})


def variable_form(index: int) -> Form:
    return Form(((((index, 1),), ONE),))


def merge(m: Monomial, n: Monomial) -> Monomial:
    """The product of two monomials."""
    if not m or not n:
        return m or n
    powers = dict(m)
    for g, p in n:
        powers[g] = powers.get(g, 0) + p
    return tuple(sorted(powers.items(), key=lambda item: _generator_key(item[0])))


def grouped(form: Form) -> dict[Monomial, Form]:
    """The polynomials P_A by the products A of atoms: f = sum_A P_A(x) A(x)."""
    groups: dict[Monomial, dict[Monomial, Scalar]] = {}
    for monomial, c in form.terms:
        atoms = tuple((g, p) for g, p in monomial if isinstance(g, Atom))
        variables = tuple((g, p) for g, p in monomial if isinstance(g, int))
        groups.setdefault(atoms, {})[variables] = c
    return {atoms: make_form(terms) for atoms, terms in groups.items()}
