"""The reduced engine: giant steps on fresh Gaussian batches, exact in law, at a cost that does not know d.

Let V be any k-dimensional subspace that holds the rows of W and the r directions of the target (k <= d).
Fields and labels are functions of z = P_V x only, and so are R_{mu i} = (y_mu - f(x_mu)) sigma'(h_{mu i}).
Hence

    n g_i = sum_mu R_{mu i} z_mu  +  sum_mu R_{mu i} P_V^perp x_mu .

The first term is a gradient in dimension k. In the second, P_V^perp x_mu is N(0, I_{d-k}) independent of R: given R,
its p vectors are in law the columns of G F, with F^T F = R^T R (p x p) and G a (d-k) x p Gaussian matrix. Only inner
products matter, and by Bartlett's decomposition G = O A with O^T O = I and A upper trapezoidal with min(d-k, p) rows,
A_ii^2 ~ chi^2_{d-k-i}, i = 0, 1, ..., and A_ij ~ N(0, 1) for j > i. So the columns of A F are coordinates of the
orthogonal part in new axes, by which V grows. Axes beyond what p vectors need are then rotated away (an LQ
factorisation), which leaves the law as it is: no array has an axis of length d, and a V larger than needed does no
harm. (Derived.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import instance, whole_number
from giantstep.errors import InputError
from giantstep.learners.draws import bartlett, gaussian_rows, unit_rows
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.full import neuron_factors
from giantstep.learners.engines.giant_step import StepInfo, check_finite
from giantstep.learners.networks.conventions import Scaling
from giantstep.learners.networks.initialisation import (
    Initialisation,
    check_initialisation,
    draw_biases,
    draw_second_layer,
)
from giantstep.learners.networks.network import Network
from giantstep.problems import DrawnSample, Problem, Sample, check_problem
from giantstep.problems.inputs import Isotropic
from giantstep.streams import Streams, check_streams

if TYPE_CHECKING:
    from giantstep.problems import Activation

LOCAL_BLOCK_ROWS = 4096
"""Rows of a block of local coordinates: narrow, so that more of them fit in the caches than of full rows."""


@dataclass(frozen=True, eq=False, repr=False)
class ReducedState:
    """A network of p neurons in dimension d, known up to rotations that fix the target's r directions.

    Args:
        local: the same network in coordinates of a k-dimensional space that holds all its weights, (p, k); the
            target's directions are its first r axes too. With x ~ N(0, I_k), outputs and labels have the same law.
        directions: r, how many directions the target has at most.
        d: the dimension of the inputs.
    """

    local: Network
    directions: int
    d: int

    def __post_init__(self) -> None:
        if not self.directions <= self.local.d <= self.d:
            raise InputError(f"{self.directions} directions and {self.local.d} local axes do not fit in d = {self.d}")

    @property
    def overlaps(self) -> NDArray[np.float64]:
        """M = W W*^T, (p, r)."""
        return self.local.weights[:, : self.directions]

    @property
    def gram(self) -> NDArray[np.float64]:
        """Q = W W^T, (p, p)."""
        return self.local.weights @ self.local.weights.T

    @property
    def second_layer(self) -> NDArray[np.float64]:
        """a, (p,)."""
        return self.local.second_layer

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The second layer times the scaling factor, (p,)."""
        return self.local.coefficients

    @property
    def scaling(self) -> Scaling:
        """Of the output."""
        return self.local.scaling

    @property
    def neurons(self) -> int:
        """p."""
        return self.local.neurons

    def with_coefficients(self, coefficients: NDArray[np.float64]) -> ReducedState:
        """The same first layer with a fitted head, (p,)."""
        return replace(self, local=self.local.with_coefficients(coefficients))

    def moved_by(self, change: NDArray[np.float64]) -> ReducedState:
        """The state after its weights moved by rows (p, k') in its k axes and new ones."""
        weights = change.copy()
        weights[:, : self.local.d] += self.local.weights
        return replace(self, local=self.local.with_weights(_compressed(weights, self.directions)))

    def local_problem(self, problem: Problem) -> Problem:
        """The problem that `local` sees: same target and noise, local coordinates as inputs."""
        check_problem(problem)
        if problem.d != self.d or problem.target.directions > self.directions:
            raise InputError(
                f"the problem has d = {problem.d} and {problem.target.directions} directions, the state "
                f"d = {self.d} and {self.directions}: they must match"
            )
        if not isinstance(problem.inputs, Isotropic):
            raise InputError("the reduced engine needs isotropic Gaussian inputs; use the full engine")
        return replace(problem, d=self.local.d)

    def __repr__(self) -> str:
        return f"ReducedState(r={self.directions}, d={self.d}, local={self.local!r})"


def initial_state(
    init: Initialisation,
    activation: Activation | str,
    d: int,
    neurons: int,
    directions: int,
    streams: Streams,
    scaling: Scaling | str | None = None,
) -> ReducedState:
    """A start with the law of `initialise`, seen through r directions of the target.

    Args:
        init: the law of the start.
        activation: sigma, an `Activation` or its text.
        d: the dimension of the inputs, as large as you like.
        neurons: p.
        directions: r, as many as the target has.
        streams: where the two layers are drawn from.
        scaling: of the output, unless that of `init`.
    """
    d, directions = whole_number("d", d), whole_number("directions", directions, 0, d)
    count = check_initialisation(init).independent_neurons(neurons)
    gaussian = gaussian_rows(d, directions, count, check_streams(streams).child("first layer"))
    weights = unit_rows(gaussian) if init.first == "sphere" else gaussian / math.sqrt(d)
    net = Network(
        weights=init.mirror(weights),
        second_layer=draw_second_layer(init, neurons, streams),
        activation=activation,
        scaling=init.scaling if scaling is None else scaling,
        biases=draw_biases(init, neurons, streams),
    )
    return ReducedState(net, directions, d)


def reduced_gradient(
    state: ReducedState, sample: Sample, *, threads: int = 1, progress: Progress | None = None
) -> StepInfo:
    """The gradients of all neurons on a batch with the law of `sample`, of which only local coordinates are drawn.

    Coordinates and products are in the sample's number type, sums over blocks always in float64.
    """
    net, batch = state.local, drawn(sample)
    streams, n, kind = batch.streams, batch.samples, batch.dtype
    local = state.local_problem(batch.problem).sample(n, streams.child("local"), LOCAL_BLOCK_ROWS, kind)
    weights, biases, coefficients, unfold = _distinct_neurons(net)
    weights, coefficients = weights.astype(kind, copy=False), coefficients.astype(kind, copy=False)
    biases = None if biases is None else biases.astype(kind, copy=False)

    def work(number: int) -> Results:
        z, y = local.block(number)
        factors, residual = neuron_factors(z, y.astype(kind, copy=False), weights, biases, coefficients, net.activation)
        return factors.T @ z, factors.T @ factors, np.array([residual @ residual, y @ y])

    inside, second, squares = sum_over_blocks(local.blocks(), work, threads=threads, progress=progress)
    outside = bartlett(state.d - net.d, len(weights), streams.child("orthogonal").generator()) @ square_root(second)
    gradient = (np.hstack([inside, outside.T]) / n)[unfold]
    return StepInfo(gradient, float(squares[0]) / n, float(squares[1]) / n, n)


def drawn(sample: Sample) -> DrawnSample:
    """A sample that the reduced engine can draw in its own coordinates."""
    return instance("the sample of the reduced engine", sample, DrawnSample, "problem.sample(...), not data in memory")


def _distinct_neurons(net: Network) -> tuple[Any, Any | None, Any, NDArray[np.intp]]:
    """Weights, biases, summed output coefficients of neurons that are no copies (half of a paired start), and how all
    p neurons follow from them."""
    weights, biases, coefficients, half = net.weights, net.biases, net.coefficients, net.neurons // 2
    paired = net.neurons % 2 == 0 and np.array_equal(weights[:half], weights[: half - 1 : -1])
    if not paired or (biases is not None and not np.array_equal(biases[:half], biases[: half - 1 : -1])):
        return weights, biases, coefficients, np.arange(net.neurons)
    folded = coefficients[:half] + coefficients[: half - 1 : -1]
    copies = np.minimum(np.arange(net.neurons), np.arange(net.neurons)[::-1])
    return weights[:half], None if biases is None else biases[:half], folded, copies


def square_root(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    """F with F^T F = gram, also when the gram is singular (n < p, or paired neurons)."""
    check_finite(gram)
    values, vectors = np.linalg.eigh(gram)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)


def _compressed(weights: NDArray[np.float64], directions: int) -> NDArray[np.float64]:
    """The rows in as few axes as p vectors need: the axes outside the target's directions are rotated."""
    outside = weights[:, directions:]
    if outside.shape[1] <= len(weights):
        return weights
    return np.hstack([weights[:, :directions], np.asarray(np.linalg.qr(outside.T, mode="r")).T])
