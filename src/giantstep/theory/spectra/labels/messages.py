"""Several directions from labels: the spectrum of linearised message passing.

Labels y = f(z, noise), z = p directions of x ~ N(0, I_d), alpha = n/d, G(y) = E[z z^T - I | y]. Message passing starts
from nothing; to first order it multiplies n p numbers by the matrix, which is not symmetric,

    L = Diag(G(y_1), ..., G(y_n)) ((X X^T/d - I) x I_p).

Its bulk lies within a circle and it has outliers on the real axis,

    outliers = eigenvalues of alpha F,  F(M) = E[G M G] on p x p matrices,   radius^2 = alpha max eig F = alpha/alpha_c,

of which those beyond the circle show: the first one, alpha/alpha_c, from alpha = alpha_c on. Source: [ddmpl25],
[tddlkp24].

The eigenvector (derived). Its n p numbers g give the estimate X^T g, d x p: M along the directions, F(M) = M/alpha_c,
and Gaussian noise of covariance Q in its rows. One more step multiplies M by t = alpha/alpha_c and Q by t^2, while the
step itself makes Q out of the old noise and of the labels' own, as G (M^T z + noise) does:

    t^2 Q = alpha E[G Q G] + alpha E[G M^T (I + G) M G],    alignment = |M|^2/(|M|^2 + tr Q),

and for one direction (t - 1) t/(t^2 + alpha E G^3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import positive, require

EQUAL = 0.02
"""Eigenvalues of F that differ by less, relatively, are one: nets of points split them."""
NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class MessageLaw:
    """What the matrix of message passing shows.

    Args:
        outlier: alpha/alpha_c, where the first outlier stands once it is beyond 1.
        radius: of the circle in which the bulk lies, the root of it.
        multiplicity: how many outliers stand together there.
        alignment: share of the outlier's estimate that lies along the directions; 0 up to the threshold.
        outliers: all eigenvalues of alpha F, (p^2,), falling.
    """

    outlier: float
    radius: float
    multiplicity: int
    alignment: float
    outliers: Array


def message_law(weight: Array, second: Array, samples_per_dim: float, again: Array | None = None) -> MessageLaw:
    """Outliers, radius and alignment by the module's formulas.

    Args:
        weight: the probability of each slice of the labels, (H,).
        second: E[z z^T | slice], (H, p, p).
        samples_per_dim: alpha = n/d.
        again: `second` from points independent of the first ones, (H, p, p), if there are such: products then have no
            error on average.

    >>> law = message_law(np.array([0.5, 0.5]), np.array([[[1.6]], [[0.4]]]), 10.0)
    >>> round(law.outlier, 6), round(law.radius, 6), round(law.alignment, 6)
    (3.6, 1.897367, 0.722222)
    """
    alpha = float(positive("samples_per_dim", samples_per_dim))
    p = second.shape[-1]
    require(second.shape == (len(weight), p, p), "second moments must be (H, p, p), one matrix a slice")
    one, other = second - np.eye(p), (second if again is None else again) - np.eye(p)
    operator = np.einsum("h,hij,hkl->iljk", weight, one, other).reshape(p * p, p * p)
    values, vectors = np.linalg.eigh((operator + operator.T) / 2)
    top = float(values[-1])
    require(top > NOTHING, "these labels tell nothing through second moments: G = 0")
    first = values > top * (1 - EQUAL)
    # Of one eigenspace take the positive M, the image of the identity; if there is none, any.
    matrix = vectors[:, first] @ (vectors[:, first].T @ np.eye(p).ravel())
    if np.linalg.norm(matrix) < NOTHING:
        matrix = vectors[:, -1]
    m, t = matrix.reshape(p, p) / np.linalg.norm(matrix), alpha * top
    alignment = 0.0
    if t > 1:
        made = np.einsum("h,hij,kj,hkl,lm,hmn->in", weight, one, m, (one + other) / 2 + np.eye(p), m, other)
        noise = np.linalg.solve(t * t * np.eye(p * p) - alpha * operator, alpha * made.ravel())
        alignment = 1 / (1 + float(np.trace(noise.reshape(p, p))))
    return MessageLaw(t, float(np.sqrt(t)), int(first.sum()), alignment, alpha * values[::-1])
