"""The spike that one giant step leaves in the singular values of the weights.

W1 = W0 + rank one of size theta1, plus a residual that does not move the top: with t = theta1^2 and
theta1 > psi2^(1/4),

    s1 -> sqrt((1 + t)(psi2 + t)/t),
    <u1, b>^2 -> (theta2^2/t) (1 - (psi2 + t)/(t (t + 1))),        b the linear direction of the target,
    <v1, a/|a|>^2 -> 1 - psi2 (1 + t)/(t (t + psi2)),

otherwise s1 -> 1 + sqrt(psi2) and both overlaps vanish. Source: [bes22], theorem on the leading singular
value and its left singular vector (overlaps of Benaych-Georges and Nadakuditi 2012; the right one is
derived).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive, require
from giantstep.errors import join
from giantstep.theory.proportional import OneStep

# Within this relative distance of the threshold the transition is visibly smeared at d ~ 1000.
NEAR_THRESHOLD = 0.15
LARGEST = 1e150


def threshold(psi2: ArrayLike) -> Array:
    """Smallest theta1 whose spike leaves the bulk: psi2^(1/4). [bes22] `psi2` is N/d, an array of any shape."""
    return positive("neurons_per_dim (psi2)", psi2) ** 0.25


def spike_singular_value(theta1: ArrayLike, psi2: ArrayLike) -> Array:
    """Limit of the largest singular value of W1: the spike, or the bulk's edge below the threshold. [bes22]

    Args:
        theta1: size of the rank-one step, an array.
        psi2: N/d, an array that broadcasts with it.
    """
    t, psi, above = _above(theta1, psi2)
    # (1+t)(psi+t)/t expanded, so that a huge step does not overflow.
    return np.where(above, np.sqrt(1 + psi + t + psi / t), 1 + np.sqrt(psi))


def left_overlap(theta1: ArrayLike, psi2: ArrayLike) -> Array:
    """Squared overlap of the top left singular vector with the step's direction X^T y. [bes22]

    Args:
        theta1: size of the rank-one step, an array.
        psi2: N/d, an array that broadcasts with it.
    """
    t, psi, above = _above(theta1, psi2)
    # 1 - (psi + t)/(t(t+1)) = (t^2 - psi)/(t(t+1)), without the subtraction from 1.
    return np.where(above, (t - psi / t) / (1 + t), 0.0)


def right_overlap(theta1: ArrayLike, psi2: ArrayLike) -> Array:
    """Squared overlap of the top right singular vector with the second layer a/|a|. Derived.

    Args:
        theta1: size of the rank-one step, an array.
        psi2: N/d, an array that broadcasts with it.
    """
    t, psi, above = _above(theta1, psi2)
    return np.where(above, (t - psi / t) / (t + psi), 0.0)


def _above(theta1: ArrayLike, psi2: ArrayLike) -> tuple[Array, Array, NDArray[np.bool_]]:
    """theta1^2 (1 where there is no spike, to divide safely), psi2, and where there is one."""
    theta = not_negative("theta1", theta1)
    require(theta < LARGEST, f"theta1, which grows with the step, must be below {LARGEST:g}: its square overflows")
    psi = positive("neurons_per_dim (psi2)", psi2)
    above = theta > psi**0.25
    return np.where(above, theta, 1.0) ** 2, psi, above


@dataclass(frozen=True)
class SpikeLaw:
    """What the spectrum of W1 shows. `left_alignment` is with the target's linear direction."""

    theta1: float
    theta2: float
    threshold: float
    supercritical: bool
    singular_value: float
    edge: float
    left_alignment: float
    right_alignment: float
    warning: str | None = None

    def __str__(self) -> str:
        sign = ">" if self.supercritical else "<="
        what = f"spike at {self.singular_value:.4g}" if self.supercritical else "no spike"
        note = f" {self.warning}" if self.warning else ""
        return (
            f"theta1 = {self.theta1:.4g} {sign} {self.threshold:.4g}: {what}, bulk edge {self.edge:.4g}, "
            f"alignment {self.left_alignment:.4g}.{note}"
        )


def weight_spike(setting: OneStep) -> SpikeLaw:
    """Spike, edge and overlaps of W1 for one setting of scalars. [bes22], see the module's formulas.

    Regime: n, d, N large in proportion, eta = Theta(1), mu1 of the activation not 0; a target with mu1* = 0
    gives a spike without alignment. `setting` is the step, with scalars for psi1, psi2, step and noise.

    >>> from giantstep.theory import Student, Teacher
    >>> relu, tanh = Teacher(0.5, 0.0908450569, 0.3989422804), Student(0.6057055096, 0.0274153260)
    >>> print(weight_spike(OneStep(tanh, relu, psi1=4, psi2=2, step=8)))
    theta1 = 2.967 > 1.189: spike at 3.469, bulk edge 2.414, alignment 0.5832.
    """
    theta1, theta2 = float(setting.theta1), float(setting.theta2)
    psi2 = float(np.asarray(setting.psi2))
    critical = float(threshold(psi2))
    towards_target = (theta2 / theta1) ** 2 if theta1 > 0 else 0.0
    near = abs(theta1 / critical - 1) < NEAR_THRESHOLD
    return SpikeLaw(
        theta1=theta1,
        theta2=theta2,
        threshold=critical,
        supercritical=theta1 > critical,
        singular_value=float(spike_singular_value(theta1, psi2)),
        edge=1 + psi2**0.5,
        left_alignment=towards_target * float(left_overlap(theta1, psi2)),
        right_alignment=float(right_overlap(theta1, psi2)),
        warning=join(
            setting.warning,
            "theta1 is close to its threshold, where finite sizes smear the transition." if near else None,
        ),
    )


def threshold_step(setting: OneStep) -> Array:
    """Step size eta at which the spike leaves the bulk, the rest of the setting unchanged; inf if mu1 = 0.

    eta_c = psi2^(1/4) / (mu1 sqrt(E y^2/psi1 + mu1*^2)), for theta1 is linear in eta. [bes22]

    `setting` is everything but the step size, which is ignored; its arrays broadcast.

    >>> from giantstep.theory import Student, Teacher
    >>> relu, tanh = Teacher(0.5, 0.0908450569, 0.3989422804), Student(0.6057055096, 0.0274153260)
    >>> round(float(threshold_step(OneStep(tanh, relu, psi1=4, psi2=2, step=0))), 3)
    3.206
    """
    unit = replace(setting, step=1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(threshold(setting.psi2) / unit.theta1)
