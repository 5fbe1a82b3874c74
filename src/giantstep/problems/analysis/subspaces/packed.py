"""Sparse polynomials with packed exponents, and linear changes of variables in them.

The map He_a(x) -> x^a takes Hermite series to polynomials with <x^a, x^b> = a! if a = b, else 0; an orthogonal change
of variables of the function becomes the ordinary linear substitution in the polynomial. A substitution x = A t is done
in place: A = L D U, and every off-diagonal entry of a triangular factor is one shear x_i -> x_i + c x_j, which costs
about two operations a term. Multiplying linear forms out instead would make many times more terms on the way.

Coefficients may be whole numbers, roots (`roots.Ring`) or floats: all that is used is + and *.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from giantstep.problems.analysis.subspaces.roots import product
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.text.surds import Surd, collected

Number: TypeAlias = Any  # int, Surd or float
Packed: TypeAlias = dict[int, Number]
Matrix: TypeAlias = Sequence[Sequence[Number]]

BITS = 6
_MASK = (1 << BITS) - 1
_BINOMIALS = [[math.comb(n, k) for k in range(n + 1)] for n in range(_MASK + 1)]


def pack(index: Index) -> int:
    """The exponents as one whole number, six bits each."""
    return sum(power << (BITS * i) for i, power in enumerate(index))


def unpack(key: int, dimension: int) -> Index:
    """
    >>> unpack(pack((3, 0, 2)), 3)
    (3, 0, 2)
    """
    return tuple((key >> (BITS * i)) & _MASK for i in range(dimension))


def degree(key: int) -> int:
    total = 0
    while key:
        total += key & _MASK
        key >>= BITS
    return total


def shear(terms: Packed, i: int, j: int, c: Number) -> Packed:
    """The polynomial with x_i replaced by x_i + c x_j."""
    shift, move = BITS * i, (1 << (BITS * j)) - (1 << (BITS * i))
    powers = [1]
    result = dict(terms)
    for key, value in terms.items():
        n = (key >> shift) & _MASK
        if not n:
            continue
        while len(powers) <= n:
            powers.append(powers[-1] * c)
        row = _BINOMIALS[n]
        for k in range(1, n + 1):
            key += move
            term = value * (row[k] * powers[k])
            result[key] = result[key] + term if key in result else term
    return {key: value for key, value in result.items() if value != 0}


def scale(terms: Packed, factors: Sequence[Number]) -> Packed:
    """The polynomial with every x_i replaced by factors[i] x_i."""
    for i, c in enumerate(factors):
        if c == 1:
            continue
        shift, powers = BITS * i, [1]
        scaled: Packed = {}
        for key, value in terms.items():
            n = (key >> shift) & _MASK
            while len(powers) <= n:
                powers.append(powers[-1] * c)
            scaled[key] = value * powers[n] if n else value
        terms = scaled
    return terms


def relabel(terms: Packed, places: Sequence[int]) -> Packed:
    """The polynomial with x_{places[i]} called x_i."""
    if list(places) == sorted(places):
        return terms
    n = len(places)
    return {pack(tuple(a[p] for p in places)): c for a, c in ((unpack(key, n), c) for key, c in terms.items())}


def substitute(terms: Mapping[int, Number], matrix: Matrix) -> tuple[Packed, Number]:
    """(G, q) with G(t) = q^k F(A t) for each part of degree k, A = `matrix` square and regular.

    q is 1 for matrices of whole numbers and floats; roots cannot be divided, so there it may stay.
    """
    places, lower, middle, upper, q = _factorised(matrix)
    n = len(places)
    result = relabel(dict(terms), places)
    for i in range(n):
        for j in range(i):
            if lower[i][j] != 0:
                result = shear(result, i, j, lower[i][j])
        result = scale(result, [*[1] * i, lower[i][i]])
    result = scale(result, middle)
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            if upper[i][j] != 0:
                result = shear(result, i, j, upper[i][j])
        result = scale(result, [*[1] * i, upper[i][i]])
    if isinstance(q, int) and _are_whole(entry for row in matrix for entry in row):
        # A is whole, so each part of degree k is divisible by q^k, whatever the numbers on the way.
        if q != 1:
            result = {key: _divided(value, q ** degree(key)) for key, value in result.items()}
        return result, 1
    return result, q


def _divided(value: Number, divisor: int) -> Number:
    if isinstance(value, Surd):
        return collected({key: q // divisor for key, q in value.parts.items()})
    return value // divisor if isinstance(value, int) else value / divisor


def _are_whole(values: Iterable[Number]) -> bool:
    return all(isinstance(v, int) for v in values)


Factors: TypeAlias = tuple[list[int], list[list[Number]], list[Number], list[list[Number]], Number]


def _factorised(matrix: Matrix) -> Factors:
    """(p, L, m, U, q) with rows p of A = L diag(m) U / q, all entries in the ring of A.

    Elimination without division: if M = c S holds c times the rest S of the matrix, then
    S = sum_k M_.k M_k. / (c_k M_kk), and the next M is M_kk M - M_.k M_k. with c -> c M_kk, divided by c where that
    is possible (for whole numbers it is, exactly: Bareiss 1968).
    """
    n = len(matrix)
    rest = [list(row) for row in matrix]
    entries = [v for row in matrix for v in row]
    whole, real = _are_whole(entries), any(isinstance(v, float) for v in entries)
    places = list(range(n))
    lower: list[list[Number]] = [[0] * n for _ in range(n)]
    upper: list[list[Number]] = [[0] * n for _ in range(n)]
    weights: list[Number] = []
    c: Number = 1
    for k in range(n):
        best = _pivot(rest, k, real)
        for rows in (rest, lower):
            rows[k], rows[best] = rows[best], rows[k]
        places[k], places[best] = places[best], places[k]
        pivot = rest[k][k]
        for i in range(k, n):
            lower[i][k], upper[k][i] = rest[i][k], rest[k][i]
        weights.append(c * pivot)
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                value = pivot * rest[i][j] - rest[i][k] * rest[k][j]
                rest[i][j] = value // c if whole else value / c if real else value
        c = pivot if whole or real else c * pivot
    if real:
        return places, lower, [1.0 / w for w in weights], upper, 1
    if not whole:
        others = [product(w for j, w in enumerate(weights) if j != k) for k in range(n)]
        return places, lower, others, upper, product(weights)
    middle: list[Fraction] = []
    for k in range(n):
        # Common factors of the columns of L and the rows of U belong in the middle: shorter numbers in the shears.
        left, right = math.gcd(*(row[k] for row in lower)), math.gcd(*upper[k])
        for row in lower:
            row[k] //= left
        upper[k] = [v // right for v in upper[k]]
        middle.append(Fraction(left * right, weights[k]))
    q = math.lcm(*(m.denominator for m in middle))
    return places, lower, [int(m * q) for m in middle], upper, q


def _pivot(rest: list[list[Number]], k: int, real: bool) -> int:
    """The row of the next pivot: the largest for floats, the shortest that is not zero otherwise."""
    rows = [i for i in range(k, len(rest)) if rest[i][k] != 0]
    if not rows:
        raise ValueError("the matrix of a change of variables is singular")
    if real:
        return max(rows, key=lambda i: abs(float(rest[i][k])))
    return min(rows, key=lambda i: abs(float(rest[i][k])))
