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
from giantstep.verdicts.stating import Curve, Run


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


ROOM = Path(giantstep.claims.__file__).parent
FOLDERS = sorted({file.parent for file in ROOM.glob("*/*.py")})
LONGEST = 250


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_of_claims_is_a_package_of_short_files(folder: Path) -> None:
    """Claims are found by their files; a folder without `__init__.py` is not looked into."""
    assert (folder / "__init__.py").exists(), f"{folder.name} needs an __init__.py, or its claims are not found"
    for file in folder.glob("*.py"):
        lines = len(file.read_text().splitlines())
        assert lines <= LONGEST, f"{file.name} has {lines} lines; beyond {LONGEST} it holds theory or learners"


@pytest.mark.parametrize("name", claim_names())
def test_what_is_stated_is_predicted_and_measured(name: str) -> None:
    point = tiny(claim_class(name))
    measured = point.measure(Run(Streams(3)))
    prediction = point.predict()
    names = {q.name for q in point.stated()}
    unknown = (set(measured.values) | set(measured.finite)) - names
    assert not unknown, f"measured but not among the quantities: {', '.join(sorted(unknown))}"
    for quantity in point.stated():
        if quantity.relation == "reported" or not quantity.speaks_at(point):
            continue
        assert quantity.name in measured.values, f"{quantity.name} is stated but not measured"
        if not quantity.is_along_an_axis:
            predicted = measured.finite if quantity.against == "finite" else prediction.values
            assert quantity.name in predicted, f"{quantity.name} is stated but not predicted"


@pytest.mark.slow
@pytest.mark.parametrize("name", claim_names())
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(name: str) -> None:
    point = tiny(claim_class(name))
    first, again, other = (point.measure(Run(Streams(seed), threads)) for seed, threads in ((5, 1), (5, 2), (6, 1)))
    for key, value in first.values.items():
        same = np.array_equal(value.y, again.values[key].y) if isinstance(value, Curve) else value == again.values[key]
        assert same, f"{key}: one seed must give one number, with one thread and with two; draw from run.streams alone"
    differs = any(not is_close(first.values[k], other.values[k]) for k in first.values)
    assert differs, "another seed gives the same numbers: does measure draw from run.streams?"


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in claim_names() if claim_class(n).path_parameters()])
def test_a_path_gives_what_single_points_give(name: str) -> None:
    point = tiny(claim_class(name))
    for parameter in point.path_parameters():
        views = [v for v in point.views if isinstance(v, view.Curve) and v.x == parameter]
        drawn = views[0].x_axis.values if views else [getattr(point, parameter)]
        middle = len(drawn) // 2  # the last ones may ask for more samples than a tiny point has
        values = drawn[max(0, middle - 1) : middle + 1]
        cells = Study(point, seeds=1, **{parameter: values}).run(workers=1).cells
        for cell in cells:
            alone = cell.point.measure(Run(Streams(0)))
            same = all(is_close(cell.measurements[0].values[k], alone.values[k]) for k in alone.values)
            assert same, f"along the path of {parameter} measure_path gives other numbers than at the point alone"


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
            finite = all(np.isfinite(v).all() for v in values)
            assert finite, f"{parameter} = {about[bound]} predicts what is no number: bound it or refuse it"


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


@pytest.mark.parametrize("name", claim_names())
def test_every_allowance_tells_itself(name: str) -> None:
    """Write it as an `Allowance`, or give the function a docstring that begins with what it allows."""
    for quantity in claim_class(name)().stated():
        for rule in (quantity.allowance, quantity.limit):
            assert rule is None or rule.in_words(), f"the allowance of {quantity.name} says nothing"
