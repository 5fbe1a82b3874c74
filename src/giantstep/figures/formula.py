"""Mathematics for pages: a symbol as a small drawing in the colour of the text around it."""

from __future__ import annotations

import html
from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

SIZE = 16.0
UNITS = 10  # in which a drawing is measured, over the size: 1/160 of the height of a line is not seen
COMMANDS = {
    int(code): letter for code, letter in zip((Path.MOVETO, Path.LINETO, Path.CURVE3, Path.CURVE4), "mlqc", strict=True)
}


@lru_cache(maxsize=1024)
def formula_svg(tex: str, *, display: bool = False) -> str:
    r"""An inline SVG of a formula; its LaTeX is also the text for those who cannot see it.

    What matplotlib cannot draw is shown as it is written.

    Args:
        tex: LaTeX without dollar signs, such as `\psi_1 = n/d`.
        display: whether it stands on a line of its own, where fractions are as large as the text.
    """
    drawn = tex.replace(r"\frac", r"\dfrac") if display else tex
    try:
        path = TextPath((0, 0), f"${drawn}$", size=SIZE, prop=FontProperties(math_fontfamily="stix"))
    except ValueError:
        return f"<code>{html.escape(tex)}</code>"
    if not len(path.vertices):
        return ""
    (left, bottom), (right, top) = path.vertices.min(axis=0), path.vertices.max(axis=0)
    top, bottom = max(top, 0.7 * SIZE), min(bottom, -0.25 * SIZE)
    width, height = right - left + 1, top - bottom
    box = " ".join(f"{UNITS * v:.0f}" for v in (left - 0.5, -top, width, height))
    name = html.escape(tex)
    return (
        f'<svg class="formula" role="img" aria-label="{name}" viewBox="{box}" '
        f'style="width:{width / SIZE:.3f}em;height:{height / SIZE:.3f}em;vertical-align:{bottom / SIZE:.3f}em">'
        f'<title>{name}</title><path fill="currentColor" d="{_drawn(path)}"/></svg>'
    )


def _drawn(path: Path) -> str:
    """The outline in whole units and relative to the point before, which takes a third of the text of decimals."""
    parts, begun, here = [], np.zeros(2, dtype=int), np.zeros(2, dtype=int)
    for points, code in path.iter_segments(curves=True, simplify=False):
        if code == Path.CLOSEPOLY:
            parts.append("z")
            here = begun  # a pen that closes an outline goes back to where it began
            continue
        places = np.rint(UNITS * np.asarray(points).reshape(-1, 2) * [1, -1]).astype(int)  # on a page y grows downwards
        numbers = " ".join(str(v) for v in (places - here).ravel()).replace(" -", "-")
        parts.append(COMMANDS[int(code)] + numbers)
        here = places[-1]
        begun = here if code == Path.MOVETO else begun
    return "".join(parts)
