"""Expressions on arrays: values, and values with derivatives in one walk of the tree.

Intermediate arrays that were made on the way are overwritten; the caller's arrays never are. Derivatives are carried
along (forward mode), so that a function and its slope share their work: tanh(z) gives 1 - tanh(z)^2 for free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Floats
from giantstep.checks import real_array
from giantstep.problems.text.elementary import FUNCTIONS
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
)

Value: TypeAlias = "Floats | float"


def as_array(z: ArrayLike) -> tuple[Floats, tuple[int, ...]]:
    """A float array of at least one dimension (float32 stays float32) and the shape that was given.

    Ufuncs turn zero-dimensional arrays into scalars, which cannot be written into.
    """
    array = real_array("the inputs", z)
    return (array if array.ndim else array.reshape(1)), array.shape


def fresh(value: Value, source: Floats, shape: tuple[int, ...]) -> NDArray[Any]:
    """The value as an array of its own with the given shape, never the caller's input itself."""
    if isinstance(value, float):
        return np.full(shape, value, dtype=source.dtype)
    if np.may_share_memory(value, source):
        value = value.copy()
    return value.reshape(shape)


def evaluate(node: Expression, columns: Sequence[Floats]) -> Value:
    """The value at one array per variable (all of one shape and dtype); a float if the expression is constant."""
    return _value(node, columns)[0]


def _value(node: Expression, columns: Sequence[Floats]) -> tuple[Value, bool]:
    """The value, and whether it is an array made here, which may be overwritten."""
    match node:
        case Number(value=value):
            return float(value), False
        case Variable(index=index):
            return columns[index], False
        case Sum(terms=terms):
            return _fold(terms, columns, np.add)
        case Product(factors=factors):
            return _fold(factors, columns, np.multiply)
        case Quotient(numerator=numerator, denominator=denominator):
            top = _value(numerator, columns)
            return _combine(np.multiply, top, (1.0 / float(_scalar(denominator)), False))
        case Power(base=base, exponent=exponent):
            return _power(_value(base, columns), exponent)
        case Call(name=name, argument=argument):
            inner = _value(argument, columns)[0]
            if isinstance(inner, float):
                return float(_apply_constant(name, inner)), False
            return FUNCTIONS[name].value(inner), True
        case Standardised(argument=argument, shift=shift, scale=scale):
            moved = _combine(np.subtract, _value(argument, columns), (float(shift), False))
            return _combine(np.multiply, moved, (float(scale), False))


def _fold(parts: Sequence[Expression], columns: Sequence[Floats], operation: np.ufunc) -> tuple[Value, bool]:
    result = _value(parts[0], columns)
    for part in parts[1:]:
        result = _combine(operation, result, _value(part, columns))
    return result


def _combine(operation: np.ufunc, a: tuple[Value, bool], b: tuple[Value, bool]) -> tuple[Value, bool]:
    """operation(a, b), written into whichever of the two is ours."""
    (left, left_ours), (right, right_ours) = a, b
    if isinstance(left, float) and isinstance(right, float):
        return float(operation(left, right)), False
    if _is_number(right, 1.0 if operation is np.multiply else 0.0):
        return a
    if (operation is np.add and _is_number(left, 0.0)) or (operation is np.multiply and _is_number(left, 1.0)):
        return b
    if left_ours:
        return operation(left, right, out=left), True
    if right_ours:
        return operation(left, right, out=right), True
    return operation(left, right), True


def _is_number(value: Value, number: float) -> bool:
    return isinstance(value, float) and value == number


def _power(base: tuple[Value, bool], exponent: int) -> tuple[Value, bool]:
    """base**exponent by repeated squaring, which is far faster than np.power."""
    value, ours = base
    if isinstance(value, float):
        return value**exponent, False
    if exponent == 0:
        return np.ones_like(value), True
    if exponent == 1:
        return base
    result: Floats | None = None
    square: Floats = value
    while True:
        if exponent & 1:
            if result is None:
                # A copy is needed only if `square` will be squared again in place or is not ours to give away.
                result = square.copy() if exponent > 1 or not ours else square
            else:
                result *= square
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result, True
        square = np.multiply(square, square, out=square if ours else None)
        ours = True


def _scalar(node: Expression) -> float:
    value, _ = _value(node, ())
    assert isinstance(value, float)
    return value


def _apply_constant(name: str, argument: float) -> float:
    if name == "sqrt":
        return float(np.sqrt(argument))
    return float(FUNCTIONS[name].value(np.array([argument]))[0])


def dual(node: Expression, columns: Sequence[Floats], index: int, need_value: bool = True) -> tuple[Value, Value]:
    """(f, df/dx_index) with the work shared; f is not to be used when `need_value` is False."""
    (value, _), (slope, _) = _dual(node, columns, index, need_value)
    return value, slope


_Owned: TypeAlias = tuple[Value, bool]
_NOTHING: _Owned = (0.0, False)


def _dual(node: Expression, columns: Sequence[Floats], index: int, need_value: bool) -> tuple[_Owned, _Owned]:
    match node:
        case Number(value=number):
            return (float(number), False), _NOTHING
        case Variable(index=i):
            return (columns[i], False), (1.0 if i == index else 0.0, False)
        case Sum(terms=terms):
            value, slope = _dual(terms[0], columns, index, need_value)
            for term in terms[1:]:
                v, s = _dual(term, columns, index, need_value)
                value = _combine(np.add, value, v) if need_value else _NOTHING
                slope = _combine(np.add, slope, s)
            return value, slope
        case Product(factors=factors):
            value, slope = _dual(factors[0], columns, index, True)
            for factor in factors[1:]:
                v, s = _dual(factor, columns, index, True)
                left = _scaled(_borrowed(v), slope)
                right = _scaled(_borrowed(value), s)
                # A slope of one makes a part of the derivative the very array of a value: that must not be overwritten.
                value = _combine(
                    np.multiply,
                    _borrowed(value) if right[0] is value[0] else value,
                    _borrowed(v) if left[0] is v[0] else v,
                )
                slope = _combine(np.add, left, right)
            return value, slope
        case Quotient(numerator=numerator, denominator=denominator):
            value, slope = _dual(numerator, columns, index, need_value)
            factor_ = (1.0 / _scalar(denominator), False)
            return _combine(np.multiply, value, factor_), _combine(np.multiply, slope, factor_)
        case Power(base=base, exponent=exponent):
            if exponent == 0:
                return _value(node, columns), _NOTHING
            value, slope = _dual(base, columns, index, True)
            lower = _power(_borrowed(value), exponent - 1)
            outer = _scaled((float(exponent), False), _borrowed(lower))
            result = _combine(np.multiply, value, lower) if need_value else _NOTHING
            return result, _scaled(outer, slope)
        case Call(name=name, argument=argument):
            (inner, _), slope = _dual(argument, columns, index, True)
            if isinstance(inner, float):
                return (_apply_constant(name, inner), False), _NOTHING
            if need_value:
                outer_value, outer_slope = FUNCTIONS[name].both(inner)
                return (outer_value, True), _scaled((outer_slope, True), slope)
            return _NOTHING, _scaled((FUNCTIONS[name].slope(inner), True), slope)
        case Standardised(argument=argument, shift=shift, scale=scale):
            value, slope = _dual(argument, columns, index, need_value)
            value = _combine(np.subtract, value, (float(shift), False))
            factor_ = (float(scale), False)
            return _combine(np.multiply, value, factor_), _combine(np.multiply, slope, factor_)


def _borrowed(value: _Owned) -> _Owned:
    return value[0], False


def _scaled(factor: _Owned, slope: _Owned) -> _Owned:
    """factor * slope, where a slope that is the number 0 stays the number 0."""
    if isinstance(slope[0], float) and slope[0] == 0.0:
        return _NOTHING
    return _combine(np.multiply, factor, slope)
