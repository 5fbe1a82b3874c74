"""Claims of which every number in a picture is known, and results made by hand: no simulation is run for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from giantstep.claims import Claim, View, named, parameters
from giantstep.errors import InputError
from giantstep.problems import Activation
from giantstep.studies import Results
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Allowance, Cost, Curve, Density, Measurement, Prediction, Run, quantity

CALLS: list[Plane] = []  # where theory was asked


@named("toy/plane", kind="example", cite="bes22")
class Plane(Claim):
    """A product of two numbers, and what else a picture can show."""

    activation: parameters.Activation = parameters.activation("tanh")
    width: float = parameters.own(2.0, "one side", symbol="w")
    height: float = parameters.own(3.0, "the other side", symbol="h")
    size: int = parameters.own(10, "a whole number", symbol="size")

    quantities = (
        quantity.equal("area", Allowance(0.1), "toy", symbol="A"),
        quantity.equal("double", Allowance(0.1), "toy"),
        quantity.equal("on_draws", Allowance(0.1), "toy"),
        quantity.equal("wave", Allowance(0.1), "toy", symbol="u"),
        quantity.reported("told"),
        quantity.slope("power", "size", 2.0, 0.1, "toy"),
    )
    engine = "dense"
    line_places = 5

    def predict(self) -> Prediction:
        CALLS.append(self)
        if self.width == 13:
            raise ZeroDivisionError("no theory at 13")
        if self.width == 17:
            raise InputError("no theory at 17")
        x = np.arange(4.0)
        values: dict[str, float | Curve] = {
            "area": self.width * self.height,
            "double": 2 * self.width * self.height,
            "most": 100.0,
            "least": self.height,
            "told": self.width,
            "wave": Curve(x, self.height * x, "time"),
        }
        if self.width < 0:
            values.pop("area")
        return Prediction(
            values,
            regime="always",
            thresholds={"width": self.height},
            densities={"values": Density(np.linspace(0, 1, 5), np.ones(5), (2.0,), (0.0, 1.0))},
        )

    def measure(self, run: Run) -> Measurement:
        return measured(self, run.streams.child("noise").generator().standard_normal())

    def cost(self) -> Cost:
        return Cost(1.0, 1.0)


def measured(point: Claim, error: float = 0.0) -> Measurement:
    """A simulation of `Plane` that errs by this much."""
    assert isinstance(point, Plane)
    x = np.arange(4.0)
    area = point.width * point.height
    return Measurement(
        {
            "area": area + error,
            "double": 2 * area + error,
            "on_draws": area + error,
            "wave": Curve(x, point.height * x + error, "time"),
            "power": 3.0 * point.size**2,
            "unpredicted_wave": Curve(x, x + error, "time"),
        },
        finite={"on_draws": area + 10.0, "unpredicted_wave": Curve(x, x + 10.0, "time")},
        spectra={"values": np.array([0.2, 0.4, 1.8 + error]), "start": np.array([0.1, 0.3])},
        paths={"neurons": [Curve(x, point.height * x), Curve(x, -x)], "teacher": [Curve(x, 0 * x)]},
    )


def results_of(
    points: Iterable[Claim],
    *views: View,
    errors: tuple[float, ...] = (-1.0, 1.0),
    fails: Callable[[Any], bool] = lambda point: False,
    base: Claim | None = None,
) -> Results:
    """Results at these points with a seed for each error; where `fails`, every simulation has failed."""
    every = list(points)
    cells = []
    for point in every:
        seeds = () if fails(point) else tuple(measured(point, error) for error in errors)
        cells.append(Cell(point, point.predict(), seeds))
    failures = tuple("seed 0: overflow" for point in every if fails(point))
    CALLS.clear()  # what a picture asks of theory is counted from here on
    return Results(base or Plane(), tuple(cells), {"seed": 0}, views, failures)


TANH, RELU = Activation("tanh"), Activation("relu")
