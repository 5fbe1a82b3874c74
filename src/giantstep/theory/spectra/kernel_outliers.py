"""The spike of the conjugate kernel after one giant step, and how its eigenvector aligns with the labels.

    lambda1 -> z(theta1^2) if theta1 > theta_c, else the bulk's edge;
    <u1, y/|y|>^2 -> (psi2/psi1) mu1*^2 theta2^2/(mu1^2 theta1^2 E y^2) z'(theta1^2)/F(theta1^2).

Source: [bes22], conjecture on the spike of the conjugate kernel (Gaussian equivalence, odd activations); closed forms
derived from the rank-one perturbation mu1 X g a^T/sqrt(N), |g| = theta1, <g, b> = theta2. The threshold
theta_c is larger than that of the weights, psi2^(1/4): a spike of the weights need not show in the kernel.

With curvature c2 = E s'' the features have means v as well, the rank-one part 1 v^T/sqrt(N): |v|^2 = c2^2 psi2/2 at the
start, to which the step adds q a, q = c2^2 eta mu0*, along the spike's own right vector. Outliers are then at z(x) with

    (x - theta1^2)(x - x_c) = x q^2/mu1^2,      x_c = psi2 (c2^2/(2 mu1^2) - 1),

for both roots beyond theta_c^2, and the eigenvector leans towards p = X g/x + t 1, t = q/(mu1 (x - x_c)),

    <u1, y/|y|>^2 -> (psi2/psi1) (mu1* theta2/x + t mu0*)^2/((theta1/x)^2 + t^2)/(mu1^2 E y^2) z'(x)/F(x).

Without a mean of the target q = 0 and x = theta1^2, or x_c if curvature alone suffices for an outlier; there is then
another at x_c, along |x_i|^2 - d. Derived from the same perturbation equation, 1 being isotropic in the bulk.
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
    """What the spectrum of the trained conjugate kernel shows.

    `theta1` is the size of the step as the kernel sees it, sqrt(x) of the module: that of the step whose spike an odd
    activation would show. `extra_outlier` is the place of the outliers that curvature alone causes, if any.
    """

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


@dataclass(frozen=True)
class SpikeDirection:
    """The largest outlier of the module's equation.

    Args:
        place: x, so that the outlier is z(x) if x > theta_c^2.
        along_step: how much the eigenvector leans towards X g, g of length theta1.
        along_ones: how much towards the vector of ones.
    """

    place: float
    along_step: float
    along_ones: float


def spike_direction(student: Student, psi2: float, theta1: float, gained: float) -> SpikeDirection:
    """The larger root x of (x - theta1^2)(x - x_c) = x q^2/mu1^2, and where its eigenvector points. Derived.

    Args:
        student: moments of the activation, mu1 not 0.
        psi2: N/d.
        theta1: size of the rank-one step.
        gained: q, what the step adds to the features' means.

    >>> spike_direction(Student(0.6, 0.03), 2.0, 3.0, 0.0)
    SpikeDirection(place=9.0, along_step=1.0, along_ones=0.0)
    """
    square, own, extra = student.mu1**2, theta1**2, _curvature_place(student, psi2)
    if gained == 0:
        return SpikeDirection(own, 1.0, 0.0) if own >= extra else SpikeDirection(extra, 0.0, 1.0)
    middle = (own + extra + gained**2 / square) / 2
    place = middle + float(np.sqrt(max(0.0, middle**2 - own * extra)))
    return SpikeDirection(place, 1 / place, gained / (abs(student.mu1) * (place - extra)))


def _curvature_place(student: Student, psi2: float) -> float:
    """x_c, negative without curvature."""
    return psi2 * (student.curvature**2 / (2 * student.mu1**2) - 1)


def kernel_spike(setting: OneStep, psi1: float | None = None) -> KernelSpikeLaw:
    """Spike, edge and label alignment of the kernel on fresh data, for one setting of scalars.

    See the module's formulas. Regime: eta = Theta(1), centred activation, n, d, N large in proportion.

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
    spike = spike_direction(student, psi2, theta1, float(setting.constant_gain))
    seen = spike.place**0.5
    length2 = (spike.along_step * theta1) ** 2 + spike.along_ones**2
    towards = (spike.along_step * teacher.mu1 * theta2 + spike.along_ones * teacher.mu0) ** 2
    towards_labels = towards / (length2 * float(setting.label_second_moment)) if seen > kernel.threshold else 0.0
    near = abs(seen / kernel.threshold - 1) < NEAR_THRESHOLD
    return KernelSpikeLaw(
        theta1=seen,
        threshold=kernel.threshold,
        supercritical=seen > kernel.threshold,
        eigenvalue=float(kernel.spike(seen)),
        edge=kernel.edge,
        label_alignment=towards_labels * float(kernel.spike_overlap(seen)),
        extra_outlier=curvature_outlier(student, ratio, psi2),
        warning=join(
            setting.warning,
            _uncentred_warning(student),
            "theta1 is close to its threshold, where finite sizes smear the transition." if near else None,
        ),
    )


def kernel_threshold_step(setting: OneStep, psi1: float | None = None) -> float:
    """Step size eta at which the kernel's spike leaves its bulk, the rest of the setting unchanged; inf if theta1 = 0.

    Larger than `threshold_step`, that of the weights, for odd activations. Derived: the module's equation at
    x = theta_c^2, where theta1 and q are in proportion to eta. 0 if curvature alone causes an outlier.

    Args:
        setting: everything but the step size, which is ignored.
        psi1: n/d of the kernel's own data; that of the gradient's batch unless given.

    >>> from giantstep.theory import Student, Teacher
    >>> softplus, tanh = Student(0.5, 0.0215145018), Teacher(0.6057055096, 0.0274153260)
    >>> round(kernel_threshold_step(OneStep(softplus, tanh, psi1=1.5, psi2=1.25, step=0)), 3)
    3.625
    """
    unit, psi2 = replace(setting, step=1.0), float(np.asarray(setting.psi2))
    kernel = ConjugateKernel.of(setting.student, float(np.asarray(setting.psi1)) if psi1 is None else psi1, psi2)
    x = kernel.threshold**2
    room = x - _curvature_place(setting.student, psi2)
    if room <= 0:
        return 0.0
    per_step2 = float(unit.theta1) ** 2 * room + x * (float(unit.constant_gain) / setting.student.mu1) ** 2
    return float(np.sqrt(x * room / per_step2)) if per_step2 > 0 else float("inf")


def _uncentred_warning(student: Student) -> str | None:
    if student.is_centred:
        return None
    return (
        "The activation is not centred: an eigenvalue near n mu0^2 stands above all others and the spike is the second."
    )


def curvature_outlier(student: Student, psi1: float, psi2: float) -> float | None:
    """Place z(x_c) of the two outliers that the curvature c2 = E s'' of an activation causes before any step, or None.

    Along the ones and along |x_i|^2 - d. They leave the bulk if x_c > theta_c^2, see the module. Derived. ReLU never
    reaches the condition, for its x_c is negative.

    Args:
        student: moments of the activation, mu1 not 0.
        psi1: n/d.
        psi2: N/d.

    >>> relu = Student(0.5, 0.0908450569, curvature=0.3989422804, is_odd=False)
    >>> curvature_outlier(relu, 4.0, 2.0) is None
    True
    """
    kernel, place = ConjugateKernel.of(student, psi1, psi2), _curvature_place(student, psi2)
    return float(kernel.curve(place)) if place > kernel.threshold**2 else None
