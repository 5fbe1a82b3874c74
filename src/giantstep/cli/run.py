"""`giantstep run` and `giantstep predict`: one claim at one point.

The flags of both commands are the parameters of the claim that is named on the line, so they are built when
the name is known; `giantstep run bes22/weight-spike --help` lists them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from giantstep.claims import Claim, claim_class, claim_names
from giantstep.claims.base import extra
from giantstep.claims.describe import number
from giantstep.cli.output import console, parameters_line, print_json, print_results, progress, table
from giantstep.errors import InputError
from giantstep.studies.results import provenance, value_dict

Seeds = Annotated[int | None, Parameter(help="how many seeds (default: the claim's own number)")]
Seed = Annotated[int, Parameter(help="the first seed; the others follow it")]
Json = Annotated[bool, Parameter(help="print one JSON document instead of a table", negative="")]
Workers = Annotated[int | None, Parameter(help="how many processes (default: all cores); results do not depend on it")]
Preset = Annotated[str, Parameter(help="start from the parameters of a slide or figure of the paper")]
Figure = Annotated[Path | None, Parameter(help="write the picture to this .svg, .pdf or .png file")]
DryRun = Annotated[bool, Parameter(help="print the time and memory it would need, and run nothing", negative="")]


def run(claim: Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")], /) -> int:
    """Simulate a claim at a point and compare it with theory.

    Name a claim to see its own parameters: giantstep run CLAIM --help
    """
    raise InputError(_name_one("run", claim))


def predict(claim: Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")], /) -> int:
    """What theory says of a claim at a point, without simulation.

    Name a claim to see its own parameters: giantstep predict CLAIM --help
    """
    raise InputError(_name_one("predict", claim))


def _name_one(verb: str, given: str) -> str:
    got = f", not '{given}'" if given else ""
    return f"name a claim after '{verb}'{got}: {', '.join(claim_names())}"


def command_for(verb: str, tokens: Sequence[str]) -> Callable[..., Any]:
    """The command `run` or `predict` with the flags of the claim on the line."""
    general = {"run": run, "predict": predict}[verb]
    if tokens and tokens[0] in ("--help", "-h"):
        return general
    if not tokens or tokens[0].startswith("-"):
        raise InputError(_name_one(verb, "".join(tokens[:1])))
    cls = claim_class(tokens[0])
    options = {"run": _RUN_OPTIONS, "predict": _PREDICT_OPTIONS}[verb]
    action: Callable[..., int] = _run if verb == "run" else _predict

    def command(claim: str, /, **given: Any) -> int:  # noqa: ARG001  (the name chose this command)
        flags = {name: given.get(name, default) for name, (_, default) in options.items()}
        values = {k: read_text(cls, k, v) for k, v in given.items() if k in cls.model_fields and v is not None}
        preset = flags.pop("preset")
        point = cls.preset(preset, **values) if preset else cls(**values)
        return action(point, **flags)

    command.__signature__ = _signature(cls, options)  # type: ignore[attr-defined]
    first = inspect.cleandoc(general.__doc__ or "").splitlines()[0]
    command.__doc__ = f"{first}\n\n{inspect.cleandoc(cls.__doc__ or '')}"
    command.__annotations__ = {p.name: p.annotation for p in command.__signature__.parameters.values()}  # type: ignore[attr-defined]
    return command


def _signature(cls: type[Claim], options: dict[str, tuple[Any, Any]]) -> inspect.Signature:
    kinds = inspect.Parameter
    own = Group(f"Parameters of {cls.info.name}", sort_key=0)
    shown: list[inspect.Parameter] = [
        kinds(
            "claim",
            kinds.POSITIONAL_ONLY,
            annotation=Annotated[str, Parameter(help="name of the claim")],
        )
    ]
    defaults = cls().parameters()
    for name, field in cls.model_fields.items():
        symbol = extra(field)["symbol"]
        words = f"{field.description}{f' [{_plain(symbol)}]' if symbol else ''} (default: {defaults[name]})"
        kind = "WHOLE" if field.annotation is int else "NUMBER" if field.annotation is float else "TEXT"
        told = Parameter(help=words, group=own, show_default=False, allow_leading_hyphen=True, metavar=kind)
        note = Annotated[str | None, told]
        shown.append(kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=note))
    for name, (annotation, default) in options.items():
        shown.append(kinds(name, kinds.KEYWORD_ONLY, default=default, annotation=annotation))
    return inspect.Signature(shown)


def _plain(symbol: str) -> str:
    """A LaTeX symbol as it can be read in a terminal."""
    return symbol.replace("\\", "").replace("{", "").replace("}", "")


def read_text(cls: type[Claim], name: str, text: str) -> Any:
    """A parameter as typed: whole numbers may be written 1e5."""
    if cls.model_fields[name].annotation is int:
        try:
            value = float(text)
            return int(value) if value == int(value) else text
        except (ValueError, OverflowError):
            return text
    return text


_RUN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "preset": (Preset, ""),
    "seeds": (Seeds, None),
    "seed": (Seed, 0),
    "workers": (Workers, None),
    "figure": (Figure, None),
    "json": (Json, False),
    "dry_run": (DryRun, False),
}
_PREDICT_OPTIONS: dict[str, tuple[Any, Any]] = {"preset": (Preset, ""), "json": (Json, False)}


def _predict(point: Claim, json: bool) -> int:
    prediction = point.predict()
    if json:
        nothing = {"measured": None, "stderr": None, "gap": None, "holds": None}
        relations = {q.name: q.relation for q in point.quantities}
        quantities = {
            name: {"predicted": value_dict(value), "relation": relations.get(name, "reported"), **nothing}
            | ({"x": [float(v) for v in value.x], "x_name": value.x_name} if not isinstance(value, float | int) else {})
            for name, value in prediction.values.items()
        }
        print_json(
            {
                "claim": point.name,
                "parameters": point.parameters(),
                "quantities": quantities,
                "regime": prediction.regime,
                "notes": list(prediction.notes),
                "provenance": provenance(point, 0, 0.0, 0),
            }
        )
        return 0
    out = console()
    out.print(f"[bold]{point.name}[/bold]  {parameters_line(point.parameters())}")
    rows = table("quantity", "predicted", "what it is")
    helps = {q.name: q.help for q in point.quantities}
    for name, value in prediction.values.items():
        rows.add_row(name, number(value), helps.get(name, ""))
    out.print(rows)
    out.print(f"regime: {prediction.regime}")
    for note in prediction.notes:
        out.print(f"note: {note}")
    return 0


def _run(
    point: Claim,
    seeds: int | None,
    seed: int,
    workers: int | None,
    figure: Path | None,
    json: bool,
    dry_run: bool,
) -> int:
    from giantstep.cli.main import INTERRUPTED
    from giantstep.studies import Study
    from giantstep.studies.estimate import refuse_what_cannot_fit

    study = Study(point, seeds=seeds, seed=seed)
    if dry_run:
        needed = study.estimate(workers)
        if json:
            print_json({"claim": point.name, "parameters": point.parameters(), "estimate": vars(needed)})
        else:
            print(needed)
        refuse_what_cannot_fit(study.tasks(), needed.workers)
        return 0
    if figure is not None:
        from giantstep.figures import check_destination

        check_destination(figure)
    with progress(point.name) as bar:
        results = study.run(workers=workers, watcher=bar)
    print_json(results.to_dict()) if json else print_results(results)
    if figure is not None and results.base_cell.measurements:
        results.figure().save(figure)
        if not json:
            print(f"picture: {figure}")
    if results.interrupted:
        return INTERRUPTED
    return 0 if results.base_cell.measurements else 1
