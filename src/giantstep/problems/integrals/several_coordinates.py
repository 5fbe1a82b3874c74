"""Gaussian integrals of a normal form in up to four coordinates, its creases and symmetries made use of.

The order of the coordinates is chosen such that the innermost ones cut the creases most simply: for sign(x1 + x2 x3) it
is x1, along which there is always exactly one jump, and what is left is smooth.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite import Integrals, Integrand, Pass, multi_indices, nested_moments
from giantstep.problems.forms.growth import reach_of
from giantstep.problems.forms.normal import Atom, Form, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.integrals.creases import Creases, creases, degree_between
from giantstep.problems.integrals.symmetries import Flips, flips
from giantstep.problems.text.evaluation import evaluate
from giantstep.problems.text.expression import Expression

BUDGET = {1: 2_000_000, 2: 4_000_000, 3: 6_000_000, 4: 12_000_000}
"""Most evaluations of a function in one integral, by the number of coordinates: a second or two."""
PASSES = {
    1: (Pass(16, 2.0, 1e-9), Pass(20, 1.6, 1e-15)),
    2: (Pass(16, 2.0, 1e-8), Pass(20, 1.6, 1e-12)),
    3: (
        Pass(14, 2.5, 3e-4, 8, False),
        Pass(16, 2.2, 3e-5, 8, False),
        Pass(18, 2.0, 1e-6, 16, False),
        Pass(20, 2.5, 1e-8, 32, False),
    ),
    4: (
        Pass(8, 2.5, 1e-1, 2, False),
        Pass(10, 2.5, 1e-2, 3, False),
        Pass(12, 2.2, 1e-3, 8, False),
        Pass(14, 2.0, 1e-4, 8, False),
    ),
}
"""How finely is looked, by the number of coordinates; tolerances are in units of E|K|."""
ENOUGH = {1: 0.0, 2: 0.0, 3: 3e-8, 4: 3e-4}
"""The error, in units of E|K|, that is good enough."""
SIZING = {1: Pass(16, 1.0, math.inf, 1), 2: Pass(8, 2.0, math.inf, 1), 3: Pass(6, 2.5, math.inf, 1)}
"""A glance to know E|K|; in four coordinates a coarser one."""
EPS = float(np.finfo(np.float64).eps)
NEGLIGIBLE = {1: 45.0, 2: 45.0, 3: 20.0, 4: 16.0}
"""-log of the part of E f^2 that is left beyond the reach."""


@lru_cache(maxsize=512)
def form_moments(form: Form, k: int, degree: int) -> tuple[Mapping[Index, float], float]:
    """E[h_a K] for |a| <= degree, K a form in k variables, and a bound on their errors; exact zeros are left out."""
    order, made, symmetry = _prepared(form, k, degree, 0)
    columns = multi_indices(k, degree)
    kept = np.array([symmetry.allows(a) for a in columns], dtype=np.float64)
    found, left = _integrated(made, k, degree, 0, kept)
    left += 4.0 * EPS * _cancellation(form) * found.mass
    table = {
        tuple(a[order.index(i)] for i in range(k)): float(v)
        for a, v, there in zip(columns, found.values, kept, strict=True)
        if there
    }
    return table, found.error + left


@lru_cache(maxsize=128)
def form_energies(form: Form, k: int, degree: int, known: int) -> tuple[tuple[float, ...], float]:
    """sum_{|b| = m} E[E[h_b f | x_1, ..., x_known]^2] for m <= degree, b over the other variables, and their error."""
    _, made, symmetry = _prepared(form, k, degree, known)
    zeros = (0,) * known
    kept = np.array([symmetry.allows((*zeros, *b), known) for b in multi_indices(k - known, degree)], dtype=np.float64)
    found, left = _integrated(made, k, degree, known, kept)
    left += 8.0 * EPS * _cancellation(form) * float(found.values.sum())
    return tuple(map(float, found.values)), found.error + left


def _integrated(made: Integrand, k: int, degree: int, known: int, kept: Array) -> tuple[Integrals, float]:
    glance = nested_moments(made, 0, [SIZING.get(k, Pass(5, 4.0, math.inf, 1))], BUDGET[k])
    size = max(glance.mass, 1e-300)
    if not math.isfinite(size):
        return glance, math.inf
    passes = [replace(p, tolerance=p.tolerance * size) for p in PASSES[k]]
    found = nested_moments(made, degree, passes, BUDGET[k], known, kept, ENOUGH[k])
    return found, k * math.exp(-NEGLIGIBLE[k]) * (found.mass if not known else found.mass**2)


def _cancellation(form: Form) -> float:
    """How many times its rounding an argument of a function may be off: the sum of its coefficients' sizes."""
    arguments = [g.argument for monomial, _ in form.terms for g, _ in monomial if isinstance(g, Atom)]
    return max((max(_cancellation(a), sum(abs(float(c)) for _, c in a.terms)) for a in arguments), default=0.0)


def _prepared(form: Form, k: int, degree: int, known: int) -> tuple[tuple[int, ...], Integrand, Flips]:
    """The order of the coordinates (those that are known stay in front), the integrand in it, and its symmetries."""
    reach = reach_of(form, k, extra_degree=0.5 * degree, negligible=NEGLIGIBLE[k])
    best: tuple[float, tuple[int, ...], Form, Creases] | None = None
    for front, back in itertools.product(itertools.permutations(range(known)), itertools.permutations(range(known, k))):
        order = (*front, *back)
        turned = form if order == tuple(range(k)) else _reordered(form, order)
        found = creases(turned, k, reach)
        if best is None or found.hardness < best[0]:
            best = found.hardness, order, turned, found
        if best[0] == 0.0:
            break
    assert best is not None
    _, order, turned, found = best
    symmetry = flips(turned, k)
    expression = to_expression(turned, [f"x{i + 1}" for i in range(k)])
    pieces = degree_between(turned, k - 1)
    return order, Integrand(partial(_at, expression), found, k, reach, symmetry.halves(k), found.cost, pieces), symmetry


def _reordered(form: Form, order: tuple[int, ...]) -> Form:
    """The form with variable order[j] called j."""
    return Normaliser().substitute(form, [variable_form(order.index(i)) for i in range(len(order))])


def _at(expression: Expression, u: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(evaluate(expression, list(u))), u.shape[1:])
