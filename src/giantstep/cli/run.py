"""`giantstep run` and `giantstep predict`: one claim at one point.

The flags of both commands are the parameters of the claim that is named on the line, so they are built when
the name is known; `giantstep run bes22/weight-spike --help` lists them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from giantstep.claims import Claim, TrajectoryView, claim_class
from giantstep.claims.describe import number
from giantstep.cli.flags import DryRun, Figure, Json, Options, Preset, Seed, Seeds, Workers, claim_command, named_claim
from giantstep.cli.output import console, parameters_line, print_json, print_results, progress, table
from giantstep.errors import InputError
from giantstep.studies.results import provenance, value_dict
from giantstep.studies.words import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

RUN_OPTIONS: Options = {
    "preset": (Preset, ""),
    "seeds": (Seeds, None),
    "seed": (Seed, 0),
    "workers": (Workers, None),
    "figure": (Figure, None),
    "json": (Json, False),
    "dry_run": (DryRun, False),
}
PREDICT_OPTIONS: Options = {"preset": (Preset, ""), "json": (Json, False)}


def run(claim: Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")], /) -> int:
    """Simulate a claim at a point and compare it with theory.

    Name a claim to see its own parameters: giantstep run CLAIM --help
    """
    raise InputError(named_claim("run", claim))


def predict(claim: Annotated[str, Parameter(help="name of the claim, as 'giantstep claims' lists it")], /) -> int:
    """What theory says of a claim at a point, without simulation.

    Name a claim to see its own parameters: giantstep predict CLAIM --help
    """
    raise InputError(named_claim("predict", claim))


def run_command(name: str) -> Callable[..., int]:
    """`run` with the flags of the claim on the line."""
    return _at_a_point(claim_class(name), run, RUN_OPTIONS, _run)


def predict_command(name: str) -> Callable[..., int]:
    """`predict` with the flags of the claim on the line."""
    return _at_a_point(claim_class(name), predict, PREDICT_OPTIONS, _predict)


def _at_a_point(
    cls: type[Claim], general: Callable[..., int], options: Options, action: Callable[..., int]
) -> Callable[..., int]:
    def with_point(parameters: dict[str, Any], preset: str, **flags: Any) -> int:
        values = {name: whole_number(cls, name, text) for name, text in parameters.items()}
        return action(cls.preset(preset, **values) if preset else cls(**values), **flags)

    return claim_command(cls, general, options, with_point)


def _predict(point: Claim, json: bool) -> int:
    prediction = point.predict()
    if json:
        nothing = {"measured": None, "stderr": None, "gap": None, "holds": None}
        relations = {q.name: q.relation for q in reversed(point.stated())}  # its first statement counts
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
    helps = {q.name: q.help for q in reversed(point.stated())}
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

        check_destination(figure, moves=any(isinstance(view, TrajectoryView) for view in study.views))
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
