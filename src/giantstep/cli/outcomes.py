"""What was found, in a terminal: the quantities of a claim beside theory, the points of a study, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from giantstep.cli.output import console, heading, parameters_line, print_columns, readable, styled, table
from giantstep.verdicts import mean_and_error, shown, told_size
from giantstep.verdicts.stating import Curve, number_text

if TYPE_CHECKING:
    from giantstep.studies import Results, Study

STATUS_STYLE = {"holds": "green", "fails": "bold red", "undecided": "yellow", "outside": "cyan"}
MOST_ROWS = 60  # of a table in the terminal


def print_results(results: Results) -> None:
    """The table of one claim's quantities and its verdict."""
    out = console()
    out.print(heading(results.claim.name, parameters_line(results.base_cell.point.parameters())))
    judged = results.judgements()
    on_draws = any(j.for_draws is not None for j in judged.values())
    columns: dict[str, list[str]] = {
        "quantity": list(judged),
        "predicted": [number_text(j.predicted) for j in judged.values()],
        "for the draws": [number_text(j.for_draws) for j in judged.values()],
        "measured": [number_text(j.measured) for j in judged.values()],
        "std. error": [j.error_text for j in judged.values()],
        "gap": [number_text(j.gap_finite if j.quantity.against == "finite" else j.gap) for j in judged.values()],
        "notices": ["" if j.resolution is None else str(j.resolution) for j in judged.values()],
        "": [j.word for j in judged.values()],
    }
    if not on_draws:
        del columns["for the draws"]
    print_columns(columns, ("gap", "for the draws"), [j.word == "reported" for j in judged.values()])
    if on_draws:
        out.print("predicted: the limit; for the draws: the mean prediction for what was drawn, from which the gap is")
    for note in results.base_cell.prediction.notes:
        out.print(readable(f"note: {note}"))
    print_verdict(results)
    if (sharpness := results.sharpness()).resolutions:
        out.print(f"sharpness: {sharpness}")


def print_as_printed(results: Results, named: bool = False) -> None:
    """What the source prints, beside the corrected statement and the measurement that decides between them."""
    rows = table("quantity", "as printed", "corrected", "measured", "as printed", "corrected", "what is printed")
    for one in results.as_printed():
        told = one.worst
        rows.add_row(
            one.printed.name,
            number_text(told.predicted if told else None),
            number_text(one.own.reference if one.own else None),
            "" if told is None or told.measured is None else shown(told.measured, told.stderr),
            styled((one.verdict.status, STATUS_STYLE[one.verdict.status])),
            styled((one.corrected, STATUS_STYLE[one.corrected])),
            one.printed.says,
        )
    if named:
        rows.title = results.claim.name
    console().print(rows)


def print_sharpness(found: Sequence[Results]) -> None:
    """For each claim how many of its quantities hold, and how wrong theory would have to be to be noticed."""
    rows = table("claim", "quantities", "median", "bluntest", "what has no relative error")
    for results in found:
        sharpness = results.sharpness()
        held, name = len(sharpness.resolutions), sharpness.bluntest()
        rows.add_row(
            results.claim.name,
            f"{held}" if held == sharpness.judged else f"{held} of {sharpness.judged}",
            sharpness.median_told,
            "" if name is None else f"{name} {told_size(sharpness.resolutions[name])}",
            sharpness.others,
        )
    console().print(rows)


def print_verdict(results: Results) -> None:
    verdict = results.verdict
    console().print(styled((verdict.status, STATUS_STYLE[verdict.status]), f": {verdict.sentence}"))


def print_study(study: Study, results: Results) -> None:
    """Means over seeds beside the predictions at every point of a study; then what failed, and the verdict."""
    out = console()
    varied = [name for name, values in study.spec.get("axes", {}).items() if not isinstance(values, list) or values[1:]]
    fixed = {k: v for k, v in study.base.parameters().items() if k not in varied}
    out.print(heading(study.name, results.claim.name, parameters_line(fixed)))
    names = tuple(dict.fromkeys(q.name for q in study.base.stated() if q.relation != "reported"))
    on_draws = any(name in m.finite for cell in results.cells for m in cell.measurements[:1] for name in names)
    rows = table(*varied, "quantity", "measured", "predicted", *(["for the draws"] if on_draws else []), "seeds")
    most = max(1, MOST_ROWS // max(1, len(names)))
    for cell in results.cells[:most]:
        values = cell.point.parameters()
        place = [f"{values[v]:g}" if isinstance(values[v], float) else str(values[v]) for v in varied]
        for name in names:
            seeds = cell.values_of(name)
            mean, error = mean_and_error(seeds) if seeds else (None, None)
            measured = number_text(mean) if mean is None or isinstance(mean, Curve) else shown(mean, error)
            predicted = [number_text(cell.prediction.values.get(name))]
            predicted += [number_text(cell.mean_for_draws(name))] if on_draws else []
            rows.add_row(*place, name, measured, *predicted, str(len(seeds)))
            place = [""] * len(varied)
    out.print(rows)
    if len(results.cells) > most:
        out.print(f"{len(results.cells) - most} more points; all: giantstep results {study.name} --format csv")
    there = sum(len(cell.measurements) for cell in results.cells)
    if there + len(results.failures) < study.record_count and not results.interrupted:
        out.print(f"{there} of {study.record_count} records are there; the sweep's command goes on where it was")
    for failure in results.failures[:3]:
        out.print(f"failed: {failure}")
    if results.failures:
        failed = f"{len(results.failures)} of {study.record_count} records failed"
        out.print(f"{failed}; the study's command tries them again")
    print_verdict(results)
