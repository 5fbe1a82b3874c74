"""The law of message passing's matrix: one direction in closed form, thresholds known otherwise, and power steps."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Target
from giantstep.problems.labels import label_law, weak_recovery
from giantstep.theory.spectra.labels import message_law


@pytest.mark.parametrize(("target", "multiplicity"), [("x1*x2", 2), ("sign(x1*x2)", 2), ("x1**2 + x2**2", 4)])
def test_the_outlier_leaves_the_circle_at_the_threshold_of_the_labels(target, multiplicity):
    law = label_law(Target(target))
    found = message_law(law.weight, law.second, 2 * weak_recovery(law).threshold)
    assert found.outlier == pytest.approx(2, rel=1e-3)
    assert found.radius == pytest.approx(2**0.5, rel=1e-3)
    assert found.multiplicity == multiplicity


def test_outliers_of_a_sign_stand_on_both_sides():
    law = label_law(Target("sign(x1*x2)"))
    assert message_law(law.weight, law.second, np.pi**2).outliers == pytest.approx([4, 4, -4, -4], rel=1e-4)


def test_one_direction_in_closed_form():
    law = label_law(Target("abs(x1)"), 0.5)
    gain, alpha = law.second_along - 1, 2.0
    t = alpha * float(law.weight @ gain**2)
    found = message_law(law.weight, law.second, alpha)
    assert found.alignment == pytest.approx((t - 1) * t / (t * t + alpha * float(law.weight @ gain**3)))


def test_nothing_is_found_below_the_threshold():
    law = label_law(Target("x1*x2"))
    found = message_law(law.weight, law.second, 0.5)
    assert found.alignment == 0
    assert found.outlier < found.radius < 1


def test_the_vector_against_steps_of_message_passing():
    """Steps g <- G (X X^T g/d - g) from a start that knows a little, on 6,000 labels in 1,000 dimensions."""
    target, n, d = Target("sign(x1**2 + x2**2 - 3)"), 6_000, 1_000
    law = label_law(target)
    found = message_law(law.weight, law.second, n / d)
    x = np.random.default_rng(8).standard_normal((n, d), dtype=np.float32)
    gains = (law.second - np.eye(2))[law.slice_of(target(x[:, :2]))].astype(np.float32)
    g = np.einsum("iab,ib->ia", gains, x[:, :2])
    for _ in range(12):
        old = np.linalg.norm(g)
        g = np.einsum("iab,ib->ia", gains, x @ (x.T @ g) / d - g)
        grown = float(np.linalg.norm(g) / old)
    w = x.T @ g
    assert found.outlier > 2
    assert grown == pytest.approx(found.outlier, rel=0.05)
    assert np.sum(w[:2] ** 2) / np.sum(w**2) == pytest.approx(found.alignment, abs=0.04)


def test_wrong_arguments():
    with pytest.raises(InputError, match="one matrix a slice"):
        message_law(np.ones(2) / 2, np.ones((3, 1, 1)), 1.0)
    with pytest.raises(InputError, match="tell nothing"):
        message_law(np.ones(2) / 2, np.ones((2, 1, 1)), 1.0)
    with pytest.raises(InputError, match="samples_per_dim"):
        message_law(np.ones(1), np.ones((1, 1, 1)), -1.0)
