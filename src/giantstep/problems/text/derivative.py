"""The derivative of an expression as an expression."""

from __future__ import annotations

from fractions import Fraction

from giantstep.problems.text.expression import (
    ONE_NODE,
    ZERO_NODE,
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    Standardised,
    Sum,
    Variable,
)
from giantstep.problems.text.scalars import PI


def differentiate(node: Expression, index: int) -> Expression:
    """The derivative with respect to x_index as a tree, with zeros and ones removed."""
    match node:
        case Number():
            return ZERO_NODE
        case Variable(index=i):
            return ONE_NODE if i == index else ZERO_NODE
        case Sum(terms=terms):
            return total(tuple(differentiate(t, index) for t in terms))
        case Product(factors=factors):
            parts = []
            for i, f in enumerate(factors):
                parts.append(product((*factors[:i], differentiate(f, index), *factors[i + 1 :])))
            return total(tuple(parts))
        case Quotient(numerator=numerator, denominator=denominator):
            top = differentiate(numerator, index)
            return ZERO_NODE if top == ZERO_NODE else Quotient(top, denominator)
        case Power(base=base, exponent=exponent):
            if exponent == 0:
                return ZERO_NODE
            lower = base if exponent == 2 else Power(base, exponent - 1)
            front = (Number(Fraction(exponent)), lower) if exponent > 1 else ()
            return product((*front, differentiate(base, index)))
        case Call(name=name, argument=argument):
            inner = differentiate(argument, index)
            return ZERO_NODE if inner == ZERO_NODE else product((_slope(name, argument), inner))
        case Standardised(argument=argument, scale=scale):
            return product((Number(scale), differentiate(argument, index)))


def _slope(name: str, u: Expression) -> Expression:
    """The derivative of the named function at u."""
    here = Call(name, u)
    minus = Number(Fraction(-1))
    match name:
        case "relu":
            return Call("step", u)
        case "abs":
            return Call("sign", u)
        case "sign" | "step":
            return ZERO_NODE
        case "tanh":
            return Sum((ONE_NODE, Product((minus, Power(here, 2)))))
        case "erf":
            gaussian = Call("exp", Product((minus, Power(u, 2))))
            return Quotient(Product((Number(Fraction(2)), gaussian)), Call("sqrt", Number(PI, "pi")))
        case "sin":
            return Call("cos", u)
        case "cos":
            return Product((minus, Call("sin", u)))
        case "exp":
            return here
        case "softplus":
            return Call("sigmoid", u)
        case "sigmoid":
            return Product((here, Sum((ONE_NODE, Product((minus, here))))))
        case "gelu":
            two = Number(Fraction(2))
            cdf = Quotient(Sum((ONE_NODE, Call("erf", Quotient(u, Call("sqrt", two))))), two)
            gaussian = Call("exp", Quotient(Product((minus, Power(u, 2))), two))
            root = Call("sqrt", Product((two, Number(PI, "pi"))))
            return Sum((cdf, Quotient(Product((u, gaussian)), root)))
    order = int(name.removeprefix("He"))
    if order == 0:
        return ZERO_NODE
    if order == 1:
        return ONE_NODE
    lower = u if order == 2 else Call(f"He{order - 1}", u)
    return product((Number(Fraction(order)), lower))


def total(terms: tuple[Expression, ...]) -> Expression:
    """The sum with zero terms dropped and sums of sums flattened."""
    flat: list[Expression] = []
    for t in terms:
        flat.extend(t.terms if isinstance(t, Sum) else () if t == ZERO_NODE else (t,))
    if not flat:
        return ZERO_NODE
    return flat[0] if len(flat) == 1 else Sum(tuple(flat))


def product(factors: tuple[Expression, ...]) -> Expression:
    """The product with ones dropped, zero absorbing and rational factors gathered in front."""
    flat: list[Expression] = []
    rational = Fraction(1)
    for f in factors:
        for g in f.factors if isinstance(f, Product) else (f,):
            if isinstance(g, Number) and isinstance(g.value, Fraction):
                rational *= g.value
            elif g != ONE_NODE:
                flat.append(g)
    if rational == 0:
        return ZERO_NODE
    if rational != 1 or not flat:
        flat.insert(0, Number(rational))
    return flat[0] if len(flat) == 1 else Product(tuple(flat))
