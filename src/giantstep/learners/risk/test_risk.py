"""The test risk E (f(x) - f*(x))^2 against the noise-free target: computed, with Monte-Carlo as a check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.checks import whole_number
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.full import Cast
from giantstep.learners.engines.reduced import ReducedState
from giantstep.learners.networks.network import Network
from giantstep.learners.risk.features import feature_moments, seen_by
from giantstep.problems import Problem
from giantstep.streams import Streams


@dataclass(frozen=True)
class MonteCarloRisk:
    """A mean over n test points.

    Args:
        value: the mean of (f(x) - f*(x))^2.
        stderr: its standard error.
        samples: n.
    """

    value: float
    stderr: float
    samples: int


@overload
def exact_risk(state: Network | ReducedState, problem: Problem, coefficients: None = None) -> float: ...
@overload
def exact_risk(
    state: Network | ReducedState, problem: Problem, coefficients: NDArray[np.float64]
) -> NDArray[np.float64]: ...
def exact_risk(
    state: Network | ReducedState, problem: Problem, coefficients: NDArray[np.float64] | None = None
) -> float | NDArray[np.float64]:
    """E (f(x) - f*(x))^2 without a test set, of a network itself or of heads on its features.

    For many heads on one network keep `feature_moments(state, problem)` and ask it for each risk.

    Args:
        state: a network or a reduced state.
        problem: the noise-free target counts; inputs must be isotropic.
        coefficients: heads c on unscaled features, (N,) or (L, N); the state's own second layer unless given.
    """
    moments = feature_moments(state, problem)
    if coefficients is not None:
        return moments.risk(coefficients)
    return float(moments.risk(state.coefficients))


def monte_carlo_risk(
    state: Network | ReducedState,
    problem: Problem,
    samples: int,
    streams: Streams,
    *,
    threads: int = 1,
    dtype: DTypeLike = np.float64,
    progress: Progress | None = None,
) -> MonteCarloRisk:
    """The mean of (f(x) - f*(x))^2 over fresh points; works for inputs of any law on the full engine.

    Args:
        state: a network or a reduced state.
        problem: the noise-free target counts.
        samples: how many points.
        streams: where they are drawn from.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        dtype: float32 for points and products in single precision; sums are in double precision.
        progress: called with the fraction done after each block.
    """
    samples = whole_number("the number of test points", samples, least=2)
    net, problem = seen_by(state, problem)
    cast = Cast(net, replace(problem, noise=0.0).sample(samples, streams, dtype=dtype))

    def work(number: int) -> Results:
        x, y = cast.block(number)
        squares = np.asarray(y - cast.features(x) @ cast.coefficients, dtype=np.float64) ** 2
        # Spread about the block's own mean: the variance must not be a difference of large sums.
        mean = squares.mean()
        return (np.array([squares.sum(), len(y) * mean**2, ((squares - mean) ** 2).sum()]),)

    (sums,) = sum_over_blocks(cast.sample.blocks(), work, threads=threads, progress=progress)
    mean = float(sums[0]) / samples
    spread = float(sums[2]) + max(float(sums[1]) - samples * mean**2, 0.0)
    return MonteCarloRisk(mean, sqrt(spread / (samples - 1) / samples), samples)
