"""What theory says at a point, or the sentence that says where it breaks down."""

from __future__ import annotations

from giantstep.claims import Claim
from giantstep.errors import InputError
from giantstep.studies.numbers import TOO_FAR, not_numbers, unwarned
from giantstep.verdicts.stating import Prediction


def predicted(point: Claim) -> Prediction:
    """What theory says at a `point`; where its code breaks down, or gives no numbers, a sentence says where."""
    try:
        with unwarned():
            found = point.predict()
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"the theory of {point.name} breaks down at {_place(point)}: {type(error).__name__}: {error}"
        ) from error
    if lost := not_numbers(found.values):
        raise InputError(f"the theory of {point.name} gives no number for {lost} at {_place(point)}: {TOO_FAR}")
    return found


def _place(point: Claim) -> str:
    """The parameters that differ from the claim's own defaults; all of them at the defaults."""
    return ", ".join(f"{name} = {value}" for name, value in (point.changed() or point.parameters()).items())
