"""[bes22] one gradient step lowers the risk of ridge regression on the features, by a known amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from giantstep.claims import (
    Allowance,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.bes22._proportional import LITTLE, mean_growth
from giantstep.claims.bes22._ridge import UNEQUAL, RidgeClaim, not_gaussian
from giantstep.claims.bundle import Bundle
from giantstep.theory import OneStep
from giantstep.theory.ridge import asymptotic_risk

FINITE_SIZE = (
    "judged against the deterministic equivalent for the weights drawn, whose own error is of order 1/N; at the limit "
    "itself the network's output is neglected, which lowers the risk by a relative C/sqrt(N), C about 0.1 to 0.6"
)
# Samples, neurons, activation and target for which no two of the theory's numbers are equal, and none is 0.
CURVED = {
    "activation": "centered(gelu)", "target": "relu(x1) + 1/2", "samples_per_dim": 3, "neurons_per_dim": 0.8,
    "noise": 0.5, "d": 300,
}  # fmt: skip


def fed_back(point: OneStepRisk) -> float:
    """2 q/(1 + theta1^2) with q = eta mu1^2/sqrt(N), by which the network's output improves the improvement.

    The output shrinks the weights along the second layer by the factor 1 - q, and with them the noise in which the
    step's direction lies: 1 + theta1^2 becomes (1 - q)^2 + theta1^2. Derived.
    """
    pulled = point.step * point.activation.moments.mu1**2 / point.neurons**0.5
    return float(2 * pulled / (1 + point.setting(point.step).theta1 ** 2))


def lowered(point: OneStepRisk) -> float:
    """The same improvement of the improvement, as a part of the risk after the step."""
    risk = asymptotic_risk(point.setting(point.step), point.ridge)
    return fed_back(point) * abs(float(risk.improvement / risk.trained))


def stays_small(point: OneStepRisk) -> bool:
    """Whether the step adds little to the lengths of neurons, so that it counts as one of order 1."""
    return max(point.added_variance, mean_growth(point, point.step)) <= LITTLE


NEXT_ORDER = Allowance(5, of="prediction", power=-1)
AFTER_A_STEP = Allowance(not_gaussian, of="prediction") + UNEQUAL


@named(
    "bes22/one-step-risk",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'Analysis of small learning rate', theorem on R_0 - R_GD and the proposition after it",
    finding=(
        "The slides state that delta grows with eta in the limit of many samples; the closed form shows it for every "
        "psi1, psi2 and lambda, as a sum of terms of one sign. The theorem asks for an odd activation, to which the "
        "mean of the target is noise; others have a constant feature, of squared length (E s'')^2 psi2/2, which learns "
        "that mean, and the step enlarges it: the formula with this term is stated here (ReLU on ReLU, psi = (2, 1.5): "
        "0.411 and 0.378, where the theorem's formula has 0.483 and 0.472). At finite N the limit is not the sharp "
        "comparison: the output of the network pulls the step back and lowers R_GD by a relative C/sqrt(N), so "
        "simulations are judged against the deterministic equivalent for the weights that were drawn."
    ),
)
class OneStepRisk(RidgeClaim):
    """One gradient step of constant size improves ridge regression on the features, by a known amount delta.

    Ridge regression on the features of the trained first layer, with fresh data, has risk R_GD; on those of the
    initial layer R_0. Both converge when n, N, d grow in proportion. For an odd activation, or a target without mean,
    their difference delta(eta, lambda, psi1, psi2) is positive unless eta, mu1 or mu1* vanishes, grows with eta, and
    vanishes for wide networks. The risk never falls below |P_{>1} f*|^2: for steps of constant size the features
    remain linear in disguise.
    """

    d: int = parameters.dimension(400)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step: float = parameters.step(2.0, help="step size in the slide's convention", path=True, ge=0)

    quantities = (
        quantity.equal(
            "risk_initial",
            Allowance(0.02, of="prediction"),
            FINITE_SIZE,
            help="risk before the step",
            symbol="R_0",
            against="finite",
            limit=NEXT_ORDER,
        ),
        quantity.equal(
            "risk_trained",
            Allowance(0.02, of="prediction") + AFTER_A_STEP,
            f"{FINITE_SIZE}; Gaussian equivalence is off by some theta1^2/N",
            help="risk after the step",
            symbol="R_{GD}",
            against="finite",
            limit=Allowance(lowered, of="prediction") + NEXT_ORDER + AFTER_A_STEP,
        ),
        quantity.equal(
            "improvement",
            Allowance(0.03, of="prediction") + AFTER_A_STEP,
            FINITE_SIZE,
            help="R_0 minus R_GD, on the same draws",
            symbol=r"\delta",
            against="finite",
            limit=Allowance(fed_back, of="prediction") + Allowance(10, of="prediction", power=-1) + AFTER_A_STEP,
            when=lambda point: point.step > 0,
        ),
        quantity.at_least(
            "lower_bound",
            0,
            "the bound is strict at any finite ratio of samples to dimension",
            help="|P_{>1} f*|^2, which the measured risk after the step does not undercut",
            symbol=r"\|P_{>1}f^*\|^2",
        ),
    )
    views = (
        view.Curve(
            "ridge", "log:0.01:10:7", ("risk_initial", "risk_trained"), together=True, bounds=("lower_bound",),
            log_x=True, log_y=True, title="risk against the penalty",
        ),
        view.Curve("step", "0:8:5", ("improvement",), title="improvement against the step"),
        view.Curve(
            "samples_per_dim", [1, 2, 4, 8], ("risk_initial", "risk_trained"), together=True, bounds=("lower_bound",),
            at={"step": 6}, title=r"risk against sample size, $\eta = 6$",
        ),
        view.Curve("neurons_per_dim", [0.5, 1, 2, 3], ("improvement",), title="improvement against width"),
        view.Curve(
            "step", [1, 2, 3], ("risk_initial", "risk_trained"), together=True, at=CURVED, bounds=("lower_bound",),
            title="GELU network, target with a mean, more noise",
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the step is of order 1: it adds at most a tenth to the squared lengths of neurons", stays_small,
            ("risk_trained", "improvement"),
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "risk_trained", "the theorem's formula, which is for odd activations: E f* counts as noise.",
            lambda point: float(asymptotic_risk(point.as_if_odd(), point.ridge).trained),
        ),
        Printed(
            "risk_initial", "the same before the step: E f* counts as noise.",
            lambda point: float(asymptotic_risk(point.as_if_odd(), point.ridge).initial),
        ),
    )  # fmt: skip
    presets = {
        "tanh": {"activation": "tanh", "target": "tanh(x1)", "neurons_per_dim": 1.0},
        "erf": {"activation": "erf", "target": "erf(x1)", "samples_per_dim": 3, "neurons_per_dim": 0.75, "noise": 0.1},
        "slide": {"activation": "centered(relu)", "target": "tanh(x1)", "noise": 0.25},
        "mean": CURVED,
        "many-samples": {"samples_per_dim": 16},
        "wide": {"neurons_per_dim": 6, "d": 250},
    }
    default_seeds = 16

    @property
    def added_variance(self) -> float:
        """theta1^2/N, what training adds to the variance 1 of a neuron's preactivation."""
        return float(self.setting(self.step).theta1) ** 2 / self.neurons

    def predict(self) -> Prediction:
        risk = asymptotic_risk(self.setting(self.step), self.ridge)
        return Prediction(
            {
                "risk_initial": float(risk.initial),
                "risk_trained": float(risk.trained),
                "improvement": float(risk.improvement),
                "lower_bound": risk.lower_bound,
            },
            regime="n, N, d to infinity in proportion, step size of order 1",
            notes=tuple(filter(None, [risk.warning])),
        )

    def as_if_odd(self) -> OneStep:
        """The numbers that theory needs if the theorem is read for an activation of any kind."""
        setting = self.setting(self.step)
        return replace(setting, student=replace(setting.student, mu0=0.0, curvature=0.0))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, first = points[0], points[0].first_gradient(run)
        bundle = Bundle(points)
        ridges = sorted({p.ridge for p in points})
        start = np.transpose(named.measured_and_equivalent_risks(first.start, ridges, run))
        before = dict(zip(ridges, start, strict=True))
        for step, group in bundle.by("step"):
            after = named.measured_and_equivalent_risks(first.after(step), [p.ridge for p in group], run)
            for point, *trained in zip(group, *after, strict=True):
                measured, finite = map(_compared, before[point.ridge], trained)
                bundle.put(point, Measurement({**measured, "lower_bound": measured["risk_trained"]}, finite))
        return bundle.measurements()

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        one_network = n * width * (2 * d + width) + 200 * width**2 + 30 * min(n, width) ** 3 + 20 * min(d, width) ** 3
        return Cost(4 * n * d * width + 2 * one_network, 8 * (6 * d * width + 6 * width**2) + 4e7, one_network / 8)


def _compared(initial: float, trained: float) -> dict[str, float]:
    risks = {"risk_initial": initial, "risk_trained": trained, "improvement": initial - trained}
    return {name: float(risk) for name, risk in risks.items()}
