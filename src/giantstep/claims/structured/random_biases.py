"""[mws23] random biases meet the condition on the link, where a neuron without bias does not."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_other_polynomials
from giantstep.errors import InputError
from giantstep.learners.flows import FlowTask, PopulationFlow
from giantstep.problems import Activation
from giantstep.theory.structured import pulled_share, relu_pulls

HIGHEST_DEGREE = 6
LEVEL = 0.95
"""The overlap up to which neurons are followed."""
PLACES = tuple(float(omega) for omega in np.linspace(0.1, LEVEL, 9))
LARGEST = 4.0
"""Larger biases feel less than the integrals resolve."""
STALLED = "(He2(x1)/sqrt(2) + 3*He4(x1)/sqrt(24))/sqrt(10)"
GOOD = "(2*He2(x1)/sqrt(2) - He3(x1)/sqrt(6))/sqrt(5)"
CUBE = "He3(x1)/sqrt(6)"


@named(
    "structured/random-biases",
    kind="theorem",
    cite="mws23",
    where="slide 'Sample & Runtime Complexity', footnote: zeta(omega) >= c omega^(k-1), removed by random biases",
    finding=(
        "Random biases help some neurons and harm others: an unbiased ReLU stalls at omega = 0.76 on He2 + 3 He4 (both "
        "normalised) and does not see He3 at all; of biases N(0, 1) about half pull all the way. But of 2 He2 - He3, "
        "which an unbiased neuron learns, they lose some. The theorem without its assumption needs a head that picks "
        "the good neurons."
    ),
)
class RandomBiases(Claim):
    """With random biases some ReLU neurons are pulled to the target all the way, where unbiased ones stall.

    The theorem on the normalised flow supposes zeta(omega) >= c omega^(k-1) on (0, 1). For neurons relu(u + b) with
    b ~ N(0, 1) the growth of omega by the population gradient, an integral, is looked at on the way from 0.1 to 0.95:
    `share` is that of biases with which it is positive everywhere, `unbiased` whether it is so (1) or not (0) at b = 0,
    and `pull` the growth over 2 (1 - omega^2) at omega = 1/2, root mean square over biases.
    """

    target: parameters.Target = parameters.target(STALLED)
    neurons: int = parameters.neurons(24, ge=1, le=1000)

    quantities = (
        quantity.equal(
            "share", 1e-3, "exact: the error of a grid of biases", help="share of biases that pull all the way",
            symbol=r"P(\zeta_b > 0)",
        ),
        quantity.equal(
            "unbiased", 0.01, "exact: 0 or 1", help="1 if a neuron without bias is pulled all the way, else 0",
        ),
        quantity.equal(
            "pull", Allowance(1e-5, of="prediction"), "exact: the error of integrals",
            help="root mean square pull half way: at omega = 1/2, over biases", symbol=r"|\zeta_b(1/2)|",
            against="finite",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "neurons",
            (48,),
            ("share", "unbiased", "pull"),
            by="target",
            by_values=(STALLED, CUBE, GOOD),
            seeds=16,
            title="who is pulled to the target",
        ),
    )
    presets = {"cubic": {"target": CUBE}, "good": {"target": GOOD}}
    default_seeds = 16
    engine = "population"
    convention = "relu(u + b), u = <x, w> of variance 1; biases of size above 4 are drawn again"

    def check(self) -> None:
        refuse_other_polynomials(self.target, HIGHEST_DEGREE)
        if (self.target.information_exponent or 0) < 2:
            raise InputError(f"target = {self.target} is not allowed; without linear part all depends on biases")

    def predict(self) -> Prediction:
        at_zero = relu_pulls(self.target, np.zeros(1), np.linspace(0.0, LEVEL, 400))
        return Prediction(
            {"share": pulled_share(self.target, LEVEL), "unbiased": float((at_zero > 0).all())},
            "population gradient, any spike, alignment and dimension",
        )

    def measure(self, run: Run) -> Measurement:
        generator = run.streams.child("biases").generator()
        drawn = generator.standard_normal(4 * self.neurons)
        biases = drawn[np.abs(drawn) <= LARGEST][: self.neurons]
        growths = np.stack([self.growths(float(bias)) for bias in biases])
        found = np.sqrt(np.mean((growths[:, -1] / 1.5) ** 2))
        half = 0.5 ** ((self.target.information_exponent or 1) - 1)
        known = half * relu_pulls(self.target, biases, np.array([0.5]))[:, 0]
        return Measurement(
            {
                "share": float(np.mean((growths[:, :-1] > 0).all(axis=1))),
                "unbiased": float((self.growths(0.0)[:-1] > 1e-9).all()),
                "pull": float(found),
            },
            finite={"pull": float(np.sqrt(np.mean(known**2)))},
        )

    def growths(self, bias: float) -> Array:
        """omega' on the way, and at omega = 1/2, for one bias."""
        task = FlowTask(self.target, Activation(f"relu(z + {bias!r})"), 0.0, 1.0)
        flow = PopulationFlow(task, "preconditioned")
        return np.array([flow.growth_at(omega) for omega in (*PLACES, 0.5)])

    def cost(self) -> Cost:
        return Cost(3e6 * self.neurons, 3e7)
