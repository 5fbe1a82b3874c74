"""Rotation invariant kernels written as text, with their power series.

    k(x, x') = g(<x, x'>/d) = sum_m g_m (<x, x'>/d)^m,  g_m >= 0        g as text in t: exp, (1 + t)**4, 1 + t + t**3
    k(x, x') = |x||x'|/d kappa(cos)                                     arccos1, the kernel of infinitely many ReLUs
    k(x, x') = E[s s'] + <x, x'>/d E[s_1 s_1']                          ntk(relu), ntk(tanh), ...: the tangent kernel

where s, s' are an activation and s_1 its derivative at Gaussians with the covariance of x and x' over d. For the last
two the coefficients are those of the power series in the cosine at |x|^2 = |x'|^2 = d: with mu_m = E[s He_m],

    arccos1   2 mu_m(relu)^2/m!              ntk   (1 + m) mu_m^2/m!.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.errors import InputError
from giantstep.gaussian.kernels import dual_kernel
from giantstep.problems.activation import Activation
from giantstep.problems.text.evaluation import evaluate
from giantstep.problems.text.expression import Expression
from giantstep.problems.text.language import parse
from giantstep.problems.text.power_series import taylor
from giantstep.problems.text.scanner import Dialect

KERNEL = Dialect("kernel", "t", "exp")
CHECKED_DEGREES = 40
"""A kernel must have no negative coefficient up to this degree."""
ROUNDING = 1e-12
_NAMES = re.compile(r"(?<![0-9.])[A-Za-z_][A-Za-z_0-9]*")
_ENTIRE = {"t", "exp", "sqrt", "pi"}
_TANGENT = re.compile(r"\s*ntk\((.*)\)\s*", re.DOTALL)
_ALLOWED = "a kernel is made of t, numbers and exp, such as exp or (1 + t)**4, or is arccos1 or ntk(relu) alone"


@dataclass(frozen=True, eq=False, repr=False)
class InnerProductKernel:
    """A kernel of x and x' that depends on inner products over d only.

    Args:
        text: g as text in t = <x, x'>/d, such as "exp" or "(1 + t)**4", or "arccos1" or "ntk(relu)".

    >>> k = InnerProductKernel("(1 + t)**4")
    >>> k.coefficients(5).tolist(), float(k.derivative(2, 0.5))
    ([1.0, 4.0, 6.0, 4.0, 1.0], 27.0)
    >>> InnerProductKernel("arccos1").coefficients(4).round(4).tolist()
    [0.3183, 0.5, 0.1592, 0.0]
    """

    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"a kernel is a text such as 'exp', not {self.text!r}")
        if self.activation is not None:  # reads the activation, or says why not
            if self.activation.jumps:
                raise InputError(f"the activation {self.activation} jumps: its tangent kernel is infinite")
            return
        # Of the functions of the language only exp has a power series without negative coefficients.
        if foreign := [name for name in _NAMES.findall(self.text) if name not in _ENTIRE]:
            raise InputError(f"{_ALLOWED}; '{foreign[0]}' is not allowed in it")
        with np.errstate(over="ignore", invalid="ignore"):
            series = self.coefficients(CHECKED_DEGREES + 1)
        if not np.isfinite(series).all():
            raise InputError(f"the power series of the kernel {self.text} overflows; use smaller numbers in it")
        if (series < -ROUNDING * np.abs(series).max()).any():
            raise InputError(f"the kernel {self.text} has a negative coefficient: it is not positive semi-definite")
        if not series[1:].any():
            raise InputError(f"the kernel {self.text} has no degree from 1 to {CHECKED_DEGREES}; it must depend on t")

    @cached_property
    def _expression(self) -> Expression:
        return parse(self.text, KERNEL)

    @cached_property
    def activation(self) -> Activation | None:
        """The activation of arccos1 or of a tangent kernel; None for g(t)."""
        if self.text.strip() == "arccos1":
            return Activation("relu")
        found = _TANGENT.fullmatch(self.text)
        return Activation(found.group(1)) if found else None

    @property
    def is_tangent(self) -> bool:
        return _TANGENT.fullmatch(self.text) is not None

    @property
    def is_power_series(self) -> bool:
        """Whether k depends on <x, x'>/d alone, and not on the lengths."""
        return self.activation is None

    def __call__(self, square: ArrayLike, other: ArrayLike, product: ArrayLike) -> Array:
        """k as a function of |x|^2/d, |x'|^2/d and <x, x'>/d, arrays that broadcast."""
        if self.activation is None:
            return self.derivative(0, np.asarray(product, dtype=np.float64))
        value = dual_kernel(self.activation, self.activation, square, other, product)
        if not self.is_tangent:
            return 2.0 * value
        slope = self.activation.derivative_activation
        return np.asarray(value + np.asarray(product) * dual_kernel(slope, slope, square, other, product))

    def derivative(self, order: int, t: ArrayLike) -> Array:
        """The derivative of this order of g, of a kernel g(t)."""
        order = whole_number("order", order, least=0)
        if not self.is_power_series:
            raise InputError(f"the kernel {self.text} depends on lengths too: it has no derivative in t")
        places = np.asarray(t, dtype=np.float64)
        flat = places.reshape(-1, order="A")  # no copy of a matrix in either order
        if order == 0:
            value = evaluate(self._expression, (flat,))
        else:
            value = math.factorial(order) * taylor(self._expression, flat, order)[order]
        found = np.full(flat.shape, value) if isinstance(value, float) else value
        found = found.copy() if np.may_share_memory(found, places) else found
        return np.asarray(found.reshape(places.shape, order="F" if places.flags.f_contiguous else "C"))

    def coefficients(self, count: int) -> Array:
        """g_0, g_1, ..., of the power series in t, or in the cosine."""
        count = whole_number("count", count, least=0)
        if self.activation is None:
            return np.array([float(np.sum(c)) for c in taylor(self._expression, np.zeros(1), max(count - 1, 0))])[
                :count
            ]
        factors = [1.0 + m if self.is_tangent else 2.0 for m in range(count)]
        return np.array([f * c for f, c in zip(factors, _energies(self.activation, count), strict=True)])

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, InnerProductKernel) else NotImplemented

    def __hash__(self) -> int:
        return hash((InnerProductKernel, self.text))

    def __repr__(self) -> str:
        return f"InnerProductKernel({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[InnerProductKernel], tuple[str]]:
        return type(self), (self.text,)


def as_kernel(kernel: InnerProductKernel | str) -> InnerProductKernel:
    """The `kernel` that was given, as it is or as the text of one."""
    return kernel if isinstance(kernel, InnerProductKernel) else InnerProductKernel(kernel)


@lru_cache(maxsize=64)
def _energies(activation: Activation, count: int) -> tuple[float, ...]:
    """mu_m^2/m!, E[s He_m]^2/m!."""
    return tuple(activation.hermite_coefficient(m) ** 2 / math.factorial(m) for m in range(count))
