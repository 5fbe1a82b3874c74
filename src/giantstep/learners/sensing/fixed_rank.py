"""The matrix of a given rank that fits measurements best, by Gauss-Newton steps; and the rank that they ask for.

At M = U S V^T the matrices of rank k have the tangent space {X V^T + U Y^T}. A step solves the linear least squares
problem min |A(X V^T + U Y^T) - z| for the residual z = y - A(M) and takes the best approximation of rank k to M plus
the change, or to less of it where the misfit would not fall. Its speed depends neither on the singular values of M nor
on the mean of the measurement matrices, on which gradient descent on factors founders.

A direction is missing if A*(z) stands out from what noise gives: |A*(z)| > 1.1 |z| max |A*(g)|/|g| over some Gaussian
g, with the mean of measurements and labels removed, so that it counts for measurement matrices with a mean too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.learners.sensing.operators.operators import Operator
from giantstep.streams import Streams

EDGE, PROBES = 1.1, 8  # what is below 1.1 times the largest of 8 draws of noise is taken for noise
MOST_STEPS, MOST_SOLVES = 60, 400  # Gauss-Newton steps, and steps of the linear solver in each
STALLED = 1e-4  # a misfit that falls by a smaller part in a step has reached its minimum
HALVINGS = 6
PERTURBED, SAME = 0.3, 1e-3  # a start moved by 30 % must come back to 0.1 %, if the data determine the matrix


@dataclass(frozen=True, eq=False, repr=False)
class FixedRank:
    """A matrix of rank k and how well it fits.

    Args:
        left: U, orthonormal, (d1, k).
        values: singular values, largest first, (k,); of symmetric matrices eigenvalues, none negative.
        right: V, orthonormal, (d2, k); U itself for symmetric matrices.
        residual: z = y - A(M), (m,).
    """

    left: Array
    values: Array
    right: Array
    residual: Array

    @property
    def rank(self) -> int:
        return len(self.values)

    @property
    def matrix(self) -> Array:
        return np.asarray((self.left * self.values) @ self.right.T)

    @property
    def size(self) -> float:
        """|z|."""
        return float(np.linalg.norm(self.residual))


class Fitter:
    """Fits matrices of any rank to labels.

    Args:
        operator: A, on matrices (d1, d2).
        labels: y, (m,).
        streams: where noise to compare with, and starts to return from, are drawn.
        tolerance: the misfit |z|/|y| at which the labels count as fitted.
    """

    def __init__(self, operator: Operator, labels: Array, streams: Streams, tolerance: float) -> None:
        self.operator, self.labels, self.streams, self.tolerance = operator, labels, streams, tolerance
        self.size = float(np.linalg.norm(labels))
        random = streams.child("noise").generator()
        draws = [random.standard_normal(len(labels)) for _ in range(PROBES)]
        self.edge = EDGE * max(float(np.linalg.norm(self.pull(g), 2) / np.linalg.norm(g)) for g in draws)

    def pull(self, residual: Array) -> Array:
        """A*(z) with the means of labels and of measurement matrices removed."""
        return self.operator.adjoint(residual - residual.mean())

    def truncated(self, matrix: Array, rank: int) -> FixedRank:
        """The best approximation of this rank, positive semidefinite if symmetric."""
        if self.operator.symmetric:
            values, vectors = scipy.linalg.eigh((matrix + matrix.T) / 2)
            left = right = vectors[:, ::-1][:, :rank]
            values = np.maximum(values[::-1][:rank], 0.0)
        else:
            left, values, across = np.linalg.svd(matrix, full_matrices=False)
            left, values, right = left[:, :rank], values[:rank], across[:rank].T
        fit = FixedRank(left, values, right, self.labels)
        return FixedRank(left, values, right, self.labels - self.operator.apply(fit.matrix))

    def fitted(self, start: Array, rank: int) -> FixedRank:
        """The matrix of a rank that fits best, near a start."""
        now = self.truncated(start, rank)
        for _ in range(MOST_STEPS):
            change = self._change(now)
            for halving in range(HALVINGS):
                new = self.truncated(now.matrix + change / 2**halving, rank)
                if new.size < now.size:
                    break
            else:
                return now
            before, now = now.size, new
            if now.size <= self.tolerance * self.size or now.size > (1 - STALLED) * before:
                break
        return now

    def _change(self, now: FixedRank) -> Array:
        """The tangent matrix that fits the residual best."""
        rows = now.left.size

        def tangent(parameters: Array) -> Array:
            half = parameters[:rows].reshape(now.left.shape) @ now.right.T
            other = half.T if self.operator.symmetric else now.left @ parameters[rows:].reshape(now.right.shape).T
            return np.asarray(half + other)

        def gradient(values: Array) -> Array:
            pulled = self.operator.adjoint(values)
            if self.operator.symmetric:
                return np.asarray(2 * pulled @ now.left).ravel()
            return np.concatenate([(pulled @ now.right).ravel(), (pulled.T @ now.left).ravel()])

        unknown = rows if self.operator.symmetric else rows + now.right.size
        linear = scipy.sparse.linalg.LinearOperator(
            (len(self.labels), unknown),
            lambda p: self.operator.apply(tangent(p.ravel())),
            rmatvec=gradient,
            dtype=float,
        )
        solved = scipy.sparse.linalg.lsmr(linear, now.residual, atol=1e-10, btol=1e-10, conlim=0, maxiter=MOST_SOLVES)
        return tangent(solved[0])

    def missing(self, fit: FixedRank) -> tuple[int, Array]:
        """How many directions of the residual stand out from noise, and A*(z) in them, in the units of M."""
        if fit.size <= self.tolerance * self.size:
            return 0, np.zeros(self.operator.shape)
        pulled = self.pull(fit.residual)
        left, values, right = np.linalg.svd(pulled)
        count = int(np.sum(values > self.edge * fit.size))
        part = (left[:, :count] * values[:count]) @ right[:count]
        seen = self.operator.apply(part)
        scale = float(np.sum(part**2) / np.sum((seen - seen.mean()) ** 2)) if count else 0.0
        return count, scale * part

    def is_determined(self, fit: FixedRank) -> bool:
        """Whether a start that is moved away comes back: if it ends in another matrix that fits as well, the data do
        not say which one is right."""
        random = self.streams.child("moved").generator()
        noise = random.standard_normal(self.operator.shape)
        if self.operator.symmetric:
            noise = noise @ noise.T
        moved = self.truncated(noise, fit.rank).matrix
        size = float(np.linalg.norm(fit.matrix))
        again = self.fitted(fit.matrix + PERTURBED * size / float(np.linalg.norm(moved)) * moved, fit.rank)
        apart = float(np.linalg.norm(again.matrix - fit.matrix)) / size
        fits_as_well = again.size <= 1.01 * fit.size + 10 * self.tolerance * self.size
        return apart <= SAME + 10 * self.tolerance or not fits_as_well
