"""[bes22] trained features are worth as much to ridge regression as Gaussian ones, until the step is large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Printed, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import NO_LINEAR_PART
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
# Samples, neurons, activation and target for which no two of the theory's numbers are equal, and none is 0.
CURVED = {
    "activation": "centered(relu)", "target": "relu(x1) + 1/4", "samples_per_dim": 3, "neurons_per_dim": 0.8,
    "noise": 0.5,
}  # fmt: skip
SLIDE = {"activation": "centered(relu)", "target": "tanh(x1)", "d": 150}
RATIO = r"\mathcal{R}_{CK}/\mathcal{R}_{GE}"


@named(
    "bes22/gaussian-equivalence",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'The Gaussian Equivalence Property' and 'Gaussian Equivalence for Trained Features'",
    finding=(
        "The slides' mu2^2 = E[s^2] - mu1^2 is right for centred activations only; in general mu0^2 is subtracted too, "
        "and activations that are not odd need the means of their features. The slides' question whether the property "
        "has a phase transition is answered by Moniri, Lee, Hassani and Dobriban [moniri24]: for eta = N^alpha "
        "features of degree l enter at alpha = (l - 1)/(2 l), for odd pairs at 1/3. At finite N the ratio of the risks "
        "falls gradually with alpha, by 2 to 3 % at 0.2 and almost half at 1/2 (erf, N = 400); as N grows it returns "
        "to 1 below 1/3, like N^(6 alpha - 2), and not above (shortfall). The deterministic equivalent with the exact "
        "covariance of the features stays within 2 % (observed, not proved)."
    ),
)
class GaussianEquivalence(RepeatedStepsClaim):
    """After a few steps of constant size, ridge regression cannot tell the features from Gaussian ones.

    The features s(W_t x), after t steps of size eta = step N^step_exponent on the same batch or on fresh ones, are
    replaced by the linear and Gaussian mu1 W_t x + v + mu2 z on the same weights, inputs and labels; the means
    v_j = E s + (E s'')(|w_j|^2 - 1)/2 vanish for odd activations, of which the theorem speaks. At step_exponent = 0
    both have the same risk in the limit: `equivalence_ratio` is 1. Beyond, the theorem is silent: towards
    step_exponent = 1/2 the true features carry more than their linear part and the ratio falls; below (l - 1)/(2 l), l
    the lowest degree above one that activation and target share, it returns to 1 as the width grows. Each risk is held
    to its own deterministic equivalent for the weights drawn throughout: that of Gaussian features
    (`risk_deterministic`), and that with the exact covariance of the true ones.
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
            help="risk on Gaussian features: of ridge regression on mu1 W_t x + mu2 z", symbol=r"\mathcal{R}_{GE}",
            against="finite", limit=AFTER_STEPS,
        ),
        quantity.equal(
            "equivalence_ratio", Allowance(6, power=-1) + Allowance(not_gaussian),
            "covariances differ by terms of order 1/d, and steps add theta1^2/N to the variance 1 of a preactivation",
            help="risk_features / risk_equivalent, which is 1 where the theorem speaks", symbol=RATIO,
            when=lambda point: point.step_exponent == 0,
        ),
        quantity.slope(
            "shortfall", "d", lambda point: point.return_exponent,
            0.2, "from N = 200 on features of the next degree and corrections of some 10/d bend the line by about 0.1",
            help="1 - risk_exact_covariance/risk_deterministic, to which the measured risks are held: without their "
            "noise it shows the power of the size, that of the energy N (eta^2/N)^l of features of degree l",
            symbol=r"1 - \mathcal{R}_{CK}/\mathcal{R}_{GE}", when=lambda point: point.returns,
        ),
        quantity.decreasing(
            "equivalence_ratio", "step_exponent",
            "larger steps make neurons nonlinear along the target, which Gaussian features cannot show",
            help="risk_features / risk_equivalent", symbol=RATIO,
        ),
        quantity.reported("risk_deterministic", help="deterministic equivalent of Gaussian features, weights as drawn"),
        quantity.reported("risk_exact_covariance", help="deterministic equivalent with the features' exact covariance"),
        quantity.reported(
            "lower_bound", help="bound of all kernels, |P_{>1} f*|^2, which steps of constant size do not undercut",
        ),
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
        view.Curve(
            "d", (100, 200, 400), ("shortfall",), at={**BREAK, "step_exponent": 0.2}, log_x=True, log_y=True, seeds=56,
            title=r"erf, $\eta = N^{1/5}$: the equivalence returns",
        ),
        view.Curve(
            "steps", [1, 3], ("risk_features", "risk_equivalent"), at=CURVED, together=True, bounds=("lower_bound",),
            title="ReLU, a target with a mean",
        ),
        view.Curve(
            "ridge", "log:0.01:10:4", ("risk_features", "risk_equivalent"), at=SLIDE, together=True, log_x=True,
            bounds=("lower_bound",), title="ReLU learns tanh",
        ),
        view.Curve(
            "ridge", [0.1, 1], ("risk_features", "risk_equivalent"), at={**CURVED, "activation": "sigmoid"},
            together=True, bounds=("lower_bound",), title="sigmoid, not centred",
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "risk_equivalent", "mu2^2 = E[s^2] - mu1^2.", lambda point: point.printed_risk(),
        ),
    )  # fmt: skip
    presets = {
        "slide": {**SLIDE, "steps": 3, "d": 300},
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
            regime="n, N, d to infinity in proportion, a fixed number of steps of order 1",
            notes=tuple(filter(None, [limit.warning, None if spoken else silent])),
        )

    def printed_risk(self) -> float:
        """The limit if mu0^2 is not subtracted from mu2^2."""
        setting = self.trained_setting()
        student = replace(setting.student, mu2_squared=setting.student.mu2_squared + setting.student.mu0**2)
        return float(asymptotic_risk(replace(setting, student=student), self.ridge).trained)

    @property
    def shared_degree(self) -> int | None:
        """l, the lowest degree above one that activation and target share; None if it is above 3."""
        own = {k: abs(self.activation.hermite_coefficient(k)) for k in (2, 3)}
        return next((k for k in own if min(own[k], float(self.target.energy(k))) > NO_LINEAR_PART), None)

    @property
    def return_exponent(self) -> float:
        """2 l alpha - (l - 1), the power of N with which the energy of features of degree l grows or falls."""
        degree = self.shared_degree or 1
        return 2 * degree * self.step_exponent - (degree - 1)

    @property
    def returns(self) -> bool:
        """Whether steps are large enough for a shortfall that can be seen, and small enough for it to vanish."""
        return self.shared_degree is not None and self.step_exponent > 0 and self.return_exponent < 0

    def gaussian_risks(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The risks on mu1 W x + v + mu2 z, exact like the others: these are the features of a linear network with
        weights [mu1 W, mu2 I, v] on the inputs (x, z, 1), and the constant errs by E f* - <c, v> besides."""
        x, y = whole(self.ridge_data(run.streams))
        z = run.streams.child("equivalent noise").generator().standard_normal((self.samples, self.neurons))
        moments = self.activation.moments
        means = moments.mu0 + moments.curvature / 2 * ((net.weights**2).sum(axis=1) - 1)
        weights = np.hstack([moments.mu1 * net.weights, moments.mu2 * np.eye(self.neurons)])
        linear = Network(weights, net.second_layer, Activation("z"), net.scaling)
        whole_net = Network(np.hstack([weights, means[:, None]]), net.second_layer, Activation("z"), net.scaling)
        head = RidgeHead(ridges, RidgeConvention.BES22)
        inputs = np.hstack([x, z, np.ones((self.samples, 1))])
        path = fit_head(whole_net, ArraySample(inputs, y), head, threads=run.threads)
        random_part = feature_moments(linear, Problem(self.target, self.d + self.neurons)).risk(path.coefficients)
        mean = float(self.target.mean)
        return np.asarray(random_part - mean**2 + (mean - path.coefficients @ means) ** 2)

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
        memory = 8 * (4 * n * (d + width) + 3 * width * (d + width) + 6 * width**2) + 2e7
        return Cost(gradient * self.steps + one, memory, one + gradient)


def _measurement(features: float, exact: float, gaussian: float, equivalent: float) -> Measurement:
    return Measurement(
        {
            "risk_features": features,
            "risk_equivalent": gaussian,
            "equivalence_ratio": features / gaussian,
            "shortfall": 1 - exact / equivalent,
            "risk_deterministic": equivalent,
            "risk_exact_covariance": exact,
        },
        finite={"risk_features": exact, "risk_equivalent": equivalent},
    )
