"""Ridge regression on features that are Gaussian only given one direction: deterministic equivalent for given weights.

After one giant step, with u = <v, x> along the learned direction and kappa = W v, W_perp = W - kappa v^T,

    phi(x) ~ mu(u) + Phi(u) x_perp + Psi(u)^(1/2) xi       [dklps23], conditional Gaussian equivalence

where mu_i(u) = E_z s(kappa_i u + tau_i z), tau_i = |W_perp,i|, Phi(u) = diag(E_z s') W_perp, and Psi(u) is what is
left of the covariance of phi given u: diagonal, and for a paired start also between partners, who share w_i^0. The
realised W_perp must be used, not W^0: the step moves each row by a vector of length O(1) besides its rank-one part.

A discrete u (Gauss-Hermite nodes u_k, weights pi_k) makes this a mixture of Gaussian classes with second moments
Sigma_k = E[phi phi^T | u_k] and c_k = E[phi y | u_k]. Ridge regression (1/n)|y - Psi c|^2 + lam |c|^2 then has

    Q = (lam + sum_k pi_k Sigma_k/(1 + d_k))^-1,   d_k = tr(Sigma_k Q)/n,   cbar = Q sum_k pi_k c_k/(1 + d_k),
    R_k = E[(y - cbar phi)^2 | u_k] + sum_l T_kl g_l R_l,   T_kl = tr(Sigma_k Q Sigma_l Q)/n,  g_l = pi_l/(1 + d_l)^2,
    test error = sum_k pi_k R_k,   training error = sum_k g_k R_k.

Derived: R_k is the error on a new sample of class k, which in the sum over l stands for the left-out error of a
training sample. For one class this is `ridge_risk`. d(d_k)/d(d_l) = T_kl g_l: the same matrix drives Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive, require
from giantstep.errors import InputError
from giantstep.gaussian.kernels import local_law
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import conditional_means

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

NODES = 32
NEGLIGIBLE = 1e-8
"""Nodes of u, and the probability below which a node is left out."""
_TOLERANCE = 1e-9
_MOST_ITERATIONS = 200


@dataclass(frozen=True, eq=False)
class FeatureClasses:
    """Second moments of features and labels by class: pi (K,), Sigma (K, N, N), c (K, N), E[f*^2 | class] (K,)."""

    weight: Array
    second: Array
    cross: Array
    label: Array

    def __repr__(self) -> str:
        return f"FeatureClasses({len(self.weight)} classes, {self.cross.shape[1]} features)"


@dataclass(frozen=True, eq=False)
class ConditionalRisk:
    """Risk and training error along a path of penalties."""

    ridge: Array
    risk: Array
    training_error: Array

    def __repr__(self) -> str:
        return f"ConditionalRisk(ridge={self.ridge}, risk={self.risk})"


def conditional_classes(
    target: Target, activation: Activation, weights: Array, direction: Array | None, *, paired: bool, nodes: int = NODES
) -> FeatureClasses:
    """The classes of phi/sqrt(N) given x along a direction; the module's equations.

    Without a direction there is one class, plain Gaussian equivalence: mu + Phi x + Psi^(1/2) xi.

    Args:
        target: f*, a function of the first r coordinates.
        activation: s of the features.
        weights: W, rows being neurons, (N, d).
        direction: v, of length 1, (d,), or none.
        paired: whether neuron i and the i-th from the end started from the same weights.
        nodes: Gauss-Hermite nodes of u = <v, x>.
    """
    w = np.asarray(weights, dtype=np.float64)
    require(w.ndim == 2, "weights must be a matrix, a row per neuron")
    v = np.zeros(w.shape[1]) if direction is None else np.asarray(direction, dtype=np.float64)
    require(v.shape == w.shape[1:], "direction must have as many entries as a weight vector")
    require(direction is None or abs(float(v @ v) - 1) < 1e-9, "direction must have length 1")
    neurons, r = w.shape[0], target.directions
    kappa = w @ v
    rest = w - np.outer(kappa, v)
    tau = np.linalg.norm(rest, axis=1)
    require(tau > 0, "a neuron is parallel to direction: its features are not Gaussian given it")
    unit = rest / tau[:, None]
    partner = (unit * unit[::-1]).sum(axis=1)[: neurons // 2] if paired else None
    u, weight = gauss_hermite(1 if direction is None else nodes)
    kept = weight > NEGLIGIBLE
    u, weight = u[kept], weight[kept] / weight[kept].sum()
    law, seen = local_law(activation, kappa, tau, u, partner), conditional_means(target, v[:r], u)
    gram = unit @ unit.T
    second = np.empty((len(u), neurons, neurons))
    i = np.arange(neurons // 2)
    for k in range(len(u)):
        np.multiply(gram, np.outer(law.linear[k], law.linear[k]), out=second[k])
        second[k] += np.outer(law.mean[k], law.mean[k])
        second[k][np.diag_indices(neurons)] += law.rest[k]
        second[k][i, neurons - 1 - i] += law.shared[k]
        second[k][neurons - 1 - i, i] += law.shared[k]
    second /= neurons
    cross = law.mean * seen.mean[:, None] + law.linear * (seen.gradient @ unit[:, :r].T)
    return FeatureClasses(weight, second, cross / np.sqrt(neurons), seen.second)


def conditional_ridge_risk(
    classes: FeatureClasses, samples: float, ridge: ArrayLike, noise: float = 0.0
) -> ConditionalRisk:
    """Risk E(f - f*)^2 and training error for every penalty; see the module's formula.

    Regime: n, N, d large in proportion, fresh ridge data independent of the weights, ridge > 0.

    Args:
        classes: second moments of features and labels, from `conditional_classes`.
        samples: n.
        ridge: lam, an array of any shape, above 0.
        noise: standard deviation of the label noise.
    """
    lam = np.atleast_1d(positive("ridge", ridge))
    n, noise2 = float(positive("samples", samples)), float(not_negative("noise", noise)) ** 2
    solver = _Solver(classes, n)
    risk, training = np.empty(lam.size), np.empty(lam.size)
    # From the largest penalty downwards: each solution starts the next.
    for place in np.argsort(-lam.ravel(), kind="stable"):
        errors = solver.errors(float(lam.ravel()[place]), noise2)
        risk[place] = float(classes.weight @ errors) - noise2
        training[place] = float(solver.shrunk @ errors)
    return ConditionalRisk(lam, risk.reshape(lam.shape), training.reshape(lam.shape))


class _Solver:
    """The fixed point d_k along a path of falling penalties, and the errors R_k that follow from it.

    F(d) = tr(Sigma Q(d))/n grows with d and is concave, so that Newton's method descends to the only fixed point from
    any d with F(d) <= d. Such are tr(Sigma)/(n lam), and lam1/lam2 times the fixed point of a larger penalty lam1.
    """

    def __init__(self, classes: FeatureClasses, n: float) -> None:
        self.classes, self.n = classes, n
        self.flat = classes.second.reshape(len(classes.weight), -1)
        self.penalty = 1.0
        self.d = np.trace(classes.second, axis1=1, axis2=2) / n

    @property
    def shrunk(self) -> Array:
        """g_k = pi_k/(1 + d_k)^2."""
        return np.asarray(self.classes.weight / (1 + self.d) ** 2)

    def resolvent(self) -> Array:
        size = self.classes.cross.shape[1]
        matrix = ((self.classes.weight / (1 + self.d)) @ self.flat).reshape(size, size)
        matrix[np.diag_indices(size)] += self.penalty
        return np.asarray(
            scipy.linalg.cho_solve(
                scipy.linalg.cho_factor(matrix, check_finite=False), np.eye(size), check_finite=False
            )
        )

    def pair_traces(self, q: Array) -> Array:
        """T_kl."""
        products = self.classes.second @ q
        turned = np.ascontiguousarray(products.transpose(0, 2, 1))
        count = len(self.d)
        return np.asarray(products.reshape(count, -1) @ turned.reshape(count, -1).T / self.n)

    def move_to(self, lam: float) -> tuple[Array, Array]:
        """The fixed point at this penalty; returns Q and T there. A Jacobian T g is kept while it serves."""
        self.d *= self.penalty / lam
        self.penalty, before = lam, np.inf
        jacobian = np.eye(len(self.d))
        for _ in range(_MOST_ITERATIONS):
            q = self.resolvent()
            gap = self.flat @ q.ravel() / self.n - self.d
            size = float(np.max(np.abs(gap) / (1 + self.d)))
            if size < _TOLERANCE:
                return q, self.pair_traces(q)
            if size > 0.2 * before:
                jacobian = np.eye(len(self.d)) - self.pair_traces(q) * self.shrunk
            before = size
            self.d = np.maximum(self.d + np.linalg.solve(jacobian, gap), 0.0)
        raise InputError(f"the deterministic equivalent was not found at ridge = {lam:g}; take a larger penalty")

    def errors(self, lam: float, noise2: float) -> Array:
        """R_k, label noise included."""
        c = self.classes
        q, pairs = self.move_to(lam)
        mean = q @ ((c.weight / (1 + self.d)) @ c.cross)
        alone = c.label + noise2 - 2 * (c.cross @ mean) + (c.second @ mean) @ mean
        return np.asarray(np.linalg.solve(np.eye(len(alone)) - pairs * self.shrunk, alone))


def learned_overlap(target: Target, samples_per_dim: float, noise: float = 0.0) -> float:
    """cos(v, V*) of the direction v that a step on n = psi d samples learns: |v*| / sqrt(|v*|^2 + E y^2/psi).

    v* = E[x f*]; the learned direction is X^T y/n, whose noise has length^2 E y^2 d/n. [dklps23], information
    exponent 1; in the limit n ~ d.

    Args:
        target: f*, with a linear part.
        samples_per_dim: psi = n/d of the step's batch.
        noise: standard deviation of the label noise.
    """
    psi = float(positive("samples_per_dim", samples_per_dim))
    linear2 = float(np.sum(np.asarray(target.linear) ** 2))
    require(linear2 > 0, "the target has no linear part: one step on n ~ d samples learns no direction of it")
    second = float(target.norm2) + float(not_negative("noise", noise)) ** 2
    return float(np.sqrt(linear2 / (linear2 + second / psi)))
