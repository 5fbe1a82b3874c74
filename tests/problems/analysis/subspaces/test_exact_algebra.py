"""Roots, changes of variables and subspaces without rounding."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giantstep.problems.analysis.subspaces.packed import degree, pack, substitute, unpack
from giantstep.problems.analysis.subspaces.roots import (
    over_common_denominator,
    primitive,
    quotient,
    whole_multiplier,
)
from giantstep.problems.analysis.subspaces.spans import ExactGeometry, FloatGeometry, axes, dot
from giantstep.problems.text.scalars import PI, square_root
from giantstep.problems.text.surds import Surd, collected, parts_of

parts = st.dictionaries(st.sampled_from([1, 2, 3, 6]), st.integers(-9, 9), max_size=4)
small = st.integers(-4, 4)


def value(ring: Any) -> float:
    return sum(q * math.sqrt(n) for (n, _), q in parts_of(ring).items())


def whole_roots(parts: dict[int, int]) -> Any:
    return collected({(n, 0): q for n, q in parts.items()})


@given(parts, parts)
def test_roots_are_a_ring(p: dict[int, int], q: dict[int, int]) -> None:
    a, b = whole_roots(p), whole_roots(q)
    assert value(a * b) == pytest.approx(value(a) * value(b), abs=1e-9)
    assert value(a + b) == pytest.approx(value(a) + value(b), abs=1e-9)
    assert a - a == 0
    assert (a + b) * (a - b) == a * a - b * b
    if isinstance(a, Surd):
        assert isinstance(a * whole_multiplier(a), int)
        assert float(a) == pytest.approx(value(a), rel=1e-9)


def test_quotients_survive_cancellation() -> None:
    tiny = whole_roots({1: -(10**30), 2: 707106781186547524400844362105})  # 10^30/sqrt(2) rounded up, times sqrt(2)
    exact = quotient(tiny, 10**30)
    assert 0 < exact < 1e-29
    assert exact * 10**30 * (2 * 10**30) == pytest.approx(2 * 707106781186547524400844362105**2 - 10**60, rel=1e-12)


def test_what_is_too_involved_is_left_to_floats() -> None:
    roots = [square_root(Fraction(n)) for n in (2, 3, 5, 7)]
    assert over_common_denominator([PI]) is None
    assert over_common_denominator(roots) is None
    known = over_common_denominator([Fraction(1, 2), roots[0], square_root(Fraction(1, 12))])
    assert known == ([3, whole_roots({2: 6}), whole_roots({3: 1})], 6)


def test_primitive_vectors_are_unique() -> None:
    assert primitive([0, -4, 6]) == (0, 2, -3)
    assert primitive([whole_roots({2: 1}), 2]) == (1, whole_roots({2: 1}))
    assert primitive([whole_roots({1: 1, 2: 1}), 1]) == (1, whole_roots({1: -1, 2: 1}))


def evaluate(terms: dict[int, Any], point: list[Any], k: int) -> Any:
    total: Any = 0
    for key, c in terms.items():
        if degree(key) == k:
            product = c
            for x, power in zip(point, unpack(key, len(point)), strict=True):
                for _ in range(power):
                    product = product * x
            total = total + product
    return total


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(small, min_size=n, max_size=n), min_size=n, max_size=n),
            st.dictionaries(st.tuples(*[st.integers(0, 3)] * n), st.integers(-9, 9).filter(bool), max_size=6),
            st.lists(small, min_size=n, max_size=n),
            st.booleans(),
        )
    )
)
def test_substitution_is_exact(case: tuple[list[list[int]], dict[tuple[int, ...], int], list[int], bool]) -> None:
    rows, terms, point, irrational = case
    matrix: list[list[Any]] = [list(row) for row in rows]
    if irrational:
        matrix[0] = [entry * whole_roots({2: 1}) + 1 for entry in matrix[0]]
    numbers = np.array([[float(x) for x in row] for row in matrix])
    if abs(np.linalg.det(numbers)) < 1e-6:
        return
    packed = {pack(a): c for a, c in terms.items()}
    changed, q = substitute(packed, matrix)
    image = [sum((a * t for a, t in zip(row, point, strict=True)), 0) for row in matrix]
    for k in range(13):
        stretch: Any = 1
        for _ in range(k):
            stretch = stretch * q
        assert evaluate(changed, point, k) == stretch * evaluate(packed, image, k)


def test_substitution_with_floats() -> None:
    rotation = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0].tolist()
    terms = {pack(a): 1.0 + sum(a) for a in itertools.product(range(3), repeat=4)}
    changed, q = substitute(terms, rotation)
    assert q == 1
    point = [0.3, -1.2, 0.7, 2.0]
    image = [float(np.dot(row, point)) for row in rotation]
    for k in range(9):
        assert evaluate(changed, point, k) == pytest.approx(evaluate(terms, image, k), rel=1e-10, abs=1e-10)


def test_a_singular_change_of_variables_is_refused() -> None:
    with pytest.raises(ValueError, match="singular"):
        substitute({pack((1, 1)): 1}, [[1, 2], [2, 4]])


@settings(deadline=None)
@given(st.lists(st.tuples(small, small, small, small), max_size=5))
def test_extensions_span_their_rows(rows: list[tuple[int, ...]]) -> None:
    geometry = ExactGeometry()
    found = geometry.extension(rows, (), axes(4)).vectors
    rank = int(np.linalg.matrix_rank(np.array(rows))) if rows else 0
    assert len(found) == rank
    assert all(dot(u, v) == 0 for u, v in itertools.combinations(found, 2))
    rest = geometry.complement(found, axes(4))
    assert len(rest) == 4 - rank
    assert all(dot(row, v) == 0 for row in rows for v in rest)
    # The same span gives the same basis, in whatever order its vectors come.
    assert geometry.extension(rows[::-1], (), axes(4)).vectors == found


def test_float_ranks_have_a_tolerance_and_say_how_near_it_was() -> None:
    geometry = FloatGeometry(1e-6)
    found = geometry.extension([(1.0, 1.0, 0.0), (1.0, 1.0 + 1e-7, 0.0)], (), axes(3))
    assert found.vectors == ((1.0, pytest.approx(1.0), 0.0),)
    assert 5 < found.closest < 50
    clear = geometry.extension([(1.0, 1.0, 0.0), (0.0, 0.0, 2.0)], ((1, 1, 0),), axes(3))
    assert clear.vectors == ((0.0, 0.0, 1.0),)
    assert clear.closest > 1e5
