"""The second layer of the lemma on tau*: what the mean of neurons with one gain makes of the target. [bes22]"""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import positive
from giantstep.gaussian import ScalarFunction
from giantstep.gaussian.quadrature import panel_rule
from giantstep.theory.proportional import OneStep


def gains_in_window(best: float, typical: float, window: float) -> float:
    """Share of N(0, typical^2) gains, of either sign, whose size is within `window`, a part of it, of the `best` one.

    `typical` is eta mu1 mu1*/sqrt(N), the gain of a neuron with a_j = 1/sqrt(N). Derived.

    >>> round(gains_in_window(1.0, 1.0, 0.1), 4)
    0.0968
    """
    low, high = (scipy.special.ndtr(best * (1 + side * window) / positive("typical", typical)) for side in (-1, 1))
    return float(2 * (high - low))


def averaged_neurons_risk(
    link: ScalarFunction, activation: ScalarFunction, gains: Array, setting: OneStep, error2: float | None = None
) -> float:
    """Risk of the mean of m neurons s(<w_j, x>) after a large step, as an imitation of s*(<b, x>).

    With k_j the gain along b, <w_j, x> is k_j u + v_j z_j, where u = x1 + c x' contains the error of the step's
    direction, the same for all neurons, and z_j ~ N(0,1) is a neuron's own:

        c^2 = E[y^2]/(psi1 mu1*^2),    v_j^2 = 1 + k_j^2 (Var s' E[y^2]/psi1 + (mu0* E s'')^2)/(mu1 mu1*)^2,
        R = E (s*(x1) - (1/m) sum_j E s(k_j u + v_j z))^2 + (1/m^2) sum_j E Var(s(k_j u + v_j z) | u).

    Derived; [bes22], lemma on tau*, to which R falls as psi1 and m grow.

    Args:
        link: s* of the single-index target.
        activation: s of the neurons.
        gains: k_j, (m,).
        setting: the step, with scalars for psi1, psi2, step and noise.
        error2: c^2 of a direction that was drawn; the limit unless given.
    """
    student, teacher = setting.student, setting.teacher
    spread = float(setting.label_second_moment / np.asarray(setting.psi1))
    common2 = spread / teacher.mu1**2 if error2 is None else error2
    own = (student.slope_variance * spread + (teacher.mu0 * student.curvature) ** 2) / (student.mu1 * teacher.mu1) ** 2
    t, weight = panel_rule(breaks=(0.0,), order=8, panels=8, reach=8.0)
    z, mass = panel_rule(breaks=(0.0,), order=6, panels=8, reach=7.0)
    rho2 = 1 / (1 + common2)
    wanted = np.asarray(link(np.sqrt(rho2) * t[:, None] + np.sqrt(1 - rho2) * z))
    expected, square = wanted @ mass, float(weight @ (wanted**2 @ mass))
    total, variance = np.zeros(len(t)), 0.0
    for k in gains:
        values = np.asarray(activation(k / np.sqrt(rho2) * t[:, None] + np.sqrt(1 + k**2 * own) * z))
        mean = values @ mass
        total += mean / len(gains)
        variance += float(weight @ (values**2 @ mass - mean**2)) / len(gains) ** 2
    return float(square - 2 * weight @ (expected * total) + weight @ total**2 + variance)
