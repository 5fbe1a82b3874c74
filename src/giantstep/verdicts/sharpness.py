"""How sharp a claim's verdict is: the resolutions of its quantities, their median and the bluntest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from giantstep.verdicts.cells import Judgement
from giantstep.verdicts.html import html_table
from giantstep.verdicts.resolution import Kind, Resolution

OTHERS: dict[Kind, str] = {  # what has no relative error, in the order in which it is told
    "absolute": "of exponents and zeros",
    "factor": "of bounds",
    "margin": "of bounds of 0 and of exponents",
    "reversal": "of trends",
}


@dataclass(frozen=True, repr=False)
class Sharpness:
    """The resolution of each quantity of a claim, over all the points where it was judged.

    Args:
        resolutions: by the quantity's name, its resolution where it is sharpest: a formula that is wrong everywhere is
            noticed there. Quantities that hold nowhere have none.
        judged: how many quantities the verdict depends on.

    >>> spike, overlap = Resolution(0.02, 0.02, "relative"), Resolution(0.14, 0.1, "relative")
    >>> print(Sharpness({"spike": spike, "overlap": overlap}, judged=2))
    median 8 %, bluntest overlap 14 %
    """

    resolutions: Mapping[str, Resolution]
    judged: int

    def of_kind(self, kind: Kind) -> dict[str, Resolution]:
        """The resolutions of one `kind`, by the quantity's name."""
        return {name: found for name, found in self.resolutions.items() if found.kind == kind}

    @property
    def median(self) -> float | None:
        """The median of the relative resolutions; None if there is none."""
        sizes = [found.size for found in self.of_kind("relative").values()]
        return float(np.median(sizes)) if sizes else None

    def bluntest(self, kind: Kind = "relative") -> str | None:
        """The name of the quantity of this `kind` that would notice least; None if there is none."""
        found = self.of_kind(kind)
        return max(found, key=lambda name: found[name].size, default=None)

    def __str__(self) -> str:
        return "; ".join(part for part in (self._relative(), self.others) if part) or "nothing holds"

    def _relative(self) -> str:
        """Median and bluntest of what has a relative error: `median 3.2 %, bluntest alignment 14 %`."""
        name = self.bluntest()
        if name is None:
            return ""
        blunt = f"{name} {told_size(self.resolutions[name])}"
        return f"median {self.median_told}, bluntest {blunt}" if len(self.of_kind("relative")) > 1 else blunt

    @property
    def median_told(self) -> str:
        """The median as it is shown; empty if there is none."""
        return "" if self.median is None else told_size(Resolution(self.median, self.median, "relative"))

    @property
    def others(self) -> str:
        """The bluntest of each kind that has no relative error: `power 0.1; of bounds bluntest height factor 3`."""
        return "; ".join(part for part in map(self._bluntest_of, OTHERS) if part)

    def _bluntest_of(self, kind: Kind) -> str:
        name = self.bluntest(kind)
        if name is None:
            return ""
        several = f"{OTHERS[kind]} bluntest " if len(self.of_kind(kind)) > 1 else ""
        return f"{several}{name} {told_size(self.resolutions[name])}"

    def in_words(self) -> str:
        """What the verdict would notice, as a sentence."""
        names = self.of_kind("relative")
        if not names:
            return f"Sharpness: {self}."
        name = self.bluntest()
        assert name is not None
        if len(names) == 1:
            return f"This {names[name].in_words()} ({name})."
        blunt = f"the bluntest, {name}, {names[name].in_words()}"
        return f"This would notice a theory off by {self.median_told} (the median of {len(names)} quantities; {blunt})."

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        finite = self.median is not None and np.isfinite(self.median)
        return {
            "judged": self.judged,
            "median": self.median if finite else None,
            "bluntest": self.bluntest(),
            "resolutions": {name: found.to_dict() for name, found in self.resolutions.items()},
        }

    def __repr__(self) -> str:
        return f"Sharpness({len(self.resolutions)} of {self.judged} quantities: {self})"

    def _repr_html_(self) -> str:
        rows = [(name, str(found), found.in_words()) for name, found in self.resolutions.items()]
        return html_table(("quantity", "notices", ""), rows, above=f"sharpness: {self}")


def told_size(resolution: Resolution) -> str:
    """The `resolution` as one number, that of both sides: `3.1 %`."""
    return str(Resolution(resolution.size, resolution.size, resolution.kind))


def sharpness_of(judgements: Sequence[Judgement]) -> Sharpness:
    """How sharp the verdict from these `judgements` is, quantity by quantity."""
    counted = [j for j in judgements if j.counts]
    found: dict[str, list[Resolution]] = {}
    for judged in counted:
        if judged.resolution is not None:
            found.setdefault(judged.key or judged.quantity.name, []).append(judged.resolution)
    names = {j.key or j.quantity.name for j in counted}
    return Sharpness({name: _sharpest(several) for name, several in found.items()}, len(names))


def _sharpest(several: Sequence[Resolution]) -> Resolution:
    """What all places together would notice; where the prediction is 0 at some of them only, the others tell."""
    kind = next(r.kind for r in sorted(several, key=lambda r: r.kind in ("absolute", "margin")))
    alike = [r for r in several if r.kind == kind]
    return Resolution(min(r.up for r in alike), min(r.down for r in alike), kind)
