"""The full engine: first-layer gradients from d-dimensional data, streamed in blocks.

    g_i = (1/n) sum_mu (y_mu - f(x_mu)) sigma'(<w_i, x_mu> + b_i) x_mu     (N, d), a_i moved out of the loop

Two GEMMs per block, X W^T and R^T X with R_{mu i} = (y_mu - f(x_mu)) sigma'(h_{mu i}), are the cost that
everything else is measured against. Memory is that of a few blocks, whatever n.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.giant_step import StepInfo
from giantstep.learners.networks.network import Network
from giantstep.problems import Sample, check_sample


def _namespace(*arrays: Any) -> Any:
    """The library of these arrays, which is NumPy nearly always: the one that asks others is loaded late."""
    from array_api_compat import array_namespace

    return array_namespace(*arrays)


def neuron_factors(
    x: Any, y: Any, weights: Any, biases: Any | None, coefficients: Any, activation: Any
) -> tuple[Any, Any]:
    """R (rows, N) with R_{mu i} = (y_mu - f(x_mu)) sigma'(h_{mu i}), and the residuals y - f(x) (rows,).

    Array-API style: any library's arrays, all of one kind. `activation.value_and_derivative(h)` gives both
    sigma(h) and sigma'(h), as new arrays.
    """
    xp = _namespace(x, weights)
    local = xp.matmul(x, weights.T)
    if biases is not None:
        local += biases
    value, derivative = activation.value_and_derivative(local)
    residual = y - xp.matmul(value, coefficients)
    derivative *= xp.reshape(residual, (-1, 1))
    return derivative, residual


def block_gradient(
    x: Any, y: Any, weights: Any, biases: Any | None, coefficients: Any, activation: Any
) -> tuple[Any, Any]:
    """One block's share of n g (N, d), and the residuals (rows,); array-API style."""
    xp = _namespace(x, weights)
    factors, residual = neuron_factors(x, y, weights, biases, coefficients, activation)
    return xp.matmul(factors.T, x), residual


class Cast:
    """A network's arrays in the type in which the blocks are multiplied, made once per run."""

    def __init__(self, net: Network, sample: Sample) -> None:
        if check_sample(sample).d != net.d:
            raise InputError(f"the sample has dimension {sample.d}, the network {net.d}; they must be equal")
        self.dtype = sample.dtype
        self.weights = net.weights.astype(self.dtype, copy=False)
        self.biases = None if net.biases is None else net.biases.astype(self.dtype, copy=False)
        self.coefficients = net.coefficients.astype(self.dtype, copy=False)
        self.activation = net.activation
        self.sample = sample

    def block(self, number: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        x, y = self.sample.block(number)
        return x.astype(self.dtype, copy=False), y

    def features(self, x: NDArray[Any]) -> NDArray[Any]:
        local = x @ self.weights.T
        if self.biases is not None:
            local += self.biases
        return np.asarray(self.activation(local))


def full_gradient(
    net: Network,
    sample: Sample,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> StepInfo:
    """The gradients g (N, d) on a sample. Products are in the sample's type, sums over blocks always in float64."""
    cast = Cast(net, sample)

    def work(number: int) -> Results:
        x, y = cast.block(number)
        labels = y.astype(cast.dtype, copy=False)
        gradient, residual = block_gradient(x, labels, cast.weights, cast.biases, cast.coefficients, cast.activation)
        return gradient, np.array([residual @ residual, y @ y])

    gradient, squares = sum_over_blocks(sample.blocks(), work, threads=threads, progress=progress)
    gradient /= sample.samples
    return StepInfo(gradient, float(squares[0]) / sample.samples, float(squares[1]) / sample.samples, sample.samples)
