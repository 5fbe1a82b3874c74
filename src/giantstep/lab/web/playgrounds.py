"""Networks that somebody plays with: the server keeps their states, so that they go on, and back, where they were."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from dataclasses import dataclass, field
from typing import Any

from giantstep.lab.jobs.playground_settings import python_lines
from giantstep.lab.refusals import Refusal
from giantstep.lab.workers import Crew, Work

MOST_PLAYGROUNDS = 20
IDLE_SECONDS = 1800.0
MOST_STEPS = 400
MOST_BYTES = 40e6  # of all states of one playground: older ones are forgotten, and one cannot go back to them
TOO_LONG = "these steps take too long; lower 'samples' or 'neurons', or take fewer steps"


@dataclass
class Playground:
    """One network: its states, what each of them shows, and the settings under which each was made."""

    name: str
    settings: dict[str, Any]
    directions: list[Any]
    levels: list[Any]
    states: list[bytes | None] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)
    made_with: list[dict[str, Any]] = field(default_factory=list)
    used: float = field(default_factory=time.monotonic)

    def add(self, states: list[bytes], frames: list[dict[str, Any]], settings: dict[str, Any]) -> None:
        self.settings = settings
        self.states += states
        self.frames += frames
        self.made_with += [settings] * len(frames)
        held = 0
        for number in reversed(range(len(self.states))):
            held += len(self.states[number] or b"")
            if held > MOST_BYTES:
                self.states[number] = None

    def back(self, steps: int) -> None:
        number = len(self.states) - 1 - steps
        if number < 0:
            raise Refusal(f"the network has taken {len(self.states) - 1} steps; it cannot go back {steps}", "input")
        if self.states[number] is None:
            raise Refusal("so many steps back are not remembered; begin anew", "input")
        for kept in (self.states, self.frames, self.made_with):
            del kept[number + 1 :]

    def told(self, new: int, seconds: float) -> dict[str, Any]:
        """The state as the page takes it."""
        return {
            "id": self.name,
            "step": len(self.states) - 1,
            "settings": self.settings,
            "directions": self.directions,
            "levels": self.levels,
            "neurons": self.frames[-1]["neurons"],
            "history": [frame["entry"] for frame in self.frames],
            "new": new,
            "seconds": seconds,
            "notes": [],
            "command": "",
            "python": python_lines(self.made_with),
        }


class Playgrounds:
    """All networks that somebody plays with; those that nobody has touched for long are forgotten."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._known: dict[str, Playground] = {}
        self._numbers = itertools.count(1)

    def get(self, name: str) -> Playground:
        """The network of this name."""
        if name not in self._known:
            raise Refusal("this network is forgotten, or never was; begin anew", "not found")
        self._known[name].used = time.monotonic()
        return self._known[name]

    async def begin(self, settings: dict[str, Any]) -> dict[str, Any]:
        """A new network."""
        told, states = await self._performed(Work("start", {"settings": settings}, 30.0, TOO_LONG))
        self._forget_old()
        name = f"p{next(self._numbers)}"
        made = Playground(name, told["settings"], told["directions"], told["levels"])
        made.add(states, told["frames"], told["settings"])
        self._known[name] = made
        return made.told(1, told["seconds"])

    async def go_on(self, name: str, steps: int, changes: dict[str, Any]) -> dict[str, Any]:
        """So many steps more, under settings of which some may change on the way."""
        network = self.get(name)
        number, state = len(network.states) - 1, network.states[-1]
        if number + steps > MOST_STEPS:
            raise Refusal(f"a network takes {MOST_STEPS} steps here at most; go back, or begin anew", "input")
        assert state is not None
        given = {
            "settings": network.settings,
            "changes": changes,
            "state": json.loads(state),
            "number": number,
            "steps": steps,
        }
        told, states = await self._performed(Work("step", given, 60.0, TOO_LONG, about=name))
        if len(network.states) - 1 != number:
            raise Refusal("this network has moved on meanwhile", "busy")
        network.add(states, told["frames"], told["settings"])
        return network.told(steps, told["seconds"])

    def go_back(self, name: str, steps: int) -> dict[str, Any]:
        """The network as it was so many steps before."""
        network = self.get(name)
        network.back(steps)
        return network.told(0, 0.0)

    def end(self, name: str) -> None:
        """Forget a network."""
        self.get(name)
        del self._known[name]

    def _forget_old(self) -> None:
        limit = time.monotonic() - IDLE_SECONDS
        by_use = sorted(self._known.values(), key=lambda one: one.used)
        old = [one for one in by_use if one.used < limit] + by_use[: max(0, len(by_use) + 1 - MOST_PLAYGROUNDS)]
        for one in old:
            self._known.pop(one.name, None)

    async def _performed(self, work: Work) -> tuple[dict[str, Any], list[bytes]]:
        """The answer of a job, and the states that it told on its way."""
        states: list[bytes] = []
        told: dict[str, Any] = {}
        async with contextlib.aclosing(self._crew.stream(work)) as stream:
            async for kind, content in stream:
                if kind == "state":
                    states.append(content)
                else:
                    told = json.loads(content)
        return told, states
