"""The language of targets and activations: text to expression, or one sentence with a caret.

The scanner has already refused everything that is not a known token, and bounded length, depth and count. Then
`ast.parse` sees the text, and its tree is read against a whitelist. Nothing of the text is ever compiled or evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from giantstep.checks import instance
from giantstep.errors import TextError
from giantstep.problems.text.elementary import FUNCTIONS
from giantstep.problems.text.expression import (
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Variable,
    constant_value,
    minus,
)
from giantstep.problems.text.scalars import PI, NumberError, Scalar, in_range, reciprocal
from giantstep.problems.text.scanner import MAX_EXPONENT, NUMBER, VARIABLE, WRAPPERS, Dialect, scan


def parse(text: str, dialect: Dialect) -> Expression:
    """The expression that the text writes, or a `TextError`.

    >>> from giantstep.problems.text.scanner import TARGET
    >>> parse("x1 + He2(x1)*x2", TARGET).terms[0].name
    'x1'
    """
    instance(f"the {dialect.what}", text, str, f"a text such as '{dialect.example}'")
    scan(text, dialect)
    lead = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(re.sub(r"\s", " ", text).strip(), mode="eval")
    except (SyntaxError, RecursionError, MemoryError):  # the scan has left none of these; a last line of defence
        raise TextError("this cannot be read; write it with fewer brackets and signs", text, lead) from None
    return _Reader(text, lead, dialect).read(tree.body)


class _Reader:
    """Reads the syntax tree of one text; recursion is as deep as its brackets, which the scan has bounded."""

    def __init__(self, text: str, lead: int, dialect: Dialect) -> None:
        self.text, self.lead, self.dialect = text, lead, dialect

    def fail(self, sentence: str, at: int) -> NoReturn:
        raise TextError(sentence, self.text, at)

    def at(self, node: ast.expr) -> int:
        return self.lead + node.col_offset

    def read(self, node: ast.expr) -> Expression:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            return self.signed(node)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Pow):
                return self.power(node)
            if isinstance(node.op, ast.Add | ast.Sub):
                return self.sum(node)
            if isinstance(node.op, ast.Mult | ast.Div):
                return self.product(node)
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if not isinstance(node, ast.Call):
            self.fail("this is not part of the language; allowed are + - * / **, functions, brackets", self.at(node))
        return self.call(node)

    def signed(self, node: ast.expr) -> Expression:
        sign, at = 1, self.at(node)
        while isinstance(node, ast.UnaryOp):
            sign = -sign if isinstance(node.op, ast.USub) else sign
            node = node.operand
        inner = self.read(node)
        return inner if sign > 0 else minus(inner, at)

    def sum(self, node: ast.expr) -> Expression:
        """a + b - c ...: the left spine is walked in a loop, since it may be hundreds of terms long."""
        parts: list[tuple[bool, ast.expr]] = []
        at = self.at(node)
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            parts.append((isinstance(node.op, ast.Sub), node.right))
            node = node.left
        parts.append((False, node))
        terms: list[Expression] = []
        for negative, part in reversed(parts):
            term = self.read(part)
            terms.append(minus(term, self.at(part)) if negative else term)
        return Sum(tuple(terms), at)

    def product(self, node: ast.expr) -> Expression:
        """a * b / c ...: the left spine in a loop, as for sums."""
        parts: list[tuple[bool, ast.expr]] = []
        at = self.at(node)
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            parts.append((isinstance(node.op, ast.Div), node.right))
            node = node.left
        result = self.read(node)
        for divides, part in reversed(parts):
            factor = self.read(part)
            if divides:
                divisor = self.constant(factor)
                if divisor is None:
                    self.fail(
                        "division is only by a number: the inverse of a function need not be integrable", self.at(part)
                    )
                self.guard(reciprocal, divisor, self.at(part))
                result = Quotient(result, factor, at)
            else:
                left = result.factors if isinstance(result, Product) else (result,)
                right = factor.factors if isinstance(factor, Product) else (factor,)
                result = Product((*left, *right), at)
        return result

    def power(self, node: ast.BinOp) -> Expression:
        exponent = node.right
        if not (isinstance(exponent, ast.Constant) and type(exponent.value) is int):
            self.fail(f"a power must be a whole number from 0 to {MAX_EXPONENT}", self.at(exponent))
        if exponent.value > MAX_EXPONENT:
            self.fail(f"a power is at most {MAX_EXPONENT}", self.at(exponent))
        result = Power(self.read(node.left), exponent.value, self.at(node))
        self.constant(result)
        return result

    def number(self, node: ast.Constant) -> Expression:
        end = node.end_col_offset
        assert end is not None
        written = self.text[self.at(node) : self.lead + end]
        if not NUMBER.fullmatch(written):
            self.fail("this is not a plain number", self.at(node))
        # Decimals are read from the text, so that 0.6 is 3/5 and not the nearest double.
        value = self.guard(in_range, Fraction(written), self.at(node))
        return Number(value, at=self.at(node))

    def name(self, node: ast.Name) -> Expression:
        at = self.at(node)
        if node.id == "pi":
            return Number(PI, "pi", at)
        if match := VARIABLE.fullmatch(node.id):
            return Variable(int(match.group(1)) - 1, node.id, at)
        single = self.dialect.single
        if single is not None and node.id in (single, "identity"):
            return Variable(0, single, at)
        if single is None or node.id not in FUNCTIONS:
            example = "sqrt(2)" if node.id == "sqrt" else f"{node.id}({single or 'x1'})"
            self.fail(f"{node.id} is a function and needs an argument, as in {example}", at)
        return Call(node.id, Variable(0, single, at), at)

    def call(self, node: ast.Call) -> Expression:
        at = self.at(node)
        if not isinstance(node.func, ast.Name):
            self.fail("an operator such as * is missing before this bracket", at)
        name = node.func.id
        known = name in FUNCTIONS or name == "sqrt" or (self.dialect.single is not None and name in WRAPPERS)
        if not known:
            self.fail(f"{name} is not a function; write * to multiply", at)
        if len(node.args) != 1 or node.keywords:
            self.fail(f"{name} takes exactly one argument", at)
        argument = self.read(node.args[0])
        if name == "sqrt" and self.constant(argument) is None:
            self.fail("sqrt takes a number, not an expression with a variable", self.at(node.args[0]))
        result = Call(name, argument, at)
        if name not in WRAPPERS:
            self.constant(result)
        return result

    def guard(self, compute: Callable[[Scalar], Scalar], value: Scalar, at: int) -> Scalar:
        try:
            return compute(value)
        except NumberError as error:
            self.fail(str(error), at)

    def constant(self, node: Expression) -> Scalar | None:
        """The value if the node has no variable in it, with its size checked."""
        try:
            value = constant_value(node)
            return value if value is None else in_range(value)
        except NumberError as error:
            self.fail(str(error), node.at)
