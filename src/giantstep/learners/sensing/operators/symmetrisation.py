"""An asymmetric problem written as a symmetric one, U V^T as a block of W W^T with W = [U; V]. [soltanolkotabi22]"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.sensing.coordinates import Coordinates
from giantstep.learners.sensing.descent import Factors
from giantstep.learners.sensing.operators.operators import DenseOperator


def symmetrised(operator: DenseOperator) -> DenseOperator:
    """The operator of the symmetrised measurement matrices Sym(A) = [[0, A], [A^T, 0]] on symmetric (d1 + d2)-matrices.

    On M = [[., D], [D^T, .]] it measures 2 <A_i, D>; A_i are the matrices (d1, d2) of `operator`.
    """
    rows, columns = operator.shape
    where = Coordinates((rows + columns, rows + columns), symmetric=True)
    lifted = np.zeros((len(operator.rows), where.size))
    block = np.zeros(where.shape)
    for one, values in zip(lifted, operator.rows, strict=True):
        block[:rows, rows:] = values.reshape(rows, columns)  # svec reads the upper triangle
        one[:] = where.vector(block)
    return DenseOperator(lifted, where.shape, symmetric=True)


def symmetrisation_ratios(operator: DenseOperator, model: Factors, truth: Factors) -> tuple[float, float]:
    """(1/2)|A(D)|^2 over what slide 'Symmetrization I' makes of it, with the symmetrised measurements B themselves:
    over |B(sym D)|^2, and over |B(W W^T - Z Z^T) - B(W~ W~^T - Z~ Z~^T)|^2.

    Args:
        operator: A, on matrices (d1, d2).
        model: U and V; W = [U; V] and W~ = [U; -V].
        truth: X and Y; Z = [X; Y] and Z~ = [X; -Y]; D = U V^T - X Y^T.
    """
    lifted, rows = symmetrised(operator), operator.shape[0]
    apart = model.product - truth.product
    block = np.zeros(lifted.shape)
    block[:rows, rows:], block[rows:, :rows] = apart, apart.T
    first = float(np.sum(operator.apply(apart) ** 2)) / 2
    second = lifted.apply(block)
    third = lifted.apply(_gram(model, 1.0) - _gram(truth, 1.0)) - lifted.apply(_gram(model, -1.0) - _gram(truth, -1.0))
    return first / float(np.sum(second**2)), first / float(np.sum(third**2))


def lifted_ratio(operator: DenseOperator, model: Factors, truth: Factors) -> float:
    """(1/2)|A(U V^T - X Y^T)|^2 over |B(W W^T - Z Z^T)|^2, as if there were no W~.

    Args:
        operator: A, on matrices (d1, d2).
        model: U and V, in W = [U; V].
        truth: X and Y, in Z = [X; Y].
    """
    apart = _gram(model, 1.0) - _gram(truth, 1.0)
    loss = float(np.sum(operator.apply(model.product - truth.product) ** 2)) / 2
    return loss / float(np.sum(symmetrised(operator).apply(apart) ** 2))


def lifted_distance(model: Factors, truth: Factors) -> float:
    """|W W^T - Z Z^T| of `model` U, V and `truth` X, Y."""
    return float(np.linalg.norm(_gram(model, 1.0) - _gram(truth, 1.0)))


def _gram(factors: Factors, sign: float) -> Array:
    """W W^T with W = [U; sign V]."""
    assert factors.right is not None
    stacked = np.vstack([factors.left, sign * factors.right])
    return np.asarray(stacked @ stacked.T)
