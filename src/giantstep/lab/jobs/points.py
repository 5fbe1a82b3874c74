"""The point that a request asks for, and how the same point is had in the terminal and in Python."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from giantstep.claims import Axis, Claim, claim_class, claim_names, unknown_parameter
from giantstep.errors import InputError
from giantstep.lab.refusals import Refusal
from giantstep.studies import Study, point_of


def own_claim(name: str) -> type[Claim]:
    """The class of one of giantstep's own claims: others would have a module run because a request names it."""
    if name not in claim_names():
        try:
            claim_class(name.replace(":", "/"))
        except InputError as unknown:
            raise Refusal(str(unknown), "not found") from None
    return claim_class(name)


def asked_point(given: Mapping[str, Any]) -> Claim:
    """The claim `given["claim"]` at the parameters and preset that a request names."""
    cls = own_claim(given["claim"])
    parameters: Mapping[str, Any] = given.get("parameters", {})
    for name in parameters:
        if name not in cls.model_fields:
            raise Refusal(unknown_parameter(cls, name))
    try:
        return point_of(cls, parameters, given.get("preset", ""))
    except InputError as wrong:
        raise Refusal.of(wrong, tuple(cls.model_fields)) from None


def flags(values: Mapping[str, Any]) -> str:
    """Parameters as flags of a command, each with a blank before it."""
    return "".join(f" --{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in values.items())


def run_command(point: Claim, seeds: int | None = None, seed: int = 0) -> str:
    """The line for a terminal that simulates a point."""
    return f"giantstep run {point.name}{flags({**point.changed(), **_seeds(point, seeds, seed)})}"


def sweep_command(point: Claim, axes: Mapping[str, Any], seeds: int | None = None, seed: int = 0) -> str:
    """The line for a terminal that simulates a grid through a point."""
    fixed = {name: value for name, value in point.changed().items() if name not in axes}
    written = {name: axis_text(values) for name, values in axes.items()}
    return f"giantstep sweep {point.name}{flags({**fixed, **written, **_seeds(point, seeds, seed)})}"


def simulation_command(point: Claim, axes: Mapping[str, Any], seeds: int | None = None, seed: int = 0) -> str:
    """The line for a terminal that simulates a point, or a grid through it if there are axes."""
    return sweep_command(point, axes, seeds, seed) if axes else run_command(point, seeds, seed)


def verify_command(study: Study) -> str:
    """The line for a terminal that verifies a claim over its own views, from the seed of `study` on."""
    return f"giantstep verify {study.base.name}{flags(_given_seeds(study))}"


def verify_lines(study: Study) -> str:
    """The lines of Python that run a study of a claim's own views."""
    times = {"seeds_times": study.seeds_times} if study.seeds_times > 1 else {}
    made = f"giantstep.Study.of_views({_arguments(repr(study.base.name), {**_given_seeds(study), **times})})"
    return f"import giantstep\n\nresults = {made}.run()\nprint(results.verdict)\n"


def _given_seeds(study: Study) -> dict[str, int]:
    """How many seeds somebody asked for, and the first of them, where that is not what is taken anyway."""
    return {name: number for name, number in (("seeds", study.spec["seeds"]), ("seed", study.seed)) if number}


def axis_text(values: Any) -> str:
    """An axis as the terminal takes it."""
    return values if isinstance(values, str) else ",".join(map(str, values))


def python_lines(point: Claim, axes: Mapping[str, Any] | None = None, seeds: int | None = None, seed: int = 0) -> str:
    """The lines of Python that simulate a point, or a grid through it."""
    counted = _seeds(point, seeds, seed)
    made = f"giantstep.claim({_arguments(repr(point.name), point.changed())})"
    if not axes:
        run = f"point.run({_arguments('', counted)})"
        return f"import giantstep\n\npoint = {made}\nresults = {run}\nprint(results.verdict)\n"
    listed = {name: _axis_value(point, name, values) for name, values in axes.items()}
    study = f"giantstep.Study({_arguments('point', {**listed, **counted})})"
    return f"import giantstep\n\npoint = {made}\nresults = {study}.run()\nprint(results.verdict)\n"


def _axis_value(point: Claim, name: str, values: Any) -> str | list[Any]:
    """An axis as Python takes it: a range as its text, other values as a list of what they are, numbers as numbers."""
    if isinstance(values, str) and ":" in values:
        return values
    return [point.replace(**{name: value}).parameters()[name] for value in Axis.read(name, values).values]


def _seeds(point: Claim, seeds: int | None, seed: int) -> dict[str, int]:
    told = {} if seeds in (None, point.default_seeds) else {"seeds": seeds}
    return {name: number for name, number in {**told, "seed": seed}.items() if number}


def _arguments(first: str, values: Mapping[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{name}={value!r}" for name, value in values.items())])
