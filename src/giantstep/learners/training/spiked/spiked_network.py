"""One gradient step with biases and a ridge head on spiked inputs, and the shortcut through the principal component.

    g_i = (1/n) sum y 1{<x, w_i> + b_i > 0} x,   w_i on the unit sphere, b_i ~ N(0, 1), f = 0 at the start;
    w_i <- eta a_i g_i, a_i = +-1, one eta for which <x, w_i> has mean square 1; b_i drawn again; a by ridge regression.

Whitening, x = Sigma^1/2 g, turns the fitted network into one on isotropic inputs with first weights times
sqrt(1 + theta), so that its risk is exact. Source: Algorithm of [bes23] for one step; step size and penalty (by
leave-one-out) are chosen here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite_table
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.heads.ridge_head import RidgeHead, fit_ridge
from giantstep.learners.kernels.spiked_kernel import aligned_strength
from giantstep.learners.networks.conventions import Scaling
from giantstep.learners.networks.initialisation import Initialisation, initialise
from giantstep.learners.networks.network import Network
from giantstep.learners.risk.features import feature_moments
from giantstep.learners.searching import half_between, half_upwards
from giantstep.problems import Activation, Problem, whole
from giantstep.problems.inputs import Isotropic, Spiked
from giantstep.streams import Streams

START = Initialisation("sphere", "signs", biases="gaussian", scaling=Scaling.UNIT)
RELU = Activation("relu(z)")
PENALTIES = tuple(10.0**power for power in range(-4, 2))
"""Candidates of the head's penalty, per feature; smaller ones let rare large labels blow up a fit on n ~ N samples."""


@dataclass(frozen=True, eq=False)
class FirstGradients:
    """What the first step sees.

    Args:
        start: the network before it.
        labels: gradients per neuron, (N, d), of the labels.
        noise: the same of pure noise in their place, drawn for each neuron.
    """

    start: Network
    labels: Array
    noise: Array


def first_gradients(x: Array, y: Array, neurons: int, streams: Streams, *, biases: bool = True) -> FirstGradients:
    """What the first step sees at a start with f = 0, on inputs `x`, (n, d), with labels `y`, (n,): for so many
    `neurons` drawn from `streams`, with random `biases` or none."""
    net = initialise(START, RELU, x.shape[1], neurons, streams)
    assert net.biases is not None
    if not biases:
        net = replace(net, biases=np.zeros(neurons))
    random = streams.child("noise").generator().standard_normal((len(y), neurons))  # labels of their own: less chance
    with one_blas_thread():
        open_ = (x @ net.weights.T + np.asarray(net.biases) > 0).astype(np.float64)
        labels, noise = ((open_ * values).T @ x / len(y) for values in (y[:, None], random))
    return FirstGradients(net, labels, noise)


def spike_alignments(gradient: Array, theta: float) -> tuple[float, float]:
    """Mean over neurons of the Euclidean and the whitened squared cosine with the first axis, the spike.

    `gradient`, (N, d), has one row a neuron, and the spike the strength `theta`. A neuron that no sample opens has no
    gradient and is left out.
    """
    along, whole = gradient[:, 0] ** 2, (gradient**2).sum(axis=1)
    alive = whole > 0
    along, across = along[alive], (whole - along)[alive]
    whitened = (1 + theta) * along / ((1 + theta) * along + across)
    return float(np.mean(along / (along + across))), float(np.mean(whitened))


def half_aligned_of(
    problem: Problem,
    samples: int,
    neurons: int,
    data: Streams,
    network: Streams,
    ends: tuple[float, float],
    data_sets: int = 1,
) -> tuple[float, float]:
    """theta at which these very samples, stretched, align these very starts to one half in the mean: Euclidean and
    whitened.

    Args:
        problem: with spiked inputs; its strength does not matter.
        samples: n.
        neurons: N.
        data: where the samples are drawn from.
        network: where the starts are drawn from.
        ends: the lowest and the highest theta to look at.
        data_sets: how many samples of n, each with a start of its own, the alignment is a mean over.
    """
    sets = [
        _stretchable(problem, samples, neurons, data.child(f"set {i}"), network.child(f"set {i}"))
        for i in range(data_sets)
    ]

    @cache
    def alignments(theta: float) -> tuple[float, float]:
        euclidean, whitened = np.mean([aligned(theta) for aligned in sets], axis=0)
        return float(euclidean), float(whitened)

    refusal = f"no strength from {ends[0]:g} to {ends[1]:g} aligns these {neurons} neurons to one half"
    euclidean = half_between(lambda theta: alignments(theta)[0], ends, refusal, rising=True, accuracy=0.01)
    whitened = half_between(lambda theta: alignments(theta)[1], ends, refusal, rising=True, accuracy=0.01)
    return euclidean, whitened


def _stretchable(
    problem: Problem, samples: int, neurons: int, data: Streams, network: Streams
) -> Callable[[float], tuple[float, float]]:
    """Both alignments of one start on one sample, as a function of theta."""
    x, y = whole(replace(problem, inputs=Isotropic()).sample(samples, data))
    net = initialise(START, RELU, problem.d, neurons, network)
    assert net.biases is not None
    with one_blas_thread():
        bulk = x[:, 1:] @ net.weights[:, 1:].T + net.biases
        spike = np.multiply.outer(x[:, 0], net.weights[:, 0])

    def alignments(theta: float) -> tuple[float, float]:
        with one_blas_thread():
            gradients = ((bulk + math.sqrt(1 + theta) * spike > 0) * y[:, None]).T @ x
        gradients[:, 0] *= math.sqrt(1 + theta)
        return spike_alignments(gradients, theta)

    return alignments


def trained_network(gradients: FirstGradients, x: Array, y: Array, streams: Streams, *, biases: bool = True) -> Network:
    """The network after the step along its first `gradients`; the head is fitted to fresh data `x`, (n, d), and `y`,
    (n,), its penalty by leave-one-out; `biases` are drawn from `streams`, or there are none."""
    steered = gradients.start.second_layer[:, None] * gradients.labels
    drawn = streams.child("biases").generator().standard_normal(len(steered))
    with one_blas_thread():
        size = math.sqrt(float(np.mean((x @ steered.T) ** 2)))
        net = replace(gradients.start, weights=steered / size, biases=drawn if biases else 0 * drawn)
        path = fit_ridge(net.features(x), y, RidgeHead(PENALTIES, validate=True))
    return path.network(net)


def network_risk(network: Network, problem: Problem) -> float:
    """Exact risk of a `network` on a `problem` whose target lies along the spike."""
    weights = np.array(network.weights)
    weights[:, 0] *= math.sqrt(1 + aligned_strength(problem))
    with one_blas_thread():
        moments = feature_moments(network.with_weights(weights), replace(problem, inputs=Isotropic()))
    return float(moments.risk(network.coefficients))


def half_risk_of(
    problem: Problem, samples: int, neurons: int, streams: Streams, ends: tuple[float, float], data_sets: int = 1
) -> float:
    """theta at which these very samples, stretched along their spike, give networks of median risk |f*|^2/2.

    Args:
        problem: with spiked inputs; its strength does not matter.
        samples: n, half of them for the step and half for the head.
        neurons: N.
        streams: where samples and networks are drawn from.
        ends: the lowest and the highest theta to look at.
        data_sets: how many samples, each with a start of its own, the median is taken over:
            a single one may hide its spike at any strength.
    """

    def risk(theta: float) -> float:
        stretched = replace(problem, inputs=Spiked(theta))
        found = [spiked_network_risk(stretched, samples, neurons, streams.child(f"set {i}")) for i in range(data_sets)]
        return float(np.median(found)) / float(problem.target.norm2)

    refusal = f"no strength from {ends[0]:g} to {ends[1]:g} halves the risk of {neurons} neurons"
    return half_upwards(risk, ends, refusal, rising=False, accuracy=0.02)


def spiked_network_risk(
    problem: Problem, samples: int, neurons: int, streams: Streams, *, biases: bool = True
) -> float:
    """Exact risk of a network after one step on half of the samples and a head on the other half.

    Args:
        problem: a target along the spike, or isotropic inputs.
        samples: n.
        neurons: N.
        streams: where samples and network are drawn from.
        biases: whether neurons have random ones.
    """
    step, head = (whole(problem.sample(samples // 2, streams.child(name))) for name in ("step data", "head data"))
    gradients = first_gradients(*step, neurons, streams.child("network"), biases=biases)
    trained = trained_network(gradients, *head, streams.child("head"), biases=biases)
    return network_risk(trained, problem)


def principal_risk(x: Array, y: Array, problem: Problem, degree: int) -> float:
    """Exact risk on `problem` of the polynomial of this `degree` of <x, v>, v the first principal component of inputs
    `x`, (n, d), fitted to labels `y`, (n,), by least squares.

    With c the whitened cosine of v and f* = sum f_l h_l(z), the fit sum q_j h_j has the risk
    sum (q_j^2 - 2 q_j f_j c^j) + |f*|^2.
    """
    n, d = x.shape
    with one_blas_thread():
        small = x @ x.T if n < d else x.T @ x
        _, vectors = scipy.linalg.eigh(small, subset_by_index=(len(small) - 1, len(small) - 1))
        v = vectors[:, 0] if n >= d else x.T @ vectors[:, 0]
    v = v * np.sign(v[0]) / np.linalg.norm(v)
    spread = math.sqrt(1 + aligned_strength(problem) * v[0] ** 2)
    cosine = math.sqrt(1 + aligned_strength(problem)) * v[0] / spread
    features = hermite_table(degree, (x @ v) / spread, normalised=True).T
    fitted = np.linalg.lstsq(features, y, rcond=None)[0]
    wanted = np.zeros(max(degree, problem.target.degree or 0) + 1)
    for index, value in problem.target.hermite().items():
        wanted[index[0]] = float(value) * math.sqrt(math.factorial(index[0]))
    overlap = fitted @ (wanted[: degree + 1] * cosine ** np.arange(degree + 1))
    return float(fitted @ fitted - 2 * overlap + float(problem.target.norm2))
