"""One-pass SGD on random features of inputs whose variances fall like a power.

    x_j = j^-a z_j,  y = sum_j j^-b x_j,  j = 1..v,   features W^T x,  W_jk ~ N(0, 1/d)                  [pxpp24]
    theta <- theta - g sum_{i <= B} phi_i (<phi_i, theta> - y_i)

`FeatureSGD` draws inputs and labels. `EigenSGD` draws what they come to: along the eigenvectors of K = W^T D W features
are independent Gaussians, and what the best theta leaves of the label is a Gaussian that is independent of them, so
that a sample costs d numbers instead of v d operations; the same in law. Each replica has samples of its own. Samples
are drawn in their order, so that the times asked for do not change them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.engines.giant_step import check_finite
from giantstep.learners.trajectory import whole_times
from giantstep.streams import Streams

NUMBERS = 400_000
"""Random numbers that are drawn together: what fits near the processor."""


@dataclass(frozen=True, eq=False)
class PowerLawFeatures:
    """Random features and the target that they are to express.

    Args:
        weights: W, (v, d).
        input_exponent: a.
        target_exponent: b.
    """

    weights: Array
    input_exponent: float
    target_exponent: float

    def __post_init__(self) -> None:
        if np.ndim(self.weights) != 2:
            raise InputError(f"weights must be a matrix, (v, d), not an array of shape {np.shape(self.weights)}")

    @property
    def scales(self) -> Array:
        """j^-a, (v,)."""
        return np.arange(1.0, len(self.weights) + 1) ** -self.input_exponent

    @property
    def target(self) -> Array:
        """j^-b, (v,)."""
        return np.arange(1.0, len(self.weights) + 1) ** -self.target_exponent

    def risk(self, theta: Array) -> Array:
        """E (<W^T x, theta> - y)^2 of each row of `theta`, (replicas, d)."""
        return np.asarray((((theta @ self.weights.T - self.target) * self.scales) ** 2).sum(axis=1))


def draw_features(v: int, d: int, input_exponent: float, target_exponent: float, streams: Streams) -> PowerLawFeatures:
    """Weights with entries N(0, 1/d).

    Args:
        v: the dimension of the inputs.
        d: the number of features.
        input_exponent: a of x_j = j^-a z_j.
        target_exponent: b of the target sum_j j^-b x_j.
        streams: where the weights are drawn from.
    """
    if d >= v:
        raise InputError(f"there must be fewer features than inputs, got d = {d} and v = {v}")
    weights = streams.child("weights").generator().standard_normal((v, d)) / np.sqrt(d)
    return PowerLawFeatures(weights, input_exponent, target_exponent)


@dataclass(frozen=True, eq=False)
class FeatureSGD:
    """SGD on inputs and labels, a dynamics for `run`: starts and states are theta of each replica, (replicas, d), times
    are numbers of steps.

    Args:
        features: W and the target.
        step: g.
        batch: B.
        streams: where the samples are drawn from.
    """

    features: PowerLawFeatures
    step: float
    batch: int
    streams: Streams

    def states(self, start: Array, times: Sequence[float]) -> Iterator[Array]:
        generator, theta, done = self.streams.child("samples").generator(), start.copy(), 0
        scales, weights = self.features.scales, self.features.weights
        both = np.column_stack([scales[:, None] * weights, scales * self.features.target])
        drawn = len(theta) * self.batch
        longest = max(1, NUMBERS // (drawn * len(weights)))
        for time in whole_times(times):
            while done < time:
                steps = min(longest, time - done)
                seen = generator.standard_normal((steps * drawn, len(weights))) @ both
                for block in seen.reshape(steps, len(theta), self.batch, -1):
                    phi, label = block[..., :-1], block[..., -1]
                    error = np.einsum("rbk,rk->rb", phi, theta) - label
                    theta -= self.step * np.einsum("rbk,rb->rk", phi, error)
                done += steps
            check_finite(theta)
            yield theta.copy()


@dataclass(frozen=True, eq=False)
class FeatureModes:
    """Several draws of features in their own eigenbases.

    Args:
        eigenvalues: of K, (draws, d).
        best: the best theta along the eigenvectors, (draws, d).
        floors: its risk, (draws,).
    """

    eigenvalues: Array
    best: Array
    floors: Array

    def repeated(self, runs: int) -> FeatureModes:
        """Each draw so many times, for as many `runs` of SGD on it."""
        return FeatureModes(*(np.repeat(each, runs, axis=0) for each in (self.eigenvalues, self.best, self.floors)))

    def risk(self, error: Array) -> Array:
        """The risk of each draw, (draws,), where theta misses the best one by `error`, (draws, d)."""
        return np.asarray((self.eigenvalues * error**2).sum(axis=1) + self.floors)


def feature_modes(draws: Sequence[PowerLawFeatures]) -> FeatureModes:
    """The eigenbases of some `draws` of features, all of one size."""
    found = []
    for features in draws:
        root = features.scales[:, None] * features.weights
        values, vectors = scipy.linalg.eigh(root.T @ root, overwrite_a=True, check_finite=False)
        labels = features.scales * features.target
        best = vectors.T @ (root.T @ labels) / values
        found.append((values, best, float(labels @ labels - values @ best**2)))
    return FeatureModes(*(np.array(each) for each in zip(*found, strict=True)))


@dataclass(frozen=True, eq=False)
class EigenSGD:
    """The same SGD in law, one replica of each draw: states are the errors theta minus the best theta along the
    eigenvectors, (draws, d), and `start` is minus the best theta.

    Args:
        modes: the eigenbases.
        step: g.
        batch: B.
        streams: where the samples are drawn from.
    """

    modes: FeatureModes
    step: float
    batch: int
    streams: Streams

    def states(self, start: Array, times: Sequence[float]) -> Iterator[Array]:
        generator, error, done = self.streams.child("samples").generator(), start.copy(), 0
        size, left = np.sqrt(self.modes.eigenvalues)[:, None], np.sqrt(self.modes.floors)[:, None]
        draws, d = start.shape
        longest = max(1, NUMBERS // (draws * self.batch * (d + 1)))
        for time in whole_times(times):
            while done < time:
                steps = min(longest, time - done)
                drawn = generator.standard_normal((steps, draws, self.batch, d + 1))
                phi, rest = drawn[..., :d] * size, drawn[..., d] * left
                for seen, unseen in zip(phi, rest, strict=True):
                    miss = np.einsum("rbk,rk->rb", seen, error) - unseen
                    error -= self.step * np.einsum("rbk,rb->rk", seen, miss)
                done += steps
            check_finite(error)
            yield error.copy()
