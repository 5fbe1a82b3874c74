"""[bes23] the eigenvalues behind the staircase of kernel ridge regression on spiked inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.errors import InputError
from giantstep.learners.kernels import kernel_matrix, matched_modes, operator_eigenvalues
from giantstep.problems import Problem, Target, whole
from giantstep.problems.inputs import Spiked
from giantstep.theory.kernels import Outlier, SpikedMode, matrix_spectrum, spiked_spectrum

MOST_SAMPLES = 8000
STRONGEST = 0.3
"""Largest theta/d: beyond, eigenfunctions of the exponential kernel are no longer near Hermite polynomials."""
HIGHEST_DEGREE = 4
HIDDEN = 0.1
"""How far gamma must be below 1 - 1/l for a degree to be surely hidden, and the overlap that is granted to it then."""
CLEAR = 30
"""An eigenvalue is told from the noise of n samples if it is this many times the scatter of K's entries over n."""
CUBIC = {"kernel": "1 + t + t**2/2 + t**3/6", "d": 200, "samples_per_dim": 6.0, "strength_exponent": 0.75}
TAILS = "squares of Hermite polynomials have heavy tails, by which modes of a sample mix"


def _tails(point: KernelSpectrum, predicted: float) -> float:  # noqa: ARG001
    """12 l^2/n."""
    return 12 * point.degree**2 / point.samples


def _relative_tails(point: KernelSpectrum, predicted: float) -> float:
    """12 l^2/n of the prediction."""
    return predicted * _tails(point, predicted)


def _stands_out(point: KernelSpectrum) -> bool:
    return point.outlier is not None


@named(
    "structured/kernel-spectrum",
    kind="theorem",
    cite="bes23",
    where="slide 'Necessary and Sufficient Conditions for KRR', the eigenvalues behind theta = d^(1 - 1/l)",
    version=2,
    finding=(
        "Sorted by size the modes He_l of the spike cannot be told from functions of the bulk's length: they are found "
        "by the overlap of their eigenvectors. A mode whose eigenvalue is below the bulk of K is there, but hidden."
    ),
)
class KernelSpectrum(Claim):
    """Each degree of a kernel has an eigenvalue that grows with the inputs' spike and leaves the bulk at a threshold.

    On He_l of the spike's coordinate it is l! g_l ((1 + theta)/d)^l to leading order, and counts from n lambda ~ 1 on.
    The operator's eigenvalue is measured by fitting the kernel matrix between two halves of a sample with Hermite
    polynomials of the spike's coordinate. The matrix K/n itself shows the degree as an outlier with an eigenvector like
    He_l once theta passes d^(1 - 1/l); its place and overlap follow from the resolvent of the bulk.
    """

    kernel: parameters.Kernel = parameters.kernel("exp")
    d: int = parameters.dimension(300, le=10**6)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\psi = n/d", ge=0.1, le=100)
    strength_exponent: float = parameters.strength_exponent(0.6)
    degree: int = parameters.own(2, "degree of the mode", symbol=r"\ell", path=True, ge=1, le=HIGHEST_DEGREE)

    quantities = (
        quantity.equal(
            "eigenvalue", Allowance(0.02, of="prediction"),
            "the fit leaves out degrees above the highest plus 2; noise enters in second order",
            help="eigenvalue of the kernel's operator on He_l of the spike", symbol=r"\lambda_\ell",
            when=lambda point: point.clear,
        ),
        quantity.equal(
            "outlier", _relative_tails, TAILS,
            help="eigenvalue of K/n whose eigenvector is most like He_l", symbol=r"\lambda_\ell(K/n)", when=_stands_out,
        ),
        quantity.equal(
            "alignment", _tails, TAILS,
            help="squared overlap of this eigenvector with He_l at the samples", when=_stands_out,
        ),
        quantity.at_most(
            "alignment", HIDDEN,
            "the best of many eigenvectors of the bulk overlaps by some 1/n, and more as the threshold comes near",
            help="and no eigenvector is like He_l while the bulk hides it", when=lambda point: point.hidden,
        ),
        quantity.reported(
            "leading_order", help="the eigenvalue for small theta/d", symbol=r"\ell!\, g_\ell ((1+\theta)/d)^\ell",
        ),
        quantity.reported("edge", help="where the bulk of K/n ends"),
    )  # fmt: skip
    views = (
        view.Curve(
            "degree", (1, 2, 3), ("eigenvalue",), by="strength_exponent", by_values=(0.55, 0.7), seeds=24,
            log_y=True, bounds=("leading_order",), title="eigenvalues of the operator",
        ),
        view.Curve(
            "strength_exponent", (0.1, 0.25, 0.4, 0.55, 0.7), ("outlier",), by="degree", by_values=(1, 2), seeds=24,
            log_y=True, bounds=("edge",), title="what the matrix shows",
        ),
        view.Curve(
            "strength_exponent", (0.1, 0.25, 0.4, 0.55, 0.7), ("alignment",), by="degree", by_values=(1, 2), seeds=24,
            title="an eigenvector like He_l, or none",
        ),
        view.Curve(
            "degree", (1, 2, 3), ("outlier",), seeds=24, log_y=True, bounds=("edge",), at=CUBIC,
            title="a cubic kernel shows three degrees",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"d": 1000, "samples_per_dim": 2.0},
        "cubic": {**CUBIC, "degree": 3},
        "polynomial-kernel": {"kernel": "(1 + t)**4", "strength_exponent": 0.5},
    }
    default_seeds = 24
    line_places = 13
    engine = "dense"
    convention = "eigenvalues of the operator f -> E k(x, .) f(x), and of K/n, k(x, x') = g(<x, x'>/d)"

    def check(self) -> None:
        if not self.kernel.is_power_series or self.kernel.coefficients(self.degree + 1)[-1] <= 0:
            raise InputError(
                f"kernel = {self.kernel} is not allowed; it must be one of <x, x'>/d with degree {self.degree}"
            )
        if not 8 <= self.samples <= MOST_SAMPLES:
            raise InputError(f"n = {self.samples} samples are not allowed; needed are 8 to {MOST_SAMPLES}")
        refuse_strong_spike(self.theta, self.d, STRONGEST)

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def theta(self) -> float:
        return float(self.d**self.strength_exponent)

    @property
    def outlier(self) -> Outlier | None:
        """Where K/n should show this degree; None while the bulk hides it."""
        return matrix_spectrum(self.kernel, self.d, self.theta, self.samples).of(self.degree)

    @property
    def hidden(self) -> bool:
        """Whether the spike is clearly too weak for this degree to leave the bulk."""
        return self.outlier is None and self.strength_exponent <= 1 - 1 / self.degree - HIDDEN

    @property
    def mode(self) -> SpikedMode:
        """The operator's."""
        return spiked_spectrum(self.kernel, self.d, self.theta, HIGHEST_DEGREE)[self.degree]

    @property
    def clear(self) -> bool:
        """Whether n samples show the operator's eigenvalue above the noise of the bulk."""
        scatter = float(self.kernel.derivative(1, 0.0)) / math.sqrt(self.d)
        return self.mode.value > CLEAR * scatter / self.samples

    def predict(self) -> Prediction:
        mode = self.mode
        seen = matrix_spectrum(self.kernel, self.d, self.theta, self.samples)
        values = {"eigenvalue": mode.value, "leading_order": mode.leading, "edge": seen.edge}
        note = f"K/n hides degree {self.degree} in its bulk"
        if self.hidden:
            values["alignment"] = 0.0
        if found := seen.of(self.degree):
            values |= {"outlier": found.value, "alignment": found.overlap}
            note = f"degree {self.degree} stands out of the bulk of K/n, which ends at {seen.edge:.3g}"
        return Prediction(values, "the operator at any d; K/n for n and d large in proportion (derived)", (note,))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, found = points[0], []
        x, z = whole(Problem(Target("x1"), first.d, inputs=Spiked(first.theta)).sample(first.samples, run.streams))
        matrix = kernel_matrix(first.kernel, x)
        modes = matched_modes(matrix, z, HIGHEST_DEGREE)
        values = operator_eigenvalues(matrix, z, HIGHEST_DEGREE)
        for point in points:
            seen = {"alignment": float(modes.overlaps[point.degree])}
            if point.clear:
                seen["eigenvalue"] = float(values[point.degree])
            if point.outlier is not None:
                seen["outlier"] = float(modes.values[point.degree])
            found.append(Measurement(seen))
        return found

    def cost(self) -> Cost:
        n, d = float(self.samples), float(self.d)
        return Cost(2 * n**2 * d + 500 * n**2, 8 * n**2 + 8 * n * d + 4e7)
