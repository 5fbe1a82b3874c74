"""The name of a study that nobody has named."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from giantstep.claims import Claim

LONGEST_NAME = 100


def name_of(claim: Claim, axes: Iterable[str]) -> str:
    """A name that says what is swept and what is fixed elsewhere than by default: bes22-one-step-risk-step-d512.

    Two sweeps of which one would hide the other have different names; the same with more seeds goes on under its name.
    """
    swept = list(axes)
    fixed = {name: value for name, value in claim.changed().items() if name not in swept}
    told = [f"{name}{value:g}".replace("+", "") for name, value in fixed.items() if _is_number(value)]
    rest = {name: value for name, value in fixed.items() if not _is_number(value)}
    if rest:  # texts hold what a name may not
        told.append("_".join(rest) + _digest(str(rest)))
    name = "-".join([claim.name.replace("/", "-"), *swept, *told])
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 9] + "-" + _digest(name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
