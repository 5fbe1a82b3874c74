"""Studies of the store: what they show by now, what a new one would be, and its verdict in short."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from giantstep.claims import claim_names
from giantstep.errors import InputError
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import axis_text, own_claim, python_lines, sweep_command, verify_command, verify_lines
from giantstep.lab.jobs.theory import drawn
from giantstep.lab.jobs.verdict_data import verdict_data
from giantstep.lab.refusals import Refusal, without_paths
from giantstep.studies import Results, Store, Study, StudyEntry, study_of, write_frame

MOST_ROWS = 2000


def study(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """What the study `given["name"]` shows by now: its panels, its verdict, its means as a table."""
    entry, kept = _kept(given)
    results = kept.results()
    panels, silence = drawn(results, theory_alone=False)
    axes = dict(kept.spec.get("axes", {}))
    seeds, seed = kept.spec["seeds"], kept.spec["seed"]
    return {
        "study": entry_data(entry),
        "panels": panels,
        "silence": silence,
        "verdict": verdict_data(results),
        "table": _table(results),
        "axes": {name: axis_text(values) for name, values in axes.items()},
        "fixed": {name: value for name, value in kept.base.changed().items() if name not in axes},
        "parameters": kept.base.parameters(),
        "seeds": sorted({count for _, count in kept.points}),
        "seed": seed,
        "command": _command(kept),
        "python": verify_lines(kept) if kept.spec.get("views") else python_lines(kept.base, axes, seeds, seed),
        "failures": [without_paths(failure) for failure in results.failures[:20]],
    }


def _kept(given: Mapping[str, Any]) -> tuple[StudyEntry, Study]:
    place = Path(given["store"])
    if not place.exists():
        raise Refusal(f"there is no study '{given['name']}'; the store is empty", "not found")
    with Store(place) as store:
        try:
            entry = store.study(given["name"])
        except InputError as unknown:
            raise Refusal(without_paths(str(unknown)), "not found") from None
    if entry.spec["claim"] not in claim_names():
        raise Refusal(
            "its claim is a module of your own, which the lab does not load; the terminal shows it",
            "forbidden",
            "",
            f"giantstep results {entry.name}",
        )
    return entry, Study.from_spec(entry.spec, entry.name, place)


def _command(kept: Study) -> str:
    if kept.spec.get("views"):
        return verify_command(kept)
    line = sweep_command(kept.base, kept.spec.get("axes", {}), kept.spec["seeds"], kept.spec["seed"])
    return f"{line} --name {kept.name}"


def _table(results: Results) -> dict[str, Any]:
    """Means over seeds, a row for each point and quantity; parameters that do not vary are left out."""
    means = results.means()
    varied = {name for name, column in means.items() if len(set(map(str, column))) > 1}
    always = {"quantity", "seeds", "measured", "stderr", "predicted"}
    shown = [name for name in means if name in varied | always]
    columns = [means[name].tolist() for name in shown]
    return {"columns": shown, "rows": [list(row) for row in zip(*columns, strict=True)][:MOST_ROWS]}


def entry_data(entry: StudyEntry) -> dict[str, Any]:
    """A study of the list as plain data."""
    return {
        "name": entry.name,
        "claim": entry.spec.get("claim", ""),
        "state": entry.state,
        "told": entry.in_words(),
        "records": entry.records,
        "done": entry.done,
        "failed": entry.failed,
        "rate": entry.rate,
        "seconds_left": entry.seconds_left,
        "seen": entry.seen,
    }


def plan(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """The study that a request describes: its name, size and cost, and the command that is the same; nothing runs."""
    cls = own_claim(given["claim"])
    asked = {name: given[name] for name in ("preset", "seeds", "seed")}
    try:
        made = study_of(given["claim"], given["parameters"], **asked, name=given["name"])
        cost = made.estimate()
        made.refuse_what_cannot_fit(1)
    except InputError as wrong:
        raise Refusal.of(wrong, tuple(cls.model_fields)) from None
    name = made.name or made.own_name()
    axes = made.spec["axes"]
    return {
        "name": name,
        "command": f"{sweep_command(made.base, axes, given['seeds'], given['seed'])} --name {name}",
        "points": len(made.points),
        "records": made.record_count,
        "cost": {"seconds": cost.seconds, "bytes": cost.bytes, "sentence": str(cost), "refusal": ""},
        "fixed": {key: value for key, value in made.base.changed().items() if key not in axes},
        "axes": {key: axis_text(values) for key, values in axes.items()},
    }


def verdict(given: dict[str, Any], _: Tell) -> dict[str, Any] | None:
    """What the study `given["name"]` says of its claim, in short; None if nothing was measured."""
    entry, kept = _kept(given)
    results = kept.results()
    if not any(cell.measurements for cell in results.cells):
        return None
    return {"status": results.verdict.status, "sentence": results.verdict.sentence, "study": entry.name}


def table_file(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """Write all rows of a study to the file `given["output"]`."""
    kept = _kept(given)[1]
    write_frame(kept.results().frame(provenance=True), given["form"], Path(given["output"]))
    return {"written": True}
