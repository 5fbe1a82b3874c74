"""What knowing P_U x leaves open of a target: E Var(f | P_U x), and how it is spread over degrees outside U.

Polynomials: sums over their coefficients (see `splitting`). Otherwise

    |P_{U,k} f|^2 = sum_{|b| = k} E[ E[h_b(x_perp) f | P_U x]^2 ],

an integral over x_perp inside one over P_U x, taken in the coordinates of the target if they are at most four. With
more let x' share P_U x with x and be independent of it outside U; then E[E(f | P_U x)^2] = E[f(x) f(x')], which comes
apart into integrals over few coordinates if f does.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.quadrature import Estimate
from giantstep.problems.analysis.splitting import Exact, Terms
from giantstep.problems.analysis.subspaces.spans import Basis, dot, unit_rows
from giantstep.problems.forms.arithmetic import MAX_DEGREE
from giantstep.problems.forms.components import MAX_COUPLED, CouplingError, split
from giantstep.problems.forms.linear_forms import RANK_TOLERANCE, direction_space
from giantstep.problems.forms.normal import Form, FormError, grouped, make_form, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.integrals.expansion import expectation
from giantstep.problems.integrals.several_coordinates import form_energies
from giantstep.problems.text.scalars import NumberError
from giantstep.problems.text.surds import Surd

if TYPE_CHECKING:
    from giantstep.problems.target import Target

_MAX_WORK = 200_000


@dataclass(frozen=True)
class Spread:
    """What knowing P_U x leaves open of f, in units of f^2.

    Args:
        variance: E Var(f | P_U x).
        energies: |P_{U,k} f|^2 by degree k = 0, 1, ... outside U.
        error: a bound on the error of the variance, of each energy and of `above`, but for what is missing.
        beyond: energy of degrees to which the Hermite series was not taken: it belongs to some k >= 1, not known which;
            None if the series is the whole function.
        missing: how much the energies of degree k >= 1 may be too small, together, as only a part of each was taken.
    """

    variance: Exact
    energies: tuple[Exact, ...]
    error: float = 0.0
    beyond: float | None = None
    missing: float = 0.0

    def above(self, degree: int) -> Exact:
        """The energy of degree above `degree` outside U; what is beyond the series counts as above."""
        if self.beyond is None:
            return sum(self.energies[degree + 1 :], Fraction(0))
        return max(float(self.variance) - sum(map(float, self.energies[1 : degree + 1])), 0.0)


def spread(target: Target, terms: Terms, basis: Basis) -> Spread:
    """What P_U x leaves open, U the span of `basis`, a part of the relevant space."""
    if target.is_polynomial:
        energies = terms.split(basis).energies
        return Spread(sum(energies[1:], Fraction(0)), energies)
    if not basis:
        return _of_nothing(target)
    norm2 = Estimate(float(target.norm2), target.norm2_error)
    written = direction_space(target.form, target.directions)
    if len(basis) == len(written):
        return Spread(0.0, (norm2.value,), norm2.error, 0.0)
    if len(written) <= 2:
        return _nested(target, norm2, written, basis)
    explained = _explained(target, basis, most=2)
    if len(written) <= (MAX_COUPLED if explained is None else MAX_COUPLED - 1):
        nested, series = _nested(target, norm2, written, basis, explained), _from_series(terms, norm2, basis, explained)
        return nested if nested.error <= series.error + series.missing else series
    return _from_series(terms, norm2, basis, explained or _explained(target, basis, most=MAX_COUPLED))


def _of_nothing(target: Target) -> Spread:
    mean, norm2, energies = float(target.mean), float(target.norm2), target.energies()
    variance = max(norm2 - mean**2, 0.0)
    error = target.norm2_error + (2.0 * abs(mean) + target.mean_error) * target.mean_error
    errors = sum(target.energy_error(k) for k in range(len(energies)))
    beyond = max(variance - sum(map(float, energies[1:])), 0.0)
    return Spread(variance, (mean**2, *energies[1:]), error + errors, beyond if beyond > error + errors else 0.0)


def _nested(target: Target, norm2: Estimate, written: Array, basis: Basis, explained: Estimate | None = None) -> Spread:
    """By integrals inside integrals; the part that is `explained` may be known more precisely."""
    known = unit_rows(basis)
    frame = _completed(known, written)
    degree = len(target.energies()) - 1
    energies, gap = form_energies(_in_frame(target.form, frame), len(frame), degree, len(known))
    error = norm2.error + gap
    inside = energies[0]
    if explained is not None and explained.error < gap:
        inside, error = explained.value, norm2.error + explained.error
    variance = max(norm2.value - inside, 0.0)
    beyond = max(variance - sum(energies[1:]), 0.0)
    total = error + degree * gap
    return Spread(variance, (inside, *energies[1:]), total, beyond if beyond > total else 0.0)


def _completed(known: Array, written: Array) -> Array:
    """Orthonormal rows: the known ones, and what is left of the others."""
    rows = list(known)
    for row in written:
        left = row
        for _ in range(2):  # once loses digits
            left = left - sum((left @ b) * b for b in rows)
        size = float(np.linalg.norm(left))
        if size > RANK_TOLERANCE:
            rows.append(left / size)
    return np.array(rows)


def _in_frame(form: Form, frame: Array) -> Form:
    """f in the coordinates of orthonormal rows; rows that are axes keep it exact."""
    work = Normaliser()
    images = []
    for column in frame.T:
        parts = [
            work.scaled(variable_form(j), Fraction(round(v)) if abs(abs(v) - 1.0) < 1e-12 else float(v))
            for j, v in enumerate(column)
            if abs(v) > 1e-12
        ]
        images.append(work.total(parts))
    return work.substitute(form, images)


def _from_series(terms: Terms, norm2: Estimate, basis: Basis, explained: Estimate | None) -> Spread:
    """With energies from the Hermite series, which are those of its terms alone."""
    energies = tuple(map(float, terms.split(basis).energies))
    inside = sum(energies[1:])
    left = max(norm2.value - sum(energies), 0.0)
    if explained is None:
        # All that is known: the energy beyond the series may be inside U or not.
        variance = Estimate(inside + left / 2.0, left / 2.0 + norm2.error)
    else:
        variance = Estimate(max(norm2.value - explained.value, 0.0), explained.error + norm2.error)
    missing = max(variance.value + variance.error - inside, 0.0)
    beyond = max(variance.value - inside, 0.0)
    return Spread(
        variance.value,
        (norm2.value - variance.value, *energies[1:]),
        variance.error,
        beyond if beyond > variance.error else 0.0,
        missing,
    )


def _explained(target: Target, basis: Basis, most: int) -> Estimate | None:
    """E[f(x) f(x')], or None if the product couples more than `most` directions."""
    r = target.directions
    work = Normaliser(max_degree=2 * MAX_DEGREE, max_work=_MAX_WORK)
    form = make_form({m: float(c) if isinstance(c, Surd) else c for m, c in target.form.terms})
    inside = [[_inside(basis, i, j) for j in range(r)] for i in range(r)]
    images = []
    for i, row in enumerate(inside):
        shared = [work.scaled(variable_form(j), c) for j, c in enumerate(row)]
        own = [work.scaled(variable_form(r + j), (i == j) - c) for j, c in enumerate(row)]
        images.append(work.total([*shared, *own]))
    try:
        product = work.times(form, work.substitute(form, images))
        if any(c.rank > most for atoms in grouped(product) if atoms for c in split(atoms, 2 * r)):
            return None
        return expectation(product, 2 * r)
    except (CouplingError, FormError, NumberError):
        return None


def _inside(basis: Basis, i: int, j: int) -> Exact:
    """An entry of the projection on the span of `basis`."""
    parts = [(b[i] * b[j], dot(b, b)) for b in basis]
    if all(isinstance(top, int) and isinstance(bottom, int) for top, bottom in parts):
        return sum((Fraction(top, bottom) for top, bottom in parts), Fraction(0))
    value = sum(float(top) / float(bottom) for top, bottom in parts)
    # Entries that are whole up to rounding are meant to be whole: only then do products come apart.
    return Fraction(round(value)) if abs(value - round(value)) < 1e-12 else value
