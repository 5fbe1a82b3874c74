"""Second moments of neurons with biases: E[sigma(u_i + b_i) sigma(u_j + b_j)] for Gaussian fields u = W x.

Every neuron is a function of its own, sigma_i(z) = sigma(r_i z + b_i) with r_i = |w_i|. With the Hermite
series sigma_i = sum_k A_ik h_k and rho_ij = <w_i, w_j> / (r_i r_j),

    E[sigma_i sigma_j] = sum_k A_ik A_jk rho_ij^k ,
    |terms beyond degree K| <= |rho_ij|^(K+1) sqrt(T_i T_j),   T_i = E sigma_i^2 - sum_{k <= K} A_ik^2

by Cauchy-Schwarz. Pairs whose bound is not met by the degree (nearly parallel neurons with kinks) are
integrated one by one. ReLU has closed forms for all of it, `shifted_relu`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.functions import ScalarFunction, Term
from giantstep.gaussian.hermite.series import expand
from giantstep.gaussian.kernels.duals import dual_kernel
from giantstep.gaussian.kernels.shifted_relu import shifted_relu_gram, shifted_relu_series

COMMON_DEGREE = 64
"""Degree to which the series of all pairs are summed, as whole matrices."""
HIGHEST_DEGREE = 640
"""Degree to which the series of pairs that need more are summed."""
RELU = (Term(1.0, "relu"),)
PAIRS_BY_HAND = 5000
"""At most this many pairs are integrated one by one; beyond it their bound is reported instead."""


@dataclass(frozen=True)
class Shifted:
    """z -> sigma(z + bias), with what the Gaussian calculus wants to know of a function."""

    activation: ScalarFunction
    bias: float

    terms: tuple[Term, ...] | None = None

    def __call__(self, z: Any) -> Any:
        return self.activation(np.asarray(z) + self.bias)

    def derivative(self, z: Any) -> Any:
        return self.activation.derivative(np.asarray(z) + self.bias)

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(place - self.bias for place in self.activation.kinks)

    @property
    def jumps(self) -> tuple[float, ...]:
        return tuple(place - self.bias for place in self.activation.jumps)


def shifted_series(
    activation: ScalarFunction, norms: Array, biases: Array, degree: int = HIGHEST_DEGREE
) -> tuple[Array, Array]:
    """The Hermite series A of sigma(r_i z + b_i), (N, degree + 1), and E sigma_i^2, (N,).

    Args:
        activation: sigma.
        norms: r_i = |w_i|, (N,).
        biases: b_i, (N,).
        degree: the highest.
    """
    if activation.terms == RELU:
        return shifted_relu_series(norms, biases, degree)
    series = [
        expand(Shifted(activation, float(bias)), np.array([norm]), degree)
        for norm, bias in zip(norms, biases, strict=True)
    ]
    return (
        np.stack([each.coefficients[:, 0] for each in series]),
        np.array([each.second_moment[0] for each in series]),
    )


def shifted_tails(series: Array, squares: Array, degree: int | None = None) -> Array:
    """T_i = E sigma_i^2 - sum_{k <= degree} A_ik^2, (N,), not below what rounding lets us know.

    Args:
        series: A, (N, degrees).
        squares: E sigma_i^2, (N,).
        degree: the highest that is summed; all of them unless given.
    """
    kept = series if degree is None else series[:, : degree + 1]
    known = 8.0 * float(np.finfo(np.float64).eps) * squares
    return np.asarray(np.maximum(squares - (kept**2).sum(axis=1), known))


def shifted_gram(activation: ScalarFunction, gram: Array, biases: Array, tol: float) -> tuple[Array, float]:
    """The (N, N) matrix E[sigma_i sigma_j] and the largest error left in an entry.

    Args:
        activation: sigma.
        gram: W W^T, (N, N).
        biases: b_i, (N,).
        tol: relative to sqrt(E sigma_i^2 E sigma_j^2).
    """
    norms = np.sqrt(np.diag(gram))
    if activation.terms == RELU:
        return shifted_relu_gram(gram, biases), 1e-12 * float(norms.max()) ** 2
    series, squares = shifted_series(activation, norms, biases)
    lengths = np.where(norms > 0, norms, 1.0)
    rho = np.clip(gram / np.outer(lengths, lengths), -1.0, 1.0)
    result = np.zeros_like(rho)
    for degree in range(COMMON_DEGREE, -1, -1):  # Horner's rule in rho_ij
        result *= rho
        result += np.outer(series[:, degree], series[:, degree])
    np.fill_diagonal(result, squares)
    size, left = np.sqrt(squares), np.sqrt(shifted_tails(series, squares, COMMON_DEGREE))
    rows, columns = np.nonzero(
        np.triu(np.abs(rho) ** (COMMON_DEGREE + 1) * np.outer(left, left) > tol * np.outer(size, size), 1)
    )
    cosines, scale = rho[rows, columns], size[rows] * size[columns]
    rest = np.zeros(len(rows))
    for degree in range(HIGHEST_DEGREE, COMMON_DEGREE, -1):
        rest *= cosines
        rest += series[rows, degree] * series[columns, degree]
    values = result[rows, columns] + rest * cosines ** (COMMON_DEGREE + 1)
    left = np.sqrt(shifted_tails(series, squares))
    bounds = np.abs(cosines) ** (HIGHEST_DEGREE + 1) * left[rows] * left[columns]
    hard = np.flatnonzero(bounds > tol * scale)
    if len(hard) <= PAIRS_BY_HAND:
        for pair in hard:
            i, j = rows[pair], columns[pair]
            functions = Shifted(activation, float(biases[i])), Shifted(activation, float(biases[j]))
            values[pair] = dual_kernel(*functions, gram[i, i], gram[j, j], gram[i, j], tol=tol)
        bounds[hard] = 0.0
    result[rows, columns] = result[columns, rows] = values
    return result, max(tol * float(squares.max()), float(bounds.max(initial=0.0)))
