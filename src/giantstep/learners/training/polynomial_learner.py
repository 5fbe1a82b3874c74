"""Gradient-based training of a two-layer network in two stages: [dls22], Algorithm 1.

    y <- y - alpha - <beta, x>                                    pre-processing, on the same samples (`linear_part`)
    W1 = W0 - eta_1 (grad_W L + lambda_1 W0),  lambda_1 = 1/eta_1   one step from f = 0; the decay cancels W0
    b_j ~ N(0, 1)                                                 fresh biases
    a <- a - eta (grad_a L + lambda a),  T times                  the head; T to infinity is ridge regression
    return x -> alpha + <beta, x> + a^T sigma(W1 x + b)

with L = (1/2n) sum (f - y)^2. The paper leaves eta_1 open up to logarithms; here it is such that the mean of |w_j|^2 is
1, so that neurons and biases are of one size. Where the papers' head starts matters for small T only: at a^(0).

The paper leaves lambda open too. Leave-one-out of the head on the samples of the step is not the error on new ones: the
linear part and the step have seen the label that is left out, and on labels of pure noise it chooses penalties far too
small. So lambda is chosen with step and head on different halves of the samples, then both see all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import Progress
from giantstep.learners.engines.giant_step import StepInfo
from giantstep.learners.engines.step import first_layer_gradient
from giantstep.learners.heads.fitting import LEAVE_ONE_OUT, fit_head
from giantstep.learners.heads.gradient_head import GradientHead
from giantstep.learners.heads.ridge_head import RidgeHead
from giantstep.learners.networks.initialisation import DLS22, initialise
from giantstep.learners.networks.network import Network
from giantstep.learners.risk.features import FeatureMoments
from giantstep.learners.training.every_second import Half
from giantstep.learners.training.preprocessing import LinearPart, Remainder, linear_part, remainder_moments
from giantstep.problems import Activation, ArraySample, Problem, Sample, check_sample, warn_of_scale
from giantstep.streams import Streams, check_streams

FEWEST = 8
"""Samples below which none are held out."""


@dataclass(frozen=True, eq=False)
class LearnedFeatures:
    """What the first stage leaves.

    Args:
        start: the network before the step.
        network: the features after it, with fresh biases.
        part: what was taken off the labels.
        info: what the step saw.
        step: eta_1, such that the mean of |w_j|^2 is 1.
    """

    start: Network
    network: Network
    part: LinearPart
    info: StepInfo
    step: float

    def alignment(self, directions: int) -> float:
        """Mean over neurons of |P_V w_j|^2 / |w_j|^2, V spanned by the first axes."""
        return float(np.nanmean(self.info.share(directions)))


@dataclass(frozen=True, eq=False, repr=False)
class PolynomialFit:
    """The trained predictor x -> alpha + <beta, x> + a^T sigma(W1 x + b), called on inputs (..., d).

    Args:
        network: both layers.
        part: alpha and beta.
        ridge: lambda of the head.
        features: what the first stage left.
    """

    network: Network
    part: LinearPart
    ridge: float
    features: LearnedFeatures

    def __call__(self, x: NDArray[Any]) -> Array:
        return np.asarray(self.part(x) + self.network(x))

    def __repr__(self) -> str:
        net = self.network
        return f"PolynomialFit(N={net.neurons}, d={net.d}, sigma={net.activation.text!r}, ridge={self.ridge:.3g})"

    def risk(self, problem: Problem) -> float:
        """E (f(x) - f*(x))^2 without a test set, for isotropic Gaussian inputs."""
        return float(remainder_moments(self.network, problem, self.part).risk(self.network.coefficients))


def head_moments(features: LearnedFeatures, sample: Sample, problem: Problem) -> tuple[Remainder, FeatureMoments]:
    """What the head of the second stage is fitted to, and the moments that give the exact risk of any such head.

    Args:
        features: what the first stage left.
        sample: the head's inputs and labels; they lose what the first stage took off its own.
        problem: the task, of which the risk is meant.
    """
    return Remainder(sample, features.part), remainder_moments(features.network, problem, features.part)


def decayed_step(net: Network, info: StepInfo, step: float, decay: float) -> Array:
    """W - eta (grad_W L + lambda W) with -dL/dw_j = a_j g_j for an unscaled output: the rows of the next weights."""
    return (1.0 - step * decay) * net.weights + step * net.coefficients[:, None] * info.gradient


def learn_features(
    sample: Sample,
    activation: Activation | str,
    neurons: int,
    streams: Streams,
    *,
    preprocess: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
) -> LearnedFeatures:
    """The first stage: pre-processing, one step with weight decay 1/eta_1 from a paired start, fresh biases.

    Args:
        sample: inputs and labels, (n, d) and (n,), drawn or read block by block.
        activation: sigma.
        neurons: N, an even number.
        streams: where network and biases are drawn from.
        preprocess: whether the linear part is taken off the labels.
        threads: that work on blocks; the result does not depend on it.
        progress: is told the share that is done.
    """
    if isinstance(sample, ArraySample):  # data of the user's own
        warn_of_scale(sample.inputs)
    part = linear_part(sample, threads=threads) if preprocess else LinearPart.zero(check_sample(sample).d)
    start = initialise(DLS22, activation, sample.d, neurons, check_streams(streams).child("network"))
    # Both neurons of a pair have the same gradient, and the output of all of them is 0: half of them are enough.
    drawn = DLS22.independent_neurons(neurons)
    half = Network(start.weights[:drawn], np.zeros(drawn), activation, start.scaling)
    seen = first_layer_gradient(half, Remainder(sample, part), threads=threads, progress=progress)
    info = replace(seen, gradient=DLS22.mirror(seen.gradient))
    size2 = float((start.coefficients**2) @ (info.gradient**2).sum(axis=1)) / neurons
    if size2 == 0.0:
        raise InputError("the gradient of the first step is zero: no feature is learned from these labels")
    step = 1.0 / math.sqrt(size2)
    biases = streams.child("biases").generator().standard_normal(neurons)
    net = replace(start, weights=decayed_step(start, info, step, decay=1.0 / step), biases=biases)
    return LearnedFeatures(start, net, part, info, step)


def learn_polynomial(
    sample: Sample,
    activation: Activation | str,
    neurons: int,
    streams: Streams,
    *,
    head: RidgeHead | GradientHead | None = None,
    preprocess: bool = True,
    head_sample: Sample | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> PolynomialFit:
    """All of Algorithm 1.

    Args:
        sample: inputs and labels, (n, d) and (n,), drawn or read block by block.
        activation: sigma.
        neurons: N, an even number.
        streams: where network and biases are drawn from.
        head: ridge regression, or gradient descent. None: ridge regression with a penalty chosen on labels that the
            step has not seen, by leave-one-out on the `head_sample` or else on halves of the sample.
        preprocess: whether the linear part is taken off the labels.
        head_sample: what the head is fitted to; the same sample, as in the paper, if it is not given.
        threads: that work on blocks; the result does not depend on it.
        progress: is told the share of the first stage that is done.
    """
    if head is None:
        own = head_sample is None and check_sample(sample).samples >= FEWEST
        head = _head_of_halves(sample, activation, neurons, streams, preprocess, threads) if own else LEAVE_ONE_OUT
    features = learn_features(
        sample, activation, neurons, streams, preprocess=preprocess, threads=threads, progress=progress
    )
    rest = Remainder(sample if head_sample is None else head_sample, features.part)
    path = fit_head(features.network, rest, head, threads=threads)
    return PolynomialFit(path.network(features.network), features.part, path.chosen, features)


def _head_of_halves(
    sample: Sample, activation: Activation | str, neurons: int, streams: Streams, preprocess: bool, threads: int
) -> RidgeHead:
    """The penalty of the least leave-one-out error on each half of the sample after a step on the other."""
    halves, errors = (Half(sample, 0), Half(sample, 1)), np.zeros(len(LEAVE_ONE_OUT.ridge))
    for stepped, other in (halves, halves[::-1]):
        features = learn_features(stepped, activation, neurons, streams, preprocess=preprocess, threads=threads)
        path = fit_head(features.network, Remainder(other, features.part), LEAVE_ONE_OUT, threads=threads)
        assert path.leave_one_out is not None
        errors += other.samples * path.leave_one_out
    return RidgeHead(LEAVE_ONE_OUT.ridge[int(errors.argmin())])
