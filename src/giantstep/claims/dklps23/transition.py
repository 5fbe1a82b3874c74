"""[dklps23] one giant step sees the target only from n ~ d^l samples on."""

from __future__ import annotations

import numpy as np

from giantstep.claims import Computed, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.dklps23._one_step import SHARE_ALLOWANCE, SHARE_REASON, OneStepClaim
from giantstep.claims.sizes import count
from giantstep.theory.visibility import GradientShare, gradient_share

SMALL_CHANCE = 0.1


@named(
    "dklps23/transition",
    kind="theorem",
    cite="dklps23",
    version=2,
    where="slides 'Results: one gradient step', phase transition at n = Theta(d^l)",
    finding=(
        "The theorem needs an activation that sees the target: with mu_l(sigma) = 0 the gradient keeps its chance "
        "share however large n is (He2 target with an odd activation, preset 'unseen'; He3 with ReLU, preset "
        "'unseen-3'). Chance is E[f*^2 |x_V|^2] / (d E[f*^2]), which is 5/d for He2 and 7/d for He3, not 1/d. And it "
        "is a theorem about single neurons: the singular vectors of many neurons' gradients see more "
        "(dklps23/per-neuron). A target with a mean and l > 1 is seen by no large step if mu_2(sigma) is not 0: the "
        "gradient is mostly mu_2 E f* w, along the neuron itself."
    ),
    flagship=True,
)
class Transition(OneStepClaim):
    """One gradient step learns the relevant directions from n ~ d^l samples on, where l is the information exponent.

    The share |P_V* g|^2 / |g|^2 of the relevant space in a neuron's gradient is what large steps give to the neuron's
    new direction (the most that any step gives: dklps23/no-step-size-helps). Against n = d^kappa it rises from chance
    at kappa = l, for l = 1, 2, 3. Curves for growing d cross there: the share falls with d for kappa < l, or if the
    activation does not see the target, is the same for every large d at kappa = l, and grows with d for kappa > l.
    """

    sample_exponent: float = parameters.sample_exponent(1.0)

    quantities = (
        quantity.equal(
            "share", SHARE_ALLOWANCE, SHARE_REASON, symbol=r"|P_{V^*} g|^2/|g|^2",
            help="share of the relevant directions in the gradient, mean over neurons",
        ),
        quantity.decreasing(
            "share", "d", "chance and signal both fall with d: no allowance is needed",
            help="too few samples, or an activation that does not see the target",
            when=lambda point: not point.shows or point.sample_exponent < point.exponent,
        ),
        quantity.slope(
            "share", "d", 0.0, Computed(lambda point, _: point.tilt, "what chance can do, seen from the smallest d"),
            "the chance level, which falls like 1/d, tilts the line by its own part in the share",
            help="curves of all dimensions cross at n = d^l",
            when=lambda point: point.shows and point.sample_exponent == point.exponent,
        ),
        quantity.increasing(
            "share", "d", "said where chance is below 0.1: a larger one, which falls with d, hides the growth",
            help="more than d^l samples",
            when=lambda point: point.shows and point.sample_exponent > point.exponent and point.chance < SMALL_CHANCE,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "sample_exponent", "0.5:1.5:5", ("share",), by="d", by_values=(128, 1024, 4096),
            title="information exponent 1",
        ),
        view.Curve(
            "sample_exponent", (1.25, 1.5), ("share",), at={"target": "x1 + x2*x3", "d": 16}, seeds=400,
            title="three directions in few dimensions",
        ),
        view.Curve(
            "sample_exponent", (1.5, 1.75, 2, 2.25), ("share",), by="d", by_values=(64, 256),
            at={"target": "He2(x1)"}, title="information exponent 2",
        ),
        view.Curve(
            "sample_exponent", (2, 2.5, 3), ("share",), by="d", by_values=(24, 48), seeds=200,
            at={"target": "He3(x1)", "activation": "tanh"}, title="information exponent 3",
        ),
        view.Curve(
            "sample_exponent", (1.5, 1.75, 2, 2.25), ("share",), by="activation", by_values=("relu", "tanh"), seeds=256,
            at={"target": "He2(x1)", "d": 64}, title="exponent 2: ReLU sees it, tanh does not",
        ),
        view.Curve(
            "sample_exponent", (2, 2.5, 3), ("share",), by="activation", by_values=("tanh", "relu"), seeds=200,
            at={"target": "He3(x1)", "d": 24}, title="exponent 3: tanh sees it, ReLU does not",
        ),
        view.Curve(
            "d", (32, 96), ("share",), seeds=320, log_x=True, log_y=True,
            at={"target": "He2(x1)", "activation": "tanh", "sample_exponent": 2}, title="unseen: chance, of order 1/d",
        ),
    )  # fmt: skip
    presets = {
        "exponent-1": {"target": "x1", "activation": "relu", "sample_exponent": 1},
        "exponent-2": {"target": "He2(x1)", "activation": "relu", "d": 256, "sample_exponent": 2},
        "exponent-3": {"target": "He3(x1)", "activation": "tanh", "d": 64, "sample_exponent": 3},
        "unseen": {"target": "He2(x1)", "activation": "tanh", "d": 128, "sample_exponent": 2},
        "unseen-3": {"target": "He3(x1)", "activation": "relu", "d": 50, "sample_exponent": 3},
        "large": {"target": "x1", "activation": "relu", "d": 100000, "sample_exponent": 1},
    }
    default_seeds = 96
    convention = "f = (1/p) sum of neurons, paired start f = 0; the share does not depend on the step size"

    @property
    def samples(self) -> int:
        return count(1, self.d, self.sample_exponent, least=2)

    @property
    def shows(self) -> bool:
        """Whether the target's part of the gradient is not small beside all of it."""
        return self.sees and not self.is_hidden_by_mean

    @property
    def chance(self) -> float:
        """The share of pure noise."""
        return self.law.noise_in_target_space() / self.law.total_noise(self.d)

    @property
    def predicted_share(self) -> GradientShare:
        return gradient_share(self.target, self.activation, self.d, self.samples)

    @property
    def tilt(self) -> float:
        """What the chance level, which falls like 1/d, can do to the exponent of the share in d."""
        share = self.predicted_share
        return share.floor * (1 - share.value) / share.value

    def predict(self) -> Prediction:
        share = self.predicted_share
        seen = "" if self.sees else f", which the activation does not see (mu_{self.exponent} = 0)"
        return Prediction(
            {"share": share.value},
            regime="fresh Gaussian samples, f = 0 at the start; errors of order 1/d at any n",
            notes=(
                f"the information exponent of the target is {self.exponent}{seen}; chance share {share.floor:.3g}",
                *([share.warning] if share.warning else []),
            ),
        )

    def measure(self, run: Run) -> Measurement:
        _, seen = self.first_gradient(run)
        return Measurement({"share": float(np.nanmean(seen.share(self.target.directions)))})
