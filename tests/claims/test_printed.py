"""What a source prints is judged beside its correction; what a theorem does not speak of refutes nothing."""

from __future__ import annotations

import pytest

from giantstep.claims import Allowance, Hypothesis, Printed, Quantity, quantity
from giantstep.claims.printed import judge_as_printed
from giantstep.studies import Study
from giantstep.verdicts import Cell, judge
from giantstep.verdicts.stating import Measurement, Prediction
from tests.claims.toy import NoisyLevel

CLOSE = [1.00, 1.01, 0.99, 1.005, 0.995, 1.0]
STATED = (quantity.equal("v", Allowance(0.05), "toy"),)


class Supposing(NoisyLevel):
    hypotheses = (Hypothesis("the size is even", lambda point: point.size % 2 == 0, ("v",)),)


def cell(point: NoisyLevel, predicted: float = 1.0, scale: float = 1.0) -> Cell:
    return Cell(point, Prediction({"v": predicted}, "always"), [Measurement({"v": scale * v}) for v in CLOSE])


def test_a_point_beyond_a_hypothesis_is_outside_whatever_is_measured() -> None:
    beyond = judge(STATED, [cell(Supposing(size=11), predicted=2.0)])
    assert beyond.status == "outside"
    assert beyond.sentence == "v 1 ± 0.0029, predicted 2, gap -50.0 %: outside, theory supposes that the size is even"
    assert not beyond.judgements[0].counts
    assert judge(STATED, [cell(Supposing(size=10), predicted=2.0)]).status == "fails"


def test_outside_points_do_not_decide_for_those_inside() -> None:
    cells = [cell(Supposing(size=11), predicted=2.0), cell(Supposing(size=10))]
    verdict = judge(STATED, cells)
    assert verdict.status == "holds"
    assert [j.word for j in verdict.judgements] == ["outside", "holds"]


def test_a_line_is_judged_on_its_points_inside() -> None:
    slope = quantity.slope("v", "size", 1.0, 0.05, "toy")
    sizes = (10, 11, 20, 40)
    cells = [cell(Supposing(size=s), scale=s if s % 2 == 0 else 1000.0) for s in sizes]
    assert judge([slope], cells).status == "holds"


def test_a_hypothesis_may_concern_some_quantities_only() -> None:
    other = quantity.equal("w", Allowance(0.05), "toy")
    measured = [Measurement({"v": v, "w": v}) for v in CLOSE]
    both = Cell(Supposing(size=11), Prediction({"v": 2.0, "w": 1.0}, "always"), measured)
    assert [j.status for j in judge([*STATED, other], [both]).judgements] == ["outside", "holds"]


def printed(stated: tuple[Quantity, ...], one: Printed, cells: list[Cell]) -> tuple[str, str]:
    (found,) = judge_as_printed((one,), stated, cells, judge(stated, cells))
    return found.verdict.status, found.corrected


def test_a_printed_value_is_judged_as_the_corrected_one() -> None:
    cells = [cell(NoisyLevel(size=10))]
    assert printed(STATED, Printed("v", "v is 2", lambda point: 2.0), cells) == ("fails", "holds")
    assert printed(STATED, Printed("v", "v is 1.02", lambda point: 1.02), cells) == ("holds", "holds")


def test_a_printed_relation_and_allowance_replace_those_of_the_claim() -> None:
    cells = [cell(NoisyLevel(size=10))]
    assert printed(STATED, Printed("v", "at most 2", lambda point: 2.0, relation="at most"), cells)[0] == "holds"
    sharper = Printed("v", "v is 1.04", lambda point: 1.04, allowance=Allowance(0.01))
    assert printed(STATED, sharper, cells) == ("fails", "holds")


def test_a_printed_exponent() -> None:
    slope = (quantity.slope("v", "size", 1.0, 0.05, "toy"),)
    cells = [cell(NoisyLevel(size=s), scale=s) for s in (10, 20, 40)]
    assert printed(slope, Printed("v", "like the square", exponent=lambda point: 2.0), cells) == ("fails", "holds")


def test_a_draw_by_draw_comparison_is_judged_by_its_limit() -> None:
    own = (quantity.equal("v", Allowance(0.001), "toy", against="finite", limit=Allowance(0.05)),)
    measured = [Measurement({"v": v}, {"v": v}) for v in CLOSE]
    cells = [Cell(NoisyLevel(size=10), Prediction({"v": 1.0}, "always"), measured)]
    assert printed(own, Printed("v", "v is 1.03", lambda point: 1.03), cells) == ("holds", "holds")
    assert printed(own, Printed("v", "v is 1.3", lambda point: 1.3), cells) == ("fails", "holds")


def test_where_nothing_is_printed_nothing_is_judged() -> None:
    cells = [cell(NoisyLevel(size=10)), cell(NoisyLevel(size=20), predicted=1.0)]
    only_small = Printed("v", "v is 1 for small sizes", lambda point: 1.0 if point.size < 15 else None)
    (found,) = judge_as_printed((only_small,), STATED, cells, judge(STATED, cells))
    assert found.verdict.status == "holds"
    assert sum(j.counts for j in found.verdict.judgements) == 1


def test_results_tell_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    named = NoisyLevel.quantities[0].name
    monkeypatch.setattr(NoisyLevel, "printed", (Printed(named, "it is a thousand", lambda point: 1000.0),))
    results = Study(NoisyLevel(), seeds=6).run(workers=1)
    (told,) = results.to_dict()["as_printed"]
    assert (told["as_printed"], told["corrected"]) == ("fails", "holds")
    assert told["says"] == "it is a thousand"
