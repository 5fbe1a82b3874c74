"""From expressions to normal forms.

He_k is multiplied out. Arguments are brought to a positive last coefficient, and the piecewise functions are pulled
apart over products, sign(x1*x2) = sign(x1)*sign(x2): many integrals become products of one-dimensional ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from giantstep.problems.forms.arithmetic import FormArithmetic
from giantstep.problems.forms.normal import (
    Atom,
    Form,
    FormError,
    Monomial,
    constant_form,
    degree_of,
    make_form,
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
    in_range,
    is_zero,
    negate,
    reciprocal,
)

_ODD = ("tanh", "erf", "sin", "sign")
_RAMPS = ("relu", "softplus", "gelu")
_COMPLEMENT = ("step", "sigmoid")
_LARGE_EXPONENT = 50.0
_HOMOGENEOUS = ("relu", "abs", "sign", "step")


class Normaliser(FormArithmetic):
    """Brings expressions to normal form: the ring of forms with the functions of the language."""

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
        """exp of a sum as the product over parts that share no variable; a constant comes out as a factor.

        A large one stays inside: exp(-10**6*(x1 - 1)**2) is not 0 times a function that overflows.
        """
        result = constant_form(ONE)
        if abs(float(next((c for m, c in argument.terms if not m), ZERO))) > _LARGE_EXPONENT:
            return make_form({((Atom("exp", argument), 1),): ONE})
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
