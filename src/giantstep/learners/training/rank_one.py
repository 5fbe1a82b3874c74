"""The first gradient in two parts: the rank-one part along (1/n) X^T y, and the rest ([bes22], gradient matrix G0)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.kernels import dual_kernel, second_moment_at
from giantstep.learners.engines import GiantStep, StepInfo, apply_gradient, first_layer_gradient, sum_over_blocks
from giantstep.learners.engines.blocks import Progress
from giantstep.learners.networks import Network, StepConvention
from giantstep.problems import Sample


@dataclass(frozen=True, eq=False)
class FirstGradient:
    """A network before its first step, and what its gradient saw: one pass over the sample serves every step size.

    Args:
        start: the network before the step.
        seen: its gradient per neuron.
        sample: the samples of the gradient.
    """

    start: Network
    seen: StepInfo
    sample: Sample

    def after(self, step: float) -> Network:
        """The network after a step of this size in the convention W1 = W0 + eta sqrt(N) G0."""
        return apply_gradient(self.start, self.seen, GiantStep(step, StepConvention.BES22_SLIDE))

    @property
    def gradient(self) -> Array:
        """sqrt(N) G0 with neurons as rows, (N, d): row j is a_j g_j."""
        return self.start.second_layer[:, None] * self.seen.gradient

    @cached_property
    def correlation(self) -> Array:
        """(1/n) X^T y of the samples, (d,), along which the rank-one part lies."""
        return label_correlation(self.sample)

    @property
    def direction(self) -> Array:
        """X^T y/|X^T y|, (d,), a unit vector."""
        return np.asarray(self.correlation / np.linalg.norm(self.correlation))

    @property
    def rank_one_part(self) -> Array:
        """sqrt(N) A, rows as in `gradient`: mu1 a_j (1/n) X^T y."""
        mu1 = self.start.activation.moments.mu1
        return mu1 * np.outer(self.start.second_layer, self.correlation)

    @property
    def rank_one_norm(self) -> float:
        """sqrt(N) |A|, the same in operator and Frobenius norm: mu1 |a| |X^T y/n|."""
        sizes = np.linalg.norm(self.start.second_layer) * np.linalg.norm(self.correlation)
        return abs(self.start.activation.moments.mu1) * float(sizes)

    def feature_changes(self, step: float) -> Array:
        """E (s(<w1, x>) - s(<w0, x>))^2 of each neuron after a step of this size, over the mean of E s(<w0, x>)^2, for
        x ~ N(0, I), exactly: (N,)."""
        s, w0, w1 = self.start.activation, self.start.weights, self.after(step).weights
        q0, q1, both = (np.einsum("ij,ij->i", u, v) for u, v in ((w0, w0), (w1, w1), (w0, w1)))
        start, moved = second_moment_at(s, np.sqrt(q0)), second_moment_at(s, np.sqrt(q1))
        squares = start - 2 * dual_kernel(s, s, q0, q1, both) + moved
        return np.asarray(np.maximum(squares, 0.0) / start.mean())


def first_gradient(
    network: Network, sample: Sample, *, threads: int = 1, progress: Progress | None = None
) -> FirstGradient:
    """The gradient of a network on a sample, taken once for all step sizes.

    Args:
        network: the network before its step.
        sample: the samples of the step.
        threads: how many threads may work on it.
        progress: told the fraction done.
    """
    return FirstGradient(network, first_layer_gradient(network, sample, threads=threads, progress=progress), sample)


def label_correlation(sample: Sample, linear: Array | None = None) -> Array:
    """(1/n) X^T y of `sample`, (d,).

    With `linear`, (d,), the labels are those left by this linear function: (1/n) X^T (y - X linear).
    """

    def work(number: int) -> tuple[Array]:
        x, y = sample.block(number)
        return (x.T @ (y if linear is None else y - x @ linear),)

    (total,) = sum_over_blocks(sample.blocks(), work)
    return total / sample.samples


def rank_one_steps(network: Network, batch: Callable[[int], Sample], step: float, steps: int) -> Iterator[Array]:
    """The rank-one part g a^T of the weights' change after 0, 1, ... steps: each adds to g, (d,),

        eta |mu1| (1/n) X^T (y - X g |mu1| |a|^2/sqrt(N)),

    where the labels are those that the linear part of the output leaves. For a linear network that starts at zero
    weights this is all that happens.

    Args:
        network: the start, of which the second layer a and the activation matter.
        batch: the sample of step 1, 2, ...
        step: eta, in the convention W1 = W0 + eta sqrt(N) G0.
        steps: how many are taken.
    """
    mu1, size2 = abs(network.activation.moments.mu1), float(network.second_layer @ network.second_layer)
    moved = np.zeros(network.d)
    yield moved
    for number in range(1, steps + 1):
        output = mu1 * size2 / network.neurons**0.5 * moved
        moved = moved + step * mu1 * label_correlation(batch(number), output)
        yield moved
