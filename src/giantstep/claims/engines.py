"""How training is simulated: the names of the engines, each of which docs/engines.md explains."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Engine: TypeAlias = Literal["full", "reduced", "dense", "revealed", "population", "particles"]
Engines: TypeAlias = Engine | tuple[Engine, ...]
"""One, or several where it depends on the point or the quantity; empty where none of them is used."""


def check_engine(name: str, engine: Engines) -> None:
    """Refuse a claim that names an engine that there is not."""
    if not set(_listed(engine)) <= set(get_args(Engine)):
        raise TypeError(f"the claim {name} names an unknown engine; there are: {', '.join(get_args(Engine))}")


def engine_names(engine: Engines) -> str:
    """The names of `engine`, one or several, in a sentence.

    >>> engine_names("full"), engine_names(("population", "revealed")), engine_names(())
    ('full', 'population and revealed', '')
    """
    return " and ".join(_listed(engine))


def engine_words(engine: Engines) -> str:
    """`engine`, one or several, as words; none where a claim uses none of them.

    >>> engine_words("full"), engine_words(("population", "revealed")), engine_words(())
    ('full engine', 'population and revealed engines', '')
    """
    number = len(_listed(engine))
    return f"{engine_names(engine)} engine{'s' if number > 1 else ''}" if number else ""


def _listed(engine: Engines) -> tuple[Engine, ...]:
    return (engine,) if isinstance(engine, str) else engine
