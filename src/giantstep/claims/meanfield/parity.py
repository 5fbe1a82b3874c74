"""[nosw24] mean-field Langevin dynamics on anisotropic parity."""

from __future__ import annotations

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
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
from giantstep.claims.refusals import refuse_much_work
from giantstep.errors import InputError
from giantstep.learners.kernels import kernel_ridge
from giantstep.learners.meanfield import Langevin, prior_network
from giantstep.problems.inputs import ParityInputs, parity_target
from giantstep.streams import Streams

TESTED = 2000  # fresh inputs on which accuracy is measured
RIDGE = 1e-3  # of the kernels
WIDTHS = (1, 4, 16)  # c of the kernels exp(c <x, x'>), beside which stands <x, x'>^k; 1 is "untuned"
TIE = 0.03  # of two accuracies
BOUND = 30.0  # of one neuron
BEST = 5e-3  # a temperature in the middle of those that work
HOT = 2e-2  # from here on accuracy falls
MOST_WORK = 1e12
XOR = {"order": 2, "samples": 150}
BOTH = ("accuracy", "accuracy_kernel")


@named(
    "meanfield/parity",
    kind="theorem",
    cite="nosw24",
    version=3,
    where="talk on [mws23], slide 'Classifying Sparse Parity Functions'",
    finding=(
        "That networks beat kernels is not seen at sizes that can be run: the network beats ridge regression with the "
        "untuned kernel exp(<x, x'>) on parities of three signs at alpha from 0.2 to 0.6, but the best of "
        "exp(c <x, x'>), c = 1, 4, 16, and <x, x'>^k is at least as good there, and on XOR (k = 2) as well. A "
        "temperature in the middle is needed: colder and hotter networks fit the samples nearly "
        "as well, and generalise less. d = 24 shows trends, not the exponent of n = d^(1 - alpha)."
    ),
)
class Parity(Claim):
    """Noisy gradient descent of a wide network learns a parity of k signs, the easier the more they are stretched.

    x_i = +-1/sqrt(d), the first k of them times d^(alpha/2), y the product of their signs. The theorem: n = d^(1-alpha)
    samples are enough, whatever k is, with exponentially many neurons and steps. Here N neurons run for a fixed time:
    `accuracy` on fresh inputs grows with alpha, n and N, and is held against ridge regression on the same samples, with
    the best of four kernels in hindsight (`accuracy_kernel`, `advantage`) and with exp(<x, x'>) as it is
    (`advantage_untuned`). The step follows the curvature of the loss, and the temperature may fall on the way.
    """

    d: int = parameters.dimension(24, ge=8)
    order: int = parameters.order(3)
    stretch_exponent: float = parameters.stretch_exponent(0.5)
    samples: int = parameters.samples(100, ge=10, le=100_000)
    neurons: int = parameters.neurons(200)
    temperature: float = parameters.temperature(BEST)
    final_temperature: float = parameters.own(
        0.0, "temperature at the end, reached geometrically; 0: the same", ge=0, le=0.5
    )
    step: float = parameters.step(0.0, help="step size of the dynamics; 0: by the curvature of the loss", ge=0, le=1)
    steps: int = parameters.steps(400, help="steps of the dynamics", symbol="T", le=1_000_000)

    quantities = (
        quantity.increasing(
            "accuracy", "stretch_exponent", "more stretch, fewer samples needed: no allowance is needed",
            help="share of fresh inputs whose sign is right",
        ),
        *(
            quantity.increasing("accuracy", size, "no allowance is needed", when=lambda p: p.stretch_exponent > 0.2)
            for size in ("samples", "neurons")
        ),
        quantity.increasing(
            "accuracy", "temperature", "without noise the network fits but does not generalise",
            when=lambda point: point.temperature <= BEST,
        ),
        quantity.decreasing(
            "accuracy", "temperature", "with too much noise the network does not generalise either",
            when=lambda point: point.temperature >= HOT,
        ),
        quantity.reported("accuracy_train", help="share of the samples whose sign is right"),
        quantity.reported("accuracy_kernel", help="accuracy of the best of four kernels: by ridge regression"),
        quantity.at_most(
            "advantage", TIE, "both may be right nearly everywhere: ties",
            help="accuracy less that of the best kernel: not positive for two or three signs",
            when=lambda point: point.order in (2, 3) and point.is_usual,
        ),
        quantity.at_least(
            "advantage_untuned", 0, "an inequality with room at these sizes",
            help="accuracy less that of exp(<x, x'>): positive for three signs at a moderate stretch",
            when=lambda point: point.order == 3 and point.is_usual and 0.2 <= point.stretch_exponent <= 0.6,
        ),
        quantity.reported("weight_share", help="share of the weights' squares on the signs of the parity"),
    )  # fmt: skip
    views = (
        view.Curve("stretch_exponent", (0, 0.5, 1), BOTH, together=True, title="parity of three signs, 100 samples"),
        view.Curve(
            "stretch_exponent", (0, 0.5, 1), BOTH, together=True, at=XOR, seeds=40,
            title="XOR, 150 samples",
        ),
        view.Curve(
            "temperature", (5e-4, 5e-3, 0.02, 0.1), ("accuracy", "accuracy_train"), together=True, log_x=True, at=XOR,
            title="neither too cold nor too hot",
        ),
        view.Curve("neurons", (10, 40, 200), ("accuracy",), seeds=32, log_x=True, title="width"),
        view.Curve(
            "samples", (25, 100), ("accuracy",), by="stretch_exponent", by_values=(0.5, 0.75), seeds=24, log_x=True,
            title="samples",
        ),
    )  # fmt: skip
    printed = (
        Printed("advantage", "networks beat kernels", lambda _: 0.0, relation="at least", allowance=Allowance(0.0)),
    )
    presets = {
        "xor": XOR,
        "isotropic": {"stretch_exponent": 0},
        "annealed": {"temperature": 0.05, "final_temperature": 0.005},
        "four-signs": {"order": 4, "stretch_exponent": 0.75},
    }
    default_seeds = 16
    engine = "particles"
    convention = "logistic loss; prior and start N(0, d I) on weights; step d times as large for weights"

    def check(self) -> None:
        if self.d < self.order:
            raise InputError(f"d = {self.d} is not allowed; a parity of {self.order} signs needs as many dimensions")
        refuse_much_work("dynamics", self.cost().flops, MOST_WORK)

    @property
    def is_usual(self) -> bool:
        """Whether the dynamics is that of which the comparison with the kernel speaks."""
        enough = self.samples >= 100 and self.neurons >= 100 and self.steps >= 400
        constant = self.final_temperature in (0.0, self.temperature)
        return enough and constant and self.temperature == BEST and self.d <= 40

    def predict(self) -> Prediction:
        power = 1.0 - self.stretch_exponent
        return Prediction(
            {"advantage": 0.0, "advantage_untuned": 0.0},
            "trends; the theorem's n = d^(1-alpha) needs exponentially many neurons and steps",
            notes=(f"n of the order d^{power:g} = {self.d**power:.3g} is enough in the limit",),
        )

    def drawn(self, count: int, streams: Streams) -> tuple[Array, Array]:
        law = ParityInputs(self.order, self.stretch_exponent)
        x = law.draw(streams.generator(), count, self.d)
        return x, np.asarray(parity_target(self.order)(law.fields(x, self.order)))

    def measure(self, run: Run) -> Measurement:
        x, y = self.drawn(self.samples, run.streams.child("data"))
        fresh, signs = self.drawn(TESTED, run.streams.child("test"))
        start = prior_network(self.d, self.neurons, BOUND, run.streams.child("start"))
        heat = (self.temperature, self.final_temperature) if self.final_temperature else self.temperature
        dynamics = Langevin(x, y, heat, run.streams.child("noise"), step=self.step or None)
        found = learners.run(dynamics, start, times=[self.steps]).last.network
        accuracy = found.accuracy(fresh, signs)
        kernels = self.kernel_accuracies(x, y, fresh, signs)
        return Measurement(
            {
                "accuracy": accuracy,
                "accuracy_train": found.accuracy(x, y),
                "accuracy_kernel": max(kernels),
                "advantage": accuracy - max(kernels),
                "advantage_untuned": accuracy - kernels[0],
                "weight_share": found.energy(self.order),
            }
        )

    def kernel_accuracies(self, x: Array, y: Array, fresh: Array, signs: Array) -> list[float]:
        """Shares of fresh inputs whose sign ridge regression has right: the untuned kernel first."""
        inner, outer = x @ x.T, fresh @ x.T
        pairs = [(np.exp(c * inner), np.exp(c * outer)) for c in WIDTHS] + [(inner**self.order, outer**self.order)]
        duals = [kernel_ridge(table, y, np.array([RIDGE])).reshape(-1) for table, _ in pairs]
        return [float(np.mean(np.sign(seen @ dual) == signs)) for (_, seen), dual in zip(pairs, duals, strict=True)]

    def cost(self) -> Cost:
        n, pairs = float(self.samples), float(self.samples * self.neurons)
        kernel = 4 * (n**3 / 3 + 2.0 * TESTED * n * (self.d + 20))
        stored = 3 * pairs + n**2 + TESTED * (n + self.d)
        return Cost(self.steps * pairs * (4.0 * self.d + 40) + kernel, 8.0 * stored + 2e7)
