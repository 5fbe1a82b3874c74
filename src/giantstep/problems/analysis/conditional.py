"""What knowing P_U x leaves open of a target: E Var(f | P_U x), and how it is spread over degrees outside U.

Polynomials: sums over their coefficients (see `splitting`). Otherwise let x' share P_U x with x and be independent
of it outside U; then

    E[E(f | P_U x)^2] = E[f(x) f(x')],

a Gaussian expectation in at most twice as many variables, taken by the same quadrature as |f|^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from giantstep.gaussian.quadrature import Estimate
from giantstep.problems.analysis.splitting import Exact, Terms
from giantstep.problems.analysis.subspaces.spans import Basis, dot
from giantstep.problems.forms.arithmetic import MAX_DEGREE
from giantstep.problems.forms.components import CouplingError
from giantstep.problems.forms.normal import FormError, make_form, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.integrals.expansion import expectation
from giantstep.problems.text.scalars import NumberError
from giantstep.problems.text.scanner import MAX_DIRECTIONS
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
        error: a bound on the error of the variance.
        beyond: energy of degrees to which the Hermite series was not taken: it belongs to some k >= 1, not known which;
            None if the series is the whole function.
    """

    variance: Exact
    energies: tuple[Exact, ...]
    error: float = 0.0
    beyond: float | None = None

    def above(self, degree: int) -> Exact:
        """The energy of degree above `degree` outside U; what is beyond the series counts as above."""
        if self.beyond is None:
            return sum(self.energies[degree + 1 :], Fraction(0))
        return max(float(self.variance) - sum(map(float, self.energies[1 : degree + 1])), 0.0)


def spread(target: Target, terms: Terms, basis: Basis) -> Spread:
    """What P_U x leaves open, U the span of `basis`, a part of the relevant space."""
    energies = terms.split(basis).energies
    if target.is_polynomial:
        return Spread(sum(energies[1:], Fraction(0)), energies)
    norm2, error = float(target.norm2), target.error
    inside = sum(map(float, energies[1:]))
    if not basis:
        variance = Estimate(float(target.variance), 2.0 * error)
    elif len(basis) == len(terms.space):
        return Spread(0.0, (norm2,), 0.0, 0.0)
    else:
        explained = _explained(target, basis)
        if explained is None:
            # All that is known: the energy beyond the series may be inside U or not.
            beyond = max(0.0, norm2 - sum(map(float, energies)))
            variance = Estimate(inside + beyond / 2.0, beyond / 2.0 + error)
        else:
            variance = Estimate(norm2 - explained.value, explained.error + error)
    value = max(variance.value, 0.0)
    beyond = max(0.0, value - inside)
    return Spread(
        value, (norm2 - value, *energies[1:]), variance.error, beyond if beyond > 4.0 * variance.error else 0.0
    )


def _explained(target: Target, basis: Basis) -> Estimate | None:
    """E[f(x) f(x')], or None if the product couples too many directions to be integrated."""
    r = target.directions
    if 2 * r > MAX_DIRECTIONS:
        return None
    work = Normaliser(max_degree=2 * MAX_DEGREE, max_work=_MAX_WORK)
    form = make_form({m: float(c) if isinstance(c, Surd) else c for m, c in target.form.terms})
    inside = [[_inside(basis, i, j) for j in range(r)] for i in range(r)]
    images = []
    for i, row in enumerate(inside):
        shared = [work.scaled(variable_form(j), c) for j, c in enumerate(row)]
        own = [work.scaled(variable_form(r + j), (i == j) - c) for j, c in enumerate(row)]
        images.append(work.total([*shared, *own]))
    try:
        return expectation(work.times(form, work.substitute(form, images)), 2 * r)
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
