"""Which expressions are square integrable under the normal law, with room for double precision.

Only exp can fail. For every product of a normal form, log|product| is bounded by a quadratic form
x'Ax + b|x| + degree * log|x|, read off the arguments of its exponentials. E f^2 is finite if all eigenvalues of A are
below 1/4. What cannot be shown to be integrable is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.problems.forms.normal import Atom, Form, FormError, Generator, Monomial, degree_of
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.text.expression import Call, Expression, Power, Product, Quotient, Standardised, Sum

FARTHEST = 38.0
"""Where the normal density underflows: an integrand must have died out before."""
_NEGLIGIBLE = 45.0  # exp(-45) is far below the rounding of the integral
_HIGHEST = 100.0  # what a bump inside exp may reach
_BOUNDED = ("tanh", "erf", "sin", "cos", "sign", "step", "sigmoid")
_NOT_NEGATIVE = ("exp", "relu", "abs", "sigmoid", "softplus", "step")


@dataclass(frozen=True)
class Growth:
    """log|f| <= x'Ax + linear |x| + degree log|x| + constant, or unknown (`quadratic` is None)."""

    quadratic: NDArray[Any] | None
    linear: float = 0.0
    degree: float = 0.0

    def margin(self, reach: float) -> float:
        """-log of f^2 times the normal density at distance `reach`, at least."""
        if self.quadratic is None:
            return -math.inf
        steepest = float(np.linalg.eigvalsh(self.quadratic)[-1]) if self.quadratic.size else 0.0
        growth = max(steepest, 0.0) * reach**2 + self.linear * reach + self.degree * math.log(reach)
        return 0.5 * reach**2 - 2.0 * growth


def is_integrable(form: Form, dimension: int) -> bool:
    """Whether E f^2 and E |grad f|^2 are finite and can be computed in double precision."""
    return all(g.margin(FARTHEST) >= _NEGLIGIBLE for g in growths(form, dimension))


def integrable_form(expression: Expression, dimension: int) -> Form:
    """The normal form of an expression, refused with the place of an exp if it is not integrable."""
    form = Normaliser().form(expression)
    if not is_integrable(form, dimension):
        raise FormError(
            "this grows too fast: its square has no mean under the normal law, or one beyond double precision; "
            "inside exp, slopes up to 8 or up to a fifth of the squared input are allowed",
            max(0, _place_of_exp(expression)),
        )
    return form


def _place_of_exp(node: Expression) -> int:
    """Where the last outermost exp stands, for the caret; -1 without one."""
    match node:
        case Call(name="exp", at=at):
            return at
        case Call(argument=inner) | Standardised(argument=inner) | Power(base=inner) | Quotient(numerator=inner):
            return _place_of_exp(inner)
        case Sum(terms=parts) | Product(factors=parts):
            return max(_place_of_exp(p) for p in parts)
    return -1


def reach_of(form: Form, dimension: int, extra_degree: float = 0.0, negligible: float = _NEGLIGIBLE) -> float:
    """How far out the square of the form, times a polynomial of twice the extra degree, matters.

    What is left beyond is exp(-negligible) of it.
    """
    found = [Growth(g.quadratic, g.linear, g.degree + extra_degree) for g in growths(form, dimension)]
    reach = 5.0
    while reach < FARTHEST and any(g.margin(reach) < negligible for g in found):
        reach += 0.5
    return reach


def growths(form: Form, dimension: int) -> list[Growth]:
    return [_of_monomial(monomial, dimension) for monomial, _ in form.terms]


def _of_monomial(monomial: Monomial, n: int) -> Growth:
    quadratic: NDArray[Any] | None = np.zeros((n, n))
    linear = degree = 0.0
    for g, p in monomial:
        one = _of_generator(g, n)
        if quadratic is None or one.quadratic is None:
            quadratic = None
            break
        quadratic = quadratic + p * one.quadratic
        linear += p * one.linear
        degree += p * one.degree
    return Growth(quadratic, linear, degree)


def _of_generator(g: Generator, n: int) -> Growth:
    if isinstance(g, int):
        return Growth(np.zeros((n, n)), degree=1.0)
    if g.name == "exp":
        return _above(g.argument, n)
    if g.name in _BOUNDED and g.name not in ("sin", "cos"):
        return Growth(np.zeros((n, n)))
    # Ramps grow like their argument; so do the gradients of sin and cos.
    parts = growths(g.argument, n)
    if len(parts) == 1:
        return parts[0]
    if any(p.quadratic is None or p.quadratic.any() for p in parts):
        return Growth(None)
    return Growth(np.zeros((n, n)), max(p.linear for p in parts), max(p.degree for p in parts))


def _above(argument: Form, n: int) -> Growth:
    """A bound from above (not of the modulus) of a form, for use inside exp."""
    quadratic = np.zeros((n, n))
    slopes = np.zeros(n)
    linear = 0.0
    for monomial, c in argument.terms:
        value = float(c)
        indices = [g for g, p in monomial for _ in range(p) if isinstance(g, int)]
        if len(indices) == degree_of(monomial) <= 2:
            if len(indices) == 1:
                slopes[indices[0]] += abs(value)
            elif len(indices) == 2:
                quadratic[indices[0], indices[1]] += value / 2.0
                quadratic[indices[1], indices[0]] += value / 2.0
        elif value < 0 and all(_not_negative(g, p) for g, p in monomial):
            continue
        else:
            degree = _polynomial_degree(monomial, n)
            if degree > 1.0:
                return Growth(None)
            linear += abs(value) * _steepness(monomial) if degree else 0.0
    top = next((float(c) for m, c in argument.terms if not m), 0.0)
    for i, slope in enumerate(slopes):
        # a x + b x^2 with b < 0, and x_i in no other product, stays below a^2/(4 |b|).
        curvature = quadratic[i, i]
        if slope and curvature < 0 and np.count_nonzero(quadratic[i]) == 1:
            peak = top - slope**2 / (4 * curvature)
            if peak < _HIGHEST:
                top, slopes[i] = peak, 0.0
    return Growth(quadratic, linear + float(np.linalg.norm(slopes)))


def _not_negative(g: Generator, p: int) -> bool:
    return p % 2 == 0 or (isinstance(g, Atom) and g.name in _NOT_NEGATIVE)


def _polynomial_degree(monomial: Monomial, n: int) -> float:
    """The degree of a polynomial that bounds the modulus; infinite for exponential growth."""
    total = 0.0
    for g, p in monomial:
        if isinstance(g, int):
            total += p
        elif g.name == "exp":
            if not _bounded_above(g.argument, n):
                return math.inf
        elif g.name not in _BOUNDED:
            total += p * max((_polynomial_degree(m, n) for m, _ in g.argument.terms), default=0.0)
    return total


def _steepness(monomial: Monomial) -> float:
    """A bound of the slope at infinity of a product of bounded factors and one that grows linearly."""
    for g, _ in monomial:
        if isinstance(g, int):
            return 1.0
        if g.name not in (*_BOUNDED, "exp"):
            return 1.2 * sum(abs(float(c)) * _steepness(m) for m, c in g.argument.terms)
    return 0.0


def _bounded_above(form: Form, n: int) -> bool:
    bound = _above(form, n)
    if bound.quadratic is None:
        return False
    if bound.linear == 0.0:
        return bool(np.linalg.eigvalsh(bound.quadratic)[-1] <= 0.0)
    touched = sorted(form.variables)
    return bool(np.linalg.eigvalsh(bound.quadratic[np.ix_(touched, touched)])[-1] < 0.0)
