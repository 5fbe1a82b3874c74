"""How a picture looks: theme, page size, letters and resolution, for a page, a paper, a slide or a dark screen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from giantstep.checks import real_number, whole_number
from giantstep.errors import InputError

Theme: TypeAlias = Literal["plain", "paper", "slide", "dark"]
INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0, "pt": 1 / 72}
SMALLEST, LARGEST = 1.0, 60.0  # inches of a page
LETTERS: dict[str, float] = {"plain": 10.5, "paper": 8.5, "slide": 16.0, "dark": 10.5}  # points of a label
LINES: dict[str, float] = {"plain": 1.0, "paper": 0.85, "slide": 1.5, "dark": 1.0}  # widths, as a factor


@dataclass(frozen=True)
class Look:
    """How a picture is drawn; what is left out follows from the theme.

    Args:
        theme: `plain`, `paper` (small letters and thin lines), `slide` (large ones) or `dark` (on a dark ground).
        size: width and height of the page, in inches; the layout is made for it, not stretched to it.
        font_size: points of the labels of axes; titles, legends and captions follow.
        dpi: dots per inch of a PNG.
        transparent: whether the ground is left out.
        still: whether legends stand below their plots, so that they do not jump from frame to frame of a film.

    >>> Look.of(size="12x7cm", theme="slide").inches
    (4.724, 2.756)
    """

    theme: Theme = "plain"
    size: tuple[float, float] | None = None
    font_size: float | None = None
    dpi: int = 200
    transparent: bool = False
    still: bool = False

    @classmethod
    def of(
        cls,
        *,
        theme: str = "plain",
        size: str = "",
        font_size: float | None = None,
        dpi: int = 200,
        transparent: bool = False,
    ) -> Look:
        """A look as it is written on a command line, refused with a sentence if it cannot be.

        Args:
            theme: see above.
            size: `12x7cm`, `5x3in`, `120x70mm`; empty for the theme's own.
            font_size: points, from 4 to 60.
            dpi: dots per inch, from 30 to 1200.
            transparent: see above.
        """
        if theme not in get_args(Theme):
            raise InputError(f"there is no theme '{theme}'; there are: {', '.join(get_args(Theme))}")
        points = None if font_size is None else real_number("font_size", font_size, least=4, most=60)
        dots = whole_number("dpi", dpi, least=30, most=1200)
        return cls(theme, _read_size(size) if size else None, points, dots, transparent)  # type: ignore[arg-type]

    @property
    def inches(self) -> tuple[float, float] | None:
        """The page's size, rounded as a reader wants it."""
        return None if self.size is None else (round(self.size[0], 3), round(self.size[1], 3))

    @property
    def letters(self) -> float:
        """Points of a label."""
        return LETTERS[self.theme] if self.font_size is None else self.font_size

    @property
    def scale(self) -> float:
        """How much larger letters are than those of the plain look."""
        return self.letters / LETTERS["plain"]

    @property
    def line_scale(self) -> float:
        """How much wider lines and larger marks are."""
        return LINES[self.theme]


def _read_size(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"\s*([\d.]+)\s*x\s*([\d.]+)\s*(cm|mm|in|pt)\s*", text.lower())
    try:
        if found is None:
            raise ValueError
        width, height = (float(found[i]) * INCHES[found[3]] for i in (1, 2))
    except ValueError:
        raise InputError(
            f"'{text[:40]}' is no size of a picture; write width x height with a unit: 12x7cm, 5x3in"
        ) from None
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise InputError(f"a picture of {text[:40]} cannot be; each side has {SMALLEST:g} to {LARGEST:g} inches")
    return width, height
