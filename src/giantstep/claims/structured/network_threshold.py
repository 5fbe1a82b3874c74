"""[bes23] one gradient step with biases and a ridge head, on inputs with a spike along the target."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.structured._alignments import ALIGNMENTS, HALF_VIEWS, HALVES, KINDS, predicted_halves
from giantstep.claims.structured._kernels import BEYOND, EQUATIONS_ONLY, SpikedClaim
from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, spiked_risk
from giantstep.learners.training import (
    first_gradients,
    half_aligned_of,
    network_risk,
    principal_risk,
    spike_alignments,
    trained_network,
)
from giantstep.theory.kernels import spiked_kernel_risk
from giantstep.theory.structured import (
    noise_alignment,
    principal_component_risk,
    spike_alignment,
    spike_alignment_given,
)

RIDGES = (0.01, 0.3, 10.0)
"""Penalties of which kernel ridge regression is given the best in hindsight."""
PCA_DEGREE = 5
WINDOW = (0.45, 0.7)
"""Exponents of the spike between which the network is claimed to win against the kernel."""
STRONGEST = 0.6
RISKS = ("risk_network", "risk_kernel", "risk_pca")


@named(
    "structured/network-threshold",
    kind="theorem",
    cite="bes23",
    version=2,
    where="slide 'Sufficient Condition for NN+GD', theta = omega(d^(1 - 1/k)), and 'Comparing KRR and NN'",
    finding=(
        "theta >> d^(1 - 1/k) is the threshold of the Euclidean alignment; what decides about prediction is the "
        "whitened one, which is half already at d^min((k-1)/(k+1), 1/2). But gradient noise has the covariance of the "
        "inputs, so pure-noise labels reach it at d^(1/2) too: this alignment alone is no evidence of learning. A "
        "polynomial of the first principal component beats network and kernel."
    ),
)
class NetworkThreshold(SpikedClaim):
    """One step of a ReLU network with biases finds a target of exponent k from a spike theta = d^(1 - 1/k) on.

    Half of n = 4 d samples give the step, half the ridge head. The gradient's direction is compared with the spike, as
    it is (alignment) and as predictions see it (whitened alignment), and the network's exact risk with those of kernel
    ridge regression with the best penalty and of a polynomial of the first principal component, on all samples. Beyond
    20,000 samples nothing is simulated, and the equations' exponents of half alignment are shown beside their limits.
    """

    d: int = parameters.dimension(128, le=10**13)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\psi = n/d", ge=1, le=1000)
    neurons: int = parameters.neurons(128, symbol="N", ge=2, le=4096)
    kernel: parameters.Kernel = parameters.kernel("exp")
    halving: bool = parameters.own(False, "search the strengths of half alignment instead of comparing risks")

    quantities = (
        *ALIGNMENTS,
        quantity.equal(
            "risk_kernel",
            lambda point, predicted: predicted / math.sqrt(point.d),
            "few samples have a large spike coordinate; the best of three noisy risks is below their best mean",
            help="kernel ridge regression with the best of three penalties",
            when=lambda point: point.measured,
        ),
        quantity.equal(
            "risk_pca",
            lambda point, predicted: 3 * predicted / math.sqrt(point.d),
            "the first principal component's angle fluctuates: 15 to 20 % at d = 128, 3 to 9 % at d = 256",
            help="polynomial of degree 5 of the first principal component",
            when=lambda point: point.measured and point.theta >= 2 and (point.target.degree or 0) <= PCA_DEGREE,
        ),
        quantity.at_most(
            "risk_network",
            Allowance(0.0),
            "said for d^0.45 <= theta <= d^0.7 and degrees above 2, which the kernel has not yet learned there",
            help="network after one step, against kernel ridge regression with the best penalty",
            symbol=r"\mathcal{R}",
            when=lambda point: point.measured and WINDOW[0] <= point.strength_exponent <= WINDOW[1] and point.nonlinear,
        ),
        *HALVES,
    )
    views = (
        view.Curve(
            "strength_exponent", "0:0.85:6", ("alignment", "whitened_alignment", "whitened_of_noise"), together=True,
            at={"target": "He2(x1)/sqrt(2)"}, seeds=24, title="k = 2: half alignment, and what noise alone gives",
        ),
        view.Curve(
            "strength_exponent", (0.15, 0.3, 0.45, 0.6, 0.7), RISKS, together=True,
            at={"target": "(x1 + He3(x1)/sqrt(6))/sqrt(2)"}, log_y=True, seeds=24, title="k = 1, p = 3",
        ),
        view.Curve(
            "strength_exponent", (0.15, 0.3, 0.45, 0.6, 0.7), RISKS, together=True,
            at={"target": "He3(x1)/sqrt(6)"}, log_y=True, seeds=24, title="k = p = 3",
        ),
        *HALF_VIEWS,
    )  # fmt: skip
    presets = {
        "k1p3": {"target": "(x1 + He3(x1)/sqrt(6))/sqrt(2)"},
        "k2p4": {"target": "(He2(x1)/sqrt(2) + He4(x1)/sqrt(24))/sqrt(2)", "strength_exponent": 0.6},
        "k3p3": {"target": "He3(x1)/sqrt(6)", "strength_exponent": 0.6},
        "half": {"target": "He2(x1)/sqrt(2)", "halving": True, "samples_per_dim": 8.0, "neurons": 64},
        "large": {"target": "He3(x1)/sqrt(6)", "d": 10**10},
    }
    default_seeds = 24
    line_places = 9
    engine = "dense"
    convention = (
        "w <- eta a g, a = +-1, mean square of <x, w> 1, biases N(0, 1) drawn again, head's penalty by leave-one-out"
    )

    def check(self) -> None:
        super().check()
        if not self.kernel.is_power_series:
            raise InputError(f"kernel = {self.kernel} is not allowed; the theory needs one of <x, x'>/d, such as exp")
        if self.simulated and self.theta > STRONGEST * self.d:
            raise InputError(
                f"theta = {self.theta:.3g} is too strong; at most {STRONGEST:g} d = {STRONGEST * self.d:.3g}"
            )

        if self.halving and (self.exponent < 2 or self.noise):
            raise InputError("halving needs a target without mean and linear part, such as He2(x1), and noise = 0")

    @property
    def measured(self) -> bool:
        """Whether alignments and risks are simulated at this strength."""
        return self.simulated and not self.halving

    @property
    def exponent(self) -> int:
        """k."""
        return self.target.information_exponent or 0

    @property
    def nonlinear(self) -> bool:
        """Whether the target has a degree that the kernel learns late."""
        return (self.target.degree or 0) > 2

    def predict(self) -> Prediction:
        regime = (
            "n and d large in proportion; Gaussian noise along the spike, kernels by their deterministic equivalent"
        )
        if not self.measured:
            return Prediction(predicted_halves(self), regime, () if self.simulated else (BEYOND,))
        n = self.samples
        aligned = spike_alignment(self.target, self.d, self.theta, n // 2)
        best = min(spiked_kernel_risk(self.kernel, self.target, self.d, self.theta, n, r, self.noise) for r in RIDGES)
        values = {
            "alignment": aligned.euclidean,
            "whitened_alignment": aligned.whitened,
            "whitened_of_noise": noise_alignment(self.d, self.theta),
            "risk_kernel": best,
            "risk_network": best,
            "risk_pca": principal_component_risk(self.target, n, self.d, self.theta, PCA_DEGREE, self.noise),
        }
        return Prediction(
            values, regime, (f"information exponent k = {self.exponent}: threshold d^{1 - 1 / self.exponent:.3g}",)
        )

    def measure(self, run: Run) -> Measurement:
        if not self.simulated:
            return Measurement({})
        problem, half = self.problem, self.samples // 2
        if self.halving:
            data, network = run.streams.child("step data"), run.streams.child("network")
            found = half_aligned_of(problem, half, self.neurons, data, network, (0.01, 10.0 * self.d))
            return Measurement(dict(zip(KINDS, found, strict=True)))
        (x, y), (x2, y2) = self.data(run, half, "step data"), self.data(run, half, "head data")
        gradients = first_gradients(x, y, self.neurons, run.streams.child("network"))
        euclidean, whitened = spike_alignments(gradients.labels, self.theta)
        given = spike_alignment_given(x[:, 0] / math.sqrt(1 + self.theta), y, self.d, self.theta)
        trained = trained_network(gradients, x2, y2, run.streams.child("head"))
        both, labels = np.concatenate([x, x2]), np.concatenate([y, y2])
        kernels = spiked_risk(fit_kernel(self.kernel, both, labels, RIDGES), problem)
        return Measurement(
            {
                "alignment": euclidean,
                "whitened_alignment": whitened,
                "whitened_of_noise": spike_alignments(gradients.noise, self.theta)[1],
                "risk_kernel": float(kernels.min()),
                "risk_pca": principal_risk(both, labels, problem, PCA_DEGREE),
                "risk_network": network_risk(trained, problem),
            },
            finite={"alignment": given.euclidean, "whitened_alignment": given.whitened},
        )

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n, d = float(self.samples), float(self.d)
        if self.halving:
            return Cost(50 * n * d * self.neurons, 16 * n * (d + self.neurons))
        return Cost(2 * n**2 * d + 2.5 * n**3 + 2500 * n**2, 24 * n**2 + 16 * n * d)
