"""A simulation that tells how it gets on: panels and verdict after each seed, while the next one runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from giantstep.claims import View
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.lab.jobs.budget import cost_of, refusal
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import asked_point, python_lines, simulation_command
from giantstep.lab.jobs.tabs import asked_axes, nothing_seen, tab_at
from giantstep.lab.jobs.theory import THEORY, drawn, point_panels
from giantstep.lab.jobs.verdict_data import verdict_data
from giantstep.lab.refusals import Refusal, without_paths
from giantstep.studies import InProcess, Results, Standing, Study, cores, run_all
from giantstep.studies.pictures import NO_AXES

SHARE = 1.0  # of the time that simulations take, what drawing them in between may take
PROGRESS_SECONDS = 0.2


@dataclass(frozen=True)
class _Asked:
    """What was asked for: a study, the view of it that is shown, and how a terminal says the same."""

    study: Study
    view: View
    command: str
    python: str


def _read(given: dict[str, Any]) -> _Asked:
    point = asked_point(given)
    view = tab_at(point, given["view"])
    axes: dict[str, Any] = asked_axes(point, view, given["scope"])
    seeds, seed = given["seeds"], given["seed"]
    study = Study(point, seeds=seeds, seed=seed, store=Path(given["store"]), **axes)
    command = simulation_command(point, axes, seeds, seed)
    return _Asked(study, view, command, python_lines(point, axes, seeds, seed))


def simulate(given: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Simulate a point, or the grid of a view through it, and tell panels and verdict after each seed.

    Its records go to the file `given["store"]`, which lasts as long as the lab: more seeds cost only themselves.
    """
    asked = _read(given)
    known, missing = _missing(asked.study)
    _refuse_what_is_too_large(asked, missing)
    tell(
        "start",
        {
            "seeds": given["seeds"],
            "points": len(asked.study.points),
            "known": known,
            "command": asked.command,
            "python": asked.python,
            "cost": cost_of(asked.study),
        },
    )
    telling = _Telling(asked, tell)
    results, reason = None, "complete"
    try:
        executor = _TellingExecutor(telling, missing)
        # What failed in this lab fails again: its code stays the same as long as it is open.
        for _, told in run_all([asked.study], watcher=telling, executor=executor, retry_failed=False):
            if isinstance(told, InputError):
                raise told
            results = told
    except KeyboardInterrupt:
        reason, results = "stopped", None
    found = asked.study.results() if results is None else results
    return {"reason": reason, **telling.state(found), "failures": [without_paths(f) for f in found.failures]}


def _missing(study: Study) -> tuple[int, int]:
    """How many records the lab has already, and how many simulations are missing."""
    with study.open_store() as store:
        there = store.known(list(study.keys))
    seeds_of = {id(point): there.get(key, {}) for key, point in study.keys.items()}
    missing = study.tasks(lambda point, seed: seed not in seeds_of[id(point)])
    return study.record_count - sum(len(task.points) for task in missing), len(missing)


def _refuse_what_is_too_large(asked: _Asked, missing: int) -> None:
    try:
        whole = asked.study.refuse_what_cannot_fit(1)
        why = refusal(asked.study, replace(whole, seconds=whole.seconds * missing / whole.tasks))
    except InputError as refused:
        raise Refusal.of(refused, command=asked.command) from None
    if why:
        raise Refusal(why, "too large", "", asked.command)


class _Telling:
    """Tells how far a study is, and what it shows by now, at most as often as drawing it costs no more than itself."""

    def __init__(self, asked: _Asked, tell: Tell) -> None:
        self._asked, self._tell = asked, tell
        self._next_picture = self._next_progress = 0.0

    def tell(self, standing: Standing) -> None:
        now = time.monotonic()
        if now >= self._next_progress:
            self._next_progress = now + PROGRESS_SECONDS
            told = {"done": standing.done, "total": standing.tasks, "seconds_left": standing.seconds_left}
            self._tell("progress", told)

    def picture(self) -> None:
        """What the store holds by now, judged and drawn."""
        start = time.monotonic()
        if start >= self._next_picture:
            self._tell("seed", self.state(self._asked.study.results(), sharp=False))
            self._next_picture = time.monotonic() + SHARE * (time.monotonic() - start)

    def state(self, results: Results, *, sharp: bool = True) -> dict[str, Any]:
        """Panels and verdict of some results; whether it says how `sharp` the verdict is."""
        panels, silence = self._panels(results)
        seeds = [len(cell.measurements) for cell in results.cells]
        return {
            "seeds": max(seeds, default=0),
            "of": max(seeds for _, seeds in self._asked.study.points),
            "panels": panels,
            "silence": silence,
            "verdict": verdict_data(results, sharp=sharp),
        }

    def _panels(self, results: Results) -> tuple[list[dict[str, Any]], str]:
        view = self._asked.view
        if isinstance(view, views.HeatMap) and len(results.cells) == 1:  # one place is no map: it stands in theory's
            return point_panels(results.cells[0], view)
        panels, silence = drawn(replace(results, views=(view,), theory=THEORY), 0, theory_alone=True)
        if silence.endswith(NO_AXES):  # words for whoever sweeps; here the axes are those of the view
            silence = nothing_seen(self._asked.study.base, view)
        return panels, silence


@dataclass(frozen=True)
class _TellingExecutor:
    """Performs simulations here, and has the picture told when each has been kept."""

    telling: _Telling
    missing: int

    def perform_all(self, tasks: Iterable[Any], progress: Callable[[float], None]) -> Iterator[tuple[int, Any]]:
        for done, outcome in enumerate(InProcess(cores()).perform_all(tasks, progress), 1):
            yield outcome
            if done < self.missing:  # the last is told with the end
                self.telling.picture()
