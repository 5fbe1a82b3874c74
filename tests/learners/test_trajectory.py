"""The one verb: when a run looks, what it notes, when and why it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.trajectory import whole_times


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
