"""[bes22] the spike that one gradient step leaves in the spectrum of the conjugate kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Cost,
    Density,
    Hypothesis,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.bes22._kernel_corrections import (
    as_if_odd,
    conjugate_kernel,
    curvature_is_small,
    growth,
    in_the_figure,
    inside,
    lengths,
    saturation,
    slope_is_bounded,
)
from giantstep.claims.bes22._proportional import (
    CONVENTION,
    LITTLE,
    ProportionalClaim,
    overlap_allowance,
    refuse_uncentred,
)
from giantstep.learners import distance_to_law, operator_norm, singular_values_and_top
from giantstep.learners.training import FirstGradient
from giantstep.problems import whole
from giantstep.theory import Student, spectra

SLIDE = {"activation": "centered(softplus)", "target": "tanh(x1)"}

# Samples, neurons, activation and target for which no two of the theory's numbers are equal, and none is 0.
CURVED = {
    "activation": "centered(abs(z) + z/2)", "target": "tanh(x1) + 1/2", "samples_per_dim": 2, "neurons_per_dim": 1,
    "noise": 0.5,
}  # fmt: skip
NEXT_ORDER = Allowance(5, of="prediction", power=-1)
UNEQUAL = Allowance(lengths, of="prediction")
SPIKE = Allowance(0.03, of="prediction", at=500, power=-0.5) + Allowance(saturation, of="prediction") + UNEQUAL
OVERLAP = overlap_allowance(lambda point: spectra.kernel_spike(point.setting(point.step))) + Allowance(lengths)


@named(
    "bes22/kernel-spike",
    kind="conjecture",
    cite="bes22",
    version=2,
    where="slides 'A Spiked Model for CK?' and its continuation, conjecture on Gaussian equivalence of the CK spike",
    finding=(
        "The slide's figure states eta = 2 for SoftPlus, tanh teacher, psi = (3/2, 5/4). With the slide's own G0 this "
        "is below the kernel's threshold eta_c = 3.625: no spike appears. With the true gradient of the squared error, "
        "twice G0, the same eta is eta = 4 here, just above it (presets 'slide' and 'slide-figure'). The kernel's "
        "threshold is larger than that of the weights, eta_c = 2.665: between the two, W1 has a spike that its kernel "
        "does not show. The conjecture asks for an odd activation. Others have a constant feature, which the step "
        "enlarges by q = c2^2 eta mu0* along the spike's own vector if the target has a mean mu0* (c2 = E s''): the "
        "spike is then z(x) with (x - theta1^2)(x - x_c) = x (q/mu1)^2, x_c = psi2 (c2^2/(2 mu1^2) - 1); without mean "
        "x = theta1^2, as for SoftPlus here. Beyond theta_c^2, x_c gives two outliers before any step. At finite N a "
        "saturating activation falls below its Gaussian equivalent by a "
        "relative 3 theta1^2 |E s'''|/(mu1 N)."
    ),
)
class KernelSpike(ProportionalClaim):
    """After one step of constant size the conjugate kernel keeps its bulk, and gains a spike along the labels.

    The kernel Phi Phi^T, Phi = s(X W1)/sqrt(N), is taken on n fresh samples; s is centred. Its eigenvalues are those of
    the Gaussian equivalent mu1 X W1 + 1 v^T + mu2 Z, where the means v of the features vanish for odd s. The spectral
    curve is rational, z(x) = L(x) F(x). The bulk ends at the minimum of z over x > 0, at x = theta_c^2; without means
    the largest eigenvalue is z(theta1^2) for theta1 > theta_c, and its eigenvector takes up the labels: their squared
    overlap grows with the step towards the squared correlation of y with <x, X^T y>, X^T y of the step's batch. Below
    theta_c nothing is seen.
    """

    activation: parameters.Activation = parameters.activation("centered(softplus)", help="activation, with mean zero")
    d: int = parameters.dimension(400)
    samples_per_dim: float = parameters.samples_per_dim(1.5, help="samples per dimension, of step and kernel each")
    neurons_per_dim: float = parameters.neurons_per_dim(1.25)
    step: float = parameters.step(6.0, help="step size in the slide's convention", path=True, ge=0)

    convention = f"{CONVENTION}; kernel s(X W1) s(X W1)^T/N on n fresh samples"
    quantities = (
        quantity.equal(
            "spike", SPIKE,
            "residual gradient and critical window, about 1 % at d = 500 and like d^(-1/2); the activation saturates",
            help="largest eigenvalue of the kernel after the step",
            symbol=r"\lambda_1", against="finite", limit=2 * SPIKE,
        ),
        quantity.equal(
            "edge", Allowance(inside) + NEXT_ORDER + Allowance(growth, of="prediction") + UNEQUAL,
            "it sits inside the edge by up to the second Tracy-Widom mean, of order d^(-2/3); the bulk itself moves by "
            "about 5/d, and by theta1^2/N as neurons grow, some more than others",
            help="second largest eigenvalue after the step, which stays at the edge of the initial bulk",
            symbol=r"\lambda_2",
        ),
        quantity.reported("threshold", help="step size at which the spike leaves the bulk", symbol=r"\eta_c"),
        quantity.equal(
            "label_alignment", OVERLAP, "order d^(-1/2), and more in the critical window of relative width d^(-1/3)",
            help="squared overlap of the top eigenvector with the labels",
            symbol=r"\langle u_1, y/|y|\rangle^2", against="finite", limit=2 * OVERLAP,
        ),
        quantity.equal(
            "equivalent_spike", NEXT_ORDER + Allowance(saturation, of="prediction") + UNEQUAL,
            "the trained kernel saturates with its activation; the rest is of order 1/d",
            help="largest eigenvalue of the Gaussian equivalent, compared with the trained kernel's on the same draws",
            symbol=r"\bar\lambda_1", against="finite", limit=2 * SPIKE,
        ),
        quantity.equal(
            "bulk_distance",
            Allowance(6, power=-1, size=("samples", "neurons")) + 0.5 * (Allowance(growth) + Allowance(lengths)),
            "bulk eigenvalues are rigid, up to a few times 1/d; neurons grow by theta1^2/N, which stretches the bulk",
            help="Kolmogorov-Smirnov distance of all eigenvalues but the largest (and zeros) from the predicted bulk",
        ),
    )  # fmt: skip
    views = (
        view.Spectrum("kernel", "root of the kernel's eigenvalue", title="Conjugate kernel", before="initial"),
        view.Curve("step", [0, 2, 3, 4.25, 5, 6, 8], ("spike", "label_alignment")),
        view.Curve("step", [1, 3, 4], ("spike", "label_alignment"), at=CURVED, title="a target with a mean"),
    )
    hypotheses = (
        Hypothesis("the activation has a bounded slope", slope_is_bounded),
        Hypothesis("the curvature of the activation causes no outlier by itself", curvature_is_small),
        Hypothesis(
            "the step is of order 1: it adds at most a tenth to the squared lengths of neurons",
            lambda point: max(float(point.setting(point.step).theta1 ** 2) / point.neurons, lengths(point)) <= LITTLE,
        ),
    )
    printed = (
        Printed(
            "spike", "the equation of the conjecture, which is for odd activations: no constant feature.", as_if_odd,
        ),
        Printed(
            "label_alignment", "for SoftPlus, tanh teacher, psi = (3/2, 5/4) the figure shows a spike at eta = 2.",
            in_the_figure,
        ),
    )  # fmt: skip
    presets = {
        "slide": {**SLIDE, "step": 2},
        "slide-figure": {**SLIDE, "step": 4},
        "odd": {"activation": "tanh", "target": "tanh(x1)"},
        "relu": {"activation": "centered(relu)", "target": "tanh(x1)", "step": 8},
    }
    default_seeds = 24

    def check(self) -> None:
        super().check()
        refuse_uncentred(self.activation, "so the kernel has an eigenvalue near n mean^2 that hides the spike")

    @property
    def kernel(self) -> spectra.ConjugateKernel:
        return conjugate_kernel(Student.of(self.activation), self.samples / self.d, self.neurons / self.d)

    def predict(self) -> Prediction:
        setting = self.setting(self.step)
        spike, critical = spectra.kernel_spike(setting), spectra.kernel_threshold_step(setting)
        isolated = (spike.eigenvalue**0.5,) if spike.supercritical else ()
        leaves = f"the spike of the kernel leaves the bulk at step {critical:.4g}"
        before = f"that of the weights at {float(spectra.threshold_step(setting)):.4g}"
        return Prediction(
            {
                "spike": spike.eigenvalue,
                "edge": spike.edge,
                "threshold": critical,
                "label_alignment": spike.label_alignment,
                "equivalent_spike": spike.eigenvalue,
                "bulk_distance": 0.0,
            },
            regime="n, N, d to infinity in proportion, step size of order 1, centred activation",
            notes=tuple(filter(None, [f"{leaves}, {before}", spike.warning])),
            thresholds={"step": critical},
            densities={"kernel": Density.of(spectra.FeatureSingularValues(self.kernel), isolated, 400)},
        )

    def predict_for(self, first: FirstGradient, x: Array, y: Array) -> dict[str, float]:
        """The same for the rank-one part and the kernel's samples as they were drawn.

        Along g = X^T y/|X^T y| of the step's batch, X and W1 form a rank-one part of size |X g| |W1 g|, whose square is
        n (psi2 + theta1^2) in the limit: what it is for these draws gives theta1. W1 g is W0 g + eta mu1 |X^T y/n| a.
        """
        seen = x @ first.direction
        grown = self.step * self.activation.moments.mu1 * np.linalg.norm(first.correlation) * first.start.second_layer
        weights = first.start.weights @ first.direction + grown
        power = float(seen @ seen) / self.samples * float(weights @ weights)
        theta1 = float(np.sqrt(max(0.0, power - self.neurons / self.d)))
        setting = self.setting(self.step)
        spike = spectra.spike_direction(
            setting.student,
            self.neurons / self.d,
            theta1,
            float(setting.constant_gain * np.linalg.norm(first.start.second_layer)),
        )
        towards = spike.along_step * theta1 * seen / np.linalg.norm(seen) + spike.along_ones / self.samples**0.5
        length2 = float(towards @ towards)
        towards_labels = float((towards @ y) ** 2 / (length2 * (y @ y))) if length2 > 0 else 0.0
        return {
            "spike": float(self.kernel.spike(spike.place**0.5, self.samples)),
            "label_alignment": towards_labels * float(self.kernel.spike_overlap(spike.place**0.5)),
        }

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, first = points[0], points[0].first_gradient(run)
        x, y = whole(named.problem.sample(named.samples, run.streams.child("kernel data")))
        scale, bulk = named.neurons**-0.5, spectra.FeatureSingularValues(named.kernel)
        moments, rank = named.activation.moments, bulk.rank(named.samples)
        noise = run.streams.child("equivalent noise").generator().standard_normal((named.samples, named.neurons))
        noise *= moments.mu2
        initial = singular_values_and_top(scale * first.start.features(x))[0][-rank:]
        found = []
        for number, point in enumerate(points):
            net = first.after(point.step)
            values, _, top = singular_values_and_top(scale * net.features(x))
            spike, roots = float(values[-1] ** 2), values[-rank:]
            # What Gaussian equivalence puts for s, with the means of the features (first order in |w|^2 - 1).
            means = moments.curvature / 2 * ((net.weights**2).sum(axis=1) - 1)
            equivalent = np.asarray(moments.mu1 * (x @ net.weights.T) + means + noise)
            measured = {
                "spike": spike,
                "edge": float(roots[-2] ** 2),
                "label_alignment": float((top @ y) ** 2 / (y @ y)),
                "equivalent_spike": operator_norm(scale * equivalent) ** 2,
                "bulk_distance": distance_to_law(roots[:-1], bulk.cdf),
            }
            finite = {**point.predict_for(first, x, y), "equivalent_spike": spike}
            found.append(Measurement(measured, finite, spectra={"kernel": roots, "initial": initial}))
            run.progress((number + 1) / len(points))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(n, width)
        one_kernel = 4 * n * d * width + 4 * n * width * small + 16 * small**3 + 40 * n * width
        memory = 8 * (5 * d * width + 4 * n * width + 3 * small**2) + 2e7
        return Cost(4 * n * d * width + 2 * one_kernel, memory, one_kernel)
