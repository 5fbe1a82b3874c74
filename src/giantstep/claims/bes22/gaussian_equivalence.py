"""[bes22] trained features are worth as much to ridge regression as Gaussian ones, until the step is large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._ridge import AFTER_STEPS, EXACT, RepeatedStepsClaim, not_gaussian
from giantstep.claims.bundle import Bundle
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import Network, RidgeConvention
from giantstep.learners.risk import feature_moments
from giantstep.problems import Activation, ArraySample, Problem, whole
from giantstep.theory.ridge import asymptotic_risk

BREAK = {
    "activation": "erf", "target": "erf(x1)", "d": 200, "samples_per_dim": 8, "neurons_per_dim": 2, "noise": 0,
    "ridge": 0.05,
}  # fmt: skip
RATIO = r"\mathcal{R}_{CK}/\mathcal{R}_{GE}"


@named(
    "bes22/gaussian-equivalence",
    kind="theorem",
    cite="bes22",
    where="slides 'The Gaussian Equivalence Property' and 'Gaussian Equivalence for Trained Features'",
    finding=(
        "The slides' mu2^2 = E[s^2] - mu1^2 is right for centred activations only; in general mu0^2 is subtracted too. "
        "Their question whether the property has a phase transition: as eta = N^alpha grows it fails gradually, by 2 "
        "to 3 % of the risk at alpha = 0.2 and by almost half of it at alpha = 1/2 (erf, N = 400), while the same "
        "deterministic equivalent with the exact covariance of the features stays within 2 % (observed, not proved)."
    ),
)
class GaussianEquivalence(RepeatedStepsClaim):
    """After a few steps of constant size, ridge regression cannot tell the features from Gaussian ones.

    The features s(W_t x) of an odd activation, after t steps of size eta = step N^step_exponent on the same batch or on
    fresh ones, are replaced by the linear and Gaussian mu1 W_t x + mu2 z on the same weights, inputs and labels. At
    step_exponent = 0 both have the same risk in the limit: `equivalence_ratio` is 1. Beyond, the theorem is silent and
    the ratio is not judged by it: towards step_exponent = 1/2 the true features carry more than their linear part and
    the ratio falls. Each risk is held to its own deterministic equivalent for the weights drawn throughout: that of
    Gaussian features (`risk_deterministic`), and that with the exact covariance of the true ones.
    """

    d: int = parameters.dimension(300)
    samples_per_dim: float = parameters.samples_per_dim(4.0)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step_exponent: float = parameters.step_exponent(0.0, path=True)

    quantities = (
        quantity.equal(
            "risk_features", EXACT, "judged against the deterministic equivalent with the exact covariance of these "
            "features, right to order 1/N; no theorem: 1 % is seen up to eta = sqrt(N), 3 % at several times that size",
            help="risk of ridge regression on the trained features", symbol=r"\mathcal{R}_{CK}", against="finite",
            limit=AFTER_STEPS + Allowance(6, of="prediction", power=-1) + Allowance(not_gaussian, of="prediction"),
        ),
        quantity.equal(
            "risk_equivalent", Allowance(0.02, of="prediction"),
            "judged against the deterministic equivalent for the weights drawn, right to order 1/N; the limit itself "
            "is moved by the residual gradient and the network's output, by 0.6/sqrt(N) and more after several steps",
            help="risk of ridge regression on mu1 W_t x + mu2 z", symbol=r"\mathcal{R}_{GE}",
            against="finite", limit=AFTER_STEPS,
        ),
        quantity.equal(
            "equivalence_ratio", Allowance(6, power=-1) + Allowance(not_gaussian),
            "covariances differ by terms of order 1/d, and steps add theta1^2/N to the variance 1 of a preactivation",
            help="risk_features / risk_equivalent, which is 1 where the theorem speaks", symbol=RATIO,
            when=lambda point: point.step_exponent == 0,
        ),
        quantity.decreasing(
            "equivalence_ratio", "step_exponent",
            "larger steps make neurons nonlinear along the target, which Gaussian features cannot show",
            help="risk_features / risk_equivalent", symbol=RATIO,
        ),
        quantity.reported("risk_deterministic", help="deterministic equivalent of Gaussian features, weights as drawn"),
        quantity.reported("risk_exact_covariance", help="deterministic equivalent with the features' exact covariance"),
        quantity.reported("lower_bound", help="|P_{>1} f*|^2, which steps of constant size do not undercut"),
    )  # fmt: skip
    views = (
        view.Curve(
            "steps", [1, 2, 4, 6], ("risk_features", "risk_equivalent"), by="batch", by_values=("same", "fresh"),
            together=True, bounds=("lower_bound",), title="risk after $t$ steps of constant size",
        ),
        view.Curve(
            "step_exponent", "0:0.5:6", ("risk_features", "risk_equivalent", "risk_exact_covariance"), at=BREAK,
            together=True, bounds=("lower_bound",), title=r"erf, $\eta = N^\alpha$: the equivalence breaks",
        ),
        view.Curve("step_exponent", "0:0.5:6", ("equivalence_ratio",), at=BREAK, title="the same: ratio of the risks"),
    )  # fmt: skip
    presets = {
        "slide": {"activation": "centered(relu)", "target": "tanh(x1)", "steps": 3},
        "fresh": {"batch": "fresh", "steps": 4},
        "break": {**BREAK, "step_exponent": 0.5},
    }
    default_seeds = 16

    def predict(self) -> Prediction:
        limit = asymptotic_risk(self.trained_setting(), self.ridge)
        risk = float(limit.trained)
        spoken = {"risk_features": risk, "equivalence_ratio": 1.0} if self.step_exponent == 0 else {}
        silent = "Steps that grow with N are outside the theorem: no limit of risk_features is known."
        return Prediction(
            {"risk_equivalent": risk, "risk_deterministic": risk, **spoken, "lower_bound": limit.lower_bound},
            regime="n, N, d to infinity in proportion, a fixed number of steps of order 1, odd activation",
            notes=tuple(filter(None, [limit.warning, None if spoken else silent])),
        )

    def gaussian_risks(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The risks on mu1 W x + mu2 z, exact like the others: these are the features of a linear network with weights
        [mu1 W, mu2 I] on the inputs (x, z)."""
        x, y = whole(self.ridge_data(run.streams))
        z = run.streams.child("equivalent noise").generator().standard_normal((self.samples, self.neurons))
        moments = self.activation.moments
        weights = np.hstack([moments.mu1 * net.weights, moments.mu2 * np.eye(self.neurons)])
        linear = Network(weights, net.second_layer, Activation("z"), net.scaling)
        head = RidgeHead(ridges, RidgeConvention.BES22)
        path = fit_head(linear, ArraySample(np.hstack([x, z]), y), head, threads=run.threads)
        return feature_moments(linear, Problem(self.target, self.d + self.neurons)).risk(path.coefficients)

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        bundle = Bundle(points)
        for _, group in bundle.by("eta"):
            named, wanted = group[0], dict(bundle.by("steps", group))
            for number, net in enumerate(named.networks(max(wanted), run)):
                if here := wanted.get(number):
                    ridges = [p.ridge for p in here]
                    features, exact = named.measured_and_exact_risks(net, ridges, run)
                    gaussian, equivalent = named.gaussian_risks(net, ridges, run), named.equivalent_risks(net, ridges)
                    for point, *risks in zip(here, features, exact, gaussian, equivalent, strict=True):
                        bundle.put(point, _measurement(*map(float, risks)))
        return bundle.measurements()

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        gradient = 5.0 * n * d * width
        fits = n * width * (4 * d + 4 * width) + 200 * width**2 + 2 * min(n, width) ** 3
        one = 2 * fits + 40.0 * width**3 + 20.0 * min(d, width) ** 3
        memory = 8 * (4 * n * (d + width) + 3 * width * (d + width) + 6 * width**2) + 4e7
        return Cost(gradient * self.steps + one, memory, one + gradient)


def _measurement(features: float, exact: float, gaussian: float, equivalent: float) -> Measurement:
    return Measurement(
        {
            "risk_features": features,
            "risk_equivalent": gaussian,
            "equivalence_ratio": features / gaussian,
            "risk_deterministic": equivalent,
            "risk_exact_covariance": exact,
        },
        finite={"risk_features": exact, "risk_equivalent": equivalent},
    )
