"""From expressions to normal forms, with the work bounded.

He_k is multiplied out. Arguments are brought to a positive last coefficient, and the piecewise functions are pulled
apart over products, sign(x1*x2) = sign(x1)*sign(x2): many integrals become products of one-dimensional ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
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
    variable_form,
)
from giantstep.problems.text.expression import (
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    Standardised,
    Sum,
    Variable,
    apply_constant,
    constant_value,
)
from giantstep.problems.text.scalars import (
    ONE,
    ZERO,
    NumberError,
    Scalar,
    add,
    in_range,
    is_zero,
    multiply,
    negate,
    power,
    reciprocal,
)
from giantstep.problems.text.surds import Surd

MAX_DEGREE = 20
"""Highest degree of a target, and most factors in any of its products."""
MAX_TERMS = 5000
"""Most terms of a multiplied-out text."""
MAX_WORK = 60_000
"""Most multiplications of terms while multiplying out."""

_ODD = ("tanh", "erf", "sin", "sign")
_RAMPS = ("relu", "softplus", "gelu")
_COMPLEMENT = ("step", "sigmoid")
_HOMOGENEOUS = ("relu", "abs", "sign", "step")
_REDUCIBLE = ("sign", "step", "abs")


class Normaliser:
    """Brings expressions to normal form, with the work of multiplying out bounded over its life."""

    def __init__(self, max_degree: int = MAX_DEGREE, max_work: int = MAX_WORK) -> None:
        self.work = 0
        self.at = 0
        self.max_degree = max_degree
        self.max_work = max_work

    def fail(self, sentence: str) -> NoReturn:
        raise FormError(sentence, self.at)

    def form(self, node: Expression) -> Form:
        before, self.at = self.at, node.at or self.at
        try:
            form = self._form(node)
            for _, c in form.terms:
                in_range(c)
            return form
        except NumberError as error:
            raise FormError(str(error), self.at) from None
        finally:
            self.at = before

    def _form(self, node: Expression) -> Form:
        match node:
            case Number(value=value):
                return constant_form(value)
            case Variable(index=index):
                return variable_form(index)
            case Sum(terms=terms):
                return self.total(self.form(t) for t in terms)
            case Product(factors=factors):
                result = self.form(factors[0])
                for factor in factors[1:]:
                    result = self.times(result, self.form(factor))
                return result
            case Quotient(numerator=numerator, denominator=denominator):
                divisor = constant_value(denominator)
                assert divisor is not None
                return self.scaled(self.form(numerator), reciprocal(divisor))
            case Power(base=base, exponent=exponent):
                return self.power(self.form(base), exponent)
            case Call(name=name, argument=argument):
                if name == "sqrt":
                    root = constant_value(node)
                    assert root is not None
                    return constant_form(root)
                return self.apply(name, self.form(argument))
            case Standardised(argument=argument, shift=shift, scale=scale):
                return self.scaled(self.total([self.form(argument), constant_form(negate(shift))]), scale)

    # -- arithmetic ------------------------------------------------------------------------------------

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
                if any(isinstance(g, Atom) and p > 1 and g.name in _REDUCIBLE for g, p in monomial):
                    leftovers.append(self._reduced(monomial, coefficient))
                    continue
                self._check_degree(degree_of(monomial))
                result[monomial] = add(result[monomial], coefficient) if monomial in result else coefficient
            if len(result) > MAX_TERMS:
                self.fail(f"this multiplies out into more than {MAX_TERMS} terms; write a smaller expression")
        return self.total([make_form(result), *leftovers]) if leftovers else make_form(result)

    def _reduced(self, monomial: Monomial, coefficient: Scalar) -> Form:
        """sign^2 = 1, step^2 = step and abs(u)^2 = u^2, almost everywhere."""
        rest: Monomial = ()
        squares: list[tuple[Form, int]] = []
        for g, p in monomial:
            if isinstance(g, Atom) and p > 1 and g.name in _REDUCIBLE:
                keep = 1 if g.name == "step" else p % 2
                if g.name == "abs":
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

    def substitute(self, form: Form, images: Sequence[Form]) -> Form:
        """The form with every variable x_i replaced by images[i]."""
        parts = []
        for monomial, c in form.terms:
            part = constant_form(c)
            for g, p in monomial:
                image = images[g] if isinstance(g, int) else self.apply(g.name, self.substitute(g.argument, images))
                part = self.times(part, self.power(image, p))
            parts.append(part)
        return self.total(parts)

    # -- functions -------------------------------------------------------------------------------------

    def apply(self, name: str, argument: Form) -> Form:
        """The normal form of a function of the language at a form."""
        value = argument.constant
        if value is not None:
            return constant_form(apply_constant(name, value))
        if name.startswith("He"):
            return self._hermite(int(name[2:]), argument)
        if name in _HOMOGENEOUS:
            return self._homogeneous(name, argument)
        if name == "exp":
            return self._exponential(argument)
        if name in ("sin", "cos"):
            return self._wave(name, argument)
        return self._parity(name, argument)

    def _parity(self, name: str, argument: Form) -> Form:
        """phi(-u) by phi(u), so that the last coefficient of every argument is positive.

        Odd and even functions change or keep their sign; relu(-u) = relu(u) - u, and so for softplus and gelu;
        step(-u) = 1 - step(u) almost everywhere, and so for sigmoid. The latter two kinds only if u has no constant:
        the tail relu(-z - 9) is not to be written as the difference of large numbers.
        """
        plain = name in (*_RAMPS, *_COMPLEMENT) and not argument.terms[0][0]
        if name == "exp" or plain or float(argument.terms[-1][1]) > 0:
            return make_form({((Atom(name, argument), 1),): ONE})
        u = self.scaled(argument, Fraction(-1))
        atom = make_form({((Atom(name, u), 1),): Fraction(-1) if name in (*_ODD, *_COMPLEMENT) else ONE})
        if name in _RAMPS:
            return self.total([atom, argument])
        return self.total([atom, constant_form(ONE)]) if name in _COMPLEMENT else atom

    def _hermite(self, order: int, u: Form) -> Form:
        below, here = constant_form(ZERO), constant_form(ONE)
        for j in range(order):
            below, here = here, self.total([self.times(u, here), self.scaled(below, Fraction(-j))])
        return here

    def _homogeneous(self, name: str, argument: Form) -> Form:
        """relu, abs, sign, step: positive factors come out, products come apart."""
        leading = argument.terms[-1][1]
        size = leading if float(leading) > 0 else negate(leading)
        if name in ("relu", "abs"):
            inner = self._homogeneous_unit(name, self.scaled(argument, reciprocal(size)))
            return self.scaled(inner, size)
        return self._homogeneous_unit(name, self.scaled(argument, reciprocal(size)))

    def _homogeneous_unit(self, name: str, argument: Form) -> Form:
        if len(argument.terms) > 1 or degree_of(argument.terms[0][0]) == 1:
            return self._parity(name, argument)
        if name == "relu":  # relu(u) = (u + |u|)/2
            return self.scaled(self.total([argument, self._homogeneous("abs", argument)]), Fraction(1, 2))
        if name == "step":  # step(u) = (1 + sign(u))/2 almost everywhere
            return self.scaled(self.total([constant_form(ONE), self._homogeneous("sign", argument)]), Fraction(1, 2))
        monomial, c = argument.terms[0]
        result = constant_form(Fraction(-1) if name == "sign" and float(c) < 0 else ONE)
        for g, p in monomial:
            one = make_form({((g, 1),): ONE})
            if name == "sign" and p % 2 == 0:
                continue
            if p % 2 == 0:
                result = self.times(result, self.power(one, p))
            else:
                result = self.times(result, self._parity(name, one))
                if name == "abs" and p > 1:
                    result = self.times(result, self.power(one, p - 1))
        return result

    def _exponential(self, argument: Form) -> Form:
        """exp of a sum as the product over parts that share no variable; a constant comes out as a factor."""
        result = constant_form(ONE)
        linear: dict[Monomial, Scalar] = {}
        groups: list[tuple[set[int], dict[Monomial, Scalar]]] = []
        for monomial, c in argument.terms:
            if not monomial:
                result = constant_form(apply_constant("exp", c))
                continue
            if degree_of(monomial) == 1 and isinstance(monomial[0][0], int):
                linear[monomial] = c
                continue
            touched = set(Form(((monomial, ONE),)).variables)
            members = {monomial: c}
            separate = []
            for variables, terms in groups:
                if variables & touched:
                    touched |= variables
                    members |= terms
                else:
                    separate.append((variables, terms))
            groups = [*separate, (touched, members)]
        for variables, terms in groups:
            for monomial in [m for m in linear if m[0][0] in variables]:
                terms[monomial] = linear.pop(monomial)
        for terms in [linear, *(terms for _, terms in groups)]:
            if terms:
                result = self.times(result, make_form({((Atom("exp", make_form(terms)), 1),): ONE}))
        return result

    def _wave(self, name: str, argument: Form) -> Form:
        """sin and cos of u + c by the addition theorems, so that only waves through the origin remain."""
        shift = next((c for m, c in argument.terms if not m), ZERO)
        if is_zero(shift):
            return self._parity(name, argument)
        u = make_form({m: c for m, c in argument.terms if m})
        sine, cosine = self._parity("sin", u), self._parity("cos", u)
        s, c = apply_constant("sin", shift), apply_constant("cos", shift)
        if name == "sin":
            return self.total([self.scaled(sine, c), self.scaled(cosine, s)])
        return self.total([self.scaled(cosine, c), self.scaled(sine, negate(s))])


def _longest_number(form: Form) -> int:
    """The most parts of a coefficient: sums of square roots multiply slower than fractions."""
    return max((len(c.parts) for _, c in form.terms if isinstance(c, Surd)), default=1)
