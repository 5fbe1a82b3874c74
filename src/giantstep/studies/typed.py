"""Points from what somebody typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giantstep.claims import Claim


def point_of(claim: type[Claim], parameters: Mapping[str, Any], preset: str = "") -> Claim:
    """The point that typed values describe.

    Args:
        claim: the class of the claim.
        parameters: by name, as numbers or as typed; a whole number may be written 1e5.
        preset: the claim's preset from which parameters that are not given are taken.
    """
    values = {name: as_typed(claim, name, value) for name, value in parameters.items()}
    return claim.preset(preset, **values) if preset else claim(**values)


def as_typed(cls: type[Claim], name: str, value: Any) -> Any:
    """A parameter as typed: whole numbers may be written 1e5."""
    if cls.model_fields[name].annotation is int and isinstance(value, str | float):
        try:
            number = float(value)
            return int(number) if number == int(number) else value
        except (ValueError, OverflowError):
            return value
    return value
