"""Gradient descent of one neuron on samples, from many starts at once: the flows of `population` in steps.

Averages over samples take the place of expectations, and the sample covariance that of Sigma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.checks import real_number, shown
from giantstep.errors import InputError
from giantstep.learners.flows.task import FlowKind, check_kind
from giantstep.learners.trajectory import whole_times
from giantstep.problems import Activation


@dataclass(frozen=True, eq=False, repr=False)
class SampleFlow:
    """Gradient descent on n samples, a dynamics for `run`: starts and states are w, (starts, d), times are numbers of
    steps.

    A spherical step is projected back to the sphere; the others keep <w, Sigma_n w> = 1, which is no restriction: f and
    the direction of w' do not depend on the length of w.

    Args:
        activation: sigma, or its text such as "relu(z - 1)".
        x: the inputs, (n, d), as an array or as lists.
        y: the labels, (n,).
        step: the step size, above 0: time of the flow in one step.
        kind: "spherical", "normalised" or "preconditioned".
    """

    activation: Activation
    x: Array
    y: Array
    step: float
    kind: FlowKind = "normalised"

    def __post_init__(self) -> None:
        check_kind(self.kind)
        if isinstance(self.activation, str):
            object.__setattr__(self, "activation", Activation(self.activation))
        object.__setattr__(self, "x", _numbers("inputs", self.x))
        object.__setattr__(self, "y", _numbers("labels", self.y))
        real_number("step", self.step, "a positive number", least=np.finfo(np.float64).tiny)

    def states(self, start: Array, times: Sequence[float]) -> Iterator[Array]:
        x, y, start = self.x, self.y, _numbers("starts", start)
        _check_data(x, y, start)
        covariance = x.T @ x / len(x)
        factor = _factor(covariance, len(x)) if self.kind == "preconditioned" else None
        lengths, done = self._length(start, covariance), 0
        if not lengths.all():
            raise InputError("starts must not be zero, nor orthogonal to all inputs: they have no direction")
        w = start / lengths
        for time in whole_times(times):
            while done < time:
                value, slope = self.activation.value_and_derivative(x @ w.T)
                value -= y[:, None]
                value *= -slope
                pull = value.T @ x / len(x)  # mean of e sigma' x
                along = w if self.kind == "spherical" else w @ covariance
                move = pull - np.einsum("bi,bi->b", w, pull)[:, None] * along
                if factor is not None:
                    move = scipy.linalg.cho_solve(factor, move.T).T
                w = w + 2.0 * self.step * move
                w /= self._length(w, covariance)
                done += 1
            yield w

    def _length(self, w: Array, covariance: Array) -> Array:
        metric = w if self.kind == "spherical" else w @ covariance
        return np.asarray(np.sqrt(np.einsum("bi,bi->b", w, metric))[:, None])

    def __repr__(self) -> str:
        n, d = self.x.shape
        return f"SampleFlow({self.kind}, {self.activation}, n={n}, d={d}, step={self.step:g})"


def _numbers(name: str, given: ArrayLike) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers, not {shown(given)}") from None


def _factor(covariance: Array, samples: int) -> tuple[Array, bool]:
    try:
        factor, lower = scipy.linalg.cho_factor(covariance)
    except scipy.linalg.LinAlgError:
        raise InputError(
            f"the covariance of {samples} samples in {len(covariance)} dimensions is singular, but the preconditioner "
            "inverts it: give more samples, or take the flow without preconditioner"
        ) from None
    return factor, lower


def _check_data(x: Array, y: Array, start: Array) -> None:
    if x.ndim != 2 or y.shape != x.shape[:1] or start.ndim != 2 or start.shape[1:] != x.shape[1:]:
        raise InputError(
            f"inputs (n, d), labels (n,) and starts (B, d) do not fit together: {x.shape}, {y.shape} and {start.shape}"
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all() and np.isfinite(start).all()):
        raise InputError("inputs, labels and starts must be finite")
