"""One neuron on the sphere that looks ahead on each sample: what the claims on repeated samples share."""

from __future__ import annotations

import math
from typing import Literal

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Run, parameters
from giantstep.errors import InputError
from giantstep.learners.engines.online import RepeatedSGD, arrival_samples, random_replicas
from giantstep.problems import Problem
from giantstep.theory.dynamics.repetition import repetition_exponent, repetition_step, repetition_time

LEVEL = 0.5  # the overlap of a neuron that has found the target
MOST = 2_000_000_000  # samples of all replicas


class RepetitionClaim(Claim):
    """w <- w + (step/d) g(u) P x on the sphere, u = w + (look_ahead/d) g(w) x, g(w) = y sigma'(<w, x>)."""

    target: parameters.Target = parameters.target("He3(x1)/sqrt(6)", help="what is learned, of x1 alone")
    activation: parameters.Activation = parameters.activation("relu", help="activation of the neuron")
    d: int = parameters.dimension(512, le=10**7)
    step: float = parameters.step(
        0.3, help="the neuron moves by step/d times its gradient; times d^(1 - i/2) if the first mu_i has i > 2", le=10
    )
    look_ahead: float = parameters.look_ahead(1.0)
    way: Literal["look-ahead", "twice"] = parameters.own(
        "look-ahead", "the step is taken at the trial place alone, or at both places: with look_ahead = step two steps"
    )
    budget: float = parameters.budget(100.0)
    replicas: int = parameters.replicas(16)

    engine = "reduced"
    convention = "loss -y sigma(<w, x>), |w| = 1: w += step/d y sigma'(<u, x>) (x - <w, x> w), then over its length"

    def check(self) -> None:
        if self.target.directions != 1:
            raise InputError(f"the target has {self.target.directions} directions; repetition is for functions of x1")
        if self.budget * self.d * self.replicas > MOST:
            raise InputError(
                f"budget x d x replicas = {self.budget * self.d * self.replicas:.2g} samples are too many; at most "
                f"{MOST:.0e}: lower one of them"
            )

    @property
    def first(self) -> int | None:
        """The first i with mu_i != 0."""
        return repetition_exponent(self.target, self.activation, self.look_ahead, self.way)

    @property
    def gamma(self) -> float:
        """The step at this d."""
        return repetition_step(self.target, self.activation, self.d, self.step, self.look_ahead, self.way)

    def half_time(self) -> float:
        """The predicted time by which half of the neurons have arrived; infinite if never."""
        return repetition_time(self.target, self.activation, self.d, self.step, self.look_ahead, self.way, LEVEL)

    def arrivals(self, run: Run, share: float) -> Array:
        """Samples per dimension to the level, (replicas,), until this share has arrived; infinite for the others."""
        d = self.d
        start = random_replicas(self.activation, d, 1, 1, self.replicas, run.streams.child("start"), upper=True)
        sgd = RepeatedSGD(
            Problem(self.target, d), self.gamma / d, run.streams.child("data"), self.look_ahead / d, self.way
        )
        return arrival_samples(sgd, start, LEVEL, math.ceil(self.budget * d), share=share, progress=run.progress) / d

    def cost(self) -> Cost:
        place = (self.target, self.activation, self.d, self.step, self.look_ahead, self.way, LEVEL)
        samples = min(1.5 * repetition_time(*place, rough=True), self.budget) * self.d * self.replicas
        return Cost(samples * 600.0 + 1e8, 8e7)  # of which most are the tables from which theory's series are read
