"""Features replaced by Gaussian ones given the learned direction ([dklps23]), or given nothing.

Conditional: with u = <v, x>, kappa = W v, x_perp = x - u v, W_perp = W - kappa v^T, tau_i = |W_perp,i|,

    phi_i(x) -> mu_i(u) + E_z[s'(kappa_i u + tau_i z)] <W_perp,i, x_perp> + (Psi(u)^(1/2) xi)_i,   xi ~ N(0, I)

on the same inputs and labels. Psi(u) is diagonal, but for partners of a paired start, who share w_i^0 and keep
correlated rests. With v = 0 nothing is conditioned on: plain Gaussian equivalence, mu + Phi x + Psi^(1/2) xi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.kernels import LocalLaw, interpolated, local_law
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.learners.networks.network import Network
from giantstep.problems import Problem, conditional_means
from giantstep.streams import Streams

RISK_NODES = 48
"""Gauss-Hermite nodes of u for the risk: more than any theory uses, since this is what a test set would show."""
SPACING = 0.2
"""Grid of u, in units of the smallest tau/kappa or 1, on which mu, Phi and Psi are tabulated for samples."""


def learned_direction(before: Network, after: Network) -> Array:
    """v, (d,), the top right singular vector of W^1 - W^0 of the networks `after` and `before` the steps; its sign
    makes its largest entry positive."""
    change = after.weights - before.weights
    if not change.any():
        raise InputError("the weights have not moved: a step that learns nothing has no direction")
    v = np.linalg.svd(change, full_matrices=False)[2][0]
    return np.asarray(v * np.sign(v[np.argmax(np.abs(v))]))


@dataclass(frozen=True, eq=False, repr=False)
class ConditionalFeatures:
    """The Gaussian features of a network given <v, x>, or given nothing if v = 0.

    Args:
        network: W, (N, d), and its activation; without biases.
        direction: v, (d,), of length 1 or 0.
        paired: whether the network had a paired start, so that partners share w_i^0.
    """

    network: Network
    direction: Array
    paired: bool

    def __post_init__(self) -> None:
        if self.network.biases is not None:
            raise InputError("conditional Gaussian features are known for networks without biases only")
        if self.direction.shape != (self.network.d,):
            raise InputError(
                f"a direction of shape {self.direction.shape} is not allowed; it must be ({self.network.d},)"
            )

    @property
    def kappa(self) -> Array:
        return np.asarray(self.network.weights @ self.direction)

    @property
    def rest(self) -> Array:
        """W_perp."""
        return np.asarray(self.network.weights - np.outer(self.kappa, self.direction))

    def law(self, u: Array) -> LocalLaw:
        """mu(u), tau E s', the diagonal of Psi(u) and its entries between partners."""
        rest = self.rest
        gram, half = (rest * rest[::-1]).sum(axis=1), self.network.neurons // 2
        tau = np.linalg.norm(rest, axis=1)
        partner = (gram / (tau * tau[::-1]))[:half] if self.paired else None
        return local_law(self.network.activation, self.kappa, tau, u, partner)

    def sample(self, x: Array, streams: Streams) -> Array:
        """The features (n, N) on inputs (n, d); only xi is drawn."""
        u, rest = x @ self.direction, self.rest
        tau = np.linalg.norm(rest, axis=1)
        finest = float(np.max(np.abs(self.kappa) / tau))
        law = interpolated(self.law, u, SPACING / max(1.0, finest))
        features = x @ (rest / tau[:, None]).T  # W_perp v = 0, so that x does as well as x_perp
        features *= law.linear
        features += law.mean
        features += self._noise(law, streams)
        return np.asarray(features)

    def _noise(self, law: LocalLaw, streams: Streams) -> Array:
        """Psi(u)^(1/2) xi, through Cholesky factors of the blocks of partners."""
        xi = streams.generator().standard_normal(law.rest.shape)
        half = self.network.neurons // 2
        first = law.rest[:, :half]
        taken = np.divide(law.shared, np.sqrt(first), out=np.zeros_like(law.shared), where=first > 0)
        left = np.sqrt(law.rest)
        partners = left[:, ::-1][:, :half]  # a view: the last half of the columns, reversed
        partners[:] = np.sqrt(np.maximum(partners**2 - taken**2, 0.0))
        noise = left * xi
        noise[:, ::-1][:, :half] += taken * xi[:, :half]
        return np.asarray(noise)

    def risk(self, coefficients: Array, problem: Problem) -> Array:
        """E (f - f*)^2 for heads c (L, N) on these features, by quadrature in u: no test set.

        Given u: (c mu)^2 + |c Phi|^2 + c Psi c - 2 (c mu f_0 + c Phi f_1) + E[f*^2 | u].
        """
        u, weight = gauss_hermite(RISK_NODES)
        law, r = self.law(u), problem.target.directions
        seen = conditional_means(problem.target, self.direction[:r], u)
        rest, half = self.rest, self.network.neurons // 2
        unit = rest / np.linalg.norm(rest, axis=1)[:, None]
        total = np.full(len(coefficients), float(problem.target.norm2))
        for k in range(len(u)):
            mean, linear = coefficients @ law.mean[k], (coefficients * law.linear[k]) @ unit
            partners = coefficients[:, :half] * coefficients[:, ::-1][:, :half]
            square = mean**2 + (linear**2).sum(axis=1) + coefficients**2 @ law.rest[k] + 2 * partners @ law.shared[k]
            cross = mean * seen.mean[k] + linear[:, :r] @ seen.gradient[k]
            total += weight[k] * (square - 2 * cross)
        return total
