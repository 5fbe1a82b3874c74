"""Rules for lengths and angles, and the polynomials of the sphere."""

from __future__ import annotations

from itertools import islice
from math import comb

import numpy as np
import pytest

from giantstep.gaussian.sphere import angle_rule, chi_square_rule, gegenbauer, harmonics


@pytest.mark.parametrize("d", [3, 8, 1000])
def test_gegenbauer_polynomials_are_orthogonal_and_count_the_harmonics(d: int) -> None:
    cosine, weight = angle_rule(d, 30)
    table = np.stack(list(islice(gegenbauer(cosine, d), 6)))
    gram = (table * weight) @ table.T
    np.testing.assert_allclose(gram, np.diag([1 / harmonics(degree, d) for degree in range(6)]), atol=1e-13)
    assert [float(p[0]) for p in islice(gegenbauer(np.ones(1), d), 6)] == pytest.approx([1.0] * 6)


def test_harmonics_of_all_degrees_make_up_the_polynomials() -> None:
    """Homogeneous polynomials of degree k are harmonics of degrees k, k - 2, ... times powers of |x|^2."""
    for d, k in ((3, 4), (7, 5), (16, 4)):
        assert sum(harmonics(degree, d) for degree in range(k, -1, -2)) == comb(d + k - 1, k)


@pytest.mark.parametrize("d", [4, 16, 2000])
def test_moments_of_length_and_angle(d: int) -> None:
    square, weight = chi_square_rule(d, 12)
    assert float(weight @ square) == pytest.approx(d)
    assert float(weight @ (square - d) ** 2) == pytest.approx(2 * d)
    cosine, share = angle_rule(d, 12)
    assert float(share @ cosine**2) == pytest.approx(1 / d)
    assert float(share @ cosine**4) == pytest.approx(3 / (d * (d + 2)))
