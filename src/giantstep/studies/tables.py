"""Tables: what was measured as columns, for pandas, polars, notebooks and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from giantstep.errors import UnknownNameError
from giantstep.verdicts import html_table

SHOWN_ROWS = 8  # of a table that shows itself


class Frame(dict[str, Any]):
    """A table as a dictionary of `columns`, arrays of equal length by name, as pandas and polars take it.

    It is a real dictionary: any other mapping is to `pandas.DataFrame` a list of names.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        super().__init__(columns)

    def __missing__(self, name: str) -> Any:
        raise UnknownNameError("column", name, self)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.values()))) if self else 0

    def __repr__(self) -> str:
        lines = ["  ".join(self)]
        for i in range(min(self.rows, SHOWN_ROWS)):
            lines.append("  ".join(str(column[i]) for column in self.values()))
        return "\n".join(lines) + f"\n[{self.rows} rows x {len(self)} columns]"

    def _repr_html_(self) -> str:
        shown = range(min(self.rows, SHOWN_ROWS))
        rows = [[_told(column[i]) for column in self.values()] for i in shown]
        return html_table(list(self), rows, below=(f"{self.rows} rows x {len(self)} columns",))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


def _told(value: Any) -> str:
    """A table's value as a reader wants it: nothing where there is none."""
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:.6g}"
    return str(value)
