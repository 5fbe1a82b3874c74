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

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import positive, require
from giantstep.gaussian import ScalarFunction
from giantstep.gaussian.kernels import dual_kernel, second_moment_at
from giantstep.gaussian.quadrature import panel_rule
from giantstep.theory.proportional import ROUNDING, OneStep, Student, Teacher


def gradient_norm(student: Student, teacher: Teacher, psi1: ArrayLike, noise: ArrayLike = 0.0) -> Array:
    """Limit of sqrt(N) |G0| in operator norm, in the convention without the factor 2. [bes22], see the module.

    Args:
        student: moments of the activation.
        teacher: moments of the target.
        psi1: n/d, an array, may be infinite.
        noise: standard deviation of the label noise, an array that broadcasts.

    >>> float(gradient_norm(Student(1.0, 0.0), Teacher(1.0, 0.0), 1.0).round(6))
    1.414214
    """
    return OneStep(student, teacher, psi1, 1.0, 1.0, noise).theta1


def frobenius_ratio(
    student: Student, teacher: Teacher, psi1: ArrayLike, neurons: float = np.inf, noise: ArrayLike = 0.0
) -> Array:
    """Limit of |B|_F/|A|_F, of order one: the residual has as many entries as it is small. Derived, see the module.

    At a finite width the output f0 of the network adds (mu1^2 + E s^2/psi1)/(N (E y^2/psi1 + mu1*^2)) to the square:
    B contains -mu1 X^T f0 a^T/(n sqrt N), and f0 has linear part mu1 W^T a/sqrt N and variance E s^2/N.

    Args:
        student: moments of the activation, mu1 not 0.
        teacher: moments of the target.
        psi1: n/d, an array.
        neurons: N; infinite for the limit.
        noise: standard deviation of the label noise, an array that broadcasts.
    """
    require(abs(student.mu1) > ROUNDING, "The activation has mu1 = 0, so the rank-one part A vanishes")
    setting = OneStep(student, teacher, psi1, 1.0, 1.0, noise)
    ratio = positive("samples_per_dim (psi1)", psi1)
    spread = setting.label_second_moment / ratio
    residual2 = student.slope_variance * spread + (teacher.mu0 * student.curvature) ** 2
    second = student.mu0**2 + student.mu1**2 + student.mu2_squared
    output2 = student.mu1**2 * (student.mu1**2 + second / ratio) / neurons
    return np.asarray(np.sqrt(residual2 + output2) / setting.theta1)


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
    """Sizes of one step of size eta at width N: theta1/(1 + sqrt psi2) in operator norm, and in Frobenius norm

        |W1 - W0|_F/|W0|_F = theta1 sqrt(1 + (|B|_F/|A|_F)^2)/sqrt N,

    so eta = Theta(1) moves the operator norm by O(1) and every weight by O(1/sqrt N), eta = Theta(sqrt N)
    the Frobenius norm and the features by O(1) (maximal update parameterisation). [bes22], choice of the
    learning rate; constants derived. Operator norm: the sum of a matrix and a spike is compared with the
    matrix, as in the paper, by |W1 - W0|/|W0|.

    Args:
        setting: the step, with scalars for psi1, psi2, step and noise.
        neurons: N.
    """
    require(neurons >= 1, f"neurons must be 1 or more, got {neurons}")
    student = setting.student
    theta1 = float(setting.theta1)
    ratio = float(frobenius_ratio(student, setting.teacher, setting.psi1, noise=setting.noise))
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


def neuron_gradient(setting: OneStep) -> tuple[float, float]:
    """Limits of |g_j| and <w_j, g_j> for one neuron, W1 = W0 + eta (a_j g_j)_j: with A's part mu1 X^T y/n and the
    residual, |g|^2 = (theta1/eta)^2 (1 + (|B|_F/|A|_F)^2) and <w, g> = mu0* E s''. Derived, see the module.

    `setting` is the step, with scalars for psi1, psi2, step and noise.
    """
    student, teacher = setting.student, setting.teacher
    rank_one = float(gradient_norm(student, teacher, setting.psi1, setting.noise))
    ratio = float(frobenius_ratio(student, teacher, setting.psi1, noise=setting.noise))
    return rank_one * float(np.hypot(1.0, ratio)), teacher.mu0 * student.curvature


def feature_change(
    activation: ScalarFunction,
    moves: ArrayLike,
    gradient: float,
    overlap: float = 0.0,
    weights: Array | None = None,
) -> float:
    """Root mean square of s(<w1, x>) - s(<w0, x>) over that of s(<w0, x>), for a step of any size.

    Neuron j moves to w1 = w0 + m_j g with |w0| = 1; (<w0, x>, <w1, x>) is a Gaussian pair and both mean squares are
    dual kernels. Derived.

    Args:
        activation: s.
        moves: m_j = eta a_j, (moves,).
        gradient: |g|.
        overlap: <w0, g>.
        weights: those of the moves in the mean over neurons, (moves,), for a quadrature over the law of a_j; equal
            unless given.
    """
    m = np.asarray(moves, dtype=np.float64)
    moved = 1 + 2 * m * overlap + (m * gradient) ** 2
    one = np.ones_like(m)
    start, after = second_moment_at(activation, 1.0), second_moment_at(activation, np.sqrt(moved))
    both = dual_kernel(activation, activation, one, moved, one + m * overlap)
    squares = np.maximum(after - 2 * both + start, 0.0) / start
    return float(np.sqrt(np.average(squares, weights=weights)))


def typical_feature_change(activation: ScalarFunction, setting: OneStep, neurons: int) -> float:
    """`feature_change` in the mean over a_j ~ N(0, 1/N), for eta = Theta(sqrt N) as for smaller steps. Derived.

    Args:
        activation: s.
        setting: the step, with scalars for psi1, psi2, step and noise.
        neurons: N.

    >>> from giantstep.problems import Activation
    >>> linear = OneStep(Student(1.0, 0.0), Teacher(1.0, 0.0), psi1=1.0, psi2=1.0, step=20.0)
    >>> round(typical_feature_change(Activation("z"), linear, 400), 6), round(step_norms(linear, 400).features, 6)
    (1.414214, 1.414214)
    """
    z, weight = panel_rule(breaks=(0.0,), order=8, panels=24, reach=9.0)
    moves = float(np.asarray(setting.step)) / np.sqrt(neurons) * z
    return feature_change(activation, moves, *neuron_gradient(setting), weights=weight)


def overtaken_share(setting: OneStep, d: int, moves: ArrayLike, linear: Array, weights: Array | None = None) -> float:
    """Share of the entries of W0 that one step changes by more than themselves: |W1 - W0|_ij > |W0_ij|.

    W0_ij is N(0, 1/d), and its change m_j h_ij with h_ij ~ N(0, q^2/d), q^2 = E[y^2] E[s'^2]/psi1: the chance is
    (2/pi) arctan(|m_j| q), of order N^(-1/2) for eta of order 1. In the target's own coordinates h_ij has the mean mu1
    E[x_i f*] besides, which makes a share of order 1 of those few entries (q is neglected beside it). Derived.

    Args:
        setting: the step, with scalars for psi1, psi2, step and noise.
        d: input dimension.
        moves: m_j = eta a_j, (moves,).
        linear: E[x_i f*] for the coordinates i in which it is not 0, (coordinates,).
        weights: those of the moves in the mean over neurons, (moves,); equal unless given.
    """
    from scipy.special import erf  # what claims load that need none of this does without

    student = setting.student
    slope2 = student.mu1**2 + student.slope_variance
    spread = float(np.sqrt(setting.label_second_moment / np.asarray(setting.psi1) * slope2))
    m = np.abs(np.asarray(moves, dtype=np.float64))
    own = erf(m[:, None] * np.abs(student.mu1 * linear) * np.sqrt(d / 2)).sum(axis=1)
    shares = ((d - len(linear)) * 2 / np.pi * np.arctan(m * spread) + own) / d
    return float(np.average(shares, weights=weights))


def typical_overtaken_share(setting: OneStep, d: int, neurons: int, linear: Array) -> float:
    """`overtaken_share` in the mean over a_j ~ N(0, 1/N). Derived.

    Args:
        setting: the step, with scalars for psi1, psi2, step and noise.
        d: input dimension.
        neurons: N.
        linear: E[x_i f*] for the coordinates i in which it is not 0, (coordinates,).

    >>> tanh = Student(0.6057055096, 0.02741532604, slope_variance=0.09752373809)
    >>> setting = OneStep(tanh, Teacher(0.6057055096, 0.02741532604), psi1=2.0, psi2=1.0, step=1.0)
    >>> few, many = (typical_overtaken_share(setting, d, d, np.array([0.6057])) for d in (10_000, 40_000))
    >>> round(few, 5), round(few / many, 1)
    (0.00156, 2.0)
    """
    z, weight = panel_rule(breaks=(0.0,), order=8, panels=24, reach=9.0)
    return overtaken_share(setting, d, float(np.asarray(setting.step)) / np.sqrt(neurons) * z, linear, weight)


@dataclass(frozen=True)
class RegimeSlopes:
    """Exponents of N in the three relative sizes of the step eta = N^alpha."""

    operator: float
    frobenius: float
    features: float


def regime_slopes(step_exponent: float) -> RegimeSlopes:
    """alpha, alpha - 1/2 and alpha - 1/2 for eta = N^alpha. [bes22], choice of the learning rate.

    `step_exponent` is alpha, between 0 and 1/2.

    >>> regime_slopes(0.5)
    RegimeSlopes(operator=0.5, frobenius=0.0, features=0.0)
    """
    require(0 <= step_exponent <= 0.5, f"step_exponent must lie between 0 and 0.5, got {step_exponent}")
    return RegimeSlopes(step_exponent, step_exponent - 0.5, step_exponent - 0.5)
