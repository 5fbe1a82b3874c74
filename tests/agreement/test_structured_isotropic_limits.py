"""Without a spike: gradients of the predicted size, and risks on the stated side of the bound."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import Run
from giantstep.claims.structured.isotropic_limits import IsotropicLimits
from giantstep.errors import InputError
from giantstep.streams import Streams


@pytest.mark.parametrize("target", ["x1", "He2(x1)/sqrt(2)"])
def test_gradient_length_and_scatter(target: str) -> None:
    point = IsotropicLimits(d=24, target=target, gradient_samples=30_000, samples_per_dim=1)
    runs = [point.measure(Run(Streams(70 + s))) for s in range(8)]
    for quantity in point.quantities:
        if quantity.name.startswith("gradient") and not quantity.is_along_an_axis:
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


def test_points_that_make_no_sense() -> None:
    for values in (
        {"target": "x1*x2"},
        {"target": "x1 + 1"},
        {"target": "He3(x1)", "activation": "relu"},
        {"d": 4000, "samples_per_dim": 4},
        {"gradient_samples": 10**8, "d": 1000, "samples_per_dim": 1},
    ):
        with pytest.raises(InputError):
            IsotropicLimits(**values)
