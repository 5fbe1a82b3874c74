"""A target by its directions: what one of them says about it, and whether it is a sum of functions of one each.

What knowing u = <v, x>, |v| = 1, says about f:

    f_0(u) = E[f | u],   f_1(u) = E[grad f | u],   E[f^2 | u]

With v_V the part of v in the target's directions, x_V given u is N(u v_V, I - v_V v_V^T): a Gaussian expectation in r
variables, taken on a product of Gauss-Hermite rules that is exact for polynomials.

A committee machine is a sum f(x) = sum_k g_k(<b_k, x>) of functions of one direction each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import hermite_grid
from giantstep.problems.forms.kinks import is_continuous
from giantstep.problems.forms.linear_forms import direction_space
from giantstep.problems.forms.normal import Form, Monomial, make_form
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scalars import Scalar

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation
    from giantstep.problems.target import Target

NODES = {1: 96, 2: 40, 3: 16}
"""Nodes per direction for targets that are not polynomials."""
MOST_NODES = 30_000

Part = tuple["Activation", NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class ConditionalMeans:
    """For each of K places u: `mean` E[f | u] (K,), `gradient` E[grad f | u] (K, r), `second` E[f^2 | u] (K,)."""

    mean: NDArray[np.float64]
    gradient: NDArray[np.float64]
    second: NDArray[np.float64]


def conditional_means(target: Target, direction: NDArray[np.float64], u: NDArray[np.float64]) -> ConditionalMeans:
    """The target given u = <v, x>, |v| = 1: E[f | u], E[grad f | u] and E[f^2 | u].

    Targets that jump are refused. Gauss-Hermite rules leave errors of 1e-3 or so where a target has kinks.

    Args:
        target: f, of r directions.
        direction: v_V, the part of v in the target's directions, shape (r,), |v_V| <= 1.
        u: the places, shape (K,), in units of the standard deviation of <v, x>.

    >>> from giantstep.problems import Target
    >>> seen = conditional_means(Target("x1*x2"), np.array([0.6, 0.8]), np.array([2.0]))
    >>> seen.mean.round(9).tolist(), seen.gradient.round(9).tolist()
    ([1.44], [[1.6, 1.2]])
    """
    v = np.asarray(direction, dtype=np.float64)
    length2 = float(v @ v)
    if v.shape != (target.directions,) or length2 > 1 + 1e-9:
        raise InputError(f"the direction must have {target.directions} entries and length 1 at most")
    if not is_continuous(target.form):
        raise InputError(f"the target {target.text} jumps: its gradient, which is needed here, is not a function")
    z, weight = hermite_grid(nodes_per_direction(target), target.directions)
    # (I - v v^T)^(1/2) = I - (1 - sqrt(1 - |v|^2)) v v^T / |v|^2
    shrink = (1 - np.sqrt(max(0.0, 1 - length2))) / length2 if length2 > 0 else 0.0
    spread = z - shrink * np.outer(z @ v, v)
    x = np.asarray(u, dtype=np.float64)[:, None, None] * v + spread
    f, slope = np.asarray(target(x), dtype=np.float64), np.asarray(target.gradient(x), dtype=np.float64)
    return ConditionalMeans(f @ weight, np.einsum("kqr,q->kr", slope, weight), f**2 @ weight)


def nodes_per_direction(target: Target) -> int:
    """Nodes of a Gauss-Hermite rule a direction that integrate f^2 exactly (a polynomial) or well, f the `target`.

    Targets that would need too many are refused.
    """
    r = target.directions
    known = target.degree + 1 if target.degree is not None else NODES.get(r)
    if known is None or known**r > MOST_NODES:
        raise InputError(
            f"the target has {r} directions; conditional means of it need too many nodes, at most "
            f"{MOST_NODES} are allowed: take fewer directions or a polynomial of lower degree"
        )
    return known


@lru_cache(maxsize=256)
def single_index_parts(target: Target) -> tuple[Part, ...] | None:
    """(g_k, b_k) with f(x) = sum_k g_k(<b_k, x>) and |b_k| = 1; None if a term couples two directions.

    Args:
        target: f, of r directions; each b_k has the shape (r,).

    >>> from giantstep.problems import Target
    >>> [str(g) for g, _ in single_index_parts(Target("relu(x1) + tanh(x2) + x2"))]
    ['z + tanh(z)', 'relu(z)']
    """
    groups: dict[tuple[float, ...], dict[Monomial, Scalar]] = {}
    constant: dict[Monomial, Scalar] = {}
    for monomial, c in target.form.terms:
        space = direction_space(Form(((monomial, c),)), target.directions)
        if len(space) > 1:
            return None
        where = constant if not len(space) else groups.setdefault(tuple(float(v) for v in space[0].round(9)), {})
        where[monomial] = c
    if not groups:
        return None
    next(iter(groups.values())).update(constant)
    names = [f"x{i + 1}" for i in range(target.directions)]
    parts = []
    for terms in groups.values():
        single = type(target)(to_text(to_expression(make_form(terms), names))).single_index
        assert single is not None
        function, direction = single
        parts.append((function, np.pad(direction, (0, target.directions - len(direction)))))
    return tuple(parts)
