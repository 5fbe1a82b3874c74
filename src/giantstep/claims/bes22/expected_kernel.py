"""[bes22] the expected conjugate kernel is linear in disguise for odd activations, and keeps two spikes for others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import CONVENTION, ProportionalClaim, refuse_uncentred
from giantstep.learners.risk import feature_moments
from giantstep.theory import Student, spectra

EVEN = ("centered(relu)", "centered(softplus)", "centered(relu(z + 0.5))")
ENOUGH = 0.3  # vectors that are turned by more say nothing


def longest(point: ExpectedKernel) -> float:
    """The largest | |w_i|^2 - 1 | of N neurons, sqrt(4 ln N/d)."""
    return float(np.sqrt(4 * np.log(point.neurons) / point.d))


def quadratic(point: ExpectedKernel) -> float:
    """5 % at d = 256, falling like 1/d, and 4/N: overlaps squared scatter around their mean like a random matrix, whose
    radius moves a spike by 2/N of it; the next degree of overlaps is of order 1/d."""
    return 12.8 / point.d + 4 / point.neurons


def grown(point: ExpectedKernel) -> float:
    """3 theta1^4 (E s'')^2/(2N): overlaps of the neurons that grew most, theta1^2 a_i a_j, are not small."""
    return 3 * point.theta1**4 * point.defect.curvature**2 / (2 * point.neurons)


def of_order_half(point: ExpectedKernel) -> float:
    """The bound sqrt(4 ln N/d) (|t - mu1^2 - mu1 mu3| + |mu1 mu3| s1^2) of what is of order d^(-1/2)."""
    return point.defect.next_order(longest(point), point.top**2)


def of_two_spikes(point: ExpectedKernel) -> float:
    """4/sqrt(N) + theta1^2 sqrt(d/2)/N of the two spikes: their sizes, and the angle between their vectors."""
    return float(4 / point.neurons**0.5 + point.theta1**2 * (point.d / 2) ** 0.5 / point.neurons)


def tilt(point: ExpectedKernel) -> float:
    """(bound/limit)^2, what a perturbation of that bound does to the vectors of the two spikes."""
    return min(1.0, (of_order_half(point) / point.spikes[1]) ** 2)


def saturation(point: ExpectedKernel) -> float:
    """3 theta1^2 |E s'''|/(mu1 N): neurons that grew have other slopes, as in bes22/kernel-spike."""
    bend = point.activation.hermite_coefficient(3) / point.activation.moments.mu1
    return 3 * point.theta1**2 * abs(bend) / point.neurons


@named(
    "bes22/expected-kernel",
    kind="proposition",
    cite="bes22",
    where="slide 'A Spiked Model for CK?', |Sigma_Phi - mu1^2 W1'W1 - mu2^2| -> 0 for odd activations",
    finding=(
        "Oddness is needed, and what happens without it is known: the difference keeps two eigenvalues. One, along the "
        "vector of ones, tends to (E s'')^2 psi2/2, for <w_i, w_j>^2 has the mean 1/d; the other, along |w_i|^2 - 1, "
        "to as much plus (E s'')^4 (eta E f*)^2: a neuron whose length is not 1 sees an activation that is not "
        "centred, and a step on labels with a mean stretches neurons. For ReLU and psi2 = 1.5 both are 0.12 at the "
        "start. The convergence for odd activations is as slow as d^(-1/2): 0.1 for tanh at d = 256."
    ),
)
class ExpectedKernel(ProportionalClaim):
    """The expected conjugate kernel after a step tends to mu1^2 W'W + mu2^2 if the activation is odd, and only then.

    Sigma = E_x s(W1'x) s(x'W1) is computed exactly for the weights drawn. `distance` is the operator norm of its
    difference from mu1^2 W1'W1 + mu2^2, `second` the next eigenvalue: 0 for odd s; for others (E s'')^2 psi2/2, the
    larger one plus (E s'')^4 (eta E f*)^2. All is up to order d^(-1/2), which theory knows for the lengths drawn;
    `share` is how much of the two leading vectors lies in the span of 1 and |w_i|^2 - 1. For odd s the spike of the
    weights is one of the expected kernel: `spike` is mu1^2 s1^2 + mu2^2.
    """

    target: parameters.Target = parameters.target("relu(x1)")
    d: int = parameters.dimension(256)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)
    step: float = parameters.step(4.0, help="step size in the slide's convention", path=True, ge=0, le=100)

    convention = f"{CONVENTION}; Sigma = E s(W1'x) s(x'W1), not divided by N"
    quantities = (
        *quantity.equals(
            {
                "distance": ("largest eigenvalue of the difference, in size", r"\|\Sigma - \bar\Sigma\|"),
                "second": ("second largest eigenvalue of the difference, in size", ""),
            },
            Allowance(quadratic, of="prediction") + Allowance(grown),
            "judged against the lengths of the neurons drawn, with squared overlaps replaced by their mean; the limit "
            "is approached like d^(-1/2) sqrt(log d)",
            against="finite",
            limit=Allowance(of_order_half) + Allowance(grown) + Allowance(of_two_spikes, of="prediction"),
        ),
        quantity.slope(
            "distance", "d", -0.5, 0.11, "the largest of N lengths has a factor sqrt(log N): 1/(2 log N) in the slope",
            help="for odd activations it falls with the dimension", when=lambda point: point.activation.is_odd,
        ),
        quantity.equal(
            "share", Allowance(tilt), "what is of order d^(-1/2) turns the two vectors",
            help="share of the two leading vectors in the span of 1 and |w_i|^2 - 1",
            when=lambda point: not point.activation.is_odd and tilt(point) < ENOUGH,
        ),
        quantity.equal(
            "spike", Allowance(0.04, of="prediction", at=500, power=-0.5) + Allowance(saturation, of="prediction"),
            "that of the weights, 2 % at d = 500 and here squared; neurons grow, and a saturating activation bends",
            help="largest eigenvalue of the expected kernel", symbol=r"\lambda_1(\Sigma)", against="finite",
            limit=2 * Allowance(0.04, of="prediction", at=500, power=-0.5) + Allowance(saturation, of="prediction"),
            when=lambda point: point.activation.is_odd,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (64, 128, 256, 512), ("distance",), by="activation", by_values=("tanh", "erf", *EVEN[:2]),
            at={"step": 1}, seeds=40, log_x=True, log_y=True, title="odd activations and others",
        ),
        view.Curve(
            "neurons_per_dim", (0.5, 1, 2, 3), ("distance", "second", "share"), by="activation", by_values=EVEN,
            at={"target": "tanh(x1)", "step": 1},
            title="two spikes",
        ),
        view.Curve("step", "0:8:5", ("spike",), title="tanh: the spike of the weights"),
        view.Curve(
            "step", "0:8:5", ("distance", "second"), together=True, at={"activation": "centered(relu)"},
            title="ReLU, labels with a mean",
        ),
    )  # fmt: skip
    presets = {
        "odd": {"activation": "tanh"},
        "relu": {"activation": "centered(relu)"},
        "slide-figure": {
            "activation": "centered(softplus)", "target": "tanh(x1)", "samples_per_dim": 1.5, "neurons_per_dim": 1.25,
            "noise": 0, "d": 512,
        },
    }  # fmt: skip
    default_seeds = 46

    def check(self) -> None:
        super().check()
        refuse_uncentred(self.activation, "so the expected kernel has an eigenvalue N mean^2 besides")

    @property
    def defect(self) -> spectra.KernelDefect:
        return spectra.KernelDefect(self.activation)

    @property
    def theta1(self) -> float:
        return float(self.setting(self.step).theta1)

    @property
    def top(self) -> float:
        """s1, the limit of the largest singular value of W1."""
        return spectra.weight_spike(self.setting(self.step)).singular_value

    @property
    def spikes(self) -> tuple[float, float]:
        """The limits of the two eigenvalues, of the lengths and of the overlaps."""
        ratio, mean = self.neurons / self.d, float(self.target.mean)
        return self.defect.of_lengths(ratio, self.step, mean), self.defect.of_overlaps(ratio)

    def of_weights(self, singular_value: float) -> float:
        """mu1^2 s1^2 + mu2^2."""
        student = Student.of(self.activation)
        return float(student.mu1**2 * singular_value**2 + student.mu2_squared)

    def predict(self) -> Prediction:
        values = dict(zip(("distance", "second"), self.spikes, strict=True))
        if self.activation.is_odd:
            values["spike"] = self.of_weights(self.top)
        else:
            values["share"] = 1.0
        return Prediction(values, regime="n, N, d to infinity in proportion, step size of order 1, centred activation")

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, found = points[0].first_gradient(run), []
        for number, point in enumerate(points):
            weights = first.after(point.step).weights
            kernel = feature_moments(first.after(point.step), point.problem).covariance
            student = Student.of(point.activation)
            values, vectors = _by_size(kernel - student.mu1**2 * weights @ weights.T, student.mu2_squared)
            lengths = np.einsum("ij,ij->i", weights, weights) - 1
            span = np.linalg.qr(np.stack([np.ones(point.neurons), lengths], axis=1))[0]
            expected = np.sort(np.abs(np.linalg.eigvalsh(point.defect.matrix(weights))))
            measured = {"distance": values[0], "second": values[1]}
            finite = {"distance": float(expected[-1]), "second": float(expected[-2])}
            if point.activation.is_odd:
                measured["spike"] = float(np.linalg.eigvalsh(kernel)[-1])
                top = spectra.spike_singular_value(point.step * first.rank_one_norm, point.neurons / point.d)
                finite["spike"] = point.of_weights(float(top))
            else:
                measured["share"] = float(np.sum((span.T @ vectors) ** 2)) / 2
            found.append(Measurement(measured, finite))
            run.progress((number + 1) / len(points))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        one = 4 * d * width**2 + 40 * width**3 + 4e6 * width
        return Cost(4 * n * d * width + one, 8 * (5 * d * width + 8 * width**2) + 2e7, one)


def _by_size(kernel: Array, shift: float) -> tuple[list[float], Array]:
    """The two eigenvalues of kernel - shift I that are largest in size, and their vectors, (N, 2)."""
    values, vectors = np.linalg.eigh(kernel)
    order = np.argsort(-np.abs(values - shift))[:2]
    return [abs(float(values[i]) - shift) for i in order], vectors[:, order]
