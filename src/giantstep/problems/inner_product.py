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
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.errors import InputError
from giantstep.gaussian import dual_kernel
from giantstep.problems.activation import Activation
from giantstep.problems.derivative import differentiate
from giantstep.problems.evaluation import evaluate
from giantstep.problems.expression import Expression
from giantstep.problems.language import parse
from giantstep.problems.scanner import Dialect

Array = NDArray[np.float64]

KERNEL = Dialect("kernel", "t")
CHECKED_DEGREES = 12
"""A kernel must have no negative coefficient up to this degree."""
_NAMES = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_ENTIRE = {"t", "exp", "sqrt", "pi"}
_TANGENT = re.compile(r"\s*ntk\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, eq=False, repr=False)
class InnerProductKernel:
    """A kernel of x and x' that depends on inner products over d only.

    >>> k = InnerProductKernel("(1 + t)**4")
    >>> k.coefficients(5).tolist(), float(k.derivative(2, 0.5))
    ([1.0, 4.0, 6.0, 4.0, 1.0], 27.0)
    >>> InnerProductKernel("arccos1").coefficients(4).round(4).tolist()
    [0.3183, 0.5, 0.1592, 0.0]
    """

    text: str
    _chain: list[Expression] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"a kernel is a text such as 'exp', not a {type(self.text).__name__}.")
        if self.text.strip() == "arccos1" or _TANGENT.fullmatch(self.text):
            assert self.activation is not None  # reads the activation, or says why not
            return
        expression = parse(self.text, KERNEL)
        if foreign := sorted(set(_NAMES.findall(self.text)) - _ENTIRE):
            # Of the functions of the language only exp has a power series without negative coefficients.
            raise InputError(
                f"a kernel is made of t, numbers and exp, such as (1 + t)**4; {foreign[0]} is not allowed."
            )
        self._chain.append(expression)
        if (self.coefficients(CHECKED_DEGREES + 1) < 0).any():
            raise InputError(f"the kernel {self.text} has a negative coefficient: it is not positive semi-definite.")

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
        if not self.is_power_series:
            raise InputError(f"the kernel {self.text} depends on lengths too: it has no derivative in t.")
        while len(self._chain) <= order:
            self._chain.append(differentiate(self._chain[-1], 0))
        places = np.asarray(t, dtype=np.float64)
        flat = np.ascontiguousarray(places).reshape(-1)
        value = np.asarray(evaluate(self._chain[order], (flat,)), dtype=np.float64)
        return np.array(np.broadcast_to(value, flat.shape)).reshape(places.shape)

    def coefficients(self, count: int) -> Array:
        """g_0, g_1, ..., of the power series in t, or in the cosine."""
        if self.activation is None:
            return np.array([float(self.derivative(m, 0.0)) / math.factorial(m) for m in range(count)])
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


@lru_cache(maxsize=64)
def _energies(activation: Activation, count: int) -> tuple[float, ...]:
    """mu_m^2/m!, E[s He_m]^2/m!."""
    return tuple(activation.hermite_coefficient(m) ** 2 / math.factorial(m) for m in range(count))
