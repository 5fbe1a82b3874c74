"""The first gradient is rank one in operator norm but not in Frobenius norm, and what that makes of the
step size.

G0 = A + B with A = mu1/(n sqrt N) X^T y a^T. As n, d, N grow in proportion,

    sqrt(N) |G0| -> sqrt(N) |A| -> mu1 sqrt(E y^2/psi1 + mu1*^2) = theta1/eta,      |B|/|G0| = O(1/sqrt N),
    |B|_F/|A|_F -> sqrt(Var s' E y^2/psi1 + (mu0* E s'')^2) / (mu1 sqrt(E y^2/psi1 + mu1*^2)).

Source: [bes22], proposition on the gradient matrix (operator norm); the Frobenius limit is derived: the
entries of B are (1/n) sum_i y_i (s'(z_i) - mu1) x_i a_j/sqrt N, with variance Var s' E y^2/n and, along
w_j, the mean mu0* E s''.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from giantstep.theory.setting import ROUNDING, Array, OneStep, Student, Teacher, positive, require


def gradient_norm(student: Student, teacher: Teacher, psi1: ArrayLike, noise: ArrayLike = 0.0) -> Array:
    """Limit of sqrt(N) |G0| in operator norm, in the convention without the factor 2. [bes22], see the
    module.

    >>> float(gradient_norm(Student(1.0, 0.0), Teacher(1.0, 0.0), 1.0).round(6))
    1.414214
    """
    return OneStep(student, teacher, psi1, 1.0, 1.0, noise).theta1


def frobenius_ratio(student: Student, teacher: Teacher, psi1: ArrayLike, noise: ArrayLike = 0.0) -> Array:
    """Limit of |B|_F/|A|_F, of order one: the residual has as many entries as it is small. Derived, see the module."""
    require(abs(student.mu1) > ROUNDING, "The activation has mu1 = 0, so the rank-one part A vanishes.")
    setting = OneStep(student, teacher, psi1, 1.0, 1.0, noise)
    spread = setting.label_second_moment / positive("samples_per_dim (psi1)", psi1)
    residual = np.sqrt(student.slope_variance * spread + (teacher.mu0 * student.curvature) ** 2)
    return np.asarray(residual / setting.theta1)


@dataclass(frozen=True)
class StepNorms:
    """Relative size of the first step: |W1 - W0|/|W0| in operator and Frobenius norm, and of the features.

    `features` is the root mean square of s(<w1, x>) - s(<w0, x>) over that of s(<w0, x>), to first order
    in the step.
    """

    operator: float
    frobenius: float
    features: float
    warning: str | None = None


# Beyond this relative change the first-order formula for the features is off by more than a tenth.
_FIRST_ORDER = 0.3


def step_norms(setting: OneStep, neurons: int) -> StepNorms:
    """Sizes of one step of size eta at width N: theta1/(1 + sqrt psi2) in operator norm, and in Frobenius
    norm

        |W1 - W0|_F/|W0|_F = theta1 sqrt(1 + (|B|_F/|A|_F)^2)/sqrt N,

    so eta = Theta(1) moves the operator norm by O(1) and every weight by O(1/sqrt N), eta = Theta(sqrt N)
    the Frobenius norm and the features by O(1) (maximal update parameterisation). [bes22], choice of the
    learning rate; constants derived. Operator norm: the sum of a matrix and a spike is compared with the
    matrix, as in the paper, by |W1 - W0|/|W0|.
    """
    require(neurons >= 1, f"neurons must be 1 or more, got {neurons}.")
    student = setting.student
    theta1 = float(setting.theta1)
    ratio = float(frobenius_ratio(student, setting.teacher, setting.psi1, setting.noise))
    frobenius = theta1 * np.sqrt(1 + ratio**2) / np.sqrt(neurons)
    slope2 = student.slope_variance + student.mu1**2
    second = student.mu0**2 + student.mu1**2 + student.mu2_squared
    features = frobenius * np.sqrt(slope2 / second)
    return StepNorms(
        operator=theta1 / (1 + float(np.asarray(setting.psi2)) ** 0.5),
        frobenius=float(frobenius),
        features=float(features),
        warning="The features move by more than the first order in the step describes."
        if features > _FIRST_ORDER
        else None,
    )


@dataclass(frozen=True)
class RegimeSlopes:
    """Exponents of N in the three relative sizes of the step eta = N^alpha."""

    operator: float
    frobenius: float
    features: float


def regime_slopes(step_exponent: float) -> RegimeSlopes:
    """alpha, alpha - 1/2 and alpha - 1/2 for eta = N^alpha, 0 <= alpha <= 1/2. [bes22], choice of the
    learning rate.

    >>> regime_slopes(0.5)
    RegimeSlopes(operator=0.5, frobenius=0.0, features=0.0)
    """
    require(0 <= step_exponent <= 0.5, f"step_exponent must lie between 0 and 0.5, got {step_exponent}.")
    return RegimeSlopes(step_exponent, step_exponent - 0.5, step_exponent - 0.5)
