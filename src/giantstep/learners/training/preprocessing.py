"""The best constant and linear correlation of labels, taken off before a first layer is trained: [dls22], Algorithm 1.

    alpha = (1/n) sum_i y_i,    beta = (1/n) sum_i y_i x_i,    y_i <- y_i - alpha - <beta, x_i>

on the same samples that are used afterwards. For isotropic inputs this removes the Hermite parts of degree 0 and 1 up
to sampling noise of size sqrt(d/n), so that the gradient's leading term is that of degree 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.gaussian.kernels import shifted_series
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.networks.network import Network
from giantstep.learners.risk.features import FeatureMoments, feature_moments
from giantstep.problems import Problem, Sample, check_sample


@dataclass(frozen=True, eq=False, repr=False)
class LinearPart:
    """x -> mean + <slope, x>, called on inputs (..., d).

    Args:
        mean: alpha.
        slope: beta, (d,).
    """

    mean: float
    slope: Array

    def __call__(self, x: NDArray[Any]) -> Array:
        inputs = real_array("the inputs", x)
        if inputs.shape[-1:] != self.slope.shape:
            raise InputError(f"the inputs have shape {inputs.shape}; they must be (..., {len(self.slope)})")
        return np.asarray(self.mean + inputs @ self.slope)

    def __repr__(self) -> str:
        return (
            f"LinearPart(mean={self.mean:.4g}, slope of length {np.linalg.norm(self.slope):.4g} in d={len(self.slope)})"
        )

    @classmethod
    def zero(cls, d: int) -> LinearPart:
        """Nothing is taken off."""
        return cls(0.0, np.zeros(d))


def linear_part(sample: Sample, *, threads: int = 1, progress: Progress | None = None) -> LinearPart:
    """alpha and beta of a `sample`, in one pass over its blocks, on which so many `threads` work; `progress` is told
    the share that is done."""
    check_sample(sample)

    def work(number: int) -> Results:
        x, y = sample.block(number)
        return np.array([y.sum()]), x.T @ y.astype(x.dtype, copy=False)

    total, correlation = sum_over_blocks(sample.blocks(), work, threads=threads, progress=progress)
    return LinearPart(float(total[0]) / sample.samples, correlation / sample.samples)


@dataclass(frozen=True, eq=False)
class Remainder:
    """A `sample` whose labels have lost a linear `part`; drawn or read when asked for, like the sample itself."""

    sample: Sample
    part: LinearPart

    @property
    def samples(self) -> int:
        return self.sample.samples

    @property
    def d(self) -> int:
        return self.sample.d

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.sample.dtype

    @property
    def block_rows(self) -> int:
        return self.sample.block_rows

    def blocks(self) -> int:
        return self.sample.blocks()

    def block(self, number: int) -> tuple[NDArray[Any], Array]:
        x, y = self.sample.block(number)
        return x, y - self.part(x)


def remainder_moments(network: Network, problem: Problem, part: LinearPart) -> FeatureMoments:
    """Moments of the features of `network` with f*(x) - alpha - <beta, x> as the target, f* that of `problem` and alpha
    and beta those of `part`: `.risk(c)` is then the exact risk of
    x -> alpha + <beta, x> + sum_i c_i sigma(<w_i, x> + b_i).

    E[sigma(<w, x> + b)] and E[sigma(<w, x> + b) x] = E[sigma(r z + b) z] w/r are the first terms of a Hermite series.
    """
    found = feature_moments(network, problem)
    norms = np.linalg.norm(network.weights, axis=1)
    biases = np.zeros(network.neurons) if network.biases is None else network.biases
    series, _ = shifted_series(network.activation, norms, biases, 1)
    along = (network.weights @ part.slope) / np.where(norms > 0, norms, 1.0)
    taken = part.mean * series[:, 0] + series[:, 1] * along
    target = problem.target
    shared = float(target.mean) * part.mean + float(target.linear @ part.slope[: target.directions])
    norm2 = found.norm2 - 2.0 * shared + part.mean**2 + float(part.slope @ part.slope)
    return FeatureMoments(found.covariance, found.cross - taken, norm2, found.covariance_error, found.cross_error)
