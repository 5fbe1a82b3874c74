"""What is exported, called with what nobody should give: an answer made of numbers, or one sentence."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
from typing import Any

import numpy as np
import pytest

import giantstep
from giantstep.errors import LONGEST, InputError

CALLS = 12  # of each function and class
WRONG: list[Any] = [None, "a", "", -1, 0, True, 0.5, float("nan"), float("inf"), 1e308, 10**30, {}, [], "x1", "tanh"]
WRONG += [np.empty(0), np.full((2, 3), np.nan), np.ones(3), np.ones((2, 2)), np.array(["a"]), [[1.0], [2.0, 3.0]]]

# Packages in which something still answers with a traceback of Python or NumPy: this set must shrink to nothing.
PENDING = {
    "giantstep.gaussian",
    "giantstep.gaussian.hermite",
    "giantstep.gaussian.kernels",
    "giantstep.gaussian.quadrature",
    "giantstep.gaussian.sphere",
    "giantstep.problems",
    "giantstep.problems.analysis",
    "giantstep.learners",
    "giantstep.learners.descents",
    "giantstep.learners.engines",
    "giantstep.learners.flows",
    "giantstep.learners.kernels",
    "giantstep.learners.meanfield",
    "giantstep.learners.networks",
    "giantstep.learners.sensing",
    "giantstep.learners.training",
    "giantstep.theory.dynamics",
    "giantstep.theory.gradient",
    "giantstep.theory.kernels",
    "giantstep.theory.meanfield",
    "giantstep.theory.ridge",
    "giantstep.theory.sensing",
    "giantstep.theory.spectra",
    "giantstep.theory.structured",
    "giantstep.theory.visibility",
    "giantstep.verdicts",
}


def packages() -> list[str]:
    """The rooms that people import from, and their packages."""
    names = ["giantstep"]
    for room in ("gaussian", "problems", "learners", "theory", "verdicts"):
        module = importlib.import_module(f"giantstep.{room}")
        inner = [i.name for i in pkgutil.iter_modules(module.__path__) if i.ispkg]
        names += [module.__name__, *(f"{module.__name__}.{name}" for name in inner)]
    return names


def required(function: Any) -> list[str]:
    """The parameters that must be given."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in parameters if p.kind in plain and p.default is p.empty]


def traceback_of(package: str, calls: int = CALLS) -> str:
    """The first call that is answered with a traceback, or with NaN for arguments that hold none; empty if none is."""
    module = importlib.import_module(package)
    for name in sorted(set(getattr(module, "__all__", ()))):
        function = getattr(module, name)
        if not callable(function) or (isinstance(function, type) and issubclass(function, BaseException)):
            continue
        draw = random.Random(f"{package}.{name}")
        names = required(function)
        for _ in range(calls if names else 0):
            given = {parameter: draw.choice(WRONG) for parameter in names}
            told = f"{package}.{name}({', '.join(f'{k}={v!r}' for k, v in given.items())})"
            try:
                found = function(**given)
            except InputError as error:
                if len(str(error)) > LONGEST:
                    return f"{told}: {len(str(error))} characters"
            except Exception as error:
                return f"{told}: {type(error).__name__}: {error}"
            else:
                if isinstance(found, float) and np.isnan(found) and "nan" not in told:
                    return f"{told} is NaN"
    return ""


@pytest.mark.parametrize("package", [p for p in packages() if p not in PENDING])
def test_wrong_arguments_get_a_sentence(package: str) -> None:
    assert not traceback_of(package)


@pytest.mark.parametrize("package", sorted(PENDING))
def test_what_is_pending_is_still_to_do(package: str) -> None:
    """A package that answers everything leaves the set."""
    assert traceback_of(package), f"{package} answers all: take it out of PENDING"


def test_the_rooms_are_there() -> None:
    assert set(packages()) >= PENDING
    assert giantstep.__name__ in packages()
