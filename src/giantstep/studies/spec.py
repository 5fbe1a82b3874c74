"""The specification of a study: the TOML file that says the same as a `giantstep sweep` line.

claim = "bes22/one-step-risk"
name = "risk-map"
seeds = 20

[parameters]
step = "0:8:17"
samples_per_dim = [1, 2, 4, 8]
activation = "tanh"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from giantstep.claims import Axis, claim_class, unknown_parameter
from giantstep.errors import InputError
from giantstep.studies.study import Study
from giantstep.studies.typed import as_typed, point_of

HEAD = {"claim": str, "name": str, "preset": str, "seeds": int, "seed": int, "parameters": dict}


def study_of(
    claim: str,
    parameters: Mapping[str, Any],
    *,
    preset: str = "",
    seeds: int | None = None,
    seed: int = 0,
    name: str = "",
    store: Path | None = None,
) -> Study:
    """The study that a line or a file describes: a parameter with one value is fixed, one with several is an axis.

    Args:
        claim: name of the claim, or `module:Class`.
        parameters: by name, as typed: a value, a list `1,2,4`, a range `0:8:17` or `log:0.01:100:5`.
        preset: the claim's preset from which parameters that are not given are taken.
        seeds: how many; the claim's own number if None.
        seed: the first of them.
        name: under which the study is kept; it is not kept if empty.
        store: the file that keeps it; the user's own if None.
    """
    cls = claim_class(claim)
    read: dict[str, Axis] = {}
    for parameter, text in parameters.items():
        if parameter not in cls.model_fields:
            raise InputError(unknown_parameter(cls, parameter))
        axis = Axis.read(parameter, text)
        if axis.scale == "list" or len(axis.values) == 1:  # other ranges are kept as they were written
            axis = Axis.read(parameter, [as_typed(cls, parameter, v) for v in axis.values])
        read[parameter] = axis
    fixed = {parameter: axis.values[0] for parameter, axis in read.items() if len(axis.values) == 1}
    base = point_of(cls, fixed, preset)
    axes = {parameter: axis for parameter, axis in read.items() if len(axis.values) > 1}
    return Study(base, seeds=seeds, seed=seed, name=name, store=store, **axes)


def read_spec(path: Path) -> dict[str, Any]:
    """The specification in the study file `path`, checked for its kinds: claim, name, preset, seeds, parameters."""
    try:
        spec = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the study file '{path}' cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"the study file '{path}' is not TOML: {error}") from None
    for word, value in spec.items():
        if word not in HEAD:
            raise InputError(f"'{word}' in '{path}' means nothing; a study file has: {', '.join(HEAD)}")
        if not isinstance(value, HEAD[word]) or isinstance(value, bool):
            kind = {str: "text", int: "a whole number", dict: "a table"}[HEAD[word]]
            raise InputError(f"'{word}' in '{path}' must be {kind}")
    if "claim" not in spec:
        raise InputError(
            f"the study file '{path}' names no claim; begin it with a line such as claim = \"bes22/weight-spike\""
        )
    return spec


def write_spec(study: Study, path: Path) -> None:
    """Write the `study` to `path`, as a TOML file that `giantstep sweep` reads."""
    spec = study.spec
    head: dict[str, Any] = {"claim": spec["claim"], "name": study.name, "seeds": spec["seeds"], "seed": spec["seed"]}
    lines = [f"{key} = {_toml(value)}" for key, value in head.items() if value not in ("", None)]
    lines += ["", "[parameters]"]
    lines += [f"{key} = {_toml(value)}" for key, value in {**spec["parameters"], **spec.get("axes", {})}.items()]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"the study file '{path}' cannot be written: {error.strerror}") from None


def _toml(value: Any) -> str:
    """A value as TOML; its strings and lists of numbers are those of JSON."""
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return f"{value:.1f}"
    return json.dumps(value, ensure_ascii=False)
