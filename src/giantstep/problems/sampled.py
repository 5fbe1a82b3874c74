"""Targets and activations that are Python functions: known by their values alone, and marked as sampled.

All that the full engine does with a function is to call it: data, gradients, heads and Monte-Carlo risks work as for a
text.
What rests on its expansion (theory, exact risks, the reduced engine, the analyser) answers with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.checks import instance, whole_number
from giantstep.errors import InputError
from giantstep.problems.activation import Activation
from giantstep.problems.target import Target
from giantstep.streams import Streams

SAMPLES = 2**17
"""Points over which mean and norm of a function are estimated."""
WIDTH = 1e-5
"""Half the distance of the two points from which a slope is taken."""

Function = Callable[[NDArray[Any]], Any]


def _called(what: str, function: object) -> Function:
    instance(what, function, Callable, "a Python function of an array")  # type: ignore[arg-type]
    return function  # type: ignore[return-value]


def _unknown(what: str) -> NoReturn:
    raise InputError(f"{what} is a Python function, known by samples only; what is asked needs it as a text")


class SampledTarget(Target):
    """f* as a Python function of an array (..., r), which gives the values (...).

    Args:
        function: f*; it is called with the columns of the target's directions, independent standard Gaussians.
        directions: r, how many columns it takes.

    Its mean and norm are estimated, with standard errors `mean_error` and `norm2_error`. Its `text` is a name; it has
    no `expression` and no `form`.

    >>> bump = SampledTarget(lambda x: np.exp(-x[..., 0] ** 2) * x[..., 1], directions=2)
    >>> bump.directions, abs(bump.norm2 - 5 ** -0.5) < 5 * bump.norm2_error
    (2, True)
    """

    function: Function
    is_sampled = True
    is_polynomial = is_exact = False

    def __init__(self, function: Function, directions: int = 1) -> None:
        values = {
            "function": _called("the target", function),
            "text": f"{getattr(function, '__name__', 'f')} (sampled)",
        }
        for name, value in {**values, "directions": whole_number("directions", directions)}.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("form", "expression"):
            _unknown(f"the target {self.text}")
        raise AttributeError(name)

    def __call__(self, x: ArrayLike, /) -> NDArray[Any]:
        """f(x), shape (...), for `x` of shape (..., k) with k >= r; only the first r columns are read."""
        array = np.asarray(x, dtype=np.float64)
        if array.shape[-1] < self.directions:
            raise InputError(f"the inputs have {array.shape[-1]} columns, but {self.text} needs {self.directions}")
        found = np.asarray(self.function(array[..., : self.directions]), dtype=np.float64)
        if found.shape != array.shape[:-1]:
            raise InputError(
                f"{self.text} gave the shape {found.shape} for inputs {array.shape}: one value a row, please"
            )
        return found

    def gradient(self, x: ArrayLike, /) -> NDArray[Any]:
        """grad f(x), shape (..., r), at `x` (..., k), k >= r, from differences of values."""
        array = np.asarray(x, dtype=np.float64)[..., : self.directions]
        moves = WIDTH * np.eye(self.directions)
        return np.stack([(self(array + move) - self(array - move)) / (2 * WIDTH) for move in moves], axis=-1)

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        generator = Streams(0).child("sampled target").generator()
        return np.asarray(self(generator.standard_normal((SAMPLES, self.directions))))

    @property
    def mean(self) -> float:
        """E f, estimated."""
        return float(self._values.mean())

    @property
    def norm2(self) -> float:
        """|f|^2 = E f^2, estimated."""
        return float((self._values**2).mean())

    @property
    def mean_error(self) -> float:
        """The standard error of the mean."""
        return float(self._values.std() / np.sqrt(SAMPLES))

    @property
    def norm2_error(self) -> float:
        """The standard error of norm2."""
        return float((self._values**2).std() / np.sqrt(SAMPLES))

    @property
    def error(self) -> float:
        """The larger of the two standard errors."""
        return max(self.mean_error, self.norm2_error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledTarget) and self.function is other.function

    def __hash__(self) -> int:
        return hash((type(self), self.function))

    def _repr_latex_(self) -> None:
        """A function without a text has no formula."""


class SampledActivation(Activation):
    """sigma as a Python function of an array, applied to each of its numbers.

    Args:
        function: sigma, which keeps the shape of what it is given.
        derivative: sigma', likewise; taken from differences of values if it is not given.

    Its `text` is a name; it has no `expression` and no `form`.

    >>> leaky = SampledActivation(lambda z: np.maximum(z, 0.1 * z))
    >>> [round(float(slope), 6) for slope in leaky.derivative(np.array([-2.0, 3.0]))]
    [0.1, 1.0]
    """

    function: Function
    slope: Function | None
    is_sampled = True

    def __init__(self, function: Function, derivative: Function | None = None) -> None:
        slope = None if derivative is None else _called("the derivative", derivative)
        name = f"{getattr(function, '__name__', 'sigma')} (sampled)"
        for key, value in {"function": _called("the activation", function), "slope": slope, "text": name}.items():
            object.__setattr__(self, key, value)

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("form", "expression"):
            _unknown(f"the activation {self.text}")
        raise AttributeError(name)

    def __call__(self, z: ArrayLike, /) -> Any:
        """s(z), of the shape of `z`."""
        array = np.asarray(z)
        return np.asarray(self.function(array), dtype=array.dtype)

    def derivative(self, z: ArrayLike, /) -> Any:
        """s'(z), of the shape of `z`."""
        array = np.asarray(z)
        wide = array.astype(np.float64)
        function, slope = self.function, self.slope
        found = slope(array) if slope else (function(wide + WIDTH) - function(wide - WIDTH)) / (2 * WIDTH)
        return np.array(found, dtype=array.dtype)

    def value_and_derivative(self, z: ArrayLike, /) -> tuple[Any, Any]:
        """(s(z), s'(z)), both of the shape of `z`."""
        return self(z), self.derivative(z)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SampledActivation):
            return False
        return (self.function, self.slope) == (other.function, other.slope)

    def __hash__(self) -> int:
        return hash((type(self), self.function))

    def __reduce__(self) -> tuple[Any, ...]:
        return SampledActivation, (self.function, self.slope)

    def _repr_latex_(self) -> None:
        """A function without a text has no formula."""
