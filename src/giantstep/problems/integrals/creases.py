"""Where a function of several coordinates is not smooth, as places along one coordinate when the outer ones are given.

A piecewise function jumps or bends where its argument p vanishes. Along the last coordinate t these are the roots of p,
and p is mostly a polynomial in t with coefficients in the others. What is left after t has been integrated is smooth in
the others except where roots meet, vanish or run to infinity: where the discriminant, the leading coefficient (with the
next one) or the resultant of two arguments vanishes. These are again arguments, in one coordinate less, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giantstep.arrays import Array
from giantstep.problems.forms.arithmetic import MAX_DEGREE
from giantstep.problems.forms.kinks import scanned_zeros
from giantstep.problems.forms.normal import Atom, Form, FormError, Monomial, make_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.text.elementary import FUNCTIONS
from giantstep.problems.text.evaluation import evaluate
from giantstep.problems.text.expression import Expression
from giantstep.problems.text.scalars import NumberError, Scalar

MOST = 24
"""Most arguments followed along one coordinate."""
_STEEP = ("tanh", "erf", "sigmoid", "softplus", "gelu", "exp")
_SCAN, _BISECTIONS = 129, 45


@dataclass(frozen=True)
class Crease:
    """The zeros along a coordinate t of sum_i c_i t^i, or of any function of t if there are no coefficients c_i."""

    coefficients: tuple[Expression, ...]
    whole: Expression

    def along(self, j: int, u: Array, reach: float) -> Array:
        """The zeros at outer places u (j, m), shape (m, zeros); complex ones count with their real parts."""
        if not self.coefficients:
            return self._scanned(j, u, reach)
        rows = np.stack([_at(c, u) for c in self.coefficients])
        with np.errstate(all="ignore"):
            found = _roots(rows)
        return np.clip(np.nan_to_num(found, nan=reach, posinf=reach, neginf=-reach), -reach, reach)

    def _scanned(self, j: int, u: Array, reach: float) -> Array:
        if j == 0:
            return np.array([scanned_zeros(lambda t: evaluate(self.whole, (t,)))])

        def signs(t: Array) -> Array:
            places = np.concatenate([np.repeat(u, t.shape[1], axis=1), t.reshape(1, -1)])
            return np.asarray(np.sign(_at(self.whole, places)).reshape(t.shape))

        grid = np.linspace(-reach, reach, _SCAN)
        seen = signs(np.broadcast_to(grid, (u.shape[1], _SCAN)))
        change = seen[:, :-1] * seen[:, 1:] < 0
        most = int(change.sum(axis=1).max(initial=0))
        first = np.argsort(~change, axis=1, kind="stable")[:, :most]
        there = np.take_along_axis(change, first, axis=1)
        low, high = np.where(there, grid[first], reach), np.where(there, grid[first + 1], reach)
        left = np.take_along_axis(seen, first, axis=1)
        for _ in range(_BISECTIONS if most else 0):
            middle = 0.5 * (low + high)
            same = signs(middle) == left
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return high


@dataclass(frozen=True)
class Creases:
    """The creases of a function by coordinate, outermost first, and a number for how hard they make its integral."""

    levels: tuple[tuple[Crease, ...], ...]
    reach: float
    hardness: float

    @property
    def cost(self) -> int:
        """Evaluations for one innermost line."""
        return sum(_SCAN + 4 * _BISECTIONS for crease in self.levels[-1] if not crease.coefficients)

    def __call__(self, j: int, u: Array) -> Array:
        found = [crease.along(j, u, self.reach) for crease in self.levels[j]]
        return np.concatenate(found, axis=1) if found else np.zeros((u.shape[1], 0))


def creases(form: Form, k: int, reach: float) -> Creases:
    """The creases of a form in the variables 0, ..., k - 1."""
    names = [f"x{i + 1}" for i in range(k)]
    sharp, steep = _arguments(form)
    levels: list[tuple[Crease, ...]] = []
    hardness = 0.0
    for t in range(k - 1, -1, -1):
        here: list[Crease] = []
        below: list[Form] = []
        lines: list[dict[int, Form]] = []
        for argument in dict.fromkeys([*sharp, *(steep if t == k - 1 else ())]):
            is_sharp = argument in sharp
            if t not in argument.variables:
                below += [argument] if is_sharp else []
                continue
            powers = _powers(argument, t)
            hardness += _hardness(powers) if is_sharp else 0.0
            if powers is None:
                if is_sharp:
                    here.append(Crease((), to_expression(argument, names)))
                continue
            here.append(
                Crease(
                    tuple(to_expression(powers.get(i, make_form({})), names) for i in range(max(powers) + 1)),
                    to_expression(argument, names),
                )
            )
            if is_sharp:
                below += _ends(powers)
                lines += [powers] if max(powers) == 1 else []
        below += [meet for i, a in enumerate(lines) for b in lines[:i] for meet in _meets(a, b)]
        levels.append(tuple(here[:MOST]))
        sharp = list(dict.fromkeys(_unit(p) for p in below if p.constant is None))[:MOST]
    return Creases(tuple(reversed(levels)), reach, hardness)


def degree_between(form: Form, t: int) -> int | None:
    """The degree, 0 or 1, of the form along coordinate t between its creases; None if it is no such polynomial."""
    highest = 0
    for monomial, _ in form.terms:
        degree = 0
        for g, p in monomial:
            if isinstance(g, int):
                degree += p * (g == t)
            elif t in g.argument.variables:
                powers = _powers(g.argument, t)
                if g.name not in ("sign", "step", "abs", "relu") or powers is None:
                    return None
                degree += p * max(powers) * (g.name in ("abs", "relu"))
        highest = max(highest, degree)
    return highest if highest <= 1 else None


def _arguments(form: Form) -> tuple[list[Form], list[Form]]:
    """The arguments of all piecewise functions in it, and those of functions that may be steep."""
    sharp: list[Form] = []
    steep: list[Form] = []
    for monomial, _ in form.terms:
        for g, _ in monomial:
            if isinstance(g, Atom):
                inner = _arguments(g.argument)
                own = [g.argument]
                sharp += inner[0] + (own if FUNCTIONS[g.name].kinks else [])
                steep += inner[1] + (own if g.name in _STEEP else [])
    return list(dict.fromkeys(sharp)), list(dict.fromkeys(steep))


def _powers(form: Form, t: int) -> dict[int, Form] | None:
    """The coefficients of a form as a polynomial in variable t; None if t stands inside a function."""
    parts: dict[int, dict[Monomial, Scalar]] = {}
    for monomial, c in form.terms:
        if any(isinstance(g, Atom) and t in g.argument.variables for g, _ in monomial):
            return None
        power = next((p for g, p in monomial if g == t and isinstance(g, int)), 0)
        rest = tuple((g, p) for g, p in monomial if not (isinstance(g, int) and g == t))
        parts.setdefault(power, {})[rest] = c
    return {power: make_form(terms) for power, terms in parts.items()}


def _hardness(powers: dict[int, Form] | None) -> float:
    """How much is left to do after cutting along a coordinate: nothing for c t + ..., with c a number."""
    if powers is None:
        return 10.0
    degree = max(powers)
    return 2.0 * (degree - 1) + (0.0 if powers[degree].constant is not None else 1.0)


def _ends(powers: dict[int, Form]) -> list[Form]:
    """Where roots vanish or run to infinity."""
    degree = max(powers)
    lead = powers[degree]
    found = [] if lead.constant is not None else [lead, powers.get(degree - 1, make_form({}))]
    if degree == 2:
        b, c = powers.get(1, make_form({})), powers.get(0, make_form({}))
        found += _computed(lambda work: work.total([work.times(b, b), work.scaled(work.times(lead, c), Fraction(-4))]))
    return found


def _meets(a: dict[int, Form], b: dict[int, Form]) -> list[Form]:
    """Where the roots of two linear polynomials meet."""
    zero = make_form({})
    return _computed(
        lambda work: work.total(
            [work.times(a[1], b.get(0, zero)), work.scaled(work.times(b[1], a.get(0, zero)), Fraction(-1))]
        )
    )


def _computed(make: Callable[[Normaliser], Form]) -> list[Form]:
    try:
        return [make(Normaliser(max_degree=2 * MAX_DEGREE))]
    except (FormError, NumberError):
        return []  # found by halving instead


def _unit(form: Form) -> Form:
    """The form divided by its last coefficient, so that multiples of it count once."""
    last = float(form.terms[-1][1])
    return make_form({m: float(c) / last for m, c in form.terms})


def _at(expression: Expression, u: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(evaluate(expression, list(u)), dtype=np.float64), u.shape[1:])


def _roots(rows: Array) -> Array:
    """The real parts of the roots of sum_i rows[i] t^i, shape (m, degree)."""
    degree = len(rows) - 1
    if degree == 1:
        return np.asarray(-rows[0] / rows[1])[:, None]
    if degree == 2:
        c, b, a = rows
        root = np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0))
        q = -0.5 * (b + np.copysign(root, b))
        complex_pair = b * b < 4.0 * a * c
        centre = -0.5 * b / a
        return np.stack([np.where(complex_pair, centre, q / a), np.where(complex_pair, centre, c / q)], axis=1)
    monic = np.nan_to_num(rows[:-1] / rows[-1], nan=0.0, posinf=1e150, neginf=-1e150)
    companion = np.zeros((monic.shape[1], degree, degree))
    companion[:, 1:, :-1] = np.eye(degree - 1)
    companion[:, :, -1] = -monic.T
    return np.asarray(np.linalg.eigvals(companion).real)
