"""A claim that costs next to nothing, so that what remains is the study around it."""

from __future__ import annotations

import time

from giantstep.claims import Claim, named, parameters, view
from giantstep.verdicts.stating import Allowance, Cost, Measurement, Prediction, Run, quantity


@named("benchmark/tiny", kind="example", cite="bes22")
class Tiny(Claim):
    """A number is what it is."""

    place: int = parameters.own(0, "where", ge=0)
    work: float = parameters.own(0.0, "seconds of computation", ge=0)

    quantities = (quantity.equal("level", Allowance(5.0), "none"),)
    views = (view.Curve("place", [0, 1], ("level",)),)
    engine = "dense"

    def predict(self) -> Prediction:
        return Prediction({"level": 0.0}, regime="always")

    def measure(self, run: Run) -> Measurement:
        value = run.streams.child("value").generator().standard_normal()
        end = time.process_time() + self.work
        while time.process_time() < end:  # a core's time, not a clock's: other processes must not shorten the work
            pass
        return Measurement({"level": float(value)})

    def cost(self) -> Cost:
        return Cost(1e3 + 1e10 * self.work, 1e3)
