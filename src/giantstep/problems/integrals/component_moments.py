"""The Gaussian integrals of a component K: the numbers E[He_b(u) He_c(u) K(u)], with an error that is meant.

On a line by adaptive quadrature split at the kinks; in two to four dimensions on nested grids whose kink planes are
split exactly, the difference of two levels being the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite_table, line_moments
from giantstep.gaussian.quadrature import Kinks, nested_rule
from giantstep.problems.forms.components import Component
from giantstep.problems.forms.growth import reach_of
from giantstep.problems.forms.kinks import piecewise_calls, scanned_zeros
from giantstep.problems.forms.normal import degree_of, make_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.evaluation import evaluate
from giantstep.problems.text.expression import Expression
from giantstep.problems.text.scalars import ONE
from giantstep.problems.text.scanner import MAX_DIRECTIONS

_NAMES = tuple(f"x{i + 1}" for i in range(MAX_DIRECTIONS))
_LEVELS = {2: ((6, 12), (10, 16), (24, 16)), 3: ((3, 10), (4, 14), (6, 16)), 4: ((2, 10), (3, 10), (4, 10))}
"""Panels and points per panel of each coordinate, by dimension."""


@lru_cache(maxsize=512)
def hermite_moments(component: Component, left: int, right: int) -> tuple[dict[tuple[Index, Index], float], float]:
    """E[He_b(u) He_c(u) K(u)] for |b| <= left, |c| <= right, and a bound on the errors, divided by sqrt(b! c!)."""
    k = component.rank
    rows, columns = indices(k, left), indices(k, right)
    basis = np.array(component.basis)
    expression = to_expression(make_form({component.atoms: ONE}), _NAMES)
    # The Hermite polynomials reach further out than the function itself.
    reach = reach_of(make_form({component.atoms: ONE}), basis.shape[1], extra_degree=0.5 * (left + right))
    value = partial(_at, expression, basis)
    if k == 1:
        on_line = partial(_on_line, value)
        table, error = line_moments(on_line, _line_kinks(expression, basis[0]), reach, left, right)
    else:
        table, error = _grid(value, _kinks(expression, basis), k, reach, rows, columns)
    # As floats: from 21! on factorials no longer fit into NumPy's integers.
    scale = np.sqrt([[float(math.prod(map(math.factorial, (*b, *c)))) for c in columns] for b in rows])
    table = table * scale
    return {(b, c): float(table[i, j]) for i, b in enumerate(rows) for j, c in enumerate(columns)}, error


def indices(k: int, degree: int) -> list[Index]:
    """All multi-indices of length k with sum at most `degree`, by degree."""
    found: list[Index] = [()]
    for _ in range(k):
        found = [(*a, n) for a in found for n in range(degree - sum(a) + 1)]
    return sorted(found, key=lambda a: (sum(a), a))


def _line_kinks(expression: Expression, direction: NDArray[Any]) -> tuple[float, ...]:
    """Kinks along t * direction: zeros of the arguments of piecewise functions."""
    kinks = _kinks(expression, direction[None, :])
    found = {-shift / float(normal[0]) for normal, shift in kinks.planes}
    for function in kinks.curved:
        found.update(scanned_zeros(partial(_on_line, function)))
    return tuple(sorted(found))


def _on_line(function: Callable[[Array], Array], t: Array) -> Array:
    return function(t[None, :])


def _kinks(expression: Expression, basis: Array) -> Kinks:
    """The kinks in the coordinates u: planes where an argument is linear, curved where it is not."""
    planes, curved = [], []
    for call in piecewise_calls(expression):
        plane = _plane(call.argument, basis.shape[1])
        if plane is not None:
            planes.append((basis @ plane[0], plane[1]))
        else:
            curved.append(partial(_at, call.argument, basis))
    return Kinks(planes, curved)


def _at(expression: Expression, basis: Array, u: Array) -> Array:
    """The expression at x = basis' u."""
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(evaluate(expression, list(basis.T @ u))), u.shape[1:])


def _plane(argument: Expression, dimension: int) -> tuple[NDArray[Any], float] | None:
    """(n, b) if the argument is <n,x> + b."""
    form = Normaliser().form(argument)
    if not form.is_polynomial or any(degree_of(m) > 1 for m, _ in form.terms):
        return None
    normal, shift = np.zeros(dimension), 0.0
    for monomial, c in form.terms:
        for index, _ in monomial:
            assert isinstance(index, int)
            normal[index] = float(c)
        if not monomial:
            shift = float(c)
    return normal, shift


def _products(tables: Sequence[Array], chosen: Sequence[Index]) -> Array:
    """h_b(u) = prod_j h_{b_j}(u_j) at all nodes, for the chosen b."""
    result = np.empty((len(chosen), tables[0].shape[1]))
    for row, b in zip(result, chosen, strict=True):
        np.multiply(tables[0][b[0]], tables[1][b[1]], out=row)
        for table, n in zip(tables[2:], b[2:], strict=True):
            row *= table[n]
    return result


def _grid(
    value: Callable[[Array], Array],
    kinks: Kinks,
    k: int,
    reach: float,
    rows: Sequence[Index],
    columns: Sequence[Index],
) -> tuple[Array, float]:
    """The same on nested grids of rising order, until two agree; the error is their difference.

    Where a line is tangent to a curved kink the convergence is only algebraic: then ten times the difference.
    """
    before, gap, size = np.full((len(rows), len(columns)), math.inf), math.inf, 0.0
    for panels, order in _LEVELS[k]:
        total = np.zeros((len(rows), len(columns)))
        square = 0.0
        for nodes, weights in nested_rule(kinks, k, reach, panels, order):
            tables = [hermite_table(max(map(sum, (*rows, *columns))), u, normalised=True) for u in nodes]
            values = value(nodes)
            weighted = weights * values
            total += (_products(tables, rows) * weighted) @ _products(tables, columns).T
            square += float(weighted @ values)
        gap, before, size = float(np.abs(total - before).max()), total, math.sqrt(square)
        if gap <= 1e-12 * size:
            break
    return before, (10.0 if kinks.curved else 1.0) * gap + 4e-15 * size
