"""What a network fits after giant steps, by the numbers of samples and neurons ([dklps23], Conjecture 3).

With n ~ d^a samples a step and p ~ d^b neurons, if the first layer has learned U, then a ridge head has risk at least

    |P_{U,>k} f|^2,   k = min(a, b):

everything on U, and outside U no more than random features do. For U = {0} this is the floor of kernels and random
features ([mmm22]); for k = 0 it is E Var(f | P_U x), a theorem of [dklps23].
"""

from __future__ import annotations

from dataclasses import dataclass

from giantstep.problems.analysis.landscape import Landscape
from giantstep.problems.analysis.splitting import Exact
from giantstep.problems.analysis.subspaces.spans import Basis
from giantstep.problems.forms.polynomial import Index, hermite_expansion
from giantstep.problems.text.expression import Call, Expression, Number, Product, Sum, Variable
from giantstep.problems.text.printing import number_text, to_text
from giantstep.problems.text.scalars import Scalar
from giantstep.problems.text.surds import Surd

MAX_FITTED = 40
"""Most terms of a fitted function that are written out."""


@dataclass(frozen=True)
class Regime:
    """One row: n ~ d^samples, p ~ d^neurons, what one step learns, what is then fitted, and the bound on the risk.

    `bounds` are the bounds after 0, 1, 2, ... steps; `bound` is the one after a single step.
    """

    samples: int
    neurons: int
    basis: Basis
    fitted: str
    bound: Exact
    bounds: tuple[Exact, ...]


def regimes(landscape: Landscape) -> tuple[Regime, ...]:
    """The rows until everything is fitted: for each n ~ d^a the neurons 1, d, ... up to n or to bound zero."""
    rows: list[Regime] = []
    last = max(landscape.terms.degree, 1)
    orders = range(1, last + 1)
    finish = next((a for a in orders if not _bound(landscape, a, a, 1)), last)
    steps = max(len(landscape.staircase(a).levels) for a in range(1, finish + 1))
    for a in range(1, finish + 1):
        for b in range(a + 1):
            basis = landscape.staircase(a).after(1).basis
            bounds = tuple(_bound(landscape, a, b, t) for t in range(max(steps, 2)))
            rows.append(Regime(a, b, basis, fitted(landscape, basis, b), bounds[1], bounds))
            if not bounds[1]:
                break
    return tuple(rows)


def _bound(landscape: Landscape, samples: int, neurons: int, steps: int) -> Exact:
    return landscape.spread(landscape.staircase(samples).after(steps).basis).above(min(samples, neurons))


def fitted(landscape: Landscape, basis: Basis, degree: int) -> str:
    """P_{U,<=degree} f as text that parses; in words where it is too long or no finite sum."""
    everything = not landscape.spread(basis).above(degree)
    series = _fitted_series(landscape, basis, degree, everything)
    if series is not None and len(series) <= MAX_FITTED:
        return series_text(series)
    if everything:
        return "all of f"
    if not basis and degree == 0:
        return "the mean of f"
    inside = "the mean of f given the learned directions"
    if degree == 0:
        return inside
    return f"{inside}, and degree up to {degree} in the others" if basis else f"f up to degree {degree}"


def _fitted_series(landscape: Landscape, basis: Basis, degree: int, everything: bool) -> dict[Index, Scalar] | None:
    target = landscape.target
    if not target.is_polynomial or len(landscape.terms.packed) > MAX_FITTED:
        return None
    places = [[i for i, x in enumerate(b) if x != 0] for b in basis]
    if not everything and any(len(axis) > 1 for axis in places):
        return {**landscape.terms.split(basis).part(degree)}
    series = hermite_expansion(target.form, target.directions)
    known = {axis[0] for axis in places}
    return {
        a: c for a, c in series.items() if everything or sum(p for i, p in enumerate(a) if i not in known) <= degree
    }


def series_text(series: dict[Index, Scalar]) -> str:
    """A finite Hermite series in the language of targets.

    >>> from fractions import Fraction
    >>> series_text({(0, 0): Fraction(1, 2), (2, 1): Fraction(-3)})
    '0.5 - 3*He2(x1)*x2'
    """
    terms: list[Expression] = []
    for a, c in series.items():
        factors: list[Expression] = []
        for i, power in enumerate(a):
            variable = Variable(i, f"x{i + 1}")
            if power:
                factors.append(variable if power == 1 else Call(f"He{power}", variable))
        if isinstance(c, float):
            c = float(f"{c:.12g}")  # the digits beyond are rounding
        if c != 1 or not factors:
            factors.insert(0, Number(c, number_text(c) if isinstance(c, Surd) else ""))
        terms.append(factors[0] if len(factors) == 1 else Product(tuple(factors)))
    if not terms:
        return "0"
    return to_text(terms[0] if len(terms) == 1 else Sum(tuple(terms)))
