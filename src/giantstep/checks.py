"""What may be given: each check returns the value as it is used, or refuses it in one sentence."""

from __future__ import annotations

import math
import operator
import os
from enum import Enum, EnumType
from typing import TYPE_CHECKING, Any, TypeVar

from giantstep.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from giantstep.arrays import Array, ArrayLike

Kind = TypeVar("Kind")

LONGEST = 60
"""Characters of a wrong value that a sentence repeats; of a longer one it only says the kind."""


def shown(value: object) -> str:
    """A wrong value as a sentence repeats it.

    >>> shown("tanh"), shown(list(range(100)))
    ("'tanh'", 'a value of type list')
    """
    shape = getattr(value, "shape", ())
    if isinstance(shape, tuple) and shape:
        return f"an array of shape {shape}"
    text = repr(value)
    return text if len(text) <= LONGEST and "\n" not in text else f"a value of type {type(value).__name__}"


class _Choices(EnumType):
    # Whatever its arguments are called: from Python 3.12 on the signature of an Enum says `values`, not `value`.
    def __call__(cls, *given: Any, **named: Any) -> Any:
        try:
            return super().__call__(*given, **named)
        except (ValueError, TypeError):
            members: dict[str, Any] = dict(cls.__members__)
            known = ", ".join(repr(getattr(one, "label", one.value)) for one in members.values())
            refused = [f", not {shown(value)}" for value in (*given, *named.values())][:1]
            raise InputError(f"{cls.__name__} must be one of {known}{''.join(refused)}") from None


class Choice(Enum, metaclass=_Choices):
    """A choice between a few values; any other is refused in a sentence that names them."""


def whole_number(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """A whole number within bounds.

    >>> whole_number("seeds", 8)
    8
    >>> whole_number("seeds", 2.5, most=100)
    Traceback (most recent call last):
    giantstep.errors.InputError: seeds = 2.5 is not allowed; it must be a whole number from 1 to 100
    """
    try:
        found = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        found = None
    if found is None or found < least or (most is not None and found > most):
        allowed = f"of {least} or more" if most is None else f"from {least} to {most}"
        raise InputError(f"{name} = {shown(value)} is not allowed; it must be a whole number {allowed}")
    return found


def real_number(
    name: str, value: Any, allowed: str = "a finite number", least: float = -math.inf, most: float = math.inf
) -> float:
    """A finite number within bounds, which `allowed` says in words.

    >>> real_number("noise", 1)
    1.0
    >>> real_number("noise", "a", "a number of 0 or more", least=0)
    Traceback (most recent call last):
    giantstep.errors.InputError: noise = 'a' is not allowed; it must be a number of 0 or more
    """
    try:
        found = math.nan if isinstance(value, bool | str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found) or not least <= found <= most:
        raise InputError(f"{name} = {shown(value)} is not allowed; it must be {allowed}")
    return found


def instance(what: str, value: Any, kind: type[Kind], example: str) -> Kind:
    """A value of this kind, of which the sentence gives an example.

    >>> instance("the name", 3, str, "a text such as 'spikes'")
    Traceback (most recent call last):
    giantstep.errors.InputError: the name must be a text such as 'spikes', not 3
    """
    if not isinstance(value, kind):
        raise InputError(f"{what} must be {example}, not {shown(value)}")
    return value


def file_path(what: str, value: Any, example: str) -> Path:
    """The place of a file.

    >>> file_path("the store", 3, "spikes.sqlite")
    Traceback (most recent call last):
    giantstep.errors.InputError: the store must be a file such as 'spikes.sqlite', not 3
    """
    from pathlib import Path

    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{what} must be a file such as '{example}', not {shown(value)}")
    if "\0" in os.fspath(value):
        raise InputError(f"{what} must be a file such as '{example}': a name has no character 0")
    return Path(value)


def real_array(what: str, values: Any, axes: int | None = None) -> Any:
    """An array of real numbers; float32 stays float32, everything else becomes float64.

    >>> real_array("the labels", [1, 2])
    array([1., 2.])
    >>> real_array("the labels", ["cat", "dog"])
    Traceback (most recent call last):
    giantstep.errors.InputError: the labels must be an array of real numbers, not ['cat', 'dog']
    """
    import numpy as np

    try:
        array = np.asarray(values)
        if array.dtype not in (np.float32, np.float64):
            if array.dtype.kind not in "biufO" or values is None:
                raise TypeError
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be an array of real numbers, not {shown(values)}") from None
    if axes is not None and array.ndim != axes:
        raise InputError(f"{what} must have {axes} axes, not the shape {array.shape}")
    return array


def require(condition: object, sentence: str) -> None:
    """Refuse an input with one sentence unless `condition` holds (everywhere, for an array)."""
    import numpy as np

    if not np.all(np.asarray(condition)):
        raise InputError(sentence)


def positive(name: str, value: ArrayLike, *, or_infinite: bool = False) -> Array:
    """`value` as an array of numbers above zero, finite unless said otherwise, or a refusal that names it."""
    import numpy as np

    if type(value) is float and 0.0 < value < math.inf:  # what theory is asked about thousands of times in a picture
        return np.asarray(value)
    array = np.asarray(real_array(name, value), dtype=np.float64)
    allowed = (array > 0) & (or_infinite | np.isfinite(array))
    if not allowed.all():  # the sentence is written only if it is needed: to print an array takes its time
        raise InputError(f"{name} must be a finite number above 0, got {value!r}")
    return array


def not_negative(name: str, value: ArrayLike) -> Array:
    """`value` as an array of finite numbers at or above zero, or a refusal that names it."""
    import numpy as np

    if type(value) is float and 0.0 <= value < math.inf:
        return np.asarray(value)
    array = np.asarray(real_array(name, value), dtype=np.float64)
    if not (np.isfinite(array) & (array >= 0)).all():
        raise InputError(f"{name} must be a finite number, 0 or above, got {value!r}")
    return array
