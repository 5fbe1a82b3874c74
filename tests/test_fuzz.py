"""What is exported, called with what nobody should give: an answer made of numbers, or one sentence."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import itertools
import pickle
import pkgutil
import random
import re
import time
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import giantstep as gs
from giantstep.errors import LONGEST, InputError
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.kernels import LocalLaw
from giantstep.learners.descents import ScaledNetwork
from giantstep.learners.engines import GiantStep
from giantstep.learners.networks import BES22, initialise
from giantstep.problems import InnerProductKernel
from giantstep.shapes import ENTRY, SHAPE
from giantstep.theory.dynamics import StaircasePath
from giantstep.theory.ridge.giant import RowLaw
from giantstep.theory.spectra import PolynomialSpikes
from giantstep.theory.structured import half_aligned, noise_alignment
from giantstep.theory.structured.flows import SpikedFlow, start_exponent, typical_start
from giantstep.verdicts.stating import Curve, number_text

CALLS = 12  # of each function and class
WRONG: list[Any] = [None, "a", "", -1, 0, True, 0.5, float("nan"), float("inf"), 1e308, 10**30, {}, [], "x1", "tanh"]
WRONG += [np.empty(0), np.full((2, 3), np.nan), np.ones(3), np.ones((2, 2)), np.array(["a"]), [[1.0], [2.0, 3.0]]]
WRONG += [-0.5, 1e-308, np.zeros((3, 0)), np.full(2, np.inf), -np.ones(4), 1j, object(), b"a", np.float64("nan")]

TARGET, TANH, STREAMS = gs.Target("x1 + He2(x1)"), gs.Activation("tanh"), gs.Streams(0)
PROBLEM = gs.Problem(TARGET, 4)
# What may be given where the annotation begins with this word: with it a wrong argument beside it comes further.
FITTING: dict[str, list[Any]] = {
    "Activation": [TANH],
    "Array": [np.linspace(0.1, 0.9, 4), np.ones((4, 4)), np.eye(4), np.arange(12.0).reshape(4, 3)],
    "ArrayLike": [0.5, np.linspace(0.1, 0.9, 4), [1.0, 2.0]],
    "Callable": [np.tanh],
    "GiantStep": [GiantStep(0.5)],
    "InnerProductKernel": [InnerProductKernel("exp")],
    "NDArray": [np.ones((4, 4)), np.linspace(0.1, 0.9, 4)],
    "Network": [initialise(BES22, "tanh", 4, 3, STREAMS)],
    "Problem": [PROBLEM],
    "Sample": [PROBLEM.sample(6, STREAMS)],
    "ScalarFunction": [TANH],
    "SpikedFlow": [SpikedFlow(gs.Target("He2(x1)"), gs.Activation("He2(z)"), 1.0, 0.5)],
    "Streams": [STREAMS],
    "Target": [TARGET, gs.Target("He3(x1)")],
    "bool": [True, False],
    "float": [0.1, 0.5, 2.0, 40.0],
    "int": [1, 2, 4, 7],
    "str": ["x1", "tanh"],
}


def packages() -> list[str]:
    """The rooms that people import from, and all packages in them that have a door."""
    names = ["giantstep"]
    for room in (
        "gaussian",
        "problems",
        "learners",
        "theory",
        "verdicts",
        "claims",
        "figures",
        "studies",
        "report",
        "estimators",
    ):
        module = importlib.import_module(f"giantstep.{room}")
        inner = [one.name for one in pkgutil.walk_packages(module.__path__, f"{module.__name__}.") if one.ispkg]
        names += [module.__name__, *(one for one in inner if importlib.import_module(one).__dict__.get("__all__"))]
    return [name for name in names if name != "giantstep.studies.children"]  # whose functions end processes


def exported(package: str) -> Iterator[tuple[str, Any]]:
    """The functions of a package, and the classes that can be made."""
    module = importlib.import_module(package)
    for name in sorted(set(getattr(module, "__all__", ()))):
        thing = getattr(module, name)
        is_made = isinstance(thing, type) and not issubclass(thing, BaseException) and not inspect.isabstract(thing)
        if is_made or inspect.isfunction(thing):
            yield name, thing


def parameters(function: Any) -> list[inspect.Parameter]:
    """The parameters that may be given by name."""
    if getattr(function, "_is_protocol", False):
        return []
    found = list(inspect.signature(function).parameters.values())
    if isinstance(function, EnumType):
        return found[:1]  # the others are those of `Enum` itself
    return [p for p in found if p.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)]


def drawn(parameter: inspect.Parameter, draw: random.Random, wrong: float) -> Any:
    """A wrong value with this probability, else one that fits if one is known."""
    word = re.match(r"\w*", str(parameter.annotation))
    fitting = FITTING.get(word[0] if word else "")
    return draw.choice(fitting if fitting and draw.random() > wrong else WRONG)


def holds(values: Any, test: Any, depth: int = 6) -> bool:
    """Whether one of the numbers in these values, or in the fields of a result, passes a test such as `np.isnan`."""
    if depth and isinstance(values, dict | list | tuple):
        return any(holds(one, test, depth - 1) for one in (values.values() if isinstance(values, dict) else values))
    if depth and dataclasses.is_dataclass(values) and not isinstance(values, type):
        means_it = re.search(r"\bnan\b", type(values).__doc__ or "", re.IGNORECASE)
        held = (getattr(values, one.name) for one in dataclasses.fields(values))
        return not means_it and any(holds(one, test, depth - 1) for one in held)
    return (
        isinstance(values, float | np.ndarray) and np.asarray(values).dtype.kind == "f" and bool(np.any(test(values)))
    )


def complaints(package: str, calls: int = CALLS) -> list[str]:
    """For each function the first call that is answered with a traceback, or NaN where no argument holds one."""
    found = []
    for name, function in exported(package):
        draw = random.Random(f"{package}.{name}")
        for number in range(calls):
            wrong = (1.0, 0.3, 0.1)[number % 3]  # all, some or hardly any
            asked = [p for p in parameters(function) if p.default is p.empty or draw.random() < 0.2]
            if not asked:
                continue
            given = {p.name: drawn(p, draw, wrong) for p in asked}
            told = f"{package}.{name}({', '.join(f'{k}={v!r}' for k, v in given.items())})"
            start = time.process_time()
            complaint = ""
            try:
                answer = function(**given)
                if inspect.isgenerator(answer):  # which begins when it is asked
                    answer = list(itertools.islice(answer, 3))
            except InputError as error:
                complaint = f"{len(str(error))} characters" if len(str(error)) > LONGEST else ""
            except Exception as error:
                complaint = f"{type(error).__name__}: {error}"
            else:
                complaint = "NaN" if holds(answer, np.isnan) and not holds(given, np.isnan) else ""
            if time.process_time() - start > 5.0:
                complaint = f"{time.process_time() - start:.0f} s"
            if complaint:
                found.append(f"{told}: {complaint}")
                break
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("package", packages())
def test_wrong_arguments_get_a_sentence(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a text may be the name of a file to write
    found = complaints(package)
    assert not found, "\n".join(found)


def test_a_sentence_names_the_parameter_what_was_given_and_what_is_allowed() -> None:
    for told, call in {
        "target must be a Target, such as Target('He2(x1)'), not None (in half_aligned)": lambda: half_aligned(
            None, 4, 8.0, "whitened"
        ),
        "which must be one of 'euclidean', 'whitened', not 'x' (in half_aligned)": lambda: half_aligned(
            TARGET, 4, 8.0, "x"
        ),
        "d must be a whole number of 1 or more, not 0 (in noise_alignment)": lambda: noise_alignment(0, 1.0),
        "theta must be a number, not nan (in noise_alignment)": lambda: noise_alignment(4, theta=float("nan")),
        "z must be a number or an array of numbers, none of them NaN, not 'a' (in hermite)": lambda: hermite(2, "a"),
    }.items():
        with pytest.raises(InputError, match=re.escape(told)):
            call()


def test_arguments_that_do_not_fit_together_are_told_with_the_reason() -> None:
    with pytest.raises(InputError, match=r"cannot use .* together") as caught:
        gs.learners.top_direction(np.ones(3))
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("told", "call"),
    {
        "second_layer must have the shape (m,), where m is 3 in weights, not (2,) (in ScaledNetwork)": (
            lambda: ScaledNetwork(TANH, np.eye(3), np.ones(2), 1.0)
        ),
        "weights must have the shape (m, d), not (3,) (in ScaledNetwork)": lambda: ScaledNetwork(
            TANH, np.ones(3), np.ones(3), 1.0
        ),
        "shared must have the shape (places, functions//2), where functions//2 is 2, not (1, 3) (in LocalLaw)": (
            lambda: LocalLaw(*[np.ones((1, 4))] * 3, np.ones((1, 3)))
        ),
        "covariance must have the shape (3, 3), not (3, 2) (in RowLaw)": lambda: RowLaw(1.0, 1.0, 1.0, np.ones((3, 2))),
        "grams must have the shape (T+1, p, p), where T+1 is 2 in overlaps, not (3, 1, 1) (in StaircasePath)": (
            lambda: StaircasePath(np.ones((2, 1, 1)), np.ones((3, 1, 1)), np.ones((2, 1, 1, 1, 1)))
        ),
        "values must be an array of numbers, none of them NaN": lambda: PolynomialSpikes(
            np.array([np.nan, 1.0]), 1.0, np.ones((2, 1)), 1.0
        ),
    }.items(),
    ids=lambda given: given.partition(" ")[0] if isinstance(given, str) else "",
)
def test_what_a_docstring_says_of_shapes_is_held_against_arrays(told: str, call: Any) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        call()


@pytest.mark.parametrize("package", packages())
def test_results_of_several_arrays_state_their_shapes(package: str) -> None:
    """By which arrays are checked when a result is made, unless it does so itself."""
    for name, thing in exported(package):
        if dataclasses.is_dataclass(thing) and not hasattr(thing, "__post_init__"):
            arrays = [f.name for f in dataclasses.fields(thing) if re.match("Array|NDArray", str(f.type))]
            told = {entry: SHAPE.search(f", {text}") for entry, text in ENTRY.findall(inspect.getdoc(thing) or "")}
            assert len(arrays) < 2 or all(told.get(one) for one in arrays), f"{name}: {arrays}"


def test_an_empty_curve_is_told() -> None:
    nothing = Curve(np.empty(0), np.empty(0), "time")
    assert repr(nothing) == "Curve(0 points, time)"
    assert number_text(nothing) == ""


def test_a_wrong_number_of_arguments_stays_pythons() -> None:
    with pytest.raises(TypeError, match="missing 1 required"):
        start_exponent(0.5)  # type: ignore[call-arg]


def test_what_the_callers_own_function_raises_stays_the_callers() -> None:
    def broken(z: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        gs.gaussian.quadrature.expect(broken)


@pytest.mark.parametrize("package", packages())
def test_what_is_exported_can_be_sent_to_another_process(package: str) -> None:
    for _, thing in exported(package):
        if inspect.isfunction(thing) or isinstance(thing, type):
            assert pickle.loads(pickle.dumps(thing)) is thing


def test_a_context_stays_a_context() -> None:
    with gs.studies.cluster_executor("") as executor:
        assert executor is None


def test_a_cached_function_keeps_its_cache() -> None:
    typical_start.cache_clear()
    flow = FITTING["SpikedFlow"][0]
    assert typical_start(flow, 16) == typical_start(flow, 16)
    assert typical_start.cache_info().hits == 1


def test_a_call_is_hardly_slower() -> None:
    """Measured 1 microsecond for two numbers; the fastest of several rounds, for the machine may be busy."""
    inner: Any = inspect.unwrap(start_exponent)

    def fastest(function: Any) -> float:
        def once() -> float:
            start = time.process_time()
            for _ in range(1000):
                function(0.5, 0.2)
            return (time.process_time() - start) / 1000

        return min(once() for _ in range(20))

    assert fastest(start_exponent) - fastest(inner) < 5e-6
