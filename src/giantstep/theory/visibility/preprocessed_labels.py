"""The mean gradient of a ReLU neuron on pre-processed labels, its leading term, and how well one batch aligns with it.

With |w| = 1, f = sum_k <C_k, He_k>/k! and mu_k = E[relu He_k], that is 1/sqrt(2pi), 1/2, 1/sqrt(2pi), 0, -1/sqrt(2pi):

    E g = sum_k mu_{k+1}/k! C_{k+1}(w^k) + w sum_k mu_{k+2}/k! <C_k, w^k>
        = C_1/2 + C_0 w/sqrt(2pi) + H w/sqrt(2pi) + O(1/d),    H = C_2 = E[Hess f].

Pre-processing takes C_0 and C_1 away; then the leading term is H w/sqrt(2pi), of size d^(-1/2), and what it leaves out
is smaller by d^(-1/2): for rank one w mu_4 <H w, w>/2, a relative error of |w_V|/2.
Source: [dls22], the expected gradient; the alignment is derived.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import positive, require
from giantstep.gaussian.quadrature import panel_rule
from giantstep.gaussian.sphere import overlap_nodes
from giantstep.problems import Activation, Target
from giantstep.theory.gradient.law import (
    MOST_DIRECTIONS_ON_A_GRID,
    GradientLaw,
    MeanGradient,
    gradient_law,
    group_samples,
    target_grid,
)
from giantstep.theory.visibility.share import GradientShare, share_of_law

LEADING_COEFFICIENT = 1 / sqrt(2 * pi)
"""mu_2 of ReLU, the coefficient of H w."""
_RELU = Activation("relu(z)")
_LOG_STEP = 0.05


def without_linear_part(target: Target) -> Target:
    """f - E f - <E[x f], x>: what infinitely many samples leave of the labels of `target` = f to the step.

    >>> without_linear_part(Target("1 + x1 + He2(x2)")) == Target("He2(x2)")
    True
    """
    linear = {a: c for a, c in target.hermite(1).items() if sum(a) <= 1}
    if not linear:
        return target
    terms = [f"({c})" + "".join(f"*x{i + 1}" for i, k in enumerate(a) if k) for a, c in linear.items()]
    return Target(f"{target.text} - " + " - ".join(terms))


@dataclass(frozen=True)
class LeadingTerm:
    """How far H w/sqrt(2pi) carries, over w uniform on the sphere.

    `error` is the mean of |E g - H w/sqrt(2pi)| / |E g|, `second` that with the next order, mu_4/2 <H w, w> w, taken
    off as well (mu_3 = 0 takes C_3 from it); `coefficient` is E<E g, H w> / E|H w|^2, which tends to 1/sqrt(2pi).
    """

    error: float
    coefficient: float
    second: float


def leading_term(target: Target, d: int) -> LeadingTerm:
    """How far the leading term H w/sqrt(2pi) carries in dimension d. [dls22], see the module.

    Args:
        target: f with C_0 = C_1 = 0 (see `without_linear_part`) and H != 0.
        d: input dimension.
    """
    require(np.any(target.hessian), f"H = E[Hess f] is zero for {target}: the gradient has no term H w")
    law = gradient_law(target, _RELU)
    overlap, weight = overlap_nodes(law.directions, d)
    mean = law.mean_in_frame(overlap)
    turned = overlap @ target.hessian
    missing = mean.copy()
    missing[:, :-1] -= LEADING_COEFFICIENT * turned
    error = np.linalg.norm(missing, axis=1) / np.linalg.norm(mean, axis=1)
    frame = np.concatenate([overlap, np.sqrt(np.maximum(0.0, 1 - (overlap**2).sum(axis=1)))[:, None]], axis=1)
    fourth = _RELU.hermite_coefficient(4)
    missing -= 0.5 * fourth * (turned * overlap).sum(axis=1)[:, None] * frame
    second = np.linalg.norm(missing, axis=1) / np.linalg.norm(mean, axis=1)
    coefficient = weight @ (mean[:, :-1] * turned).sum(axis=1) / (weight @ (turned**2).sum(axis=1))
    return LeadingTerm(float(weight @ error), float(coefficient), float(weight @ second))


@lru_cache(maxsize=64)
def preprocessed_law(target: Target) -> GradientLaw:
    """The law of the gradient on labels without mean and linear part, both estimated on the samples of the step.

    With M = (1/n) sum sigma' x x^T the gradient is (1/n) sum y sigma' x - alpha E[sigma' x] - M beta, and M = 1/2 +
    O(sqrt(d/n)). So a sample contributes (y sigma' - y/2) x, and of its mean the linear part's is known: with y =
    f_2 + l, l = C_0 + <C_1, x>, a factor f_2 (sigma' - 1/2) - l/2 on x, where E[l x]/2 is taken off. Since beta is a
    plain average and no least-squares fit, l stays in the noise, whose power is E y^2/4. Regime: n >> d; corrections
    are O(d/n) and O(1/d).
    """
    r = target.directions
    require(
        target.is_polynomial and r <= MOST_DIRECTIONS_ON_A_GRID,
        f"The target {target} must be a polynomial of at most {MOST_DIRECTIONS_ON_A_GRID} directions",
    )
    curved = {a: float(c) for a, c in target.hermite().items() if sum(a) >= 2}
    mu = np.array([_RELU.hermite_coefficient(k) for k in range(max(map(sum, curved), default=0) + 3)])
    x, share = target_grid(r)
    z, weight = panel_rule(breaks=(0.0,), order=8, panels=6, reach=9.0)
    y = np.asarray(target(x), dtype=np.float64)
    linear = float(target.mean) + x @ target.linear
    factors = (y - linear)[:, None] * ((z > 0) - 0.5) - 0.5 * linear[:, None]
    samples = group_samples(x, share, factors, z, weight)
    mean = MeanGradient.of_coefficients(curved, mu)
    return GradientLaw(mean, float(samples.weight @ samples.power), samples.second.sum(axis=0), samples)


def label_gradient_law(
    target: Target, d: int, samples: int, *, preprocess: bool = True, noise: float = 0.0
) -> GradientLaw:
    """The law of a ReLU neuron's gradient on n samples.

    Label noise e adds e (sigma' - 1/2) x to a sample's contribution, of which only the second moment is kept.
    Pre-processing on the same samples takes the share d/n of the mean gradient along: of M beta, a double sum over
    samples, the terms of one sample with itself are (1/n^2) sum y sigma' |x|^2 x, on average d/n times E g (derived).

    Args:
        target: f*, a polynomial of at most three directions.
        d: input dimension.
        samples: n.
        preprocess: whether mean and linear part of the labels are taken off first, as estimated on the samples.
        noise: standard deviation of the labels' noise; with pre-processing only.
    """
    if not preprocess:
        require(noise == 0, "Label noise is known to pre-processed labels only")
        return gradient_law(target, _RELU)
    law = preprocessed_law(target)
    left = max(0.0, 1 - d / samples)
    if noise:
        added = 0.25 * noise**2
        second = law.second + added * np.eye(len(law.second))
        law = replace(law, power=law.power + added, second=second, samples=None)
    return replace(law, mean=replace(law.mean, coefficients=left * law.mean.coefficients))


def label_gradient_share(target: Target, d: int, samples: int, *, preprocess: bool = True) -> GradientShare:
    """Share of V in the gradient of a ReLU neuron on n samples, their fluctuations included.

    Args:
        target: f*, a polynomial of at most three directions.
        d: input dimension.
        samples: n.
        preprocess: whether mean and linear part of the labels are taken off first, as estimated on the samples.
    """
    return share_of_law(label_gradient_law(target, d, samples, preprocess=preprocess), d, samples)


def direction_shares(
    overlaps: Array, eigenvalues: Array, label_norm2: float, d: int, samples: int
) -> tuple[float, float]:
    """What the last eigenvector of H, and what the whole of V, has in the new weights beside all that lies outside V.

    Means over neurons. With mean (1 - d/n) [H w + mu_4/2 <H w, w> w], up to degree 3 all that there is for labels
    without linear part, and noise of E y^2/(4n) in each direction: g_r^2/(g_r^2 + |g_outside|^2), and the same for
    |g_V|^2. The first is 1/2 for n ~ (pi/2) d^2 E y^2/h_r^2, that is d^2 r kappa^2 with kappa = |H^+|/sqrt(r). Derived.

    Args:
        overlaps: m = w_V in the eigenvectors of H, (neurons, r).
        eigenvalues: h of H, (r,).
        label_norm2: E y^2, the noise of the labels included.
        d: input dimension.
        samples: n.
    """
    each, left = 0.25 * label_norm2 / samples, (1 - d / samples) * LEADING_COEFFICIENT
    along = -0.5 * left * (overlaps**2 @ eigenvalues)
    inside = (left * eigenvalues * overlaps + along[:, None] * overlaps) ** 2 + each
    outside = along**2 * (1 - (overlaps**2).sum(axis=1)) + (d - overlaps.shape[1]) * each
    weakest, whole = inside[:, -1], inside.sum(axis=1)
    return float(np.mean(weakest / (weakest + outside))), float(np.mean(whole / (whole + outside)))


def hessian_alignment(
    eigenvalues: Array, label_norm2: float, d: int, samples: float, *, preprocess: bool = True
) -> float:
    """|P w|^2/|w|^2 of the new weights w ~ H w_0/sqrt(2pi) + noise, for d to infinity with n/d^2 fixed.

    The noise has squared norm E y^2 E s^2 d/n, where s = sigma' - 1/2 = +-1/2 with pre-processing (E s^2 = 1/4) and s =
    sigma' without (1/2), and is orthogonal to V up to 1/d. E y^2 is that of the labels as they came: see
    `preprocessed_law`. With sqrt(d) w_0 ~ N(0, I) in V and h_i = eigenvalues of H,

        E[Q/(Q + B)],  Q = sum_i h_i^2 z_i^2,   B = 2 pi E s^2 d^2 E y^2/n
        = 1 - int_0^inf e^-t prod_i (1 + 2 t h_i^2/B)^(-1/2) dt,

    which for rank one, with A = B/h^2, is E[z^2/(z^2 + A)] = 1 - sqrt(pi A/2) e^(A/2) erfc(sqrt(A/2)).

    Args:
        eigenvalues: h_i, (r,).
        label_norm2: E y^2.
        d: input dimension.
        samples: n.
        preprocess: whether the labels are pre-processed.

    >>> round(hessian_alignment(np.array([2.0]), 2.0, 64, 8 * 64**2), 4)
    0.689
    """
    squares = np.asarray(eigenvalues, dtype=np.float64) ** 2
    squares = squares[squares > 1e-24]
    require(len(squares) > 0, "H is zero: one step aligns with nothing")
    positive("the mean square of the labels", label_norm2)
    b = 2 * pi * (0.25 if preprocess else 0.5) * d**2 * label_norm2 / samples
    if len(squares) == 1:
        a = b / squares[0]
        return float(1 - sqrt(pi * a / 2) * scipy.special.erfcx(sqrt(a / 2)))
    t = np.exp(np.arange(-40.0, 5.0, _LOG_STEP))
    survives = np.prod(1 / np.sqrt(1 + 2 * t[:, None] * squares / b), axis=1)
    return float(1 - np.sum(np.exp(-t) * survives * t) * _LOG_STEP)
