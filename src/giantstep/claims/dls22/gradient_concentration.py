"""[soltanolkotabi22] the gradient on n samples is within sqrt(d/n) of its mean."""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.dls22._algorithm import refuse_other_targets
from giantstep.errors import InputError
from giantstep.learners.engines import squared_deviations
from giantstep.theory.gradient import gradient_concentration

MAX_WORK = 1e11


def _beyond_first_order(point: GradientConcentration) -> float:
    """0.002 + (2 + 12 b^2)/d^2. Measured with 5000 batches at d = 16: 0.5 % without bias, up to 5 % with b = -1."""
    return float(0.002 + (2 + 12 * point.bias**2) / point.d**2)


@named(
    "dls22/gradient-concentration",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slides part II, 'Many intricate components', Lemma 1",
    finding=(
        "The lemma leaves its constants open, so that only its rate can be tested. The rate has a constant, though: in "
        "root mean square the deviation is sqrt(P E g^2 d/n) with P = P(<w, x> + b >= 0), so that a bias changes it. "
        "No logarithm is seen: the (log n)^p of the lemma pays for its probability 1 - 2 n^(1 - beta)."
    ),
)
class GradientConcentration(Claim):
    """A ReLU neuron's gradient on n samples is within sqrt(d/n) of its mean, relative to the size of the labels.

    `deviation` is the root mean square of |G_n - E G| / sqrt(E g^2), G_n = (1/n) sum g(Ux) x 1{<w, x> + b >= 0}, over
    independent batches, each with a weight vector of its own. It is sqrt(P d/n), P = P(<w, x> + b >= 0), up to a factor
    1 + O(r/d), the `constant`: a power 1/2 of d at fixed n and -1/2 of n at fixed d, for every polynomial g of r
    directions. So G_n shows its mean, which is of order d^(-1/2), from n ~ d^2 on.
    """

    target: parameters.Target = parameters.target("He2(x1) + x1*He2(x2)/2")
    d: int = parameters.dimension(256)
    samples: int = parameters.samples(8192, help="samples in a batch")
    bias: float = parameters.own(0.0, "bias of the neuron", symbol="b", ge=-3, le=3)
    batches: int = parameters.own(16, "batches, each with a neuron of its own", ge=2, le=100000)

    quantities = (
        quantity.equal(
            "deviation", Allowance(_beyond_first_order, of="prediction"),
            "overlaps of the neuron with the target's space are counted to order 1/d; and roots of few batches scatter",
            help="distance of the gradient from its mean, over the root of E g^2", symbol=r"\delta",
        ),
        quantity.equal(
            "constant", Allowance(_beyond_first_order, of="prediction"), "the same measurement, the same orders",
            help="deviation over sqrt(P d/n)", symbol=r"\delta/\sqrt{Pd/n}",
        ),
        quantity.slope(
            "deviation", "samples", -0.5, 0.01,
            "exactly -1/2 in mean square; the root of a mean over few batches is biased by their scatter",
            help="its exponent in n at fixed d",
        ),
        quantity.slope(
            "deviation", "d", 0.5, 0.03,
            "of the d directions r + 1 have another noise: the power is 1/2 up to order r/d",
            help="its exponent in d at fixed n",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "samples", (512, 2048, 8192), ("deviation",), by="bias", by_values=(-1, 0, 1), log_x=True,
            log_y=True, title="against n",
        ),
        view.Curve(
            "d", (32, 128, 512, 4096), ("constant",), by="target", by_values=("x1", "He2(x1)", "x1*x2*x3"),
            at={"samples": 4096, "batches": 64}, log_x=True, title="the constant of the rate",
        ),
    )  # fmt: skip
    presets = {
        "low-rank-cubic": {"target": "x1*x2*x3", "d": 320, "samples": 20480},
        "large": {"target": "He2(x1)", "d": 1_000_000, "samples": 65536},
    }
    default_seeds = 16
    engine = "reduced"
    convention = "g = (1/n) sum y_i x_i 1{<w, x_i> + b >= 0}, |w| = 1"

    def check(self) -> None:
        refuse_other_targets(self.target)
        if not self.target.norm2:
            raise InputError("the target is zero: its gradients have no size to compare with")
        if self.samples * self.batches > MAX_WORK:
            raise InputError(
                f"{self.batches} batches of {self.samples} samples are too many; at most {MAX_WORK:g} in all may be"
            )

    def predict(self) -> Prediction:
        found = gradient_concentration(self.target, self.d, self.samples, self.bias)
        return Prediction(
            {"deviation": found.deviation, "constant": found.constant},
            regime="Gaussian inputs, any n; up to order 1/d^2",
            notes=(f"the neuron is active with probability {found.active:.4g}",),
        )

    def measure(self, run: Run) -> Measurement:
        squares = squared_deviations(
            self.target, self.d, self.samples, self.batches, run.streams,
            bias=self.bias, threads=run.threads, progress=run.progress,
        )  # fmt: skip
        deviation = float(np.sqrt(squares.mean() / float(self.target.norm2)))
        rate = float(np.sqrt(scipy.special.ndtr(self.bias) * self.d / self.samples))
        return Measurement({"deviation": deviation, "constant": deviation / rate})

    def cost(self) -> Cost:
        per_sample = 60.0 * (self.target.directions + 2)
        return Cost(self.samples * self.batches * per_sample + 1e7, 8.0 * 8192 * 20 + 2e7)
