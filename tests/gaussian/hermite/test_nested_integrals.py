"""Integrals inside integrals: orthants, jumps on a circle, energies given a coordinate, and errors that hold."""

from __future__ import annotations

from math import asin, exp, pi, sqrt

import numpy as np
import pytest

from giantstep.arrays import Array
from giantstep.gaussian.hermite import Integrals, Integrand, Pass, multi_indices, nested_moments

PASSES = (Pass(16, 2.0, 1e-6), Pass(20, 1.6, 1e-10))


def uncut(_: int, u: Array) -> Array:
    return np.zeros((u.shape[1], 0))


def integrals(value: object, cuts: object, axes: int, degree: int, known: int = 0, budget: int = 10**7) -> Integrals:
    made = Integrand(value, cuts, axes, 9.0, (False,) * axes)  # type: ignore[arg-type]
    return nested_moments(made, degree, PASSES, budget, known)


def test_probabilities_between_planes() -> None:
    """P(u1 > 0, u1 + u2 > 0) = 1/4 + asin(rho)/(2 pi), rho = 1/sqrt 2."""

    def cuts(j: int, u: Array) -> Array:
        return -u[:1].T if j else np.zeros((1, 1))

    found = integrals(lambda u: ((u[0] > 0) & (u[0] + u[1] > 0)) * 1.0, cuts, 2, 0)
    assert found.values[0] == pytest.approx(1 / 4 + asin(1 / sqrt(2)) / (2 * pi), abs=found.error)
    assert found.error < 1e-10


@pytest.mark.parametrize(("told", "good"), [(True, 1e-9), (False, 1e-3)])
def test_a_circle_with_and_without_knowing_where_it_is(told: bool, good: float) -> None:
    """P(|u| > 1) = exp(-1/2) and E[(u1^2 - 1) 1{|u| > 1}]/sqrt 2 = exp(-1/2)/sqrt 8; the error holds in both cases."""

    def cuts(j: int, u: Array) -> Array:
        if not told:
            return uncut(j, u)
        half = np.sqrt(np.maximum(1 - u[0] ** 2, 0)) if j else np.ones(1)
        return np.stack([-half, half], axis=1)

    found = integrals(lambda u: (u[0] ** 2 + u[1] ** 2 > 1) * 1.0, cuts, 2, 4)
    assert found.error < good
    places = {a: i for i, a in enumerate(multi_indices(2, 4))}
    for a, truth in (((0, 0), exp(-0.5)), ((2, 0), exp(-0.5) / sqrt(8)), ((0, 2), exp(-0.5) / sqrt(8)), ((1, 0), 0)):
        assert abs(found.values[places[a]] - truth) <= found.error


def test_energies_given_the_first_coordinate() -> None:
    """f = u1 + u1 h2(u2) + u2: given u1 its degrees 0, 1, 2 in u2 have the energies 1, 1, 1."""
    found = integrals(lambda u: u[0] + u[0] * (u[1] ** 2 - 1) / sqrt(2) + u[1], uncut, 2, 3, known=1)
    assert found.values == pytest.approx([1, 1, 1, 0], abs=found.error + 1e-13)


def test_a_budget_that_is_too_small_is_an_infinite_error() -> None:
    found = integrals(lambda u: np.sign(np.sin(300 * u[0] * u[1])), uncut, 2, 2, budget=1000)
    assert np.isinf(found.error)
    assert len(found.values) == len(multi_indices(2, 2))
