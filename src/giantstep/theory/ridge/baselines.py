"""What kernels reach without learning features: linear ridge, tangent kernel, conjugate kernels, and their
common bound.

In the proportional regime each of these is ridge regression on x with an effective penalty l (Omega = I,
n/d -> psi1):

    1 - l/k = (1/psi1)/(1 + k),   R + noise^2 = [mu0*^2 + mu1*^2 (k/(1+k))^2 + mu2*^2 + noise^2]/(1 -
    (1/psi1)/(1+k)^2),

with mu0*^2 (k/(k + s))^2 for mu0*^2 if the kernel has a constant part, s times its linear one: s = c2^2/mu1^2 for the
tangent kernel and c2^2/(2 mu1^2) for the conjugate one (infinite if E s is not 0), with c2 = E s'', which vanishes for
odd activations. So none falls below mu2*^2 = |P_{>1} f*|^2. Source: [bes22], kernel lower bound (after Ghorbani et al.
2019 and others); effective penalties and constants from the linearisation of kernel matrices (El Karoui 2010), derived.
Ridge convention (1/n)|y - Phi a|^2 + (lam/N)|a|^2 for kernels with N neurons, that is K + (n lam/N) I in kernel form.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive
from giantstep.theory.proportional import OneStep, Student, Teacher
from giantstep.theory.ridge.one_step import asymptotic_risk


def kernel_lower_bound(teacher: Teacher) -> float:
    """|P_{>1} f*|^2 = mu2*^2, below which no kernel here falls. [bes22]

    Regime: n of order d; kernels of random features, tangent kernels and inner-product kernels. `teacher` holds the
    moments of the target.

    >>> kernel_lower_bound(Teacher(0.5, 0.25))
    0.25
    """
    return teacher.mu2_squared


def linear_ridge_risk(
    teacher: Teacher, psi1: ArrayLike, ridge: ArrayLike, noise: ArrayLike = 0.0, constant: float = 0.0
) -> Array:
    """Risk of (1/n)|y - X b|^2 + l |b|^2, no intercept unless there is a `constant` part; Hastie et al. 2022 (derived).

    The module's formula.

    k is the positive root of k^2 + (1 - l - 1/psi1) k - l = 0.

    Args:
        teacher: moments of the target.
        psi1: n/d, an array; like all that follow, it broadcasts.
        ridge: l.
        noise: standard deviation of the label noise.
        constant: s of the module, the kernel's constant part over the eigenvalue of its linear part.

    >>> float(linear_ridge_risk(Teacher(1.0, 0.0), 2.0, 1e8).round(6))
    1.0
    """
    samples = positive("samples_per_dim (psi1)", psi1)
    level = positive("ridge", ridge)
    noise2 = not_negative("noise", noise) ** 2
    b = 1 - level - 1 / samples
    root = np.sqrt(b**2 + 4 * level)
    # Both forms of the positive root; the one taken adds numbers of one sign.
    k = np.where(b > 0, 2 * level / (np.abs(b) + root), (np.abs(b) + root) / 2)
    # 1 - 1/(psi1 (1+k)^2) = l/k + (1/psi1) k/(1+k)^2, positive term by term.
    remaining = level / k + k / (samples * (1 + k) ** 2)
    mean2 = (teacher.mu0 * k / (k + constant)) ** 2
    signal = mean2 + teacher.mu2_squared + teacher.mu1**2 * (k / (1 + k)) ** 2
    return np.asarray((signal + noise2 * (1 - remaining)) / remaining)


def _slope2(student: Student) -> float:
    """mu1^2, which must not vanish: without it a kernel sees no linear part."""
    return float(positive("|mu1| of the activation", abs(student.mu1))) ** 2


def tangent_kernel_risk(
    student: Student,
    teacher: Teacher,
    psi1: ArrayLike,
    psi2: ArrayLike,
    ridge: ArrayLike,
    noise: ArrayLike = 0.0,
) -> Array:
    """Ridge on the tangent kernel (X X^T/d) o (s'(XW) s'(XW)^T/N) of the first layer: l = (Var s' + lam
    psi1/psi2)/(mu1^2 psi1).

    The Nd features make the kernel as good as its mean: mu1^2 X X^T/d + c2^2 1 1^T/d + Var s' I. Derived.

    Args:
        student: moments of the activation, mu1 not 0.
        teacher: moments of the target.
        psi1: n/d, an array; like all that follow, it broadcasts.
        psi2: N/d.
        ridge: lam of the module's convention.
        noise: standard deviation of the label noise.
    """
    samples, width = positive("samples_per_dim (psi1)", psi1), positive("neurons_per_dim (psi2)", psi2)
    own = student.slope_variance + positive("ridge", ridge) * samples / width
    square = _slope2(student)
    return linear_ridge_risk(teacher, psi1, own / (square * samples), noise, student.curvature**2 / square)


def infinite_width_risk(
    student: Student,
    teacher: Teacher,
    psi1: ArrayLike,
    psi2: ArrayLike,
    ridge: ArrayLike,
    noise: ArrayLike = 0.0,
) -> Array:
    """Ridge on the conjugate kernel of infinitely many neurons: l = (mu2^2 + lam psi1/psi2)/(mu1^2 psi1).

    The penalty is n lam/N with the N of a finite network, for comparison at equal lam; psi2 = inf gives
    the large-width limit of the finite kernel at fixed lam. Derived from mu1^2 X X^T/d + c2^2 1 1^T/(2d) +
    mu2^2 I (El Karoui 2010).

    Args:
        student: moments of the activation, mu1 not 0.
        teacher: moments of the target.
        psi1: n/d, an array; like all that follow, it broadcasts.
        psi2: N/d.
        ridge: lam of the module's convention.
        noise: standard deviation of the label noise.
    """
    samples = positive("samples_per_dim (psi1)", psi1)
    width = positive("neurons_per_dim (psi2)", psi2, or_infinite=True)
    own = student.mu2_squared + positive("ridge", ridge) * samples / width
    square = _slope2(student)
    constant = student.curvature**2 / (2 * square) if student.is_centred else np.inf
    return linear_ridge_risk(teacher, psi1, own / (square * samples), noise, constant)


def initial_kernel_risk(
    student: Student,
    teacher: Teacher,
    psi1: ArrayLike,
    psi2: ArrayLike,
    ridge: ArrayLike,
    noise: ArrayLike = 0.0,
) -> Array:
    """Ridge on the conjugate kernel of N random neurons: R_0 of `asymptotic_risk`. [bes22]; Gerace et al. 2020.

    Args:
        student: moments of the activation, mu1 not 0.
        teacher: moments of the target.
        psi1: n/d, an array; like all that follow, it broadcasts.
        psi2: N/d.
        ridge: lam of the module's convention.
        noise: standard deviation of the label noise.
    """
    return asymptotic_risk(OneStep(student, teacher, psi1, psi2, 0.0, noise), ridge).initial
