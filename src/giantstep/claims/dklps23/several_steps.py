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

WIDE = 0.2  # the largest size of a step, over p: what f has of a single neuron is left out, s/(4p) of its weights
SHARE = Allowance(0.05, of="prediction") + Allowance(1, power=-1)
CUBIC = {"target": "He3(x1)/sqrt(6)", "activation": "tanh", "sample_exponent": 2, "sample_factor": 1, "steps": 2}


@named(
    "dklps23/several-steps",
    kind="conjecture",
    cite="dklps23",
    where="slide 'Several gradient steps', first conjecture: n = O(d^(l - eps)), step sizes eta_1, ..., eta_T",
    version=2,
    finding=(
        "The conjecture does not hold for l = 2: each step of size (n/d)^(1/2) multiplies the overlaps by as much and "
        "leaves the norms alone, a power method. Three steps at kappa = 1.5 show a quarter of the neurons at d = 64 as "
        "at 1024, where one step falls like d^(-1/2). But noise that all neurons share makes the network linear in "
        "part, and later steps see that: sizes above 8 raise it by s/4 each (s = 12 shows less than s = 8), so that "
        "for d to infinity such steps are no better than one. A step of size 4 after each takes it back (between = 4), "
        "and then T large steps do learn from kappa = 1 + 1/T on. The conjecture holds for kappa <= l - 1, where a "
        "step does not raise the overlaps at all (l = 3, n = d^2)."
    ),
)
class SeveralSteps(OneStepClaim):
    """T large steps of n ~ d^kappa samples learn a quadratic target from kappa = 1 + 1/T on, and not below that.

    l is the information exponent of the target, and the conjecture says that kappa < l never learns. Large step t has
    the size s_t = step growth^(t-1) d^((kappa-1)/2), at which noise does not outgrow the neurons; `between` is the size
    of a step after each but the last, 4 to take back the linear part that noise has given to the network. `share` is
    the mean over neurons of |P_V w|^2/|w|^2 after the last step. The first one's, `first_share`, is predicted for the
    overlaps drawn, and for l = 2 and ReLU all of them are, with what later steps see of the network's own output.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    d: int = parameters.dimension(256)
    neurons: int = parameters.neurons(64, help=parameters.PAIRED, ge=2, le=256)
    sample_exponent: float = parameters.sample_exponent(1.5, le=4)
    sample_factor: float = parameters.sample_factor(2.0)
    step: float = parameters.step(1.0, help="size of the first step, over d^((kappa-1)/2)", symbol="s")
    steps: int = parameters.steps(3, help="number of steps", symbol="T", le=10)
    growth: float = parameters.own(1.0, "size of each step over that of the step before", symbol="g", gt=0, le=10)
    between: float = parameters.own(0.0, "size of a step after each but the last, 0 for none", symbol="b", ge=0, le=100)

    quantities = (
        quantity.equal(
            "first_share", SHARE_ALLOWANCE, SHARE_REASON, against="finite", symbol=r"|P_{V^*} w^1|^2/|w^1|^2",
            help="relevant share after the first step: of V* in a neuron, mean over neurons",
        ),
        quantity.equal(
            "share", SHARE,
            "what the output has of a single neuron, s/(4p) of its weights, is left out; tails of the labels are of "
            "order 1/d",
            help="relevant share after the last step: of V* in a neuron, mean over neurons",
            symbol=r"|P_{V^*} w^T|^2/|w^T|^2", when=lambda point: point.is_quadratic, against="finite",
            limit=SHARE,
        ),
        quantity.slope(
            "share", "d", lambda point: local_exponent(point.share_at, point.d, (1, 4, 16)), 0.06,
            "some 5 % of the share at each end", help="its power of d, far above that of one step",
            when=lambda point: point.is_quadratic and point.gain > 1,
        ),
        quantity.decreasing(
            "share", "d", "too few steps or samples: no allowance is needed", symbol=r"|P_{V^*} w^T|^2/|w^T|^2",
            help="relevant share after the last step: of V* in a neuron, mean over neurons",
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
            "step", (0.5, 1, 1.5, 2, 2.5, 3), ("share",), by="between", by_values=(0, 4),
            title="three large steps, and with one of size 4 after each, d = 256",
        ),
        view.Curve(
            "d", (24, 48, 96), ("share", "first_share"), at=CUBIC, log_x=True, log_y=True,
            title="l = 3, n = d^2, two steps",
        ),
    )  # fmt: skip
    presets = {
        "learned": {},
        "not-learned": {"sample_exponent": 1.25, "steps": 2, "d": 512},
        "shrinking": {"growth": 0.3},
        "too-large": {"step": 3},
        "taken-back": {"step": 3, "between": 4},
        "cubic": {**CUBIC, "d": 64},
    }
    default_seeds = 40

    @property
    def samples(self) -> int:
        return count(self.sample_factor, self.d, self.sample_exponent, least=2)

    @property
    def sizes(self) -> list[float]:
        """s_1, ..., s_T, with those in between."""
        first = self.step * self.d ** ((self.sample_exponent - 1) / 2)
        pairs = [(float(first * self.growth**t), self.between) for t in range(self.steps)]
        return [size for pair in pairs for size in pair if size > 0][: 2 * self.steps - 1 if self.between else None]

    @property
    def is_quadratic(self) -> bool:
        """Whether all steps are predicted: ReLU, l = 2, one direction, no mean, and a network wide enough for them."""
        seen = self.activation == Activation("relu(z)") and self.exponent == 2 and self.target.directions == 1
        return seen and not self.is_hidden_by_mean and max(self.sizes) <= WIDE * self.neurons

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
        point = self.replace(d=d)
        return float(shares_along_steps(self.law, d, point.samples, point.sizes)[-1])

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
        foreseen = {"first_share": float(known.mean())}
        if self.is_quadratic:
            drawn = start.overlaps[:, 0], start.second_layer
            last = shares_along_steps(self.law, self.d, self.samples, self.sizes, *drawn)[-1]
            foreseen["share"] = float(last)
        return Measurement({"first_share": shares[0], "share": shares[-1]}, foreseen)
