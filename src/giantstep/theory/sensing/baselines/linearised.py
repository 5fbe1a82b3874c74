"""Low-rank sensing linearised at its start: where factors end that are too large to move."""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.arrays import Array


def tangent_interpolant(rows: Array, labels: Array, left: Array, right: Array) -> Array:
    """Where gradient descent on U V^T ends if its factors hardly move: the least-norm change of (U, V) that fits the
    labels in the model linearised at the start,

        U_0 V_0^T + L(A*(z)),     L(M) = M V_0 V_0^T + U_0 U_0^T M,     (A L A*) z = y - A(U_0 V_0^T).

    Derived, as for any model linear in its parameters.

    Args:
        rows: the measurement matrices of A as rows, (m, d1 d2).
        labels: y, (m,).
        left: U_0, (d1, r).
        right: V_0, (d2, r).
    """
    start = left @ right.T
    spread = _spread(rows, left, right)
    misfit = labels - rows @ start.ravel()
    solved = scipy.linalg.cho_solve(scipy.linalg.cho_factor(spread @ rows.T), misfit)
    return np.asarray(start + (solved @ spread).reshape(start.shape))


def tangent_residual(rows: Array, labels: Array, left: Array, right: Array, step: float, steps: int) -> float:
    """The share of |y|^2 that gradient descent leaves if factors move in the tangent space of their start, y measured
    from their first output: each eigenvector of the kernel A L A* shrinks by 1 - mu l a step, l its eigenvalue, which
    is 0 in m - r(d1 + d2 - r) directions. Derived.

    Args:
        rows: the measurement matrices of A as rows, (m, d1 d2).
        labels: y, (m,).
        left: U_0, (d1, r).
        right: V_0, (d2, r).
        step: mu.
        steps: how many.
    """
    values, vectors = np.linalg.eigh(_spread(rows, left, right) @ rows.T)
    shrunk = (1 - step * values) ** steps * (vectors.T @ labels)
    return float(shrunk @ shrunk / (labels @ labels))


def _spread(rows: Array, left: Array, right: Array) -> Array:
    """L(A_i) = A_i V_0 V_0^T + U_0 U_0^T A_i, as rows."""
    matrices = rows.reshape(-1, len(left), len(right))
    spread = matrices @ (right @ right.T) + np.einsum("ij,mjk->mik", left @ left.T, matrices, optimize=True)
    return np.asarray(spread.reshape(len(rows), -1))
