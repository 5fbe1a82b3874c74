"""The law of labels in slices against conditional laws that are known, and thresholds that are known otherwise."""

import numpy as np
import pytest
import scipy

from giantstep.errors import InputError
from giantstep.problems import Target
from giantstep.problems.labels import label_law, linear_part_seen, weak_recovery


def test_moments_are_those_of_the_gaussian():
    law = label_law(Target("He3(x1) + x2"), 0.5)
    assert law.weight.sum() == pytest.approx(1)
    assert law.weight @ law.mean == pytest.approx(np.zeros(2), abs=1e-9)
    assert np.einsum("h,hij->ij", law.weight, law.second) == pytest.approx(np.eye(2), abs=1e-4)
    assert law.weight @ law.label == pytest.approx(0, abs=1e-3)


def test_a_gaussian_label_has_the_posterior_of_a_linear_model():
    law = label_law(Target("x1"), 0.5)
    share = 1 / 1.25
    inner = slice(50, -50)
    assert law.mean[inner, 0] == pytest.approx(share * law.label[inner], rel=1e-4, abs=1e-5)
    assert law.second_along[inner] == pytest.approx((share * law.label[inner]) ** 2 + 1 - share, rel=2e-4, abs=2e-4)


def test_labels_find_their_slices():
    law = label_law(Target("x1"), 0.5)
    found = law.slice_of(law.label)
    assert found.tolist() == list(range(law.slices))


def test_equal_slices_of_a_sign_share_its_atoms():
    law = label_law(Target("sign(x1)")).sliced(4)
    assert law.weight == pytest.approx(np.full(4, 0.25))
    assert law.mean[:, 0] == pytest.approx(np.sqrt(2 / np.pi) * np.array([-1, -1, 1, 1]), rel=1e-6)


def exact_product():
    """1/alpha_c of z1 z2 is 1 + E[(|y| K1/K0 - 1)^2]: E[z1^2 | y] = |y| K1(|y|)/K0(|y|), y has density K0(|y|)/pi."""
    k0, k0e, k1e = scipy.special.k0, scipy.special.k0e, scipy.special.k1e
    both = [
        scipy.integrate.quad(lambda y: (y * k1e(y) / k0e(y) - 1) ** 2 * k0(y) * 2 / np.pi, *ends)[0]
        for ends in ((0, 1), (1, 60))
    ]
    return 1 / (1 + sum(both))


@pytest.mark.parametrize(
    ("target", "threshold"),
    [
        ("abs(x1)", 0.5),
        ("x1*x2", exact_product()),
        ("sign(x1*x2)", np.pi**2 / 4),
        ("x1**2 + x2**2", 1.0),
        pytest.param("x1**2 + x2**2 + x3**2 + x4**2", 2.0, marks=pytest.mark.slow),
    ],
)
def test_known_thresholds(target, threshold):
    found = weak_recovery(label_law(Target(target)))
    assert found.threshold == pytest.approx(threshold, abs=max(2 * found.error, 1e-6))
    assert found.error < 0.01 * threshold + 1e-12


def test_the_product_is_found_in_the_published_digits():
    assert exact_product() == pytest.approx(0.59375, abs=5e-6)


def test_directions_of_a_turned_target_are_turned():
    law = label_law(Target("(x1 + x2)**2"))
    assert law.directions == 1
    assert np.abs(law.basis) == pytest.approx(np.full((1, 2), 0.5**0.5))
    assert weak_recovery(law).threshold == pytest.approx(0.5, abs=1e-4)


def test_what_is_seen_in_the_mean():
    seen = linear_part_seen(label_law(Target("x1 + He2(x2)")))
    assert seen[0, 0] > 0.5
    assert abs(seen[1, 1]) + abs(seen[0, 1]) < 1e-12
    assert weak_recovery(label_law(Target("sign(x1)"))).threshold == np.inf


def test_constants_and_many_directions_are_refused():
    with pytest.raises(InputError, match="constant"):
        label_law(Target("3"))
    with pytest.raises(InputError, match="7"):
        label_law(Target("x1*x2*x3*x4*x5*x6*x7"))
