"""[adklps24] batches: the same samples in fewer steps, up to a batch that the loss decides."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.refusals import refuse_no_pull
from giantstep.errors import InputError
from giantstep.learners.engines.online import BatchSGD, arrival_samples, random_replicas
from giantstep.problems import Problem
from giantstep.theory.dynamics.repetition import batch_step, batch_steps

LEVEL = 0.5  # the overlap of a neuron that has found the target
PATIENCE = 6  # times the predicted number of steps, after which a run ends
MOST = 2_000_000_000  # samples of all replicas
EVEN = {"target": "He2(x1)/sqrt(2)", "activation": "-2*cos(z)", "step": 0.2, "d": 1024, "replicas": 32}
SQUARED = {"loss": "squared", "step": 0.4}
SMALL, LARGE = (16, 64, 256), (1024, 4096)


def _is_small(point: BatchSize) -> bool:
    return point.batch <= point.largest


def _is_large(point: BatchSize) -> bool:
    """The squared loss from twice the limit on, where all steps shrink."""
    return point.loss == "squared" and point.batch >= 2 * point.largest


@named(
    "repetition/batch-size",
    kind="theorem",
    cite="adklps24",
    where="batches up to d^(l/2) with the squared loss, beyond with the correlation loss",
)
class BatchSize(Claim):
    """SGD with batches finds its target after as many samples in fewer steps, up to batches of d^(l/2) and beyond.

    One pass: every step has `batch` samples that no step had before. `steps` is their number until half of the neurons
    have |<w, x1>| = 1/2; it falls like 1/batch while the sum of a batch's steps is small beside the neuron, up to
    d^(l/2), l the information exponent. Beyond, the squared loss (y - sigma)^2/2 needs steps that shrink like d/batch,
    for its mean gradient at a random start shortens the neuron: the number of steps no longer falls, and even rises,
    for the noise that helps a neuron to leave its start is less. The correlation loss has no such part: steps go on to
    fall.
    """

    target: parameters.Target = parameters.target("He3(x1)/sqrt(6)", help="what is learned, of x1 alone")
    activation: parameters.Activation = parameters.activation("sin(sqrt(3)*z)", help="activation of the neuron")
    d: int = parameters.dimension(64, le=10**6)
    batch: int = parameters.own(64, "samples a step, none of them used before", symbol="B", ge=1, le=10**6)
    loss: Literal["correlation", "squared"] = parameters.own(
        "correlation", "-y sigma(h), or (y - sigma(h))^2/2 with h = <w, x>"
    )
    step: float = parameters.step(
        0.4,
        help="gamma = step d^(1 - l/2), at most step d/batch with the squared loss; a step adds gamma/d gradients",
        le=10,
    )
    replicas: int = parameters.replicas(128)

    quantities = (
        quantity.equal(
            "steps",
            Allowance(0.7, of="prediction", power=-0.5) + Allowance(0.3, of="prediction", power=-1, size="replicas")
            + Allowance(1.5),
            "labels have heavy tails: 0.3 to 0.5 d^(-1/2) was seen; the median of few replicas is late by 0.1 to 0.3 "
            "over their number; and steps are whole, so that the last one goes too far",
            help="steps after which half of the neurons have an overlap of 1/2", symbol="T",
            when=lambda point: math.isfinite(point.half_steps()),
        ),
        quantity.slope(
            "steps", "batch", -1, 0.1, "the last steps are large",
            help="as many samples whatever the batch", when=_is_small,
        ),
        quantity.increasing(
            "steps", "batch", "noise helps the start, and larger batches have less of it",
            help="larger batches are of no use with the squared loss", when=_is_large,
        ),
        quantity.slope(
            "steps", "d", lambda point: max(1, point.exponent - 1), 0.15, "the start, of order d^(-1/2), is random",
            help="one batch size: as many steps as samples", when=lambda p: _is_small(p) and p.exponent > 2,
        ),
        quantity.reported("time", help="samples per dimension until then", symbol="n/d"),
    )  # fmt: skip
    hypotheses = (Hypothesis("the dimension is large, 64 at least: the start is away from 1/2", lambda p: p.d >= 64),)
    views = (
        view.Curve("batch", SMALL, ("steps",), log_x=True, log_y=True, title="He3, correlation loss: T ~ 1/B"),
        view.Curve(
            "batch", LARGE, ("steps",), by="loss", by_values=("correlation", "squared"), log_x=True, log_y=True,
            title=r"beyond $d^{3/2}$: the loss decides",
        ),
        view.Curve(
            "batch", (16, 64, 256, 1024), ("steps",), at=EVEN, log_x=True, log_y=True, title="He2, up to d",
        ),
        view.Curve("d", (64, 160), ("steps",), at={"batch": 128}, log_x=True, log_y=True, title="against d"),
    )  # fmt: skip
    presets = {"even": EVEN, "squared": SQUARED, "limit": {"batch": 512}}
    default_seeds = 12
    line_places = 9
    engine = "reduced"
    convention = "w += gamma/d sum over the batch of (y or y - sigma) sigma'(<w, x>) x, then over its length"

    @property
    def exponent(self) -> int:
        """l, the information exponent; 1 if the target has none."""
        return self.target.information_exponent or 1

    @property
    def largest(self) -> float:
        """d^(l/2), or d for l = 1: up to here any loss does."""
        return float(self.d ** max(1.0, self.exponent / 2))

    @property
    def gamma(self) -> float:
        """The step at this d and batch."""
        return batch_step(self.target, self.d, self.batch, self.step, self.loss)

    def half_steps(self) -> float:
        """The predicted number of steps; infinite if half of the neurons never arrive."""
        return batch_steps(self.target, self.activation, self.d, self.batch, self.step, self.loss, LEVEL)

    def check(self) -> None:
        if self.target.directions != 1:
            raise InputError(f"the target has {self.target.directions} directions; batches are for functions of x1")
        if self.d * self.batch * self.replicas > MOST:
            raise InputError(
                f"d x batch x replicas = {self.d * self.batch * self.replicas:.2g} are too many; at most {MOST:.0e}: "
                "lower one of them"
            )
        refuse_no_pull(self.target, self.activation)

    def predict(self) -> Prediction:
        steps = self.half_steps()
        told = f"gamma = {self.gamma:.3g}; batches up to d^(l/2) = {self.largest:.4g} save steps with any loss"
        values = {"steps": steps, "time": steps * self.batch / self.d} if math.isfinite(steps) else {}
        return Prediction(values, "large d, one neuron on the sphere", (told,), thresholds={"batch": self.largest})

    def measure(self, run: Run) -> Measurement:
        d, expected = self.d, self.half_steps()
        most = math.ceil(PATIENCE * (expected if math.isfinite(expected) else d) + 20)
        most = min(most, max(1, MOST // (self.batch * self.replicas)))
        start = random_replicas(self.activation, d, 1, 1, self.replicas, run.streams.child("start"), upper=True)
        sgd = BatchSGD(
            Problem(self.target, d), self.gamma / d, run.streams.child("data"), batch=self.batch, loss=self.loss
        )
        share = 0.5 + 0.5 / self.replicas
        half = float(np.median(arrival_samples(sgd, start, LEVEL, most, share=share, progress=run.progress)))
        return Measurement({"steps": half, "time": half * self.batch / d} if math.isfinite(half) else {})

    def cost(self) -> Cost:
        steps = min(self.half_steps(), 1e6)
        return Cost(
            1.5 * steps * (self.batch * self.replicas * 100.0 + 3e4) + 1e8, 3e7 + 64 * self.batch * self.replicas
        )
