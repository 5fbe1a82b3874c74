"""The population flow of neurons with masses: minus the gradient of its own risk, and it ends at the teacher."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import learners
from giantstep.errors import InputError
from giantstep.learners.flows import TeacherFlow, TeacherState

AMPLITUDES = np.array([1.0, 0.6])


@pytest.mark.parametrize("order", [4, 6])
def test_the_flow_is_minus_the_gradient_of_half_the_risk(order: int) -> None:
    weights = np.random.default_rng(0).standard_normal((3, 5)) / 2
    move, nudge = TeacherFlow(AMPLITUDES, order).velocity(weights), 1e-6
    for i, j in ((0, 0), (1, 3), (2, 1)):
        risks = []
        for sign in (1, -1):
            moved = weights.copy()
            moved[i, j] += sign * nudge
            risks.append(TeacherState(moved, AMPLITUDES, order).risk)
        assert move[i, j] == pytest.approx(-(risks[0] - risks[1]) / (4 * nudge), rel=1e-5, abs=1e-8)


def test_the_risk_is_that_of_samples() -> None:
    generator = np.random.default_rng(1)
    weights, x = generator.standard_normal((2, 3)) / 2, generator.standard_normal((400_000, 3))

    def he4(z: np.ndarray) -> np.ndarray:
        return (z**4 - 6 * z**2 + 3) / np.sqrt(24)

    mass = (weights**2).sum(axis=1)
    f = he4(x @ (weights / np.sqrt(mass)[:, None]).T) @ mass
    squares = (f - he4(x[:, :2]) @ AMPLITUDES) ** 2
    error = squares.std() / np.sqrt(len(x))
    assert abs(squares.mean() - TeacherState(weights, AMPLITUDES, 4).risk) < 4 * error


def test_the_flow_learns_all_directions() -> None:
    rows = np.random.default_rng(2).standard_normal((8, 10))
    start = TeacherState(0.03 * rows / np.linalg.norm(rows, axis=1)[:, None], AMPLITUDES, 4)
    end = learners.run(TeacherFlow(AMPLITUDES, 4), start, times=[0, 60]).last
    assert end.risk < 1e-4
    np.testing.assert_allclose(end.learned, 1, atol=0.01)


def test_weights_without_overlaps_are_refused() -> None:
    with pytest.raises(InputError, match="overlaps"):
        learners.run(TeacherFlow(AMPLITUDES, 4), TeacherState(np.ones((1, 1)), AMPLITUDES, 4), times=[1])
