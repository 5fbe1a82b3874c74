"""The spectrum of a kernel on spiked inputs: operator and matrix, theory against samples."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured.kernel_spectrum import CUBIC, KernelSpectrum
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.verdicts.stating import Run

SEEDS = 16


@pytest.mark.parametrize(
    "setting",
    [
        {"d": 80, "strength_exponent": 0.5, "degree": 1},
        {**CUBIC, "d": 100, "strength_exponent": 0.72, "degree": 3},
        {"d": 100, "strength_exponent": 0.5, "degree": 2, "kernel": "(1 + t)**4"},
    ],
)
def test_what_is_measured_is_what_is_predicted(setting: dict[str, object]) -> None:
    point = KernelSpectrum(**setting)
    runs = [point.measure(Run(Streams(700 + s))) for s in range(SEEDS)]
    prediction = point.predict()
    told = [q for q in point.quantities if q.relation == "equal" and q.speaks_at(point)]
    assert told
    for quantity in told:
        found = np.array([float(run[quantity.name]) for run in runs])
        predicted, error = float(prediction[quantity.name]), found.std(ddof=1) / np.sqrt(SEEDS)
        assert abs(found.mean() - predicted) < 4 * error + quantity.allowance(point, predicted), quantity.name


def test_a_hidden_degree_is_neither_predicted_nor_measured_as_an_outlier() -> None:
    point = KernelSpectrum(d=100, strength_exponent=0.0, degree=2)
    assert "outlier" not in point.predict().values
    assert "outlier" not in point.measure(Run(Streams(0))).values
    assert "hides" in point.predict().notes[0]


def test_points_that_make_no_sense() -> None:
    for values in ({"kernel": "arccos1"}, {"kernel": "1 + t"}, {"d": 4000}, {"d": 32, "strength_exponent": 0.8}):
        with pytest.raises(InputError):
            KernelSpectrum(**values)
