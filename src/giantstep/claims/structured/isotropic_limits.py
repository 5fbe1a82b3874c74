"""[bes23] without a spike, what kernels and one gradient step cannot do with n ~ d samples."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import attrgetter

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.refusals import refuse_jumps, refuse_much_work, refuse_other_polynomials
from giantstep.errors import InputError
from giantstep.learners import random_directions
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.kernels import least_spiked_risk
from giantstep.learners.networks import Network, Scaling
from giantstep.learners.training import split_squares
from giantstep.learners.training.spiked import first_gradients, network_risk, trained_network
from giantstep.problems import Activation, InnerProductKernel, Problem, whole
from giantstep.theory.structured.flows import GradientSize, isotropic_gradient

KERNEL = InnerProductKernel("exp")
RIDGES = (0.1, 1.0, 10.0, 100.0)
HIGHEST_DEGREE = 6
MOST_SAMPLES = 8000
MOST_WORK = 1e12
FAR = 20
"""n ~ d means that n is this many times below d^2; the gradient's length is asked of this many times d samples."""
CLEAR = 300
"""A signal of zero is told from one of order one by this many times d^2 samples."""
ENOUGH = 16
"""Samples per dimension from which on one step is claimed to beat every kernel, if the target has a linear part."""
CUBIC, LINEAR_AND_CUBIC = "He3(x1)/sqrt(6)", "(x1 + He3(x1)/sqrt(6))/sqrt(2)"
IS_LONG = attrgetter("is_long")


_gradient = lru_cache(maxsize=256)(isotropic_gradient)  # once for all that is said of a point


@lru_cache(maxsize=256)
def _is_blind(activation: Activation, degree: int) -> bool:
    return abs(activation.hermite_coefficient(degree)) < 1e-12


@named(
    "structured/isotropic-limits",
    kind="theorem",
    cite="bes23",
    version=2,
    where="slides 'Prior Results: Isotropic Data' and 'Limitation under Isotropic Data'",
    finding=(
        "The gradient's length d^-(k-1)/2 needs an activation with a degree k of its own: to an unbiased ReLU the "
        "expected gradient of He3 is exactly zero (gradient_signal). In the slide's expansion (i+1)^2 a_{i+1} a*_{i+1} "
        "a factor i! is missing: for He3 the printed length is half of the measured one (gradient_norm_printed). "
        "So are 1/t! and the mean, the term t = 0, in f = sum_t <E f S_t, S_t> of the talk on the lazy regime, part II."
    ),
)
class IsotropicLimits(Claim):
    """On isotropic inputs with n ~ d, kernels learn linear targets only, and one step only those of exponent 1.

    At a random neuron the expected gradient has length d^-(k-1)/2, k being the information exponent, while a batch of
    n scatters by sqrt(d/n): n ~ d^k samples are needed to see it. With n ~ d the risks of kernel ridge regression and,
    for k >= 2, of a network after one step stay above |P_{>1} f*|^2, the part of the target that is not linear.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    activation: parameters.Activation = parameters.activation("relu(z - 1)")
    d: int = parameters.dimension(32)
    samples_per_dim: float = parameters.samples_per_dim(
        4.0, help="samples per dimension of the fits", symbol=r"\psi = n/d", ge=1, le=200
    )
    gradient_samples: int = parameters.gradient_samples(100_000)
    neurons: int = parameters.neurons(64, ge=2)

    quantities = (
        quantity.equal(
            "gradient_norm", Allowance(0.02, of="prediction"),
            "exact at every d; the root of a mean over neurons and samples is slightly below the root of its mean",
            help="length of the expected gradient, root mean square over neurons", symbol=r"|E[y s' x]|", when=IS_LONG,
        ),
        quantity.slope(
            "gradient_norm", "d", lambda point: -(point.exponent - 1) / 2, Allowance(2.5, power=-1),
            "next orders in 1/d, seen from the smallest d", help="d^-(k-1)/2", when=IS_LONG,
        ),
        quantity.equal(
            "gradient_signal", Allowance(0.02), "exact at every d",
            help="squared length of the expected gradient over d^-(k-1): zero for an activation without degree k",
            symbol=r"d^{k-1} |E[y s' x]|^2",
            when=lambda point: point.hidden and point.gradient_samples >= CLEAR * point.d**2,
        ),
        quantity.reported(
            "gradient_norm_printed", help="the length with the slide's coefficients, which lack a factorial",
        ),
        quantity.equal(
            "gradient_error", Allowance(4, of="prediction", power=-1),
            "the neuron's own overlap with the target changes the scatter by a relative 1/d",
            help="distance of a batch's gradient from its mean", symbol=r"|\hat g - g| \sim \sqrt{d/n}",
        ),
        quantity.at_least(
            "risk_kernel", 0, "the bound is strict at any finite ratio of samples to dimension",
            help="kernel ridge regression with the best of four penalties, kernel exp", when=lambda point: point.few,
        ),
        quantity.at_least(
            "risk_network", 0, "without a linear part the step finds nothing, and fitted noise only adds to the risk",
            help="network after one step on half of the samples",
            when=lambda point: point.exponent > 1 and point.few,
        ),
        quantity.at_most(
            "risk_network", 0, "said from 16 samples per dimension on",
            help="network after one step, with a linear part in the target",
            when=lambda p: p.exponent == 1 and (p.target.degree or 0) > 1 and p.samples_per_dim >= ENOUGH,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (16, 28, 40), ("gradient_norm", "gradient_error"), by="target", log_x=True, log_y=True, seeds=32,
            by_values=("x1", "He2(x1)/sqrt(2)", CUBIC), at={"gradient_samples": 100_000, "neurons": 128},
            title="k = 1, 2, 3",
        ),
        view.Curve(
            "d", (16, 28, 40), ("gradient_norm",), log_x=True, log_y=True, seeds=32, bounds=("gradient_norm_printed",),
            at={"gradient_samples": 100_000, "neurons": 128, "target": CUBIC}, title="k = 3: a factor 2 is missing",
        ),
        view.Curve(
            "gradient_samples", (100_000, 200_000), ("gradient_signal",), by="activation", seeds=24, log_x=True,
            by_values=("relu(z)", "relu(z - 1)"), at={"d": 16, "target": CUBIC},
            title="unbiased ReLU does not see He3",
        ),
        view.Curve(
            "samples_per_dim", (1, 2, 4), ("risk_kernel", "risk_network"), together=True, seeds=32,
            at={"d": 128, "gradient_samples": 10_000}, title="k = 2: nothing is learned",
        ),
        view.Curve(
            "samples_per_dim", (4, 16, 32), ("risk_kernel", "risk_network"), together=True, seeds=16,
            at={"d": 48, "gradient_samples": 10_000, "target": LINEAR_AND_CUBIC},
            title="k = 1: one step learns more than the linear part",
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "gradient_norm", "the coefficients of the expected gradient are (i+1)^2 a_{i+1} a*_{i+1}",
            lambda p: p.gradient.printed,
        ),
    )  # fmt: skip
    presets = {
        "linear": {"target": "x1"},
        "exponent-3": {"target": CUBIC},
        "hidden": {"target": CUBIC, "activation": "relu", "d": 16, "gradient_samples": 200_000},
        "mixed": {"target": LINEAR_AND_CUBIC, "samples_per_dim": 16},
    }
    default_seeds = 8
    engine = ("full", "dense")
    convention = (
        "g = (1/n) sum y s'(<x, w>) x, w on the unit sphere; networks: ReLU with biases, ridge head by leave-one-out"
    )

    def check(self) -> None:
        refuse_other_polynomials(self.target, HIGHEST_DEGREE)
        if self.target.mean:
            raise InputError(f"target = {self.target} is not allowed; its mean must be 0")
        refuse_jumps(self.activation)
        if self.samples > MOST_SAMPLES:
            raise InputError(f"n = {self.samples} samples are too many for a kernel matrix; at most {MOST_SAMPLES}")
        refuse_much_work("gradient", self.work, MOST_WORK)

    @property
    def exponent(self) -> int:
        """k."""
        return self.target.information_exponent or 0

    @property
    def hidden(self) -> bool:
        """Whether the activation has no degree k, so that its neurons do not see the target's lowest part."""
        return _is_blind(self.activation, self.exponent)

    @property
    def gradient(self) -> GradientSize:
        """Lengths of the first gradient."""
        return _gradient(self.target, self.activation, self.d, self.gradient_samples)

    @property
    def is_long(self) -> bool:
        """Whether the gradient's length is told: the activation sees the target, and samples are many."""
        return not self.hidden and self.gradient_samples >= FAR * self.d

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def few(self) -> bool:
        """Whether n is far below d^2, from where on degree 2 can be learned."""
        return FAR * self.samples <= self.d**2

    @property
    def work(self) -> float:
        return 4.0 * self.gradient_samples * self.d * self.neurons

    @property
    def beyond_linear(self) -> float:
        """|P_{>1} f*|^2."""
        return float(self.target.norm2) - float(self.target.energy(0)) - float(self.target.energy(1))

    def predict(self) -> Prediction:
        size = self.gradient
        values = {"gradient_norm": size.norm, "gradient_error": size.error, "gradient_norm_printed": size.printed}
        values |= dict.fromkeys(("risk_kernel", "risk_network"), self.beyond_linear)
        values["gradient_signal"] = size.norm**2 * self.d ** (self.exponent - 1)
        note = f"information exponent {self.exponent}: n ~ d^{self.exponent} samples show the gradient"
        return Prediction(values, "random neurons at any d; risks for n and d large in proportion", (note,))

    def measure(self, run: Run) -> Measurement:
        problem, streams = Problem(self.target, self.d), run.streams
        weights = random_directions(self.d, self.neurons, streams.child("neurons"))
        halves = [problem.sample(self.gradient_samples // 2, streams.child(name)) for name in ("first", "second")]
        net = Network(weights, np.zeros(self.neurons), self.activation, Scaling.UNIT)
        gradients = [first_layer_gradient(net, half, threads=run.threads).gradient for half in halves]
        square, scatter = split_squares(*gradients)
        found = {"gradient_norm": math.sqrt(max(square, 0.0)), "gradient_error": math.sqrt(scatter)}
        signal = square * self.d ** (self.exponent - 1)
        return Measurement({**found, "gradient_signal": signal, **self.risks(problem, run)})

    def risks(self, problem: Problem, run: Run) -> dict[str, float]:
        """The best kernel fit on all samples, and a network with half of them for its step and half for its head."""
        names, half = ("step data", "head data"), max(2, self.samples // 2)
        data = [whole(problem.sample(half, run.streams.child(name))) for name in names]
        x, y = (np.concatenate(parts) for parts in zip(*data, strict=True))
        gradients = first_gradients(*data[0], self.neurons, run.streams.child("network"))
        trained = trained_network(gradients, *data[1], run.streams.child("head"))
        kernel = least_spiked_risk(KERNEL, problem, x, y, RIDGES)
        return {"risk_kernel": kernel, "risk_network": network_risk(trained, problem)}

    def cost(self) -> Cost:
        n = float(self.samples)
        return Cost(self.work + 2 * n**3 + 2000 * n**2, 24 * n**2 + 8.0 * self.d * 2048 + 1e7)
