"""Other ways to a low-rank matrix: a spectral start, the least nuclear norm; and how near measurements are to isometry.

spectral start:      U_0 V_0^T = the best approximation of rank r of Z = A*(y), balanced;
least nuclear norm:  min |X|_* with A(X) = y, by Douglas-Rachford splitting;
isometry constant:   max | |A(X)|^2 - 1 | over |X|_F = 1, rank k: by ascent on matrices of rank k, so from below.
"""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Factors, Sensing
from giantstep.learners.sensing.operators.operators import DenseOperator, Operator
from giantstep.streams import Streams

THRESHOLD = 0.3  # of the splitting's prox, in units of the first guess's norm: any positive one leads to the same end
ENOUGH = 1e-7  # relative change at which the splitting ends


def spectral_start(problem: Sensing, rank: int) -> Factors:
    """The factors of the best approximation of this `rank` of Z, for a `problem` on matrices that are not symmetric."""
    if problem.operator.symmetric:
        raise InputError("the spectral start is for U V^T; the operator measures symmetric matrices")
    left, values, right = np.linalg.svd(problem.spectral_matrix())
    whole_number("rank", rank, least=1, most=len(values))
    roots = np.sqrt(values[:rank])
    return Factors(left[:, :rank] * roots, right[:rank].T * roots)


def least_nuclear_norm(operator: DenseOperator, values: Array, *, steps: int = 3000) -> Array:
    """The matrix of least nuclear norm among those with A(X) = y.

    Args:
        operator: A, on matrices that are not symmetric, with fewer measurements than entries.
        values: y, (m,).
        steps: iterations at most.
    """
    rows, shape = operator.rows, operator.shape
    if operator.symmetric or len(rows) >= rows.shape[1]:
        raise InputError(
            "the least nuclear norm needs a matrix that is not symmetric, with fewer measurements than entries"
        )
    factor = scipy.linalg.cho_factor(rows @ rows.T)

    def fitted(x: Array) -> Array:
        """The nearest point with A(X) = y."""
        return np.asarray(x + scipy.linalg.cho_solve(factor, values - rows @ x) @ rows)

    z = fitted(np.zeros(rows.shape[1]))
    size, cut = float(np.linalg.norm(z)), THRESHOLD * float(np.linalg.norm(z.reshape(shape), 2))
    for _ in range(steps):
        u, s, v = np.linalg.svd(z.reshape(shape), full_matrices=False)
        x = ((u * np.maximum(s - cut, 0.0)) @ v).ravel()
        move = fitted(2 * x - z) - x
        z = z + move
        if np.linalg.norm(move) <= ENOUGH * size:
            break
    return fitted(x).reshape(shape)


def isometry_constant(operator: Operator, rank: int, steps: int, streams: Streams, *, starts: int = 3) -> float:
    """The largest | |A(X)|^2 - 1 | found over matrices of norm 1 and a `rank`: a lower bound of the constant.

    Truncated powers of A*A - c and of c' - A*A, with c and c' = (1 -+ s)^2 the ends of the bulk of A*A: both are
    positive, so that each step climbs, and without these shifts steps would be of order 1/delta. s is seen from one
    random matrix, as the length of A*A x beside x.

    Args:
        operator: A.
        rank: k.
        steps: of the ascent, and of the descent.
        streams: where starts are drawn from.
        starts: random starts of either.
    """
    generator, worst = streams.generator(), 0.0
    for _ in range(starts):
        begin = _truncated(generator.standard_normal(operator.shape), rank)
        image = operator.normal(begin)
        spread = float(np.linalg.norm(image - np.sum(image * begin) * begin))
        x, top = begin, 0.0
        for _ in range(steps):
            image = operator.normal(x)
            top = float(np.sum(image * x))
            x = _truncated(image - max(1 - spread, 0.0) ** 2 * x, rank)
        y, low = begin, 1.0
        for _ in range(steps):
            image = operator.normal(y)
            low = float(np.sum(image * y))
            y = _truncated((1 + spread) ** 2 * y - image, rank)
        worst = max(worst, top - 1, 1 - low)
    return worst


def unfitted_share(operator: DenseOperator, factors: Factors, values: Array) -> float:
    """The share of |y|^2 that no small move of the `factors` U, V fits: what their tangent space leaves.

    Args:
        operator: A.
        factors: where the tangent space is taken.
        values: y, (m,).
    """
    assert factors.right is not None
    d1, d2 = operator.shape
    tensor = operator.rows.reshape(-1, d1, d2)
    moves = [np.einsum("mij,jr->mir", tensor, factors.right), np.einsum("mij,ir->mjr", tensor, factors.left)]
    jacobian = np.concatenate([move.reshape(len(tensor), -1) for move in moves], axis=1)
    u, s, _ = np.linalg.svd(jacobian, full_matrices=False)
    known = u[:, s > 1e-10 * s[0]].T @ values
    return float(1 - known @ known / (values @ values))


def _truncated(matrix: Array, rank: int) -> Array:
    """The best approximation of this rank, of norm 1."""
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray((u[:, :rank] * (s[:rank] / np.linalg.norm(s[:rank]))) @ v[:rank])
