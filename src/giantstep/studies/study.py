"""A study: one claim over a grid of parameters and several seeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giantstep.claims import Claim, SpectrumView, View, axis_values, claim_class
from giantstep.claims.base import unknown_parameter
from giantstep.errors import InputError
from giantstep.studies.estimate import Estimate, estimate, task_seconds
from giantstep.studies.executors import cores
from giantstep.studies.records import point_key
from giantstep.studies.tasks import Task, everything, group_tasks
from giantstep.studies.views import views_at, views_of_axes

if TYPE_CHECKING:
    from collections.abc import Callable

    from giantstep.studies.executors import Executor
    from giantstep.studies.results import Frame, Results
    from giantstep.studies.running import Watcher
    from giantstep.studies.store import Store

MAX_SEEDS = 100_000
MAX_CELLS = 1_000_000
LARGEST_SEED = 2**62
SHORT_SECONDS = 3.0  # below this, starting worker processes costs more than they save


@dataclass(frozen=True, init=False)
class Study:
    """One claim over a grid and seeds: `Study(claim, step="0:8:17", samples_per_dim=[1, 2], seeds=20).run()`.

    Seeds are `seed`, `seed + 1`, ...; the same seed draws the same random numbers at every point, so that
    differences between points are sharper than the points themselves. A study with a `name` keeps its records in a
    store (the user's own, or the file `store`): run again, it does only what is missing.
    """

    base: Claim
    points: tuple[tuple[Claim, int], ...]
    seed: int
    views: tuple[View, ...]
    words: Mapping[str, Any]
    name: str
    store: Path | None

    def __init__(
        self,
        claim: Claim,
        *,
        seeds: int | None = None,
        seed: int = 0,
        name: str = "",
        store: Path | str | None = None,
        **axes: Any,
    ) -> None:
        seeds = _checked_seeds(claim, seeds)
        points = [(point, seeds) for point in grid(claim, axes)]
        lists = {
            axis: v if isinstance(v, str) else [_plain(x) for x in axis_values(axis, v)] for axis, v in axes.items()
        }
        views = views_of_axes(claim, axes) if axes else views_at(claim)
        self._set(claim, points, seed, views, {"axes": lists, "seeds": seeds}, name, store)

    def _set(
        self,
        base: Claim,
        points: Iterable[tuple[Claim, int]],
        seed: int,
        views: tuple[View, ...],
        words: Mapping[str, Any],
        name: str = "",
        store: Path | str | None = None,
    ) -> None:
        unique: dict[str, tuple[Claim, int]] = {}
        for point, count in points:
            key = point.key()
            unique[key] = (point, max(count, unique.get(key, (point, 0))[1]))
        own = {"claim": base.address(), "version": base.info.version, "parameters": base.parameters(), "seed": seed}
        values: dict[str, Any] = {
            "base": base,
            "points": tuple(unique.values()),
            "seed": _checked_seed(seed),
            "views": views,
            "words": {**own, **words},
            "name": _checked_name(name),
            "store": None if store is None else Path(store),
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @classmethod
    def of_views(
        cls,
        claim: Claim,
        *,
        seeds: int | None = None,
        seed: int = 0,
        name: str = "",
        store: Path | str | None = None,
    ) -> Study:
        """The study that `verify` runs: the claim's own point and all its views."""
        own = _checked_seeds(claim, seeds)
        points = [(claim, own)]
        for view in claim.views:
            viewed = claim.replace(**view.at)
            count = own if isinstance(view, SpectrumView) else seeds or view.seeds or own
            points += [(p, count) for p in grid(viewed, {} if isinstance(view, SpectrumView) else view.axes)]
        study = cls.__new__(cls)
        study._set(claim, points, seed, claim.views, {"views": True, "seeds": seeds}, name, store)
        return study

    @classmethod
    def from_words(cls, words: Mapping[str, Any], name: str = "", store: Path | str | None = None) -> Study:
        """The study that was kept under these words."""
        made = claim_class(words["claim"])
        if made.info.version != words["version"]:
            raise InputError(
                f"the study '{name}' was made with version {words['version']} of {words['claim']}, whose numbers "
                f"differ from those of the present version {made.info.version}; run it again under the same name, "
                f"or remove it with 'giantstep forget {name}'"
            )
        build = cls.of_views if words.get("views") else cls
        rest = {"seeds": words["seeds"], "seed": words["seed"], "name": name, "store": store}
        return build(made(**words["parameters"]), **rest, **words.get("axes", {}))

    @cached_property
    def keys(self) -> dict[bytes, Claim]:
        """Its points by the keys of their records."""
        return {point_key(point): point for point, _ in self.points}

    @property
    def cells(self) -> int:
        """How many records it asks for: points times seeds."""
        return sum(seeds for _, seeds in self.points)

    def tasks(self, wanted: Callable[[Claim, int], bool] = everything) -> list[Task]:
        """The simulations of this study, or those of them that are wanted."""
        return group_tasks(self.points, self.seed, wanted)

    def estimate(self, workers: int | None = None) -> Estimate:
        """Time and memory that the study will need."""
        tasks = self.tasks()
        return estimate(tasks, worker_count(tasks, workers))

    def run(
        self,
        *,
        workers: int | None = None,
        watcher: Watcher | None = None,
        executor: Executor | None = None,
        retry_failed: bool = False,
    ) -> Results:
        """Run all simulations that are missing, on all cores by default; Ctrl-C keeps what was measured."""
        from giantstep.studies.running import run_study

        with self.open_store() as store:
            return run_study(self, store, workers, watcher, executor, retry_failed)

    def results(self) -> Results:
        """What the store holds of this study, without running anything."""
        from giantstep.studies.running import collect

        with self.open_store() as store:
            store.add_points(self.keys)
            return collect(self, store)

    def frame(self) -> Frame:
        """Tidy rows: of what the store holds if the study has a name, else of a run."""
        return (self.results() if self.name else self.run()).frame()

    def open_store(self) -> Store:
        """Where its records are kept: in memory if it has neither name nor store."""
        from giantstep.studies.store import Store

        return Store(self.store) if self.name or self.store else Store.in_memory()


def grid(claim: Claim, axes: Mapping[str, Any]) -> list[Claim]:
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


def worker_count(tasks: Sequence[Task], asked: int | None) -> int:
    """How many processes are worth while."""
    if asked is not None:
        if asked < 1:
            raise InputError(f"workers = {asked} is not allowed; it must be at least 1")
        return min(asked, max(1, len(tasks)))
    short = len(tasks) < 2 or task_seconds(tasks) < SHORT_SECONDS
    return 1 if short else min(cores(), len(tasks))


def _plain(value: Any) -> Any:
    """A value of an axis as it can be written down."""
    return value if isinstance(value, int | float | str | bool) else str(value)


def _checked_seeds(claim: Claim, seeds: int | None) -> int:
    seeds = claim.default_seeds if seeds is None else seeds
    if not 1 <= seeds <= MAX_SEEDS:
        raise InputError(f"seeds = {seeds} is not allowed; it must be from 1 to {MAX_SEEDS}")
    return seeds


def _checked_seed(seed: int) -> int:
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"seed = {seed} is not allowed; it must be from 0 to {LARGEST_SEED}")
    return seed


def _checked_name(name: str) -> str:
    if name and (not all(c.isalnum() or c in "-_." for c in name) or not name[0].isalnum() or len(name) > 100):
        raise InputError(
            f"'{name}' cannot be the name of a study; use up to 100 letters, digits, '-', '_' and '.', "
            "beginning with a letter or digit"
        )
    return name
