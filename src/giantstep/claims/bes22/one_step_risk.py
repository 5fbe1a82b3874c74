"""[bes22] one gradient step lowers the risk of ridge regression on the features, by a known amount."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._ridge import RESIDUAL, RidgeClaim
from giantstep.claims.bundle import Bundle
from giantstep.theory.ridge import asymptotic_risk

FINITE_SIZE = (
    "judged against the deterministic equivalent for the weights drawn, whose own error is of order 1/N; "
    "the limit itself is lowered by the residual gradient by a relative C/sqrt(N), C about 0.1 to 0.6"
)


def residual_of_initial(point: OneStepRisk) -> float:
    """0.6/sqrt(N) of the risk before the step."""
    return RESIDUAL(point, float(asymptotic_risk(point.setting(point.step), point.ridge).initial))


@named(
    "bes22/one-step-risk",
    kind="theorem",
    cite="bes22",
    where="slides 'Analysis of small learning rate', theorem on R_0 - R_GD and the proposition after it",
    finding=(
        "The slides state that delta grows with eta in the limit of many samples; the closed form shows it for every "
        "psi1, psi2 and lambda, as a sum of terms of one sign. At finite N the limit is not the sharp comparison: the "
        "residual of the gradient lowers R_GD by a relative C/sqrt(N), so simulations are judged against the "
        "deterministic equivalent for the weights that were drawn."
    ),
)
class OneStepRisk(RidgeClaim):
    """One gradient step of constant size always improves ridge regression on the features, by delta >= 0.

    Ridge regression on the features of the trained first layer, with fresh data, has risk R_GD; on those of the
    initial layer R_0. Both converge when n, N, d grow in proportion; their difference delta(eta, lambda, psi1, psi2) is
    positive unless eta, mu1 or mu1* vanishes. It grows with eta, and vanishes for wide networks. The risk never
    falls below |P_{>1} f*|^2: for steps of constant size the features remain linear in disguise.
    """

    d: int = parameters.dimension(400)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step: float = parameters.step(2.0, help="step size in the slide's convention", path=True, ge=0)

    quantities = (
        *quantity.equals(
            {"risk_initial": ("risk before the step", "R_0"), "risk_trained": ("risk after the step", "R_{GD}")},
            Allowance(0.02, of="prediction"),
            FINITE_SIZE,
            against="finite",
            limit=RESIDUAL,
        ),
        quantity.equal(
            "improvement",
            Allowance(0.03, of="prediction") + Allowance(0.005),
            FINITE_SIZE,
            help="R_0 minus R_GD, on the same draws",
            symbol=r"\delta",
            against="finite",
            limit=Allowance(residual_of_initial),
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
            title="risk against sample size",
        ),
        view.Curve("neurons_per_dim", [0.5, 1, 2, 3], ("improvement",), title="improvement against width"),
    )  # fmt: skip
    presets = {
        "tanh": {"activation": "tanh", "target": "tanh(x1)", "neurons_per_dim": 1.0},
        "erf": {"activation": "erf", "target": "erf(x1)", "samples_per_dim": 3, "neurons_per_dim": 0.75, "noise": 0.1},
        "slide": {"activation": "centered(relu)", "target": "tanh(x1)", "noise": 0.25},
        "many-samples": {"samples_per_dim": 16},
        "wide": {"neurons_per_dim": 6, "d": 250},
    }
    default_seeds = 12

    def predict(self) -> Prediction:
        risk = asymptotic_risk(self.setting(self.step), self.ridge)
        return Prediction(
            {
                "risk_initial": float(risk.initial),
                "risk_trained": float(risk.trained),
                "improvement": float(risk.improvement),
                "lower_bound": risk.lower_bound,
            },
            regime="n, N, d to infinity in proportion, step size of order 1, odd activation",
            notes=tuple(filter(None, [risk.warning])),
        )

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
