"""What one neuron or one direction leaves of a target, from samples, against cases that are known."""

import pytest

from giantstep.learners import smoothed_misfit, unseen_part
from giantstep.problems import Activation
from giantstep.streams import Streams


def test_a_cubic_seen_from_the_side():
    """He3(<b, x>) has the energy 6, of which a direction with overlap rho sees rho^6."""
    found = unseen_part(Activation("He3"), 0.8, Streams(1))
    assert found == pytest.approx(6 * (1 - 0.8**6), rel=0.03)
    assert unseen_part(Activation("2*z + He2"), 1.0, Streams(1)) == pytest.approx(0, abs=1e-12)


def test_a_neuron_that_imitates_and_one_that_cannot():
    """E erf(sqrt(3) x + z) is erf(x); the nearest to 1 that sigmoids of any gain come, seen from sign, is 1/2."""
    assert smoothed_misfit(Activation("erf"), Activation("erf"), Streams(2)) == pytest.approx(0, abs=1e-5)
    assert smoothed_misfit(Activation("sign"), Activation("erf"), Streams(2)) == pytest.approx(0, abs=1e-9)
    assert smoothed_misfit(Activation("sign"), Activation("sigmoid"), Streams(2)) == pytest.approx(0.5, rel=0.03)


def test_slopes_that_depend_on_the_direction_see_more():
    """Of He3(rho u + (1 - rho^2)^(1/2) v) all that is linear in v is seen too: 3 rho^4 (1 - rho^2) of the energy."""
    found = unseen_part(Activation("He3"), 0.8, Streams(1), slopes=True)
    assert found == pytest.approx(6 * (1 - 0.8**6 - 3 * 0.8**4 * 0.36), rel=0.03)
