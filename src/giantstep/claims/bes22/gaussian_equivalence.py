"""[bes22] trained features are worth as much to ridge regression as Gaussian ones, until the step is large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from giantstep.claims import (
    Cost,
    CurveView,
    Measurement,
    Prediction,
    Run,
    claim,
    decreasing,
    equal,
    parameter,
    reported,
)
from giantstep.claims.bes22._ridge import FirstStep, RidgeClaim, first_step
from giantstep.claims.values import Array, Value
from giantstep.errors import InputError
from giantstep.learners import (
    FeatureMoments,
    GiantStep,
    Network,
    PenaltyConvention,
    RidgeHead,
    StepConvention,
    feature_moments,
    fit_head_on,
    take_step,
)
from giantstep.problems import Activation, ArraySample, Problem
from giantstep.theory import OneStep, asymptotic_risk, exact_spectrum, ridge_risk
from giantstep.theory.setting import Batch

CENTRED = 1e-9  # moments come from quadrature: a mean smaller than this is zero
BREAK = {
    "activation": "erf", "target": "erf(x1)", "d": 200, "samples_per_dim": 8, "neurons_per_dim": 2, "noise": 0,
    "ridge": 0.05, "step": 1,
}  # fmt: skip


def _spread(point: GaussianEquivalence) -> float:
    """theta1^2/N: what the steps add to the variance of a neuron's preactivation, which starts at 1."""
    return float(point.trained_setting.theta1) ** 2 / point.neurons


def _gap_allowance(point: GaussianEquivalence, predicted: float) -> float:  # noqa: ARG001
    return 6 / point.d + 2.5 * _spread(point)


def _exact_allowance(point: GaussianEquivalence, predicted: float) -> float:
    spread = _spread(point)
    return 0.02 * abs(predicted) * (1 + spread / (1 + spread))


@claim(
    "bes22/gaussian-equivalence",
    kind="theorem",
    cite="bes22",
    where="slides 'The Gaussian Equivalence Property' and 'Gaussian Equivalence for Trained Features'",
    finding=(
        "The slides' mu2^2 = E[s^2] - mu1^2 is right for centred activations only; in general mu0^2 is subtracted too. "
        "Their question about a phase transition of the property: as eta = N^alpha grows it fails gradually, by 2 % at "
        "alpha = 0.2 and by half of the risk at alpha = 1/2 (erf, N = 400), while the same deterministic equivalent "
        "with the exact covariance of the features stays within 2 %. That is an observation, not a theorem."
    ),
)
class GaussianEquivalence(RidgeClaim):
    """After a few steps of constant size, ridge regression cannot tell the features from Gaussian ones.

    The features s(W_t x) of an odd activation, after t steps of size eta = step N^step_exponent on the same batch or on
    fresh ones, are replaced by the linear and Gaussian mu1 W_t x + mu2 z on the same weights, inputs and labels. With
    step_exponent = 0 both have the same risk in the limit, `risk_deterministic` for the weights drawn; that is what
    `equivalence_gap` is judged by, and the theorem says nothing beyond. Towards step_exponent = 1/2 the true features
    carry more than their linear part and the two risks part (`risk_ratio`); each is then judged by its own equivalent.
    """

    d: int = parameter(300, "input dimension", symbol="d", ge=16)
    samples_per_dim: float = parameter(4.0, "samples per dimension", symbol=r"\psi_1 = n/d", gt=0)
    neurons_per_dim: float = parameter(1.5, "neurons per dimension", symbol=r"\psi_2 = N/d", gt=0)
    noise: float = parameter(0.2, "standard deviation of label noise", symbol=r"\sigma_\varepsilon", ge=0)
    step: float = parameter(1.0, "step size at exponent 0, in the slide's convention", symbol="c", path=True, ge=0)
    step_exponent: float = parameter(
        0.0, "growth of the step with the width", symbol=r"\alpha,\ \eta = c N^\alpha", path=True, ge=0, le=0.5
    )
    steps: int = parameter(1, "number of gradient steps", symbol="t", path=True, ge=1, le=1000)
    batch: Batch = parameter("same", "samples of each step: the same batch or a fresh one")

    quantities = (
        equal(
            "risk_features",
            _exact_allowance,
            "judged against the deterministic equivalent with the exact covariance of these features, right to order 1/N; "
            "no theorem: 1 % is seen up to eta = sqrt(N), 3 % for steps some times larger",
            help="risk of ridge regression on the trained features",
            symbol=r"\mathcal{R}_{CK}",
            against="finite",
        ),
        equal(
            "risk_equivalent",
            lambda point, predicted: 0.02 * abs(predicted),
            "judged against the deterministic equivalent for the weights drawn, right to order 1/N",
            help="risk of ridge regression on mu1 W_t x + mu2 z",
            symbol=r"\mathcal{R}_{GE}",
            against="finite",
        ),
        equal(
            "equivalence_gap",
            _gap_allowance,
            "the covariances differ by terms of order 1/d, and a neuron's preactivation has variance 1 + theta1^2/N, not 1",
            help="risk_features / risk_equivalent - 1 where the theorem speaks, at step_exponent = 0",
            symbol=r"\mathcal{R}_{CK}/\mathcal{R}_{GE} - 1",
        ),
        decreasing(
            "risk_ratio",
            "step_exponent",
            "larger steps turn part of the neurons nonlinear along the target, which only the true features show",
            help="risk_features / risk_equivalent, at any step",
            symbol=r"\mathcal{R}_{CK}/\mathcal{R}_{GE}",
        ),
        reported("risk_deterministic", help="deterministic equivalent for the weights drawn, Gaussian features"),
        reported("risk_exact_covariance", help="deterministic equivalent with the exact covariance of the features"),
        reported("lower_bound", help="|P_{>1} f*|^2, the bound that holds for steps of constant size"),
    )
    views = (
        CurveView(
            "steps", [1, 2, 3, 4, 6], ("risk_features", "risk_equivalent"), by="batch", by_values=("same", "fresh"),
            together=True, bounds=("lower_bound",), title="risk after $t$ steps of constant size",
        ),
        CurveView(
            "step_exponent", "0:0.5:6", ("risk_features", "risk_equivalent", "risk_exact_covariance"), at=BREAK,
            together=True, bounds=("lower_bound",), title=r"$\eta = N^\alpha$: the equivalence breaks",
        ),
        CurveView("step_exponent", "0:0.5:6", ("risk_ratio",), at=BREAK, title=r"$\eta = N^\alpha$: the risks part"),
    )  # fmt: skip
    presets = {
        "slide": {"activation": "centered(relu)", "target": "tanh(x1)", "steps": 3},
        "fresh": {"batch": "fresh", "steps": 4},
        "break": {**BREAK, "step_exponent": 0.5},
    }
    default_seeds = 12

    def check(self) -> None:
        super().check()
        if abs(self.activation.moments.mu0) > CENTRED:
            raise InputError(
                f"the activation {self.activation} has mean {self.activation.moments.mu0:.4g} under N(0,1), "
                f"which mu1 W x + mu2 z leaves out; write centered({self.activation})"
            )

    @property
    def eta(self) -> float:
        """The size of each step."""
        return self.step * float(self.neurons) ** self.step_exponent

    @property
    def trained_setting(self) -> OneStep:
        return replace(self.setting(self.eta), steps=self.steps, batch=self.batch)

    def predict(self) -> Prediction:
        limit = asymptotic_risk(self.trained_setting, self.ridge)
        risk = float(limit.trained)
        values: dict[str, Value] = {"risk_equivalent": risk, "risk_deterministic": risk}
        notes = [limit.warning] if limit.warning else []
        if self.step_exponent == 0:
            values = {"risk_features": risk, **values, "equivalence_gap": 0.0}
        else:
            notes.append("Steps that grow with N are outside the theorem: no limit is known for risk_features.")
        return Prediction(
            {**values, "lower_bound": limit.lower_bound},
            regime="n, N, d to infinity in proportion, step size of order 1, odd activation",
            notes=tuple(notes),
        )

    def trajectory(self, first: FirstStep, most: int, run: Run) -> Iterator[tuple[int, Network]]:
        """The network after 1, 2, ..., `most` steps; the first step is on the same samples for either kind of batch."""
        net = first.after(self.eta)
        yield 1, net
        for number in range(2, most + 1):
            name = "step data" if self.batch == "same" else f"step data {number}"
            data = self.problem.sample(self.samples, run.streams.child(name))
            net, _ = take_step(net, data, GiantStep(self.eta, StepConvention.BES22_SLIDE), threads=run.threads)
            yield number, net

    def equivalent_measured(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The risk on mu1 W x + mu2 z: features of the linear network [mu1 W, mu2 I] on the inputs (x, z), whose second
        moments are exact."""
        data, moments = self.ridge_data(run.streams), self.activation.moments
        x, y = (np.concatenate(part) for part in zip(*map(data.block, range(data.blocks())), strict=True))
        z = run.streams.child("equivalent features").generator().standard_normal((self.samples, self.neurons))
        weights = np.hstack([moments.mu1 * net.weights, moments.mu2 * np.eye(self.neurons)])
        linear = Network(weights, net.second_layer, Activation("z"), net.scaling)
        sample = ArraySample(np.hstack([x, z]), y)
        path = fit_head_on(linear, sample, RidgeHead(ridges, PenaltyConvention.BES22), threads=run.threads)
        return feature_moments(linear, Problem(self.target, self.d + self.neurons)).risk(path.coefficients)

    def exact_equivalent(self, moments: FeatureMoments, ridges: Sequence[float]) -> Array:
        """The deterministic equivalent with the features' exact second moments."""
        spectrum = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
        return ridge_risk(spectrum, self.samples, np.asarray(ridges), self.noise).risk

    def measured_at(self, net: Network, ridges: Sequence[float], run: Run) -> list[Measurement]:
        """All quantities for one network, one measurement per penalty."""
        moments = feature_moments(net, self.problem)
        head = RidgeHead(ridges, PenaltyConvention.BES22)
        path = fit_head_on(net, self.ridge_data(run.streams), head, threads=run.threads)
        rows = zip(
            moments.risk(path.coefficients),
            self.equivalent_measured(net, ridges, run),
            self.equivalent_risks(net, ridges),
            self.exact_equivalent(moments, ridges),
            strict=True,
        )
        return [self._measurement(*map(float, row)) for row in rows]

    def _measurement(self, features: float, equivalent: float, gaussian: float, exact: float) -> Measurement:
        values: dict[str, Value] = {
            "risk_features": features,
            "risk_equivalent": equivalent,
            "risk_ratio": features / equivalent,
            "risk_deterministic": gaussian,
            "risk_exact_covariance": exact,
        }
        if self.step_exponent == 0:
            values["equivalence_gap"] = features / equivalent - 1
        return Measurement(values, finite={"risk_features": exact, "risk_equivalent": gaussian})

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = first_step(points[0], run)
        found: dict[int, Measurement] = {}
        for size in sorted({(p.step, p.step_exponent) for p in points}):
            members = {i: p for i, p in enumerate(points) if (p.step, p.step_exponent) == size}
            one = next(iter(members.values()))
            for number, net in one.trajectory(first, max(p.steps for p in members.values()), run):
                here = {i: p.ridge for i, p in members.items() if p.steps == number}
                if here:
                    found |= zip(here, one.measured_at(net, list(here.values()), run), strict=True)
        return [found[i] for i in range(len(points))]

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        gradient = 4.0 * n * d * width
        fits = n * width * (4 * d + 4 * width) + 200 * width**2 + 2 * min(n, width) ** 3
        one = fits + 20.0 * width**3 + 10.0 * min(d, width) ** 3
        memory = 8 * (4 * n * (d + width) + 3 * width * (d + width) + 6 * width**2) + 4e7
        return Cost(gradient * self.steps + one, memory, one + gradient)
