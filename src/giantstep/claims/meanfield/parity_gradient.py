"""[nosw24] what gradients see of a parity on isotropic inputs: the correlational bound d^(k-1)."""

from __future__ import annotations

from math import comb

import numpy as np

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
from giantstep.claims.refusals import refuse_jumps, refuse_much_work
from giantstep.errors import InputError
from giantstep.learners.meanfield import parity_gradients
from giantstep.learners.training import split_squares
from giantstep.theory.meanfield import parity_energy, parity_signal, query_bound, slope_energy

MOST_WORK = 1e12
SEEN = 4  # times the samples that show the gradient along one neuron: from here on it is spoken of
NEXT_ORDERS = Computed(lambda point, _: 1.5 * point.order / point.d, "1.5 k/d")
CUBE = {"order": 3, "gradient_samples": 40_000}


@named(
    "meanfield/parity-gradient",
    kind="theorem",
    cite="nosw24",
    version=2,
    where="talk on [mws23], slide 'Classifying Sparse Parity Functions', CSQ lower bound n ~ d^(k-1)",
    finding=(
        "The rate d^(k-1) is that of the first gradient exactly, and the bound by Parseval, d E s'^2/C(d, k) for its "
        "squared length, is missed only by the share of s' in degree k - 1. An activation without degree k, such as an "
        "unbiased ReLU for three signs, sees nothing at this order."
    ),
)
class ParityGradient(Claim):
    """On isotropic signs the gradient of a k-parity is of squared length d^-(k-1), so that n ~ d^(k-1) samples show it.

    x uniform in {-1, 1}^d, y = x_1 ... x_k, neurons w ~ N(0, I/d). `signal` is the square of the expected gradient
    along a sign of the parity, from two independent halves of the samples, and `samples_needed` the number of samples
    at which the scatter of a batch is as large. `energy` is the squared length of all of it, which is at
    most what any gradient may have in the mean over parities, d E s'^2/C(d, k), by which correlational queries are
    bounded (`query_bound`).
    """

    activation: parameters.Activation = parameters.activation("relu(z - 0.5)")
    d: int = parameters.dimension(32, ge=8, le=1000)
    order: int = parameters.order(2)
    neurons: int = parameters.neurons(128, ge=2, le=10_000)
    gradient_samples: int = parameters.gradient_samples(16_000)

    quantities = (
        quantity.equal(
            "signal", Allowance(1e-6, of="prediction"), "exact at every d: the error of the kernel's integrals",
            help="square of the expected gradient along a sign of the parity, mean over neurons", symbol="E g_i^2",
            when=lambda point: point.is_seen,
        ),
        quantity.slope(
            "signal", "d", lambda point: -(point.order - 1.0), NEXT_ORDERS,
            "next orders in 1/d, seen from the smallest d", help="d^-(k-1)", when=lambda point: point.is_seen,
        ),
        quantity.slope(
            "samples_needed", "d", lambda point: point.order - 1.0, NEXT_ORDERS,
            "next orders in 1/d, seen from the smallest d", help="samples at which a batch scatters as much: d^(k-1)",
            symbol="n", when=lambda point: point.is_seen,
        ),
        quantity.equal(
            "energy", Allowance(1e-6, of="prediction"), "exact at every d: the error of the kernel's integrals",
            help="squared length of the expected gradient, mean over neurons", symbol="E|g|^2",
            when=lambda point: point.is_seen,
        ),
        quantity.at_most(
            "query_bound", 0, "Parseval, exact at every d", help="the same, and the bound of correlational queries",
            symbol=r"d\,E s'^2/\binom{d}{k}", when=lambda point: point.is_seen,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (16, 32, 64), ("signal", "samples_needed"), log_x=True, log_y=True, seeds=96, title="k = 2: n ~ d",
        ),
        view.Curve(
            "d", (12, 17, 24), ("signal", "samples_needed"), log_x=True, log_y=True, seeds=192, at=CUBE,
            title="k = 3: n ~ d^2",
        ),
        view.Curve(
            "order", (2, 3), ("energy",), bounds=("query_bound",), seeds=192, at={**CUBE, "d": 13}, log_y=True,
            title="its bound",
        ),
    )  # fmt: skip
    presets = {"three-signs": {**CUBE, "d": 20}, "tanh": {"activation": "tanh(z + 1)"}}
    default_seeds = 192
    engine = "full"
    convention = "g = (1/n) sum y s'(<w, x>) x, x = +-1, w ~ N(0, I/d)"

    def check(self) -> None:
        refuse_jumps(self.activation)
        if self.d < self.order + 1:
            raise InputError(f"d = {self.d} is not allowed; a parity of {self.order} signs needs more dimensions")
        refuse_much_work("gradient", self.work, MOST_WORK, "d, neurons or gradient_samples")

    @property
    def work(self) -> float:
        return 4.0 * self.gradient_samples * self.d * self.neurons

    @property
    def signal(self) -> float:
        return parity_signal(self.activation, self.d, self.order)

    @property
    def needed(self) -> float:
        """E s'^2 over the signal; infinite if the activation has no degree k."""
        energy, signal = slope_energy(self.activation), self.signal
        return energy / signal if signal > 1e-9 * energy / comb(self.d, self.order) else float("inf")

    @property
    def is_seen(self) -> bool:
        """Whether there are samples enough."""
        return self.gradient_samples >= SEEN * self.needed

    def predict(self) -> Prediction:
        values = {"signal": self.signal, "energy": parity_energy(self.activation, self.d, self.order)}
        values["query_bound"] = query_bound(self.activation, self.d, self.order)
        if np.isfinite(self.needed):
            values["samples_needed"] = self.needed
        return Prediction(values, "random neurons, any d", (f"d^(k-1) = {self.d ** (self.order - 1):g}",))

    def measure(self, run: Run) -> Measurement:
        half = self.gradient_samples // 2
        weights = run.streams.child("neurons").generator().standard_normal((self.neurons, self.d)) / np.sqrt(self.d)
        first, second = (
            parity_gradients(self.activation, weights, self.order, half, run.streams.child(name))
            for name in ("first", "second")
        )
        along, scatter = split_squares(first[:, : self.order], second[:, : self.order])
        energy, _ = split_squares(first, second)
        values = {"signal": along / self.order, "energy": energy, "query_bound": energy}
        if along > 0:
            values["samples_needed"] = scatter * 2 * half / along
        return Measurement(values)

    def cost(self) -> Cost:
        return Cost(self.work + 20.0 * self.gradient_samples * self.d, 8.0 * self.d * 4 * self.neurons + 4e7)
