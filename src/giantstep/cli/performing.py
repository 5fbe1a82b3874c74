"""What commands that run studies do before and after: costs, pictures that can be, what to do after Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giantstep.checks import require
from giantstep.claims import view as views
from giantstep.cli.exits import DONE, INTERRUPTED
from giantstep.cli.options import LOOK
from giantstep.cli.output import print_json
from giantstep.cli.progress import patience
from giantstep.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from giantstep.studies import ResourceEstimate, Results, Study


MOST_NAMED = 3  # damaged records that a sentence names; `studies --check` names all


def tell_cost(
    studies: Iterable[Study], *, workers: int | None, json: bool, quiet: bool, listed: bool = False, number: int = 1
) -> int:
    """Points, records, time and memory of studies, which are not run; what would not fit is refused.

    Each of them, a `number` in all, is told as soon as it is known.
    """
    from giantstep.studies import span

    costs: list[tuple[Study, ResourceEstimate]] = []
    with patience("the estimate", not quiet):
        for study in studies:
            costs.append((study, cost := study.estimate(workers)))
            if not json:
                place = f"{len(costs)} of {number}  " if number > 1 else ""
                size = f"{_counted(len(study.points), 'point')}, {_counted(study.record_count, 'record')}"
                print(f"{place}{study.name or study.base.name}: {size}; {cost}", flush=True)
    if json:
        told = [_cost_dict(study, cost) for study, cost in costs]
        print_json({"claims": told, "seconds": _seconds(costs)} if listed else told[0])
    elif number > 1:
        print(f"all {number} claims: about {span(_seconds(costs))}")
    for study, cost in costs:
        study.refuse_what_cannot_fit(cost.workers)
    return DONE


def _seconds(costs: Sequence[tuple[Study, ResourceEstimate]]) -> float:
    """Time of all studies in one queue: what they need together on as many workers as the largest has."""
    return sum(cost.seconds * cost.workers for _, cost in costs) / max(cost.workers for _, cost in costs)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _cost_dict(study: Study, cost: ResourceEstimate) -> dict[str, Any]:
    size = {"points": len(study.points), "records": study.record_count}
    return {"study": study.name, **study.spec, **size, "estimate": vars(cost)}


def check_figure(study: Study, place: Path | None, drawn: Mapping[str, Any]) -> None:
    """Refuse a picture that cannot be, or not in this look, before anything is simulated for it."""
    if place is None:
        return
    from giantstep.figures import Look, check_destination
    from giantstep.studies import refuse_what_cannot_be_drawn

    check_destination(place, moves=any(isinstance(view, views.Trajectory) for view in study.views))
    refuse_what_cannot_be_drawn(study, drawn.get("heat_map"))
    Look.of(**{name: drawn[name] for name in LOOK if name in drawn})


def check_report(folder: Path | None, pictures: str = "") -> None:
    """Refuse a report that cannot be written, or pictures without one, before anything is verified for it."""
    from giantstep.figures import check_destination
    from giantstep.report import picture_kinds

    if folder is None:
        require(not pictures, "--pictures are those of a report: name its folder with --report")
        return
    picture_kinds(pictures)

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    check_destination(folder / "index.svg")


def tell_interruption(study: Study, results: Results, to_keep: str = "") -> int:
    """After Ctrl-C: what is there, and how to go on; `to_keep` says how, where nothing is kept."""
    there = sum(len(cell.measurements) for cell in results.cells)
    next_time = "the same command goes on where it was" if study.name else to_keep
    print(f"giantstep: interrupted with {there} of {study.record_count} records done; {next_time}", file=sys.stderr)
    return INTERRUPTED


def tell_damage(results: Results, done: str = "they were simulated again") -> None:
    """Name the records that the store holds damaged, if there are any, and say what is `done` about them."""
    if results.damaged:
        some = "; ".join(results.damaged[:MOST_NAMED]) + ("; ..." if len(results.damaged) > MOST_NAMED else "")
        print(f"giantstep: {len(results.damaged)} damaged records were left out ({some}); {done}", file=sys.stderr)
