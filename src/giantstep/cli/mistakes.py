"""Mistakes in a command line, each said in one sentence and with the command that tells more."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Literal, get_args, get_origin

from cyclopts import CycloptsError
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from giantstep.cli.commands import CLAIM_COMMANDS, COMMANDS
from giantstep.errors import InputError


def sentence(error: CycloptsError, line: Sequence[str]) -> str:
    """What is wrong with a line, and where to look."""
    if isinstance(error, CoercionError):
        return _not_a_value(error)
    wrong = _wrong(error, line)
    return f"{wrong}{'' if wrong.endswith('?') else ';'} {_help(line)} tells more"


def _wrong(error: CycloptsError, line: Sequence[str]) -> str:
    if isinstance(error, UnusedCliTokensError):
        return f"'{' '.join(error.unused_tokens or ())}' is too much here"
    if isinstance(error, UnknownCommandError):
        return f"there is no command '{line[0]}'" + _meant(line[0], COMMANDS)
    if isinstance(error, UnknownOptionError):
        given = error.token.keyword or error.token.value
        return f"there is no flag {given}" + _meant(given, (n for a in error.argument_collection for n in a.names))
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        if error.keyword:
            return f"{error.keyword} needs a value"
        return f"{error.argument.name} is missing after '{line[0]}'"
    return " ".join(str(error).split()).rstrip(".")


def _not_a_value(error: CoercionError) -> str:
    if isinstance(error.__cause__, InputError):
        return str(error.__cause__)
    if error.token is None:
        return " ".join(str(error).split()).rstrip(".")
    if error.target_type is bool:
        return f"{error.token.keyword} takes no value"
    given = f"{error.token.keyword} {error.token.value} is not allowed"
    if get_origin(error.target_type) is Literal:
        return f"{given}; it must be one of {', '.join(map(str, get_args(error.target_type)))}"
    return given


def _meant(given: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(given, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _help(line: Sequence[str]) -> str:
    """The help that fits: of the claim on the line, of the command, or of all."""
    told = line[: 2 if line and line[0] in CLAIM_COMMANDS else 1] if line and line[0] in COMMANDS else []
    return f"'{' '.join(['giantstep', *told, '--help'])}'"
