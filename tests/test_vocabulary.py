"""One vocabulary: what is the same thing has the same name in every signature, and comes in the same order."""

from __future__ import annotations

import enum
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from giantstep.claims import claim_class, claim_names

SOURCE = Path(__file__).parent.parent / "src" / "giantstep"
PACKAGES = sorted(".".join(("giantstep", *p.parent.relative_to(SOURCE).parts)) for p in SOURCE.rglob("__init__.pyi"))

ORDER = ("target", "activation", "d", "samples", "neurons", "step", "steps", "ridge", "noise", "streams")
INSTEAD = {
    "dim": "d",
    "dimension": "d",
    "n": "samples",
    "num_samples": "samples",
    "n_samples": "samples",
    "p": "neurons",
    "N": "neurons",
    "width": "neurons",
    "widths": "neurons",
    "hidden": "neurons",
    "eta": "step",
    "lr": "step",
    "learning_rate": "step",
    "step_size": "step",
    "iterations": "steps",
    "max_steps": "steps",
    "lam": "ridge",
    "lamb": "ridge",
    "penalty": "ridge",
    "penalties": "ridge",
    "ridges": "ridge",
    "shift": "ridge",
    "shifts": "ridge",
    "regularization": "ridge",
    "sigma": "noise or activation",
    "noise_level": "noise",
    "label_noise": "noise",
    "rng": "streams",
    "random_state": "streams",
    "generator": "streams",
}
"""Names that nobody would guess, and the word of the vocabulary for the same thing. Inside a function they are fine."""

OTHER_THINGS = {
    ("Inputs.draw", "generator"): "continues the stream of one block: a second block of the same streams is the first",
    ("Correlated.draw", "generator"): "see Inputs.draw",
    ("Isotropic.draw", "generator"): "see Inputs.draw",
    ("ParityInputs.draw", "generator"): "see Inputs.draw",
    ("Spiked.draw", "generator"): "see Inputs.draw",
    ("kernel_floor", "dimension"): "of a space of functions; that of the inputs is d",
    ("FokkerPlanck", "width"): "of a cell of a grid",
    ("diagnose", "random_state"): "as scikit-learn calls it: a table and its label go beside its estimators",
}
"""Where such a name is another thing, and what it is."""
SCIKIT = ("random_state",)


def callables(package: str) -> Iterator[tuple[str, Any]]:
    """Functions and classes that a package exports, and the public methods of these, by their names."""
    room = importlib.import_module(package)
    for name in room.__all__:
        thing = getattr(room, name)
        if inspect.isfunction(inspect.unwrap(thing)):
            yield name, thing
        if not inspect.isclass(thing) or issubclass(thing, enum.Enum | Exception):
            continue
        if not getattr(thing, "_is_protocol", False) and not hasattr(thing, "model_fields"):
            yield name, thing
        for method, code in list(vars(thing).items()):
            function = getattr(code, "__func__", code)
            if inspect.isfunction(function) and not method.startswith("_"):
                yield f"{name}.{method}", function


def by_position(thing: Any) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in inspect.signature(thing).parameters.items() if parameter.kind in kinds]


def is_scikit(thing: Any, word: str) -> bool:
    """scikit-learn has words of its own, which its users know: its classes use those."""
    return hasattr(thing, "get_params") and word in SCIKIT


@pytest.mark.parametrize("package", PACKAGES)
def test_one_name_for_one_thing(package: str) -> None:
    found = [
        f"{name}({word}=...) should say {INSTEAD[word]}"
        for name, thing in callables(package)
        for word in inspect.signature(thing).parameters
        if word in INSTEAD and (name, word) not in OTHER_THINGS and not is_scikit(thing, word)
    ]
    assert not found, f"{'; '.join(found)}; if it is another thing, OTHER_THINGS here is the place to say which"


@pytest.mark.parametrize("package", PACKAGES)
def test_one_order_of_parameters(package: str) -> None:
    wrong = {}
    for name, thing in callables(package):
        words = [word for word in by_position(thing) if word in ORDER]
        if words != sorted(words, key=ORDER.index):
            wrong[name] = words
    assert not wrong, f"parameters that are given by position come in the order {', '.join(ORDER)}: {wrong}"


@pytest.mark.parametrize("claim", claim_names())
def test_parameters_of_claims_have_the_same_names(claim: str) -> None:
    wrong = {word: INSTEAD[word] for word in claim_class(claim).model_fields if word in INSTEAD}
    assert not wrong, f"a parameter that means the same in every claim has one name, found and wanted: {wrong}"


def test_every_exception_is_needed() -> None:
    there = {(name, word) for p in PACKAGES for name, f in callables(p) for word in inspect.signature(f).parameters}
    assert set(OTHER_THINGS) <= there, f"of nobody any more: {set(OTHER_THINGS) - there}"


SQUARED_OVERLAPS = {
    "spectral/threshold": "this literature calls the squared cosine the overlap; each help text says 'squared'",
    "spectral/inverse-regression": "see spectral/threshold",
}


@pytest.mark.parametrize("name", claim_names())
def test_an_overlap_is_a_cosine_and_an_alignment_its_square(name: str) -> None:
    told: dict[str, str] = {}  # a trend of a quantity need not tell again what it is
    for quantity in claim_class(name)().stated():
        told[quantity.name] = f"{told.get(quantity.name, '')} {quantity.help} {quantity.symbol}"
    for quantity, words in told.items():
        is_square = "squared" in words or "^2" in words
        if quantity.endswith("overlap") and name in SQUARED_OVERLAPS:
            assert all(word in words for word in ("squared", "^2")), (
                f"'{quantity}' of {name} must say that it is squared"
            )
        elif quantity.endswith("overlap"):
            assert not is_square, f"'{quantity}' of {name} is a square: call it an alignment"
        elif quantity.endswith("alignment"):
            assert is_square, f"'{quantity}' of {name} does not say that it is a square; a cosine is an overlap"
