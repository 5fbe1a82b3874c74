"""Resolutions against numbers that can be worked out by hand, from mean m, allowance A, chance t e and prediction p."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.claims.toy import NoisyLevel

from giantstep.studies import Study
from giantstep.verdicts import Cell, Judgement, Resolution, judge, sharpness_of
from giantstep.verdicts.cells import chance_factor, mean_and_error
from giantstep.verdicts.stating import Allowance, Computed, Curve, Measurement, Prediction, Quantity, quantity

SEEN = [1.00, 1.01, 0.99, 1.005, 0.995, 1.0]  # of mean 1
MEAN, ERROR = (float(v) for v in mean_and_error(SEEN))  # type: ignore[arg-type]
CHANCE = chance_factor(len(SEEN)) * ERROR


def cell(predicted: float, values: list[float] = SEEN, size: int = 10) -> Cell:
    measurements = [Measurement({"v": v}) for v in values]
    return Cell(NoisyLevel(size=size), Prediction({"v": predicted}, "always"), measurements)


def judged(stated: Quantity, *cells: Cell) -> Judgement:
    return next(j for j in judge([stated], cells).judgements if j.key != "told")


def resolution(stated: Quantity, *cells: Cell) -> Resolution:
    found = judged(stated, *cells)
    assert found.status == "holds"
    assert found.resolution is not None
    return found.resolution


def near(number: float) -> object:
    return pytest.approx(number, rel=2e-3)


@pytest.mark.parametrize("predicted", [1.0, 1.03, 0.98, -1.0])
def test_an_absolute_allowance(predicted: float) -> None:
    """Too high by e, the prediction is p + e |p|: it fails from A + t e on, measured from the mean."""
    values = [v * np.sign(predicted) for v in SEEN]
    found = resolution(quantity.equal("v", Allowance(0.05), "toy"), cell(predicted, values))
    further = abs(predicted) - MEAN  # how far the prediction is out already
    assert found.kind == "relative"
    assert found.up == near((0.05 + CHANCE - further) / abs(predicted))
    assert found.down == near((0.05 + CHANCE + further) / abs(predicted))
    assert found.size == max(found.up, found.down)


def test_an_allowance_that_grows_with_the_prediction_is_asked_anew() -> None:
    found = resolution(quantity.equal("v", Allowance(0.1, of="prediction"), "toy"), cell(1.0))
    assert found.up == near((1 + CHANCE) / 0.9 - 1)  # p (1 + e) (1 - 0.1) = m + t e
    assert found.down == near(1 - (1 - CHANCE) / 1.1)


def test_an_allowance_wider_than_the_prediction_never_notices_one_too_high() -> None:
    found = resolution(quantity.equal("v", Allowance(1.5, of="prediction"), "toy"), cell(1.0))
    assert found.up == float("inf")
    assert found.down == near(1 - (1 - CHANCE) / 2.5)
    assert found.to_dict() == {"up": None, "down": found.down, "kind": "relative"}
    assert str(found) == "only -61 %"
    assert found.in_words() == "would notice a theory 61 % too low, but none too high"


def test_an_allowance_that_divides_by_the_prediction_allows_anything_at_none() -> None:
    stated = quantity.equal("v", Computed(lambda _, predicted: 1.2 / predicted**2, "toy"), "toy")
    found = resolution(stated, cell(1.0))
    assert found.up < 1
    assert found.down > 1, "at 0, where the allowance breaks down, nothing is noticed"


def test_a_prediction_of_nothing_is_shifted() -> None:
    values = [v - 1 for v in SEEN]
    found = resolution(quantity.equal("v", Allowance(0.05), "toy"), cell(0.0, values))
    assert found.kind == "absolute"
    assert (found.up, found.down) == (near(0.05 + CHANCE), near(0.05 + CHANCE))
    rounding = resolution(quantity.equal("v", Allowance(0.05), "toy"), cell(1e-17, values))
    assert rounding == found


@pytest.mark.parametrize(("bound", "factor"), [(0.5, 2), (0.01, 100)])
def test_bounds_are_kept_by_a_factor(bound: float, factor: float) -> None:
    least = resolution(quantity.at_least("v", Allowance(0.1, of="prediction"), "toy"), cell(bound))
    assert least.kind == "factor"
    assert least.up == near(factor * (1 + CHANCE) / 0.9)
    assert least.down == float("inf")
    assert least.size == least.up
    most = resolution(quantity.at_most("v", Allowance(0.05), "toy"), cell(1 / bound))
    assert most.down == near(factor / (1 - CHANCE - 0.05))
    assert most.up == float("inf")


def test_bounds_of_nothing_have_a_margin() -> None:
    found = resolution(quantity.at_least("v", Allowance(0.0), "toy"), cell(0.0))
    assert (found.kind, found.up, found.down) == ("margin", near(1 + CHANCE), float("inf"))
    assert str(found) == "margin 1"


def test_a_curve_is_scaled_as_a_whole() -> None:
    """The largest value notices first, if the allowance is the same everywhere."""
    x = np.array([0.0, 1.0, 2.0])
    measured = [Measurement({"v": Curve(x, x * v, "time")}) for v in SEEN]
    theory = Prediction({"v": Curve(x, x, "time")}, "always")
    found = resolution(quantity.equal("v", Allowance(0.1), "toy"), Cell(NoisyLevel(), theory, measured))
    assert found.up == near((0.1 + chance_factor(6, 3) * 2 * ERROR) / 2)


def test_predictions_for_draws_are_wrong_together_with_the_limit() -> None:
    draws = np.array([2.9, 3.0, 3.0, 3.1, 2.95, 3.05])
    measured = [Measurement({"v": d}, finite={"v": d}) for d in draws]
    pairs = Cell(NoisyLevel(), Prediction({}, "always"), measured)
    found = resolution(quantity.equal("v", Allowance(0.3), "toy", against="finite"), pairs)
    spread = chance_factor(6) * float(mean_and_error(list(draws))[1])  # type: ignore[arg-type]
    assert found.up == near(0.3 / (3.0 - spread))  # 3 e = 0.3 + t (e spread)
    assert found.down == found.up
    limit = replace(pairs, prediction=Prediction({"v": 3.0 + spread}, "always"))
    both = resolution(quantity.equal("v", Allowance(0.3), "toy", against="finite"), limit)
    assert both.up == near(0.3 / (3 + spread))  # chance is used up by the limit already
    assert both.down == found.down


def test_exponents_are_shifted() -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, (3, 8))
    rows = zip([10, 20, 40], noise, strict=True)
    cells = [cell(0.0, [float(size**2 * np.exp(e)) for e in row], size) for size, row in rows]
    stated = quantity.slope("v", "size", 2.0, 0.1, "toy")
    line = judged(stated, *cells)
    assert line.resolution is not None
    assert isinstance(line.stderr, float)
    assert isinstance(line.gap, float)
    chance = chance_factor(8, 3) * line.stderr
    assert line.resolution.kind == "absolute"
    assert line.resolution.up == near(0.1 + chance + line.gap)
    assert line.resolution.down == near(0.1 + chance - line.gap)


def test_a_trend_sees_a_step_back_that_is_beyond_chance_at_every_place() -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, (3, 8))
    noise[2] *= 5
    cells = [cell(0.0, [level + e for e in row], level) for level, row in zip([1, 2, 4], noise, strict=True)]
    line = judged(quantity.increasing("v", "size", "toy"), *cells)
    assert line.resolution is not None
    assert isinstance(line.measured, float)
    steps = np.diff([c.values_of("v") for c in cells], axis=0)
    errors = steps.std(axis=1, ddof=1) / np.sqrt(8)
    assert line.resolution.kind == "reversal"
    assert line.resolution.size == near(chance_factor(8, 3 * 2) * errors.max() / line.measured)
    assert "of the whole change" in line.resolution.in_words()


def test_what_does_not_hold_or_count_has_none() -> None:
    stated = quantity.equal("v", Allowance(0.05), "toy")
    for known in (cell(1.2), cell(1.0, [1.0]), cell(1.0, [1.0, np.nan]), cell(1.0, [0.0, 2.0, 1.0, -1.0, 3.0, 1.0])):
        assert judged(stated, known).status != "holds"
        assert judged(stated, known).resolution is None
    assert judged(quantity.reported("v"), cell(1.0)).resolution is None


def test_a_noisy_measurement_is_blunt_though_soon_undecided() -> None:
    """Close to undecided, a prediction slightly lower is no longer called agreement; that is no sharpness."""
    stated = quantity.equal("v", Allowance(0.0), "toy")
    noisy = [1 + 0.249 / CHANCE * (v - 1) for v in SEEN]
    found = resolution(stated, cell(1.0, noisy))
    assert judged(stated, cell(0.99, noisy)).status == "undecided"
    assert found.down == near(0.249)


def test_more_places_share_chance_and_are_blunter() -> None:
    stated = quantity.equal("v", Allowance(0.0), "toy")
    alone, among = resolution(stated, cell(1.0)), resolution(stated, cell(1.0), cell(1.0, size=20))
    assert among.up > 1.05 * alone.up


def test_a_quantity_is_as_sharp_as_at_its_sharpest_place() -> None:
    stated = quantity.equal("v", Allowance(0.05), "toy")
    two = [cell(1.0), cell(10.0, [10 * v for v in SEEN], size=20)]
    found = sharpness_of(judge([stated], two).judgements)
    assert found.judged == 1
    chance = chance_factor(6, 2)
    assert found.resolutions["v"].up == near(min(0.05 + chance * ERROR, 0.005 + chance * ERROR))
    mixed = sharpness_of(judge([stated], [cell(1.0), cell(0.0, [v - 1 for v in SEEN], size=20)]).judgements)
    assert mixed.resolutions["v"].kind == "relative"


def test_sharpness_tells_median_and_bluntest() -> None:
    results = Study.of_views(NoisyLevel()).run(workers=1)
    sharpness = results.sharpness()
    assert sharpness.judged == 5
    assert sharpness.bluntest() == "wave"
    assert str(sharpness).startswith("median 4.3 %, bluntest wave 6.6 %; power (slope in size) 0.1")
    assert sharpness.in_words().startswith("This would notice a theory off by 4.3 % (the median of 2 quantities; ")
    assert "wave" in sharpness._repr_html_()
    assert sharpness.in_words() in results._repr_html_()
    record = json.loads(json.dumps(results.to_dict(), allow_nan=False))
    assert record["sharpness"]["median"] == sharpness.median
    level = record["quantities"]["level"]["resolution"]
    assert level["kind"] == "relative"
    assert level["up"] == pytest.approx(level["down"], rel=0.01)
    assert level["up"] > 0.05 / 2
    assert record["quantities"]["extra"]["resolution"] is None
    points = json.loads(json.dumps(results.study_dict(), allow_nan=False))["points"]
    assert {point["quantities"]["wave"]["resolution"]["kind"] for point in points} == {"relative"}


@pytest.mark.parametrize(
    ("found", "short", "words"),
    [
        (Resolution(0.031, 0.031, "relative"), "3.1 %", "would notice a theory off by 3.1 %"),
        (Resolution(12, np.inf, "factor"), "factor 12, loose", "would notice a bound 12 times as tight: it is loose"),
        (Resolution(2.5, np.inf, "factor"), "factor 2.5", "would notice a bound 2.5 times as tight"),
        (Resolution(np.inf, np.inf, "relative"), "> 1000 %", "would not notice a theory off by 1000 %"),
        (Resolution(np.inf, np.inf, "absolute"), "nothing", "would not notice a theory off, however far"),
        (Resolution(0.1, 0.2, "absolute"), "+0.1 / -0.2", "off by 0.2 (0.1 too high, 0.2 too low)"),
        (Resolution(0.3, 0.3, "reversal"), "30 %", "would notice a step back of 30 % of the whole change"),
    ],
)
def test_a_resolution_tells_itself(found: Resolution, short: str, words: str) -> None:
    assert str(found) == short
    assert words in found.in_words()


@pytest.mark.parametrize("values", [SEEN, [value - 2 for value in SEEN]])
def test_a_bound_of_an_exponent_is_kept_by_a_difference(values: list[float]) -> None:
    """An exponent below 0 would keep any bound above by any factor."""
    found = judged(quantity.at_most("v", Allowance(0.0), "toy", is_exponent=True), cell(1.5, values)).resolution
    assert found is not None
    assert found.kind == "margin"
    assert found.size == pytest.approx(1.5 - np.mean(values) + CHANCE, rel=5e-3)
