"""The spike of the conjugate kernel after one giant step, and how its eigenvector aligns with the labels.

    lambda1 -> z(theta1^2) if theta1 > theta_c, else the bulk's edge;
    <u1, y/|y|>^2 -> (psi2/psi1) mu1*^2 theta2^2/(mu1^2 theta1^2 E y^2) z'(theta1^2)/F(theta1^2).

Source: [bes22], conjecture on the spike of the conjugate kernel (Gaussian equivalence); closed forms
derived from the rank-one perturbation mu1 X g a^T/sqrt(N), |g| = theta1, <g, b> = theta2. The threshold
theta_c is larger than that of the weights, psi2^(1/4): a spike of the weights need not show in the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from giantstep.errors import join
from giantstep.theory.proportional import OneStep, Student
from giantstep.theory.spectra.conjugate import ConjugateKernel
from giantstep.theory.spectra.weights import NEAR_THRESHOLD


@dataclass(frozen=True)
class KernelSpikeLaw:
    """What the spectrum of the trained conjugate kernel shows."""

    theta1: float
    threshold: float
    supercritical: bool
    eigenvalue: float
    edge: float
    label_alignment: float
    extra_outlier: float | None = None
    warning: str | None = None

    def __str__(self) -> str:
        sign = ">" if self.supercritical else "<="
        what = f"spike at {self.eigenvalue:.4g}" if self.supercritical else "no spike"
        note = f" {self.warning}" if self.warning else ""
        return (
            f"theta1 = {self.theta1:.4g} {sign} {self.threshold:.4g}: {what}, bulk edge {self.edge:.4g}, "
            f"label alignment {self.label_alignment:.4g}.{note}"
        )


def kernel_spike(setting: OneStep, psi1: float | None = None) -> KernelSpikeLaw:
    """Spike, edge and label alignment of the kernel on fresh data, for one setting of scalars.

    See the module's formulas. Regime: eta = Theta(1), centred and odd activation, n, d, N large in proportion.

    Args:
        setting: the step, with scalars for psi1, psi2, step and noise.
        psi1: n/d of the kernel's own data; that of the gradient's batch unless given.

    >>> from giantstep.theory import Student, Teacher
    >>> softplus = Student(0.5, 0.0215145018)
    >>> tanh = Teacher(0.6057055096, 0.0274153260)
    >>> print(kernel_spike(OneStep(softplus, tanh, psi1=1.5, psi2=1.25, step=8)))
    theta1 = 3.174 > 1.438: spike at 4.096, bulk edge 2.141, label alignment 0.473.
    """
    gradient_ratio, psi2 = float(np.asarray(setting.psi1)), float(np.asarray(setting.psi2))
    ratio = gradient_ratio if psi1 is None else psi1
    student, teacher = setting.student, setting.teacher
    kernel = ConjugateKernel.of(student, ratio, psi2)
    theta1, theta2 = float(setting.theta1), float(setting.theta2)
    supercritical = theta1 > kernel.threshold
    towards_target = (teacher.mu1 * theta2 / theta1) ** 2 / float(setting.label_second_moment) if supercritical else 0.0
    near = abs(theta1 / kernel.threshold - 1) < NEAR_THRESHOLD
    return KernelSpikeLaw(
        theta1=theta1,
        threshold=kernel.threshold,
        supercritical=supercritical,
        eigenvalue=float(kernel.spike(theta1)),
        edge=kernel.edge,
        label_alignment=towards_target * float(kernel.spike_overlap(theta1)),
        extra_outlier=curvature_outlier(student, ratio, psi2),
        warning=join(
            setting.warning,
            _uncentred_warning(student),
            "The activation is not odd: the kernel has further rank-one parts that Gaussian equivalence omits."
            if not student.is_odd
            else None,
            "theta1 is close to its threshold, where finite sizes smear the transition." if near else None,
        ),
    )


def kernel_threshold_step(setting: OneStep, psi1: float | None = None) -> float:
    """Step size eta at which the kernel's spike leaves its bulk, the rest of the setting unchanged; inf if theta1 = 0.

    Larger than `threshold_step`, that of the weights. Derived: theta_c of the kernel over theta1/eta.

    Args:
        setting: everything but the step size, which is ignored.
        psi1: n/d of the kernel's own data; that of the gradient's batch unless given.

    >>> from giantstep.theory import Student, Teacher
    >>> softplus, tanh = Student(0.5, 0.0215145018), Teacher(0.6057055096, 0.0274153260)
    >>> round(kernel_threshold_step(OneStep(softplus, tanh, psi1=1.5, psi2=1.25, step=0)), 3)
    3.625
    """
    unit = float(replace(setting, step=1.0).theta1)
    kernel = ConjugateKernel.of(
        setting.student, float(np.asarray(setting.psi1)) if psi1 is None else psi1, float(np.asarray(setting.psi2))
    )
    return kernel.threshold / unit if unit > 0 else float("inf")


def _uncentred_warning(student: Student) -> str | None:
    if student.is_centred:
        return None
    return (
        "The activation is not centred: an eigenvalue near n mu0^2 stands above all others and the spike is the second."
    )


def curvature_outlier(student: Student, psi1: float, psi2: float) -> float | None:
    """Place of the two further outliers that the curvature c2 = E s'' of a non-odd activation causes, or
    None.

    The features' covariance gains two rank-one parts of size omega = c2^2 psi1/2, along the ones and along
    |x_i|^2 - d. They leave the population's bulk if c2^2 > 2 mu1^2 (1 + 1/sqrt(psi1)), at mu1^2 w + mu2^2
    =: L with w = (t(1 - psi1) - 1)/(t(1 + psi1 t)), t = -mu1^2/omega (inverse Marchenko-Pastur transform),
    and the sample's bulk if moreover the map L -> lambda = L(1 - gamma + gamma L/omega) of spiked sample
    covariances is increasing there. Derived. ReLU never reaches the condition.

    >>> relu = Student(0.5, 0.0908450569, curvature=0.3989422804, is_odd=False)
    >>> curvature_outlier(relu, 4.0, 2.0) is None
    True
    """
    omega = student.curvature**2 * psi1 / 2
    if student.curvature**2 <= 2 * student.mu1**2 * (1 + psi1**-0.5):
        return None
    kernel = ConjugateKernel.of(student, psi1, psi2)
    gamma, square = kernel.gamma, student.mu1**2
    t = -square / omega
    w = (t * (1 - psi1) - 1) / (t * (1 + psi1 * t))
    # w(t) = -1/t + psi1/(1 + psi1 t) has this slope, and int dnu/(L - tau)^2 = m'(w)/mu1^4 = 1/(w'(t) mu1^4).
    slope = 1 / t**2 - psi1**2 / (1 + psi1 * t) ** 2
    level = square * w + student.mu2_squared
    growth = 1 - gamma + 2 * gamma * level / omega - gamma * level**2 / (square**2 * slope)
    place = level * (1 - gamma + gamma * level / omega)
    return float(place) if growth > 0 and place > kernel.edge else None
