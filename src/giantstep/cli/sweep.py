"""`giantstep sweep`: a claim over axes of your own, kept in a store and resumed where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from giantstep.claims import claim_class
from giantstep.cli.exits import DONE, FAILED
from giantstep.cli.flags import any_claim, claim_command, executor_named, no_claim_sentence, options_command
from giantstep.cli.options import PICTURE, SHOWN, STUDY, WHERE, Options, RetryFailed, SaveConfig
from giantstep.cli.outcomes import print_study
from giantstep.cli.output import print_json, save_figures
from giantstep.cli.performing import check_figure, tell_cost, tell_damage, tell_interruption
from giantstep.cli.progress import patience, progress
from giantstep.errors import InputError
from giantstep.studies import Study, default_path, read_spec, study_of, write_spec

RUN: Options = {**WHERE, "retry_failed": (RetryFailed, True), **SHOWN, **PICTURE}
SWEEP: Options = {**STUDY, "save_config": (SaveConfig, None), **RUN}


def sweep(claim: Annotated[str, Parameter(help="name of a claim, or a TOML file that describes a study")], /) -> int:
    """Run a claim over axes of your own; stopped at any time, it goes on where it was.

    Every parameter of the claim takes a value, a list 1,2,4, a range 0:8:17 (start:stop:count) or log:0.01:100:5.
    Records are kept in a store; 'giantstep studies', 'results', 'figure' and 'forget' work with them.

    Name a claim to see its own parameters: giantstep sweep CLAIM --help
    """
    raise InputError(no_claim_sentence("sweep", claim))


def sweep_command(first: str) -> Callable[..., int]:
    """The command for the claim or the file that stands on the line; with its own flags alone if there is none."""
    if not first:
        return any_claim(sweep, SWEEP)
    if first.endswith(".toml"):
        return _file_command(Path(first))
    cls = claim_class(first)

    def action(parameters: dict[str, Any], preset: str, seeds: int | None, seed: int, **flags: Any) -> int:
        return _sweep(cls.address(), parameters, preset=preset, seeds=seeds, seed=seed, **flags)

    return claim_command(cls, sweep, SWEEP, action, axes=True)


def _file_command(path: Path) -> Callable[..., int]:
    spec = read_spec(path)
    parameters = spec.pop("parameters", {})

    def action(name: str, store: Path | None, **flags: Any) -> int:
        own = {k: spec[k] for k in ("preset", "seeds", "seed") if k in spec}
        called = name or spec.get("name", "") or path.stem
        return _sweep(spec["claim"], parameters, name=called, store=store, save_config=None, **own, **flags)

    return options_command(
        "file", "Run the study that a file describes.", {"name": STUDY["name"], "store": STUDY["store"], **RUN}, action
    )


def _sweep(
    claim: str,
    parameters: dict[str, Any],
    *,
    name: str,
    store: Path | None,
    save_config: Path | None,
    preset: str = "",
    seeds: int | None = None,
    seed: int = 0,
    dry_run: bool,
    **flags: Any,
) -> int:
    place = store or default_path()
    with patience("the points", not flags["quiet"]):
        study = study_of(claim, parameters, preset=preset, seeds=seeds, seed=seed, name=name, store=place)
        if not study.name:
            named = study.own_name()
            study = study_of(claim, parameters, preset=preset, seeds=seeds, seed=seed, name=named, store=place)
    if save_config is not None:
        write_spec(study, save_config)
        print(f"study file: {save_config} (run it with 'giantstep sweep {save_config}')")
        return DONE
    if dry_run:
        check_figure(study, flags["figure"], flags)
        return tell_cost([study], **{name: flags[name] for name in ("workers", "json", "quiet")})
    return _perform(study, **flags)


def _perform(
    study: Study,
    *,
    retry_failed: bool,
    quiet: bool,
    figure: Path | None,
    json: bool,
    **more: Any,
) -> int:
    """Run a stored study here or on a cluster, and tell what came out."""
    drawn = {name: more.pop(name) for name in PICTURE}
    where = more
    check_figure(study, figure, drawn)
    with executor_named(**where) as executor, progress(study.name, not quiet) as bar:
        results = study.run(workers=where["workers"], watcher=bar, executor=executor, retry_failed=retry_failed)
    tell_damage(results)
    if json:
        print_json({"study": study.name, "store": str(study.store), **results.study_dict()})
    else:
        print_study(study, results)
    if figure is not None and any(cell.measurements for cell in results.cells):
        with patience("the picture", not quiet):
            save_figures(results.figures(**drawn), figure, json)
    if results.interrupted:
        return tell_interruption(study, results)
    return FAILED if results.failures else DONE
