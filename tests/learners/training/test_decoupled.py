"""Two-stage training: both engines give the same law, threads change nothing, the head has biases of its own."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.risk import feature_moments
from giantstep.learners.training import first_layer
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

TARGET = Target("x1 + He2(x1) + x2 - He2(x2)")


def risk(d: int, width: int, seed: int, threads: int = 1) -> float:
    problem = Problem(TARGET, d)
    net, seen = first_layer(problem, Activation("relu"), 20 * d, width, 4.0, 2, Streams(seed), threads=threads)
    path = fit_head(net, seen.sample(20 * d, Streams(seed).child("head")), RidgeHead(0.01))
    return float(feature_moments(net, seen).risk(path.coefficients)[0])


def test_both_engines_agree_in_law(monkeypatch: pytest.MonkeyPatch) -> None:
    reduced = [risk(96, 8, seed) for seed in range(24)]
    monkeypatch.setattr("giantstep.learners.training.decoupled.NARROW", 10**6)
    full = [risk(96, 8, seed) for seed in range(100, 124)]
    error = np.sqrt((np.var(reduced) + np.var(full)) / 23)
    assert abs(np.mean(reduced) - np.mean(full)) < 4 * error


def test_narrow_networks_are_small() -> None:
    net, seen = first_layer(Problem(TARGET, 10_000), Activation("relu"), 2000, 4, 4.0, 1, Streams(0))
    assert net.d == seen.d <= 8
    wide, seen = first_layer(Problem(TARGET, 40), Activation("relu"), 200, 20, 4.0, 1, Streams(0))
    assert wide.d == seen.d == 40


@pytest.mark.parametrize("width", [4, 40])
def test_threads_change_nothing(width: int) -> None:
    assert risk(48, width, 3) == risk(48, width, 3, threads=2)


def test_partners_get_biases_of_their_own() -> None:
    net, _ = first_layer(Problem(TARGET, 64), Activation("relu"), 10, 8, 1.0, 0, Streams(5))
    assert net.biases is not None
    assert len(set(net.biases)) == 8
    np.testing.assert_array_equal(net.weights, net.weights[::-1])
