"""Sums of functions of one direction each."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Target, is_smooth, single_index_parts


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2", 2),
        ("relu(x1) + tanh(x2) + x2 - 3", 2),
        ("tanh(x1 + 2*x3) - x1**3", 2),
        ("abs(2*x2) + abs(-x2)", 1),
    ],
)
def test_the_parts_add_up(text: str, count: int) -> None:
    target = Target(text)
    parts = single_index_parts(target)
    assert parts is not None
    assert len(parts) == count
    x = np.random.default_rng(0).standard_normal((20, target.directions))
    assert all(np.linalg.norm(b) == pytest.approx(1) for _, b in parts)
    np.testing.assert_allclose(sum(g(x @ b) for g, b in parts), target(x), rtol=1e-12)


def test_coupled_targets_have_no_parts() -> None:
    assert single_index_parts(Target("x1*x2")) is None
    assert single_index_parts(Target("relu(x1)*tanh(x2)")) is None


def test_smoothness() -> None:
    assert is_smooth(Target("tanh(x1)*x2 + erf(x1)").form)
    assert not is_smooth(Target("tanh(relu(x1))").form)
    assert not is_smooth(Target("x1 + abs(x2)").form)
