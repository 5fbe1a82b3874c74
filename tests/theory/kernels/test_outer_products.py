"""The law of the average gradient outer product against limits known otherwise."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import InnerProductKernel, Target
from giantstep.theory.kernels import outer_product_law

EXP = InnerProductKernel("exp")


def test_a_linear_kernel_is_linear_regression():
    """With g(t) = t and n >> d, b = v + N(0, noise^2/n): 1 - alignment is noise^2 d/n."""
    law = outer_product_law(Target("x1"), InnerProductKernel("t"), 50, 50_000, 1e-6, 0.5)
    assert 1 - law.alignment == pytest.approx(0.25 * 49 / 50_000, rel=2e-3)
    assert law.top == pytest.approx(1, rel=2e-3)


def test_the_noise_of_the_linear_part_hides_a_quadratic_target_up_to_five_thirds():
    def crossing(d):
        counts = np.geomspace(d**1.2, d**2, 60).astype(int)
        laws = [outer_product_law(Target("He2(x1)"), EXP, d, int(n), 0.01, 0.5) for n in counts]
        return next(n for n, law in zip(counts, laws, strict=True) if law.curved > law.linear)

    slope = np.log(crossing(6400) / crossing(400)) / np.log(16)
    assert slope == pytest.approx(5 / 3, abs=0.05)


def test_everything_is_found_in_the_end():
    law = outer_product_law(Target("x1 + He2(x1)"), EXP, 30, 10**7, 0.01, 0.5)
    assert law.alignment == pytest.approx(1, abs=1e-4)
    assert law.shrinkage == pytest.approx((1, 1), abs=1e-3)
    assert law.top == pytest.approx(1 + 4, rel=0.01)


def test_several_directions_are_refused():
    with pytest.raises(InputError, match="one direction"):
        outer_product_law(Target("x1*x2"), EXP, 30, 100, 0.01, 0.5)
