"""[dklps23] after one giant step the features are Gaussian only given the direction that was learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
    Cost,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dklps23._finite_size import excess_moved, fitted_bound, share_moved
from giantstep.claims.refusals import refuse_few_dimensions, refuse_jumps
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.heads import RidgeHead, fit_ridge
from giantstep.learners.networks import DKLPS23_GAUSSIAN, Network, RidgeConvention, initialise
from giantstep.learners.risk import feature_moments
from giantstep.learners.training import ConditionalFeatures, learned_direction
from giantstep.problems import Problem, nodes_per_direction, whole
from giantstep.theory import ridge as theory

EXAMPLE_1, EXAMPLE_2 = "x1 + He2(x1) + x2 - He2(x2)", "x1 + He2(x1) + x2 + He2(x2)"
TABLE, MOST_WORK = {"d": 200, "samples_per_dim": 16}, 3e13
LAWS = "law of the a_i: N(0, 1) in pairs, so that f = 0; signs or ones without pairs"


@named(
    "dklps23/conditional-equivalence",
    kind="theorem",
    cite="dklps23",
    version=3,
    where="slides 'The linear regime and Gaussian equivalence' and 'In the feature learning regime'",
    finding=(
        "W^1 - W^0 is of rank one only relative to sqrt(p): each row also moves by a vector of length O(1). With the "
        "rank-one part alone the equivalent errs, by 12 % on example 1 and 1 to 4 % on example 2 (risk_rank_one): Phi "
        "and Psi are those of the weights after the step, Psi not diagonal, for paired neurons share w_i^0. Plain "
        "equivalence, mu + Phi x + Psi^(1/2) xi, misses the risk by 15 to 50 % (ReLU, ridge <= 0.01). What it leaves "
        "out is the nonlinear correlation E[phi f*] of features and labels, 95 % of the gap; the covariance is 5 % of "
        "it (risk_covariance, with the exact covariance alone). One Gaussian class with both exact (risk_matched) is "
        "within a few percent."
    ),
)
class ConditionalEquivalence(Claim):
    """After one giant step, features are Gaussian given the learned direction, and ridge regression cannot tell.

    The step of n1 ~ d samples moves all neurons along one direction v. Given u = <v, x> the features are replaced by
    mu(u) + Phi(u) x_perp + Psi(u)^(1/2) xi on the same inputs and labels (`risk_conditional`). True and replaced
    features have the same risk in the limit, that of a mixture of Gaussian classes, one for each u, for which a
    deterministic equivalent is computed from the weights. Conditioning on nothing (`risk_plain`) gives a noisy linear
    model, which cannot use what the neurons have learned of u. For the replaced features both sides use the same mu,
    Phi and Psi, so the comparison tests the equivalent alone; `risk`, of the true features, tests all of it.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target(EXAMPLE_1)
    d: int = parameters.dimension(120)
    neurons_per_dim: float = parameters.neurons_per_dim(2.0)
    step_samples_per_dim: float = parameters.step_samples_per_dim(4.0)
    samples_per_dim: float = parameters.samples_per_dim(4.0, help="samples of the head per dimension", symbol="n/d")
    step: float = parameters.step(2.0, help="step size eta over p", symbol=r"\eta/p")
    noise: float = parameters.noise(0.0)
    ridge: float = parameters.ridge(0.01)
    second_layer: Literal["gaussian", "signs", "ones"] = parameters.second_layer("gaussian", help=LAWS)

    quantities = (
        *quantity.equals(
            {
                "risk": ("risk of ridge regression on the true features", r"\mathcal{R}"),
                "risk_conditional": ("risk on the conditional Gaussian features", r"\mathcal{R}_{cGE}"),
                "risk_plain": ("risk on plain Gaussian features, mu + Phi x + Psi^(1/2) xi", r"\mathcal{R}_{GE}"),
            },
            Allowance(share_moved, of="prediction"),
            "judged against the deterministic equivalent for the weights drawn; finite size moves risks by 1 to 2 % at "
            "d = 100, near interpolation (ridge below 1e-3) by up to 8 %, falling like d^(-1/2)",
            against="finite",
        ),
        quantity.equal(
            "equivalence_ratio", Allowance(share_moved),
            "in finite dimension true features also carry a little of what is quadratic outside u, and so do better",
            help="risk / risk_conditional", symbol=r"\mathcal{R}/\mathcal{R}_{cGE}",
        ),
        quantity.equal(
            "plain_excess",
            excess_moved, "both risks are moved alike, so that little of it is left in their ratio", against="finite",
            help="excess of the plain equivalent's risk: risk_plain / risk - 1",
            symbol=r"\mathcal{R}_{GE}/\mathcal{R}-1",
        ),
        quantity.equal(
            "overlap", Allowance(2, power=-1), "moments of order 1/d that the limit leaves out",
            help="cosine of the learned direction v with the target's space", symbol=r"|P_{V^*} v|",
        ),
        quantity.at_least(
            "bound", Computed(lambda point, bound: 2 * bound * point.neurons / point.d**2, "2 p/d^2 of the prediction"),
            "p neurons fit a share of order p/d^2 of what is quadratic outside the learned direction",
            help="|P_{U,>1} f*|^2, which the risk does not undercut (conjectured)", symbol=r"\|P_{U,>1}f^*\|^2",
        ),
        quantity.reported("risk_rank_one", help="risk for the rank-one part of the step: equivalent for W^0 plus it"),
        quantity.reported(
            "risk_covariance", help="equivalent of one Gaussian class: exact covariance, linear part of E[phi f*] alone"
        ),
        quantity.reported("risk_matched", help="risk with all correlations with the target: all of E[phi f*]"),
        quantity.reported("training_error", help="mean squared error on the ridge samples, true features"),
    )  # fmt: skip
    views = (
        view.Curve(
            "ridge", "log:0.0001:1:5", ("risk_plain", "risk_rank_one", "risk_matched", "risk_conditional", "risk"),
            together=True, log_x=True, title="example 1: risk against the penalty",
        ),
        view.Curve(
            "samples_per_dim", [2, 4, 8, 16], ("risk_plain", "risk_conditional", "risk"), together=True, log_x=True,
            at={"target": EXAMPLE_2}, bounds=("bound",), title="example 2: risk against sample size",
        ),
        view.Curve(
            "d", [40, 80, 160], ("equivalence_ratio", "plain_excess"), at={"ridge": 0.001}, seeds=56, title="large d",
        ),
        view.Curve("noise", [0, 1.5], ("risk_plain", "risk"), at={"d": 80}, together=True, title="noisy labels"),
        view.Curve(
            "ridge", (0.1, 1), ("risk_plain", "risk"), at={"d": 48, "step": 1e-9}, together=True, log_x=True,
            seeds=10, title="before any step: a noisy linear model with a mean",
        ),
        view.Curve(
            "ridge", (0.01, 1), ("risk_plain", "risk"), by="second_layer", by_values=("signs", "ones"), at={"d": 80},
            log_x=True, seeds=16, title="second layers of signs and of ones, without pairs",
        ),
    )  # fmt: skip
    presets = {
        "example-1": {"target": EXAMPLE_1, "d": 200},
        "example-2": {"target": EXAMPLE_2, **TABLE},
        "single-index": {"target": "x1 + He2(x1)/2 + He3(x1)/6", "activation": "relu(z + 0.5)", **TABLE},
        "tanh": {"target": EXAMPLE_1, "activation": "tanh(z + 0.5)", **TABLE},
        "untrained": {"step": 1e-9, "d": 80},
        "ones": {"second_layer": "ones"},
        "near-interpolation": {"ridge": 1e-4, "samples_per_dim": 1, "d": 200},
    }
    default_seeds = 24
    engine = "full"
    convention = "f = (1/p) sum of neurons; step eta/p; ridge (1/n)|y - Psi a/p|^2 + (lambda/p)|a|^2"

    @property
    def neurons(self) -> int:
        return 2 * count(self.neurons_per_dim / 2, self.d)

    @property
    def is_paired(self) -> bool:
        return self.second_layer == "gaussian"

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d)

    @property
    def problem(self) -> Problem:
        return Problem(self.target, self.d, self.noise)

    def check(self) -> None:
        nodes_per_direction(self.target)
        refuse_few_dimensions(self.target, self.d, spare=1)
        if not self.target.linear.any():
            raise InputError(f"the target {self.target} has no linear part: a step on n ~ d samples learns nothing")
        if abs(self.activation.moments.mu1) < 1e-9:
            raise InputError(f"the activation {self.activation} has E s' = 0: a step on n ~ d samples learns nothing")
        refuse_jumps(self.activation)
        if round(self.step_samples_per_dim * self.d) < 2 or self.samples < 2 or self.neurons < 4:
            raise InputError("2 samples for each layer and 4 neurons are needed; raise d or the ratios to it")
        if self.cost().flops > MOST_WORK:
            raise InputError(f"this needs {self.cost().flops:.1g} operations a seed, at most {MOST_WORK:g} are allowed")

    def predict(self) -> Prediction:
        overlap = theory.learned_overlap(self.target, self.step_samples_per_dim, self.noise)
        return Prediction(
            {"equivalence_ratio": 1.0, "overlap": overlap, "bound": fitted_bound(self.target)},
            regime="n, n1, p, d to infinity in proportion, information exponent 1, ridge of order 1",
            notes=("Risks are predicted for the weights that a run draws, in its measurements.",),
        )

    def trained(self, run: Run) -> tuple[Network, Network]:
        """The network before and after its giant step."""
        init = replace(DKLPS23_GAUSSIAN, second=self.second_layer, paired=self.is_paired)
        start = initialise(init, self.activation, self.d, self.neurons, run.streams.child("network"))
        sample = self.problem.sample(round(self.step_samples_per_dim * self.d), run.streams.child("step data"))
        net, _ = take_step(start, sample, GiantStep(self.step), threads=run.threads, progress=run.progress)
        return start, net

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, ridges = points[0], [p.ridge for p in points]
        start, net = named.trained(run)
        v, moments = learned_direction(start, net), feature_moments(net, named.problem)
        x, y = whole(named.problem.sample(named.samples, run.streams.child("ridge data")))
        head, xi = RidgeHead(ridges, RidgeConvention.DKLPS23), run.streams.child("xi")

        def risk_given(direction: Array) -> Array:
            """On features that are Gaussian given x along this direction."""
            features = ConditionalFeatures(net, direction, paired=named.is_paired)
            return features.risk(fit_ridge(features.sample(x, xi), y, head).coefficients, named.problem)

        classes = partial(theory.conditional_classes, named.target, net.activation, paired=named.is_paired)

        def equivalent(weights: Array, direction: Array | None) -> tuple[Array, Array]:
            """Risk and training error that theory has for such features of these weights."""
            found = theory.conditional_ridge_risk(classes(weights, direction), named.samples, ridges, named.noise)
            return found.risk, found.training_error

        true = fit_ridge(net.features(x), y, head)
        risk, conditional, plain = moments.risk(true.coefficients), risk_given(v), risk_given(np.zeros_like(v))
        rows = {"risk": risk, "risk_conditional": conditional, "risk_plain": plain, "bound": risk}
        rows |= {"equivalence_ratio": risk / conditional, "plain_excess": plain / risk - 1}
        rows["training_error"] = true.training_error
        (expected, training_error), (without, _) = equivalent(net.weights, v), equivalent(net.weights, None)
        rank_one = start.weights + np.outer((net.weights - start.weights) @ v, v)
        covariance, root = moments.covariance / net.neurons, net.neurons**0.5
        linear = classes(net.weights, None).cross[0] * root
        spectra = [theory.exact_spectrum(covariance, cross / root, moments.norm2) for cross in (linear, moments.cross)]
        of_class = [theory.ridge_risk(s, named.samples, np.asarray(ridges), named.noise).risk for s in spectra]
        expectations = {
            **dict.fromkeys(("risk", "risk_conditional"), expected),
            "risk_plain": without,
            "plain_excess": without / expected - 1,
            "risk_rank_one": equivalent(rank_one, v)[0],
            **dict(zip(("risk_covariance", "risk_matched"), of_class, strict=True)),
            "training_error": training_error,
        }
        aligned = {"overlap": float(np.linalg.norm(v[: named.target.directions]))}

        def at(i: int, found: dict[str, Array]) -> dict[str, float]:
            return {name: float(row[i]) for name, row in found.items()}

        return [Measurement(aligned | at(i, rows), finite=at(i, expectations)) for i in range(len(points))]

    def cost(self) -> Cost:
        n, d, width, gradient = self.samples, self.d, self.neurons, 5.0 * self.step_samples_per_dim * self.d**2
        fits, one_penalty = 3.0 * n * width * (2 * d + width) + 5e7 * width + 6e9, 150.0 * width**3  # tables of Psi
        memory = 8 * (12 * n * width + 45 * width**2 + 4 * d * (n + width)) + 4e7
        return Cost(gradient * width + fits + one_penalty, memory, one_penalty)
