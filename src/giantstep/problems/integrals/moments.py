"""Mean, norm and Hermite coefficients of a function, each computed once: exact for polynomials, else integrated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NoReturn

from giantstep.errors import InputError
from giantstep.gaussian.hermite import multi_indices
from giantstep.gaussian.quadrature import Estimate
from giantstep.problems.forms.arithmetic import MAX_DEGREE, REDUCIBLE
from giantstep.problems.forms.components import MAX_MIXED_TERMS, split
from giantstep.problems.forms.normal import Form, grouped, make_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.parities import parity_parts
from giantstep.problems.forms.polynomial import Index, energy, factorial, hermite_expansion
from giantstep.problems.integrals.expansion import MAX_COEFFICIENTS, expectation, hermite_coefficients
from giantstep.problems.text.scalars import ZERO, Scalar, add, multiply
from giantstep.problems.text.surds import Surd

SERIES_DEGREES = {1: 12, 2: 12, 3: 8, 4: 6}
"""How far the Hermite series of a function that is not a polynomial is taken, by its number of coupled directions."""


UNDECIDED = 1e-3
"""An error, of |f|, above which nothing is said that depends on an integral."""
INVISIBLE = 1e-9
"""Of |f|: what is known to be below counts as zero."""


@dataclass(frozen=True)
class Series:
    """Hermite coefficients up to a degree.

    Args:
        coefficients: c_a by index, those that cannot be told from zero left out.
        error: a bound on the error of c_a sqrt(a!) of those that were integrated.
        integrated: for each degree how many coefficients were; the others are known exactly.
    """

    coefficients: Mapping[Index, Fraction | float]
    error: float
    integrated: tuple[int, ...]

    def energy(self, k: int) -> float:
        return math.fsum(float(c) ** 2 * factorial(a) for a, c in self.coefficients.items() if sum(a) == k)

    def energy_error(self, k: int) -> float:
        """A bound on the error of `energy`: a coefficient that was left out may be three times the error."""
        count = self.integrated[k]
        return 2.0 * math.sqrt(self.energy(k) * count) * self.error + 9.0 * count * self.error**2


@dataclass(frozen=True, eq=False)
class FormMoments:
    """Moments of a form under N(0, I) in `directions` variables; `text` names it in messages."""

    form: Form
    directions: int
    text: str
    _series: dict[int, Series] = field(default_factory=dict, repr=False)

    @cached_property
    def exact(self) -> dict[Index, Scalar]:
        """All Hermite coefficients of a polynomial."""
        return hermite_expansion(self.form, self.directions)

    @cached_property
    def _mean(self) -> Estimate:
        parts = parity_parts(self.form, self.directions)
        origin = (0,) * self.directions
        even = parts.get(origin) if parts is not None else self.form
        if even is None or even.is_polynomial:
            series = {} if even is None else hermite_expansion(even, self.directions)
            return Estimate(float(series.get(origin, ZERO)), 0.0)
        if self._coupled > 2:
            # The integrals for the series are the costly ones; they give the mean as well.
            series_ = self.up_to(self.default_degree)
            return Estimate(float(series_.coefficients.get(origin, 0.0)), 3.0 * series_.error)
        return expectation(self.form, self.directions)

    @cached_property
    def _square(self) -> Estimate:
        rounded = make_form({m: float(c) if isinstance(c, Surd) else c for m, c in self.form.terms})
        # relu(u)^2 = u relu(u) stays linear between its kinks, which several coordinates are grateful for.
        reducible = (*REDUCIBLE, "relu") if self._coupled > 2 else REDUCIBLE
        work = Normaliser(max_degree=2 * MAX_DEGREE, max_work=MAX_MIXED_TERMS**2, reducible=reducible)
        return expectation(work.times(rounded, rounded), self.directions)

    @cached_property
    def size(self) -> float:
        """|f|, refused if it is not known."""
        if self.form.is_polynomial:
            return math.sqrt(float(self.norm2))
        value, error = self._square.value, self._square.error
        if not error <= UNDECIDED * value:
            self._refuse("E f^2", math.sqrt(error))
        return math.sqrt(value)

    @cached_property
    def mean(self) -> Fraction | float:
        """E f."""
        if self.form.is_polynomial:
            return _plain(self.exact.get((0,) * self.directions, ZERO))
        if not self._mean.error <= UNDECIDED * self.size:
            self._refuse("E f", self._mean.error)
        return self._mean.value

    @cached_property
    def norm2(self) -> Fraction | float:
        """E f^2."""
        if not self.form.is_polynomial:
            return self._square.value if self.size else 0.0
        total: Scalar = ZERO
        for index, c in self.exact.items():
            total = add(total, multiply(multiply(c, c), Fraction(factorial(index))))
        return _plain(total)

    @property
    def mean_error(self) -> float:
        return 0.0 if self.form.is_polynomial else self._mean.error

    @property
    def norm2_error(self) -> float:
        return 0.0 if self.form.is_polynomial else self._square.error

    @cached_property
    def error(self) -> float:
        """A bound on the error of mean, norm2 and the normalised Hermite coefficients; 0 for polynomials."""
        if self.form.is_polynomial:
            return 0.0
        return max(self.mean_error, self.norm2_error, self.up_to(self.default_degree).error)

    @cached_property
    def _coupled(self) -> int:
        """The most directions in which a product of functions is coupled."""
        return max((c.rank for atoms in grouped(self.form) for c in split(atoms, self.directions)), default=1)

    @cached_property
    def default_degree(self) -> int:
        """How far the series of a function that is not a polynomial is taken unless more is asked for."""
        degree = SERIES_DEGREES[self._coupled]
        while math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS:
            degree -= 1
        return degree

    def coefficients(self, degree: int | None = None) -> Mapping[Index, Fraction | float]:
        """c_a with f = sum_a c_a He_a; all of a polynomial, else up to `degree`. Zeros are left out."""
        if self.form.is_polynomial:
            limit = MAX_DEGREE if degree is None else degree
            return {a: _plain(c) for a, c in self.exact.items() if sum(a) <= limit}
        return self.up_to(self.default_degree if degree is None else degree).coefficients

    def energy(self, k: int) -> Fraction | float:
        """|P_k f|^2."""
        if self.form.is_polynomial:
            return _plain(energy(self.exact, k))
        return self.up_to(max(k, self.default_degree)).energy(k)

    def energy_error(self, k: int) -> float:
        return 0.0 if self.form.is_polynomial else self.up_to(max(k, self.default_degree)).energy_error(k)

    def has_degree(self, k: int) -> bool:
        """Whether the part of degree k is not zero; refused where the integrals do not say."""
        if self.form.is_polynomial:
            return any(sum(a) == k for a in self.exact)
        series = self.up_to(max(k, self.default_degree))
        if any(sum(a) == k for a in series.coefficients):
            return True
        if series.integrated[k] and series.error > INVISIBLE * self.size:
            raise InputError(
                f"whether {self.text} has a part of degree {k} cannot be decided: its Hermite coefficients are known "
                f"to {series.error / self.size:.0e} of |f| only, and those of that degree are below"
            )
        return False

    def up_to(self, degree: int) -> Series:
        """The series of a function that is not a polynomial, refused if its error is too large to say anything."""
        if degree not in self._series:
            if math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS and degree > self.default_degree:
                raise InputError(
                    f"degree {degree} in {self.directions} directions has too many Hermite coefficients; "
                    f"at most degree {self.default_degree} can be computed here"
                )
            self._series[degree] = self._expanded(degree)
        found = self._series[degree]
        if not found.error <= UNDECIDED * self.size:
            self._refuse("its Hermite coefficients", found.error)
        return found

    def _expanded(self, degree: int) -> Series:
        series, error = hermite_coefficients(self.form, self.directions, degree)
        parts = parity_parts(self.form, self.directions)
        known = {s: hermite_expansion(p, self.directions) for s, p in (parts or {}).items() if p.is_polynomial}
        kept: dict[Index, Fraction | float] = {
            a: _plain(c) for exact in known.values() for a, c in exact.items() if sum(a) <= degree
        }
        integrated = [0] * (degree + 1)
        for a in multi_indices(self.directions, degree):
            parity = tuple(n % 2 for n in a)
            if parity not in known and (parts is None or parity in parts):
                integrated[sum(a)] += 1
                if abs(series.get(a, 0.0)) * math.sqrt(factorial(a)) > 2.0 * error:
                    kept[a] = series[a]
        ordered = dict(sorted(kept.items(), key=lambda item: (sum(item[0]), item[0][::-1])))
        return Series(ordered, error, tuple(integrated))

    def _refuse(self, what: str, error: float) -> NoReturn:
        value = math.sqrt(max(self._square.value, 0.0))
        known = f"to {error / value:.0e} of |f| only" if value and math.isfinite(error) else "not at all"
        raise InputError(
            f"the integrals of {self.text} cannot be decided: {what} came out {known}; "
            "couple fewer directions in one function, or take a smoother one"
        )


def _plain(value: Scalar) -> Fraction | float:
    return value if isinstance(value, Fraction) else float(value)
