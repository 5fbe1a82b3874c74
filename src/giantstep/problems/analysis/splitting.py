"""A Hermite series seen from a subspace U: f as a polynomial in the unlearned directions with coefficients on U.

Let b_1, ... be an orthogonal basis of U followed by one of its complement, s_i = |b_i|^2 and t_i = <b_i, x>. Then

    f = sum_a g_a He_a^[s](t) / s^a,   E[He_a^[s](t)^2] = s^a a!,   s^a = prod_i s_i^{a_i},

where the g_a are the coefficients of the polynomial F(sum_i b_i t_i), F(x) = sum_a c_a x^a. A term of degree k in the
directions outside U belongs to P_{U,k} f, so |P_{U,k} f|^2 = sum a! g_a^2 / s^a over these terms, and E Var(f | P_U x)
is their sum over k >= 1 ([dklps23], Definition 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from giantstep.problems.analysis.subspaces.packed import BITS, Matrix, Number, Packed, degree, pack, substitute, unpack
from giantstep.problems.analysis.subspaces.roots import over_common_denominator, product, quotient, whole_multiplier
from giantstep.problems.analysis.subspaces.spans import (
    Basis,
    ExactGeometry,
    Extension,
    FloatGeometry,
    Geometry,
    Vector,
    axes,
    dot,
)
from giantstep.problems.forms.polynomial import Index, factorial, hermite_expansion
from giantstep.problems.text.scalars import Scalar
from giantstep.problems.text.surds import Surd

if TYPE_CHECKING:
    from giantstep.problems.target import Target

Exact: TypeAlias = Fraction | float

ROUNDING = 1e-11
"""Beside the largest coefficient: below it one of a polynomial with rounded numbers counts as zero."""
SAFETY = 100.0
"""A singular value counts as zero below so many times the error of the coefficients."""


@dataclass(frozen=True, eq=False)
class Terms:
    """The Hermite coefficients of a function, up to `denominator`, as numbers on which rank decisions are made."""

    dimension: int
    packed: Packed
    denominator: int
    geometry: Geometry
    norm2: Exact
    splits: dict[Basis, Split] = field(default_factory=dict, repr=False)

    @property
    def is_exact(self) -> bool:
        return isinstance(self.geometry, ExactGeometry)

    @cached_property
    def degree(self) -> int:
        return max(map(degree, self.packed), default=0)

    @cached_property
    def relevant(self) -> Extension:
        """V*, the smallest space such that f is a function of P_V* x: the span of all coefficients of grad F."""
        rows = Split(self, (), axes(self.dimension)).gradients(self.degree)
        return self.geometry.extension((row for _, row in rows), (), axes(self.dimension))

    @property
    def space(self) -> Basis:
        return self.relevant.vectors

    def along(self, direction: Vector) -> list[float]:
        """The Hermite coefficients of f on a line: g(z) = f(z v / |v|) = sum_k g_k He_k(z), f a function of <v, x>."""
        square = float(dot(direction, direction))
        sums: dict[int, Number] = {}
        for key, c in self.packed.items():
            a = unpack(key, self.dimension)
            value = c * product(v for v, power in zip(direction, a, strict=True) for _ in range(power))
            sums[sum(a)] = sums.get(sum(a), 0) + value
        return [float(_quotient(sums.get(k, 0), self.denominator)) / square ** (k / 2) for k in range(self.degree + 1)]

    def split(self, basis: Basis) -> Split:
        """f seen from the span of `basis`; the last ones are remembered."""
        if basis not in self.splits:
            self.splits[basis] = Split(self, basis, self.space)
        return self.splits[basis]


def terms_of(target: Target) -> Terms:
    """The coefficients of a target: whole numbers or roots if they are known exactly, else floats."""
    r = target.directions
    if target.is_polynomial:
        series: Mapping[Index, Scalar] = target.hermite() if target.is_exact else hermite_expansion(target.form, r)
        exact = [c for c in series.values() if not isinstance(c, float)]
        known = over_common_denominator(exact) if len(exact) == len(series) else None
        if known is not None:
            packed: Packed = {pack(a): v for a, v in zip(series, known[0], strict=True)}
            return Terms(r, packed, known[1], ExactGeometry(), target.norm2)
    sizes = {a: abs(float(c)) * math.sqrt(factorial(a)) for a, c in target.hermite().items()}
    # Beside the largest coefficient, not beside |f|: cos(20 x1) has none above 1e-75 of |f|, and they are known.
    largest = max((size for a, size in sizes.items() if any(a)), default=0.0)
    tolerance = max(ROUNDING * largest, SAFETY * target.coefficient_error)
    # What counts as zero for a direction counts as zero for the leap.
    packed = {pack(a): float(c) for a, c in target.hermite().items() if not any(a) or sizes[a] > tolerance}
    return Terms(r, packed, 1, FloatGeometry(tolerance), target.norm2)


@dataclass(frozen=True, eq=False)
class Split:
    """f seen from the span of `basis`, a subspace of `space`."""

    terms: Terms
    basis: Basis
    space: Basis

    @cached_property
    def _frame(self) -> Basis:
        """The basis of U, of its complement in V*, and of what f does not depend on."""
        everything = axes(self.terms.dimension)
        if not self.basis:
            return everything
        geometry = self.terms.geometry
        inside = (*self.basis, *geometry.complement(self.basis, self.space))
        return (*inside, *geometry.complement(inside, everything))

    @cached_property
    def _squares(self) -> tuple[Number, ...]:
        return tuple(dot(b, b) for b in self._frame)

    @cached_property
    def _polynomial(self) -> tuple[Packed, Number]:
        """F(sum_i b_i t_i), and the number q by which its part of degree k is multiplied k times."""
        if not self.basis:
            return self.terms.packed, 1
        columns: Matrix = self._frame
        return substitute(self.terms.packed, list(zip(*columns, strict=True)))

    @cached_property
    def energies(self) -> tuple[Exact, ...]:
        """|P_{U,k} f|^2 for k = 0, 1, ... up to the last that is not zero."""
        if self.basis and len(self.basis) == len(self.space):
            return (self.terms.norm2,)
        polynomial, q = self._polynomial
        n, known = self.terms.dimension, len(self.basis)
        highest = [max(powers) for powers in zip((0,) * n, *(unpack(key, n) for key in polynomial), strict=True)]
        # The common denominator first: sums of whole numbers are many times faster than of fractions.
        tables = [_powers(s, top) for s, top in zip(self._squares, highest, strict=True)]
        stretch = _powers(q * q, self.terms.degree)
        sums: dict[int, Number] = {}
        for key, g in polynomial.items():
            a = unpack(key, n)
            weight = product(table[top - power] for table, top, power in zip(tables, highest, a, strict=True))
            k = sum(a[known:])
            sums[k] = sums.get(k, 0) + g * g * (weight * stretch[self.terms.degree - sum(a)] * factorial(a))
        common = product([*(table[-1] for table in tables), stretch[-1]]) * self.terms.denominator**2
        return tuple(_quotient(sums.get(k, 0), common) for k in range(max(sums, default=0) + 1))

    def part(self, highest: int) -> dict[Index, Exact]:
        """P_{U,<=highest} f as a Hermite series in the given coordinates."""
        polynomial, q = self._polynomial
        n, known = self.terms.dimension, len(self.basis)
        kept = {key: g for key, g in polynomial.items() if sum(unpack(key, n)[known:]) <= highest}
        whole = q == 1 and all(isinstance(s, int) for s in self._squares)
        common = math.lcm(*self._squares) if whole else 1
        back: list[list[Number]] = [
            [x * (common // s) if whole else _float(x) / _float(s) for x in b]
            for b, s in zip(self._frame, self._squares, strict=True)
        ]
        if not whole:
            kept = {key: float(_quotient(g, _powers(q, degree(key))[-1])) for key, g in kept.items()}
        series = {unpack(key, n): (degree(key), g) for key, g in substitute(kept, back)[0].items()}
        ordered = sorted(series.items(), key=lambda item: (item[1][0], tuple(-p for p in item[0])))
        return {a: _quotient(g, common**k * self.terms.denominator) for a, (k, g) in ordered}

    def gradients(self, order: int) -> Iterator[tuple[int, Vector]]:
        """The coefficients of the gradient outside U, of degree below `order` there, as (|a| + 1, vector) by degree.

        For order 1 they span E[grad_perp f | x_U] over all x_U; in general the first unfoldings of
        E[grad_perp^m f | x_U], m <= order. A vector that stands at He_b(x_U) and degree m - 1 outside U is reached
        through the coefficient |b| + m of the activation.
        """
        if self.basis and len(self.basis) == len(self.space):
            return
        polynomial, _ = self._polynomial
        known, n = len(self.basis), self.terms.dimension
        rows: dict[int, list[tuple[int, Number]]] = {}
        for key, g in polynomial.items():
            a = unpack(key, n)
            if 1 <= sum(a[known:]) <= order:
                for i in range(known, n):
                    if a[i]:
                        rows.setdefault(key - (1 << (BITS * i)), []).append((i, g * a[i]))
        exact = self.terms.is_exact
        weights = _inverses(self._squares, exact)
        for below, key in sorted((degree(key), key) for key in rows):
            size = 1 if exact else _length(unpack(key, n), self._squares)
            vector: list[Number] = [0] * n
            for i, value in rows[key]:
                for j, entry in enumerate(self._frame[i]):
                    if entry != 0:
                        vector[j] = vector[j] + value * (weights[i] * size) * entry
            yield below + 1, tuple(vector)


def _powers(base: Number, highest: int) -> list[Number]:
    table = [1]
    for _ in range(highest):
        table.append(table[-1] * base)
    return table


def _inverses(squares: tuple[Number, ...], exact: bool) -> list[Number]:
    """1/s_i, exact ones times a common factor."""
    if not exact:
        return [1.0 / s for s in squares]
    if all(isinstance(s, int) for s in squares):
        common = math.lcm(*squares)
        return [common // s for s in squares]
    return [product(s for j, s in enumerate(squares) if j != i) for i in range(len(squares))]


def _length(a: Index, squares: tuple[Number, ...]) -> float:
    """The norm sqrt(a!/s^a) of the function that belongs to t^a."""
    return math.sqrt(factorial(a) / math.prod(float(s) ** power for s, power in zip(squares, a, strict=True)))


def _float(value: Number) -> float:
    return float(_quotient(value, 1))


def _quotient(value: Number, divisor: Number) -> Exact:
    """value / divisor, as a fraction where it is one."""
    if isinstance(value, float) or isinstance(divisor, float):
        return float(value) / float(divisor)
    if isinstance(divisor, Surd):
        factor = whole_multiplier(divisor)
        value, divisor = value * factor, divisor * factor
    return Fraction(value, divisor) if isinstance(value, int) else quotient(value, divisor)
