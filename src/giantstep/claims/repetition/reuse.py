"""[addkp24] a sample that is used twice: targets that one pass finds after d^2 samples are found after order d."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import Allowance, Hypothesis, Measurement, Prediction, Run, named, quantity, view
from giantstep.claims.repetition._repetition import RepetitionClaim
from giantstep.theory.dynamics.repetition import repetition_coefficients

NEAR = 1.5  # times the budget, or the budget over this: where the median may fall on either side of it
CUBIC = {"activation": "sin(sqrt(3)*z)", "step": 0.8, "replicas": 32, "budget": 20_000}
ONE_PASS = {**CUBIC, "look_ahead": 0}
FOURTH = {"target": "-He4(x1)/sqrt(24)", "budget": 400}
SAME_STEP = {"activation": "tanh", "way": "twice", "look_ahead": 0.3}


@named(
    "repetition/reuse",
    kind="theorem",
    cite="addkp24",
    where="theorem on weak recovery with repeated samples; exponents mu_i [tme25]; one pass [bagj21]",
    finding=(
        "With ReLU the comparison is not one of d with d^2: E[relu He_3] = 0, and one pass never finds He3, at any "
        "step. An activation that sees He3 (sin(sqrt(3) z), tanh) finds it in one pass after n ~ d^2. And the neuron "
        "goes to -x1, for mu_1 = -0.040 at rho = 1: it has to lose its positive start first."
    ),
)
class Reuse(RepetitionClaim):
    """A neuron that uses each sample twice finds He3 after order d samples, at any d; one pass needs d^2.

    The trial step w + (look_ahead/d) g x moves the field of its own sample by order one, so that the second gradient is
    not linear in the label: mu_1 != 0 although the information exponent of the target is 3. `time` is the number of
    samples per dimension after which half of the neurons have |<w, x1>| = 1/2 (an overlap, not its square). Without
    look-ahead it is one pass, with steps that shrink as step d^(1 - i/2), i the first order in which the activation
    sees the target.
    """

    quantities = (
        quantity.equal(
            "time",
            Allowance(0.7, of="prediction", power=-0.5) + Allowance(0.3, of="prediction", power=-1, size="replicas"),
            "labels have heavy tails, and their largest steps are not small beside the overlap: 0.3 to 0.5 d^(-1/2) "
            "was seen; the median of few replicas is late by 0.1 to 0.3 over their number",
            help="samples per dimension after which half of the neurons have an overlap of 1/2", symbol="n/d",
            when=lambda point: point.is_found() is True,
        ),
        quantity.slope(
            "time", "d", lambda point: max(0, (point.first or 2) - 2), 0.05,
            "the start, an overlap of order d^(-1/2), is a part of the way",
            help="no growth where mu_1 is not 0; in one pass d^(l-2)",
            when=lambda point: point.is_found() is True and point.first != 2,
        ),
        quantity.equal(
            "found", Allowance(0.1), "a share of runs, which is known to less than one of the usual 8",
            help="share of runs in which half of the neurons find the target within the budget", symbol="",
            when=lambda point: point.is_found() is not None,
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis("the dimension is large, 64 at least: the start is away from 1/2", lambda p: p.d >= 64, ("time",)),
    )
    views = (
        view.Curve(
            "d", (256, 1024, 4096, 16_384, 65_536), ("time",), log_x=True, log_y=True, seeds=8,
            title="each sample used twice: order d samples",
        ),
        view.Curve(
            "d", (64, 128, 256), ("time",), at=ONE_PASS, log_x=True, log_y=True, seeds=20,
            title="one pass: order $d^2$ samples",
        ),
        view.Curve(
            "d", (256, 1024, 4096), ("found",), by="look_ahead", by_values=(0, 1), log_x=True, seeds=3,
            title="ReLU within 100 d samples",
        ),
        view.Curve(
            "d", (256, 1024, 4096), ("time",), at=FOURTH, log_x=True, seeds=8,
            title="He4: order d log d samples",
        ),
        view.Curve(
            "look_ahead", (0.5, 1, 2), ("time",), by="way", by_values=("look-ahead", "twice"), seeds=8,
            at={"activation": "tanh", "d": 1024, "replicas": 32}, title="both places or the second alone, tanh",
        ),
        view.Curve("step", (0.15, 0.2, 0.4), ("time",), at={"d": 1024}, seeds=8, title="against the step"),
    )  # fmt: skip
    presets = {
        "figure": {"d": 256},
        "one-pass": {**ONE_PASS, "d": 128},
        "one-pass-relu": {"look_ahead": 0},
        "fourth": FOURTH,
        "same-sample-twice": SAME_STEP,
    }
    default_seeds = 8
    line_places = 9

    def is_found(self) -> bool | None:
        """Whether the target is found within the budget; None if chance may decide."""
        ratio = self.half_time() / self.budget
        return None if 1 / NEAR < ratio < NEAR else ratio < 1

    def predict(self) -> Prediction:
        found, half = self.is_found(), self.half_time()
        coefficients = repetition_coefficients(self.target, self.activation, self.look_ahead, self.way)[:3]
        seen = ", ".join(f"mu_{i} = {value + 0.0:.3g}" for i, value in enumerate(np.round(coefficients, 9), 1))
        values = {"time": half} if math.isfinite(half) else {}
        if found is not None:
            values["found"] = float(found)
        return Prediction(values, "large d, one neuron on the sphere", (f"{seen}; step at this d {self.gamma:.3g}",))

    def measure(self, run: Run) -> Measurement:
        half = float(np.median(self.arrivals(run, 0.5 + 0.5 / self.replicas)))
        found = math.isfinite(half)
        return Measurement({"found": float(found), **({"time": half} if found else {})})
