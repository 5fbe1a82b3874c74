"""The judge: three statuses, each reached for the right reason."""

from __future__ import annotations

import numpy as np
import pytest
from tests.claims.toy import NoisyLevel

from giantstep.studies import Study
from giantstep.verdicts import Cell, judge, tally
from giantstep.verdicts.at_points import judge_point
from giantstep.verdicts.cells import chance_factor, mean_and_error
from giantstep.verdicts.stating import Allowance, Curve, Measurement, Prediction, quantity


def cell(values: list[float], predicted: float, size: int = 10) -> Cell:
    point = NoisyLevel(size=size)
    return Cell(point, Prediction({"v": predicted}, "always"), [Measurement({"v": v}) for v in values])


CLOSE = [1.00, 1.01, 0.99, 1.005, 0.995, 1.0]


def test_holds_within_the_allowance() -> None:
    verdict = judge([quantity.equal("v", Allowance(0.05), "toy")], [cell(CLOSE, 1.03)])
    assert verdict.status == "holds"
    assert verdict.sentence.startswith("v 1 ± 0.0029, predicted 1.03, gap -2.9 %: holds")


def test_fails_beyond_allowance_and_chance() -> None:
    assert judge([quantity.equal("v", Allowance(0.05), "toy")], [cell(CLOSE, 1.2)]).status == "fails"


def test_undecided_when_chance_alone_decides() -> None:
    noisy = [0.0, 2.0, 1.0, -1.0, 3.0, 1.0]
    assert judge([quantity.equal("v", Allowance(0.05), "toy")], [cell(noisy, 1.0)]).status == "undecided"


def test_one_seed_decides_nothing() -> None:
    assert judge([quantity.equal("v", Allowance(0.05), "toy")], [cell([1.0], 1.0)]).status == "undecided"


def test_not_a_number_fails() -> None:
    assert judge([quantity.equal("v", Allowance(0.05), "toy")], [cell([1.0, np.nan], 1.0)]).status == "fails"
    unknown = quantity.equal("v", lambda point, predicted: np.nan, "an allowance that is no number excuses nothing")
    assert judge([unknown], [cell([1.0, 1.01, 0.99], 1.0)]).status == "fails"


def test_nothing_measured_is_undecided() -> None:
    stated, stopped = quantity.equal("v", Allowance(0.05), "toy"), cell([], 1.0)
    assert judge([stated], [stopped]).status == "undecided"
    told = judge_point(stopped, stated)
    assert told is not None
    assert (told.status, told.sentence) == ("undecided", "v was not measured yet: undecided")


@pytest.mark.parametrize(("bound", "status"), [(0.5, "holds"), (1.5, "fails")])
def test_bounds(bound: float, status: str) -> None:
    assert judge([quantity.at_least("v", Allowance(0.0), "toy")], [cell(CLOSE, bound)]).status == status
    assert judge([quantity.at_most("v", Allowance(0.0), "toy")], [cell(CLOSE, 2.0 - bound)]).status == status


def test_a_bound_touched_by_a_noisy_measurement_is_undecided() -> None:
    noisy = [0.0, 2.0, 1.0, -1.0, 3.0, 1.0]
    assert judge([quantity.at_least("v", Allowance(0.0), "toy")], [cell(noisy, 1.0)]).status == "undecided"
    assert judge([quantity.at_least("v", Allowance(0.0), "toy")], [cell(CLOSE, 1.0)]).status == "holds"


def test_paired_comparison_uses_the_error_of_differences() -> None:
    draws = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
    measurements = [Measurement({"v": d + 0.01}, finite={"v": d}) for d in draws]
    pairs = Cell(NoisyLevel(), Prediction({"v": 3.0}, "always"), measurements)
    judged = judge_point(pairs, quantity.equal("v", Allowance(0.02), "toy", against="finite"))
    assert judged is not None
    assert judged.status == "holds"
    assert judged.gap_error == pytest.approx(0.0, abs=1e-12)
    assert judged.gap_finite == pytest.approx(0.01)
    assert judged.predicted_finite == pytest.approx(3.0)


@pytest.mark.parametrize(("power", "status"), [(2.0, "holds"), (1.5, "fails")])
def test_exponents(power: float, status: str) -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, (3, 8))
    cells = [
        cell([float(size**power * np.exp(e)) for e in row], 0.0, size)
        for size, row in zip([10, 20, 40], noise, strict=True)
    ]
    assert judge([quantity.slope("v", "size", 2.0, 0.1, "toy")], cells).status == status


def test_chance_factor_is_students() -> None:
    assert chance_factor(10**6) == pytest.approx(3.0, abs=0.01)
    assert chance_factor(4) > 6
    assert chance_factor(8, places=20) > chance_factor(8)
    assert chance_factor(1) == float("inf")


def test_false_alarms_are_rare() -> None:
    """With no bias and a negligible allowance, about 0.27 % of verdicts fail by chance."""
    rng = np.random.default_rng(1)
    failed = sum(
        judge([quantity.equal("v", Allowance(1e-9), "toy")], [cell(list(rng.normal(1, 0.1, 6)), 1.0)]).status == "fails"
        for _ in range(2000)
    )
    assert failed < 20


def test_real_deviations_are_noticed() -> None:
    """A deviation of ten standard errors beyond the allowance fails nearly always."""
    rng = np.random.default_rng(2)
    failed = sum(
        judge([quantity.equal("v", Allowance(0.01), "toy")], [cell(list(rng.normal(1, 0.01, 12)), 1.05)]).status
        == "fails"
        for _ in range(200)
    )
    assert failed > 190


def test_few_seeds_decide_nothing() -> None:
    assert judge([quantity.equal("v", Allowance(0.01), "toy")], [cell([0.65, 0.75], 1.0)]).status == "undecided"


def test_silence_fails() -> None:
    """What the claim speaks of must be measured and predicted."""
    unmeasured = Cell(NoisyLevel(), Prediction({"v": 1.0}, "always"), [Measurement({"w": 1.0})])
    assert judge([quantity.equal("v", Allowance(0.1), "toy")], [unmeasured]).status == "fails"
    unpredicted = Cell(NoisyLevel(), Prediction({}, "always"), [Measurement({"v": v}) for v in CLOSE])
    assert judge([quantity.equal("v", Allowance(0.1), "toy")], [unpredicted]).status == "fails"
    elsewhere = quantity.equal("v", Allowance(0.1), "toy", when=lambda point: point.size > 100)
    assert judge([elsewhere], [unpredicted]).status == "undecided"


def test_the_limit_is_judged_beside_the_draws() -> None:
    measurements = [Measurement({"v": v}, finite={"v": v}) for v in CLOSE]
    far = Cell(NoisyLevel(), Prediction({"v": 2.0}, "always"), measurements)
    alike = quantity.equal("v", Allowance(0.01), "toy", against="finite")
    wide = quantity.equal("v", Allowance(0.01), "toy", against="finite", limit=Allowance(2))
    with_limit = quantity.equal("v", Allowance(0.01), "toy", against="finite", limit=Allowance(0.1))
    assert judge([wide], [far]).status == "holds"
    assert judge([alike], [far]).status == "fails"
    assert judge([alike], [Cell(NoisyLevel(), Prediction({}, "always"), measurements)]).status == "holds"
    assert judge([with_limit], [far]).status == "fails"


def test_curves_are_compared_at_the_measured_places() -> None:
    times = np.array([0.0, 10.0, 20.0])
    measured = [Measurement({"v": Curve(times, times**1.0 + 0.01 * k, "time")}) for k in range(-2, 3)]
    theory = np.linspace(0, 20, 41)
    stated = quantity.equal("v", Allowance(0.1), "toy")
    right = Cell(NoisyLevel(), Prediction({"v": Curve(theory, theory, "time")}, "always"), measured)
    assert judge([stated], [right]).status == "holds"
    short = Cell(NoisyLevel(), Prediction({"v": Curve(theory / 10, theory, "time")}, "always"), measured)
    assert judge([stated], [short]).status == "fails"


def test_a_power_law_must_be_positive() -> None:
    cells = [cell([1.0, 1.1, 0.9], 0.0, 10), cell([-2.0, -2.1, -1.9], 0.0, 20)]
    assert judge([quantity.slope("v", "size", 1.0, 0.1, "toy")], cells).status == "fails"


@pytest.mark.parametrize(
    ("seeds", "places", "error", "gap"), [(4, 100, 0.02, 0.6), (8, 100, 0.05, 0.4), (16, 300, 0.06, 0.35)]
)
def test_many_places_do_not_excuse_a_gap_that_is_not_measured_sharply(
    seeds: int, places: int, error: float, gap: float
) -> None:
    """What one place alone would call a failure is not called agreement because there are many places."""
    scatter = np.linspace(-1, 1, seeds)
    scatter *= error * np.sqrt(seeds) / scatter.std(ddof=1)
    stated = quantity.equal("v", Allowance(0.01), "toy")
    judged = judge_point(cell([1 + gap + s for s in scatter], 1.0), stated, places)
    assert judged is not None
    assert judged.status != "holds"
    judged = judge_point(cell([1.01 + s / 20 for s in scatter], 1.0), stated, places)
    assert judged is not None
    assert judged.status == "holds"


@pytest.mark.parametrize("places", [1, 24, 200])
def test_many_places_do_not_excuse_a_broken_bound(places: int) -> None:
    """A bound that one place breaks by more than chance is undecided until seeds are enough, then it fails."""
    scatter = np.array([-1.0, -0.6, -0.2, 0.2, 0.6, 1.0])
    scatter *= 0.012 * np.sqrt(6) / scatter.std(ddof=1)  # a standard error of .012
    stated = quantity.at_least("v", Allowance(0.0), "toy")
    judged = judge_point(cell([0.82 + s for s in scatter], 0.9), stated, places)
    assert judged is not None
    assert judged.status == ("fails" if places == 1 else "undecided")
    if places > 1:
        assert judged.seeds_needed is not None
        again = np.tile(scatter, -(-judged.seeds_needed // 6))
        judged = judge_point(cell([0.82 + s for s in again], 0.9), stated, places)
        assert judged is not None
        assert judged.status == "fails"


def test_what_is_judged_along_an_axis_only_is_told_at_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NoisyLevel, "quantities", (quantity.increasing("power", "size", "toy"),))
    alone = Study(NoisyLevel(), seeds=3).run(workers=1)
    assert alone.verdict.status == "undecided"
    assert "speaks of what happens along size" in alone.verdict.sentence
    assert float(alone.judgements()["power"].measured) == pytest.approx(100, rel=0.02)  # type: ignore[arg-type]
    line = Study(NoisyLevel(), size=[4, 10], seeds=3).run(workers=1)
    assert line.verdict.status == "holds"
    assert list(line.judgements()) == ["power (increasing in size)"]


def test_undecided_tells_how_many_seeds_would_decide() -> None:
    """The seeds that it asks for, with the same scatter, do decide; a few less do not."""
    stated = quantity.equal("v", Allowance(0.05), "toy")
    values = [0.7, 1.3, 0.85, 1.15]
    (first,) = judge([stated], [cell(values, 1.0)]).judgements
    assert first.seeds_needed is not None
    assert first.sentence.endswith(f": undecided, 4 seeds are too few, about {first.seeds_needed} would do")
    scatter = float(np.std(values, ddof=1))
    for count, status in ((first.seeds_needed, "holds"), (first.seeds_needed // 2, "undecided")):
        draws = np.random.default_rng(0).standard_normal(count)
        draws = 1.0 + scatter * (draws - draws.mean()) / draws.std(ddof=1)
        assert judge([stated], [cell(list(draws), 1.0)]).status == status
    assert "one seed has no standard error" in judge([stated], [cell([1.0], 1.0)]).sentence


def test_a_number_of_seeds_that_nobody_takes_is_no_advice() -> None:
    stated = quantity.equal("v", Allowance(0.01), "toy")
    (first,) = judge([stated], [cell([0.7, 1.3, 0.85, 1.15], 0.02)]).judgements
    assert first.seeds_needed is not None
    assert first.seeds_needed > 2000
    assert "no reasonable number would do (about 6800)" in first.sentence
    assert first.sentence.endswith("another point, such as a larger size, may decide")


def test_of_what_is_undecided_that_is_told_which_needs_most() -> None:
    stated = quantity.equal("v", Allowance(0.05), "toy")
    verdict = judge([stated], [cell([0.9, 1.2, 1.0], 1.0), cell([0.2, 1.9, 1.0], 1.0)])
    needed = [j.seeds_needed for j in verdict.judgements]
    assert None not in needed
    assert f"about {max(n for n in needed if n)} would do" in verdict.sentence


def test_the_count_tells_all_four_words() -> None:
    assert tally([]) == "0 hold, 0 undecided, 0 fail, 0 outside"
    assert tally(["fails", "holds", "outside"]) == "1 holds, 0 undecided, 1 fails, 1 outside"


def test_what_is_infinite_for_every_seed_has_no_error_that_is_no_number() -> None:
    assert mean_and_error([np.inf, np.inf]) == (np.inf, np.inf)
    assert mean_and_error([1.0, np.inf]) == (np.inf, np.inf)
