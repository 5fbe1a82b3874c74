"""A claim small enough to see through: the mean of noisy numbers is `level`, theory says `level + bias`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import Claim, named, parameters, view
from giantstep.verdicts.stating import Allowance, Cost, Curve, Density, Measurement, Prediction, Run, quantity


@named("toy/noisy-level", kind="example", cite="bes22", finding="none")
class NoisyLevel(Claim):
    """A noisy number sits where theory says.

    More words about it.
    """

    level: float = parameters.own(2.0, "where it sits", symbol=r"\ell", path=True, gt=0)
    size: int = parameters.own(10, "how large", ge=1)
    spread: float = parameters.own(0.003, "standard deviation of the noise", ge=0)
    bias: float = parameters.own(0.0, "what theory adds wrongly")

    quantities = (
        quantity.equal("level", Allowance(0.05), "toy", help="the level"),
        quantity.at_least("height", Allowance(0.0), "toy"),
        quantity.equal("wave", Allowance(0.05), "toy"),
        quantity.reported("extra"),
        quantity.slope("power", "size", 2.0, 0.1, "toy"),
        quantity.increasing("power", "size", "toy"),
    )
    views = (
        view.Spectrum("noise", "value", title="noise"),
        view.Curve("level", "1:3:3", ("level",)),
        view.Curve("size", [5, 10, 20], ("power",), log_x=True, log_y=True),
    )
    presets = {"high": {"level": 5.0}}
    default_seeds = 8
    engine = "dense"

    def predict(self) -> Prediction:
        x = np.arange(3.0)
        return Prediction(
            {"level": self.level + self.bias, "height": 0.0, "wave": Curve(x, np.sin(x), "time")},
            regime="always",
            densities={"noise": Density(np.linspace(-1, 1, 9), np.full(9, 0.5), (3.0,), (-1.0, 1.0))},
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        noise = run.streams.child("noise").generator().standard_normal()
        x = np.arange(3.0)
        values = run.streams.child("values").generator().uniform(-1, 1, 50)
        return [
            Measurement(
                {
                    "level": p.level + p.spread * noise,
                    "height": 1.0 + p.spread * noise,
                    "wave": Curve(x, np.sin(x) + p.spread * noise, "time"),
                    "extra": 7.0,
                    "power": p.size**2 * np.exp(p.spread * noise),
                },
                spectra={"noise": np.append(values, 3.0)},
            )
            for p in points
        ]

    def cost(self) -> Cost:
        return Cost(1e6, 8.0 * self.size**2)


@named("toy/bare", kind="example", cite="bes22")
class Bare(Claim):
    """A claim with nothing but what it must have: no parameters, no views."""

    quantities = (quantity.reported("level"),)
    engine = "dense"

    def predict(self) -> Prediction:
        return Prediction({"level": 1.0}, regime="always")

    def measure(self, run: Run) -> Measurement:
        return Measurement({"level": run.streams.child("noise").generator().standard_normal()})

    def cost(self) -> Cost:
        return Cost(1.0, 1.0)
