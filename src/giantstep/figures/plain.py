"""Mathematics as people type it, in letters that any terminal shows: `d^2`, `psi1` and `sqrt(N)` as d², ψ₁ and √N."""

from __future__ import annotations

import html
import re

from giantstep.figures.notation import as_html

UP = str.maketrans("0123456789+-−()inT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁱⁿᵀ")
DOWN = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
TYPED = str.maketrans("∗‘’", "*''")  # so that a command between quotes can be copied
_PLACED = re.compile(r"<(su[bp])>([^<]*)</\1>")
_TAG = re.compile(r"</?(?:code|su[bp])>")


def as_plain(text: str) -> str:
    """A plain `text` whose mathematics is set as far as Unicode goes; what stands between backticks is kept as it is.

    >>> print(as_plain("n ~ d^(1 - alpha) samples, psi1 = n/d, |f*|^2 <= sqrt(N), d^(-1/2) and `x1^2`"))
    n ∼ d^(1 − α) samples, ψ₁ = n/d, |f*|² ≤ √N, d^(−1/2) and x1^2
    """
    found, before = as_html(text), ""
    while found != before:  # from the inside out
        before, found = found, _PLACED.sub(_placed, found)
    return html.unescape(_TAG.sub("", found)).translate(TYPED)


def _placed(found: re.Match[str]) -> str:
    """What is raised or lowered: in small letters if there are such for all of it, else behind a ^ or _."""
    where, inside = found[1], html.unescape(found[2]).replace("∗", "*")
    if inside.startswith("*"):
        return "*" + (_PLACED.sub(_placed, f"<{where}>{inside[1:]}</{where}>") if inside[1:] else "")
    small = inside.replace(" ", "").translate(UP if where == "sup" else DOWN)
    if not set(small) & set(inside):
        return small
    word = len(inside) == 1 or (inside.isidentifier() and (where == "sub" or "_" in inside))
    return ("^" if where == "sup" else "_") + html.escape(inside if word else f"({inside})", quote=False)
