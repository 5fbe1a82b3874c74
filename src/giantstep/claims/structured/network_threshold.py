"""[bes23] one gradient step with biases and a ridge head, on inputs with a spike along the target."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import (
    CurveView,
    KernelField,
    Measurement,
    Prediction,
    Quantity,
    Run,
    absolute,
    at_most,
    claim,
    equal,
    parameter,
    reported,
)
from giantstep.claims.structured._kernels import EQUATIONS_ONLY, SpikedClaim, kernel
from giantstep.claims.values import Cost
from giantstep.errors import InputError
from giantstep.learners import (
    first_gradients,
    fit_kernel,
    network_risk,
    principal_risk,
    spike_alignments,
    spiked_risk,
    trained_network,
)
from giantstep.theory import (
    alignment_exponent,
    half_aligned,
    noise_alignment,
    principal_component_risk,
    spike_alignment,
    spike_alignment_given,
    spiked_kernel_risk,
)
from giantstep.theory.structured_gradient import Which

RIDGES = (0.01, 0.3, 10.0)
"""Penalties of which kernel ridge regression is given the best in hindsight."""
PCA_DEGREE = 5
WINDOW = (0.45, 0.7)
"""Exponents of the spike between which the network is claimed to win against the kernel."""
STRONGEST = 0.6
RISKS = ("risk_network", "risk_kernel", "risk_pca")


def _alignment(name: str, help: str, symbol: str) -> Quantity:
    return equal(
        name,
        lambda point, predicted: 0.3 / math.sqrt(point.d),
        "few samples have very large labels, and a neuron sees them or not: 0.03 at d = 64, 0.02 at d = 128",
        help=help,
        symbol=symbol,
        against="finite",
        limit=lambda point, predicted: 0.8 / math.sqrt(point.d),  # sums of few labels are mostly below their mean
        when=lambda point: point.simulated,
    )


def _half_view(exponent: str, limit: str, title: str) -> CurveView:
    return CurveView(
        "d", (10**10, 10**12), (exponent,), by="target", bounds=(limit,), seeds=2, log_x=True, title=title,
        by_values=("He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)", "He4(x1)/sqrt(24)"), at={"target": "He2(x1)"},
    )  # fmt: skip


@claim(
    "structured/network-threshold",
    kind="theorem",
    cite="bes23",
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

    d: int = parameter(128, "input dimension", symbol="d", ge=16, le=10**13)
    samples_per_dim: float = parameter(4.0, "samples per dimension", symbol=r"\psi = n/d", ge=1, le=1000)
    neurons: int = parameter(128, "neurons", symbol="N", ge=2, le=4096)
    kernel: KernelField = kernel("exp")

    quantities = (
        _alignment("alignment", "squared cosine of gradient and spike, mean over neurons", r"\cos^2(g, \mu)"),
        _alignment("whitened_alignment", "squared correlation of <x, g> with the target's variable", r"\omega^2"),
        equal(
            "whitened_of_noise",
            lambda point, predicted: 1.5 / point.d,
            "the length of the noise across the spike fluctuates by 1/sqrt(d), its square enters",
            help="the same for labels that are pure noise",
            symbol=r"\omega^2",
            when=lambda point: point.simulated,
        ),
        equal(
            "risk_kernel",
            lambda point, predicted: predicted / math.sqrt(point.d),
            "few samples have a large spike coordinate; the best of three noisy risks is below their best mean",
            help="kernel ridge regression with the best of three penalties",
            when=lambda point: point.simulated,
        ),
        equal(
            "risk_pca",
            lambda point, predicted: 3 * predicted / math.sqrt(point.d),
            "the first principal component's angle fluctuates: 15 to 20 % at d = 128, 3 to 9 % at d = 256",
            help="polynomial of degree 5 of the first principal component",
            when=lambda point: point.simulated and point.theta >= 2 and (point.target.degree or 0) <= PCA_DEGREE,
        ),
        at_most(
            "risk_network",
            absolute(0.0),
            "said for d^0.45 <= theta <= d^0.7 and degrees above 2, which the kernel has not yet learned there",
            help="network after one step, against kernel ridge regression with the best penalty",
            symbol=r"\mathcal{R}",
            when=lambda point: (
                point.simulated and WINDOW[0] <= point.strength_exponent <= WINDOW[1] and point.nonlinear
            ),
        ),
        reported("theta_half_exponent", help="slope of log theta of half alignment in log d, in the equations"),
        reported("theta_half_limit", help="the same for d to infinity", symbol="1 - 1/k"),
        reported("whitened_half_exponent", help="the slope for the whitened alignment, in the equations"),
        reported("whitened_half_limit", help="the same for d to infinity", symbol=r"\min((k-1)/(k+1), 1/2)"),
    )
    views = (
        CurveView(
            "strength_exponent", "0:0.85:6", ("alignment", "whitened_alignment", "whitened_of_noise"), together=True,
            at={"target": "He2(x1)/sqrt(2)"}, seeds=24, title="k = 2: half alignment, and what noise alone gives",
        ),
        CurveView(
            "strength_exponent", (0.15, 0.3, 0.45, 0.6, 0.7), RISKS, together=True,
            at={"target": "(x1 + He3(x1)/sqrt(6))/sqrt(2)"}, log_y=True, seeds=24, title="k = 1, p = 3",
        ),
        CurveView(
            "strength_exponent", (0.15, 0.3, 0.45, 0.6, 0.7), RISKS, together=True,
            at={"target": "He3(x1)/sqrt(6)"}, log_y=True, seeds=24, title="k = p = 3",
        ),
        _half_view("theta_half_exponent", "theta_half_limit", "exponent of half alignment, from the equations"),
        _half_view("whitened_half_exponent", "whitened_half_limit", "of half whitened alignment, from the equations"),
    )  # fmt: skip
    presets = {
        "k1p3": {"target": "(x1 + He3(x1)/sqrt(6))/sqrt(2)"},
        "k2p4": {"target": "(He2(x1)/sqrt(2) + He4(x1)/sqrt(24))/sqrt(2)", "strength_exponent": 0.6},
        "k3p3": {"target": "He3(x1)/sqrt(6)", "strength_exponent": 0.6},
        "large": {"target": "He3(x1)/sqrt(6)", "d": 10**10},
    }
    default_seeds = 24
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
        if not self.simulated:
            return Prediction(self.half_exponents(), regime)
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

    def half_exponents(self) -> dict[str, float]:
        """Slopes of the strengths of half alignment between d and 10 d, and their limits; k = 1 needs no spike."""
        kinds: tuple[tuple[str, Which], ...] = (("theta", "euclidean"), ("whitened", "whitened"))
        found = {}
        for name, which in kinds:
            found[f"{name}_half_limit"] = alignment_exponent(self.exponent, which)
            if self.exponent > 1:
                ends = [half_aligned(self.target, d, self.samples_per_dim * d, which) for d in (self.d, 10 * self.d)]
                found[f"{name}_half_exponent"] = math.log10(ends[1] / ends[0])
        return found

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n, d = float(self.samples), float(self.d)
        return Cost(2 * n**2 * d + 2.5 * n**3 + 2500 * n**2, 24 * n**2 + 16 * n * d)
