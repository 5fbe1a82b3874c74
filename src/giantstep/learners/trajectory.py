"""One verb for everything that goes through time: `run(dynamics, start, ...)` gives a `Trajectory`.

A dynamics is a frozen object with all that it needs (data, step, random streams) and one method,

    states(start, times)      the state at each of these times, in this order,

a generator that goes from one time to the next as it likes: step by step, many steps at once, or by an integrator that
knows all times beforehand. Time is counted from the start in the dynamics' own unit: steps for what goes in steps. What
is looked at and when to stop is the caller's business, and costs one call of Python a time that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import whole_number
from giantstep.errors import InputError

Start = TypeVar("Start", contravariant=True)
State = TypeVar("State", covariant=True)
Seen = TypeVar("Seen")
Moved = TypeVar("Moved")

TOLD = 200  # times at most that progress is told


class Dynamics(Protocol[Start, State]):
    """Something that goes through time from a start."""

    def states(self, start: Start, times: Sequence[float]) -> Iterator[State]:
        """The state at each of `times`, which increase and are 0 or more; 0 is the start itself."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Generic[Seen]):
    """What a run has seen: `trajectory["loss"]` is the array of what was watched under that name.

    Args:
        times: when the states were looked at, (T,), in the dynamics' unit of time.
        watched: what was seen, by name; each array has T entries along its first axis.
        last: the state at the last of the times.
        stopped: whether `stop` ended the run before its last time.
        status: a sentence that says why the run ended.
    """

    times: NDArray[Any]
    watched: Mapping[str, NDArray[Any]]
    last: Seen
    stopped: bool
    status: str

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.watched:
            known = ", ".join(self.watched) or "nothing"
            raise InputError(f"'{name}' was not watched in this run, but {known}")
        return self.watched[name]

    def __repr__(self) -> str:
        watched = ", ".join(f"{name} {array.shape}" for name, array in self.watched.items())
        seen = f"; watched {watched}" if watched else ""
        return f"Trajectory({len(self.times)} times to {self.times[-1]:g}; {self.status}{seen})"


def run(
    dynamics: Dynamics[Start, Seen],
    start: Start,
    *,
    steps: int | None = None,
    times: Iterable[float] | None = None,
    watch: Mapping[str, Callable[[Seen], Any]] | Iterable[str] = (),
    stop: Callable[[Seen], bool | str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Trajectory[Seen]:
    """Follow `dynamics` from `start`, look at it on the way, and say why it ended. Nothing that is NaN is returned.

    Args:
        dynamics: what moves: `engines.online.OnlineSGD`, `engines.online.RepeatedSGD`, `engines.online.BatchSGD`,
            `engines.online.FeatureSGD`, `engines.online.EigenSGD`, `engines.FreshSteps`, `training.GiantSteps`,
            `flows.PopulationFlow`, `flows.SampleFlow`, `flows.TeacherFlow`, `descents.LeastSquaresDescent`,
            `descents.TwoLayerDescent`, `descents.DeepLinearDescent`, `sensing.SensingDescent`, `meanfield.Langevin`,
            `meanfield.InteractingParticles`, or one of your own.
        start: where it begins: what `states` of the dynamics takes.
        steps: look at every step 0, 1, ..., `steps`; give this or `times`.
        times: look at these times only, increasing, in the dynamics' unit; only then are states made.
        watch: what to note of each state: functions of the state by name, or names of the state's attributes.
        stop: a function of the state; the run ends when it says True, or why in a few words.
        progress: is told the share of the times that is done, now and then.

    >>> class Halving:
    ...     def states(self, start, times):
    ...         return (start / 2**time for time in times)
    >>> run(Halving(), 8.0, steps=10, watch={"size": float}, stop=lambda size: size <= 1)["size"]
    array([8., 4., 2., 1.])
    """
    moments = _moments(steps, times)
    looks = watch if isinstance(watch, Mapping) else {name: attrgetter(name) for name in watch}
    seen: dict[str, list[Any]] = {name: [] for name in looks}
    notes = [(look, seen[name].append) for name, look in looks.items()]
    often, reason = max(1, len(moments) // TOLD), None
    for number, state in enumerate(dynamics.states(start, moments), 1):
        for look, note in notes:
            note(look(state))
        if progress is not None and number % often == 0:
            progress(number / len(moments))
        if stop is not None and (reason := stop(state)):
            break
    past = np.asarray(moments[:number])
    watched = {name: _stacked(name, values, past) for name, values in seen.items()}
    return Trajectory(past, watched, state, bool(reason), _status(reason, moments, past[-1]))


def whole_times(times: Sequence[float]) -> Sequence[int]:
    """The times of a dynamics that goes in steps: whole numbers, or the user is told."""
    if isinstance(times, range):
        return times
    whole = [int(time) for time in times]
    if whole != list(times):
        raise InputError("this dynamics goes in steps: its times must be whole numbers")
    return whole


def in_blocks(
    start: Moved, times: Sequence[float], longest: int, block: Callable[[Moved, int], Moved]
) -> Iterator[Moved]:
    """The states at whole `times`, reached in blocks of at most `longest` steps: `block(state, steps)` makes them."""
    state, done = start, 0
    for time in whole_times(times):
        while done < time:
            steps = min(longest, time - done)
            state = block(state, steps)
            done += steps
        yield state


def _moments(steps: int | None, times: Iterable[float] | None) -> Sequence[float]:
    if (steps is None) == (times is None):
        raise InputError("say how long the run is: either steps, or the times to look at")
    if times is None:
        return range(whole_number("steps", steps, least=0) + 1)
    given = times if isinstance(times, range) else np.asarray(list(times)).tolist()
    ends = given[:1] if isinstance(given, range) else given
    increases = given.step > 0 if isinstance(given, range) else all(np.diff(given) > 0)
    if not len(given) or not all(np.isfinite(ends)) or given[0] < 0 or not increases:
        raise InputError("the times to look at must be numbers of 0 or more that increase, at least one of them")
    return given


def _stacked(name: str, values: list[Any], times: NDArray[Any]) -> NDArray[Any]:
    found = np.array(values)
    if found.dtype.kind in "fc" and np.isnan(found).any():
        bad = times[int(np.argmax(np.isnan(found).reshape(len(found), -1).any(axis=1)))]
        raise InputError(f"the run broke down: '{name}' is not a number at time {bad:g}; take a smaller step")
    return found


def _status(reason: bool | str | None, moments: Sequence[float], end: float) -> str:
    if isinstance(reason, str) and reason:
        return f"stopped at {end:g}: {reason}"
    return f"stopped at {end:g}, as asked" if reason else f"reached the last time, {moments[-1]:g}"
