"""What to watch in a network on its way: overlaps, principal angles, spectra, risk; each is a function of the state.

run(FreshSteps(...), start, steps=3, watch={"overlaps": overlaps(2), "risk": risk(problem)})
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import whole_number
from giantstep.learners.networks.network import Network
from giantstep.learners.risk.test_risk import exact_risk, monte_carlo_risk
from giantstep.problems import Problem
from giantstep.problems.inputs import Isotropic
from giantstep.streams import Streams

Observable = Callable[[Any], Any]


def overlaps(directions: int) -> Observable:
    """The mean squared cosine of the neurons with each of the target's `directions`, (r,); chance is 1/d."""
    r = whole_number("directions", directions)

    def seen(state: Network) -> NDArray[np.float64]:
        squares = state.weights**2
        return np.asarray((squares[:, :r] / squares.sum(axis=1, keepdims=True)).mean(axis=0))

    return seen


def principal_angles(directions: int) -> Observable:
    """The angles, in radians and rising, between the target's `directions` and as many leading ones of the weights.

    Leading are the right singular vectors of the largest singular values; all angles 0 is all of the target found.
    """
    r = whole_number("directions", directions)

    def seen(state: Network) -> NDArray[np.float64]:
        _, _, right = np.linalg.svd(state.weights, full_matrices=False)
        cosines = np.linalg.svd(right[:r, :r], compute_uv=False)
        return np.asarray(np.arccos(np.clip(cosines, 0.0, 1.0)))

    return seen


def singular_values(count: int | None = None) -> Observable:
    """The singular values of the weights, falling, (count,); all of them if no `count` is given."""
    most = None if count is None else whole_number("count", count)

    def seen(state: Network) -> NDArray[np.float64]:
        return np.asarray(np.linalg.svd(state.weights, compute_uv=False)[:most])

    return seen


def risk(problem: Problem, samples: int = 10_000, streams: Streams | None = None) -> Observable:
    """E (f(x) - f*(x))^2 of the network with its own second layer: exact where it can be, else over fresh points.

    Args:
        problem: the noise-free target counts; isotropic inputs, target and activation as texts give the exact risk.
        samples: how many points are drawn otherwise, the same ones at every time.
        streams: where they are drawn from.
    """
    drawn = streams or Streams(0).child("risk")

    def seen(state: Any) -> float:
        sampled = any(getattr(one, "is_sampled", False) for one in (problem.target, state.activation))
        if isinstance(problem.inputs, Isotropic) and not sampled:
            return exact_risk(state, problem)
        return monte_carlo_risk(state, problem, samples, drawn).value

    return seen
