"""Risk of ridge regression on the conjugate kernel before and after one giant step, in closed form.

Ridge: (1/n)|y - Psi c|^2 + lam |c|^2 on fresh data with features Psi = s(X W), unscaled, which is
(1/n)|y - Phi a|^2 + (lam/N)|a|^2 of [bes22]. By Gaussian equivalence ([bes22], theorem for trained
features) the features have covariance Omega = mu1^2 W^T W + mu2^2 and W is a Gaussian matrix plus one
spike. With kappa > lam solving

    1 - lam/kappa = (psi2/psi1) t1,   t1 = (1/N) tr Omega (Omega + kappa)^-1 at initialisation,

and in the variables, all positive,

    Y = (1/N) tr(Omega + kappa)^-1,  y = mu1^2 Y,  e = 1/(1 + psi2 y),  u = e y,  D = 1 - psi2 u^2,  k =
    kappa Y, A = e + psi2 u mu2^2 Y,   f = u theta1^2/(1 + u theta1^2),   rho = (theta2/theta1)^2,

one has 1 - df2 = lam/kappa + (psi2/psi1) kappa Y^2 (mu2^2 + mu1^2 e^2)/D and

    R_0 + noise^2 = [mu0*^2 + mu2*^2 + noise^2 + mu1*^2 e A/D] / (1 - df2),
    delta = R_0 - R_GD = mu1*^2 rho f (e/D) [A + k e (1 - f)] / (1 - df2).

Source: [bes22], theorem on R_0 - R_GD; the closed form is derived. Written so, no term is subtracted:
delta >= 0, and it vanishes only with mu1, mu1* or eta. It increases with eta, for d/ds of s/(1+s) [A + k
e/(1+s)], s = u theta1^2, is [A + k e + (A - k e) s]/(1+s)^3 with A >= e >= k e. And R_GD >= mu2*^2, for A
>= f k e.

An activation with curvature c2 = E s'' has besides a constant feature: the means v_j = (c2/2)(|w_j|^2 - 1) of the
features, of squared length c2^2 psi2/2 at the start, to which the step adds q a with q = c2^2 eta mu0*, along the
spike's own right vector. It learns the mean mu0* of the target, of whose square the risks above then hold

    mu0*^2 (1 - b) [(1 - b)(1 - V'/(1 + V)) - 2 b'] / (1 + V)     instead of mu0*^2, with
    V = v^T (Omega + kappa)^-1 v = Y [c2^2 psi2/2 + q^2 (1 - f)],    V' = (k Y/D) [c2^2 psi2/2 + q^2 (1 - f)(1 - e f)],
    b = eta^2 c2^2 mu1*^2 u (1 - f),                                 b' = b (1 - f) k e/D;

before the step q = b = 0. For odd activations c2 = 0 and the mean counts as noise. Derived: (1 - b)^2/(1 + V) is what
one more rank-one part leaves of mu0*^2, less kappa times its derivative. If the activation itself has a mean, v is of
length sqrt(N) and learns mu0* wholly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import positive, require
from giantstep.theory.proportional import OneStep

# Newton's iteration starts right of the root of a convex function: it descends, halving at worst, until rounding
# makes a step negative; that number is then left alone.
_MOST_ITERATIONS = 200


@dataclass(frozen=True, eq=False)
class StepRisks:
    """Risks E(f - f*)^2 of ridge on the initial and on the trained features, arrays of the inputs' common shape."""

    initial: Array
    trained: Array
    improvement: Array
    lower_bound: float
    kappa: Array
    df2: Array
    warning: str | None = None

    def __repr__(self) -> str:
        return (
            f"StepRisks(initial={self.initial}, trained={self.trained}, improvement={self.improvement}, "
            f"lower_bound={self.lower_bound:.6g}, warning={self.warning!r})"
        )


def asymptotic_risk(setting: OneStep, ridge: ArrayLike, psi1: ArrayLike | None = None) -> StepRisks:
    """R_0, R_GD and delta for any arrays of ridge penalties, step sizes and ratios that broadcast.

    See the module's formulas. A target with a mean is fitted without intercept, by the features alone.
    Regime: eta = Theta(1), activation with bounded derivatives, n, d, N large in proportion, ridge > 0. At finite N the
    network's output, which pulls the step back, lowers the risk by a relative O(1/sqrt N).

    Args:
        setting: the step; its arrays broadcast with the others.
        ridge: lam of the module's convention.
        psi1: n/d of the ridge data (infinite: the large-sample limit); that of the gradient's batch unless given.

    >>> from giantstep.theory import Student, Teacher
    >>> tanh = (0.6057055096, 0.02741532604)
    >>> setting = OneStep(Student(*tanh), Teacher(*tanh), psi1=2, psi2=1, step=[0, 1, 8], noise=0.2)
    >>> asymptotic_risk(setting, 0.1).trained.round(6)
    array([0.205588, 0.192185, 0.113   ])
    """
    lam = positive("ridge", ridge)
    ratio = setting.psi1 if psi1 is None else psi1
    samples = positive("samples_per_dim (psi1)", ratio, or_infinite=True)
    student, teacher = setting.student, setting.teacher
    require(student.mu1**2 + student.mu2_squared > 0, "The activation is constant: its features carry no information")
    psi2 = np.asarray(setting.psi2, dtype=np.float64)
    theta1 = setting.theta1
    shape = np.broadcast_shapes(lam.shape, samples.shape, psi2.shape, theta1.shape, np.shape(setting.noise))
    lam, samples, psi2, theta1 = (np.broadcast_to(v, shape) for v in (lam, samples, psi2, theta1))
    noise2 = np.asarray(setting.noise, dtype=np.float64) ** 2

    kappa = effective_ridge(lam, student.mu1**2, student.mu2_squared, samples, psi2)
    t = _Traces.at(kappa, student.mu1**2, student.mu2_squared, psi2)
    remaining = lam / kappa + (psi2 / samples) * t.slope  # 1 - df2
    towards = np.broadcast_to(_squared_ratio(setting), shape)  # rho
    f = t.u * theta1**2 / (1 + t.u * theta1**2)
    fe = t.e / t.d
    linear2 = teacher.mu1**2
    gain = linear2 * towards * f * fe * (t.a + t.k * t.e * (1 - f))
    # A (1 - rho f) - rho f k e (1 - f), as a sum of positive terms.
    left = (1 - f) * (t.a - towards * f * t.k * t.e) + f * (1 - towards) * t.a
    mean_before = _mean_left(setting, t, psi2, np.zeros(shape), trained=False)
    mean_after = _mean_left(setting, t, psi2, f, trained=True)
    df2 = 1 - remaining
    rest = teacher.mu2_squared + noise2 * df2
    return StepRisks(
        initial=np.asarray((rest + mean_before + linear2 * fe * t.a) / remaining),
        trained=np.asarray((rest + mean_after + linear2 * fe * left) / remaining),
        improvement=np.asarray(gain / remaining + (mean_before - mean_after) / remaining),
        lower_bound=teacher.mu2_squared,
        kappa=kappa,
        df2=df2,
        warning=setting.warning,
    )


def _mean_left(setting: OneStep, t: _Traces, psi2: Array, f: Array, *, trained: bool) -> Array:
    """What the constant feature leaves of mu0*^2, in the numerator of the risk; see the module's V and b."""
    student, teacher = setting.student, setting.teacher
    if not student.is_centred:
        return np.zeros(f.shape)
    eta = np.asarray(setting.step) * setting.steps * trained
    own, gained2 = student.curvature**2 * psi2 / 2, (setting.constant_gain * trained) ** 2
    v = t.big_y * (own + gained2 * (1 - f))
    v_slope = t.k * t.big_y / t.d * (own + gained2 * (1 - f) * (1 - t.e * f))
    b = (eta * student.curvature * teacher.mu1) ** 2 * t.u * (1 - f)
    b_slope = b * (1 - f) * t.k * t.e / t.d
    return np.asarray(teacher.mu0**2 * (1 - b) * ((1 - b) * (1 - v_slope / (1 + v)) - 2 * b_slope) / (1 + v))


def _squared_ratio(setting: OneStep) -> Array:
    """rho = (theta2/theta1)^2 = mu1*^2/(E y^2/psi1 + mu1*^2), also at eta = 0 where both vanish."""
    linear2 = setting.teacher.mu1**2
    seen = np.asarray(setting.psi1, dtype=np.float64) * (setting.steps if setting.batch == "fresh" else 1)
    total = setting.label_second_moment / seen + linear2
    return np.divide(linear2, total, out=np.zeros(np.shape(total)), where=total > 0)


@dataclass(frozen=True, eq=False)
class _Traces:
    """The module's Y, e, u, D, k, A, and slope = -kappa dt1/dkappa = (1/N) tr kappa Omega (Omega + kappa)^-2."""

    big_y: Array
    e: Array
    u: Array
    d: Array
    k: Array
    a: Array
    t1: Array
    slope: Array

    @classmethod
    def at(cls, kappa: Array, mu1_squared: float, mu2_squared: float, psi2: Array) -> _Traces:
        z = mu2_squared + kappa
        b = z + mu1_squared * (1 - psi2)
        root = np.sqrt(b**2 + 4 * mu1_squared * psi2 * z)
        # The positive root of mu1^2 psi2 z Y^2 + b Y - 1 = 0, in the form that adds.
        with np.errstate(divide="ignore", invalid="ignore"):
            other = (root - b) / (2 * mu1_squared * psi2 * z)
        big_y = np.where(b >= 0, 2 / (np.abs(b) + root), other)
        y = mu1_squared * big_y
        e = 1 / (1 + psi2 * y)
        u = e * y
        # D = 1 - psi2 u^2, factored so that it keeps its relative accuracy when u -> 1/sqrt(psi2).
        s = np.sqrt(psi2)
        d = e**2 * (1 + s * (s - 1) * y) * (1 + s * (s + 1) * y)
        k = kappa * big_y
        a = e + psi2 * u * mu2_squared * big_y
        t1 = big_y * (mu2_squared + mu1_squared * e)
        slope = k * big_y * (mu2_squared + mu1_squared * e**2) / d
        return cls(big_y, e, u, d, k, a, t1, slope)


def effective_ridge(lam: Array, mu1_squared: float, mu2_squared: float, psi1: Array, psi2: Array) -> Array:
    """kappa solving lam = kappa - (psi2/psi1) kappa t1(kappa), by Newton's iteration.

    kappa t1 = (1/N) tr kappa Omega/(Omega + kappa) is concave and at most tr Omega/N, so the right side is
    convex and the start lam + (psi2/psi1)(mu1^2 + mu2^2) lies right of the largest root: the iteration
    descends to it.
    """
    ratio = psi2 / psi1
    kappa = lam + ratio * (mu1_squared + mu2_squared)
    done = np.zeros(np.shape(kappa), dtype=bool)
    for _ in range(_MOST_ITERATIONS):
        t = _Traces.at(kappa, mu1_squared, mu2_squared, psi2)
        excess = kappa * (1 - ratio * t.t1) - lam
        step = excess / (1 - ratio * t.t1 + ratio * t.slope)
        done |= step <= 2e-15 * kappa
        kappa = np.where(done, kappa, np.maximum(kappa - step, lam))
        if done.all():
            break
    return np.asarray(kappa)
