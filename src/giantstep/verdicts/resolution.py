"""How sharp a judgement is, told: the smallest error of theory that it would have noticed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

Kind: TypeAlias = Literal["relative", "absolute", "factor", "margin", "reversal"]

MOST_ERROR = 10.0  # errors beyond 1000 % of a prediction are not looked for
MOST_FACTOR = 1e6  # nor bounds that are kept by more than this factor
LOOSE = 3.0  # a bound that is kept by more than this factor is said to be loose


@dataclass(frozen=True, repr=False)
class Resolution:
    """The smallest error of a prediction that a judgement would notice.

    Args:
        up: the smallest error by which a prediction that is too high would fail; infinite if none that was tried does.
        down: the same for one that is too low.
        kind: what the error is: `relative` to the prediction; `absolute`, for exponents and predictions of 0; for
            bounds the `factor` by which they are kept, or the `margin` if the bound is 0 or an exponent; for trends the
            `reversal`, the smallest step back that would be seen at every place, as a part of the whole change.

    >>> print(Resolution(0.04, 0.031, "relative").in_words())
    would notice a theory off by 4 % (4 % too high, 3.1 % too low)
    >>> print(Resolution(0.04, 0.031, "relative"), Resolution(0.1, 0.1, "absolute"), sep="; ")
    +4 / -3.1 %; 0.1
    """

    up: float
    down: float
    kind: Kind

    @property
    def size(self) -> float:
        """The error that is noticed whether theory is too high or too low; for a bound, on the side that it bounds."""
        return min(self.up, self.down) if self.kind in ("factor", "margin") else max(self.up, self.down)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; null on a side where nothing is noticed."""
        sides = {"up": self.up, "down": self.down}
        return {side: float(e) if np.isfinite(e) else None for side, e in sides.items()} | {"kind": self.kind}

    def told(self, error: float) -> str:
        """An error of this kind: `3.1 %`, `0.1`, `2.5` (times)."""
        if self.kind in ("relative", "reversal"):
            return f"{100 * error:.2g} %" if error < 1 else f"{100 * error:.0f} %"
        digits = ".3g" if self.kind == "factor" and error < 10 else ".2g"  # 1.04 is not 1
        return f"{error:.0f}" if 100 <= error < 1e4 else f"{error:{digits}}"

    def __str__(self) -> str:
        """In a column of a table."""
        if self.kind == "factor":
            told = self.told(self.size) if np.isfinite(self.size) else f"> {MOST_FACTOR:.0e}"
            return f"factor {told}{', loose' if self.size > LOOSE else ''}"
        if self.kind == "margin":
            return f"margin {self.told(self.size)}" if np.isfinite(self.size) else "any margin"
        seen = [f"{sign}{self.told(e)}" for sign, e in (("+", self.up), ("-", self.down)) if np.isfinite(e)]
        if len(seen) < 2:
            return f"only {seen[0]}" if seen else f"> {self.told(MOST_ERROR)}" if self.kind == "relative" else "nothing"
        return seen[0][1:] if seen[0][1:] == seen[1][1:] else f"{seen[0].removesuffix(' %')} / {seen[1]}"

    def __repr__(self) -> str:
        return f"Resolution({self}, {self.kind})"

    def in_words(self) -> str:
        """A sentence's part that says what would be noticed."""
        if self.kind == "factor":
            loose = ": it is loose" if self.size > LOOSE else ""
            if not np.isfinite(self.size):
                return f"keeps any bound up to {MOST_FACTOR:.0e} times as tight{loose}"
            return f"would notice a bound {self.told(self.size)} times as tight{loose}"
        if self.kind == "margin":
            return f"keeps the bound by {self.told(self.size)}" if np.isfinite(self.size) else "keeps any such bound"
        if self.kind == "reversal":
            return f"would notice a step back of {self.told(self.size)} of the whole change"
        return self._sides_in_words()

    def _sides_in_words(self) -> str:
        sides = {"too high": self.up, "too low": self.down}
        seen = [f"{self.told(e)} {side}" for side, e in sides.items() if np.isfinite(e)]
        if not seen:
            error = f" by {self.told(MOST_ERROR)}" if self.kind == "relative" else ", however far"
            return f"would not notice a theory off{error}"
        if len(seen) == 1:
            blind = next(side for side, e in sides.items() if not np.isfinite(e))
            return f"would notice a theory {seen[0]}, but none {blind}"
        apart = self.told(self.up) != self.told(self.down)
        return f"would notice a theory off by {self.told(self.size)}" + (f" ({', '.join(seen)})" if apart else "")
