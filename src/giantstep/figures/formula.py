"""Mathematics for pages: a symbol as a small drawing in the colour of the text around it."""

from __future__ import annotations

import html
from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

SIZE = 16.0
COMMANDS = {
    int(code): letter for code, letter in zip((Path.MOVETO, Path.LINETO, Path.CURVE3, Path.CURVE4), "MLQC", strict=True)
}


@lru_cache(maxsize=1024)
def formula_svg(tex: str) -> str:
    r"""An inline SVG of a formula, `tex` such as `\psi_1 = n/d`; it is also the text for those who cannot see it."""
    path = TextPath((0, 0), f"${tex}$", size=SIZE, prop=FontProperties(math_fontfamily="stix"))
    if not len(path.vertices):
        return ""
    (left, bottom), (right, top) = path.vertices.min(axis=0), path.vertices.max(axis=0)
    top, bottom = max(top, 0.7 * SIZE), min(bottom, -0.25 * SIZE)
    width, height = right - left + 1, top - bottom
    drawn = " ".join(_drawn(points, int(code)) for points, code in path.iter_segments(curves=True, simplify=False))
    box = f"{left - 0.5:.2f} {-top:.2f} {width:.2f} {height:.2f}"
    return (
        f'<svg class="formula" role="img" aria-label="{html.escape(tex)}" viewBox="{box}" '
        f'style="width:{width / SIZE:.3f}em;height:{height / SIZE:.3f}em;vertical-align:{bottom / SIZE:.3f}em">'
        f'<path fill="currentColor" d="{drawn}"/></svg>'
    )


def _drawn(points: np.ndarray[tuple[int], np.dtype[np.float64]], code: int) -> str:
    if code == Path.CLOSEPOLY:
        return "Z"
    flipped = np.asarray(points).reshape(-1, 2) * [1, -1]  # on a page, y grows downwards
    return COMMANDS[code] + " ".join(f"{v:.2f}" for v in flipped.ravel())
