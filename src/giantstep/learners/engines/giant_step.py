"""One giant step of the first layer: a network and a sample in, the next network and what was seen out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.checks import instance, real_number
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import Progress
from giantstep.learners.engines.full import full_gradient
from giantstep.learners.networks.conventions import StepConvention, named
from giantstep.learners.networks.network import Network, check_network
from giantstep.problems import Sample


@dataclass(frozen=True)
class GiantStep:
    """A gradient step of size eta, read in a named convention.

    >>> GiantStep(4.0, StepConvention.BES22_SLIDE)
    GiantStep(eta=4, <StepConvention.BES22_SLIDE: s = eta>)
    """

    size: float
    convention: StepConvention = StepConvention.PER_NEURON

    def __post_init__(self) -> None:
        real_number("the step size", self.size)
        object.__setattr__(self, "convention", named("the convention of the step", StepConvention, self.convention))

    def multiplier(self, width: int) -> float:
        """s in w_i += s a_i g_i."""
        return self.convention.multiplier(self.size, width)

    def __repr__(self) -> str:
        return f"GiantStep(eta={self.size:g}, {self.convention!r})"


def check_step(value: Any) -> GiantStep:
    """A step that was given, or the sentence that says how one is made."""
    return instance("the step", value, GiantStep, "one such as GiantStep(0.5)")


@dataclass(frozen=True, eq=False, repr=False)
class StepInfo:
    """What a step saw: the gradients per neuron, without a_i, and mean squares over the sample."""

    gradient: NDArray[np.float64]
    """g_i = (1/n) sum_mu (y_mu - f(x_mu)) sigma'(h_{mu i}) x_mu as rows, (N, d)."""
    residual_norm2: float
    """(1/n) sum_mu (y_mu - f(x_mu))^2 before the step."""
    label_norm2: float
    """(1/n) sum_mu y_mu^2."""
    n: int

    def share(self, directions: int) -> NDArray[np.float64]:
        """|P_V g_i|^2 / |g_i|^2 per neuron, V spanned by the first axes (NaN where the gradient is zero)."""
        squares = self.gradient**2
        return ratio(squares[:, :directions].sum(axis=1), squares.sum(axis=1))

    def __repr__(self) -> str:
        width, d = self.gradient.shape
        return f"StepInfo(gradient=({width}, {d}), n={self.n}, residual_norm2={self.residual_norm2:.4g})"


def check_finite(gradient: NDArray[np.float64]) -> None:
    """Say so when training has diverged, instead of going on with NaN."""
    if not np.isfinite(gradient).all():
        raise InputError("the gradient is not finite: the network has diverged, take smaller or fewer steps")


def ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """part / whole, NaN where the whole is zero."""
    result = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def first_layer_gradient(
    net: Network,
    sample: Sample,
    *,
    threads: int = 1,
    dtype: DTypeLike | None = None,
    progress: Progress | None = None,
) -> StepInfo:
    """What `take_step` sees: one pass over the sample serves every step size (see `apply_gradient`)."""
    gradient, residual_norm2, label_norm2 = full_gradient(net, sample, threads=threads, dtype=dtype, progress=progress)
    check_finite(gradient)
    gradient.flags.writeable = False
    return StepInfo(gradient, residual_norm2, label_norm2, sample.n)


def apply_gradient(net: Network, info: StepInfo, step: GiantStep) -> Network:
    """w_i + s a_i g_i."""
    check_step(step).convention.check(net.scaling)
    return net.with_weights(net.weights + (step.multiplier(net.width) * net.second_layer)[:, None] * info.gradient)


def take_step(
    net: Network,
    sample: Sample,
    step: GiantStep,
    *,
    threads: int = 1,
    dtype: DTypeLike | None = None,
    progress: Progress | None = None,
) -> tuple[Network, StepInfo]:
    """One step on one sample. Give the same sample again for a second step on the same batch."""
    check_step(step).convention.check(check_network(net).scaling)
    info = first_layer_gradient(net, sample, threads=threads, dtype=dtype, progress=progress)
    return apply_gradient(net, info, step), info
