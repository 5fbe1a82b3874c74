"""Theory against simulation: gradient flows under spiked inputs."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured._times import time_growth
from giantstep.claims.structured.normalised_flow import NormalisedFlow
from giantstep.claims.structured.runtime import Runtime
from giantstep.claims.structured.spherical_flow_fails import SphericalFlowFails
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement

XOR = {"target": "He2(x1)/sqrt(2)", "activation": "relu"}


def mean(cell, name: str) -> float:
    return float(np.mean(cell.values_of(name)))


@pytest.mark.parametrize("preconditioner", ["none", "covariance"])
def test_normalised_flows_are_their_two_equations(preconditioner: str, seed: int) -> None:
    point = NormalisedFlow(d=32, starts=6, preconditioner=preconditioner)
    cell = point.run(seeds=2, seed=seed).cells[0]
    for m in cell.measurements:
        np.testing.assert_allclose(m["overlap"].y, m.finite["overlap"].y, atol=2e-4)
    assert mean(cell, "final_overlap") > 0.5


def test_the_pull_of_the_flow_is_not_the_printed_one() -> None:
    """With j j! a_j a*_j; the printed series lacks i! = 2 for He3 and is right for He2."""
    for values, factor in (({}, 2.0), (XOR, 1.0)):
        point = NormalisedFlow(d=24, starts=2, **values)
        pull = float(point.measure(Run(Streams(0)))["pull"])
        assert pull == pytest.approx(point.predict()["pull"], rel=1e-6)
        assert pull == pytest.approx(factor * point.predict()["printed_pull"], rel=1e-6)


def test_half_of_all_starts_rest_at_zero_for_odd_exponents(seed: int) -> None:
    odd = NormalisedFlow(d=32, starts=64, start="random").run(seeds=2, seed=seed).cells[0]
    assert mean(odd, "success") == pytest.approx(odd.prediction["success"], abs=0.18)
    assert odd.prediction["success"] < 0.5
    even = NormalisedFlow(d=50, starts=24, start="random", **XOR).run(seeds=2, seed=seed).cells[0]
    assert mean(even, "success") > 0.8


def test_descent_follows_the_flow_on_many_samples(seed: int) -> None:
    point = NormalisedFlow(d=24, starts=8, samples_per_dim=400, step=0.1, **XOR)
    verdict = point.run(seeds=6, seed=seed).verdict
    assert verdict.status != "fails", verdict.sentence


@pytest.mark.parametrize("gamma2", [0.0, 0.3, 0.9])
def test_the_spherical_flow_is_repelled(gamma2: float) -> None:
    """Also at the ends of (0, 1 - 1/(k-1)) = (0, 1/2) and beyond it."""
    cell = SphericalFlowFails(d=500, strength_exponent=gamma2, starts=6).run(seeds=2).cells[0]
    assert mean(cell, "success") == 0
    assert mean(cell, "growth") == pytest.approx(1, abs=1e-3)


def test_descent_on_the_sphere_fails_on_samples_too(seed: int) -> None:
    cell = (
        SphericalFlowFails(d=48, strength_exponent=0.5, starts=8, samples_per_dim=64).run(seeds=2, seed=seed).cells[0]
    )
    assert mean(cell, "success") == 0


def test_a_weak_spike_repels_nobody() -> None:
    cell = SphericalFlowFails(d=100, strength_exponent=-1.2, starts=12).run(seeds=2).cells[0]
    assert mean(cell, "success") > 0.7
    assert mean(cell, "success") == np.mean([m.finite["success"] for m in cell.measurements])


def test_exponent_two_rests_half_way() -> None:
    cell = SphericalFlowFails(d=200, strength_exponent=0.5, starts=8, **XOR).run(seeds=2).cells[0]
    assert 0.3 < mean(cell, "resting_place") < 0.6
    assert mean(cell, "final_overlap") == pytest.approx(
        np.mean([m.finite["final_overlap"] for m in cell.measurements]), abs=2e-4
    )


@pytest.mark.parametrize(("gamma2", "exponent"), [(0.2, 0.5), (0.6, 0.3), (0.9, 0.05)])
def test_times_by_regime(gamma2: float, exponent: float) -> None:
    cell = Runtime(d=10_000, strength_exponent=gamma2, starts=21).run(seeds=3).cells[0]
    for m in cell.measurements:
        assert m["hitting_time"] == pytest.approx(m.finite["hitting_time"], rel=1e-3)
    assert mean(cell, "time_exponent") == pytest.approx(exponent, abs=0.06)


def test_times_without_preconditioner_are_shorter() -> None:
    cells = Study(Runtime(d=200, starts=21), preconditioner=["none", "covariance"], seeds=2).run(workers=1).cells
    plain, conditioned = (mean(cell, "hitting_time") for cell in cells)
    assert plain < 0.8 * conditioned


def test_refusals() -> None:
    with pytest.raises(InputError, match="polynomial of x1"):
        NormalisedFlow(target="x1*x2")
    with pytest.raises(InputError, match="must be positive"):
        NormalisedFlow(activation="relu")  # which does not see He3
    with pytest.raises(InputError, match="without jumps"):
        NormalisedFlow(activation="sign")
    with pytest.raises(InputError, match="pieces of polynomials"):
        SphericalFlowFails(activation="tanh", target="x1")
    with pytest.raises(InputError, match="which rounding hides"):
        Runtime(d=10**9, strength_exponent=0.1)
    with pytest.raises(InputError, match="beyond the level already"):
        time_growth(3, 1.0, 0.0, 2.0, 10)
    with pytest.raises(InputError, match="greater than 1, or 0"):
        NormalisedFlow(d=40, samples_per_dim=0.5)
    with pytest.raises(InputError, match="which rounding hides"):
        NormalisedFlow(d=10**12, strength_exponent=0.1)
    with pytest.raises(InputError, match="lower d or samples"):
        NormalisedFlow(d=10**6, samples_per_dim=100)
