"""[mws23] with a spike beside the target, one gradient step finds the spike."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_much_work
from giantstep.errors import InputError
from giantstep.learners import random_directions
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.networks import Network, Scaling
from giantstep.learners.training import mean_cosine
from giantstep.problems import Problem
from giantstep.problems.inputs import Spiked
from giantstep.theory.structured import step_cosines, step_limit

MOST_WORK = 1e12
SQUARE = {"target": "He2(x1)/sqrt(2)", "d": 32, "samples_per_dim": 2000, "neurons": 64}


def _limit(point: MisalignedStep, predicted: float) -> float:  # noqa: ARG001
    """What the noise of a batch adds, more for k >= 2, and neurons of overlap omega != 0 with a nonlinear target."""
    noise = 4 / point.samples_per_dim if point.exponent == 1 else math.sqrt(4 * point.d / point.samples_per_dim)
    return min(1.0, noise + 0.5 * point.nonlinear_overlap)


@named(
    "structured/misaligned-step",
    kind="proposition",
    cite="mws23",
    where="slide 'Insufficiency of One Gradient Step', gradient along beta + theta <beta, mu> mu",
    finding=(
        "The step is nearer to the spike than to the target as soon as theta <mu, beta> > 1, that is gamma2 > gamma1, "
        "also where the target's variance along the spike is still small (gamma2 < 2 gamma1). The same holds for an "
        "information exponent k >= 2, up to the sign of omega^(k-1), once n >> d^k samples show the gradient."
    ),
)
class MisalignedStep(Claim):
    """One gradient step on spiked inputs goes along Sigma beta, to the spike rather than to the target.

    theta = d^gamma2 is the strength of the spike and <mu, beta> = d^-gamma1 its alignment with the target. The cosines
    of a neuron's gradient with beta and mu are compared with those of the expected gradient for the neurons drawn,
    with the noise of the batch, and with those of beta + theta <mu, beta> mu.
    """

    target: parameters.Target = parameters.target("x1")
    activation: parameters.Activation = parameters.activation("relu")
    d: int = parameters.dimension(100)
    samples_per_dim: float = parameters.samples_per_dim(100.0, symbol=r"\psi = n/d", ge=4, le=10**4)
    neurons: int = parameters.neurons(16)
    alignment_exponent: float = parameters.alignment_exponent(
        0.25, symbol=r"\gamma_1,\ \langle\mu,\beta\rangle = d^{-\gamma_1}"
    )
    strength_exponent: float = parameters.strength_exponent(0.4, symbol=r"\gamma_2,\ \theta = d^{\gamma_2}", le=1)

    quantities = quantity.equals(
        {
            "cos_target": ("cosine of gradient and target, mean over neurons", r"\cos(g, \beta)"),
            "cos_spike": ("cosine of gradient and spike, mean over neurons", r"\cos(g, \mu)"),
        },
        Allowance(0.5, power=-1, size="samples_per_dim") + Allowance(0.05, power=1, size="nonlinear_overlap"),
        "the noise of the batch is not quite of the inputs' shape, less so for nonlinear targets",
        against="finite",
        limit=_limit,
    )
    views = tuple(
        view.Curve(x, values, ("cos_target", "cos_spike"), together=True, at=at, title=title)
        for x, values, at, title in (
            ("strength_exponent", "-0.5:1:7", {}, "gamma1 = 1/4, d = 100"),
            ("strength_exponent", "0:1:5", {"d": 400, "alignment_exponent": 0.4}, "gamma1 = 0.4, d = 400"),
            ("alignment_exponent", "0:0.5:6", {"strength_exponent": 0.5}, "gamma2 = 1/2"),
            ("strength_exponent", (0, 0.4, 0.75), SQUARE, "k = 2: the same directions"),
        )
    )
    presets = {
        "weak": {"strength_exponent": 0.1},
        "middle": {"strength_exponent": 0.4},
        "strong": {"strength_exponent": 0.75},
        "exponent-2": SQUARE,
        "tanh": {"activation": "tanh", "target": "x1 + He3(x1)/6"},
    }
    default_seeds = 8
    engine = "full"
    convention = "g = (1/n) sum y s'(<x, w>) x at a start with f = 0, w on the unit sphere"

    def check(self) -> None:
        if self.target.directions != 1 or not self.target.is_polynomial or not self.exponent:
            raise InputError(f"target = {self.target} is not allowed; it must be a polynomial of x1, not constant")
        if self.activation.jumps or abs(self.activation.hermite_coefficient(self.exponent)) < 1e-12:
            raise InputError(
                f"activation = {self.activation} is not allowed; it needs a part of degree {self.exponent} and no jumps"
            )
        refuse_much_work("gradient", self.work, MOST_WORK, "d, samples_per_dim or neurons")

    @property
    def exponent(self) -> int:
        """k."""
        return self.target.information_exponent or 0

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def work(self) -> float:
        return 4.0 * self.samples * self.d * self.neurons

    @property
    def law(self) -> Spiked:
        return Spiked(strength_exponent=self.strength_exponent, alignment_exponent=self.alignment_exponent)

    @property
    def nonlinear_overlap(self) -> float:
        """The typical correlation omega of a random neuron with the target, |Sigma beta|/sqrt(kappa d), or 0 for a
        linear target and a positively homogeneous activation, where omega plays no part."""
        if self.target.degree == 1 and str(self.activation) == "relu(z)":
            return 0.0
        theta, rho = self.law.theta(self.d), self.law.rho(self.d)
        return float(np.sqrt((1 + (2 * theta + theta**2) * rho**2) / (1 + theta * rho**2) / self.d))

    def predict(self) -> Prediction:
        limit = step_limit(self.law.theta(self.d), self.law.rho(self.d))
        return Prediction(
            {"cos_target": limit.target, "cos_spike": limit.spike},
            regime="many samples per dimension, random neurons",
            notes=("the spike is nearer than the target for gamma2 > gamma1",),
            thresholds={"strength_exponent": self.alignment_exponent},
        )

    def measure(self, run: Run) -> Measurement:
        d, law = self.d, self.law
        weights = random_directions(d, self.neurons, run.streams.child("neurons"))
        sample = Problem(self.target, d, inputs=law).sample(self.samples, run.streams.child("data"))
        net = Network(weights, np.zeros(self.neurons), self.activation, Scaling.UNIT)
        gradient = first_layer_gradient(net, sample, threads=run.threads).gradient
        k = self.exponent
        sign = np.sign(self.activation.hermite_coefficient(k) * float(self.target.hermite()[(k,)]))
        beta, mu = np.eye(1, d)[0], law.direction(d)
        overlaps = weights @ np.stack([beta, mu], axis=1)
        towards = overlaps @ np.array([1.0, law.theta(d) * law.rho(d)])
        gradient = gradient * (np.sign(towards) ** (k - 1))[:, None]
        expected = step_cosines(self.target, self.activation, d, law.theta(d), law.rho(d), overlaps, self.samples)
        found = (float(sign * mean_cosine(gradient, direction)) for direction in (beta, mu))
        return Measurement(
            dict(zip(("cos_target", "cos_spike"), found, strict=True)),
            finite={"cos_target": float(sign * expected.target), "cos_spike": float(sign * expected.spike)},
        )

    def cost(self) -> Cost:
        return Cost(self.work + 20.0 * self.samples * self.d, 8.0 * self.d * (1024 + 4 * self.neurons) + 1.5e7)
