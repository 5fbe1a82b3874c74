"""Names of columns and classes as they are told: words of a file go to terminals and pages, and must do no harm."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 60  # characters of a name


def printable(name: object) -> str:
    """A name without control signs, which could command a terminal or turn a line around, and not too long.

    >>> printable("price \\x1b[31m(EUR)"), len(printable("a" * 1000))
    ('price ?[31m(EUR)', 60)
    """
    text = "".join(sign if sign.isprintable() else "?" for sign in str(name)[: 2 * LONGEST])
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def different(names: Iterable[object]) -> list[str]:
    """Names as words, a repeated one with its number.

    >>> different(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    found: dict[str, None] = {}
    for name in map(printable, names):
        number, own = 1, name
        while own in found:
            number += 1
            own = f"{name} ({number})"
        found[own] = None
    return list(found)
