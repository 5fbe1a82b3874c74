"""The settings of the playground: what is learned, by whom and how; as controls, and as presets that tell a story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from giantstep.claims import parameters
from giantstep.errors import InputError
from giantstep.lab.jobs.controls import LIMITS, control
from giantstep.lab.refusals import Refusal
from giantstep.problems import Problem
from giantstep.streams import Streams

MOST_DIRECTIONS = 8
NUMBERS = "float32"  # of the samples: half the time of float64, and no eye sees the difference
IN_FLIGHT = ("samples", "step", "noise", "ridge")  # what may change while the network learns


class Settings(BaseModel):
    """What is learned, by whom and how."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)

    target: parameters.Target = parameters.target("x1 + He2(x1)*x2")
    activation: parameters.Activation = parameters.activation("tanh")
    d: int = parameters.dimension(10_000, ge=16, le=1_000_000)
    samples: int = parameters.samples(50_000, help="fresh samples a step", le=10_000_000)
    neurons: int = parameters.neurons(64, help=parameters.PAIRED, ge=2, le=256)
    step: float = parameters.step(4.0, help="step size per neuron, w_i += s a_i g_i", symbol="s", ge=0, le=1e4)
    noise: float = parameters.noise(0.0, le=100)
    ridge: float = parameters.ridge(1e-4, help="penalty of the second layer that the risk is told of", le=1e6)
    second_layer: Literal["gaussian", "signs"] = parameters.own("gaussian", "law of the a_i: N(0, 1), or +1 and -1")
    seed: int = parameters.own(0, "where the network and its batches are drawn from", ge=0, le=2**31)

    @property
    def problem(self) -> Problem:
        return Problem(self.target, self.d, noise=self.noise)

    @property
    def streams(self) -> Streams:
        return Streams(self.seed)


PRESETS = {
    "staircase": ("a staircase: x1 first, then x2", {}),
    "one step": ("one direction, one step", {"target": "relu(x1)", "step": 6.0}),
    "example 1": ("a sum first, then a difference", {"target": "x1 + He2(x1) + x2 - He2(x2)", "activation": "relu"}),
    "collapse": ("random signs: all neurons become two vectors", {"second_layer": "signs"}),
    "blind": ("an odd activation sees no square", {"target": "He2(x1)", "activation": "tanh"}),
    "stuck": ("no linear part: nothing is learned with n ~ d", {"target": "x1*x2*x3", "samples": 20_000}),
    "a million": ("d = 1,000,000 with as many samples", {"d": 1_000_000, "samples": 1_000_000, "neurons": 16}),
}


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Settings as given, or the sentence that says what is wrong with them."""
    unknown = [name for name in given if name not in Settings.model_fields]
    if unknown:
        names = ", ".join(Settings.model_fields)
        raise Refusal(f"the playground has no setting '{unknown[0]}'; it has: {names}", "input", unknown[0])
    try:
        found = Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        why = first.get("ctx", {}).get("error")
        words = f"{name}: {why}" if isinstance(why, InputError) else f"{name} is not allowed: {first['msg']}"
        raise Refusal(words, "input", name) from None
    if found.neurons % 2:
        raise Refusal("neurons must be an even number: they come in pairs so that f = 0", "input", "neurons")
    if not found.target.directions <= min(MOST_DIRECTIONS, found.d - 1):
        raise Refusal(f"the target may have at most {MOST_DIRECTIONS} directions, and fewer than d", "input", "target")
    if found.target.degree == 0:
        raise Refusal("the target is constant: there is nothing to learn", "input", "target")
    return found


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with changes in flight; what the network and its target are made of stays."""
    kept = settings.model_dump(mode="json")
    wanted = settings_of({**kept, **changes})
    for name, value in wanted.model_dump(mode="json").items():
        if value != kept[name] and name not in IN_FLIGHT:
            may = ", ".join(IN_FLIGHT)
            raise Refusal(f"{name} cannot change while the network learns, only {may}; begin anew", "input", name)
    return wanted


def controls() -> list[dict[str, Any]]:
    """The settings as controls, as those of a claim are."""
    schema = Settings.model_json_schema(mode="serialization")["properties"]
    limits = dict(zip(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), LIMITS, strict=True))
    shown = {"d": ([100.0, 1e6], True), "samples": ([1e3, 1e6], True), "ridge": ([1e-8, 1.0], True)}
    shown |= {"step": ([0.0, 20.0], False), "noise": ([0.0, 2.0], False), "neurons": ([2.0, 256.0], True)}
    found = []
    for name, field in Settings.model_fields.items():
        told = {limits[key]: value for key, value in schema[name].items() if key in limits}
        told |= {"default": str(field.default) if name in ("target", "activation") else field.default}
        told |= {"help": field.description, **(field.json_schema_extra or {})}  # type: ignore[dict-item]
        told |= {"choices": ["gaussian", "signs"]} if name == "second_layer" else {}
        kinds = {"second_layer": "choice", "target": "target", "activation": "activation"}
        kind = kinds.get(name, "integer" if field.annotation is int else "number")
        found.append({**control(name, told, kind, shown.get(name, ([], False))), "in_flight": name in IN_FLIGHT})
    return found


def python_lines(settings: Sequence[Mapping[str, Any]]) -> str:
    """The lines of Python that take the same steps: `settings` are those of the start and of each step."""
    first = settings[0]
    init = "DKLPS23_GAUSSIAN" if first["second_layer"] == "gaussian" else "DKLPS23"
    return "\n".join(_lines(first, init, settings[1:])) + "\n"


def _lines(first: Mapping[str, Any], init: str, steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "from giantstep.learners.engines import GiantStep, initial_state, take_step"
    yield f"from giantstep.learners.networks import {init}"
    yield "from giantstep.problems import Problem, Target"
    yield "from giantstep.streams import Streams"
    yield ""
    yield f"target, streams = Target({first['target']!r}), Streams({first['seed']})"
    start = f"{init}, {first['activation']!r}, {first['d']}, {first['neurons']}, target.directions"
    yield f'state = initial_state({start}, streams.child("network"))'
    taken = groupby((one["samples"], one["step"], one["noise"]) for one in steps)
    runs = " + ".join(f"[{setting!r}] * {len(list(same))}" for setting, same in taken)
    yield f"steps = {runs or []}  # samples, step, noise"
    yield "for number, (samples, step, noise) in enumerate(steps, 1):"
    yield f"    problem = Problem(target, {first['d']}, noise=noise)"
    yield f'    batch = problem.sample(samples, streams.child(f"step {{number}}"), dtype="{NUMBERS}")'
    yield "    state, seen = take_step(state, batch, GiantStep(step))"
    yield "    print(number, seen.residual_norm2)"
