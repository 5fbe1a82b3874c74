"""`giantstep run`: one claim at one point, theory beside simulation.

Its flags are the parameters of the claim that is named on the line, so they are built when the name is known;
`giantstep run bes22/weight-spike --help` lists them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from giantstep import studies
from giantstep.claims import Claim
from giantstep.cli.exits import DONE, FAILED
from giantstep.cli.flags import any_claim, no_claim_sentence, point_command
from giantstep.cli.options import (
    PICTURE,
    SHOWN,
    Animate,
    AsPrinted,
    ClaimName,
    Options,
    Preset,
    Seed,
    Seeds,
    Workers,
)
from giantstep.cli.outcomes import print_as_printed, print_results
from giantstep.cli.output import print_json, save_figures
from giantstep.cli.performing import check_figure, tell_cost, tell_interruption
from giantstep.cli.progress import patience, progress
from giantstep.errors import InputError

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


def run(claim: ClaimName, /) -> int:
    """Simulate a claim at a point and compare it with theory.

    The status is 1 if the claim fails there, else 0: "undecided" needs more seeds, and "outside" refutes nothing.

    Name a claim to see its own parameters: giantstep run CLAIM --help
    """
    raise InputError(no_claim_sentence("run", claim))


def run_command(name: str) -> Callable[..., int]:
    """`run` with the flags of the claim on the line; with its own flags alone if there is none."""
    return point_command(name, run, RUN_OPTIONS, _run) if name else any_claim(run, RUN_OPTIONS)


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
        return tell_cost([study], workers=workers, json=json, quiet=quiet)
    with progress(point.name, not quiet) as bar:
        results = study.run(workers=workers, watcher=bar)
    print_json(results.to_dict()) if json else print_results(results)
    if as_printed and not json:
        print_as_printed(results)
    if figure is not None and results.base_cell.measurements:
        with patience("the picture", not quiet):
            film = [results.film(animate, **drawn)] if animate else None
            save_figures(film or results.figures(**drawn), figure, json)
    if results.interrupted:
        return tell_interruption(study, results, "'giantstep sweep' takes the same flags, keeps each one and goes on")
    return FAILED if results.verdict.status == "fails" or not results.base_cell.measurements else DONE
