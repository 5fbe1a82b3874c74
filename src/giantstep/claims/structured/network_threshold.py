"""[bes23] one gradient step with biases and a ridge head, on inputs with a spike along the target."""

from __future__ import annotations

import math
from operator import attrgetter

import numpy as np

from giantstep.claims import (
    Allowance,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.structured._halves import KINDS, HalvedClaim, half_quantities
from giantstep.claims.structured._spiked import BEYOND, EQUATIONS_ONLY
from giantstep.errors import InputError
from giantstep.learners.kernels import least_spiked_risk
from giantstep.learners.training import spiked
from giantstep.theory.kernels import spiked_kernel_risk
from giantstep.theory.structured import (
    noise_alignment,
    principal_component_risk,
    spike_alignment,
    spike_alignment_given,
)

RIDGES = (0.01, 0.3, 10.0)  # of which kernel ridge regression is given the best in hindsight
COMPONENTS = 8  # data sets of the principal component
DATA_SETS = 4  # over which the alignment that is to be one half is a mean
WINDOW = (0.45, 0.7)  # exponents of the spike between which the network is claimed to win against the kernel
AROUND = (3.0, 5.0)  # with so many samples per dimension: with more the kernel soon learns degree 3 as well
WIDE = 128
LARGE = 100
STRONGEST = 0.6
MEASURED = attrgetter("measured")
HERMITE = ("He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)", "He4(x1)/sqrt(24)")
LINEAR_AND_CUBIC = "(x1 + He3(x1)/sqrt(6))/sqrt(2)"
HALF = {"target": HERMITE[0], "halving": True, "samples_per_dim": 8.0, "neurons": 64}


@named(
    "structured/network-threshold",
    kind="theorem",
    cite="bes23",
    version=4,
    where="slide 'Sufficient Condition for NN+GD', theta = omega(d^(1 - 1/k)), and 'Comparing KRR and NN'",
    finding=(
        "theta >> d^(1 - 1/k) is the threshold of the Euclidean alignment; what decides about prediction is the "
        "whitened one, which is half already at d^m, m = min((k-1)/(k+1), 1/2). But gradient noise has the "
        "covariance of the inputs, so pure-noise labels reach it at d^(1/2) too: this alignment alone is no evidence "
        "of learning. A polynomial of the first principal component beats network and kernel."
    ),
)
class NetworkThreshold(HalvedClaim):
    """One step turns the neurons of a ReLU network to a spike along a target of exponent k from theta = d^(1 - 1/k) on.

    Half of n = 4 d samples give the step, half the ridge head. The gradient's direction is compared with the spike, as
    it is (alignment) and as predictions see it (whitened alignment), and the network's exact risk with those of kernel
    ridge regression with the best penalty and of a polynomial of the first principal component, on as many samples.
    Beyond 20,000 samples nothing is simulated, and the equations' exponents of half alignment are held against limits.
    """

    d: int = parameters.dimension(128, le=10**13)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\psi = n/d", ge=1, le=1000)
    neurons: int = parameters.neurons(128, symbol="N", ge=2, le=4096)
    kernel: parameters.Kernel = parameters.kernel("exp")
    halving: bool = parameters.own(False, "search the strengths of half alignment instead of comparing risks")

    quantities = (
        *quantity.equals(
            {
                "alignment": ("squared cosine of gradient and spike, mean over neurons", r"\cos^2(g, \mu)"),
                "whitened_alignment": ("squared correlation with the target's variable: of <x, g>", r"\omega^2"),
            },
            Allowance(0.03, at=100, power=-0.5),
            "few samples have very large labels, and a neuron sees them or not: 0.03 at d = 64, 0.02 at d = 128",
            # Sums of few labels are mostly below their mean.
            against="finite", limit=Allowance(0.08, at=100, power=-0.5), when=MEASURED,
        ),
        quantity.equal(
            "whitened_of_noise", Allowance(1.5, power=-1),
            "the length of the noise across the spike fluctuates by 1/sqrt(d), its square enters",
            help="whitened alignment of pure noise: the same for labels without a target",
            symbol=r"\omega^2", when=MEASURED,
        ),
        quantity.equal(
            "risk_kernel", Allowance(0.1, of="prediction", at=100, power=-0.5),
            "few samples have a large spike coordinate; the best of three noisy risks is below their best mean",
            help="kernel ridge regression with the best of three penalties", when=MEASURED,
        ),
        quantity.equal(
            "risk_pca", Allowance(0.03, of="prediction", at=100, power=-1),
            "the component's angle fluctuates by 1/sqrt(d), its square enters: gaps measured are 2 % at d = 64",
            help="polynomial of the first principal component, of the target's degree",
            when=lambda point: point.measured and point.theta >= 2,
        ),
        quantity.at_most(
            "risk_network", 0,
            "said for d^0.45 <= theta <= d^0.7 and degrees above 2, which the kernel has not yet learned there",
            help="network after one step, against kernel ridge regression with the best penalty",
            symbol=r"\mathcal{R}",
            when=lambda p: p.measured and WINDOW[0] <= p.strength_exponent <= WINDOW[1] and (p.target.degree or 0) > 2,
        ),
        *half_quantities("theta_half", "alignment", r"\theta_{1/2}", "1 - 1/k"),
        *half_quantities("whitened_half", "whitened alignment", r"\theta^w_{1/2}", r"\min((k-1)/(k+1), 1/2)"),
    )  # fmt: skip
    views = (
        view.Curve(
            "strength_exponent", "0:0.85:6", ("alignment", "whitened_alignment", "whitened_of_noise"), together=True,
            at={"target": HERMITE[0]}, seeds=24, y_label="squared cosine with the spike",
            title="k = 2: half alignment, and what noise alone gives",
        ),
        *(
            view.Curve(
                "strength_exponent", (0.15, 0.3, 0.45, 0.6, 0.7), ("risk_network", "risk_kernel", "risk_pca"),
                together=True, at={"target": target}, log_y=True, seeds=24, title=title,
            )
            for target, title in ((LINEAR_AND_CUBIC, "k = 1, p = 3"), (HERMITE[1], "k = p = 3"))
        ),
        view.Curve(
            "d", (48, 96, 192, 384), ("theta_half", "whitened_half"), together=True, log_x=True, log_y=True, seeds=40,
            at=HALF, y_label="strength of the spike",
            title="k = 2: strengths of half alignment",
        ),
        view.Curve(
            "strength_exponent", (0.45, 0.7), ("alignment", "whitened_alignment", "risk_pca"), together=True,
            at={"target": LINEAR_AND_CUBIC, "noise": 2.0}, log_y=True, seeds=24, y_label="squared cosine or risk",
            title="with label noise",
        ),
        view.Curve(
            "d", (10**10, 10**12), ("theta_half_limit", "whitened_half_limit"), by="target", by_values=HERMITE,
            seeds=2, log_x=True, at={"target": "He2(x1)"}, title="exponents of half alignment, from the equations",
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "there are 3 to 5 samples per dimension (with 8 and theta = d^0.7 the kernel has learned He3, and wins)",
            lambda p: AROUND[0] <= p.samples_per_dim <= AROUND[1], ("risk_network",),
        ),
        Hypothesis(
            "there are at least 128 neurons and 100 dimensions, and no label noise (64 neurons lose on He3 at d^0.7)",
            lambda p: p.neurons >= WIDE and p.d >= LARGE and not p.noise, ("risk_network",),
        ),
    )  # fmt: skip
    presets = {
        "k1p3": {"target": LINEAR_AND_CUBIC},
        "k2p4": {"target": "(He2(x1)/sqrt(2) + He4(x1)/sqrt(24))/sqrt(2)", "strength_exponent": 0.6},
        "k3p3": {"target": HERMITE[1], "strength_exponent": 0.6},
        "half": HALF,
        "large": {"target": HERMITE[1], "d": 10**10},
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
        if self.simulated:
            refuse_strong_spike(self.theta, self.d, STRONGEST)
        if self.halving and (self.exponent < 2 or self.noise):
            raise InputError("halving needs a target without mean and linear part, such as He2(x1), and noise = 0")

    @property
    def degree(self) -> int:
        """Of the target, and of the polynomial of the principal component."""
        return self.target.degree or 0

    def predict(self) -> Prediction:
        regime = (
            "n and d large in proportion; Gaussian noise along the spike, kernels by their deterministic equivalent"
        )
        if not self.measured:
            return Prediction(self.predicted_halves(), regime, () if self.simulated else (BEYOND,))
        n = self.samples
        aligned = spike_alignment(self.target, self.d, self.theta, n // 2, self.noise)
        best = min(spiked_kernel_risk(self.target, self.kernel, self.d, self.theta, n, r, self.noise) for r in RIDGES)
        values = {
            "alignment": aligned.euclidean,
            "whitened_alignment": aligned.whitened,
            "whitened_of_noise": noise_alignment(self.d, self.theta),
            "risk_kernel": best,
            "risk_network": best,
            "risk_pca": principal_component_risk(self.target, self.d, self.theta, n, self.degree, self.noise),
        }
        note = f"information exponent k = {self.exponent}: threshold d^{1 - 1 / self.exponent:.3g}"
        return Prediction(values, regime, (note,))

    def measure(self, run: Run) -> Measurement:
        if not self.simulated:
            return Measurement(self.exponents_of_equations())
        problem, half = self.problem, self.samples // 2
        if self.halving:
            data, network = run.streams.child("step data"), run.streams.child("network")
            ends = (0.01, 10.0 * self.d)
            found = spiked.half_aligned_of(problem, half, self.neurons, data, network, ends, DATA_SETS)
            return Measurement(dict(zip(KINDS, found, strict=True)))
        (x, y), (x2, y2) = self.data(run, half, "step data"), self.data(run, half, "head data")
        gradients = spiked.first_gradients(x, y, self.neurons, run.streams.child("network"))
        euclidean, whitened = spiked.spike_alignments(gradients.labels, self.theta)
        given = spike_alignment_given(x[:, 0] / math.sqrt(1 + self.theta), y, self.d, self.theta)
        trained = spiked.trained_network(gradients, x2, y2, run.streams.child("head"))
        both, labels = np.concatenate([x, x2]), np.concatenate([y, y2])
        return Measurement(
            {
                "alignment": euclidean,
                "whitened_alignment": whitened,
                "whitened_of_noise": spiked.spike_alignments(gradients.noise, self.theta)[1],
                "risk_kernel": least_spiked_risk(self.kernel, problem, both, labels, RIDGES),
                "risk_pca": self.principal_risk(run),
                "risk_network": spiked.network_risk(trained, problem),
            },
            finite={"alignment": given.euclidean, "whitened_alignment": given.whitened},
        )

    def principal_risk(self, run: Run) -> float:
        """The mean over data sets of its own, for one component's angle, and the noise that is fitted, scatter much."""
        data = (self.data(run, self.samples, f"component {number}") for number in range(COMPONENTS))
        return float(np.mean([spiked.principal_risk(x, y, self.problem, self.degree) for x, y in data]))

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n, d = float(self.samples), float(self.d)
        if self.halving:
            return Cost(200 * n * d * self.neurons, 32 * n * (d + self.neurons) + 3e7)
        return Cost(2 * n**2 * d + 2.5 * n**3 + 2500 * n**2, 48 * n**2 + 16 * n * d + 3e7)
