"""A giant step of the first layer, and what it saw: the nouns that both engines share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import instance, real_number
from giantstep.errors import InputError
from giantstep.learners.networks.conventions import StepConvention, named


@dataclass(frozen=True)
class GiantStep:
    """A gradient step of the first layer, w_i += s a_i g_i.

    Args:
        size: eta, a number in the unit of its convention.
        convention: how eta becomes s, a `StepConvention` or its name; s = eta unless given.

    >>> GiantStep(4.0, StepConvention.BES22_SLIDE)
    GiantStep(eta=4, <StepConvention.BES22_SLIDE: s = eta>)
    """

    size: float
    convention: StepConvention = StepConvention.PER_NEURON

    def __post_init__(self) -> None:
        real_number("the step size", self.size)
        object.__setattr__(self, "convention", named("the convention of the step", StepConvention, self.convention))

    def multiplier(self, neurons: int) -> float:
        """s for a network of so many `neurons`."""
        return self.convention.multiplier(self.size, neurons)

    def __repr__(self) -> str:
        return f"GiantStep(eta={self.size:g}, {self.convention!r})"


def check_step(value: Any) -> GiantStep:
    """A step that was given, or the sentence that says how one is made."""
    return instance("the step", value, GiantStep, "one such as GiantStep(0.5)")


def check_finite(gradient: Array) -> None:
    """Say so when training has diverged, instead of going on with NaN."""
    if not np.isfinite(gradient).all():
        raise InputError("the gradient is not finite: the network has diverged, take smaller or fewer steps")


@dataclass(frozen=True, eq=False, repr=False)
class StepInfo:
    """What a step saw: the gradients per neuron, without a_i, and means over the sample.

    Args:
        gradient: g_i = (1/n) sum_mu (y_mu - f(x_mu)) sigma'(h_{mu i}) x_mu as rows, (neurons, axes). The axes are all
            d on the full engine; on the reduced one, those of the state before the step and the new ones. The first
            axes are the directions of the target on both.
        residual_norm2: (1/n) sum_mu (y_mu - f(x_mu))^2 before the step.
        label_norm2: (1/n) sum_mu y_mu^2.
        samples: n.
    """

    gradient: Array
    residual_norm2: float
    label_norm2: float
    samples: int

    def __post_init__(self) -> None:
        check_finite(self.gradient)
        self.gradient.flags.writeable = False

    def overlaps(self, directions: int) -> Array:
        """<g_i, e_k> with the first axes, (neurons, directions)."""
        return self.gradient[:, :directions]

    def share(self, directions: int) -> Array:
        """|P_V g_i|^2 / |g_i|^2, V spanned by the first axes, (neurons,); NaN where the gradient is zero."""
        squares = self.gradient**2
        whole = squares.sum(axis=1)
        share = np.full(whole.shape, np.nan)
        np.divide(squares[:, :directions].sum(axis=1), whole, out=share, where=whole > 0)
        return share

    def __repr__(self) -> str:
        return f"StepInfo(gradient={self.gradient.shape}, n={self.samples}, residual_norm2={self.residual_norm2:.4g})"
