"""Samples that a kernel needs along a spike: searched in simulations and in the equations."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured.kernel_bound import KernelBound
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

SEEDS = 24


@pytest.mark.parametrize(
    "setting",
    [
        {"strength_exponent": 0.4},
        {"strength_exponent": 0.6, "kernel": "(1 + t)**4"},
        {"target": "He3(x1)", "strength_exponent": 0.7},
    ],
)
def test_half_is_learned_from_the_predicted_number_of_samples(setting: dict[str, object]) -> None:
    point = KernelBound(d=48, **setting)
    found = np.array([float(point.measure(Run(Streams(200 + s)))["samples_half"]) for s in range(SEEDS)])
    predicted = float(point.predict()["samples_half"])
    allowance = point.quantities[0].allowance(point, predicted)
    assert abs(found.mean() - predicted) < 4 * found.std(ddof=1) / np.sqrt(SEEDS) + allowance


def test_its_exponent_is_that_of_the_equations_at_these_sizes() -> None:
    results = Study(KernelBound(d=24, strength_exponent=0.5), d=[24, 48, 96], seeds=24, seed=80).run(workers=1)
    (judged,) = [j for j in results.verdict.judgements if j.quantity.relation == "slope"]
    assert abs(float(judged.gap)) < 4 * float(judged.stderr) + judged.allowance


def test_beyond_simulation_the_equations_are_held_against_their_limit() -> None:
    point = KernelBound(d=10**7, target="He4(x1)/sqrt(24)", strength_exponent=0.25)
    found = point.measure(Run(Streams(0)))["sample_exponent"]
    assert point.predict().values == {"sample_exponent": 3.0}
    assert found == pytest.approx(3.0, abs=0.02)
    assert found != 3.0


def test_points_that_make_no_sense() -> None:
    for values in (
        {"target": "x1"},
        {"target": "He2(x1) + x1"},
        {"kernel": "arccos1"},
        {"kernel": "1 + t", "target": "He2(x1)"},
        {"d": 900, "strength_exponent": 0.0},
        {"d": 16, "strength_exponent": 0.9},
    ):
        with pytest.raises(InputError):
            KernelBound(**values)
