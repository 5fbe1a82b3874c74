"""Without a spike: gradients of the predicted size, and risks on the stated side of the bound."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured.isotropic_limits import IsotropicLimits
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.verdicts.stating import Run


@pytest.mark.parametrize("target", ["x1", "He2(x1)/sqrt(2)"])
def test_gradient_length_and_scatter(target: str) -> None:
    point = IsotropicLimits(d=24, target=target, gradient_samples=30_000, samples_per_dim=1)
    runs = [point.measure(Run(Streams(70 + s))) for s in range(8)]
    for quantity in point.quantities:
        if quantity.name.startswith("gradient") and quantity.relation == "equal" and quantity.speaks_at(point):
            found = np.array([float(run[quantity.name]) for run in runs])
            predicted = float(point.predict()[quantity.name])
            error = found.std(ddof=1) / np.sqrt(len(found))
            assert abs(found.mean() - predicted) < 5 * error + quantity.allowance(point, predicted)


def test_with_few_samples_nothing_beyond_linear_is_learned() -> None:
    point = IsotropicLimits(d=80, samples_per_dim=2, gradient_samples=1000)
    assert point.few
    runs = [point.measure(Run(Streams(s))) for s in range(8)]
    for name in ("risk_kernel", "risk_network"):
        found = np.array([float(run[name]) for run in runs])
        assert found.mean() > point.beyond_linear - 4 * found.std(ddof=1) / np.sqrt(8)


def test_a_linear_part_lets_one_step_beat_the_bound_of_kernels() -> None:
    point = IsotropicLimits(d=32, samples_per_dim=32, gradient_samples=1000, target="(x1 + He3(x1)/sqrt(6))/sqrt(2)")
    risks = [float(point.measure(Run(Streams(s)))["risk_network"]) for s in range(4)]
    assert np.mean(risks) < 0.9 * point.beyond_linear


def test_an_unbiased_relu_does_not_see_degree_three_and_a_biased_one_does() -> None:
    found = {}
    for activation in ("relu", "relu(z - 1)"):
        point = IsotropicLimits(
            d=16, target="He3(x1)/sqrt(6)", activation=activation, gradient_samples=100_000, samples_per_dim=1
        )
        signals = [float(point.measure(Run(Streams(90 + s)))["gradient_signal"]) for s in range(6)]
        found[activation] = (
            np.mean(signals),
            np.std(signals, ddof=1) / np.sqrt(6),
            float(point.predict()["gradient_signal"]),
        )
        assert abs(found[activation][0] - found[activation][2]) < 5 * found[activation][1] + 0.02
    assert found["relu"][2] == pytest.approx(0.0, abs=1e-12)
    assert found["relu(z - 1)"][0] > 0.1


def test_the_printed_expansion_gives_half_of_the_gradient_of_he3() -> None:
    point = IsotropicLimits(d=16, target="He3(x1)/sqrt(6)", gradient_samples=100_000, samples_per_dim=1)
    norms = [float(point.measure(Run(Streams(70 + s)))["gradient_norm"]) for s in range(6)]
    prediction = point.predict()
    assert float(prediction["gradient_norm_printed"]) == pytest.approx(
        0.5 * float(prediction["gradient_norm"]), rel=0.02
    )
    assert np.mean(norms) > 1.5 * float(prediction["gradient_norm_printed"])


def test_points_that_make_no_sense() -> None:
    for values in (
        {"target": "x1*x2"},
        {"target": "x1 + 1"},
        {"activation": "sign"},
        {"d": 4000, "samples_per_dim": 4},
        {"gradient_samples": 10**8, "d": 1000, "samples_per_dim": 1},
    ):
        with pytest.raises(InputError):
            IsotropicLimits(**values)
