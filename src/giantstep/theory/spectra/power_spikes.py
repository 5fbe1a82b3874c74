"""The spikes that one large step puts into the feature matrix, one for each power of <x, beta>. [moniri24]

W1 = W0 + eta a_i mean(y s'(<w_i, x>) x), a_i ~ N(0, 1/N), rows of W0 of length 1. With beta = X^T y/n, mu1 = E s' and
u = <x, beta>/|beta| neuron i is s(kappa_i u + tau_i z) in law, where

    kappa_i = eta mu1 |beta| a_i + <w_i, beta>/|beta|,   |beta|^2 -> t1^2 + t2 d/n,   t1 = |E x y|, t2 = E y^2,
    tau_i^2 = (1 + kappa_i b)^2 + kappa_i^2 q,   b = E s'' E y/(mu1 |beta|),   q = t2 Var(s') d/(n mu1^2 |beta|^2).

Given u its mean is m(kappa, u) = E_z s(kappa u + tau z) = sum_k c_k kappa^k u^k + ..., c_k = E[s He_k]/k!: a matrix of
low rank whose terms are [moniri24]'s spikes, of size sqrt(n) c_k E[kappa^2k]^(1/2) E[u^2k]^(1/2) in s(X W1^T)/sqrt(N).
For finite n the singular values sigma_k and left functions of the kernel m under the laws of kappa and u say more, for
powers are not orthogonal. What is left of the features is independent of u and kappa and has the spectrum of a
conjugate kernel, in whose notation, z(x) = L F and gamma = n/N, a signal theta = sqrt(n) sigma_k has the singular value
sqrt(z(x)), and its left vector has the squared overlap alpha_k with the signal's own, where

    D(x) = (F/gamma + 1 - 1/gamma)/L = 1/theta^2,   alpha = -[1/(gamma L) + (1 - 1/gamma)/z] z'(x)/(theta^2 D'(x));

none if D at the edge is below 1/theta^2 (Benaych-Georges and Nadakuditi 2012, for any bulk; here derived).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import not_negative, positive, require
from giantstep.gaussian.kernels import local_series
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation, Target
from giantstep.theory.spectra.conjugate import ConjugateKernel

NODES = 60
NEGLIGIBLE = 1e-12
"""Gauss-Hermite nodes of u and of kappa, and the probability below which one is left out."""


@dataclass(frozen=True, eq=False)
class PolynomialSpikes:
    """The largest singular values of s(X W1^T)/sqrt(N), and what their left vectors have of powers of X beta.

    Args:
        values: singular values, falling, (count,); at the edge where there is no spike.
        edge: the edge of the bulk.
        aligned: squared overlap of left vector j with (X beta)^k, k = 1.., (count, powers).
        gain: standard deviation of kappa.
    """

    values: Array
    edge: float
    aligned: Array
    gain: float

    def __repr__(self) -> str:
        return f"PolynomialSpikes(values={self.values.round(4)}, edge={self.edge:.4g})"

    def captured(self, spikes: int) -> Array:
        """Squared length of (X beta)^k, taken as a unit vector, in the span of the first `spikes` left vectors."""
        return np.asarray(self.aligned[:spikes].sum(axis=0))


def polynomial_spikes(
    target: Target,
    activation: Activation,
    d: int,
    samples: int,
    neurons: int,
    step: float,
    noise: float = 0.0,
    *,
    second_layer: Array | None = None,
    count: int = 4,
) -> PolynomialSpikes:
    """The spikes after one step of size eta; see the module.

    Regime: n, N, d large in proportion, kappa of order 1 at most, a centred activation.

    Args:
        target: f*, with a linear part.
        activation: s, with E s = 0 and E s' not 0.
        d: dimension of the inputs.
        samples: n, of the step and of the feature matrix each.
        neurons: N.
        step: eta.
        noise: standard deviation of the label noise.
        second_layer: a, (N,), for a prediction that knows it; its law otherwise.
        count: how many spikes and powers are wanted.

    >>> found = polynomial_spikes(Target("x1"), Activation("tanh"), d=200, samples=800, neurons=400, step=8.0, count=2)
    >>> found.values.round(2).tolist(), found.aligned[0].round(2).tolist()
    ([4.64, 2.32], [0.95, 0.0])
    """
    moments = activation.moments
    require(abs(moments.mu0) < 1e-6, f"the activation {activation} has a mean: take centered({activation})")
    require(abs(moments.mu1) > 1e-9, f"the activation {activation} has E s' = 0: the step has no common direction")
    n, width, size = (float(positive(*told)) for told in (("samples", samples), ("neurons", neurons), ("d", d)))
    t2 = float(target.norm2) + float(not_negative("noise", noise)) ** 2
    beta2 = float(np.sum(np.asarray(target.linear) ** 2)) + t2 * size / n
    require(beta2 > 0, f"the target {target} is 0: there is nothing to learn")
    pull = float(not_negative("step", step)) * moments.mu1 * np.sqrt(beta2)
    kappa, chance = _overlaps(pull, width, size, second_layer)
    turned = moments.curvature * float(target.mean) / (moments.mu1 * np.sqrt(beta2))
    blurred = t2 * moments.slope_variance * size / (n * moments.mu1**2 * beta2)
    tau = np.sqrt((1 + kappa * turned) ** 2 + kappa**2 * blurred)
    u, weight = _normal_nodes()
    (mean, linear), square = local_series(activation, kappa[:, None] * u, np.repeat(tau[:, None], len(u), axis=1), 1)
    both = chance[:, None] * weight
    coherent = float((both * linear).sum())
    bulk = ConjugateKernel(coherent, float((both * (square - mean**2)).sum()) - coherent**2, n / size, width / size)
    _, strength, left = np.linalg.svd(np.sqrt(both) * mean, full_matrices=False)
    spikes = [signal_in_bulk(bulk, float(np.sqrt(n) * s)) for s in strength[:count]]
    power = u ** np.arange(1, count + 1)[:, None]
    parts = (left[:count] * np.sqrt(weight)) @ power.T / np.sqrt(power**2 @ weight)
    share = np.array([overlap for _, overlap in spikes])
    values = np.array([value for value, _ in spikes])
    return PolynomialSpikes(
        values, float(np.sqrt(bulk.edge)), share[:, None] * parts**2, float(np.sqrt(chance @ kappa**2))
    )


def signal_in_bulk(bulk: ConjugateKernel, theta: float) -> tuple[float, float]:
    """Singular value and squared overlap of the left vector for a rank-one signal of size `theta` that knows nothing of
    the features whose kernel is `bulk`; the edge and 0 if the signal drowns."""
    gamma, low = bulk.gamma, bulk.threshold**2

    def excess(log_x: float) -> float:
        x = np.exp(log_x)
        return float((bulk.factor(x) / gamma + 1 - 1 / gamma) / bulk.population(x)) * theta**2 - 1

    if excess(np.log(low)) <= 0:
        return float(np.sqrt(bulk.edge)), 0.0
    high = np.log(low) + 1
    while excess(high) > 0:
        high += 1
    place = float(scipy.optimize.brentq(excess, np.log(low), high))
    x, small = np.exp(place), 1e-5
    falls = (excess(place + small) - excess(place - small)) / (2 * small * x)  # theta^2 D'(x)
    z, population = float(bulk.curve(x)), float(bulk.population(x))
    own = 1 / (gamma * population) + (1 - 1 / gamma) / z
    return float(np.sqrt(z)), float(np.clip(-own * float(bulk.curve_slope(x)) / falls, 0.0, 1.0))


def _normal_nodes() -> tuple[Array, Array]:
    z, weight = gauss_hermite(NODES)
    kept = weight > NEGLIGIBLE
    return z[kept], weight[kept] / weight[kept].sum()


def _overlaps(pull: float, neurons: float, d: float, second_layer: Array | None) -> tuple[Array, Array]:
    """kappa and probabilities: nodes of its normal law, or drawn a_i, each with <w_i, v> = d^(-1/2) and -d^(-1/2)."""
    if second_layer is None:
        z, weight = _normal_nodes()
        return np.sqrt(pull**2 / neurons + 1 / d) * z, weight
    a = np.asarray(second_layer, dtype=np.float64)
    require(a.ndim == 1 and len(a) == neurons, "second_layer must have one entry for each neuron")
    return np.concatenate([pull * a + d**-0.5, pull * a - d**-0.5]), np.full(2 * len(a), 0.5 / len(a))
