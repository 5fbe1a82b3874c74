"""ReLU neurons with biases in closed form: all pairs E[relu(u_i + b_i) relu(u_j + b_j)] and their Hermite series.

With r_i the standard deviation of u_i, h = b_i/r_i, k = b_j/r_j and rho the correlation,

    E[relu(u_i + b_i) relu(u_j + b_j)] / (r_i r_j) = (h k + rho) P(z_1 > -h, z_2 > -k) + h phi(k) Phi((h - rho k)/s)
        + k phi(h) Phi((k - rho h)/s) + (s/2 pi) exp(-(h^2 - 2 rho h k + k^2)/(2 s^2)),    s^2 = 1 - rho^2,

and the orthant probability is Owen's, 1/2 (Phi(h) + Phi(k)) - T(h, (k/h - rho)/s) - T(k, (h/k - rho)/s) - (1/2 where h
and k differ in sign). Source: the derivative of the left side by h and k is the orthant probability; integrated by
parts (derived). One neuron: E[relu(z + h) He_k(z)] is h Phi(h) + phi(h), Phi(h), He_{k-2}(-h) phi(h) for k = 0, 1, 2..
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.hermite.polynomials import hermite_table

NEAREST = 1.0 - 1e-13
"""|rho| is not let nearer to 1: the expectation changes by at most 1 per unit of rho."""


def _density(h: Array) -> Array:
    return np.asarray(np.exp(-0.5 * h**2) / sqrt(2.0 * pi))


def _orthant(h: Array, k: Array, rho: Array, s: Array) -> Array:
    """P(z_1 > -h, z_2 > -k) for standard Gaussians of correlation rho."""
    # A bias of exactly zero sits on the jump of the sign term: a tiny one has the same value to rounding.
    h, k = (np.where(np.abs(x) < 1e-150, 1e-150, x) for x in (h, k))
    opposite = np.where((h > 0) != (k > 0), 0.5, 0.0)
    with np.errstate(over="ignore"):  # the slope of a wedge that is a whole half plane
        first, second = scipy.special.owens_t(h, (k / h - rho) / s), scipy.special.owens_t(k, (h / k - rho) / s)
    return np.asarray(0.5 * (scipy.special.ndtr(h) + scipy.special.ndtr(k)) - first - second - opposite)


def shifted_relu_gram(gram: Array, biases: Array) -> Array:
    """The (N, N) matrix E[relu(u_i + b_i) relu(u_j + b_j)], u ~ N(0, gram); right to about 1e-13 of r_i r_j."""
    r = np.sqrt(np.diag(gram))
    still = r == 0.0
    lengths = np.where(still, 1.0, r)
    i, j = np.triu_indices(len(r))
    h, k = biases[i] / lengths[i], biases[j] / lengths[j]
    rho = np.clip(gram[i, j] / (lengths[i] * lengths[j]), -NEAREST, NEAREST)
    s = np.sqrt((1.0 - rho) * (1.0 + rho))
    value = (h * k + rho) * _orthant(h, k, rho, s)
    value += h * _density(k) * scipy.special.ndtr((h - rho * k) / s) + k * _density(h) * scipy.special.ndtr(
        (k - rho * h) / s
    )
    value += s / (2.0 * pi) * np.exp(-(h**2 - 2.0 * rho * h * k + k**2) / (2.0 * s**2))
    result = np.empty_like(gram)
    result[i, j] = result[j, i] = lengths[i] * lengths[j] * value
    series, squares = shifted_relu_series(r, biases, 0)
    if still.any():  # a neuron without weights is a constant
        means = series[:, 0]
        result[still] = np.multiply.outer(means[still], means)
        result[:, still] = result[still].T
    np.fill_diagonal(result, squares)
    return result


def shifted_relu_series(norms: Array, biases: Array, degree: int) -> tuple[Array, Array]:
    """E[relu(r z + b) He_k(z)]/sqrt(k!) (N, degree + 1) and E relu(r z + b)^2 (N,)."""
    still = norms == 0.0
    r = np.where(still, 1.0, norms)
    h = biases / r
    phi, big = _density(h), scipy.special.ndtr(h)
    table = hermite_table(max(degree - 2, 0), -h, normalised=True)
    higher = [table[k - 2] * phi / sqrt(k * (k - 1)) for k in range(2, degree + 1)]
    series = r[:, None] * np.stack([h * big + phi, big, *higher][: degree + 1], axis=1)
    squares = r**2 * ((1.0 + h**2) * big + h * phi)
    constant = np.maximum(biases, 0.0)
    series[still] = 0.0
    series[still, 0] = constant[still]
    return series, np.where(still, constant**2, squares)
