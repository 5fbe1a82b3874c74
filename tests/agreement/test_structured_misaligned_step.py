"""One step beside a spike: cosines of simulated gradients against the expected ones."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured.misaligned_step import MisalignedStep
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.verdicts.stating import Run

SEEDS = 12


@pytest.mark.parametrize(
    "setting",
    [
        {"strength_exponent": 0.1},
        {"strength_exponent": 0.75},
        {"activation": "tanh", "target": "x1 + He2(x1)/2", "strength_exponent": 0.5},
        {"target": "-x1", "samples_per_dim": 20.0},
    ],
)
def test_cosines_are_those_of_the_expected_gradient(setting: dict[str, object]) -> None:
    point = MisalignedStep(d=48, **setting)
    runs = [point.measure(Run(Streams(40 + s))) for s in range(SEEDS)]
    for quantity in point.quantities:
        gaps = np.array([float(r[quantity.name]) - float(r.finite[quantity.name]) for r in runs])
        allowance = quantity.allowance(point, 0.0)
        assert abs(gaps.mean()) < 4 * gaps.std(ddof=1) / np.sqrt(SEEDS) + allowance


def test_the_spike_is_nearer_than_the_target_from_theta_rho_one_on() -> None:
    for gamma, nearer in ((0.1, False), (0.4, True)):
        point = MisalignedStep(d=64, strength_exponent=gamma, alignment_exponent=0.25)
        run = point.measure(Run(Streams(1)))
        assert (run["cos_spike"] > run["cos_target"]) is nearer
        assert (point.predict()["cos_spike"] > point.predict()["cos_target"]) is nearer


def test_points_that_make_no_sense() -> None:
    for values in ({"target": "x1*x2"}, {"activation": "He2(z)"}, {"d": 10**6}):
        with pytest.raises(InputError):
            MisalignedStep(**values)
