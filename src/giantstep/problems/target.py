"""Targets: f*, a function of a few directions, written as text and known through its Hermite expansion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.checks import whole_number
from giantstep.errors import InputError, TextError
from giantstep.problems.activation import Activation
from giantstep.problems.forms.components import CouplingError, check_coupling
from giantstep.problems.forms.growth import integrable_form
from giantstep.problems.forms.linear_forms import direction_space, on_its_line
from giantstep.problems.forms.normal import FormError
from giantstep.problems.forms.polynomial import Index, arrangements, factorial
from giantstep.problems.forms.rewriting import to_expression
from giantstep.problems.forms.written import Written
from giantstep.problems.integrals.moments import FormMoments
from giantstep.problems.text.evaluation import as_array, dual, evaluate, fresh
from giantstep.problems.text.expression import first_call, largest_index
from giantstep.problems.text.language import parse
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scanner import MAX_DIRECTIONS, TARGET, readable

if TYPE_CHECKING:
    from giantstep.problems.analysis.analysis import Analysis

MAX_TENSOR = 10**6
"""Most entries of a tensor of derivatives."""

_NAMES = tuple(f"x{i + 1}" for i in range(MAX_DIRECTIONS))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Target(Written):
    """f*, a function of the directions x1, x2, ... with x ~ N(0, I).

    Two targets are equal if their normal forms are, whatever their texts. Norms and energies are in units of f^2.

    Args:
        text: the function in the language of targets, such as "x1 + He2(x1)*x2"; a target is taken as it is.

    The text is kept as it is printed; `expression` is its tree, `form` its normal form.

    >>> f = Target("x1 + He2(x1)*x2")
    >>> f, f.directions, f.degree, f.norm2, f.information_exponent
    (Target('x1 + He2(x1)*x2'), 2, 3, Fraction(3, 1), 1)
    >>> f == Target("x1 - x2 + x1**2*x2")
    True
    >>> float(f(np.array([2.0, 1.0])))
    5.0
    """

    _names = _NAMES

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
        self._set(written, expression, form)

    # -- shape ---------------------------------------------------------------------------------------------

    @cached_property
    def directions(self) -> int:
        """r, the largest index of a variable (1 for a constant)."""
        return max(1, largest_index(self.expression))

    @cached_property
    def is_exact(self) -> bool:
        """Whether it is a polynomial with rational coefficients."""
        return self.is_polynomial and all(isinstance(c, Fraction) for _, c in self.form.terms)

    # -- evaluation ----------------------------------------------------------------------------------------

    def __call__(self, x: ArrayLike, /) -> NDArray[Any]:
        """f(x), shape (...), for `x` of shape (..., k) with k >= r; only the first r columns are read."""
        columns, array = self._columns(x)
        return fresh(evaluate(self.expression, columns), columns[0], array.shape[:-1])

    def gradient(self, x: ArrayLike, /) -> NDArray[Any]:
        """grad f(x), shape (..., r), at `x` (..., k), k >= r: the classical derivative, zero at jumps."""
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
    def _moments(self) -> FormMoments:
        return FormMoments(self.form, self.directions, self.text)

    @cached_property
    def _energies(self) -> FormMoments:
        """What the energies are taken from: f(x) = g(<b, x>) has those of g."""
        if self.is_polynomial or self.single_index is None:
            return self._moments
        return FormMoments(self.single_index[0].form, 1, self.text)

    @property
    def mean(self) -> Fraction | float:
        """E f."""
        return self._moments.mean

    @property
    def norm2(self) -> Fraction | float:
        """|f|^2 = E f^2."""
        return self._moments.norm2

    @property
    def variance(self) -> Fraction | float:
        return self.norm2 - self.mean**2

    @property
    def error(self) -> float:
        """A bound on the error of mean, norm2 and the normalised Hermite coefficients; 0 for polynomials."""
        return self._moments.error

    @property
    def mean_error(self) -> float:
        """A bound on the error of the mean; 0 for polynomials."""
        return self._moments.mean_error

    @property
    def norm2_error(self) -> float:
        """A bound on the error of norm2; 0 for polynomials."""
        return self._moments.norm2_error

    @property
    def coefficient_error(self) -> float:
        """A bound on the error of the Hermite coefficients c_a sqrt(a!); 0 for polynomials."""
        return 0.0 if self.is_polynomial else self._moments.up_to(self._moments.default_degree).error

    def hermite(self, degree: int | None = None) -> Mapping[Index, Fraction | float]:
        """c_a with f = sum_a c_a He_a; all of a polynomial, else up to `degree`. Zeros are left out."""
        if degree is not None:
            whole_number("degree", degree, least=0)
        return MappingProxyType(self._moments.coefficients(degree))

    def tensor(self, k: int) -> NDArray[np.float64]:
        """C_k = E[grad^k f], shape (r,)*k: C_k[i1, ..., ik] = c_a a! where a counts the indices."""
        r = self.directions
        whole_number("degree", k, least=0)
        if r**k > MAX_TENSOR:
            raise InputError(f"the tensor of order {k} in {r} directions has too many entries; lower the order")
        series = self.hermite(k if self.is_polynomial else max(k, self._moments.default_degree))
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
        """|P_k f|^2, the squared norm of the part of degree `k`, in units of f^2."""
        whole_number("degree", k, least=0)
        return self._energies.energy(k)

    def energy_error(self, k: int) -> float:
        """A bound on the error of the energy of degree `k`; 0 for polynomials."""
        return self._energies.energy_error(k)

    def energies(self, kmax: int | None = None) -> tuple[Fraction | float, ...]:
        """|P_0 f|^2, ..., |P_kmax f|^2; without `kmax` all of a polynomial, else to degree 12 or as far as is cheap."""
        if kmax is None:
            kmax = self.degree if self.degree is not None else self._energies.default_degree
        whole_number("degree", kmax, least=0)
        return tuple(self.energy(k) for k in range(kmax + 1))

    @cached_property
    def information_exponent(self) -> int | None:
        """The smallest k >= 1 with C_k != 0; None for a constant, or if none is found up to degree 12.

        Refused where the error of the integrals leaves it open.
        """
        highest = self.degree if self.degree is not None else self._energies.default_degree
        return next((k for k in range(1, highest + 1) if self._energies.has_degree(k)), None)

    @cached_property
    def single_index(self) -> tuple[Activation, NDArray[np.float64]] | None:
        """(g, b) with f(x) = g(<b, x>) and |b| = 1, if f depends on one linear form only."""
        space = direction_space(self.form, self.directions)
        if len(space) != 1:
            return None
        line, direction = on_its_line(self.form, self.directions)
        return Activation.from_expression(to_expression(line, ("z",))), _locked(direction)

    def analyze(self, activation: Activation | str | None = None) -> Analysis:
        """What is known about the target, and with an `activation` (or its text) what a network that has it can see."""
        from giantstep.problems.analysis.analysis import analyze

        return analyze(self, None if activation is None else Activation(activation))

    def __reduce__(self) -> tuple[Callable[[str], Target], tuple[str]]:
        return Target, (self.text,)


def _locked(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.flags.writeable = False
    return array
