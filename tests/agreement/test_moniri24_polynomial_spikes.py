"""Theory against simulation: powers of the linear part in the left singular vectors of the features."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.moniri24.polynomial_spikes import PolynomialSpikesClaim
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("preset", ["two-spikes", "relu"])
def test_the_square_is_captured(preset: str, seed: int) -> None:
    results = Study(PolynomialSpikesClaim.preset(preset, d=80), seeds=8, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert np.mean(results.cells[0].values_of("captured_2")) > 0.4


@pytest.mark.parametrize(("exponent", "spikes"), [(0, 1), (0.2, 1), (0.26, 2), (0.3, 2), (0.34, 3), (0.374, 3)])
def test_the_number_of_spikes(exponent: float, spikes: int) -> None:
    assert PolynomialSpikesClaim(step_exponent=exponent).degree == spikes


def test_an_odd_activation_has_no_second_spike() -> None:
    point = PolynomialSpikesClaim(activation="tanh", step_exponent=0.3)
    assert "sees all powers" in point.outside("captured_2")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"activation": "relu"}, "has a mean"),
        ({"target": "x1**2 - 1"}, "no linear part"),
        ({"activation": "sign(z)"}, "jumps"),
    ],
)
def test_what_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        PolynomialSpikesClaim(**changes)
