"""Ridge regression on the features after one giant step: the limit of risk and training error, any width.

Weights as in `rows`; n = alpha d fresh samples, p = rho d neurons, loss sum (y - a phi/sqrt p)^2 + lam |a|^2. Given
k = <v, x> a feature is u0(k) + (kappa_i - r) k u1(k) + (tau_i - s) l(k) + u1(k) <w_i, x_perp> + sqrt(u2(k)) noise with

    u0 = E s(r k + sqrt(c) z),  u1 = E s'(..),  l = E[z s'(..)],  u2 = E s^2(..) - u0^2 - c u1^2,

and the target h(k) + h1(k) <e, x> + rest: h = E f*(gamma k + sqrt(1 - gamma^2) z), h1 = E[z f*(..)], hh = E f*^2(..).
With b = a/sqrt p the prediction is C(k) + u1(k) <x_perp, W^T b> + noise, C = m u0 + theta_1 k u1 + theta_2 l, psi =
<e, W^T b>. Conditional Gaussian equivalence [dklps23] for a continuum of classes k (`conditional`) gives [cui24]

    g = 1/(1 + u1^2 V1 + u2 V2),  v_1 = (n/p) E[u1^2 g],  v_2 = (n/p) E[u2 g],
    V1 = E[D/S],  V2 = E[1/S],  S = lam + v1 D + v2

with D of c times the Marchenko-Pastur law of ratio p/d. In the mean head, S without the direction e sees three vectors
of independent entries, of covariance Gamma/d, so that t = (theta_1, theta_2, psi) and m solve

    t = (n/d) V2 Gamma F,   F = (E[g k u1 (h - C)], E[g l (h - C)], E[g u1 (h1 - u1 psi)]),   E[g u0 (h - C)] = 0:

m costs nothing, for p neurons share it. The second moments q1 = E|W^T b|^2 and q2 = E|b|^2 add what chance does,

    q = ((n/p)^2 (p/d) F' Gamma F (E[D/S^2], E[1/S^2]) + (psi^2, 0)) + (n/p) M E_k[(u1^2, u2) g^2 R],
    R(k) = hh + noise^2 - 2 C h + C^2 - 2 u1 psi h1 + u1^2 q1 + u2 q2,   M = E[(D^2, D; D, 1)/S^2],

risk = E R - noise^2 and training error = E[g^2 R]. Derived. With the published Gamma = diag(c, 0, c) these are the
equations of [cui24], and the term theta_2 l is absent.

The next order, for a finite number n of samples (derived): m/(n V2) = E[g u0 (h - C)]; a head of mean m has |b|^2 >=
m^2/p, which adds m^2/(p V2^2) (E[D/S^2], E[1/S^2]) to q, and much where m is large; and the coefficients of f = (u0,
k u1, l) scatter with the covariance Omega/n, Omega^-1 = E[g f f'] + P^-1, P = diag(n V2, (n/d) V2 Gamma): they add
f'Omega f/n to 1/g and T_kl = [(f_k'Omega f_l)^2 + f_k' O f_k B_l + f_l' O f_l B_k]/n to the errors that samples of
class l make at k, O = Omega - Omega E[g f f'] Omega, B_l = (n/p) (u1^2 E[D/S^2] + u2 E[1/S^2])/V2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import not_negative, positive, require
from giantstep.errors import InputError
from giantstep.gaussian.kernels import local_series
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation, Target
from giantstep.theory.ridge.giant.rows import RowLaw

NODES = 96
NEGLIGIBLE = 1e-13
"""Gauss-Hermite nodes of k, and the probability below which one is left out."""
_TOLERANCE = 1e-11
_MOST_ITERATIONS = 200
_ONE = np.eye(3)


@dataclass(frozen=True)
class GiantStepLimit:
    """What ridge regression reaches after the step.

    Args:
        risk: E(f - f*)^2 on fresh inputs.
        training_error: mean squared error on the noisy labels of the head's samples.
    """

    risk: float
    training_error: float


def giant_step_limit(
    target: Target,
    activation: Activation,
    rows: RowLaw,
    samples_per_dim: float,
    neurons_per_dim: float,
    ridge: float,
    noise: float = 0.0,
    *,
    samples: float = np.inf,
) -> GiantStepLimit:
    """Risk and training error of the head after one giant step; see the module.

    Args:
        target: f*, a function of one direction.
        activation: s of the features.
        rows: the weights, from `row_law` for the same target, activation and noise.
        samples_per_dim: alpha = n/d of the head.
        neurons_per_dim: rho = p/d.
        ridge: lam, above 0.
        noise: standard deviation of the label noise.
        samples: n of the head, for the next order in 1/n; the limit unless given.

    >>> from giantstep.theory.ridge.giant import row_law
    >>> sine, tanh = Target("sin(x1)"), Activation("tanh")
    >>> rows = row_law(sine, tanh, step_samples_per_dim=20, step=3)
    >>> found = giant_step_limit(sine, tanh, rows, samples_per_dim=3, neurons_per_dim=2, ridge=0.1)
    >>> round(found.risk, 5), round(found.training_error, 5)
    (0.02384, 0.01477)
    """
    alpha = float(positive("samples_per_dim", samples_per_dim))
    rho = float(positive("neurons_per_dim", neurons_per_dim))
    lam, noise2 = float(positive("ridge", ridge)), float(not_negative("noise", noise)) ** 2
    n = float(positive("samples", samples, or_infinite=True))
    require(target.single_index is not None, f"the target {target} is not a function of one direction")
    at, ratio = _given_spike(target, activation, rows.spike, rows.spread, rows.alignment), alpha / rho
    leverage, first = np.zeros(at.weight.shape), np.array([rows.spread, 1.0]) / lam
    for _ in range(_MOST_ITERATIONS):
        bulk = _fixed_point(at, leverage, first, rows.spread, ratio, rho, lam)
        first = bulk.first  # it hardly moves with the leverage: the next search begins here
        g = 1 / (1 + bulk.first @ at.squares + leverage)
        modes = _Modes.at(at, rows.covariance, bulk.first[1], alpha, n, g)
        before, leverage = leverage, modes.leverage
        if np.max(np.abs(leverage - before)) < _TOLERANCE:
            break
    m, t, forces = _mean_head(at, rows.covariance, bulk.first[1], alpha, n, g)
    c, psi = m * at.mean + t[:2] @ at.modes, t[2]
    fitted = ratio**2 * rho * float(forces @ rows.covariance @ forces) + m**2 * ratio / (n * bulk.first[1] ** 2)
    alone = at.target_square + noise2 - 2 * c * at.target + c**2 - 2 * at.linear * psi * at.target_linear
    alone += (fitted * bulk.second[1] + np.array([psi**2, 0.0])) @ at.squares
    pairs = ratio * at.squares.T @ bulk.second @ at.squares
    pairs += modes.pairs(ratio * bulk.second[1] @ at.squares / bulk.first[1], n)
    error = np.linalg.solve(np.eye(len(g)) - pairs * (at.weight * g**2), alone)
    return GiantStepLimit(float(at.weight @ error) - noise2, float(at.weight @ (g**2 * error)))


@dataclass(frozen=True, eq=False)
class _GivenSpike:
    """The module's functions of k on nodes, with their weights; `squares` is (u1^2, u2), `values` (u0, k u1, l)."""

    weight: Array
    mean: Array
    linear: Array
    squares: Array
    values: Array
    target: Array
    target_linear: Array
    target_square: Array

    @property
    def modes(self) -> Array:
        """(k u1, l)."""
        return self.values[1:]


@lru_cache(maxsize=256)  # the same whatever the covariance of the rows, the samples and the penalty
def _given_spike(target: Target, activation: Activation, spike: float, spread: float, alignment: float) -> _GivenSpike:
    k, weight = _places()
    root = np.sqrt(spread)
    (u0, first, second), square = local_series(activation, spike * k, np.full(k.shape, root), 2)
    u1 = first / root
    rest = np.maximum(square - u0**2 - first**2, 0.0)
    values = np.array([u0, k * u1, np.sqrt(2) * second / root])
    return _GivenSpike(weight, u0, u1, np.array([u1**2, rest]), values, *_given_labels(target, alignment))


@lru_cache(maxsize=256)  # the same for every size of the step
def _given_labels(target: Target, alignment: float) -> tuple[Array, Array, Array]:
    """h, h1 and hh on the nodes."""
    assert target.single_index is not None
    k = _places()[0]
    across = np.full(k.shape, np.sqrt(max(0.0, 1 - alignment**2)))
    (h, h1), hh = local_series(target.single_index[0], alignment * k, across, 1)
    return h, h1, hh


@lru_cache(maxsize=1)
def _places() -> tuple[Array, Array]:
    k, weight = gauss_hermite(NODES)
    kept = weight > NEGLIGIBLE
    return k[kept], weight[kept] / weight[kept].sum()


@dataclass(frozen=True, eq=False)
class _Bulk:
    """(E[D/S], E[1/S]) and E[(D^2, D; D, 1)/S^2]."""

    first: Array
    second: Array

    @classmethod
    def at(cls, v: Array, spread: float, rho: float, lam: float) -> _Bulk:
        """V2 (z + a/(1 + a rho V2)) = 1 with z = lam + v2, a = v1 c: a quadratic; the rest are its derivatives."""
        z, a = lam + float(v[1]), float(v[0]) * spread
        b = z + a - a * rho
        root = np.sqrt(b**2 + 4 * z * a * rho)
        v2 = 2 / (b + root) if b > 0 else (root - b) / (2 * z * a * rho)
        shrunk = 1 + a * rho * v2
        inverse = v2 / (z + a / shrunk**2)
        once = spread * inverse / shrunk**2
        twice = spread / shrunk**2 * (once + rho * spread * v2**2)
        return cls(np.array([spread * v2 / shrunk, v2]), np.array([[twice, once], [once, inverse]]))


def _fixed_point(
    at: _GivenSpike, leverage: Array, first: Array, spread: float, ratio: float, rho: float, lam: float
) -> _Bulk:
    """V1 and V2 by Newton's method from `first`, above them or near: V -> (E[D/S], E[1/S]) grows with V, concave."""
    for _ in range(_MOST_ITERATIONS):
        g = 1 / (1 + first @ at.squares + leverage)
        bulk = _Bulk.at(ratio * (at.squares * g) @ at.weight, spread, rho, lam)
        gap = bulk.first - first
        (x, y), (near_x, near_y) = gap.tolist(), (_TOLERANCE * bulk.first).tolist()
        if abs(x) < near_x and abs(y) < near_y:
            return bulk
        slope = ratio * bulk.second @ ((at.squares * g**2 * at.weight) @ at.squares.T)
        (a, b), (c, d) = slope.tolist()
        det = (1 - a) * (1 - d) - b * c
        newton = np.array([(1 - d) * x + b * y, c * x + (1 - a) * y]) / det  # (1 - slope)^-1 gap
        first = np.maximum(first + newton, 1e-3 * first)
    raise InputError(f"the limit was not found at ridge = {lam:g}; take a larger penalty")


@dataclass(frozen=True, eq=False)
class _Modes:
    """The functions f_a = (u0, k u1, l) that a few numbers of the head choose, and Omega, the module's covariance."""

    values: Array
    omega: Array
    chance: Array
    leverage: Array

    @classmethod
    def at(cls, at: _GivenSpike, covariance: Array, v2: float, alpha: float, n: float, g: Array) -> _Modes:
        values = at.values
        if np.isinf(n):
            zero = np.zeros((3, 3))
            return cls(values, zero, zero, np.zeros(g.shape))
        before = np.zeros((3, 3))
        before[0, 0], before[1:, 1:] = n * v2, alpha * v2 * covariance[:2, :2]
        stiff = (values * (g * at.weight)) @ values.T
        omega = np.asarray(np.linalg.solve(_ONE + before @ stiff, before), dtype=np.float64)
        return cls(values, omega, omega - omega @ stiff @ omega, ((omega @ values) * values).sum(axis=0) / n)

    def pairs(self, bulk: Array, n: float) -> Array:
        """What they add to T_kl, `bulk` being what class l adds by itself: at most of order 1/n."""
        if np.isinf(n):
            return np.zeros((len(bulk), len(bulk)))
        own = ((self.chance @ self.values) * self.values).sum(axis=0)
        mixed = np.outer(own, bulk)
        return np.asarray(((self.values.T @ self.omega @ self.values) ** 2 + mixed + mixed.T) / n)


def _mean_head(
    at: _GivenSpike, covariance: Array, v2: float, alpha: float, n: float, g: Array
) -> tuple[float, Array, Array]:
    """m, t and the forces F of the module."""
    weighed = g * at.weight
    stiff = np.zeros((3, 3))
    stiff[:2, :2], stiff[2, 2] = (at.modes * weighed) @ at.modes.T, weighed @ at.squares[0]
    shared = np.array([*(at.modes @ (weighed * at.mean)), 0.0])
    aim = np.array([*(at.modes @ (weighed * at.target)), weighed @ (at.linear * at.target_linear)])
    # Rows: m/(n V2) = E[g u0 (h - C)], and t = (n/d) V2 Gamma F.
    mean2 = float(weighed @ at.mean**2) + 1 / (n * v2)
    system, right = np.empty((4, 4)), np.empty(4)
    system[0, 0], system[0, 1:], right[0] = mean2, shared, weighed @ (at.mean * at.target)
    if mean2 < 1e-28 * float(weighed @ (at.squares.sum(axis=0))):  # an odd activation before any step: no mean
        system[0], right[0] = np.eye(4)[0], 0.0
    drawn = alpha * v2 * covariance
    system[1:, 0], system[1:, 1:], right[1:] = drawn @ shared, np.eye(3) + drawn @ stiff, drawn @ aim
    m, *rest = np.linalg.solve(system, right)
    t = np.array(rest)
    return float(m), t, aim - shared * m - stiff @ t
