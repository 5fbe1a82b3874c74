"""Targets: f*, a function of a few directions, written as text and known through its Hermite expansion."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.checks import whole_number
from giantstep.errors import InputError, TextError
from giantstep.gaussian import Estimate
from giantstep.problems.activation import Activation
from giantstep.problems.analysis.analysis import Analysis, analyze
from giantstep.problems.forms.components import MAX_MIXED_TERMS, CouplingError, check_coupling, direction_space, split
from giantstep.problems.forms.growth import integrable_form
from giantstep.problems.forms.normal import Form, FormError, degree_of, grouped, make_form
from giantstep.problems.forms.normaliser import MAX_DEGREE, Normaliser
from giantstep.problems.forms.polynomial import Index, arrangements, energy, factorial, hermite_expansion
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.integrals.expansion import MAX_COEFFICIENTS, expectation, hermite_coefficients
from giantstep.problems.single_index import along_line
from giantstep.problems.text.buffers import as_array, fresh
from giantstep.problems.text.evaluation import dual, evaluate
from giantstep.problems.text.expression import Expression, first_call, largest_index
from giantstep.problems.text.language import parse
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scalars import ZERO, Scalar, add, multiply
from giantstep.problems.text.scanner import MAX_DIRECTIONS, TARGET, readable
from giantstep.problems.text.surds import Surd

SERIES_DEGREES = {1: 12, 2: 12, 3: 8, 4: 6}
"""How far the Hermite series of a function that is not a polynomial is taken, by its number of coupled directions."""
MAX_TENSOR = 10**6
"""Most entries of a tensor of derivatives."""

_NAMES = tuple(f"x{i + 1}" for i in range(MAX_DIRECTIONS))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Target:
    """f*, a function of the directions x1, x2, ... with x ~ N(0, I).

    Two targets are equal if their normal forms are, whatever their texts.

    >>> f = Target("x1 + He2(x1)*x2")
    >>> f, f.directions, f.degree, f.norm2, f.information_exponent
    (Target('x1 + He2(x1)*x2'), 2, 3, Fraction(3, 1), 1)
    >>> f == Target("x1 - x2 + x1**2*x2")
    True
    >>> float(f(np.array([2.0, 1.0])))
    5.0
    """

    text: str
    expression: Expression
    form: Form

    def __init__(self, text: str | Target) -> None:
        if isinstance(text, Target):
            text = text.text
        expression = parse(text, TARGET)
        try:
            form = integrable_form(expression, MAX_DIRECTIONS)
            check_coupling(form)
        except FormError as error:
            raise TextError(error.sentence, text, error.at) from None
        except CouplingError as error:
            raise TextError(str(error), text, max(0, first_call(expression))) from None
        written = readable(to_text(expression), TARGET) or text.strip()
        if max(form.variables, default=-1) + 1 < largest_index(expression):
            # The last directions cancel, so they are not directions of f; its normal form does not mention them.
            simplified = to_expression(form, _NAMES[: max(form.variables, default=0) + 1])
            if short := readable(to_text(simplified), TARGET):
                expression, written = simplified, short
        object.__setattr__(self, "text", written)
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "form", form)

    # -- shape ---------------------------------------------------------------------------------------------

    @cached_property
    def directions(self) -> int:
        """r, the largest index of a variable (1 for a constant)."""
        return max(1, largest_index(self.expression))

    @cached_property
    def is_polynomial(self) -> bool:
        return self.form.is_polynomial

    @cached_property
    def is_exact(self) -> bool:
        """Whether it is a polynomial with rational coefficients."""
        return self.is_polynomial and all(isinstance(c, Fraction) for _, c in self.form.terms)

    @cached_property
    def degree(self) -> int | None:
        """The degree of a polynomial, else None."""
        return max((degree_of(m) for m, _ in self.form.terms), default=0) if self.is_polynomial else None

    # -- evaluation ----------------------------------------------------------------------------------------

    def __call__(self, x: ArrayLike, /) -> NDArray[Any]:
        """f(x) for x of shape (..., k) with k >= r; only the first r columns are read."""
        columns, array = self._columns(x)
        return fresh(evaluate(self.expression, columns), columns[0], array.shape[:-1])

    def gradient(self, x: ArrayLike, /) -> NDArray[Any]:
        """grad f(x), shape (..., r); the classical derivative, zero at the jumps of sign and step."""
        columns, array = self._columns(x)
        slopes = [dual(self.expression, columns, i, need_value=False)[1] for i in range(self.directions)]
        return np.stack([fresh(s, columns[0], array.shape[:-1]) for s in slopes], axis=-1)

    def _columns(self, x: ArrayLike) -> tuple[list[NDArray[Any]], NDArray[Any]]:
        array, _ = as_array(x)
        if array.shape[-1] < self.directions:
            raise InputError(
                f"the inputs have {array.shape[-1]} columns, but the target {self.text} needs {self.directions}"
            )
        # Columns are copied: strided reads in every operation would cost more than one pass.
        return [np.ascontiguousarray(array[..., i]).reshape(-1) for i in range(self.directions)], array

    # -- Hermite expansion ---------------------------------------------------------------------------------

    @cached_property
    def _exact(self) -> dict[Index, Scalar]:
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
        return _plain(self._exact.get((0,) * self.directions, ZERO)) if self.is_polynomial else self._mean.value

    @cached_property
    def norm2(self) -> Fraction | float:
        """|f|^2 = E f^2."""
        if not self.is_polynomial:
            return self._square.value
        total: Scalar = ZERO
        for index, c in self._exact.items():
            total = add(total, multiply(multiply(c, c), Fraction(factorial(index))))
        return _plain(total)

    @cached_property
    def variance(self) -> Fraction | float:
        return self.norm2 - self.mean**2

    @cached_property
    def error(self) -> float:
        """A bound on the error of mean, norm2 and the normalised Hermite coefficients; 0 for polynomials."""
        if self.is_polynomial:
            return 0.0
        return max(self._mean.error, self._square.error, self._series(self._default_degree)[1])

    @cached_property
    def _default_degree(self) -> int:
        ranks = (part.rank for atoms in grouped(self.form) for part in split(atoms, self.directions))
        degree = SERIES_DEGREES[max(ranks, default=1)]
        while math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS:
            degree -= 1
        return degree

    def _series(self, degree: int) -> tuple[dict[Index, float], float]:
        cache: dict[int, tuple[dict[Index, float], float]] = self.__dict__.setdefault("_cache", {})
        if degree not in cache:
            if math.comb(self.directions + degree, degree) > MAX_COEFFICIENTS and degree > self._default_degree:
                raise InputError(
                    f"degree {degree} in {self.directions} directions has too many Hermite coefficients; "
                    f"at most degree {self._default_degree} can be computed here"
                )
            series, error = hermite_coefficients(self.form, self.directions, degree)
            floor = 4.0 * error + 1e-14 * math.sqrt(float(self.norm2))
            kept = {a: c for a, c in series.items() if abs(c) * math.sqrt(factorial(a)) > floor}
            cache[degree] = dict(sorted(kept.items(), key=lambda item: (sum(item[0]), item[0][::-1]))), error
        return cache[degree]

    def hermite(self, degree: int | None = None) -> Mapping[Index, Fraction | float]:
        """c_a with f = sum_a c_a He_a; all of a polynomial, else up to `degree`. Zeros are left out."""
        if degree is not None:
            whole_number("degree", degree, least=0)
        if self.is_polynomial:
            limit = MAX_DEGREE if degree is None else degree
            return MappingProxyType({a: _plain(c) for a, c in self._exact.items() if sum(a) <= limit})
        return MappingProxyType(self._series(self._default_degree if degree is None else degree)[0])

    def tensor(self, k: int) -> NDArray[np.float64]:
        """C_k = E[grad^k f], shape (r,)*k: C_k[i1, ..., ik] = c_a a! where a counts the indices."""
        r = self.directions
        whole_number("degree", k, least=0)
        if r**k > MAX_TENSOR:
            raise InputError(f"the tensor of order {k} in {r} directions has too many entries; lower the order")
        series = self.hermite(k if self.is_polynomial else max(k, self._default_degree))
        result = np.zeros((r,) * k)
        for a, c in series.items():
            if sum(a) == k:
                for index in arrangements(a):
                    result[index] = float(c) * factorial(a)
        return result

    @cached_property
    def linear(self) -> NDArray[np.float64]:
        """E[x f], the linear part, shape (r,)."""
        return _locked(self.tensor(1))

    @cached_property
    def hessian(self) -> NDArray[np.float64]:
        """E[Hess f], shape (r, r)."""
        return _locked(self.tensor(2))

    def energy(self, k: int) -> Fraction | float:
        """|P_k f|^2, the squared norm of the part of degree k."""
        whole_number("degree", k, least=0)
        if self.is_polynomial:
            return _plain(energy(self._exact, k))
        if self.single_index is not None:
            return self._line_energies(max(k, SERIES_DEGREES[1]))[k]
        series = self.hermite(max(k, self._default_degree))
        return math.fsum(float(c) ** 2 * factorial(a) for a, c in series.items() if sum(a) == k)

    def energies(self, kmax: int | None = None) -> tuple[Fraction | float, ...]:
        """|P_0 f|^2, ..., |P_kmax f|^2; all of a polynomial, else up to degree 12 or as far as is cheap."""
        if kmax is None:
            kmax = self.degree if self.degree is not None else self._energy_degree
        whole_number("degree", kmax, least=0)
        return tuple(self.energy(k) for k in range(kmax + 1))

    @property
    def _energy_degree(self) -> int:
        return SERIES_DEGREES[1] if self.single_index is not None else self._default_degree

    def _line_energies(self, degree: int) -> tuple[float, ...]:
        """The energies of g for f(x) = g(<b, x>), which are those of f."""
        pair = self.single_index
        assert pair is not None
        series, error = hermite_coefficients(pair[0].form, 1, degree)
        floor = 4.0 * error + 1e-14 * math.sqrt(float(self.norm2))
        sizes = [series.get((k,), 0.0) * math.sqrt(math.factorial(k)) for k in range(degree + 1)]
        return tuple(c * c if abs(c) > floor else 0.0 for c in sizes)

    @cached_property
    def information_exponent(self) -> int | None:
        """The smallest k >= 1 with C_k != 0; None for a constant, or if none is found up to degree 12."""
        return next((k for k, e in enumerate(self.energies()) if k and e), None)

    @cached_property
    def single_index(self) -> tuple[Activation, NDArray[np.float64]] | None:
        """(g, b) with f(x) = g(<b, x>) and |b| = 1, if f depends on one linear form only."""
        space = direction_space(self.form, self.directions)
        if len(space) != 1:
            return None
        function, direction = along_line(self.form, self.directions)
        return function, _locked(direction)

    def analyze(self, activation: Activation | str | None = None) -> Analysis:
        """What is known about the target, and what one giant step of a network with this activation can see."""
        return analyze(self, None if activation is None else Activation(activation))

    # -- identity ------------------------------------------------------------------------------------------

    @cached_property
    def canonical(self) -> str:
        """A text that is the same for equal targets (it may be longer than a text may be)."""
        return to_text(to_expression(self.form, _NAMES[: self.directions], highest_monomial=1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Target):
            return NotImplemented
        return self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash((Target, self.canonical))

    def __repr__(self) -> str:
        return f"Target({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[str], Target], tuple[str]]:
        return Target, (self.text,)


def _plain(value: Scalar) -> Fraction | float:
    return value if isinstance(value, Fraction) else float(value)


def _locked(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.flags.writeable = False
    return array
