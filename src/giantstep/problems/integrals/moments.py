"""Mean, norm and Hermite coefficients of a function, each computed once: exact for polynomials, else integrated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import Estimate
from giantstep.problems.forms.arithmetic import MAX_DEGREE
from giantstep.problems.forms.components import MAX_MIXED_TERMS, split
from giantstep.problems.forms.normal import Form, grouped, make_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import Index, energy, factorial, hermite_expansion
from giantstep.problems.integrals.expansion import MAX_COEFFICIENTS, expectation, hermite_coefficients
from giantstep.problems.text.scalars import ZERO, Scalar, add, multiply
from giantstep.problems.text.surds import Surd

SERIES_DEGREES = {1: 12, 2: 12, 3: 8, 4: 6}
"""How far the Hermite series of a function that is not a polynomial is taken, by its number of coupled directions."""


@dataclass(frozen=True, eq=False)
class FormMoments:
    """Moments of a form under N(0, I) in `directions` variables."""

    form: Form
    directions: int
    _series: dict[int, tuple[dict[Index, float], float]] = field(default_factory=dict, repr=False)

    @cached_property
    def exact(self) -> dict[Index, Scalar]:
        """All Hermite coefficients of a polynomial."""
        return hermite_expansion(self.form, self.directions)

    @cached_property
    def _mean(self) -> Estimate:
        return expectation(self.form, self.directions)

    @cached_property
    def _square(self) -> Estimate:
        rounded = make_form({m: float(c) if isinstance(c, Surd) else c for m, c in self.form.terms})
        square = Normaliser(max_degree=2 * MAX_DEGREE, max_work=MAX_MIXED_TERMS**2).times(rounded, rounded)
        return expectation(square, self.directions)

    @cached_property
    def mean(self) -> Fraction | float:
        """E f."""
        return _plain(self.exact.get((0,) * self.directions, ZERO)) if self.form.is_polynomial else self._mean.value

    @cached_property
    def norm2(self) -> Fraction | float:
        """E f^2."""
        if not self.form.is_polynomial:
            return self._square.value
        total: Scalar = ZERO
        for index, c in self.exact.items():
            total = add(total, multiply(multiply(c, c), Fraction(factorial(index))))
        return _plain(total)

    @cached_property
    def error(self) -> float:
        """A bound on the error of mean, norm2 and the normalised Hermite coefficients; 0 for polynomials."""
        if self.form.is_polynomial:
            return 0.0
        return max(self._mean.error, self._square.error, self._up_to(self.default_degree)[1])

    @cached_property
    def default_degree(self) -> int:
        """How far the series of a function that is not a polynomial is taken unless more is asked for."""
        coupled = max((c.rank for atoms in grouped(self.form) for c in split(atoms, self.directions)), default=1)
        degree = SERIES_DEGREES[coupled]
        while math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS:
            degree -= 1
        return degree

    def coefficients(self, degree: int | None = None) -> Mapping[Index, Fraction | float]:
        """c_a with f = sum_a c_a He_a; all of a polynomial, else up to `degree`. Zeros are left out."""
        if self.form.is_polynomial:
            limit = MAX_DEGREE if degree is None else degree
            return {a: _plain(c) for a, c in self.exact.items() if sum(a) <= limit}
        return self._up_to(self.default_degree if degree is None else degree)[0]

    def energy(self, k: int) -> Fraction | float:
        """|P_k f|^2."""
        if self.form.is_polynomial:
            return _plain(energy(self.exact, k))
        series = self.coefficients(max(k, self.default_degree))
        return math.fsum(float(c) ** 2 * factorial(a) for a, c in series.items() if sum(a) == k)

    def _up_to(self, degree: int) -> tuple[dict[Index, float], float]:
        if degree not in self._series:
            if math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS and degree > self.default_degree:
                raise InputError(
                    f"degree {degree} in {self.directions} directions has too many Hermite coefficients; "
                    f"at most degree {self.default_degree} can be computed here"
                )
            series, error = hermite_coefficients(self.form, self.directions, degree)
            floor = 4.0 * error + 1e-14 * math.sqrt(float(self.norm2))
            kept = {a: c for a, c in series.items() if abs(c) * math.sqrt(factorial(a)) > floor}
            self._series[degree] = dict(sorted(kept.items(), key=lambda item: (sum(item[0]), item[0][::-1]))), error
        return self._series[degree]


def line_energies(form: Form, degree: int, norm2: float) -> tuple[float, ...]:
    """|P_0 g|^2, ..., |P_degree g|^2 of a function g of one variable with E g^2 = `norm2`."""
    series, error = hermite_coefficients(form, 1, degree)
    floor = 4.0 * error + 1e-14 * math.sqrt(norm2)
    sizes = [series.get((k,), 0.0) * math.sqrt(math.factorial(k)) for k in range(degree + 1)]
    return tuple(c * c if abs(c) > floor else 0.0 for c in sizes)


def _plain(value: Scalar) -> Fraction | float:
    return value if isinstance(value, Fraction) else float(value)
