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

from giantstep.claims import claim_class, claim_names, parameter_meant
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
        claim = f"; did you mean 'giantstep run {line[0]}'?" if line[0] in claim_names() else ""
        return f"there is no command '{line[0]}'" + (claim or _meant(line[0], COMMANDS))
    if isinstance(error, UnknownOptionError):
        given = error.token.keyword or error.token.value
        known = [name for argument in error.argument_collection for name in argument.names]
        return f"there is no flag {given}" + (_parameter_meant(given, line) or _meant(given, known))
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
    given = f"{error.token.keyword or ''} {error.token.value} is not allowed".lstrip()
    if get_origin(error.target_type) is Literal:
        choices = ", ".join(str(choice) for choice in get_args(error.target_type) if choice)
        return f"{given}; it must be one of {choices}"
    wanted = {int: "a whole number", float: "a number"}.get(error.target_type)  # type: ignore[arg-type]
    return f"{given}; it must be {wanted}" if wanted else given


def _parameter_meant(given: str, line: Sequence[str]) -> str:
    """A parameter of the claim on the line that was meant by another name: --eta is --step."""
    if line[0] not in CLAIM_COMMANDS or len(line) < 2 or line[1].endswith(".toml"):
        return ""
    meant = parameter_meant(claim_class(line[1]), given)
    return f"; did you mean --{meant.replace('_', '-')}?" if meant else ""


def _meant(given: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(given, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _help(line: Sequence[str]) -> str:
    """The help that fits: of the claim on the line, of the command, or of all."""
    told = line[: 2 if line and line[0] in CLAIM_COMMANDS else 1] if line and line[0] in COMMANDS else []
    return f"'{' '.join(['giantstep', *told, '--help'])}'"
