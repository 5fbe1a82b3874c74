"""Flags made from a claim's own fields, for every command that takes a claim and a point."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from giantstep import studies
from giantstep.claims import Claim, claim_class, default_of, extra, story
from giantstep.cli.options import Options
from giantstep.cli.output import picture_place, readable
from giantstep.cli.progress import patience
from giantstep.errors import InputError

if TYPE_CHECKING:
    from giantstep.studies import Executor


_TYPED = {r"\,": "", r"\ ": " ", r"\langle": "<", r"\rangle": ">", r"\cdot ": "."}


def no_claim_sentence(verb: str, given: str) -> str:
    """The sentence for a line that names no claim."""
    got = f", not '{given}'" if given else ""
    return f"name a claim after '{verb}'{got}, such as bes22/weight-spike; 'giantstep claims' lists all"


def claim_command(
    cls: type[Claim], general: Callable[..., Any], options: Options, action: Callable[..., int], *, axes: bool = False
) -> Callable[..., int]:
    """A command with the claim's parameters as flags: it calls `action(parameters, **options)`.

    `general` is the same command before a claim is named; `axes` says that a flag takes several values.
    """

    offered = {name: option for name, option in options.items() if name not in cls.model_fields}

    def command(claim: str, /, **given: Any) -> int:  # noqa: ARG001  (the name chose this command)
        asked = {name: given[name] for name in offered if name in given}
        flags = {name: asked.get(name, default) for name, (_, default) in options.items()}
        parameters = {k: v for k, v in given.items() if k in cls.model_fields and v is not None}
        return action(parameters, **_with_place(flags, cls.info.name))

    signature = _signature(cls, offered, axes)
    command.__signature__ = signature  # type: ignore[attr-defined]
    first = inspect.cleandoc(general.__doc__ or "").splitlines()[0]
    command.__doc__ = f"{first}\n\n{story(cls)}"
    command.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    return command


def point_command(
    name: str, general: Callable[..., Any], options: Options, action: Callable[..., int]
) -> Callable[..., int]:
    """A command at one point of the claim `name`, made from its flags: it calls `action(point, **options)`."""
    cls = claim_class(name)

    def with_point(parameters: dict[str, Any], preset: str, **flags: Any) -> int:
        with patience(f"the point of {name}", not flags.get("quiet")):
            point = studies.point_of(cls, parameters, preset)
        return action(point, **flags)

    return claim_command(cls, general, options, with_point)


def any_claim(general: Callable[..., Any], options: Options) -> Callable[..., int]:
    """The command before a claim is named, for its help: its own flags, without the parameters of any claim."""

    def command(claim: str, /, **_: Any) -> int:
        raise InputError(no_claim_sentence(general.__name__, claim))

    (claim,) = inspect.signature(general, eval_str=True).parameters.values()
    shown = [claim, *_flags(options)]
    command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    command.__doc__ = general.__doc__
    command.__annotations__ = {p.name: p.annotation for p in shown}
    return command


def options_command(first: str, words: str, options: Options, action: Callable[..., int]) -> Callable[..., int]:
    """A command without a claim's parameters: it calls `action(**options)`."""

    def command(named: str, /, **given: Any) -> int:
        flags = {name: given.get(name, default) for name, (_, default) in options.items()}
        return action(**_with_place(flags, Path(named).stem))

    kinds = inspect.Parameter
    shown = [kinds(first, kinds.POSITIONAL_ONLY, annotation=str), *_flags(options)]
    signature = inspect.Signature(shown)
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__doc__ = words
    command.__annotations__ = {p.name: p.annotation for p in shown}
    return command


def _with_place(flags: dict[str, Any], name: str) -> dict[str, Any]:
    """The flags with the file of the picture instead of its format."""
    form = flags.pop("format", "")
    return {**flags, "figure": picture_place(flags["figure"], form, name)} if form else flags


def _flags(options: Options) -> list[inspect.Parameter]:
    kinds = inspect.Parameter
    return [kinds(name, kinds.KEYWORD_ONLY, default=d, annotation=a) for name, (a, d) in options.items()]


def _signature(cls: type[Claim], options: Options, axes: bool) -> inspect.Signature:
    kinds = inspect.Parameter
    own = Group(f"Parameters of {cls.info.name}" + (" (values, 1,2,4 or 0:8:17)" if axes else ""), sort_key=0)
    shown: list[inspect.Parameter] = [
        kinds("claim", kinds.POSITIONAL_ONLY, annotation=Annotated[str, Parameter(help="name of the claim")])
    ]
    for name, field in cls.model_fields.items():
        symbol = extra(field)["symbol"]
        meant = readable(f"{field.description}{f' [{_typed(symbol)}]' if symbol else ''}")
        words = f"{meant} (default: {default_of(field)})"
        kind = "WHOLE" if field.annotation is int else "NUMBER" if field.annotation is float else "TEXT"
        told = Parameter(help=words, group=own, show_default=False, allow_leading_hyphen=True, metavar=kind)
        shown.append(kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, told]))
    return inspect.Signature([*shown, *_flags(options)])


def _typed(symbol: str) -> str:
    r"""A LaTeX symbol as people type it: `psi_1 = n/d` of `\psi_1 = n/d`.

    >>> _typed(r"\epsilon,\ N = d^\epsilon"), _typed(r"\sqrt{\Delta}"), _typed(r"\eta s_{\max}^2")
    ('epsilon, N = d^epsilon', 'sqrt(Delta)', 'eta s_max^2')
    """
    for tex, typed in _TYPED.items():
        symbol = symbol.replace(tex, typed)
    symbol = re.sub(r"\\tilde\s*\\?(\w+)", r"\1~", symbol)
    symbol = re.sub(r"(\\sqrt|\^)\{([^}]*)\}", r"\1(\2)", symbol)
    return re.sub(r"\\([A-Za-z]+)|[{}]", r"\1", symbol).replace("varepsilon", "{eps}")


@contextmanager
def executor_named(
    workers: int | None, cluster: str, slurm: bool, jobs: int | None, job_option: Sequence[str]
) -> Iterator[Executor | None]:
    """The cluster that flags name, or None for this machine; flags that would be ignored are refused."""
    from giantstep.studies import cluster_executor

    where = "slurm" if slurm else cluster
    if slurm and cluster not in ("", "slurm"):
        raise InputError(f"--slurm and --cluster {cluster} contradict each other; give one of them")
    if where and workers is not None:
        raise InputError("--workers is for this machine; a cluster has its own workers (--jobs for a queueing system)")
    with cluster_executor(where, jobs, job_option) as executor:
        yield executor
