"""The second layer of any network, by a head of one's choice: ridge regression or gradient descent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, whole_number
from giantstep.learners.engines.blocks import Results, sum_over_blocks
from giantstep.learners.engines.full import Cast
from giantstep.learners.heads.ridge_head import RidgeHead, fit_head_on
from giantstep.learners.heads.ridge_path import Spectrum
from giantstep.learners.networks.network import Network
from giantstep.problems import Sample

PENALTIES = tuple(10.0 ** (k / 2) for k in range(-12, 5))
"""Ridge penalties per neuron among which leave-one-out chooses: up to 100 times the size of a feature's square, for a
head that should learn nothing must be able to say so."""


@dataclass(frozen=True)
class GradientHead:
    """T steps of gradient descent on (1/2n)|y - Psi c|^2 + (lambda/2)|c|^2 from a^(0), of size 1/largest curvature.

    Without a penalty, the one that leave-one-out chooses for ridge regression is used.
    """

    steps: int
    penalty: float | None = None

    def __post_init__(self) -> None:
        whole_number("the steps of a gradient head", self.steps, least=0)
        if self.penalty is not None:
            real_number(
                "the penalty of a gradient head", self.penalty, "a positive number", least=np.finfo(np.float64).tiny
            )


LEAVE_ONE_OUT = RidgeHead(PENALTIES, validate=True)
"""Ridge regression, its penalty chosen by the leave-one-out error."""


def fit_second_layer(
    net: Network, sample: Sample, head: RidgeHead | GradientHead = LEAVE_ONE_OUT, *, threads: int = 1
) -> tuple[Network, float]:
    """The second stage on any features: the network with its new head, and the penalty in (1/n)|.|^2 + lambda|c|^2.

    Of several ridge penalties the one with the least leave-one-out error is taken (the only one, if there is one).
    """
    if isinstance(head, GradientHead):
        chosen = head.penalty or fit_second_layer(net, sample, threads=threads)[1]
        return net.with_coefficients(descended(net, sample, head.steps, chosen, threads=threads)), chosen
    path = fit_head_on(net, sample, head, threads=threads)
    best = 0 if path.leave_one_out is None else int(np.argmin(path.leave_one_out))
    return path.network(net, best), float(path.per_feature[best])


def descended(net: Network, sample: Sample, steps: int, penalty: float, *, threads: int = 1) -> Array:
    """c_T = c* + (1 - (A + lambda)/L)^T (c_0 - c*), A = Psi^T Psi/n, L = |A| + lambda, c* the ridge fit: T steps.

    One eigendecomposition instead of T products; a test compares it with the loop.
    """
    cast = Cast(net, sample, None)

    def work(number: int) -> Results:
        x, y = cast.block(number)
        psi = cast.features(x).astype(np.float64, copy=False)
        return psi.T @ psi, psi.T @ y

    matrix, moment = sum_over_blocks(sample.blocks(), work, threads=threads)
    spectrum = Spectrum.of(matrix / sample.n)
    curvature = spectrum.values + penalty
    limit = (spectrum.vectors.T @ moment) / sample.n / curvature
    start = spectrum.vectors.T @ net.coefficients
    left = (1.0 - curvature / curvature.max()) ** steps
    return np.asarray(spectrum.vectors @ (limit + left * (start - limit)))
