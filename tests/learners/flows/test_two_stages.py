"""Algorithm 1 of [mws23] on samples."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import Activation, Streams, Target
from giantstep.errors import InputError
from giantstep.learners.flows import (
    FlowTask,
    best_head_error,
    flow_risk,
    learn_single_index,
    principal_fit_risk,
    random_neurons,
)
from giantstep.problems import ArraySample

RELU, SQUARE = Activation("relu"), Target("He2(x1)/sqrt(2)")


def task(d: int = 12, theta: float = 4.0, rho: float = 0.5) -> FlowTask:
    return FlowTask(SQUARE, RELU, theta, rho, d)


def test_it_learns_beside_a_spike_and_its_risk_is_exact() -> None:
    x, y = task().samples(4000, Streams(0))
    fit = learn_single_index(ArraySample(x, y), RELU, 60, 0.5, 40, 1e-3, Streams(1))
    assert task().overlap(fit.direction[None])[0] ** 2 > 0.98
    fresh, labels = task().samples(200_000, Streams(2))
    errors = (fit(fresh) - labels) ** 2
    assert flow_risk(fit, task()) == pytest.approx(errors.mean(), abs=5 * errors.std() / len(errors) ** 0.5)
    assert flow_risk(fit, task()) < 0.15


def test_a_polynomial_of_the_first_component_knows_the_spike_only() -> None:
    x, y = task().samples(4000, Streams(0))
    fresh, labels = task().samples(200_000, Streams(3))
    component = np.linalg.eigh(x.T @ x)[1][:, -1]
    table = np.vander(x @ component, 3)
    fitted = np.vander(fresh @ component, 3) @ np.linalg.lstsq(table, y, rcond=None)[0]
    risk = principal_fit_risk(x, y, 2, task())
    assert risk == pytest.approx(np.mean((fitted - labels) ** 2), rel=0.03)
    assert risk > 0.5
    aligned = FlowTask(SQUARE, RELU, 4.0, 1.0, 12)
    assert principal_fit_risk(*aligned.samples(4000, Streams(0)), 2, aligned) < 0.05


def test_neurons_on_one_side_miss_the_other_tail() -> None:
    both, one = (random_neurons(200, Streams(4), both_sides=sides) for sides in (True, False))
    assert best_head_error(RELU, *both, task()) < 1e-3
    assert best_head_error(RELU, *one, task()) > 0.05
    assert set(one[0]) == {1.0}
    assert set(both[0]) == {-1.0, 1.0}


def test_a_head_may_have_samples_of_its_own() -> None:
    x, y = task().samples(1000, Streams(0))
    fresh = ArraySample(*task().samples(1000, Streams(9)))
    same, other = (
        learn_single_index(ArraySample(x, y), RELU, 20, 0.5, 20, 1e-3, Streams(1), head_sample=sample)
        for sample in (None, fresh)
    )
    assert np.array_equal(same.direction, other.direction)
    assert not np.allclose(same.coefficients, other.coefficients)


def test_no_neurons_get_a_sentence() -> None:
    x, y = task().samples(100, Streams(0))
    with pytest.raises(InputError, match="neurons"):
        learn_single_index(ArraySample(x, y), RELU, 0, 0.5, 5, 1e-3, Streams(1))
