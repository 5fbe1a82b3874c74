"""`giantstep converge`: how the gap between theory and simulation shrinks with size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from giantstep.claims import Claim, claim_class
from giantstep.cli.exits import DONE, FAILED
from giantstep.cli.flags import any_claim, claim_command, executor_named, no_claim_sentence
from giantstep.cli.options import LOOK, PICTURE, SHOWN, STUDY, WHERE, ClaimName, Options
from giantstep.cli.output import console, print_json, save_figures
from giantstep.cli.performing import tell_cost, tell_damage, tell_interruption
from giantstep.cli.progress import patience, progress
from giantstep.errors import InputError
from giantstep.studies import Study, default_path, point_of, span, study_of
from giantstep.studies.scaling import SizeScaling, scaling_picture, scalings

DEFAULT_SIZES = (0.25, 0.5, 1, 2)  # times the claim's own d
OPTIONS: Options = {**STUDY, **WHERE, **SHOWN, **{name: PICTURE[name] for name in LOOK}}


def converge(claim: ClaimName, /) -> int:
    """Measure how the gap between theory and simulation shrinks with size.

    The gap of every number whose theory is a limit is fitted by a power of the size, with an error of the exponent.
    Give several sizes: giantstep converge bes22/weight-spike --d 128,256,512,1024 --figure gap.svg

    Without any, a quarter of the claim's own d, half of it, d and twice d are taken, and told before they run.
    """
    raise InputError(no_claim_sentence("converge", claim))


def converge_command(name: str) -> Callable[..., int]:
    """The command for the claim that stands on the line; with its own flags alone if there is none."""
    if not name:
        return any_claim(converge, OPTIONS)
    cls = claim_class(name)

    def action(parameters: dict[str, Any], **flags: Any) -> int:
        return _converge(cls, parameters, **flags)

    return claim_command(cls, converge, OPTIONS, action, axes=True)


def _converge(
    cls: type[Claim],
    parameters: dict[str, Any],
    *,
    preset: str,
    seeds: int | None,
    seed: int,
    name: str,
    store: Path | None,
    quiet: bool,
    figure: Path | None,
    json: bool,
    dry_run: bool,
    **more: Any,
) -> int:
    look = {name: more.pop(name) for name in LOOK}
    where = more
    if figure is not None:
        from giantstep.figures import Look, check_destination

        check_destination(figure)
        Look.of(**look)
    words = _with_sizes(cls, parameters, preset)
    called = name or "converge-" + cls.info.name.replace("/", "-")
    place = store or default_path()
    with patience("the points", not quiet):
        try:
            study = study_of(cls.address(), words, preset=preset, seeds=seeds, seed=seed, name=called, store=place)
        except InputError as refused:
            if words is parameters:
                raise
            point_of(cls, parameters, preset)  # what is refused at its own d too is told as it is
            sizes = ", ".join(map(str, words["d"]))
            raise InputError(f"{refused} (d = {sizes} were chosen; --d gives others, such as --d 128,256)") from None
    axes = list(study.spec["axes"])
    if len(axes) != 1 or not isinstance(getattr(study.base, axes[0]), int | float):
        raise InputError("give several values to exactly one numeric parameter, such as --d 128,256,512")
    if len({getattr(point, axes[0]) for point, _ in study.points}) < 2:
        raise InputError(f"give two or more different values of {axes[0]}: a gap shrinks from one to the other")
    if not any(quantity.relation == "equal" for quantity in study.base.stated()):
        raise InputError(f"{cls.info.name} predicts no number to be met in the limit: nothing can converge")
    if study.spec["seeds"] < 2:
        raise InputError("seeds = 1 is not allowed; the error of a gap needs two or more")
    if words is not parameters:
        _tell_sizes(study, where["workers"])
    if dry_run:
        return tell_cost([study], workers=where["workers"], json=json, quiet=quiet)
    with executor_named(**where) as executor, progress(called, not quiet) as bar:
        results = study.run(workers=where["workers"], watcher=bar, executor=executor)
    tell_damage(results)
    if results.interrupted:
        return tell_interruption(study, results)
    found = scalings(results, axes[0])
    if json:
        print_json({"study": called, "claim": cls.info.name, "size": axes[0], "quantities": [_told(s) for s in found]})
    else:
        for one in found:
            console().print(one.sentence)
    if figure is not None:
        from giantstep.figures import Look, draw

        save_figures([draw(scaling_picture(results, found), Look.of(**look))], figure, json)
    if results.failures:
        print(
            f"giantstep: {len(results.failures)} of {study.record_count} records failed: {results.failures[0]}",
            file=sys.stderr,
        )
    return FAILED if results.failures else DONE


def _with_sizes(cls: type[Claim], parameters: dict[str, Any], preset: str) -> dict[str, Any]:
    """The parameters as given; sizes around the claim's own d if none has several values."""
    if any("," in str(v) or ":" in str(v) for v in parameters.values()):
        return parameters
    if "d" not in cls.model_fields:
        raise InputError(f"{cls.info.name} has no dimension d; give several values to one of its parameters")
    own = point_of(cls, {name: d for name, d in parameters.items() if name == "d"}, preset).parameters()["d"]
    return parameters | {"d": [max(1, round(own * factor)) for factor in DEFAULT_SIZES]}


def _tell_sizes(study: Study, workers: int | None) -> None:
    """Which sizes were chosen, before they cost time."""
    sizes = ", ".join(str(point.parameters()["d"]) for point, _ in study.points)
    seeds, about = study.spec["seeds"], span(study.estimate(workers).seconds)
    print(f"giantstep: d = {sizes} with {seeds} seeds each, about {about}; --d gives others", file=sys.stderr)


def _told(one: SizeScaling) -> dict[str, Any]:
    rows = {"sizes": one.sizes.tolist(), "gaps": one.gaps.tolist(), "stderr": one.errors.tolist()}
    return {"quantity": one.quantity, **rows, "exponent": one.exponent, "exponent_stderr": one.exponent_error}
