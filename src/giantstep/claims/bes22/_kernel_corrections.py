"""What finite size, curvature and unequal neurons do to the spike of the conjugate kernel, for its claim."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from giantstep.claims.bes22._proportional import SECOND_TRACY_WIDOM, mean_growth
from giantstep.theory import Student, spectra

FAR = np.linspace(-20, 20, 1001)  # where a slope that is not bounded shows it
FIRST_ORDER = 0.1  # beyond this, corrections that are known to first order are not trusted and nothing more is granted


@lru_cache(maxsize=256)
def conjugate_kernel(student: Student, psi1: float, psi2: float) -> spectra.ConjugateKernel:
    """The bulk of a point once for its prediction, its hypotheses and what is allowed there."""
    return spectra.ConjugateKernel.of(student, psi1, psi2)


def growth(point: Any) -> float:
    """theta1^2/N, by which the squared length of an average neuron grows: what a step of order 1 leaves out."""
    return float(min(FIRST_ORDER, float(point.setting(point.step).theta1 ** 2) / point.neurons))


def saturation(point: Any) -> float:
    """3 theta1^2 |E s'''|/(mu1 N), what a saturating activation loses at a finite width.

    Gaussian equivalence is off by it (derived): neuron j has squared length 1 + theta1^2 b_j^2 after the step,
    b = a/|a|, so that its slope is not mu1 but mu1 + E s''' theta1^2 b_j^2/2; with E b_j^4 = 3/N^2 the square of the
    rank-one part changes by the factor 1 + 3 theta1^2 E s'''/(mu1 N).
    """
    bend = point.activation.hermite_coefficient(3) / point.activation.moments.mu1
    return float(min(FIRST_ORDER, 3 * abs(bend) * growth(point)))


def inside(point: Any) -> float:
    """The second Tracy-Widom mean, by which the second eigenvalue sits inside the edge."""
    return float(SECOND_TRACY_WIDOM * point.kernel.edge_scale(point.samples))


def curvature_is_small(point: Any) -> bool:
    """Whether curvature alone is far from causing an outlier: x_c of the theory is at most half of theta_c^2."""
    setting = point.setting()
    return bool(
        spectra.spike_direction(setting.student, point.neurons / point.d, 0.0, 0.0).place
        <= point.kernel.threshold**2 / 2
    )


def slope_is_bounded(point: Any) -> bool:
    """Whether s' stays bounded: [bes22] asks for it, and a square gives features whose lengths have heavy tails."""
    near, far = (float(np.abs(point.activation.derivative(reach * FAR)).max()) for reach in (1, 2))
    return far <= 1.5 * near


def as_if_odd(point: Any) -> float:
    """The spike that the conjecture would give if its equation were read for an activation of any kind."""
    setting = point.setting(point.step)
    return spectra.kernel_spike(replace(setting, student=replace(setting.student, curvature=0.0))).eigenvalue


def lengths(point: Any) -> float:
    """(2 eta c2 mu0*)^2/N, for neurons whose lengths a target with a mean has spread, c2 = E s''."""
    return float(min(FIRST_ORDER, mean_growth(point, point.step)))


def in_the_figure(point: Any) -> float | None:
    """The overlap of the spike that the slide's figure shows for eta = 2: that of a step twice as large."""
    own = type(point)()
    same = point.replace(step=own.step, d=own.d) == own
    return spectra.kernel_spike(point.setting(4.0)).label_alignment if same and point.step == 2 else None
