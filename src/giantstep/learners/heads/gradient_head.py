"""The second layer by gradient descent, all of its steps at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, whole_number
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.full import Cast
from giantstep.learners.heads.ridge_path import Spectrum
from giantstep.learners.networks.network import Network
from giantstep.problems import Sample


@dataclass(frozen=True)
class GradientHead:
    """T steps of gradient descent on (1/2n)|y - Psi c|^2 + (lambda/2)|c|^2 from a^(0), of size 1/largest curvature.

    Args:
        steps: T.
        ridge: lambda; None takes the one that leave-one-out chooses for ridge regression.
    """

    steps: int
    ridge: float | None = None

    def __post_init__(self) -> None:
        whole_number("the steps of a gradient head", self.steps, least=0)
        if self.ridge is not None:
            real_number("the ridge of a gradient head", self.ridge, "a positive number", np.finfo(np.float64).tiny)

    def __str__(self) -> str:
        return f"{self.steps} steps on (1/2n)|y - Psi c|^2 + (lambda/2)|c|^2"


def descended(
    net: Network, sample: Sample, steps: int, ridge: float, *, threads: int = 1, progress: Progress | None = None
) -> tuple[Array, float]:
    """c_T = c* + (1 - (A + lambda)/L)^T (c_0 - c*), A = Psi^T Psi/n, L = |A| + lambda, c* the ridge fit: T steps.

    One eigendecomposition instead of T products; a test compares it with the loop. Also (1/n)|y - Psi c_T|^2.
    """
    cast = Cast(net, sample)

    def work(number: int) -> Results:
        x, y = cast.block(number)
        psi = cast.features(x).astype(np.float64, copy=False)
        return psi.T @ psi, psi.T @ y, np.array([y @ y])

    matrix, moment, square = sum_over_blocks(sample.blocks(), work, threads=threads, progress=progress)
    spectrum = Spectrum.of(matrix / sample.samples)
    curvature = spectrum.values + ridge
    seen = (spectrum.vectors.T @ moment) / sample.samples
    limit = seen / curvature
    start = spectrum.vectors.T @ net.coefficients
    left = (1.0 - curvature / curvature.max()) ** steps
    rotated = limit + left * (start - limit)
    error = square[0] / sample.samples - 2.0 * rotated @ seen + (spectrum.values * rotated) @ rotated
    return np.asarray(spectrum.vectors @ rotated), max(float(error), 0.0)
