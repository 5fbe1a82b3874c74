"""A study as words: the TOML file that says the same as a `giantstep sweep` line.

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

from giantstep.claims import Axis, Claim, claim_class, unknown_parameter
from giantstep.errors import InputError
from giantstep.studies.study import Study

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
    """The study that these words describe: a parameter with one value is fixed, one with several is an axis."""
    cls = claim_class(claim)
    read: dict[str, Axis] = {}
    for parameter, text in parameters.items():
        if parameter not in cls.model_fields:
            raise InputError(unknown_parameter(cls, parameter))
        axis = Axis.read(parameter, text)
        if axis.scale == "list" or len(axis.values) == 1:  # other ranges are kept as they were written
            axis = Axis.read(parameter, [whole_number(cls, parameter, v) for v in axis.values])
        read[parameter] = axis
    fixed = {parameter: axis.values[0] for parameter, axis in read.items() if len(axis.values) == 1}
    base = cls.preset(preset, **fixed) if preset else cls(**fixed)
    axes = {parameter: axis for parameter, axis in read.items() if len(axis.values) > 1}
    return Study(base, seeds=seeds, seed=seed, name=name, store=store, **axes)


def whole_number(cls: type[Claim], name: str, value: Any) -> Any:
    """A parameter as typed: whole numbers may be written 1e5."""
    if cls.model_fields[name].annotation is int and isinstance(value, str | float):
        try:
            number = float(value)
            return int(number) if number == int(number) else value
        except (ValueError, OverflowError):
            return value
    return value


def read_words(path: Path) -> dict[str, Any]:
    """The words of a study file, checked for their kinds."""
    try:
        words = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the study file '{path}' cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"the study file '{path}' is not TOML: {error}") from None
    for word, value in words.items():
        if word not in HEAD:
            raise InputError(f"'{word}' in '{path}' means nothing; a study file has: {', '.join(HEAD)}")
        if not isinstance(value, HEAD[word]) or isinstance(value, bool):
            kind = {str: "text", int: "a whole number", dict: "a table"}[HEAD[word]]
            raise InputError(f"'{word}' in '{path}' must be {kind}")
    if "claim" not in words:
        raise InputError(
            f"the study file '{path}' names no claim; begin it with a line such as claim = \"bes22/weight-spike\""
        )
    return words


def write_words(study: Study, path: Path) -> None:
    """Write the study as a file that `giantstep sweep` reads."""
    words = study.words
    head: dict[str, Any] = {"claim": words["claim"], "name": study.name, "seeds": words["seeds"], "seed": words["seed"]}
    lines = [f"{key} = {_toml(value)}" for key, value in head.items() if value not in ("", None)]
    lines += ["", "[parameters]"]
    lines += [f"{key} = {_toml(value)}" for key, value in {**words["parameters"], **words.get("axes", {})}.items()]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"the study file '{path}' cannot be written: {error.strerror}") from None


def _toml(value: Any) -> str:
    """A value as TOML; its strings and lists of numbers are those of JSON."""
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return f"{value:.1f}"
    return json.dumps(value, ensure_ascii=False)
