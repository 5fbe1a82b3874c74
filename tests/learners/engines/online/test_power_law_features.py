"""SGD on random features: inputs and eigenbasis agree in law, and the times asked for do not change the samples."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import learners
from giantstep.errors import InputError
from giantstep.learners.engines.online import EigenSGD, FeatureSGD, draw_features, feature_modes
from giantstep.streams import Streams

RUNS, STEP, STEPS = 400, 0.15, 12


@pytest.mark.parametrize("batch", [1, 2])
def test_inputs_and_eigenbasis_agree_in_law(batch: int) -> None:
    features = draw_features(24, 6, 0.8, 0.5, Streams(2))
    modes = feature_modes([features]).repeated(RUNS)
    full = learners.run(FeatureSGD(features, STEP, batch, Streams(3)), np.zeros((RUNS, 6)), times=[STEPS]).last
    reduced = learners.run(EigenSGD(modes, STEP, batch, Streams(4)), -modes.best, times=[STEPS]).last
    a, b = features.risk(full), modes.risk(reduced)
    error = np.hypot(a.std(), b.std()) / np.sqrt(RUNS)
    assert abs(a.mean() - b.mean()) < 4 * error
    assert modes.risk(-modes.best) == pytest.approx(features.risk(np.zeros((RUNS, 6))))


def test_other_times_draw_the_same_samples() -> None:
    features = draw_features(24, 6, 0.8, 0.5, Streams(2))
    modes = feature_modes([features]).repeated(3)
    for sgd, start in (
        (FeatureSGD(features, STEP, 1, Streams(3)), np.zeros((3, 6))),
        (EigenSGD(modes, STEP, 1, Streams(3)), -modes.best),
    ):
        once, often = (learners.run(sgd, start, times=times).last for times in ([20], [1, 7, 20]))
        np.testing.assert_allclose(once, often, rtol=1e-12)


def test_more_features_than_inputs_are_refused() -> None:
    with pytest.raises(InputError, match="fewer features"):
        draw_features(6, 6, 1, 1, Streams(0))
