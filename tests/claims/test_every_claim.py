"""What must be true of every claim, whoever writes it: tried at a tiny size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import giantstep.claims
from giantstep.claims import Claim, claim_class, claim_names, described, view
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts import Curve, Run


def tiny(cls: type[Claim]) -> Claim:
    """The claim at the smallest size at which all claims make sense."""
    try:
        return cls(d=32) if "d" in cls.model_fields else cls()
    except InputError as error:
        pytest.fail(f"{cls.info.name} must make sense at d = 32 with its other defaults, where tests try it: {error}")


def is_close(a: Any, b: Any) -> bool:
    if isinstance(a, Curve):
        return bool(np.allclose(a.x, b.x) and np.allclose(a.y, b.y, rtol=1e-8, atol=1e-10))
    return bool(np.isclose(a, b, rtol=1e-8, atol=1e-10))


def test_every_folder_of_claims_is_a_package() -> None:
    """Claims are found by their files; a folder without `__init__.py` is not looked into."""
    for file in Path(giantstep.claims.__file__).parent.glob("*/*.py"):
        assert (file.parent / "__init__.py").exists(), (
            f"{file.parent.name} needs an __init__.py, or {file.stem} is not found"
        )


@pytest.mark.parametrize("name", claim_names())
def test_what_is_stated_is_predicted_and_measured(name: str) -> None:
    point = tiny(claim_class(name))
    measured = point.measure(Run(Streams(3)))
    prediction = point.predict()
    names = {q.name for q in point.stated()}
    assert set(measured.values) <= names, "measured but not declared"
    assert set(measured.finite) <= names, "predicted for the draw but not declared"
    for quantity in point.stated():
        if quantity.relation == "reported" or not quantity.speaks_at(point):
            continue
        assert quantity.name in measured.values
        if not quantity.is_along_an_axis:
            assert quantity.name in (measured.finite if quantity.against == "finite" else prediction.values)


@pytest.mark.slow
@pytest.mark.parametrize("name", claim_names())
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(name: str) -> None:
    point = tiny(claim_class(name))
    first, again, other = (point.measure(Run(Streams(seed), threads)) for seed, threads in ((5, 1), (5, 2), (6, 1)))
    for key, value in first.values.items():
        same = np.array_equal(value.y, again.values[key].y) if isinstance(value, Curve) else value == again.values[key]
        assert same, key
    assert any(not is_close(first.values[k], other.values[k]) for k in first.values)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in claim_names() if claim_class(n).path_parameters()])
def test_a_path_gives_what_single_points_give(name: str) -> None:
    point = tiny(claim_class(name))
    for parameter in point.path_parameters():
        views = [v for v in point.views if isinstance(v, view.Curve) and v.x == parameter]
        values = views[0].x_axis.values[-2:] if views else [getattr(point, parameter)] * 1
        cells = Study(point, seeds=1, **{parameter: values}).run(workers=1).cells
        for cell in cells:
            alone = cell.point.measure(Run(Streams(0)))
            assert all(is_close(cell.measurements[0].values[k], alone.values[k]) for k in alone.values), parameter


@pytest.mark.slow
@pytest.mark.parametrize("name", claim_names())
def test_every_bound_of_a_parameter_gives_a_sentence_or_a_finite_prediction(name: str) -> None:
    cls = claim_class(name)
    for parameter, about in described(cls)["parameters"].items():
        for bound in ("minimum", "maximum"):
            if bound not in about:
                continue
            try:
                prediction = cls(**{parameter: about[bound]}).predict()
            except InputError:
                continue
            values = [v.y if isinstance(v, Curve) else v for v in prediction.values.values()]
            assert all(np.isfinite(v).all() for v in values), (parameter, about[bound])


@pytest.mark.parametrize("name", claim_names())
def test_a_claim_describes_itself(name: str) -> None:
    cls = claim_class(name)
    facts = described(cls)
    statement = facts["statement"]
    assert len(statement) <= 130, f"the docstring's first paragraph has {len(statement)} characters, more than 130"
    assert statement.endswith("."), "the docstring's first paragraph is the statement: a sentence with its full stop"
    for parameter, about in facts["parameters"].items():
        assert about["help"], f"say what the parameter {parameter} is"
    for quantity, about in facts["quantities"].items():
        assert about["finite_size"] or about["relation"] == "reported", f"say what finite size does to {quantity}"
    assert cls().predict().regime, "a prediction says in which regime it holds"
    assert cls().cost().flops > 0
    assert cls().cost().bytes > 0
    assert cls.views, "views are what verify runs and draws: give at least one"
    for preset in cls.presets:
        cls.preset(preset).predict()


UNTOLD = {"deep-linear", "dklps23", "dls22", "lazy", "meanfield", "sensing", "structured"}
"""Folders with allowances that are still functions without words."""


@pytest.mark.parametrize("name", [name for name in claim_names() if name.split("/")[0] not in UNTOLD])
def test_every_allowance_tells_itself(name: str) -> None:
    """Write it as an `Allowance`, or give the function a docstring that begins with what it allows."""
    for quantity in claim_class(name)().stated():
        for rule in (quantity.allowance, quantity.limit):
            assert rule is None or rule.in_words(), f"the allowance of {quantity.name} says nothing"
