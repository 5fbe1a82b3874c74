"""How training is simulated: the names of the engines, each of which docs/engines.md explains."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Engine: TypeAlias = Literal["full", "reduced", "dense", "revealed", "population", "particles"]
Engines: TypeAlias = Engine | tuple[Engine, ...]
"""One, or several where it depends on the point or the quantity."""


def check_engine(name: str, engine: Engines) -> None:
    """Refuse a claim that names no engine, or one that there is not."""
    if not engine or not set(_listed(engine)) <= set(get_args(Engine)):
        raise TypeError(f"the claim {name} must name its engine, one or more of {', '.join(get_args(Engine))}")


def engine_names(engine: Engines) -> str:
    """
    >>> engine_names("full"), engine_names(("population", "revealed"))
    ('full', 'population and revealed')
    """
    return " and ".join(_listed(engine))


def engine_words(engine: Engines) -> str:
    """
    >>> engine_words("full"), engine_words(("population", "revealed"))
    ('full engine', 'population and revealed engines')
    """
    return f"{engine_names(engine)} engine{'s' if len(_listed(engine)) > 1 else ''}"


def _listed(engine: Engines) -> tuple[Engine, ...]:
    return (engine,) if isinstance(engine, str) else engine
