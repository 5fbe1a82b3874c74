"""Theory against simulation: two-layer networks from rich to lazy."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.lazy.linearisation import Linearisation
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def means(cells, name: str) -> list[float]:
    return [float(np.mean(cell.values_of(name))) for cell in cells]


def test_both_limits(seed: int) -> None:
    point = Linearisation(d=6, samples=40, neurons=40)
    results = Study(point, scale=[0.01, 1, 30], seeds=3, seed=seed).run(workers=1)
    wrong = [j.sentence for j in results.verdict.judgements if j.counts and j.status == "fails"]
    assert not wrong
    rich, between, lazy = results.cells
    assert means([rich], "rich_share")[0] == pytest.approx(1, abs=0.02)
    test = means(results.cells, "test_error")
    assert test[0] < test[1] < test[2]
    assert test[0] < 0.05 * test[2]
    for measurement in lazy.measurements:
        assert measurement["test_error"] == pytest.approx(measurement.finite["test_error"], rel=0.05)
        assert measurement["movement"] == pytest.approx(measurement.finite["movement"], rel=0.02)
    for measurement in between.measurements:  # at alpha = 1 the kernel's prediction is far off
        assert measurement["movement"] < 0.8 * measurement.finite["movement"]


def test_width_alone_is_not_lazy(seed: int) -> None:
    point = Linearisation(scale=1, samples=25, d=6)
    study = Study(point, neurons=[40, 320], scale_exponent=[0, 0.25], seeds=3, seed=seed).run(workers=1)
    by_place = {(c.point.neurons, c.point.scale_exponent): means([c], "movement")[0] for c in study.cells}
    mean_field = np.log(by_place[320, 0] / by_place[40, 0]) / np.log(8)
    tangent = np.log(by_place[320, 0.25] / by_place[40, 0.25]) / np.log(8)
    assert abs(mean_field) < 0.12
    assert tangent == pytest.approx(-0.5, abs=0.12)


def test_doubling_cancels_an_order(seed: int) -> None:
    point = Linearisation(activation="tanh", samples=12, neurons=40)
    for doubled, expected in ((True, -4.0), (False, -2.0)):
        cells = Study(point.replace(doubled=doubled), scale=[8, 16], seeds=3, seed=seed).run(workers=1).cells
        for name in ("kernel_change", "linearisation_error"):
            low, high = means(cells, name)
            assert np.log(high / low) / np.log(2) == pytest.approx(expected, abs=0.3), name
        low, high = means(cells, "movement")
        assert np.log(high / low) / np.log(2) == pytest.approx(-2, abs=0.03)


def test_the_scale_is_that_of_the_width() -> None:
    assert Linearisation(scale=1, scale_exponent=0.25, neurons=256).alpha == pytest.approx(4)
    assert Linearisation(scale=0.05, rank=2).predict()["rich_limit"] == pytest.approx(2**0.5 / 0.05)
    assert "rich_share" not in Linearisation(scale=1).predict().values
    assert "rich_limit" not in Linearisation(activation="tanh").predict().values


def test_refusals() -> None:
    with pytest.raises(InputError, match="must be even"):
        Linearisation(neurons=7)
    assert Linearisation(neurons=7, doubled=False).neurons == 7
    with pytest.raises(InputError, match="at most d = 10"):
        Linearisation(rank=11)
    with pytest.raises(InputError, match="continuous and not linear"):
        Linearisation(activation="sign")
    with pytest.raises(InputError, match="too many to train"):
        Linearisation(samples=5000, neurons=100_000)
