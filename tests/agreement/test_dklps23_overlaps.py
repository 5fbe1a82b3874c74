"""Theory against simulation: overlaps, norms and rank after one giant step."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dklps23.overlaps import CUBE, SECOND_ORDER, SQUARE, Overlaps
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "case",
    [
        {"d": 128},
        {"d": 48, "target": "He2(x1) - He2(x2)/2", **SQUARE},
        {"d": 48, "target": "x1*x2", "activation": "tanh(z + 0.5)", **SQUARE},
        {"d": 16, "target": "x1*x2*x3", "activation": "tanh", **CUBE},
        {"d": 64, **SECOND_ORDER},
        {"d": 48, "target": "He2(x1) + He2(x2)/3 + 2", **SQUARE},
    ],
)
def test_one_step(case: dict[str, object], seed: int) -> None:
    results = Overlaps(**case).run(seeds=40, seed=seed)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_slide_without_its_factor_would_be_noticed() -> None:
    """At l = 2 with ReLU increments are 0.4 of the slide's, which would be off by a hundred standard errors."""
    point = Overlaps(d=48, target="He2(x1)", **SQUARE)
    slopes = np.array([m["slide_slope"] for m in point.run(seeds=20, seed=3).cells[0].measurements])
    error = slopes.std(ddof=1) / np.sqrt(20)
    assert slopes.mean() == pytest.approx(1 / np.sqrt(2 * np.pi), abs=4 * error + 0.02)
    assert (1 - slopes.mean()) > 20 * error


def test_a_mean_outgrows_what_is_of_third_order() -> None:
    point = Overlaps(d=24, target="He3(x1) + 1", activation="relu(z + 0.5)", **CUBE)
    judged = {j.quantity.name: j.status for j in point.run(seeds=4, seed=4).verdict.judgements}
    assert judged["slide_slope"] == "outside"
    assert judged["norm2"] != "outside"


def test_rank_one_and_full_rank() -> None:
    """All neurons move along one vector for l = 1, d^(-1/2) apart; for l = 2 in as many directions as there are."""
    rank = {}
    for name, case, sizes in (("one", {}, (64, 1024)), ("full", {"target": "x1*x2", **SQUARE}, (24, 64))):
        for d in sizes:
            measured = Overlaps(d=d, **case).run(seeds=16, seed=5).cells[0].measurements
            rank[name, d] = float(np.mean([m["rank_ratio"] for m in measured]))
    assert rank["one", 64] / rank["one", 1024] == pytest.approx(4.0, rel=0.25)
    assert rank["full", 64] == pytest.approx(rank["full", 24], rel=0.2)
    assert rank["full", 64] > 0.5


def test_quadratic_samples_do_not_teach_a_neuron_the_second_direction() -> None:
    """Its overlap is of order 1 at every d, its share of the norm of order 1/d."""
    results = Study(Overlaps(**SECOND_ORDER), d=[32, 128], seeds=16, seed=9).run()
    assert results.verdict.status == "holds", results.verdict.sentence
    small, large = ({k: np.mean([m[k] for m in c.measurements]) for k in ("energy_other", "square_other")}
                    for c in results.cells)  # fmt: skip
    assert large["square_other"] == pytest.approx(small["square_other"], rel=0.25)
    assert large["energy_other"] < 0.45 * small["energy_other"] < 0.04


def test_an_activation_that_does_not_see_moves_nothing() -> None:
    point = Overlaps(d=48, target="He2(x1)", activation="tanh", **SQUARE)
    prediction = point.predict()
    assert prediction["slide_slope"] == pytest.approx(0.0, abs=1e-12)
    slopes = [m["slide_slope"] for m in point.run(seeds=20, seed=1).cells[0].measurements]
    assert np.mean(slopes) == pytest.approx(0.0, abs=4 * float(np.std(slopes)) / np.sqrt(20) + 1e-3)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"neurons": 7}, "pairs"),
        ({"target": "1 + 0*x1"}, "constant"),
        ({"activation": "sign(z)"}, "jumps"),
        ({"d": 8, "target": "x1*x2*x3*x4*x5"}, "directions"),
        ({"sample_exponent": 6}, "too many"),
        ({"step": 0}, "step"),
    ],
)
def test_refusals(case: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Overlaps(**case)
