"""[bes22] after a large step some second layer reaches tau*: it averages the neurons whose gain imitates the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._large import ImitationClaim
from giantstep.claims.bes22._proportional import CONVENTION
from giantstep.errors import InputError
from giantstep.learners.networks import Network
from giantstep.learners.risk import feature_moments
from giantstep.theory.ridge.large import averaged_neurons_risk, gains_in_window, imitation

WINDOW = 0.1  # how far, as a part of it, a gain may be from the best one
FEWEST = 8  # neurons to average


@named(
    "bes22/tau-star",
    kind="lemma",
    cite="bes22",
    where="slides 'Analysis of large learning rate', lemma on tau*; notes, lemma on kappa*",
    finding=(
        "The second layer of the lemma is simple: equal weights on the neurons whose gain eta a_j mu1 mu1* is near the "
        "best one, with the sign of a_j for odd activations. tau* does not depend on the step's constant c, but how "
        "many neurons reach that gain does: of erf at eta = c sqrt(N) a share of 4e-6 at c = 1 and 0.09 at c = 3 lie "
        "within 10 % of it, so that the lemma speaks of networks of practicable width from c = 2 on. The risk is above "
        "tau* by terms of order 1/psi1, for the step's direction is not exact, and by 1 over the number of neurons."
    ),
)
class TauStar(ImitationClaim):
    """After a step of size sqrt(N) an average of neurons with one gain imitates the target, up to tau* and 1/psi1.

    Neuron j becomes w_j + eta a_j (mu1 mu1* b + e + e_j): along the target's direction b it has the gain k_j = eta a_j
    mu1 mu1*; e is the error of X^T y/n, the same for all, and e_j the residual of the gradient, its own. The mean over
    neurons with k_j near the k that reaches tau* = min over k of E(s*(x1) - E s(k x1 + x2))^2 forgets w_j and e_j. Its
    risk, exact for the network drawn, is held to this theory; it falls towards tau* with the samples, whatever the
    constant.
    """

    d: int = parameters.dimension(64)
    samples_per_dim: float = parameters.samples_per_dim(32.0)
    neurons_per_dim: float = parameters.neurons_per_dim(20.0)
    step: float = parameters.step(3.0, help="step size in units of N^alpha", symbol="c", gt=0, le=50)

    convention = f"{CONVENTION}; eta = step * N^step_exponent"
    quantities = (
        quantity.equal(
            "risk", Allowance(0.05, of="prediction") + Allowance(0.1, power=-1),
            "initial weights have overlaps of order d^(-1/2) with the direction, and neurons overlaps among themselves",
            help="risk of the average of neurons whose gain is near the best", symbol=r"\mathcal{R}(\tilde f)",
            against="finite", limit=Allowance(0.15, of="prediction"), when=lambda point: point.speaks,
        ),
        quantity.decreasing(
            "risk", "samples_per_dim", "all that is above tau* falls with the samples, or stays",
            help="the same, against the samples", symbol=r"\mathcal{R}(\tilde f)", when=lambda point: point.speaks,
        ),
        quantity.at_least(
            "tau_star", 0, "the average of few neurons, along a direction that is not exact, is not better",
            help="tau*, above which the risk stays", symbol=r"\tau^*", when=lambda point: point.speaks,
        ),
        quantity.equal(
            "reach", Allowance(0.02, of="prediction"), "gains are Gaussian like the second layer: only chance is left",
            help="share of neurons whose gain is close to the best: within 10 %", when=lambda point: point.speaks,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "samples_per_dim", [8, 32, 128], ("risk",), bounds=("tau_star",), log_x=True, log_y=True,
            title=r"erf imitates erf, $\tau^* = 0$",
        ),
        view.Curve(
            "step", [2, 3, 6], ("risk", "reach"), bounds=("tau_star",), at={"activation": "tanh", "target": "tanh(x1)"},
            title=r"tanh imitates tanh: $\tau^*$ knows no step size",
        ),
        view.Curve(
            "samples_per_dim", [8, 32], ("risk",), title="a target of another shape, noise", bounds=("tau_star",),
            at={"activation": "erf", "target": "sin(x1)", "noise": 0.5},
        ),
    )  # fmt: skip
    presets = {"tanh": {"activation": "tanh", "target": "tanh(x1)"}, "small-step": {"step": 2}}
    default_seeds = 12

    def check(self) -> None:
        super().check()
        if not self.activation.is_odd:
            raise InputError(f"the activation {self.activation} is not odd; choose one such as erf or tanh")
        if not np.isfinite(self.best_gain) or self.best_gain == 0 or self.gain_of_one == 0:
            raise InputError(f"no gain of {self.activation} imitates {self.target} best; choose erf on erf(x1)")

    @property
    def best_gain(self) -> float:
        """k, with which a neuron reaches tau*."""
        return imitation(self.target, self.activation).tau.gain

    @property
    def gain_of_one(self) -> float:
        """eta mu1 mu1*/sqrt(N), the gain of a neuron with a_j = 1/sqrt(N)."""
        return float(self.setting(self.eta).theta2 / self.neurons**0.5)

    @property
    def expected_share(self) -> float:
        return gains_in_window(self.best_gain, self.gain_of_one, WINDOW)

    @property
    def speaks(self) -> bool:
        """Whether there will be neurons enough to average."""
        return self.expected_share * self.neurons >= 2 * FEWEST

    def risk_of(self, gains: Array, error2: float | None = None) -> float:
        """Theory of the average of neurons with these gains, along a direction with this error."""
        link = imitation(self.target, self.activation).link
        return averaged_neurons_risk(link, self.activation, gains, self.setting(self.eta), error2)

    def predict(self) -> Prediction:
        expected = max(1, round(self.expected_share * self.neurons))
        gains = np.full(expected, self.best_gain)
        values = {"tau_star": imitation(self.target, self.activation).tau.value, "reach": self.expected_share}
        if self.speaks:
            values["risk"] = self.risk_of(gains)
        return Prediction(
            values,
            regime="n, N, d to infinity in proportion, eta = Theta(sqrt(N)), bounded odd activation, psi1 large",
            notes=(
                f"a share of {self.expected_share:.3g} of the neurons has a gain within 10 % of {self.best_gain:.4g}",
            ),
        )

    def measure(self, run: Run) -> Measurement:
        first = self.first_gradient(run)
        gains = self.gain_of_one * self.neurons**0.5 * first.start.second_layer
        chosen = np.flatnonzero(np.abs(np.abs(gains) / self.best_gain - 1) < WINDOW)
        share = len(chosen) / self.neurons
        if not len(chosen):
            return Measurement({"reach": share})
        net = first.after(self.eta)
        kept = Network(net.weights[chosen], net.second_layer[chosen], net.activation, net.scaling)
        average = np.sign(gains[chosen]) / len(chosen)
        risk = float(feature_moments(kept, replace(self.problem, noise=0.0)).risk(average))
        along = float(first.correlation @ self.linear_direction())
        drawn = np.abs(gains[chosen]) * along / float(self.setting().teacher.mu1)
        finite = {"risk": self.risk_of(drawn, float(first.correlation @ first.correlation) / along**2 - 1)}
        return Measurement({"risk": risk, "tau_star": risk, "reach": share}, finite)

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        return Cost(4 * n * d * width + 2e8, 8 * (5 * d * width) + 4e7, 1e8)
