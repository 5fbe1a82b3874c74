"""[mws23] one gradient step beside a spike does not find the target, but the flow that follows starts warm."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_much_work
from giantstep.claims.structured._flows import LEVEL, MOST_WORK, FlowClaim
from giantstep.learners import random_directions
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.flows import PopulationFlow
from giantstep.learners.networks import Network, Scaling
from giantstep.problems import Problem
from giantstep.problems.inputs import Spiked
from giantstep.theory.structured import stepped_limit, stepped_overlaps
from giantstep.theory.structured.flows import typical_start

CLEAR = 4.0  # times 1/delta_0^(2(k-1)): so many samples a dimension show the gradient of a typical neuron
FAR = 0.85  # overlaps after the step up to which the flow has a way to go
LEAST = 1e-6  # of overlaps, so that times are finite


@named(
    "structured/warm-start",
    kind="proposition",
    cite="mws23",
    where="slide 'Insufficiency of One Gradient Step', warm start for gamma1 < 1/2",
    finding=(
        "After the step the overlap is that of Sigma beta: for a strong spike beside the target d^(gamma2/2 - gamma1), "
        "larger than at a random start by d^((1 - gamma2)/2). This holds at gamma1 = 1/2 too, where the slide sees "
        "nothing: what counts is that enough samples show the gradient."
    ),
)
class WarmStart(FlowClaim):
    """One step beside a spike turns neurons part of the way to the target, and the flow from there takes less time.

    The first gradient of random neurons on n samples is the start of the preconditioned population flow, turned to a
    positive overlap. `step_overlap` is the median of omega, the correlation with the target's variable, after the step,
    against that of Sigma beta with the noise of the batch; `start_overlap` the median before. `time_warm` is the
    median time of the flow from there to omega = 0.9, `gain` that from the random start over it.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    d: int = parameters.dimension(64, ge=16, le=1000)
    samples_per_dim: float = parameters.samples_per_dim(400.0, symbol="n/d", ge=4, le=1e5)
    alignment_exponent: float = parameters.alignment_exponent(0.4)
    strength_exponent: float = parameters.strength_exponent(0.5, symbol=r"\gamma_2,\ \theta = d^{\gamma_2}", le=1)
    starts: int = parameters.starts(32)

    quantities = (
        quantity.equal(
            "step_overlap", Allowance(0.02) + Allowance(0.5, power=-1, size="samples_per_dim"),
            "the noise of the batch is not quite of the inputs' shape, and has a part along the target",
            help="median overlap after the step", symbol=r"\omega_1", against="finite",
            limit=Allowance(0.15), when=lambda point: point.is_clear,
        ),
        quantity.equal(
            "time_warm", Allowance(0.1, of="prediction"), "overlaps near 0.9 are reached at once: times are small",
            help="median time after the step: from there to omega = 0.9", symbol="T_1", against="finite",
            when=lambda point: point.is_left,
        ),
        *(
            quantity.at_least(
                name, 0, "an inequality with room", help=what, symbol=symbol, when=lambda point: point.is_left
            )
            for name, what, symbol in (
                ("gain", "time without the step, over that after it: medians", "T_0/T_1"),
                ("overlap_gain", "median overlap after the step over that before", r"\omega_1/\omega_0"),
            )
        ),
        quantity.reported("start_overlap", help="median overlap of the random start", symbol=r"\omega_0"),
    )  # fmt: skip
    views = (
        view.Curve(
            "alignment_exponent", (0.1, 0.25, 0.4, 0.5), ("step_overlap", "start_overlap"), together=True,
            title="overlap with the target, before and after one step",
        ),
        view.Curve(
            "strength_exponent", (0.25, 0.5, 0.75), ("time_warm", "gain"), title="time that is left, and saved",
        ),
    )  # fmt: skip
    presets = {
        "exponent-3": {
            "activation": "relu(z - 1)", "target": "He3(x1)/sqrt(6)", "strength_exponent": 0.7, "samples_per_dim": 2000,
        },
        "linear": {"target": "x1"},
    }  # fmt: skip
    default_seeds = 8
    engine = ("full", "population")
    convention = "g = (1/n) sum y s'(<x, w>) x, w on the sphere; flow of (f - y)^2 with Sigma^-1 before the gradient"

    def check(self) -> None:
        super().check()
        refuse_much_work("gradient", self.work, MOST_WORK, "d, samples_per_dim or starts")

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def work(self) -> float:
        return 4.0 * self.samples * self.d * self.starts

    @property
    def is_clear(self) -> bool:
        """Whether the batch shows the gradient of a typical neuron."""
        typical = min(1.0, typical_start(self.flow, self.d))
        return self.samples_per_dim >= CLEAR * typical ** (2 - 2 * self.exponent)

    @property
    def is_left(self) -> bool:
        """Whether the step leaves a way to go: else no time is left to compare."""
        return self.is_clear and stepped_limit(self.theta, self.alignment(self.d)) <= FAR

    def predict(self) -> Prediction:
        limit = stepped_limit(self.theta, self.alignment(self.d))
        return Prediction(
            {"step_overlap": limit, "gain": 1.0, "overlap_gain": 1.0},
            "many samples per dimension, random neurons; any theta and alignment",
            (f"after the mean step omega = {limit:.3g}, before {typical_start(self.flow, self.d):.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        d, theta, rho = self.d, self.theta, self.alignment(self.d)
        weights = random_directions(d, self.starts, run.streams.child("start"))
        law = Spiked(theta, alignment=rho)
        sample = Problem(self.target, d, inputs=law).sample(self.samples, run.streams.child("data"))
        net = Network(weights, np.zeros(self.starts), self.activation, Scaling.UNIT)
        gradient = first_layer_gradient(net, sample, threads=run.threads).gradient
        (before, slow), (after, quick) = (self.seen(rows) for rows in (weights, gradient))
        known = np.stack([weights[:, 0], weights @ law.direction(d)], axis=1)
        expected = np.abs(stepped_overlaps(self.target, self.activation, d, theta, rho, known, self.samples))
        time = np.zeros(len(expected))
        on_way = expected < LEVEL
        if on_way.any():
            time[on_way] = self.flow.hitting_time(expected[on_way], np.zeros(int(on_way.sum())), LEVEL, True)
        values = {"step_overlap": after, "start_overlap": before, "overlap_gain": after / before, "time_warm": quick}
        if quick > 0:
            values["gain"] = slow / quick
        return Measurement(
            values, finite={"step_overlap": float(np.median(expected)), "time_warm": float(np.median(time))}
        )

    def seen(self, rows: Array) -> tuple[float, float]:
        """The median overlap of neurons (starts, d), turned to positive ones, and the median time of the flow."""
        task = self.task(3)
        w = np.column_stack([rows[:, :2], np.linalg.norm(rows[:, 2:], axis=1)])
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        w *= np.where(task.overlap(w) < 0, -1.0, 1.0)[:, None]
        omega = task.overlap(w)
        alive = omega > LEAST
        times = PopulationFlow(task, "preconditioned").hitting_time(w[alive], LEVEL)
        return float(np.median(omega)), float(np.median(times))

    def cost(self) -> Cost:
        return Cost(self.work + 4e7 * self.starts, 8.0 * self.d * (1024 + 4 * self.starts) + 3e7)
