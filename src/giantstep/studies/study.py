"""A study: one claim over a grid of parameters and several seeds."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from giantstep.claims import Cell, Claim, Measurement, SpectrumView, View, axis_values
from giantstep.claims.base import unknown_parameter
from giantstep.errors import InputError
from giantstep.studies.estimate import Estimate, estimate, refuse_what_cannot_fit, task_seconds
from giantstep.studies.executors import Executor, InProcess, LocalProcesses, cores
from giantstep.studies.results import Results, provenance
from giantstep.studies.tasks import Task, group_tasks
from giantstep.studies.views import views_at, views_of_axes

MAX_SEEDS = 100_000
MAX_CELLS = 1_000_000
SHORT_SECONDS = 3.0  # below this, starting worker processes costs more than they save


class Watcher(Protocol):
    """Somebody who is told how far a study is."""

    def begin(self, tasks: int) -> None: ...
    def inside(self, fraction: float) -> None: ...
    def done(self) -> None: ...


class Unwatched:
    """Nobody."""

    def begin(self, tasks: int) -> None: ...
    def inside(self, fraction: float) -> None: ...
    def done(self) -> None: ...


@dataclass(frozen=True, init=False)
class Study:
    """One claim over a grid and seeds: `Study(claim, step="0:8:17", samples_per_dim=[1, 2], seeds=20).run()`.

    Seeds are `seed`, `seed + 1`, ...; the same seed draws the same random numbers at every point, so that
    differences between points are sharper than the points themselves.
    """

    base: Claim
    points: tuple[tuple[Claim, int], ...]
    seed: int
    views: tuple[View, ...]

    def __init__(self, claim: Claim, *, seeds: int | None = None, seed: int = 0, **axes: Any) -> None:
        seeds = _checked_seeds(claim, seeds)
        views = views_of_axes(claim, axes) if axes else views_at(claim)
        self._set(claim, [(point, seeds) for point in grid(claim, axes)], _checked_seed(seed), views)

    def _set(self, base: Claim, points: Iterable[tuple[Claim, int]], seed: int, views: tuple[View, ...]) -> None:
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "points", tuple(points))
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "views", views)

    @classmethod
    def of_views(cls, claim: Claim, *, seeds: int | None = None, seed: int = 0) -> Study:
        """The study that `verify` runs: the claim's own point and all its views."""
        wanted: dict[str, tuple[Claim, int]] = {}

        def add(point: Claim, count: int) -> None:
            key = point.key()
            wanted[key] = (point, max(count, wanted.get(key, (point, 0))[1]))

        base_seeds = _checked_seeds(claim, seeds)
        add(claim, base_seeds)
        for view in claim.views:
            viewed = claim.replace(**view.at)
            count = base_seeds if isinstance(view, SpectrumView) else seeds or view.seeds or base_seeds
            for point in grid(viewed, {} if isinstance(view, SpectrumView) else view.axes):
                add(point, count)
        study = cls.__new__(cls)
        study._set(claim, wanted.values(), _checked_seed(seed), claim.views)
        return study

    def tasks(self) -> list[Task]:
        """The simulations of this study."""
        return group_tasks(self.points, self.seed)

    def estimate(self, workers: int | None = None) -> Estimate:
        """Time and memory that the study will need."""
        tasks = self.tasks()
        return estimate(tasks, _workers(tasks, workers))

    def run(
        self,
        *,
        workers: int | None = None,
        watcher: Watcher | None = None,
        executor: Executor | None = None,
    ) -> Results:
        """Run all simulations that fit in memory, on all cores by default; Ctrl-C keeps what was measured."""
        tasks = self.tasks()
        workers = _workers(tasks, workers)
        if executor is None:
            refuse_what_cannot_fit(tasks, workers)
        watcher = watcher or Unwatched()
        chosen = executor or (LocalProcesses(workers) if workers > 1 else InProcess(cores()))
        start = time.perf_counter()
        found: dict[int, list[tuple[int, Measurement]]] = {}
        failures: list[str] = []
        interrupted = False
        watcher.begin(len(tasks))
        try:
            for number, outcome in chosen.perform_all(tasks, watcher.inside):
                task = tasks[number]
                if outcome.error:
                    failures.append(f"seed {task.seed}: {outcome.error}")
                for point, measurement in zip(task.points, outcome.measurements or (), strict=not outcome.error):
                    found.setdefault(id(point), []).append((task.seed, measurement))
                watcher.done()
        except KeyboardInterrupt:
            interrupted = True
        cells = tuple(_cell(point, found.get(id(point), [])) for point, _ in self.points)
        facts = provenance(self.base, self.seed, time.perf_counter() - start, workers)
        return Results(self.base, cells, facts, self.views, tuple(failures), interrupted)


def _cell(point: Claim, found: list[tuple[int, Measurement]]) -> Cell:
    # In the order of seeds, whatever the order in which they came back.
    ordered = sorted(found, key=lambda pair: pair[0])
    return Cell(point, point.predict(), tuple(m for _, m in ordered), tuple(seed for seed, _ in ordered))


def grid(claim: Claim, axes: dict[str, Any]) -> list[Claim]:
    """All points of a grid, checked before anything runs."""
    for name in axes:
        if name not in type(claim).model_fields:
            raise InputError(unknown_parameter(type(claim), name))
    lists = [axis_values(name, axis) for name, axis in axes.items()]
    size = 1
    for values in lists:
        size *= len(values)
    if size > MAX_CELLS:
        raise InputError(f"this grid has {size} points; at most {MAX_CELLS} are allowed")
    return [claim.replace(**dict(zip(axes, values, strict=True))) for values in itertools.product(*lists)]


def _workers(tasks: Sequence[Task], asked: int | None) -> int:
    if asked is not None:
        if asked < 1:
            raise InputError(f"workers = {asked} is not allowed; it must be at least 1")
        return min(asked, max(1, len(tasks)))
    short = len(tasks) < 2 or task_seconds(tasks) < SHORT_SECONDS
    return 1 if short else min(cores(), len(tasks))


def _checked_seeds(claim: Claim, seeds: int | None) -> int:
    seeds = claim.default_seeds if seeds is None else seeds
    if not 1 <= seeds <= MAX_SEEDS:
        raise InputError(f"seeds = {seeds} is not allowed; it must be from 1 to {MAX_SEEDS}")
    return seeds


def _checked_seed(seed: int) -> int:
    if seed < 0:
        raise InputError(f"seed = {seed} is not allowed; it must be at least 0")
    return seed
