"""A study: one claim over a grid of parameters and several seeds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giantstep.checks import file_path, instance, whole_number
from giantstep.claims import Axis, Claim, View, claim_class, claim_point, unknown_parameter
from giantstep.errors import InputError
from giantstep.studies.default_views import views_at, views_of_axes
from giantstep.studies.estimate import ResourceEstimate, all_flops, estimate, refuse_what_cannot_fit, task_seconds
from giantstep.studies.executors import cores
from giantstep.studies.naming import name_of
from giantstep.studies.records import point_key
from giantstep.studies.tasks import Task, everything, group_tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    from giantstep.studies.executors import Executor
    from giantstep.studies.results import Results
    from giantstep.studies.store import Store
    from giantstep.studies.tables import Frame
    from giantstep.studies.watching import Watcher

MAX_SEEDS = 100_000
MAX_POINTS = 1_000_000
LARGEST_SEED = 2**62
SHORT_SECONDS = 3.0  # below this, starting worker processes costs more than they save


@dataclass(frozen=True, init=False, repr=False)
class Study:
    """One claim over a grid and seeds: `Study(claim, step="0:8:17", samples_per_dim=[1, 2], seeds=20).run()`.

    Seeds are `seed`, `seed + 1`, ...; the same seed draws the same random numbers at every point, so that
    differences between points are sharper than the points themselves. A study with a `name` keeps its records in a
    store (the user's own, or the file `store`): run again, it does only what is missing.

    Args:
        claim: a point, a class or a name; kept as `base`, the point that the grid varies.
        seeds: how many at each point; the claim's own number if None.
        seed: the first of them, 0 or more.
        name: under which it is kept; it is not kept if empty.
        store: the file that keeps it; the user's own if None.
        axes: by parameter, its values: a list, a range `0:8:17` or `log:0.01:100:5`, a single value.

    It has its `points`, pairs of a claim and a number of seeds, the `views` of its picture, and `spec`, what a store
    or a file needs to make it again.

    >>> Study("bes22/weight-spike", step="0:8:17", samples_per_dim=[1, 2, 4], seeds=20)
    Study(bes22/weight-spike over step=0:8:17, samples_per_dim=[1, 2, 4]: 51 points, 1020 records)
    """

    base: Claim
    points: tuple[tuple[Claim, int], ...]
    seed: int
    spec: Mapping[str, Any]
    name: str
    store: Path | None

    def __init__(
        self,
        claim: Claim | type[Claim] | str,
        *,
        seeds: int | None = None,
        seed: int = 0,
        name: str = "",
        store: Path | str | None = None,
        **axes: Any,
    ) -> None:
        base = claim_point(claim)
        seeds = _checked_seeds(base, seeds)
        read = [_axis(base, axis, values) for axis, values in axes.items()]
        points = [(point, seeds) for point in grid(base, read)]
        views = views_of_axes(base, read) if read else None
        spec = {"axes": {axis.name: axis.kept() for axis in read}, "seeds": seeds}
        self._set(base, points, seed, views, spec, name, store)

    def _set(
        self,
        base: Claim,
        points: Iterable[tuple[Claim, int]],
        seed: int,
        views: tuple[View, ...] | None,
        spec: Mapping[str, Any],
        name: str = "",
        store: Path | str | None = None,
    ) -> None:
        unique: dict[str, tuple[Claim, int]] = {}
        for point, count in points:
            key = point.key()
            unique[key] = (point, max(count, unique.get(key, (point, 0))[1]))
        seed = whole_number("seed", seed, least=0, most=LARGEST_SEED)
        own = {"claim": base.address(), "version": base.info.version, "parameters": base.parameters(), "seed": seed}
        values: dict[str, Any] = {
            "base": base,
            "points": tuple(unique.values()),
            "seed": seed,
            "spec": {**own, **spec},
            "name": _checked_name(name),
            "store": None if store is None else file_path("the store", store, "spikes.sqlite"),
        }
        if views is not None:
            values["views"] = views
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @cached_property
    def views(self) -> tuple[View, ...]:
        """What its picture shows; those of a single point are moved there only when somebody looks."""
        return views_at(self.base)

    @classmethod
    def of_views(
        cls,
        claim: Claim | type[Claim] | str,
        *,
        seeds: int | None = None,
        seed: int = 0,
        name: str = "",
        store: Path | str | None = None,
        seeds_times: int = 1,
    ) -> Study:
        """The study that `verify` runs: the claim's own point and all its views.

        Without a number of seeds it takes twice or four times the claim's own where its verdict would be undecided.

        Args:
            claim: a point, a class or a name.
            seeds: how many at each point; those of the claim and of its views if None.
            seed: the first of them, 0 or more.
            name: under which it is kept; it is not kept if empty.
            store: the file that keeps it; the user's own if None.
            seeds_times: so many times the seeds of the claim and of its views.
        """
        base = claim_point(claim)
        times = whole_number("seeds_times", seeds_times, most=MAX_SEEDS)
        own = _checked_seeds(base, seeds)
        points = [(base, own * times)]
        for view in base.views:
            count = (seeds or view.seeds or own) * times
            points += [(point, count) for point in grid(base.replace(**view.at), view.axes)]
        study = cls.__new__(cls)
        more = {"seeds_times": times} if times > 1 else {}
        study._set(base, points, seed, base.views, {"views": True, "seeds": seeds, **more}, name, store)
        return study

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], name: str = "", store: Path | str | None = None) -> Study:
        """The study that was kept with this `spec`, under `name` in the file `store`."""
        made = claim_class(spec["claim"])
        if made.info.version != spec["version"]:
            raise InputError(
                f"the study '{name}' was made with version {spec['version']} of {spec['claim']}, whose numbers "
                f"differ from those of the present version {made.info.version}; run it again under the same name, "
                f"or remove it with 'giantstep forget {name}'"
            )
        build = cls.of_views if spec.get("views") else cls
        rest = {"seeds": spec["seeds"], "seed": spec["seed"], "name": name, "store": store}
        rest |= {"seeds_times": spec["seeds_times"]} if "seeds_times" in spec else {}
        return build(made(**spec["parameters"]), **rest, **spec.get("axes", {}))

    @cached_property
    def keys(self) -> dict[bytes, Claim]:
        """Its points by the keys of their records."""
        return {point_key(point): point for point, _ in self.points}

    @property
    def record_count(self) -> int:
        """How many records it asks for: points times seeds."""
        return sum(seeds for _, seeds in self.points)

    @property
    def seeds_times(self) -> int:
        """How many times the claim's own seeds it has, as its verdict asked for more."""
        return int(self.spec.get("seeds_times", 1))

    def own_name(self) -> str:
        """The name under which it is kept if nobody gives another: it says what is swept, and what is fixed where."""
        return name_of(self.base, self.spec.get("axes", {}))

    def tasks(self, wanted: Callable[[Claim, int], bool] = everything) -> list[Task]:
        """The simulations of this study, or those of them that are wanted."""
        return group_tasks(self.points, self.seed, wanted)

    def flops(self) -> float:
        """Floating-point operations of all its simulations, estimated."""
        return all_flops(self.tasks())

    def estimate(self, workers: int | None = None) -> ResourceEstimate:
        """Time and memory that the study will need with so many `workers`; as many as are worth while if None."""
        tasks = self.tasks()
        return estimate(tasks, worker_count(tasks, workers))

    def refuse_what_cannot_fit(self, workers: int) -> ResourceEstimate:
        """Refuse the study, naming the parameter to lower, if `workers` simulations at a time exceed the memory.

        What is not refused is answered with what it needs.
        """
        return refuse_what_cannot_fit(self.tasks(), workers)

    def run(
        self,
        *,
        workers: int | None = None,
        watcher: Watcher | None = None,
        executor: Executor | None = None,
        retry_failed: bool = True,
    ) -> Results:
        """Run all simulations that are missing or failed before, on all cores by default; Ctrl-C keeps what is there.

        Args:
            workers: processes on this machine; as many as are worth while by default.
            watcher: who is told how far it is.
            executor: where simulations are performed if not on this machine.
            retry_failed: whether simulations that failed in an earlier run are tried again.
        """
        from giantstep.studies.queue import run_study

        return run_study(self, workers, watcher, executor, retry_failed)

    def results(self) -> Results:
        """What the store holds of this study, without running anything."""
        from giantstep.studies.running import collect

        with self.open_store() as store:
            return collect(self, store)

    def frame(self) -> Frame:
        """Tidy rows: of what the store holds if the study has a name, else of a run."""
        return (self.results() if self.name else self.run()).frame()

    def open_store(self) -> Store:
        """Where its records are kept: in memory if it has neither name nor store."""
        from giantstep.studies.store import Store

        return Store(self.store) if self.name or self.store else Store.in_memory()

    def _repr_html_(self) -> str:
        from giantstep.studies.notebook import study_html

        return study_html(self)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]

    def __repr__(self) -> str:
        axes = {name: str(values) for name, values in self.spec.get("axes", {}).items()}
        written = [f"{name}={text if len(text) <= 40 else text[:30] + '...'}" for name, text in axes.items()]
        over = ", ".join(written) or ("its views" if self.spec.get("views") else "its point")
        kept = f"; kept as '{self.name}'" if self.name else ""
        points = f"{len(self.points)} point{'s' if len(self.points) > 1 else ''}"
        return f"Study({self.base.name} over {over}: {points}, {self.record_count} records{kept})"


def grid(claim: Claim, axes: Sequence[Axis]) -> list[Claim]:
    """All points of a grid, checked before anything runs."""
    for axis in axes:
        if axis.name not in type(claim).model_fields:
            raise InputError(unknown_parameter(type(claim), axis.name))
    size = math.prod(len(axis.values) for axis in axes)
    if size > MAX_POINTS:
        raise InputError(f"this grid has {size} points; at most {MAX_POINTS} are allowed")
    names = [axis.name for axis in axes]
    combined = itertools.product(*(axis.values for axis in axes))
    return [claim.replace(**dict(zip(names, values, strict=True))) for values in combined]


def _axis(claim: Claim, name: str, values: Any) -> Axis:
    """An axis as the claim's parameter takes it."""
    axis = Axis.read(name, values)
    field = type(claim).model_fields.get(name)  # one that there is not is refused by the grid
    return axis.whole() if field is not None and field.annotation is int else axis


def worker_count(tasks: Sequence[Task], asked: int | None) -> int:
    """How many processes are worth while."""
    if asked is not None:
        return min(whole_number("workers", asked), max(1, len(tasks)))
    short = len(tasks) < 2 or task_seconds(tasks) < SHORT_SECONDS
    return 1 if short else min(cores(), len(tasks))


def _checked_seeds(claim: Claim, seeds: int | None) -> int:
    return whole_number("seeds", claim.default_seeds if seeds is None else seeds, most=MAX_SEEDS)


def _checked_name(name: str) -> str:
    instance("the name of a study", name, str, "a text such as 'spikes'")
    if name and (not all(c.isalnum() or c in "-_." for c in name) or not name[0].isalnum() or len(name) > 100):
        raise InputError(
            f"'{name}' cannot be the name of a study; use up to 100 letters, digits, '-', '_' and '.', "
            "beginning with a letter or digit"
        )
    return name
