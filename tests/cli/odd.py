"""A claim that is hard on terminals: square brackets in its words, a theory that breaks down, neurons that move."""

from __future__ import annotations

import numpy as np

from giantstep.claims import Claim, Hypothesis, Printed, named, parameters, view
from giantstep.verdicts.stating import Allowance, Cost, Curve, Measurement, Prediction, Run, quantity


@named("toy/odd", kind="example", cite="bes22", where="[slide] 7", finding="see [dklps23] :warning:")
class Odd(Claim):
    """The interval [bold] is closed [0, 1].

    A story with [brackets].
    """

    level: float = parameters.own(1.0, "where it [red]sits[/red]", ge=0)

    quantities = (quantity.equal("level", Allowance(0.1), "noise [reason]", help="level in [units]"),)
    views = (view.Curve("level", [1.0, 2.0], ("level",)), view.Trajectory(("walk",), "x", "y"))
    presets = {"slide": {"level": 2.0}}
    printed = (Printed("level", "twice as [much]", lambda point: 2 * point.level),)
    hypotheses = (Hypothesis("the level is at most [5]", lambda point: point.level <= 5),)
    default_seeds = 3
    engine = "full"
    convention = "labels in [0, 1]"

    def predict(self) -> Prediction:
        if self.level > 10:
            raise ZeroDivisionError("far away")
        return Prediction({"level": self.level}, regime="[regime]", notes=("note [dklps23] here", "[/b] :smile:"))

    def measure(self, run: Run) -> Measurement:
        noise = 0.01 * run.streams.child("noise").generator().standard_normal()
        return Measurement({"level": self.level + noise}, paths={"walk": [Curve(np.arange(2.0), np.arange(2.0), "x")]})

    def cost(self) -> Cost:
        return Cost(1.0, 1.0)
