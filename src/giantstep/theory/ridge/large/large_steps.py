"""Large steps, eta = Theta(sqrt N): features leave the kernel regime and risks may fall below |P_{>1} f*|^2.

For a single-index target f*(x) = s*(<b, x>), after such a step a neuron sees k <b, x> plus an independent part, with
any k that the second layer cares to weigh. What one such neuron misses is

    tau* = inf_k E_{x1} (s*(x1) - E_{x2} s(k x1 + x2))^2,

and for psi1 large enough ridge regression reaches R <= 16 tau* + C (sqrt(tau*/psi1) + 1/psi1).
Source: [bes22], lemma and theorem for large learning rates. The floor is derived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive, require
from giantstep.gaussian import ScalarFunction
from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.quadrature import expect, normal_density, panel_nodes
from giantstep.problems import Activation, Target
from giantstep.theory.proportional import ROUNDING, Teacher

_LARGEST_GAIN = 60.0
_GAINS = np.concatenate([[0.0], np.geomspace(0.1, _LARGEST_GAIN, 32)])
_ENDLESS = 1e8  # a gain for which smoothing by z does nothing
_CORNERS = np.array([0.0, 0.02, 0.06, 0.15, 0.35, 0.75, 1.5, 2.25, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
_REACH = 9.0  # standard deviations on which the smoothed function is integrated
_PIECES = 18
_LEADING_CONSTANT = 16.0  # [bes22], theorem for large learning rates
_SERIES_DEGREE = 200
_SHARED_DEGREE = 40
_SHARED_SCALES = np.array([1.0, 1.5, 3.0])  # no component of a function vanishes at all of these by accident


@dataclass(frozen=True)
class Misspecification:
    """tau*, and how it is reached.

    Args:
        value: tau*, the smallest error of one smoothed neuron.
        gain: the k that reaches it.
        scale: the output scale that goes with it, 1 unless it was free.
        warning: what to know of the search, if anything.
    """

    value: float
    gain: float
    scale: float
    warning: str | None = None

    def __str__(self) -> str:
        if np.isinf(self.gain):  # `warning` says how it is reached
            return f"tau* = {self.value:.6g}. {self.warning}"
        note = f" {self.warning}" if self.warning else ""
        return f"tau* = {self.value:.6g} at k = {self.gain:.6g}.{note}"


def smoothed(activation: ScalarFunction, gain: float, x: Array) -> Array:
    """E s(k x + z) over z ~ N(0,1), for an array of x.

    The interval of z is split, for every x, where k x + z meets a kink of s; each piece has its own composite rule.
    """
    kinks = np.sort(np.asarray(activation.kinks, dtype=np.float64))
    ends = np.full((len(x), 1), _REACH)
    corners = np.concatenate([-ends, np.clip(kinks - gain * x[:, None], -_REACH, _REACH), ends], axis=1)
    low, width = corners[:, :-1, None], np.diff(corners, axis=1)[:, :, None]
    nodes, weights = panel_nodes(np.linspace(0.0, 1.0, _PIECES + 1), 10)
    z = low + width * nodes.ravel()
    values = np.asarray(activation(gain * x[:, None, None] + z), dtype=np.float64) * normal_density(z)
    return np.asarray((values * width * weights.ravel()).sum(axis=(1, 2)))


def _input_rule(link: ScalarFunction) -> tuple[Array, Array]:
    """Nodes and weights for E over x1, dense near 0, where a large gain makes the smoothed function steep."""
    corners = np.concatenate([-_CORNERS[:0:-1], _CORNERS])
    own = [kink for kink in link.kinks if abs(kink) < _CORNERS[-1]]
    nodes, weights = panel_nodes(np.unique(np.concatenate([corners, own])), 10)
    return nodes.ravel(), (weights * normal_density(nodes)).ravel()


def misspecification(link: ScalarFunction, activation: ScalarFunction, *, free_scale: bool = False) -> Misspecification:
    """tau* of an activation s and a single-index target s*, k >= 0; see the module's formula. [bes22]

    With a free scale the infimum is also over the output scale: inf_{k, c} E(s*(x) - c E s(k x + z))^2, which is what a
    network with a free second layer can use (derived; the paper's tau* has no scale).
    The infimum over k is searched on a logarithmic grid up to 60 and then refined; as k grows without end a neuron that
    saturates becomes a step, which counts too: its gain is infinite.

    Args:
        link: s* of the single-index target f*(x) = s*(<b, x>).
        activation: s of the neurons.
        free_scale: whether the output scale is free.
    """
    x, weight = _input_rule(link)
    wanted = np.asarray(link(x), dtype=np.float64)
    norm2 = float(weight @ wanted**2)

    def loss_and_scale(gain: float) -> tuple[float, float]:
        reached = smoothed(activation, gain, x) if gain < _ENDLESS else np.asarray(activation(_ENDLESS * x))
        scale = 1.0
        if free_scale:
            square = float(weight @ reached**2)
            scale = float(weight @ (wanted * reached)) / square if square > 1e-14 * norm2 else 0.0
        return float(weight @ (wanted - scale * reached) ** 2), scale

    losses = [loss_and_scale(float(k))[0] for k in _GAINS]
    best = int(np.argmin(losses))
    bracket = (_GAINS[max(best - 1, 0)], _GAINS[min(best + 1, len(_GAINS) - 1)])
    found = scipy.optimize.minimize_scalar(
        lambda k: loss_and_scale(k)[0], bounds=bracket, method="bounded", options={"xatol": 1e-9}
    )
    gain = float(found.x) if found.fun <= losses[best] else float(_GAINS[best])
    value, scale = loss_and_scale(gain)
    if best < len(_GAINS) - 1:
        return Misspecification(value, gain, scale)
    with np.errstate(over="ignore", invalid="ignore"):
        limit, limit_scale = loss_and_scale(_ENDLESS)
    if limit < value:
        return Misspecification(limit, np.inf, limit_scale, "The infimum is approached as k grows without end.")
    warning = f"The error still falls at k = {_LARGEST_GAIN:g}: the infimum is approached as k grows."
    return Misspecification(value, gain, scale, warning)


def ridge_window(samples: float, neurons: float, margin: float) -> tuple[float, float]:
    """The penalties N n^(e-1) < lam < N n^-e for which the theorem speaks. [bes22]

    Args:
        samples: n.
        neurons: N.
        margin: e, above 0 and at most 1/2.

    >>> low, high = ridge_window(100.0, 50.0, 0.5)
    >>> round(low, 9) == round(high, 9) == 5.0
    True
    """
    positive("samples", samples)
    positive("neurons", neurons)
    require(0 < margin <= 0.5, f"margin must lie in (0, 0.5], got {margin}")
    return float(neurons * samples ** (margin - 1)), float(neurons * samples**-margin)


def large_step_floor(
    link: Callable[[Array], Any],
    psi1: ArrayLike,
    noise: ArrayLike = 0.0,
    *,
    breaks: tuple[float, ...] = (),
    slopes: bool = False,
) -> Array:
    """What one direction leaves of the target: `floor_at` with rho^2 = 1/(1 + E y^2/(psi1 mu1*^2)).

    One step gives the network one direction g = X^T y whose correlation with b is rho. A network of few neurons makes a
    function of <x, g> plus a linear function of the rest of it; one with many neurons per dimension also gives that
    linear function a slope that depends on <x, g>, by weighing neurons with their initial weights. Derived, heuristic.
    With mu1* = 0 the direction carries nothing: |P_{>1} f*|^2 is left.

    Args:
        link: s* of the single-index target, a function of arrays.
        psi1: n/d of the step's batch, an array, may be infinite.
        noise: standard deviation of the label noise, an array that broadcasts.
        breaks: kinks of s* that it does not declare itself.
        slopes: whether the linear part may depend on <x, g>.
    """
    samples = positive("samples_per_dim (psi1)", psi1, or_infinite=True)
    norm2 = expect(lambda z: np.asarray(link(z)) ** 2, (*getattr(link, "kinks", ()), *breaks)).value
    second = norm2 + not_negative("noise", noise) ** 2
    linear2 = float(hermite_series(link, 1, breaks=breaks)[1] ** 2)
    return floor_at(link, linear2 / (linear2 + second / samples), breaks=breaks, slopes=slopes)


def floor_at(
    link: Callable[[Array], Any], overlap2: ArrayLike, *, breaks: tuple[float, ...] = (), slopes: bool = False
) -> Array:
    """sum_{k>=2} c_k^2 (1 - rho^{2k}): what a function of <g, x> plus a linear one leaves of s*(<b, x>). Derived.

    If the linear one may have a slope that depends on <g, x>, 1 - rho^{2k} - k rho^{2k-2} (1 - rho^2) takes the place
    of 1 - rho^{2k}: of h_k(rho z + (1 - rho^2)^(1/2) v) all terms linear in v are learned.

    Args:
        link: s* of the single-index target, a function of arrays.
        overlap2: rho^2, the squared overlap of g with b, an array.
        breaks: kinks of s* that it does not declare itself.
        slopes: whether the linear part may depend on <x, g>.
    """
    series = hermite_series(link, _SERIES_DEGREE, breaks=breaks)
    norm2 = expect(lambda z: np.asarray(link(z)) ** 2, (*getattr(link, "kinks", ()), *breaks)).value
    rho2 = np.asarray(overlap2, dtype=np.float64)
    degree = np.arange(2, _SERIES_DEGREE + 2)
    rho2 = rho2[..., None]
    left = 1 - rho2**degree - (degree * rho2 ** (degree - 1) * (1 - rho2) if slopes else 0.0)
    # Energy beyond the series counts with the factor of its lowest degree, which keeps this a lower bound.
    beyond = max(0.0, norm2 - float((series**2).sum()))
    return np.asarray((left * np.append(series[2:] ** 2, beyond)).sum(axis=-1))


def shares_nonlinear_part(link: ScalarFunction, activation: ScalarFunction) -> bool:
    """Whether a neuron that sees k <b, x> plus an independent part has a Hermite component of degree >= 2 in common
    with s*(<b, x>), for some gain k.

    E s(k x + z) has the components (k/r)^j E[s(r z) h_j(z)] with r^2 = 1 + k^2. Where all those of s* beyond the linear
    one are missing, as the odd ones are from ReLU's, no step however large takes the risk below |P_{>1} f*|^2. Derived.

    Args:
        link: s* of the single-index target.
        activation: s of the neurons.
    """
    degree = np.arange(2, _SHARED_DEGREE + 1)
    own = hermite_series(activation, _SHARED_DEGREE, _SHARED_SCALES)[:, degree]
    wanted = hermite_series(link, _SHARED_DEGREE)[degree]
    return bool(np.any(np.abs(own * wanted) > ROUNDING))


def beats_kernels(teacher: Teacher, tau: float) -> bool:
    """Whether 16 tau* < |P_{>1} f*|^2: for psi1 large enough one large step outperforms every kernel here. [bes22]

    `teacher` holds the moments of the target, `tau` is tau* of `misspecification`.
    """
    return _LEADING_CONSTANT * tau < teacher.mu2_squared


@dataclass(frozen=True)
class Imitation:
    """How well one neuron imitates a single-index target after a large step.

    Args:
        link: s* of the target.
        tau: tau*, without an output scale.
        scaled: the same with a free one.
        learns_more: whether neuron and target share anything beyond the linear part (`shares_nonlinear_part`).
        beats_kernels: whether the theorem promises a risk below that of every kernel (`beats_kernels`).
    """

    link: ScalarFunction
    tau: Misspecification
    scaled: Misspecification
    learns_more: bool
    beats_kernels: bool

    def __str__(self) -> str:
        free, scale = _reached(self.scaled), self.scaled.scale
        at = "" if np.isinf(self.scaled.gain) else f", scale {scale:.4g}"
        return f"tau* = {_reached(self.tau)}; with a free output scale {free}{at}"


def _reached(found: Misspecification) -> str:
    """An error and the gain that reaches it, for people."""
    return f"{found.value:.4g} " + ("as the gain grows" if np.isinf(found.gain) else f"at gain {found.gain:.4g}")


@lru_cache(maxsize=64)
def imitation(target: Target, activation: Activation) -> Imitation:
    """How well a `target` of one direction is imitated by a neuron with this `activation`. [bes22], lemma on tau*

    >>> sine = imitation(Target("sin(x1)"), Activation("sin"))
    >>> round(sine.tau.value, 3), round(sine.scaled.value, 3), sine.learns_more
    (0.063, 0.0, True)
    """
    require(target.single_index is not None, f"the target {target} is not a function of one direction")
    assert target.single_index is not None
    link = target.single_index[0]
    tau, scaled = (misspecification(link, activation, free_scale=free) for free in (False, True))
    below = beats_kernels(Teacher.of(target), tau.value)
    return Imitation(link, tau, scaled, shares_nonlinear_part(link, activation), below)
