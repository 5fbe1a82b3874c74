"""What the normalised flow on n samples leaves open, and what heads, principal components and kernels make of the rest.

The flow of [mws23] on samples comes to rest at w with mean[(e s'(u) - m u) x] = 0, e = y - s(u), m = <w, mean e s' x>,
u = <x, w>. In whitened coordinates w = beta + delta, delta small and orthogonal; the mean field is -zeta(1) delta and
the noise of a sample (e s' - m v) z, v = <x, beta>/sqrt(kappa). So (derived)

    E (1 - omega^2) = V (d - 1)/n,     V = E (e s'(v) - m v)^2/zeta(1)^2,     whatever the spike.

Of g = sum c_k h_k, h_k normalised, a function of u knows the share omega^(2k) of each c_k^2. The talk's theorem asks
for n ~ d eps^-2 samples; by the above d/eps are enough.
"""

from __future__ import annotations

from functools import cache
from math import comb, factorial, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import expect, uniform_rule
from giantstep.problems import Activation, Target
from giantstep.theory.kernels import kernel_floor
from giantstep.theory.structured.flows.normalised_flow import SpikedFlow
from giantstep.theory.structured.principal import principal_cosine

POINTS, REACH = 4001, 9.0
HIGHEST = 16  # degree of g^2


def direction_variance(flow: SpikedFlow, noise: float) -> float:
    """V of the module's formula for a `flow` and labels with `noise`, a standard deviation."""
    s = flow.activation

    def residual(z: Array) -> Array:
        return np.asarray((flow.target(z[:, None]) - s(z)) * s.derivative(z))

    m = expect(lambda z: residual(z) * z, s.kinks).value
    spread = expect(lambda z: (residual(z) - m * z) ** 2 + (noise * s.derivative(z)) ** 2, s.kinks).value
    return spread / float(flow.zeta(1.0)) ** 2


def coefficients(target: Target) -> Array:
    """c_k of g = sum c_k h_k for a polynomial `target` of one direction, (degree + 1,)."""
    found = np.zeros((target.degree or 0) + 1)
    for index, value in target.hermite().items():
        found[index[0]] = float(value) * sqrt(factorial(index[0]))
    return found


def unexplained(target: Target, overlap2: float) -> float:
    """sum c_k^2 (1 - omega^(2k)): what no function of a variable of correlation omega, omega^2 = `overlap2`, knows of
    `target`."""
    c = coefficients(target)
    return float(c**2 @ (1 - overlap2 ** np.arange(len(c))))


def head_risk(
    target: Target,
    activation: Activation,
    samples: int,
    ridge: float,
    noise: float,
    signs: Array,
    biases: Array,
    overlap2: float,
) -> float:
    """The mean risk of a ridge head on neurons s(e_i u + b_i), u of correlation omega with v, to order 1/n.

    With Omega = E psi psi^T, c = E psi g, b = (Omega + lambda)^-1 c and the residual r = y - <b, psi>,

        R = |g|^2 - 2 <c, b> + <b, Omega b> + (1/n) tr[Omega (Omega + lambda)^-1 E(r^2 psi psi^T) (Omega + lambda)^-1]:

    what a function of u cannot know of y scatters more in the tails, where neurons are few.

    Args:
        target: g.
        activation: s.
        samples: n.
        ridge: lambda in (1/n)|y - Psi c|^2 + lambda |c|^2.
        noise: standard deviation of the label noise.
        signs: e, (N,).
        biases: b, (N,).
        overlap2: omega^2.
    """
    z = uniform_rule(POINTS, REACH)[0]
    psi = np.asarray(activation(np.multiply.outer(z, signs) + biases))
    return _fitted_risk(target, psi, samples, ridge, noise, overlap2)


def component_risk(flow: SpikedFlow, samples_per_dim: float, d: int, noise: float) -> float:
    """The same for the polynomial of the target's degree of the first principal component, by least squares.

    Args:
        flow: the setting.
        samples_per_dim: n/d.
        d: the dimension.
        noise: standard deviation of the label noise.
    """
    z = uniform_rule(POINTS, REACH)[0]
    psi = hermite_table(flow.target.degree or 0, z, normalised=True).T
    overlap2 = principal_overlap2(flow, samples_per_dim)
    return _fitted_risk(flow.target, psi, samples_per_dim * d, 0.0, noise, overlap2)


def _fitted_risk(target: Target, psi: Array, samples: float, ridge: float, noise: float, overlap2: float) -> float:
    """The mean risk of ridge regression on features `psi` at the nodes of the rule, (nodes, N); see `head_risk`."""
    z, weight = uniform_rule(POINTS, REACH)
    mean = _given_field(target(z[:, None]), overlap2)
    spread = _given_field(target(z[:, None]) ** 2, overlap2) - mean**2
    omega = psi.T @ (weight[:, None] * psi)
    inverse = np.linalg.inv(omega + ridge * np.eye(len(omega)))
    cross = psi.T @ (weight * mean)
    best = inverse @ cross
    left = weight * (spread + noise**2 + (mean - psi @ best) ** 2)
    scatter = inverse @ (psi.T @ (left[:, None] * psi)) @ inverse
    bias = float(target.norm2) - 2 * cross @ best + best @ omega @ best
    return float(bias + np.sum(scatter * omega) / samples)


def _given_field(values: Array, overlap2: float) -> Array:
    """E[h(v) | u] at the nodes of the rule, of the `values` of a polynomial h there and corr(u, v)^2 = `overlap2`."""
    z, weight = uniform_rule(POINTS, REACH)
    table = hermite_table(HIGHEST, z, normalised=True)
    return np.asarray((table @ (weight * values) * sqrt(overlap2) ** np.arange(HIGHEST + 1)) @ table)


def principal_overlap2(flow: SpikedFlow, samples_per_dim: float) -> float:
    """The squared correlation of the first principal component of n = `samples_per_dim` d samples with the target's
    variable, of a `flow`'s setting: its cosine c with the spike gives c^2 (1 + theta)^2 rho^2/(kappa (1 + theta c^2)).
    """
    cosine2 = principal_cosine(samples_per_dim, flow.theta)
    return float(cosine2 * ((1 + flow.theta) * flow.rho) ** 2 / (flow.kappa * (1 + flow.theta * cosine2)))


def beside_spike_floor(flow: SpikedFlow, d: int, samples: int) -> float:
    """The mean risk below which no kernel falls that is invariant under rotations around the spike.

    v = r s + q t, s the spike's variable and t one of the bulk's: h_k(v) has the part sqrt(C(k, j)) r^(k-j) q^j of
    degree j in t, and n functions hold a share of He_j(t) in d - 1 dimensions that `kernel_floor` knows.

    Args:
        flow: the setting.
        d: the dimension.
        samples: n.
    """
    c2, r2 = coefficients(flow.target) ** 2, flow.r**2
    floor = 0.0
    for j in range(1, len(c2)):
        energy = sum(c2[k] * comb(k, j) * r2 ** (k - j) * (1 - r2) ** j for k in range(j, len(c2)))
        if energy > 0:
            floor += energy * kernel_floor(_normalised(j), d - 1, samples)
    return float(floor)


@cache
def _normalised(degree: int) -> Target:
    """h_k of one coordinate: reading its text takes longer than all else here."""
    return Target(f"He{degree}(x1)/sqrt({factorial(degree)})")
