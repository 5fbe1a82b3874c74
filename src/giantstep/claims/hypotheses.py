"""Hypotheses: what a theorem supposes, so that a point beyond it is no refutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Hypothesis:
    """One condition of a theorem. Where it is not met, what rests on it is shown and compared, but not judged.

    Args:
        words: the condition as a clause that follows "supposes that": "the activation is odd".
        met: whether it is met at a point.
        quantities: the names of the quantities that rest on it; all of the claim's if none is named.

    >>> odd = Hypothesis("the activation is odd", lambda point: point == "tanh", ("risk",))
    >>> odd.concerns("risk"), odd.concerns("norm"), odd.met("relu")
    (True, False, False)
    """

    words: str
    met: Callable[[Any], bool]
    quantities: tuple[str, ...] = ()

    def concerns(self, quantity: str) -> bool:
        """Whether what the claim says of the named `quantity` rests on it."""
        return not self.quantities or quantity in self.quantities
