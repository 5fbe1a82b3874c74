"""Gradient-based training of a two-layer network in two stages: [dls22], Algorithm 1.

    y <- y - alpha - <beta, x>                                    pre-processing, on the same samples (`linear_part`)
    W1 = W0 - eta_1 (grad_W L + lambda_1 W0),  lambda_1 = 1/eta_1   one step from f = 0; the decay cancels W0
    b_j ~ N(0, 1)                                                 fresh biases
    a <- a - eta (grad_a L + lambda a),  T times                  the head; T to infinity is ridge regression
    return x -> alpha + <beta, x> + a^T sigma(W1 x + b)

with L = (1/2n) sum (f - y)^2. The paper leaves eta_1 open up to logarithms; here it is such that the mean of |w_j|^2 is
1, so that neurons and biases are of one size. Where the papers' head starts matters for small T only: at a^(0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.learners.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.full import Cast
from giantstep.learners.head import RidgeHead, fit_head_on
from giantstep.learners.initialisation import DLS22, initialise
from giantstep.learners.linear_part import LinearPart, Remainder, linear_part, remainder_moments
from giantstep.learners.network import Network
from giantstep.learners.ridge import Spectrum
from giantstep.learners.step import StepInfo, first_layer_gradient
from giantstep.problems.activation import Activation
from giantstep.problems.problem import Problem, Sample
from giantstep.streams import Streams

Array = NDArray[np.float64]

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
        if self.steps < 0 or not (self.penalty is None or 0.0 < self.penalty < math.inf):
            raise InputError(
                f"a gradient head of {self.steps} steps and penalty {self.penalty} is not allowed: steps must be 0 or "
                "more and the penalty a positive number."
            )


LEAVE_ONE_OUT = RidgeHead(PENALTIES, validate=True)
"""Ridge regression, its penalty chosen by the leave-one-out error."""


@dataclass(frozen=True, eq=False)
class LearnedFeatures:
    """What the first stage leaves: features with fresh biases, what was taken off the labels, what the step saw."""

    start: Network
    network: Network
    part: LinearPart
    info: StepInfo
    step: float
    """eta_1, such that the mean of |w_j|^2 is 1."""

    def alignment(self, directions: int) -> float:
        """Mean over neurons of |P_V w_j|^2 / |w_j|^2, V spanned by the first axes."""
        return float(np.nanmean(self.info.share(directions)))


@dataclass(frozen=True, eq=False)
class PolynomialFit:
    """The trained predictor x -> alpha + <beta, x> + a^T sigma(W1 x + b)."""

    network: Network
    part: LinearPart
    penalty: float
    features: LearnedFeatures

    def __call__(self, x: NDArray[Any]) -> Array:
        return np.asarray(self.part(x) + self.network(x))

    def risk(self, problem: Problem) -> float:
        """E (f(x) - f*(x))^2 without a test set, for isotropic Gaussian inputs."""
        return float(remainder_moments(self.network, problem, self.part).risk(self.network.coefficients))


def decayed_step(net: Network, info: StepInfo, step: float, decay: float) -> Array:
    """W - eta (grad_W L + lambda W) with -dL/dw_j = a_j g_j for an unscaled output: the rows of the next weights."""
    return (1.0 - step * decay) * net.weights + step * net.coefficients[:, None] * info.gradient


def learn_features(
    sample: Sample,
    activation: Activation,
    neurons: int,
    streams: Streams,
    *,
    preprocess: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
) -> LearnedFeatures:
    """The first stage: pre-processing, one step with weight decay 1/eta_1 from a paired start, fresh biases."""
    part = linear_part(sample, threads=threads) if preprocess else LinearPart.zero(sample.d)
    start = initialise(DLS22, activation, sample.d, neurons, streams.child("network"))
    # Both neurons of a pair have the same gradient, and the output of all of them is 0: half of them are enough.
    drawn = DLS22.independent_neurons(neurons)
    half = Network(start.weights[:drawn], np.zeros(drawn), activation, start.scaling)
    seen = first_layer_gradient(half, Remainder(sample, part), threads=threads, progress=progress)
    info = replace(seen, gradient=DLS22.mirror(seen.gradient))
    size2 = float((start.coefficients**2) @ (info.gradient**2).sum(axis=1)) / neurons
    if size2 == 0.0:
        raise InputError("the gradient of the first step is zero: no feature is learned from these labels.")
    step = 1.0 / math.sqrt(size2)
    biases = streams.child("biases").generator().standard_normal(neurons)
    net = replace(start, weights=decayed_step(start, info, step, decay=1.0 / step), biases=biases)
    return LearnedFeatures(start, net, part, info, step)


def fit_second_layer(
    net: Network, sample: Sample, head: RidgeHead | GradientHead = LEAVE_ONE_OUT, *, threads: int = 1
) -> tuple[Network, float]:
    """The second stage on any features: the network with its new head, and the penalty in (1/n)|.|^2 + lambda|c|^2.

    Of several ridge penalties the one with the least leave-one-out error is taken (the only one, if there is one).
    """
    if isinstance(head, GradientHead):
        chosen = head.penalty or fit_second_layer(net, sample, threads=threads)[1]
        return net.with_coefficients(descend(net, sample, head.steps, chosen, threads=threads)), chosen
    path = fit_head_on(net, sample, head, threads=threads)
    best = 0 if path.leave_one_out is None else int(np.argmin(path.leave_one_out))
    return path.network(net, best), float(path.per_feature[best])


def descend(net: Network, sample: Sample, steps: int, penalty: float, *, threads: int = 1) -> Array:
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


def learn_polynomial(
    sample: Sample,
    activation: Activation,
    neurons: int,
    streams: Streams,
    *,
    head: RidgeHead | GradientHead = LEAVE_ONE_OUT,
    preprocess: bool = True,
    head_sample: Sample | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> PolynomialFit:
    """All of Algorithm 1. The head is fitted to the same sample, as in the paper, unless another one is given."""
    features = learn_features(
        sample, activation, neurons, streams, preprocess=preprocess, threads=threads, progress=progress
    )
    rest = Remainder(sample if head_sample is None else head_sample, features.part)
    net, penalty = fit_second_layer(features.network, rest, head, threads=threads)
    return PolynomialFit(net, features.part, penalty, features)
