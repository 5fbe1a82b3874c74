"""[dklps23] several steps with fewer than d^l samples each, of which every one may have a size of its own."""

from __future__ import annotations

import numpy as np

from giantstep.claims import Allowance, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.dklps23._one_step import SHARE_ALLOWANCE, SHARE_REASON, OneStepClaim
from giantstep.claims.sizes import count, local_exponent
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, ReducedState, initial_state, take_step
from giantstep.learners.networks import DKLPS23
from giantstep.problems import Activation, Problem
from giantstep.theory.dynamics import shares_along_steps
from giantstep.theory.visibility import share_given_overlap

CUBIC = {"target": "He3(x1)/sqrt(6)", "activation": "tanh", "sample_exponent": 2, "sample_factor": 1, "steps": 2}


@named(
    "dklps23/several-steps",
    kind="conjecture",
    cite="dklps23",
    where="slide 'Several gradient steps', first conjecture: n = O(d^(l - eps)), step sizes eta_1, ..., eta_T",
    finding=(
        "The conjecture does not hold for l = 2: each step of size (n/d)^(1/2) multiplies the overlaps by as much and "
        "leaves the norms alone, a power method, so that T steps of n ~ d^kappa samples learn from kappa = 1 + 1/T on. "
        "Three steps at kappa = 1.5 show a quarter of the neurons at d = 64 as at 1024, where one step falls like "
        "d^(-1/2). It holds for kappa <= l - 1, where a step does not raise the overlaps at all (l = 3, n = d^2)."
    ),
)
class SeveralSteps(OneStepClaim):
    """T steps of n ~ d^kappa samples learn a quadratic target from kappa = 1 + 1/T on, and below that they do not.

    l is the information exponent of the target, and the conjecture says that kappa < l never learns. Step t has the
    size s_t = step growth^(t-1) d^((kappa-1)/2), at which noise does not outgrow the neurons. `share` is
    the mean over neurons of |P_V w|^2/|w|^2 after the last step; the first one's, `first_share`, is predicted for
    the overlaps drawn, and for l = 2 all of them are, up to the network's own output, which later steps see.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    d: int = parameters.dimension(256)
    neurons: int = parameters.neurons(8, help=parameters.PAIRED, ge=2, le=64)
    sample_exponent: float = parameters.sample_exponent(1.5, le=4)
    sample_factor: float = parameters.sample_factor(2.0)
    step: float = parameters.step(1.0, help="size of the first step, over d^((kappa-1)/2)", symbol="s")
    steps: int = parameters.steps(3, help="number of steps", symbol="T", le=10)
    growth: float = parameters.own(1.0, "size of each step over that of the step before", symbol="g", gt=0, le=10)

    quantities = (
        quantity.equal(
            "first_share", SHARE_ALLOWANCE, SHARE_REASON, against="finite", symbol=r"|P_{V^*} w^1|^2/|w^1|^2",
            help="share of the relevant directions in a neuron after the first step, mean over neurons",
        ),
        quantity.equal(
            "share", Allowance(0.15, of="prediction") + Allowance(2, power=-1),
            "the network's own output, some 10 % of the labels' energy, is left out; and of order 1/d",
            help="share of the relevant directions in a neuron after the last step, mean over neurons",
            symbol=r"|P_{V^*} w^T|^2/|w^T|^2", when=lambda point: point.is_quadratic,
        ),
        quantity.slope(
            "share", "d", lambda point: local_exponent(point.share_at, point.d, (1, 4, 16)), 0.15,
            "some 10 % of the share at each d", help="T steps learn: the predicted exponent is 0 or more",
            when=lambda point: point.is_quadratic and point.gain > 1,
        ),
        quantity.decreasing(
            "share", "d", "too few steps or samples: no allowance is needed", symbol=r"|P_{V^*} w^T|^2/|w^T|^2",
            help="share of the relevant directions in a neuron after the last step, mean over neurons",
            when=lambda point: point.gain < 1 if point.is_quadratic else point.is_hard,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (64, 256, 1024), ("share", "first_share"), by="steps", by_values=(1, 3), log_x=True, log_y=True,
            title="l = 2, n = 2 d^1.5: three steps learn",
        ),
        view.Curve(
            "d", (128, 512, 2048), ("share",), by="steps", by_values=(2, 3), at={"sample_exponent": 1.25}, log_x=True,
            log_y=True, title="l = 2, n = 2 d^1.25: two or three do not",
        ),
        view.Curve(
            "growth", (0.3, 0.6, 1), ("share",), by="steps", by_values=(2, 3), log_x=True,
            title="a size for each step, d = 256",
        ),
        view.Curve(
            "d", (24, 48, 96), ("share", "first_share"), at=CUBIC, log_x=True, log_y=True, seeds=140,
            title="l = 3, n = d^2, two steps",
        ),
    )  # fmt: skip
    presets = {
        "learned": {},
        "not-learned": {"sample_exponent": 1.25, "steps": 2, "d": 512},
        "shrinking": {"growth": 0.3},
        "cubic": {**CUBIC, "d": 64},
    }
    default_seeds = 80

    @property
    def samples(self) -> int:
        return count(self.sample_factor, self.d, self.sample_exponent, least=2)

    @property
    def sizes(self) -> list[float]:
        """s_1, ..., s_T."""
        first = self.step * self.d ** ((self.sample_exponent - 1) / 2)
        return [float(first * self.growth**t) for t in range(self.steps)]

    @property
    def is_quadratic(self) -> bool:
        """Whether all steps are predicted: ReLU, l = 2, one direction, and no growing steps, after which f matters."""
        seen = self.activation == Activation("relu(z)") and self.exponent == 2 and self.target.directions == 1
        return seen and self.growth <= 1

    @property
    def is_hard(self) -> bool:
        """Whether a step with so few samples does not even raise the overlaps."""
        return self.sample_exponent <= self.exponent - 1

    @property
    def gain(self) -> float:
        """T (kappa - 1): the power of d that the steps add to a squared overlap of 1/d."""
        return self.steps * (self.sample_exponent - 1)

    def check(self) -> None:
        super().check()
        if not self.sees:
            raise InputError(f"the activation {self.activation} does not see the target {self.target}: take another")

    def predict(self) -> Prediction:
        told = f"the information exponent is {self.exponent}, n = {self.samples}"
        values = {}
        if self.is_quadratic:
            values["share"] = self.share_at(self.d)
        return Prediction(values, "fresh Gaussian samples at each step, p and T fixed", (told,))

    def share_at(self, d: int) -> float:
        """The predicted share after the last step in dimension d."""
        law, point = self.law, self.replace(d=d)
        bend, inside = float(self.target.hessian[0, 0]), law.noise_in_target_space()
        return float(shares_along_steps(bend, law.power, inside, d, point.samples, point.sizes)[-1])

    def share_of(self, state: ReducedState) -> float:
        return float(np.mean((state.overlaps**2).sum(axis=1) / np.diag(state.gram)))

    def measure(self, run: Run) -> Measurement:
        problem, r = Problem(self.target, self.d), self.target.directions
        state = initial_state(DKLPS23, self.activation, self.d, self.neurons, r, run.streams.child("network"))
        start, shares = state, []
        for t, size in enumerate(self.sizes):
            sample = problem.sample(self.samples, run.streams.child(f"step {t + 1}"))
            state, _ = take_step(state, sample, GiantStep(size), threads=run.threads, progress=run.progress)
            shares.append(self.share_of(state))
        turned = 1 / (self.sizes[0] * start.second_layer)
        known = share_given_overlap(self.law, start.overlaps, self.d, self.samples, start=turned)
        return Measurement({"first_share": shares[0], "share": shares[-1]}, {"first_share": float(known.mean())})
