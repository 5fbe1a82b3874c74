"""The central formula of a claim, typeset: the same LaTeX for the terminal, the pages, the report and notebooks."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from giantstep.claims.base import Claim


@dataclass(frozen=True)
class Formula:
    r"""One to three displayed lines of LaTeX, and the words that define their symbols.

    Both keep to what matplotlib can draw (its mathtext), and to the symbols of the claim's quantities and parameters.

    Args:
        latex: the lines, divided by two backslashes and without dollar signs; white space does not count.
        where: what the symbols mean, mathematics between dollar signs.

    >>> print(Formula(r"\lambda_1 \to (1 + 1/\sqrt{\psi})^2", r"$\psi = n/d$").pasted())
    \[
    \lambda_1 \to (1 + 1/\sqrt{\psi})^2
    \]
    where $\psi = n/d$.
    """

    latex: str
    where: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The displayed lines."""
        return tuple(" ".join(line.split()) for line in self.latex.split(r"\\"))

    @property
    def words(self) -> str:
        """The words under the formula as a sentence; nothing if there are none."""
        return f"where {' '.join(self.where.split())}." if self.where else ""

    def pasted(self) -> str:
        """LaTeX that a paper takes as it is (amsmath, amssymb)."""
        several = len(self.lines) > 1
        begin, end = (r"\begin{gather*}", r"\end{gather*}") if several else (r"\[", r"\]")
        return "\n".join([begin, " \\\\\n".join(self.lines), end, *filter(None, [self.words])])

    def marked_down(self) -> str:
        """The same for Markdown and notebooks, a block for each line."""
        return "\n\n".join([*(f"$${line}$$" for line in self.lines), *filter(None, [self.words])])

    def data(self) -> dict[str, Any]:
        """The formula as plain data."""
        return {"latex": list(self.lines), "where": self.where}


def formula_of(cls: type[Claim]) -> Formula | None:
    """The formula of the claim `cls`: its own `formula`, or that of its name in `_formulas.py` of its folder."""
    if cls.formula is not None or not cls.__module__.startswith("giantstep.claims."):
        return cls.formula
    folder, _, name = cls.info.name.partition("/")
    place = f"giantstep.claims.{folder.replace('-', '_')}._formulas"
    if importlib.util.find_spec(place) is None:
        return None
    found: dict[str, Formula] = importlib.import_module(place).FORMULAS
    return found.get(name)
