"""Where a function is not smooth: at the zeros of the arguments of its piecewise parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from giantstep.arrays import Floats
from giantstep.problems.forms.normal import Atom, Form, degree_of
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.text.elementary import FUNCTIONS
from giantstep.problems.text.evaluation import Value, evaluate
from giantstep.problems.text.expression import Call, Expression, Power, Product, Quotient, Standardised, Sum

_REACH = 40.0
_GRID = 8001


def is_smooth(form: Form) -> bool:
    """Whether no function in it has a kink or a jump."""
    atoms = [g for monomial, _ in form.terms for g, _ in monomial if isinstance(g, Atom)]
    return all(not FUNCTIONS[atom.name].kinks and is_smooth(atom.argument) for atom in atoms)


def is_continuous(form: Form) -> bool:
    """Whether no function in it jumps."""
    atoms = [g for monomial, _ in form.terms for g, _ in monomial if isinstance(g, Atom)]
    return all(not FUNCTIONS[atom.name].jumps and is_continuous(atom.argument) for atom in atoms)


def kinks_of(expression: Expression) -> tuple[float, ...]:
    """The kinks of an expression in one variable, sorted; those of polynomials and lines to rounding."""
    found: set[float] = set()
    for call in piecewise_calls(expression):
        found.update(_zeros(call.argument))
    return _distinct(found)


def _distinct(found: Iterable[float]) -> tuple[float, ...]:
    kept: list[float] = []
    for kink in sorted(found):
        if not kept or kink - kept[-1] > 1e-12 * max(1.0, abs(kink)):
            kept.append(float(kink) + 0.0)
    return tuple(kept)


def piecewise_calls(node: Expression) -> list[Call]:
    match node:
        case Call(name=name, argument=argument):
            own = [node] if name in FUNCTIONS and FUNCTIONS[name].kinks else []
            return own + piecewise_calls(argument)
        case Standardised(argument=inner) | Power(base=inner) | Quotient(numerator=inner):
            return piecewise_calls(inner)
        case Sum(terms=parts) | Product(factors=parts):
            return [call for part in parts for call in piecewise_calls(part)]
    return []


def _zeros(argument: Expression) -> list[float]:
    form = Normaliser().form(argument)
    if not form.is_polynomial:
        return scanned_zeros(lambda z: evaluate(argument, (z,)))
    coefficients = np.zeros(1 + max((degree_of(m) for m, _ in form.terms), default=0))
    for monomial, c in form.terms:
        coefficients[degree_of(monomial)] = float(c)
    if coefficients.size < 2:
        return []
    if coefficients.size == 2:
        return [float(-coefficients[0] / coefficients[1])]
    roots = np.polynomial.polynomial.polyroots(coefficients)
    return [float(r.real) for r in roots if abs(r.imag) < 1e-7 and abs(r.real) < _REACH]


def scanned_zeros(function: Callable[[Floats], Value]) -> list[float]:
    """Changes of sign on a fine grid, bisected to rounding; a zero without a change of sign makes no kink."""
    grid = np.linspace(-_REACH, _REACH, _GRID)

    def at(z: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(function(z)), z.shape)

    values = at(grid)
    zero = values == 0.0
    change = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0.0)
    low, high = grid[change].copy(), grid[change + 1].copy()
    sign = np.sign(values[change])
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = np.sign(at(middle)) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # A whole stretch of zeros, as of relu(z) - relu(z - 1), has its kinks at the ends; they were found with relu's own.
    alone = zero[1:-1] & ~zero[:-2] & ~zero[2:]
    return [float(z) for z in (*high, *grid[1:-1][alone])]
