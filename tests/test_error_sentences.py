"""One dialect of errors: sentences without a full stop, for the terminal puts words before and after them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import giantstep

SOURCES = sorted(Path(giantstep.__file__).parent.rglob("*.py"))
RAISERS = {"InputError", "TextError", "TooLargeError", "require"}


def ends(node: ast.expr) -> Iterator[str]:
    """The last words of a message, as far as they are written down."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr) and node.values:
        yield from ends(node.values[-1])
    elif isinstance(node, ast.BinOp):
        yield from ends(node.right)
    elif isinstance(node, ast.IfExp):
        yield from ends(node.body)
        yield from ends(node.orelse)


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """The line and the end of every error message."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISERS:
            yield from ((node.lineno, end) for argument in node.args for end in ends(argument))


def test_the_reader_finds_full_stops() -> None:
    text = 'require(ok, f"{x} is {y}.")\nraise InputError("a" + ("b." if c else "d"))\nraise InputError(f"{x}.{y}")'
    assert [(line, end) for line, end in sentences(text) if end.endswith(".")] == [(1, "."), (2, "b.")]
    assert sum(len(list(sentences(file.read_text(encoding="utf-8")))) for file in SOURCES) > 200


def test_no_error_ends_with_a_full_stop() -> None:
    found = [
        f"{file.name}:{line}: {end}"
        for file in SOURCES
        for line, end in sentences(file.read_text(encoding="utf-8"))
        if end.rstrip().endswith(".")
    ]
    assert found == []
