"""The one verb: when a run looks, what it notes, when and why it ends."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from giantstep import learners
from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.trajectory import whole_times


def test_the_docstring_names_every_dynamics() -> None:
    there = {
        found.name
        for path in Path(learners.__path__[0]).rglob("*.py")
        for found in ast.parse(path.read_text()).body
        if isinstance(found, ast.ClassDef) and any(getattr(part, "name", "") == "states" for part in found.body)
    } - {"Dynamics", "InBlocks"}  # protocols
    assert len(there) >= 10
    for named in re.findall(r"`(\w[\w.]*\.[A-Z]\w+)`", str(run.__doc__)):
        package, _, name = named.rpartition(".")
        assert hasattr(import_module(f"giantstep.learners.{package}"), name)
        there.remove(name)
    assert not there, f"name {there} among the dynamics of `run`"


class Doubling:
    """x doubles with every step; counts how many states were made."""

    made = 0

    def states(self, start: float, times: Sequence[float]) -> Iterator[float]:
        for time in whole_times(times):
            self.made += 1
            yield start * 2.0**time


def test_every_step_or_the_times_asked_for() -> None:
    every = run(Doubling(), 1.0, steps=3, watch={"x": float, "pair": lambda x: np.array([x, -x])})
    assert every["x"].tolist() == [1.0, 2.0, 4.0, 8.0]
    assert every["pair"].shape == (4, 2)
    assert every.times.tolist() == [0, 1, 2, 3]
    assert (every.last, every.stopped, every.status) == (8.0, False, "reached the last time, 3")
    few = Doubling()
    assert run(few, 1.0, times=np.array([2, 5]), watch={"x": float})["x"].tolist() == [4.0, 32.0]
    assert few.made == 2
    assert run(Doubling(), 1.0, times=range(0, 9, 4), watch=["real"])["real"].tolist() == [1.0, 16.0, 256.0]


def test_a_run_stops_where_it_is_told_and_says_why() -> None:
    dynamics = Doubling()
    found = run(dynamics, 1.0, steps=1000, stop=lambda x: "x is large" if x > 5 else "")
    assert (found.last, found.times[-1], dynamics.made) == (8.0, 3, 4)
    assert found.stopped
    assert found.status == "stopped at 3: x is large"
    assert "4 times to 3" in repr(found)
    assert run(dynamics, 1.0, steps=9, stop=lambda x: x > 5).status == "stopped at 3, as asked"


def test_progress_grows_to_one_and_is_told_seldom() -> None:
    told: list[float] = []
    run(Doubling(), 1e-300, times=range(1000), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) <= 200


def test_nan_is_never_returned() -> None:
    with pytest.raises(InputError, match="'x' is not a number at time 2"):
        run(Doubling(), 1.0, steps=3, watch={"x": lambda x: x if x < 4 else np.nan})


@pytest.mark.parametrize(
    "given",
    [{}, {"steps": 3, "times": [1]}, {"steps": -1}, {"steps": 2.5}, {"times": []}, {"times": [1, 1]}, {"times": [-1]},
     {"times": [0, np.nan]}, {"times": [0.5]}, {"times": range(5, 0, -1)}],
)  # fmt: skip
def test_mistakes_get_a_sentence(given: dict[str, object]) -> None:
    with pytest.raises(InputError):
        run(Doubling(), 1.0, **given)  # type: ignore[arg-type]


def test_what_was_not_watched_is_named() -> None:
    with pytest.raises(InputError, match="'y' was not watched in this run, but x"):
        run(Doubling(), 1.0, steps=1, watch={"x": float})["y"]
