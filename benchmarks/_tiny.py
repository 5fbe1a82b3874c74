"""A claim that costs next to nothing, so that what remains is the study around it."""

from __future__ import annotations

import time

from giantstep.claims import Claim, CurveView, claim, parameter
from giantstep.verdicts import Cost, Measurement, Prediction, Run, absolute, equal


@claim("benchmark/tiny", kind="example", cite="bes22")
class Tiny(Claim):
    """A number is what it is."""

    place: int = parameter(0, "where", ge=0)
    work: float = parameter(0.0, "seconds of computation", ge=0)

    quantities = (equal("level", absolute(5.0), "none"),)
    views = (CurveView("place", [0, 1], ("level",)),)
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
