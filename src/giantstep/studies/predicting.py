"""What theory says at a point, or the sentence that says where it breaks down."""

from __future__ import annotations

from giantstep.claims import Claim
from giantstep.errors import InputError
from giantstep.verdicts import Prediction


def predicted(point: Claim) -> Prediction:
    """What theory says at a `point`; where its code breaks down, a sentence says where."""
    try:
        return point.predict()
    except InputError:
        raise
    except Exception as error:
        place = ", ".join(f"{name} = {value}" for name, value in point.parameters().items())
        raise InputError(
            f"the theory of {point.name} breaks down at {place}: {type(error).__name__}: {error}"
        ) from error
