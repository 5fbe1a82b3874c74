"""Activations: a function of one variable z, written as text, with its derivative and Gaussian moments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Floats
from giantstep.checks import whole_number
from giantstep.errors import InputError, TextError
from giantstep.gaussian import Moments, Term, moments
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.quadrature import expect
from giantstep.problems.forms.growth import integrable_form
from giantstep.problems.forms.kinks import kinks_of
from giantstep.problems.forms.normal import Atom, Form, FormError, Monomial, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import hermite_expansion
from giantstep.problems.forms.written import Written
from giantstep.problems.text.derivative import differentiate
from giantstep.problems.text.evaluation import Value, as_array, dual, evaluate, fresh
from giantstep.problems.text.expression import Call, Expression, Power, Product, Quotient, Standardised, Sum
from giantstep.problems.text.language import parse
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scalars import (
    ONE,
    ZERO,
    NumberError,
    Scalar,
    add,
    multiply,
    negate,
    reciprocal,
    square_root,
)
from giantstep.problems.text.scanner import ACTIVATION, WRAPPERS, readable

_CLOSED_FORMS = ("erf", "relu", "step", "abs", "sign", "exp", "sin", "cos")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Activation(Written):
    """sigma, a function of z written in the language of targets; a bare name means the function of z.

    `centered(...)` subtracts the mean under N(0,1), `normalized(...)` also divides by the standard deviation.
    Two activations are equal if their normal forms are.

    Args:
        text: the function, such as "tanh" or "relu(z + 1/2)"; an activation is taken as it is.

    The text is kept as it is printed; `expression` is its tree, `form` its normal form.

    >>> relu = Activation("relu")
    >>> relu, relu.kinks, relu == Activation("relu(2*z)/2")
    (Activation('relu(z)'), (0.0,), True)
    >>> Activation("normalized(He2)") == Activation("He2(z)/sqrt(2)")
    True
    >>> float(Activation("tanh").derivative(0.0))
    1.0
    """

    _names = ("z",)

    def __init__(self, text: str | Activation) -> None:
        if isinstance(text, Activation):
            text = text.text
        try:
            expression = _standardise(parse(text, ACTIVATION))
            self._set(
                readable(to_text(expression), ACTIVATION) or text.strip(), expression, integrable_form(expression, 1)
            )
        except FormError as error:
            raise TextError(error.sentence, text, error.at) from None

    @classmethod
    def from_expression(cls, expression: Expression) -> Activation:
        """The activation of a tree in the variable z."""
        made = object.__new__(cls)
        try:
            made._set(to_text(expression), expression, integrable_form(expression, 1))
        except FormError as error:
            raise InputError(error.sentence) from None
        return made

    # -- evaluation ----------------------------------------------------------------------------------------

    def __call__(self, z: ArrayLike, /) -> Any:
        """s(z), of the shape of `z`."""
        return _on_array(z, lambda a: evaluate(self.expression, (a,)))

    def derivative(self, z: ArrayLike, /) -> Any:
        """s'(z), of the shape of `z`: the classical derivative; at a kink the value for relu is 0, for abs 0."""
        return _on_array(z, lambda a: dual(self.expression, (a,), 0, need_value=False)[1])

    def value_and_derivative(self, z: ArrayLike, /) -> tuple[Any, Any]:
        """(s(z), s'(z)), both of the shape of `z`, with the work shared."""
        array, shape = as_array(z)
        value, slope = dual(self.expression, (array,), 0)
        return fresh(value, array, shape), fresh(slope, array, shape)

    # -- what is known about it ----------------------------------------------------------------------------

    @cached_property
    def kinks(self) -> tuple[float, ...]:
        """Places where s, or a derivative of it, jumps."""
        return kinks_of(self.expression)

    @cached_property
    def jumps(self) -> tuple[float, ...]:
        """Places where s itself jumps."""
        found = []
        for kink in self.kinks:
            gap = 1e-9 * max(1.0, abs(kink))
            left, right = self(np.array([kink - gap, kink + gap]))
            if abs(right - left) > 1e-6 * max(1.0, abs(left), abs(right)):
                found.append(kink)
        return tuple(found)

    @cached_property
    def terms(self) -> tuple[Term, ...] | None:
        """The function as a sum of terms with closed Gaussian expectations, or None."""
        return terms_of(self.form)

    @cached_property
    def moments(self) -> Moments:
        return moments(self)

    @cached_property
    def is_odd(self) -> bool:
        """Whether s(-z) = -s(z)."""
        return not self._parity_parts[0].terms

    @cached_property
    def is_even(self) -> bool:
        return not self._parity_parts[1].terms

    @cached_property
    def _parity_parts(self) -> tuple[Form, Form]:
        """s(z) + s(-z) and s(z) - s(-z)."""
        work = Normaliser()
        mirrored = work.substitute(self.form, [work.scaled(variable_form(0), negate(ONE))])
        return work.total([self.form, mirrored]), work.total([self.form, work.scaled(mirrored, negate(ONE))])

    @cached_property
    def mean(self) -> Scalar:
        """E s(z), exact where the even part is a polynomial: that of the sigmoid is 1/2, and without it it is odd."""
        even = self._parity_parts[0]
        if even.is_polynomial:
            return multiply(hermite_expansion(even, 1).get((0,), ZERO), Fraction(1, 2))
        return self.moments.mu0

    def vanishes(self, k: int) -> bool:
        """Whether E[s He_k] is zero exactly: the part of s with the parity of k is a polynomial without He_k."""
        whole_number("degree", k, least=0)
        part = self._parity_parts[k % 2]
        return part.is_polynomial and not any(index == (k,) for index in hermite_expansion(part, 1))

    def hermite_coefficient(self, k: int) -> float:
        """E[s(z) He_k(z)], which is mu_k of s = sum mu_k/k! He_k."""
        whole_number("degree", k, least=0)
        if k not in self._coefficients:
            self._coefficients[k] = self._hermite_coefficient(k)
        return self._coefficients[k]

    @cached_property
    def _coefficients(self) -> dict[int, float]:
        """Those that were asked for: every point along a line of theory asks for the same few."""
        return {}

    def _hermite_coefficient(self, k: int) -> float:
        if self.is_polynomial:
            return float(hermite_expansion(self.form, 1).get((k,), ZERO)) * math.factorial(k)
        if self.vanishes(k):
            return 0.0
        return expect(lambda z: self(z) * hermite(k, z), self.kinks).value

    @cached_property
    def derivative_activation(self) -> Activation:
        """s' as an activation; for a function that jumps, without the point masses."""
        return Activation.from_expression(differentiate(self.expression, 0))

    def __reduce__(self) -> tuple[Callable[[Expression], Activation], tuple[Expression]]:
        return Activation.from_expression, (self.expression,)


def _on_array(z: ArrayLike, function: Callable[[Floats], Value]) -> NDArray[Any]:
    array, shape = as_array(z)
    return fresh(function(array), array, shape)


# --- standardisation ---------------------------------------------------------------------------------------


def _standardise(node: Expression) -> Expression:
    """Replace `centered(...)` and `normalized(...)` by shifts and scales, innermost first."""
    match node:
        case Call(name=name, argument=argument, at=at):
            inner = _standardise(argument)
            if name not in WRAPPERS:
                return Call(name, inner, at)
            shift, scale = _shift_and_scale(name, inner, at)
            return Standardised(name, inner, shift, scale, at)
        case Sum(terms=terms, at=at):
            return Sum(tuple(_standardise(t) for t in terms), at)
        case Product(factors=factors, at=at):
            return Product(tuple(_standardise(f) for f in factors), at)
        case Quotient(numerator=numerator, denominator=denominator, at=at):
            return Quotient(_standardise(numerator), denominator, at)
        case Power(base=base, exponent=exponent, at=at):
            return Power(_standardise(base), exponent, at)
    return node


def _shift_and_scale(name: str, inner: Expression, at: int) -> tuple[Scalar, Scalar]:
    form = integrable_form(inner, 1)
    if form.is_polynomial:
        series = hermite_expansion(form, 1)
        shift = series.pop((0,), ZERO)
        variance: Scalar = ZERO
        for (k,), c in series.items():
            variance = add(variance, multiply(multiply(c, c), Fraction(math.factorial(k))))
    else:
        made = Activation.from_expression(inner)
        shift, variance = made.mean, made.moments.mu1**2 + made.moments.mu2_squared
    if name == "centered":
        return shift, ONE
    try:
        return shift, reciprocal(square_root(variance))
    except NumberError:
        raise FormError("normalized(...) needs a function that is not constant", at) from None


def terms_of(form: Form) -> tuple[Term, ...] | None:
    """sum coefficient * family(scale z) for a form in one variable, or None if some product is none of these."""
    found: list[Term] = []
    polynomial: list[tuple[Monomial, Scalar]] = []
    for monomial, c in form.terms:
        if all(isinstance(g, int) for g, _ in monomial):
            polynomial.append((monomial, c))
            continue
        ((g, p), *rest) = monomial
        if rest or p != 1 or not isinstance(g, Atom) or g.name not in _CLOSED_FORMS:
            return None
        argument = g.argument.terms
        if len(argument) != 1 or argument[0][0] != ((0, 1),):
            return None
        found.append(Term(float(c), g.name, float(argument[0][1])))
    names = {0: "constant", 1: "identity"}
    for (k,), c in sorted(hermite_expansion(Form(tuple(polynomial)), 1).items()):
        found.append(Term(float(c), names.get(k, "hermite"), order=k if k > 1 else 0))
    return tuple(found)
