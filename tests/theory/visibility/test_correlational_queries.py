"""The lower bound for correlational learners: reference values, limits, the law of the largest overlap."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory.visibility import csq_bound, family_overlap, largest_overlap, ruled_out


@pytest.mark.parametrize(
    ("degree", "d", "samples"), [(3, 10**3, 24), (3, 10**4, 491), (3, 10**6, 2.6e5), (4, 10**3, 59), (4, 10**6, 1.39e7)]
)
def test_reference_values_for_d_cubed_queries(degree: int, d: int, samples: float) -> None:
    assert csq_bound(d, degree, 3 * log(d)).samples == pytest.approx(samples, rel=0.02)


def test_the_exponent_approaches_half_the_degree_only_logarithmically() -> None:
    exponents = [csq_bound(10**k, 4, 3 * k * log(10)).exponent for k in (4, 9, 15, 50)]
    assert exponents[:2] == pytest.approx([0.88, 1.42], abs=0.005)
    assert exponents == sorted(exponents)
    assert 1.8 < exponents[-1] < 2


def test_the_choice_of_eps_balances_the_lemma() -> None:
    """|F| (tau^2 - eps^p)/2 = q with |F| = e^(d eps^2/4)."""
    bound, queries = csq_bound(5000, 3, log(1000.0)), 1000.0
    family = np.exp(5000 * bound.overlap**2 / 4)
    assert family * (bound.tolerance**2 - bound.overlap**3) / 2 == pytest.approx(queries, rel=1e-9)


def test_a_small_dimension_excludes_nothing() -> None:
    bound = csq_bound(16, 4, 3 * log(16))
    assert bound.samples == 1
    assert bound.warning is not None


def test_the_largest_overlap() -> None:
    """Two vectors: E|<u, v>| in closed form, 2/pi on the circle and 1/2 in space; many: below the union bound."""
    assert largest_overlap(2, 2) == pytest.approx(2 / np.pi, abs=1e-3)
    assert largest_overlap(3, 2) == pytest.approx(1 / 2, abs=1e-3)
    for d in (100, 10**5, 10**9):
        assert 0.85 < largest_overlap(d, 500) / family_overlap(d, 500) < 1
    assert largest_overlap(10**6, 4000) > largest_overlap(10**6, 500)


def test_one_query() -> None:
    assert ruled_out(0.1, 0.0, 4) == pytest.approx(100)
    assert ruled_out(0.1, 0.5, 4) == inf
    with pytest.raises(InputError):
        csq_bound(100, 4, -1.0)
