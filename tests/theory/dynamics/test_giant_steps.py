"""The recursion of several giant steps: its first step in closed form, its symmetries, and what it says of stairs."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import ZOO, Activation, Target
from giantstep.theory.dynamics import staircase_path

SIGNS = (1.0,) * 4 + (-1.0,) * 4
ONE, TWO = np.array([1.0, 1.0]), np.array([1.0, -1.0])


def path(name: str, d: int, steps: int = 2, activation: str = "relu", step: float = 4.0, second=SIGNS):
    return staircase_path(ZOO[name].target, Activation(activation), second, d, 20 * d, step, steps)


def test_the_first_step_in_closed_form() -> None:
    """ReLU, example 1: M = s a C_1/2, |w|^2 = 1 + s^2 (|C_1|^2/4 + (d/n) |f|^2/2): |w| = 3.376, cos^2 = .702."""
    found = path("example-1", 10**7, steps=1)
    np.testing.assert_allclose(found.overlaps[1], np.outer(SIGNS, [2.0, 2.0]), atol=1e-9)
    norms2 = np.diag(found.grams[1])
    np.testing.assert_allclose(norms2, 1 + 16 * (0.5 + 6 / 2 / 20), rtol=2e-3)
    assert found.energy(ONE)[1] == pytest.approx(8 / 11.4, rel=2e-3)
    # different neurons share E[s']^2 = 1/4 of the noise, their partners all of it
    assert found.grams[1][0, 1] == pytest.approx(16 * (0.5 + 6 / 4 / 20), rel=5e-3)


@pytest.mark.parametrize("name", ["example-1", "example-2"])
def test_what_is_learned_does_not_depend_on_d_and_the_rest_is_of_order_one_over_d(name: str) -> None:
    small, large = (path(name, d) for d in (1000, 8000))
    assert small.energy(ONE)[2] == pytest.approx(large.energy(ONE)[2], rel=0.01)
    ratio = small.energy(TWO)[2] / large.energy(TWO)[2]
    assert ratio == pytest.approx(1.0 if name == "example-1" else 8.0, rel=0.02)


def test_chance_is_one_over_d() -> None:
    np.testing.assert_allclose(path("example-2", 500).shares()[0], np.eye(2) / 500, atol=1e-12)


def test_an_odd_activation_does_not_climb() -> None:
    seen, unseen = (path("example-1", 4000, activation=a).energy(TWO)[2] for a in ("relu", "tanh"))
    assert seen > 0.3
    assert unseen < 2 / 4000


def test_equal_neurons_stay_equal_and_signs_span_two_directions() -> None:
    found = path("example-3-f2", 10**6, step=5.0)
    for sign in (slice(0, 4), slice(4, 8)):
        np.testing.assert_allclose(found.overlaps[-1][sign], found.overlaps[-1][sign][:1].repeat(4, 0), rtol=0.02)
    assert found.singular_value(3, np.eye(3)) < 0.004
    spread = np.array([0.3, 0.8, 1.4, 2.0])
    apart = path("example-3-f2", 10**6, step=5.0, second=(*spread, *-spread[::-1]))
    assert apart.singular_value(3, np.eye(3)) > 0.015


def test_the_singular_values_are_those_of_the_energies() -> None:
    """At d to infinity their squares add up to the energies of all directions."""
    found = path("example-3-f2", 10**8, step=5.0)
    total = sum(found.singular_value(k, np.eye(3)) ** 2 for k in (1, 2, 3))
    assert total == pytest.approx(sum(found.energy(e)[-1] for e in np.eye(3)), rel=1e-4)


def test_what_diverges_says_so() -> None:
    with pytest.raises(InputError, match="grow without bound"):
        staircase_path(Target("x1 + He2(x1)"), Activation("He2(z) + z"), SIGNS, 100, 2000, 50.0, 4)
