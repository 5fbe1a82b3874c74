"""What the proportional regime needs to know of a problem: a few Gaussian moments and three ratios.

Everything in this room is a function of plain numbers; `Student.of` and `Teacher.of` read them from an
activation and a target.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import instance, not_negative, positive, real_number, require, whole_number
from giantstep.errors import join
from giantstep.problems import Activation, Target

if TYPE_CHECKING:
    from giantstep.gaussian import Moments

Batch = Literal["same", "fresh"]

# Moments come from quadrature: what is smaller than this is zero.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Student:
    """Moments of the activation s under z ~ N(0,1).

    Args:
        mu1: E z s.
        mu2_squared: E s^2 - mu0^2 - mu1^2, what is neither constant nor linear.
        mu0: E s.
        curvature: E s''.
        slope_variance: Var s'.
        is_odd: whether s(-z) = -s(z), which the theorems suppose.

    >>> Student(mu1=1.0, mu2_squared=0.0).is_centred
    True
    """

    mu1: float
    mu2_squared: float
    mu0: float = 0.0
    curvature: float = 0.0
    slope_variance: float = 0.0
    is_odd: bool = True

    def __post_init__(self) -> None:
        for name in ("mu0", "mu1", "mu2_squared", "curvature", "slope_variance"):
            real_number(f"{name} of the activation", getattr(self, name))
        not_negative("mu2_squared of the activation", self.mu2_squared)
        not_negative("slope_variance of the activation", self.slope_variance)

    @property
    def mu2(self) -> float:
        """Size of the activation's nonlinear part."""
        return float(np.sqrt(self.mu2_squared))

    @property
    def is_centred(self) -> bool:
        """Whether E s = 0, which the spectra of the conjugate kernel suppose."""
        return abs(self.mu0) < ROUNDING

    @classmethod
    def of_moments(cls, moments: Moments, *, is_odd: bool) -> Student:
        """From a table of Gaussian moments."""
        return cls(
            mu1=moments.mu1,
            mu2_squared=max(0.0, moments.mu2_squared),
            mu0=moments.mu0,
            curvature=0.0 if is_odd else moments.curvature,
            slope_variance=max(0.0, moments.slope_variance),
            is_odd=is_odd,
        )

    @classmethod
    def of(cls, activation: Activation | str) -> Student:
        """From an activation."""
        sigma = activation if isinstance(activation, Activation) else Activation(activation)
        return cls.of_moments(sigma.moments, is_odd=sigma.is_odd)


@dataclass(frozen=True)
class Teacher:
    """Moments of the target f* under x ~ N(0, I).

    Args:
        mu1: |E x f*|.
        mu2_squared: |P_{>1} f*|^2, the rest of |f*|^2.
        mu0: E f*.
    """

    mu1: float
    mu2_squared: float
    mu0: float = 0.0

    def __post_init__(self) -> None:
        for name in ("mu0", "mu1", "mu2_squared"):
            real_number(f"{name} of the target", getattr(self, name))
        not_negative("mu1 of the target", self.mu1)
        not_negative("mu2_squared of the target", self.mu2_squared)

    @property
    def norm2(self) -> float:
        """|f*|^2 = mu0^2 + mu1^2 + mu2^2."""
        return self.mu0**2 + self.mu1**2 + self.mu2_squared

    @classmethod
    def of(cls, target: Target | str) -> Teacher:
        """From a target; its linear direction is E[x f*] whatever the number of directions."""
        target = target if isinstance(target, Target) else Target(target)
        linear2 = float(np.sum(np.asarray(target.linear, dtype=np.float64) ** 2))
        mean = float(target.mean)
        rest = float(target.norm2) - mean**2 - linear2
        # A linear target's remainder is a difference of equal numbers.
        return cls(mu1=float(np.sqrt(linear2)), mu2_squared=rest if rest > ROUNDING else 0.0, mu0=mean)


@dataclass(frozen=True, eq=False)
class OneStep:
    """One giant step in the proportional regime n/d -> psi1, N/d -> psi2 with step size eta = Theta(1).

    The step is W1 = W0 + eta sqrt(N) G0 with G0 the slides' gradient (no factor 2; for the true gradient of
    the mean squared error double `step`), W0_ij ~ N(0, 1/d), a_j ~ N(0, 1/N), f = a^T s(W^T x)/sqrt(N).

        theta1 = mu1 eta sqrt(E y^2 / psi1 + mu1*^2),     theta2 = mu1 mu1* eta,

    with E y^2 = |f*|^2 + noise^2, mean of the target and noise included. [bes22], theorem on the leading
    singular value, where |f*|^2 stands for E y^2. After t steps on the same batch eta becomes t eta; on fresh
    batches psi1 becomes t psi1 as well, for the noise of the batches is averaged (derived).

    Args:
        student: moments of the activation.
        teacher: moments of the target.
        psi1: n/d of the gradient's batch, may be infinite; like the next three an array that broadcasts.
        psi2: N/d.
        step: eta.
        noise: standard deviation of the label noise.
        steps: t, the number of steps.
        batch: "same" for all steps, or "fresh" for each.

    >>> setting = OneStep(Student(0.6057, 0.0274), Teacher(0.5, 0.0908, 0.3989), psi1=4.0, psi2=2.0, step=4.0)
    >>> round(float(setting.theta1), 3)
    1.484
    """

    student: Student
    teacher: Teacher
    psi1: ArrayLike
    psi2: ArrayLike
    step: ArrayLike
    noise: ArrayLike = 0.0
    _: KW_ONLY
    steps: int = 1
    batch: Batch = "same"
    label_second_moment: Array = field(init=False)
    theta1: Array = field(init=False)
    theta2: Array = field(init=False)

    def __post_init__(self) -> None:
        instance("the student", self.student, Student, "Student.of(...) an activation")
        instance("the teacher", self.teacher, Teacher, "Teacher.of(...) a target")
        psi1 = positive("samples_per_dim (psi1)", self.psi1, or_infinite=True)
        positive("neurons_per_dim (psi2)", self.psi2)
        eta = not_negative("step", self.step)
        whole_number("steps", self.steps)
        require(self.batch in ("same", "fresh"), f"batch must be 'same' or 'fresh', got {self.batch!r}")
        second = self.teacher.norm2 + not_negative("noise", self.noise) ** 2
        seen = psi1 * self.steps if self.batch == "fresh" else psi1
        reach = abs(self.student.mu1) * eta * self.steps
        object.__setattr__(self, "label_second_moment", second)
        object.__setattr__(self, "theta1", reach * np.sqrt(second / seen + self.teacher.mu1**2))
        object.__setattr__(self, "theta2", reach * self.teacher.mu1)

    @property
    def constant_gain(self) -> Array:
        """c2^2 eta mu0*, t eta after t steps: how much of the second layer the step adds to the features' means.

        The mean of feature j is (c2/2)(|w_j|^2 - 1), c2 = E s'', and the step moves |w_j|^2 by 2 eta a_j c2 mu0*. Zero
        for an odd activation, or a target without mean. Derived.
        """
        return np.asarray(self.student.curvature**2 * np.asarray(self.step) * self.steps * self.teacher.mu0)

    @property
    def warning(self) -> str | None:
        """What the setting strains, whatever is predicted from it."""
        return join(
            "The activation has mu1 = 0: the rank-one part of the gradient vanishes, no spike is predicted."
            if abs(self.student.mu1) < ROUNDING
            else None,
            f"The output of the network is neglected, which after {self.steps} steps overestimates the spike."
            if self.steps > 1
            else None,
        )
