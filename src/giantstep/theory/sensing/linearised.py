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
    d1, d2 = len(left), len(right)
    matrices = rows.reshape(-1, d1, d2)
    spread = matrices @ (right @ right.T) + np.einsum("ij,mjk->mik", left @ left.T, matrices, optimize=True)
    spread = spread.reshape(len(rows), -1)
    start = left @ right.T
    misfit = labels - rows @ start.ravel()
    solved = scipy.linalg.cho_solve(scipy.linalg.cho_factor(spread @ rows.T), misfit)
    return np.asarray(start + (solved @ spread).reshape(d1, d2))
