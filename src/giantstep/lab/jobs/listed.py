"""Which jobs there are, where each lives, and how what they give becomes JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

Tell: TypeAlias = Callable[[str, Any], None]
"""Called with the name of an event and its data while a job is at work."""
Job: TypeAlias = Callable[[dict[str, Any], Tell], Any]

# Each is loaded when it is first asked for: a worker that predicts need not know how to simulate.
JOBS = {
    "describe": "giantstep.lab.jobs.describing:describe",
    "check": "giantstep.lab.jobs.texts:check",
    "predict": "giantstep.lab.jobs.theory:predict",
    "simulate": "giantstep.lab.jobs.simulation:simulate",
    "analyze": "giantstep.lab.jobs.analysing:analyze",
    "study": "giantstep.lab.jobs.kept:study",
    "plan": "giantstep.lab.jobs.kept:plan",
    "verdict": "giantstep.lab.jobs.kept:verdict",
    "table": "giantstep.lab.jobs.kept:table_file",
    "start": "giantstep.lab.jobs.playing:start",
    "step": "giantstep.lab.jobs.playing:step",
}


def job_named(name: str) -> Job:
    """The job called `name`."""
    module, function = JOBS[name].split(":")
    found: Job = getattr(import_module(module), function)
    return found


def json_bytes(data: Any) -> bytes:
    """`data` as JSON; what is not a finite number becomes null."""
    try:
        return _dumped(data)
    except (TypeError, ValueError):  # a number that is not finite, or a key that is not text: rare, and slower
        return _dumped(_plain(data))


def _dumped(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return _plain(value.tolist())
    return [_plain(one) for one in value] if isinstance(value, list | tuple | set) else str(value)
