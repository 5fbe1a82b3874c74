"""What a ranking shows: names one below the other, each with a value and its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from giantstep.errors import InputError
from giantstep.figures.series import paired


@dataclass(frozen=True, eq=False)
class RankingPicture:
    """Values of named things, one below the other, with their errors.

    Args:
        title, x_label, caption: words; $...$ is mathematics.
        names: of the K things, the uppermost first.
        values: shape (K,), finite.
        error: standard errors, shape (K,).
        strong: the names that stand out; all look alike if it is empty.
        strong_label: what the legend calls those that stand out.
        lines: (x, label) of thin vertical lines.
    """

    title: str
    x_label: str
    names: Sequence[str]
    values: ArrayLike
    error: ArrayLike
    strong: Sequence[str] = ()
    strong_label: str = ""
    lines: Sequence[tuple[float, str]] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "strong", tuple(self.strong))
        object.__setattr__(self, "lines", tuple(self.lines))
        values, error = paired(self.values, self.error, f"the ranking {self.title!r}", ("values", "error"))
        if values.shape != (len(self.names),):
            raise InputError(f"the ranking {self.title!r} has {len(self.names)} names and {values.size} values")
        if not np.isfinite(values).all() or not np.isfinite(error).all() or np.any(error < 0):
            raise InputError(f"the ranking {self.title!r} needs finite values, and errors of 0 or more")
        if set(self.strong) - set(self.names):
            raise InputError(f"the ranking {self.title!r} has no such names: {set(self.strong) - set(self.names)}")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "error", error)
