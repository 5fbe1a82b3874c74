"""Finite-size scaling: a known gap gives its exponent, no gap gives none."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import Claim, named, parameters, view
from giantstep.errors import InputError
from giantstep.figures import draw
from giantstep.studies import Study
from giantstep.studies.scaling import SizeScaling, scaling_picture, scalings
from giantstep.verdicts.stating import Allowance, Cost, Measurement, Prediction, Run, quantity


@named("toy/shrinking", kind="example", cite="bes22")
class Shrinking(Claim):
    """A number that lies off its limit by a power of d."""

    d: int = parameters.own(64, "size", ge=1)
    power: float = parameters.own(0.5, "exponent of the gap")
    strength: float = parameters.own(3.0, "the gap at d = 1")

    quantities = (quantity.equal("level", Allowance(10.0), "toy"),)
    views = (view.Curve("d", [16, 64], ("level",)),)
    default_seeds = 20
    engine = "dense"

    def predict(self) -> Prediction:
        return Prediction({"level": 1.0}, regime="d to infinity")

    def measure(self, run: Run) -> Measurement:
        noise = run.streams.child(f"noise {self.d}").generator().standard_normal()
        return Measurement({"level": 1.0 + self.strength * self.d**-self.power + 0.02 * noise})

    def cost(self) -> Cost:
        return Cost(1e3, 1e3)


@pytest.mark.parametrize("power", [0.5, 1.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_known_power_is_found(power: float, seed: int) -> None:
    results = Study(Shrinking(power=power), d=[4, 16, 64, 256], seeds=20, seed=100 * seed).run(workers=1)
    (found,) = scalings(results, "d")
    assert found.exponent is not None
    assert found.exponent_error is not None
    assert abs(found.exponent - power) < 4 * found.exponent_error
    assert found.exponent_error < 0.1
    assert f"shrinks like d^({-found.exponent:.2f}" in found.sentence
    assert "<svg" in draw(scaling_picture(results, [found])).svg()


def test_no_gap_gives_no_exponent() -> None:
    results = Study(Shrinking(strength=0.0), d=[4, 16, 64], seeds=20).run(workers=1)
    (found,) = scalings(results, "d")
    assert found.exponent is None
    assert "no gap is seen" in found.sentence
    assert np.all(np.abs(found.gaps) < 0.05)


def test_one_size_is_refused() -> None:
    with pytest.raises(InputError, match="two or more values of 'd'"):
        scalings(Study(Shrinking(), seeds=3).run(workers=1), "d")


@pytest.mark.parametrize("size", ["dd", "name"])
def test_what_is_no_size_is_refused(size: str) -> None:
    with pytest.raises(InputError, match=f"'{size}' is no size"):
        scalings(Study(Shrinking(), d=[4, 16], seeds=2).run(workers=1), size)


def test_a_size_is_positive() -> None:
    with pytest.raises(InputError, match="must be positive, and begins at 0"):
        scalings(Study(Shrinking(), strength=[0, 1], seeds=2).run(workers=1), "strength")


def test_no_sizes_are_told() -> None:
    nothing = np.zeros(0)
    assert repr(SizeScaling("risk", "d", nothing, nothing, nothing, 1.0)) == "SizeScaling(risk: no sizes)"
