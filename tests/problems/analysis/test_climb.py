"""The analyser on the targets of the slides, and on rotated ones."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giantstep.problems import ZOO, Target
from giantstep.problems.analysis import Analysis, Basis, Landscape
from giantstep.problems.analysis.climb import leap
from giantstep.problems.analysis.splitting import terms_of

E1, E2, E3 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
ROTATED = "(x1 + 2*x2) + (x1 + 2*x2)*(2*x1 - x2)*x3 + He2(x3)"

# name or text, |f|^2, information exponent, leap, isoleap, new directions by step, E Var by step, one step at n ~ d^2
TABLE: list[tuple[str, int, int, int, int, list[list[Any]], list[int], list[Any]]] = [
    ("example-1", 6, 1, 1, 1, [[(1, 1)], [(1, -1)]], [6, 4, 0], [(1, 1), (1, -1)]),
    ("example-2", 6, 1, 1, 2, [[(1, 1)]], [6, 2], [(1, 1), (1, -1)]),
    ("example-3-f1", 3, 1, 1, 1, [[E1], [(0, 1, 1)]], [3, 2, 0], [E1, (0, 1, 1)]),
    ("example-3-f2", 8, 1, 1, 1, [[E1], [E2, E3]], [8, 7, 0], [E1, E2]),
    ("big", 57, 1, 1, 1, [[E1], [E2], [E3]], [57, 56, 52, 0], [E1, E2]),
    ("two-level", 5, 1, 1, 1, [[(1, 0)], [(0, 1)]], [5, 4, 0], [(1, 0), (0, 1)]),
    ("three-level", 3, 1, 1, 1, [[E1], [E2], [E3]], [3, 2, 1, 0], [E1, E2]),
    ("stuck", 2, 1, 2, 2, [[E1]], [2, 1], [E1]),
    ("parity", 1, 3, 3, 3, [], [1], []),
    ("He3(x1)", 6, 3, 3, 3, [], [6], []),
    ("He4(x1)", 24, 4, 4, 4, [], [24], []),
    (ROTATED, 32, 1, 1, 2, [[(1, 2, 0)]], [32, 27], [(1, 2, 0), E3]),
]


@pytest.mark.parametrize(("name", "norm2", "ell", "in_axes", "iso", "new", "variances", "one"), TABLE)
def test_the_table_of_targets(
    name: str, norm2: int, ell: int, in_axes: int, iso: int, new: list[Any], variances: list[int], one: list[Any]
) -> None:
    found = (Target(name) if "(" in name else ZOO[name].target).analyze()
    assert (found.norm2, found.information_exponent, found.leap, found.isoleap) == (norm2, ell, in_axes, iso)
    assert [[d.vector for d in step.level.new] for step in found.staircase[1:]] == new
    assert [step.spread.variance for step in found.staircase] == variances
    assert list(found.one_step[1].basis) == one
    assert found.is_exact


@pytest.mark.parametrize(
    ("name", "basis", "energies"),
    [
        ("example-1", [(1, 1)], [2, 4]),
        ("example-2", [(1, 1)], [4, 0, 2]),
        ("example-3-f2", [E1], [1, 7]),
        ("big", [E1], [1, 2, 2, 48, 4]),
        ("big", [E1, E2], [5, 48, 4]),
        ("two-level", [(1, 0)], [1, 2, 2]),
    ],
)
def test_energies_outside_what_is_learned(name: str, basis: list[Any], energies: list[int]) -> None:
    assert terms_of(ZOO[name].target).split(tuple(basis)).energies == tuple(energies)


def test_the_relevant_space_may_be_smaller_than_the_number_of_variables() -> None:
    assert ZOO["example-3-f1"].target.analyze().space == (E1, (0, 1, 1))
    assert Target("(x1 + x2)**3 + x3 - x3").analyze().relevant_dimension == 1
    assert Target("x3*x5").analyze().space == ((0, 0, 1, 0, 0), (0, 0, 0, 0, 1))


def test_equal_functions_of_unit_vectors_may_go_on_learning() -> None:
    """sum_k s(<w_k, x>) with s = z + z^2 - 1 and w_1, w_2, w_3 not orthogonal: the second step does learn."""
    units = ["x1", "(3*x1 + 4*x2)/5", "x3"]
    found = Target(" + ".join(f"{w} + ({w})**2 - 1" for w in units)).analyze()
    assert found.staircase[1].level.basis == ((8, 4, 5),)
    assert found.staircase[1].spread.energies == (Fraction(10347, 1225), Fraction(64, 245), Fraction(3592, 1225))
    assert [d.vector for d in found.staircase[2].level.new] == [(2, 1, -4)]
    assert "it stops at U_2" in found.stop


def test_equal_functions_of_orthonormal_or_two_vectors_learn_nothing_more() -> None:
    for units in (["x1", "x2", "x3"], ["x1", "(3*x1 + 4*x2)/5"]):
        found = Target(" + ".join(f"{w} + ({w})**2 - 1 + ({w})**3" for w in units)).analyze()
        assert len(found.staircase) == 2


# --- roots --------------------------------------------------------------------------------------------------


def test_square_roots_are_decided_exactly() -> None:
    """Example 1 in coordinates turned by 45 degrees, and normalised Hermite polynomials."""
    u, v = "(x1 + x2)/sqrt(2)", "(x1 - x2)/sqrt(2)"
    found = Target(f"{u} + He2({u}) + {v} - He2({v})").analyze()
    assert [step.level.basis for step in found.staircase] == [(), ((1, 0),), ((1, 0), (0, 1))]
    assert [step.spread.variance for step in found.staircase] == [6, 4, 0]
    normal = Target("x1/sqrt(2) + x2 + (sqrt(2)*x1 - x2)*(x1 + sqrt(2)*x2)").analyze()
    assert [step.spread.variance for step in normal.staircase] == [Fraction(21, 2), 9, 0]
    assert normal.to_dict(exact=True)["staircase"][1]["directions"] == [[1, "sqrt(2)"]]
    assert normal.to_dict()["staircase"][1]["directions"] == [[1, pytest.approx(math.sqrt(2))]]


def test_numbers_that_are_not_exact_have_a_tolerance() -> None:
    found = Target("pi*x1 + x2 + x1*x2").analyze()
    assert found.staircase[1].level.basis[0] == pytest.approx((1.0, 1 / math.pi))
    assert any("count as zero" in note for note in found.notes)


# --- rotations ----------------------------------------------------------------------------------------------


def cayley(entries: list[int], n: int) -> list[list[Fraction]]:
    """(I - S)(I + S)^-1 for the skew matrix S with these entries below the diagonal: rational and orthogonal."""
    skew = [[Fraction(0)] * n for _ in range(n)]
    for (i, j), v in zip(itertools.combinations(range(n), 2), entries, strict=False):
        skew[i][j], skew[j][i] = Fraction(-v, 2), Fraction(v, 2)
    # Gauss-Jordan on (I + S | I - S): the two commute.
    rows = [[(i == j) + skew[i][j] for j in range(n)] + [(i == j) - skew[i][j] for j in range(n)] for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def linear_text(row: list[Fraction]) -> str:
    return "(" + " + ".join(f"({v})*x{j + 1}" for j, v in enumerate(row) if v) + ")"


def projector(basis: Basis, n: int) -> list[list[Fraction]]:
    squares = [sum(x * x for x in b) for b in basis]
    return [
        [sum((Fraction(b[i] * b[j], s) for b, s in zip(basis, squares, strict=True)), Fraction(0)) for j in range(n)]
        for i in range(n)
    ]


def turned(matrix: list[list[Fraction]], q: list[list[Fraction]]) -> list[list[Fraction]]:
    """Q' M Q."""
    n = range(len(q))
    return [[sum(q[k][i] * matrix[k][m] * q[m][j] for k in n for m in n) for j in n] for i in n]


PATTERNS = [
    "{0} + He2({0}) + {1} - He2({1}) + {2}*{0}",
    "{0} + He2({0}) + {1} + He2({1}) + {2}*{1}*{0}",
    "{0} + {0}*{1} + He3({0})*{2}",
    "{0} + {0}*{1}*{2}",
    "{0}*{1}*{2} + He2({0}) - He2({1})",
    "{0} + He2({1}) + He2({0})*{1} + He2({1})*He2({2})",
    "2*{0} - {1} + {0}**2*{1}*{2} + ({1} + {2})**3",
]


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(PATTERNS), st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_a_rotated_target_has_the_rotated_answer(pattern: str, entries: list[int]) -> None:
    q = cayley(entries, 3)
    plain = Target(pattern.format("x1", "x2", "x3")).analyze()
    rotated = Target(pattern.format(*map(linear_text, q))).analyze()
    assert (rotated.isoleap, rotated.relevant_dimension) == (plain.isoleap, plain.relevant_dimension)
    assert rotated.energies == plain.energies
    assert rotated.hessian.rank == plain.hessian.rank
    assert plain.isoleap is not None
    assert rotated.leap is not None
    assert rotated.leap <= plain.isoleap  # isoleap is the largest leap over rotations
    assert len(rotated.staircase) == len(plain.staircase)
    for one, other in zip(rotated.staircase, plain.staircase, strict=True):
        assert one.spread.variance == other.spread.variance
        assert one.spread.energies == other.spread.energies
        assert projector(one.level.basis, 3) == turned(projector(other.level.basis, 3), q)
        assert [d.orders[0] for d in one.level.new] == [d.orders[0] for d in other.level.new]
    assert [row.bounds for row in rotated.regimes] == [row.bounds for row in plain.regimes]


def test_isoleap_is_attained_in_adapted_coordinates() -> None:
    """Example 2 has leap 1 in its own coordinates, and leap 2 along x1 + x2 and x1 - x2."""
    u, v = "(x1 + x2)/sqrt(2)", "(x1 - x2)/sqrt(2)"
    found = Target(f"{u} + He2({u}) + {v} + He2({v})").analyze()
    assert (found.leap, found.isoleap) == (2, 2)


# --- against other ways of computing the same -----------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(st.sets(st.tuples(*[st.integers(0, 3)] * 3).filter(any), min_size=1, max_size=5))
def test_leap_is_the_best_order_of_the_terms(supports: set[tuple[int, ...]]) -> None:
    text = " + ".join("*".join(f"He{p}(x{i + 1})" for i, p in enumerate(a) if p) for a in supports)

    def cost(order: tuple[tuple[int, ...], ...]) -> int:
        seen: set[int] = set()
        worst = 0
        for a in order:
            worst = max(worst, sum(p for i, p in enumerate(a) if i not in seen))
            seen |= {i for i, p in enumerate(a) if p}
        return worst

    assert leap(terms_of(Target(text))) == min(map(cost, itertools.permutations(supports)))


def test_conditional_variance_against_quadrature() -> None:
    """E[E(f | <u, x>)^2] on a grid of Gauss-Hermite nodes."""
    f = Target("x1 + He2(x1)*x2 + x2*x3**2 - He3(x3)")
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    weights = weights / weights.sum()
    frame = np.array([[1, 2, -1], [2, -1, 0], [1, 2, 5]]) / np.sqrt([[6], [5], [30]])
    grid = np.stack(np.meshgrid(nodes, nodes, nodes, indexing="ij"), axis=-1) @ frame
    mean = np.einsum("abc,b,c->a", f(grid), weights, weights)
    spread = Landscape(f).spread(((1, 2, -1),))
    assert float(f.norm2) - float(spread.variance) == pytest.approx(float(mean**2 @ weights), rel=1e-12)


def test_large_targets_are_quick_enough_to_be_tested() -> None:
    """Six directions, degree eight, none of them along an axis."""
    y = ["(x1 + x2)", "(x1 - x2)", "(x3 + 2*x4)", "(2*x3 - x4)", "(x5 + x6)", "(x5 - x6)"]
    found: Analysis = Target("*(1 + ".join(y) + "**3" + ")" * 5).analyze()
    assert [len(step.level.basis) for step in found.staircase] == [0, 1, 2, 3, 4, 5, 6]
    assert found.staircase[-1].spread.variance == 0
