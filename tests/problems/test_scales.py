"""Inputs on another scale than theory supposes are told of, where they are used."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.learners.kernels import fit_kernel
from giantstep.learners.training import learn_polynomial
from giantstep.problems import ArraySample, warn_of_scale
from giantstep.streams import Streams

X = np.random.default_rng(0).standard_normal((60, 8))
Y = X[:, 0] * X[:, 1]


def test_standard_inputs_are_taken_in_silence() -> None:
    for scale in (0.5, 1.0, 2.0):
        warn_of_scale(scale * X)
    warn_of_scale(X + 3, centred=False)


@pytest.mark.parametrize(
    ("inputs", "words"), [(8 * X, "mean square 6"), (0.1 * X, r"mean square 0\.0"), (X + 2, "means that outweigh")]
)
def test_others_are_told_of_with_a_remedy(inputs: np.ndarray, words: str) -> None:
    with pytest.warns(UserWarning, match=words) as told:
        warn_of_scale(inputs)
    assert "standardise them: (x - x.mean(axis=0)) / x.std(axis=0)" in str(told[0].message)


def test_learners_tell() -> None:
    with (
        pytest.warns(UserWarning, match="the inputs have mean square"),
        pytest.warns(UserWarning, match="of the longest sample is"),
    ):
        fit_kernel("exp(t)", 8 * X, Y, 1.0)
    fit_kernel("arccos1", 8 * X, Y, 1.0)  # homogeneous: the same on every scale
    with pytest.warns(UserWarning, match="where 0 is supposed"):
        learn_polynomial(ArraySample(X + 3, Y), "relu", 4, Streams(0))
