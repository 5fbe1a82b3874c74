"""Several giant steps are worth one: what t gradient steps on the first layer add up to, feedback included.

Every step moves the weights along one direction, W_t = W_0 + a g_t^T up to a residual of small operator norm, and the
output grows with it: f_t(x) = (mu1/sqrt N) <g_t, x> up to smaller terms. With S = X^T X/n of the step's batch,

    g_{t+1} = g_t + eta mu1 (X^T y/n - (mu1/sqrt N) S g_t),        q = eta mu1^2/sqrt(N).

On the same batch S follows the Marchenko-Pastur law of ratio 1/psi1 (side "columns"); with P(s) = sum_{j<t} (1 - q s)^j

    <g_t, b> = eta mu1 mu1* m,  m = int s P,    |g_t|^2 = (eta mu1)^2 int P^2 [mu1*^2 s^2 + (E y^2 - mu1*^2) s/psi1],

and on fresh batches, with v the part of |g|^2/(eta mu1)^2 that is noise and E r^2 the mean square of y - f_t,

    m <- (1 - q) m + 1,   v <- (1 - q)^2 v + E r^2/psi1,   E r^2 = E y^2 - 2 q mu1*^2 m + q^2 (mu1*^2 m^2 + v).

Derived. For eta = Theta(1) q vanishes as N grows and t steps are one of size t eta, on t times the samples if the
batches are fresh; the feedback is the first correction, of relative order t q. For eta = Theta(sqrt N) it is of
order 1, and the linear output an approximation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import positive, require
from giantstep.theory.proportional import OneStep


def feedback(setting: OneStep, neurons: float) -> float:
    """q times the largest eigenvalue (1 + psi1^(-1/2))^2 of S, or times 1 + 1/psi1 on fresh batches.

    This is the share of its own size by which a step pulls the output back; from 2 on the steps overshoot and diverge
    (until the activation saturates).

    Args:
        setting: the steps, with scalars for psi1, psi2, step and noise.
        neurons: N; if infinite, there is no feedback.
    """
    per_step = _number(setting.step) * setting.student.mu1**2 / np.sqrt(positive("neurons", neurons, or_infinite=True))
    ratio = 1 / _number(setting.psi1)
    return float(per_step * (1 + ratio if setting.batch == "fresh" else (1 + ratio**0.5) ** 2))


def equivalent_step(setting: OneStep, neurons: float = np.inf) -> OneStep:
    """The single step with the theta1 and theta2 of `setting.steps` steps; see the module's formulas.

    Its step size is eta m and its psi1 such that |g_t|^2 comes out; whatever is known of one step, such as the spike or
    the risk, is then known after t of them (for the risk, give the ridge data's own psi1). Regime: eta = Theta(1), t
    fixed.

    Args:
        setting: the steps, with scalars for psi1, psi2, step and noise.
        neurons: N; if infinite, there is no feedback.

    >>> from giantstep.theory import Student, Teacher
    >>> tanh = (0.6057055096, 0.02741532604)
    >>> two = OneStep(Student(*tanh), Teacher(*tanh), psi1=2, psi2=1, step=1.5, steps=2)
    >>> round(float(equivalent_step(two).step), 9), round(float(equivalent_step(two, neurons=400).step), 4)
    (3.0, 2.9381)
    """
    require(feedback(setting, neurons) < 2, "step is so large that the output overshoots: its feedback must be below 2")
    gain = _number(setting.step) * setting.student.mu1**2 / np.sqrt(neurons)
    linear2, second = setting.teacher.mu1**2, float(setting.label_second_moment)
    ratio = 1 / _number(setting.psi1)
    learned, size2 = (_fresh if setting.batch == "fresh" else _same)(gain, linear2, second, ratio, setting.steps)
    noise = size2 / learned**2 - linear2
    samples = second / noise if noise > 0 else np.inf
    return replace(setting, step=_number(setting.step) * learned, psi1=samples, steps=1, batch="same")


def step_length(setting: OneStep, neurons: float = np.inf) -> float:
    """|W_t - W_{t-1}| in operator norm, what step number `setting.steps` adds; the first one adds theta1. Derived.

    On the same batch it is eta mu1 |(1 - q S)^(t-1) X^T y/n|, on fresh ones eta mu1 sqrt(mu1*^2 (1 - q m)^2 + q^2 v +
    E r^2/psi1) with m, v and E r^2 of the steps before: the output takes away what is learned, and steps get shorter.

    Args:
        setting: the steps, with scalars for psi1, psi2, step and noise.
        neurons: N; if infinite, there is no feedback.

    >>> from giantstep.theory import Student, Teacher
    >>> tanh = (0.6057055096, 0.02741532604)
    >>> one = OneStep(Student(*tanh), Teacher(*tanh), psi1=2, psi2=1, step=10.0)
    >>> later = replace(one, steps=5)
    >>> bool(np.isclose(step_length(one, 400), one.theta1)), round(step_length(later, 400) / step_length(one, 400), 3)
    (True, 0.285)
    """
    require(feedback(setting, neurons) < 2, "step is so large that the output overshoots: its feedback must be below 2")
    gain = _number(setting.step) * setting.student.mu1**2 / np.sqrt(neurons)
    linear2, second = setting.teacher.mu1**2, float(setting.label_second_moment)
    ratio, before = 1 / _number(setting.psi1), setting.steps - 1
    if setting.batch == "fresh":
        learned, size2 = _fresh(gain, linear2, second, ratio, before)
        noise = size2 - linear2 * learned**2
        residual2 = second - 2 * gain * linear2 * learned + gain**2 * size2
        length2 = linear2 * (1 - gain * learned) ** 2 + gain**2 * noise + residual2 * ratio
    else:
        s, weight = _eigenvalues(ratio, 2 * before + 2)
        length2 = float(weight @ ((1 - gain * s) ** (2 * before) * (linear2 * s + (second - linear2) * ratio)))
    return float(_number(setting.step) * abs(setting.student.mu1) * np.sqrt(length2))


def _number(value: ArrayLike) -> float:
    return float(np.asarray(value, dtype=np.float64))


def _same(gain: float, linear2: float, second: float, ratio: float, steps: int) -> tuple[float, float]:
    """m and |g|^2/(eta mu1)^2 by Gauss-Chebyshev nodes of the second kind, exact for these polynomials."""
    s, weight = _eigenvalues(ratio, steps + 1)
    power = _geometric(gain * s, steps)
    size2 = float(weight @ (power**2 * (linear2 * s + (second - linear2) * ratio)))
    return float(weight @ power), size2


def _eigenvalues(ratio: float, nodes: int) -> tuple[Array, Array]:
    """Nodes and weights for integrals over the law of S, of which one factor s is left out."""
    angle = np.arange(1, nodes + 1) * np.pi / (nodes + 1)
    # The law's density is sqrt((high - s)(s - low))/(2 pi ratio s): one s is divided out of the integrands.
    return 1 + ratio + 2 * np.sqrt(ratio) * np.cos(angle), 2 / (nodes + 1) * np.sin(angle) ** 2


def _geometric(x: Array, steps: int) -> Array:
    """sum_{j < t} (1 - x)^j = (1 - (1 - x)^t)/x for 0 <= x < 2, small x included."""
    small = x < 0.5
    near = np.where(small, x, 0.25)
    direct = (1 - (1 - np.where(small, 1.0, x)) ** steps) / np.where(small, 1.0, x)
    tiny = np.where(near > 0, near, 1.0)
    return np.where(small, np.where(near > 0, -np.expm1(steps * np.log1p(-near)) / tiny, float(steps)), direct)


def _fresh(gain: float, linear2: float, second: float, ratio: float, steps: int) -> tuple[float, float]:
    """m and |g|^2/(eta mu1)^2 by the recursion."""
    learned = noise = 0.0
    for _ in range(steps):
        residual2 = second - 2 * gain * linear2 * learned + gain**2 * (linear2 * learned**2 + noise)
        learned, noise = (1 - gain) * learned + 1, (1 - gain) ** 2 * noise + residual2 * ratio
    return learned, linear2 * learned**2 + noise
