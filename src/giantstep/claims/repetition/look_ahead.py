"""[tme25] how far a neuron must look ahead on a sample before it sees what one pass does not see."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from giantstep.claims import (
    Allowance,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.repetition._repetition import LEVEL, RepetitionClaim
from giantstep.theory.dynamics.repetition import look_ahead_threshold, repetition_share

LATE = 0.7  # times d^(-1/2): the part of a time that the diffusion may be wrong by, as in repetition/reuse
TANH = {"activation": "tanh", "budget": 40}


_share = lru_cache(maxsize=256)(repetition_share)  # once for the prediction and for what is allowed around it


def _moved(point: LookAhead) -> float:
    """What the share changes by when times move by a part 0.7 d^(-1/2)."""
    part, share = 1 + LATE / math.sqrt(point.d), point.share(point.budget)
    return max(abs(point.share(point.budget * f) - share) for f in (part, 1 / part))


@named(
    "repetition/look-ahead",
    kind="theorem",
    cite="tme25",
    where="phase transition in the learning rate; the algorithm of [addkp24]",
)
class LookAhead(RepetitionClaim):
    """Neurons that look ahead too little on each sample learn nothing, and beyond a threshold all of them learn.

    The pull mu_1 grows with the look-ahead rho from 0; it must win over the noise of the steps, (step/2) E psi^2 m, on
    the whole way to |m| = 1/2. `learned` is the share of neurons that arrive within budget d samples. As d grows it
    becomes a step at rho_c, where the differential equation from m = 0 takes as long as the budget allows; below, it
    comes to rest before 1/2, and only at small d the noise of the samples carries some neurons over.
    """

    d: int = parameters.dimension(256, le=10**7)
    look_ahead: float = parameters.look_ahead(0.2)
    budget: float = parameters.budget(60.0)
    replicas: int = parameters.replicas(96)

    quantities = (
        quantity.equal(
            "learned", Allowance(_moved) + Allowance(0.08),
            "heavy tails of the labels move all times by up to 0.7 d^(-1/2), which is a share where the transition is; "
            "there they also carry some neurons over that a Gaussian noise does not: 0.02 to 0.06 was seen",
            help="share of neurons with an overlap of 1/2 within the budget", symbol=r"P(n_{1/2} \leq n)",
        ),
    )  # fmt: skip
    hypotheses = (Hypothesis("the dimension is large, 64 at least: the start is away from 1/2", lambda p: p.d >= 64),)
    views = (
        view.Curve(
            "look_ahead", (0, 0.1, 0.15, 0.2, 0.3), ("learned",), by="d", by_values=(64, 256, 1024),
            title="He3, ReLU, within 60 d samples",
        ),
        view.Curve("look_ahead", (0, 0.1, 0.2, 0.3), ("learned",), at=TANH, title="tanh, within 40 d samples"),
        view.Curve("budget", (20, 40, 60), ("learned",), title=r"against time, $\rho = 0.2$"),
    )  # fmt: skip
    presets = {"none": {"look_ahead": 0}, "threshold": {"look_ahead": 0.17}, "tanh": TANH}
    default_seeds = 8
    line_places = 13

    def share(self, time: float) -> float:
        """The predicted share of neurons that have arrived by this time."""
        return _share(self.target, self.activation, self.d, self.step, self.look_ahead, self.way, LEVEL, time)

    def predict(self) -> Prediction:
        threshold = look_ahead_threshold(self.target, self.activation, self.step, self.way, LEVEL, self.budget)
        note = f"for large d the threshold is {threshold:.3g}" if math.isfinite(threshold) else "no threshold up to 2"
        return Prediction(
            {"learned": self.share(self.budget)},
            "large d, one neuron on the sphere",
            (note,),
            thresholds={"look_ahead": threshold} if math.isfinite(threshold) else {},
        )

    def measure(self, run: Run) -> Measurement:
        return Measurement({"learned": float(np.mean(np.isfinite(self.arrivals(run, 1.0))))})
