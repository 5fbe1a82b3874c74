"""Laws of estimators that read labels: against limits known otherwise and against matrices that are drawn."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Target
from giantstep.problems.labels import label_law, weak_recovery
from giantstep.theory.spectra.labels import (
    best_transform,
    inverse_regression,
    linear_overlap,
    spectral_law,
    spectral_threshold,
)

LAWS = {
    text: label_law(Target(text), noise)
    for text, noise in (("abs(x1)", 0.0), ("x1**2", 0.3), ("relu(x1)", 0.2), ("cos(2*x1)", 0.1))
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_best_transform_reaches_the_threshold_of_the_labels(law):
    transform = best_transform(law.second_along)
    critical = spectral_threshold(transform, law.weight, law.second_along)
    assert critical == pytest.approx(weak_recovery(law).threshold, rel=1e-6)
    below, above = (spectral_law(transform, law.weight, law.second_along, k * critical) for k in (0.95, 1.2))
    assert not below.has_outlier
    assert below.top == below.edge
    assert above.has_outlier
    # At l = 1 both functions are 1/delta whatever delta is.
    assert above.top == pytest.approx(1 / (1.2 * critical), rel=1e-3)


@pytest.mark.parametrize("samples_per_dim", [2, 4, 16])
def test_no_transform_is_better_than_the_best(samples_per_dim):
    law = LAWS["cos(2*x1)"]
    best = spectral_law(best_transform(law.second_along), law.weight, law.second_along, samples_per_dim).overlap
    for other in (law.label, -law.label, np.tanh(3 * law.label), -(law.label**2)):
        assert spectral_law(other, law.weight, law.second_along, samples_per_dim).overlap < best


def test_a_transform_may_be_scaled():
    law = LAWS["x1**2"]
    one = spectral_law(np.minimum(law.label, 2), law.weight, law.second_along, 3.0)
    ten = spectral_law(10 * np.minimum(law.label, 2), law.weight, law.second_along, 3.0)
    assert (ten.overlap, ten.top, ten.edge) == pytest.approx((one.overlap, 10 * one.top, 10 * one.edge), rel=1e-6)


def test_two_slices_against_a_matrix_that_is_drawn():
    """|z| above or below its median, on 2,400 inputs in 600 dimensions."""
    law = label_law(Target("abs(x1)")).sliced(2)
    found = spectral_law([0.0, 1.0], law.weight, law.second_along, 4.0)
    x = np.random.default_rng(5).standard_normal((2400, 600))
    kept = x[np.abs(x[:, 0]) > law.borders[0]]
    values, vectors = np.linalg.eigh(kept.T @ kept / len(x))
    assert values[-1] == pytest.approx(found.top, rel=0.03)
    assert vectors[0, -1] ** 2 == pytest.approx(found.overlap, abs=0.05)
    assert values[-2] == pytest.approx(found.edge, rel=0.03)


def test_a_constant_transform_is_refused():
    law = LAWS["abs(x1)"]
    with pytest.raises(InputError, match="constant"):
        spectral_law(np.ones(law.slices), law.weight, law.second_along, 2.0)
    with pytest.raises(InputError, match="one entry a slice"):
        spectral_law(np.ones(3), law.weight, law.second_along, 2.0)


def test_inverse_regression_in_its_limits():
    assert inverse_regression(0.7, 3.0, slices=5, d=10**9).overlap == pytest.approx(2.1 / 3.1, abs=1e-4)
    assert inverse_regression(0.7, 3.0).top == pytest.approx(0.7 + 1 / 3)
    few = inverse_regression(0.7, 0.1, slices=11, d=400)
    assert few.threshold == pytest.approx(10 / 400 + (10 / 400) ** 0.5 / 0.7)
    assert few.overlap == 0
    assert few.top == pytest.approx(few.edge)


def test_many_slices_of_a_linear_label_are_as_good_as_the_linear_estimator():
    strength = float(label_law(Target("x1")).weight @ label_law(Target("x1")).mean[:, 0] ** 2)
    assert inverse_regression(strength, 2.0).overlap == pytest.approx(float(linear_overlap(1, 1, 2.0)), abs=1e-4)
