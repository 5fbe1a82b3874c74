"""[bes22] singular values one by one: those of the weights before and after, those of kernel and equivalent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Density, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._kernel_corrections import lengths, saturation
from giantstep.claims.bes22._proportional import CONVENTION, ProportionalClaim, overlap_allowance, refuse_uncentred
from giantstep.learners import singular_values_and_top
from giantstep.learners.networks import Network
from giantstep.problems import whole
from giantstep.theory import Student, spectra

LIMIT = 2 * overlap_allowance(lambda point: spectra.kernel_spike(point.setting(point.step))) + Allowance(lengths)
SAME_DRAWS = Allowance(0.03, at=500, power=-0.5) + Allowance(saturation) + Allowance(lengths)


@named(
    "bes22/singular-values",
    kind="conjecture",
    cite="bes22",
    where="slide 'A Spiked Model for CK?', conjecture on s_i(Phi) for all i; lecture notes, theorem on s_i(W1), i > 1",
    finding=(
        "Both statements are true value by value, and slowly: the largest distance is of order d^(-2/3), at the edge. "
        "Above the threshold the values of W1 do not stay in place but step up by one rank, s_{i+1}(W1) near s_i(W0), "
        "so that the second moves by the whole gap between the two largest ones of W0. The conjecture asks for an odd "
        "activation; with the means of its features, SoftPlus obeys it too."
    ),
)
class SingularValuesOneByOne(ProportionalClaim):
    """A step leaves all singular values of the weights but one, and kernel and Gaussian equivalent share all theirs.

    `weights_moved` is the largest |s_i(W1) - s_i(W0)| over i > 1. `kernel_gap` is the largest |s_i(Phi) - s_i(Phi bar)|
    over all i, for Phi = s(X W1)/sqrt(N) on n fresh samples and its equivalent (mu1 X W1 + 1 v^T + mu2 Z)/sqrt(N), v
    the means of the features. Both vanish as the size grows. The top left singular vectors of Phi and of the equivalent
    have the same squared overlap with the labels.
    """

    activation: parameters.Activation = parameters.activation("centered(softplus)", help="activation, with mean zero")
    d: int = parameters.dimension(256)
    samples_per_dim: float = parameters.samples_per_dim(1.5, help="samples per dimension, of step and kernel each")
    neurons_per_dim: float = parameters.neurons_per_dim(1.25)
    step: float = parameters.step(6.0, help="step size in the slide's convention", path=True, ge=0, le=50)

    convention = f"{CONVENTION}; kernel s(X W1) s(X W1)^T/N on n fresh samples"
    quantities = (
        quantity.slope(
            "weights_moved", "d", -0.6, 0.13,
            "gaps at the edge fall like d^(-2/3), the residual gradient like d^(-1/2)",
            help="change of the weights' singular values: the largest of all but the first, as a power of the size",
            symbol=r"\max_{i>1}|s_i(W_1) - s_i(W_0)|",
        ),
        quantity.slope(
            "kernel_gap", "d", -0.6, 0.2,
            "values at the edge scatter like d^(-2/3), the spike like d^(-1/2), and saturation falls like 1/d",
            help="largest distance of two singular values: of the kernel's features and the equivalent's, one by one, "
            "as a power of the size", symbol=r"\max_i|s_i(\Phi) - s_i(\bar\Phi)|",
        ),
        *quantity.equals(
            {
                "label_alignment": (
                    "squared overlap of the top left singular vector: with the labels",
                    r"\langle u_1, y/|y|\rangle^2",
                ),
                "equivalent_alignment": (
                    "that of the Gaussian equivalent: the same on the same draws",
                    r"\langle \bar u_1, y/|y|\rangle^2",
                ),
            },
            SAME_DRAWS, "each is held to the other on the same draws: both noises turn it by order d^(-1/2)",
            against="finite", limit=LIMIT,
        ),
    )  # fmt: skip
    views = (
        view.Spectrum(
            "kernel", "singular value of the features", at={"step": 4}, before="equivalent",
            title="SoftPlus learns tanh: the kernel, and its equivalent behind",
        ),
        view.Curve(
            "d", (64, 128, 256, 512), ("weights_moved", "kernel_gap"), log_x=True, log_y=True,
            title="singular values one by one",
        ),
        view.Curve("step", (2, 4, 6, 8), ("label_alignment", "equivalent_alignment"), together=True,
            y_label="squared overlap with the labels",
            title="alignment with the labels"),
        view.Curve(
            "step", (4, 8), ("label_alignment", "equivalent_alignment"), at={"activation": "tanh", "noise": 0.5},
            together=True,
            y_label="squared overlap with the labels",
            title="an odd activation, noise",
        ),
    )  # fmt: skip
    presets = {
        "slide-figure": {"step": 4, "d": 400},
        "odd": {"activation": "tanh", "step": 6},
    }
    default_seeds = 28

    def check(self) -> None:
        super().check()
        refuse_uncentred(self.activation, "so the kernel has an eigenvalue near n mean^2 that hides the spike")

    @property
    def kernel(self) -> spectra.ConjugateKernel:
        return spectra.ConjugateKernel.of(Student.of(self.activation), self.samples / self.d, self.neurons / self.d)

    def predict(self) -> Prediction:
        spike = spectra.kernel_spike(self.setting(self.step))
        isolated = (spike.eigenvalue**0.5,) if spike.supercritical else ()
        return Prediction(
            dict.fromkeys(("label_alignment", "equivalent_alignment"), spike.label_alignment),
            regime="n, N, d to infinity in proportion, step size of order 1, centred activation",
            notes=("distances of singular values are known up to constants: their power of the size is judged",),
            densities={"kernel": Density.of(spectra.FeatureSingularValues(self.kernel), isolated, 400)},
        )

    def equivalent_features(self, net: Network, x: Array, noise: Array) -> Array:
        """mu1 X W + 1 v^T + mu2 Z, with v_j = (E s''/2)(|w_j|^2 - 1)."""
        moments = self.activation.moments
        means = moments.curvature / 2 * ((net.weights**2).sum(axis=1) - 1)
        return np.asarray(moments.mu1 * (x @ net.weights.T) + means + moments.mu2 * noise)

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, first = points[0], points[0].first_gradient(run)
        x, y = whole(named.problem.sample(named.samples, run.streams.child("kernel data")))
        noise = run.streams.child("equivalent noise").generator().standard_normal((named.samples, named.neurons))
        start, scale = singular_values_and_top(first.start.weights)[0], named.neurons**-0.5
        rank, found = spectra.FeatureSingularValues(named.kernel).rank(named.samples), []
        for number, point in enumerate(points):
            net = first.after(point.step)
            moved = singular_values_and_top(net.weights)[0]
            values, _, top = singular_values_and_top(scale * net.features(x))
            others, _, other = singular_values_and_top(scale * point.equivalent_features(net, x, noise))
            alignments = [float((vector @ y) ** 2 / (y @ y)) for vector in (top, other)]
            measured = {
                "weights_moved": float(np.abs(moved - start)[:-1].max()),
                "kernel_gap": float(np.abs(values - others).max()),
                "label_alignment": alignments[0],
                "equivalent_alignment": alignments[1],
            }
            finite = {"label_alignment": alignments[1], "equivalent_alignment": alignments[0]}
            found.append(
                Measurement(measured, finite, spectra={"kernel": values[-rank:], "equivalent": others[-rank:]})
            )
            run.progress((number + 1) / len(points))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(n, width)
        one = 4 * n * d * width + 4 * n * width * small + 30 * small**3 + 40 * n * width + 16 * min(d, width) ** 3
        return Cost(4 * n * d * width + one, 8 * (5 * d * width + 4 * n * width + 3 * small**2) + 2e7, one)
