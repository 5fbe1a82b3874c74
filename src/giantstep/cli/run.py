"""`giantstep run` and `giantstep predict`: one claim at one point.

The flags of both commands are the parameters of the claim that is named on the line, so they are built when
the name is known; `giantstep run bes22/weight-spike --help` lists them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from giantstep import studies
from giantstep.claims import Claim, claim_class
from giantstep.cli.exits import DONE, FAILED
from giantstep.cli.flags import any_claim, claim_command, no_claim_sentence
from giantstep.cli.options import (
    LOOK,
    PICTURE,
    SHOWN,
    Animate,
    AsPrinted,
    ClaimName,
    Json,
    Options,
    Preset,
    Seed,
    Seeds,
    Workers,
)
from giantstep.cli.output import (
    console,
    heading,
    parameters_line,
    patience,
    print_as_printed,
    print_json,
    print_results,
    progress,
    save_figures,
    table,
)
from giantstep.cli.performing import check_figure, tell_cost, tell_interruption
from giantstep.errors import InputError
from giantstep.verdicts.stating import number_text

if TYPE_CHECKING:
    from collections.abc import Callable

RUN_OPTIONS: Options = {
    "preset": (Preset, ""),
    "seeds": (Seeds, None),
    "seed": (Seed, 0),
    "workers": (Workers, None),
    "as_printed": (AsPrinted, False),
    "animate": (Animate, ""),
    **SHOWN,
    **PICTURE,
}
PREDICT_OPTIONS: Options = {"preset": (Preset, ""), "json": (Json, False)}


def run(claim: ClaimName, /) -> int:
    """Simulate a claim at a point and compare it with theory.

    The status is 1 if the claim fails there, else 0: "undecided" needs more seeds, and "outside" refutes nothing.

    Name a claim to see its own parameters: giantstep run CLAIM --help
    """
    raise InputError(no_claim_sentence("run", claim))


def predict(claim: ClaimName, /) -> int:
    """What theory says of a claim at a point, without simulation.

    Name a claim to see its own parameters: giantstep predict CLAIM --help
    """
    raise InputError(no_claim_sentence("predict", claim))


def run_command(name: str) -> Callable[..., int]:
    """`run` with the flags of the claim on the line; with its own flags alone if there is none."""
    return _at_a_point(claim_class(name), run, RUN_OPTIONS, _run) if name else any_claim(run, RUN_OPTIONS)


def predict_command(name: str) -> Callable[..., int]:
    """`predict` with the flags of the claim on the line; with its own flags alone if there is none."""
    return (
        _at_a_point(claim_class(name), predict, PREDICT_OPTIONS, _predict)
        if name
        else any_claim(predict, PREDICT_OPTIONS)
    )


def _at_a_point(
    cls: type[Claim], general: Callable[..., int], options: Options, action: Callable[..., int]
) -> Callable[..., int]:
    def with_point(parameters: dict[str, Any], preset: str, **flags: Any) -> int:
        return action(studies.point_of(cls, parameters, preset), **flags)

    return claim_command(cls, general, options, with_point)


def _predict(point: Claim, json: bool) -> int:
    with patience(f"the theory of {point.name}"):
        prediction = studies.predicted(point)
    if json:
        print_json(studies.prediction_dict(point, prediction))
        return DONE
    out = console()
    out.print(heading(point.name, parameters_line(point.parameters())))
    rows = table("quantity", "predicted", "what it is")
    helps = {q.name: q.help for q in reversed(point.stated())}
    for name, value in prediction.values.items():
        rows.add_row(name, number_text(value), helps.get(name, ""))
    out.print(rows)
    out.print(f"regime: {prediction.regime}")
    for note in prediction.notes:
        out.print(f"note: {note}")
    return DONE


def _film_axes(point: Claim, animate: str, figure: Path | None) -> dict[str, Any]:
    """The grid of a film, which is refused before anything is simulated if it cannot be written."""
    from giantstep.figures import check_film
    from giantstep.studies.pictures import moving_values

    if figure is None:
        raise InputError(f"--animate {animate} needs --figure with the name of a film: .gif, .mp4 or .webm")
    check_film(figure)
    return {animate: moving_values(point, animate)}


def _run(
    point: Claim,
    seeds: int | None,
    seed: int,
    workers: int | None,
    as_printed: bool,
    animate: str,
    quiet: bool,
    figure: Path | None,
    json: bool,
    dry_run: bool,
    **drawn: Any,
) -> int:
    if as_printed and not point.printed:
        raise InputError(f"nothing that the source of {point.name} prints had to be corrected by a formula of its own")
    axes = _film_axes(point, animate, figure) if animate else {}
    study = studies.Study(point, seeds=seeds, seed=seed, **axes)
    check_figure(study, None if animate else figure, drawn)
    if dry_run:
        return tell_cost(study, workers=workers, json=json)
    with progress(point.name, not quiet) as bar:
        results = study.run(workers=workers, watcher=bar)
    print_json(results.to_dict()) if json else print_results(results)
    if as_printed and not json:
        print_as_printed(results)
    if figure is not None and results.base_cell.measurements:
        film = [results.film(animate, **{k: drawn[k] for k in LOOK})] if animate else None
        save_figures(film or results.figures(**drawn), figure, json)
    if results.interrupted:
        return tell_interruption(study, results, "'giantstep sweep' takes the same flags, keeps each one and goes on")
    return FAILED if results.verdict.status == "fails" or not results.base_cell.measurements else DONE
