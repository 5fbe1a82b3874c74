"""[dklps23] one giant step sees the target only from n ~ d^l samples on."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import (
    ActivationField,
    Claim,
    Cost,
    CurveView,
    Measurement,
    Prediction,
    Run,
    TargetField,
    claim,
    equal,
    parameter,
)
from giantstep.errors import InputError
from giantstep.learners import DKLPS23, GiantStep, initial_state, reduced_step
from giantstep.problems import Activation, Problem, Target
from giantstep.theory import gradient_share

MAX_SAMPLES = 1e10


def _share_allowance(point: Transition, predicted: float) -> float:
    """Corrections to the central limit theorem for the sums over samples: a few percent at d ~ 100, and as much as the
    smallest chance level, 3/d, where the share is small."""
    return float(0.05 * predicted * (1 - predicted) * (100 / point.d) ** 0.5 + 3 / point.d)


@claim(
    "dklps23/transition",
    kind="theorem",
    cite="dklps23",
    where="slides 'Results: one gradient step', phase transition at n = Theta(d^l)",
    finding=(
        "The theorem needs an activation that sees the target: with mu_l(sigma) = 0 the gradient keeps its chance "
        "share however large n is (He2 target with an odd activation, preset 'unseen'). Chance is "
        "E[f*^2 |x_V|^2] / (d E[f*^2]), which is 5/d for He2 and 7/d for He3, not 1/d."
    ),
    flagship=True,
)
class Transition(Claim):
    """One gradient step learns the relevant directions from n ~ d^l samples on, where l is the information exponent.

    The share |P_V* g|^2 / |g|^2 of the relevant space in a neuron's gradient is the largest that any step size can
    give to the neuron's new direction. Against n = d^kappa it rises from chance at kappa = l, for l = 1, 2, 3;
    curves for growing d steepen and cross there.
    """

    activation: ActivationField = parameter(Activation("relu"), "activation of the network", symbol=r"\sigma")
    target: TargetField = parameter(Target("x1"), "what is learned, of x1, x2, ...", symbol="f^*")
    d: int = parameter(1024, "input dimension", symbol="d", ge=4)
    neurons: int = parameter(32, "neurons, an even number: they come in pairs so that f = 0", symbol="p", ge=2)
    sample_exponent: float = parameter(1.0, "exponent of the batch size", symbol=r"\kappa,\ n = d^\kappa", gt=0, le=8)

    quantities = (
        equal(
            "share",
            _share_allowance,
            "sums over samples are Gaussian only for large n and d: a few percent at d = 100, d^(-1/2) at worst",
            help="share of the relevant directions in the gradient, mean over neurons",
            symbol=r"|P_{V^*} g|^2/|g|^2",
        ),
    )
    views = (
        CurveView(
            "sample_exponent", "0.5:1.5:5", ("share",), by="d", by_values=(128, 1024, 4096),
            title="information exponent 1",
        ),
        CurveView(
            "sample_exponent", (1, 1.5, 1.75, 2, 2.25), ("share",), by="d", by_values=(64, 256),
            at={"target": "He2(x1)"}, title="information exponent 2",
        ),
        CurveView(
            "sample_exponent", (2, 2.5, 3), ("share",), by="d", by_values=(24, 40), seeds=120,
            at={"target": "He3(x1)", "activation": "tanh"}, title="information exponent 3",
        ),
    )  # fmt: skip
    presets = {
        "exponent-1": {"target": "x1", "activation": "relu", "sample_exponent": 1},
        "exponent-2": {"target": "He2(x1)", "activation": "relu", "d": 256, "sample_exponent": 2},
        "exponent-3": {"target": "He3(x1)", "activation": "tanh", "d": 64, "sample_exponent": 3},
        "unseen": {"target": "He2(x1)", "activation": "tanh", "d": 128, "sample_exponent": 2},
        "large": {"target": "x1", "activation": "relu", "d": 100000, "sample_exponent": 1},
    }
    default_seeds = 48
    engine = "reduced"
    convention = "f = (1/p) sum of neurons, paired start f = 0; the share does not depend on the step size"

    @property
    def samples(self) -> int:
        return max(2, round(math.pow(self.d, self.sample_exponent)))

    def check(self) -> None:
        if self.neurons % 2:
            raise InputError(f"neurons = {self.neurons} is not allowed; it must be even, for neurons come in pairs")
        if self.target.directions >= self.d:
            raise InputError(f"the target has {self.target.directions} directions; d = {self.d} must be larger")
        if self.samples > MAX_SAMPLES:
            raise InputError(
                f"n = d^kappa = {self.samples:.2g} samples are too many, at most {MAX_SAMPLES:g} are allowed; "
                "lower d or sample_exponent"
            )

    def predict(self) -> Prediction:
        share = gradient_share(self.target, self.activation, self.d, self.samples)
        exponent = self.target.information_exponent
        notes = [f"the information exponent of the target is {exponent}; chance share {share.floor:.3g}"]
        return Prediction(
            {"share": share.value},
            regime="fresh Gaussian samples, f = 0 at the start; errors of order 1/d at any n",
            notes=(*notes, *([share.warning] if share.warning else [])),
        )

    def measure(self, run: Run) -> Measurement:
        problem = Problem(self.target, self.d)
        start = initial_state(
            DKLPS23,
            self.activation,
            self.d,
            self.neurons,
            self.target.directions,
            run.streams.child("network"),
        )
        _, seen = reduced_step(
            start,
            problem,
            self.samples,
            GiantStep(1.0),
            run.streams.child("step data"),
            threads=run.threads,
            progress=run.progress,
        )
        return Measurement({"share": float(np.nanmean(seen.share()))})

    def cost(self) -> Cost:
        width = self.neurons + self.target.directions
        per_sample = 30 * width + 6 * width**2
        return Cost(float(self.samples * per_sample * 3 + 2e7), 8.0 * 4096 * width * 8 + 2e7)
