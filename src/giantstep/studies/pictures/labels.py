"""What all panels need: places on an axis, and the words on axes and branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TypeAlias

from giantstep.claims import Axis, Claim, View, extra
from giantstep.figures import CurvePicture, HeatMapPicture, SpectrumPicture, TrajectoryPicture, as_mathtext
from giantstep.problems import Activation, Target
from giantstep.verdicts import Cell

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture  # what stands in one panel
Line: TypeAlias = tuple[list[float], list[float]]  # places and values

_CLAUSE = re.compile(r"(?:, over [^;:,]*|(?! \()[^;:,])*")  # with what it is divided by, without brackets
_FORMULA = re.compile(r" \([^)]*[-_^/=]")  # in brackets
_BREAKS_OFF = re.compile(r"\b(?:a|and|as|at|by|for|from|in|of|or|the|to|with)$")  # what followed was a formula
SHORTEST, LONGEST = 3, 62  # letters of the words in a legend
IN_TITLE = 48
ON_AXIS = 84  # where they may have mathematics, which is set
ABBREVIATIONS = {
    "ck": "conjugate kernel",
    "clt": "central limit",
    "cos": "cosine",
    "frobenius": "Frobenius",
    "gd": "gradient descent",
    "nn": "network",
    "ntk": "tangent kernel",
    "pca": "principal component",
    "rf": "random features",
    "sv": "singular vector",
    "t": "time",
}
INSTEAD = {  # of values, what is judged along an axis
    "slope": "theory, of which only the slope is judged",
    "increasing": "theory, judged only to rise",
    "decreasing": "theory, judged only to fall",
}


def place_of(cell: Cell, name: str) -> float | None:
    """Where a cell stands on the axis of a parameter; None where that is no number."""
    value = getattr(cell.point, name)
    return float(value) if isinstance(value, int | float) else None


def axis_places(axis: Axis) -> list[float]:
    """The places on an axis in rising order, each once; none if they are no numbers, as those of an activation."""
    try:
        return sorted({float(value) for value in axis.values})
    except (TypeError, ValueError):
        return []


def spelled(name: str) -> str:
    """The `name` of a quantity or parameter as words: `risk_ntk` is "risk tangent kernel"."""
    return " ".join(ABBREVIATIONS.get(part, part) for part in name.split("_"))


def quantity_words(claim: Claim, name: str, longest: int = LONGEST) -> str:
    """What a quantity is, in the first few words that the claim has for it; its name spelled out, where it has none.

    Args:
        claim: which states it.
        name: of the quantity.
        longest: letters that there is room for; words for an axis may have mathematics.
    """
    told = next((q.help for q in claim.stated() if q.name == name and q.help), "")
    words = _CLAUSE.match(told)[0].strip()  # type: ignore[index]  # which may be empty
    is_own = not words.startswith(("the same", "of ", "sqrt", "|")) and not re.search(r"=|_\w\w", words)
    torn = words.count("<") > words.count(">") or _FORMULA.match(told, len(words))  # by a comma or a bracket
    is_plain = longest == ON_AXIS or not re.search(r"[_^<>|*()]", words)
    is_whole = SHORTEST <= len(words) <= longest and not _BREAKS_OFF.search(words)
    return words if is_own and is_plain and is_whole and not torn else spelled(name)


def label(claim: Claim, name: str) -> str:
    """A parameter's or quantity's name in words with its symbol, for an axis."""
    fields = type(claim).model_fields
    if name in fields:
        symbol, words = extra(fields[name])["symbol"], spelled(name)
        if symbol == words:  # d is a letter; what it is, its help says
            words = _CLAUSE.match(fields[name].description or "")[0].strip()  # type: ignore[index]
    else:
        symbol = next((q.symbol for q in claim.stated() if q.name == name and q.symbol), "")
        words = as_mathtext(quantity_words(claim, name, ON_AXIS))
    if not symbol:
        return words
    between = ", " if words[-1:].isdigit() or words.endswith("$") else " "  # else it would seem to be a factor
    return f"{words}{between}${symbol}$".strip()


def panel_title(claim: Claim, view: View, names: Sequence[str], every: Sequence[str]) -> str:
    """The title of a panel with some of a view's quantities: it names them where other panels show the others."""
    kinds = {name.split("_")[0] for name in names}
    if not view.title and len(names) > 2 and len(kinds) == 1:  # the legend names each
        return spelled(kinds.pop())
    words = ", ".join(quantity_words(claim, name, IN_TITLE) for name in names)
    if not view.title:
        return words
    return view.title if len(names) == len(every) else f"{view.title}: {words}"


def shared_label(claim: Claim, names: Sequence[str]) -> str:
    """The label of an axis that several quantities share: how their names begin, their words end, or all of them."""
    if len(names) == 1:
        return label(claim, names[0])
    first = {name.split("_")[0] for name in names}
    if len(first) == 1:
        return spelled(first.pop())
    told = [quantity_words(claim, name).split() for name in names]
    ending = list(takewhile(lambda last: len(set(last)) == 1, zip(*map(reversed, told), strict=False)))
    if len(ending) == min(map(len, told)):  # one of them is another with a word before it
        return " ".join(told[0][-len(ending) :])
    whole = ", ".join(" ".join(words) for words in told)
    return whole if len(whole) <= LONGEST else ", ".join(spelled(name) for name in names)


def branch_name(claim: Claim, by: str, value: object) -> str:
    """What a branch of the parameter `by` is called: `d = 100`; nothing where there is no such parameter."""
    if not by:
        return ""
    power = len(str(value)) - 1
    if isinstance(value, int) and power > 4 and value == 10**power:
        value = f"$10^{{{power}}}$"  # nobody counts zeros
    words = by.replace("_", " ")
    if isinstance(value, bool):
        own = extra(type(claim).model_fields[by]).get("words") or (words, f"not {words}")
        return str(own[0] if value else own[1])
    if isinstance(getattr(claim, by), Target | Activation):  # a product needs no sign between its factors
        return as_mathtext(f"{words} = {value}".replace("**", "^").replace("*", " "))
    return f"{words} = {value}"


def why_unjudged(point: Claim, quantity: str) -> str:
    """What a line of theory is called that no value is held against: what is judged instead, if anything is."""
    stated = [q.relation for q in point.stated() if q.name == quantity]
    if instead := next((INSTEAD[relation] for relation in stated if relation in INSTEAD), ""):
        return instead
    return "theory, where the claim is silent" if set(stated) - {"reported"} else "theory, only shown"
