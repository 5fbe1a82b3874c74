"""What the claims of [bes22] about norms and spectra share: the first gradient in its two parts, and linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.claims import Run
from giantstep.claims.bes22._proportional import ProportionalClaim
from giantstep.claims.bes22._ridge import FirstStep, first_step


@dataclass(frozen=True, eq=False)
class FirstGradient(FirstStep):
    """The first gradient and (1/n) X^T y of its samples, along which its rank-one part lies."""

    correlation: Array

    @property
    def gradient(self) -> Array:
        """sqrt(N) G0 with neurons as rows, (N, d): row j is a_j g_j."""
        return self.start.second_layer[:, None] * self.seen.gradient

    @property
    def rank_one_part(self) -> Array:
        """sqrt(N) A, rows as above: mu1 a_j (1/n) X^T y."""
        mu1 = self.start.activation.moments.mu1
        return mu1 * np.outer(self.start.second_layer, self.correlation)

    @property
    def rank_one_norm(self) -> float:
        """sqrt(N) |A|, the same in operator and Frobenius norm: mu1 |a| |X^T y/n|."""
        sizes = np.linalg.norm(self.start.second_layer) * np.linalg.norm(self.correlation)
        return abs(self.start.activation.moments.mu1) * float(sizes)


def first_gradient(claim: ProportionalClaim, run: Run) -> FirstGradient:
    """Draw the network and the step's samples, and take the gradient once for all step sizes."""
    first = first_step(claim, run)
    return FirstGradient(first.start, first.seen, claim.label_correlation(claim.step_data(run.streams)))


def overlap_allowance(d: int, theta1: float, threshold: float) -> float:
    """Squared overlaps: 0.03 at d = 500 away from the threshold; within a window of relative width d^(-1/3) around
    it, where the outlier has not yet separated from the edge, up to three times that."""
    distance = (theta1 / threshold - 1) * d ** (1 / 3)
    return float(0.03 * (500 / d) ** 0.5 * (1 + 2 * float(np.exp(-((distance / 2) ** 2)))))


def _small_gram(matrix: Array) -> Array:
    """The Gram matrix of the rows or the columns, whichever are fewer."""
    return matrix.T @ matrix if matrix.shape[0] >= matrix.shape[1] else matrix @ matrix.T


def operator_norm(matrix: Array) -> float:
    """The largest singular value, from the smaller Gram matrix: as quick as iterations here, and never stuck."""
    gram = _small_gram(matrix)
    last = len(gram) - 1
    top = scipy.linalg.eigh(gram, eigvals_only=True, subset_by_index=(last, last), overwrite_a=True, check_finite=False)
    return float(np.sqrt(max(top[0], 0.0)))


def singular_values_and_top(matrix: Array) -> tuple[Array, Array, Array]:
    """All min(rows, columns) singular values, growing, and the top pair: (values, in column space, in row space)."""
    squares, vectors = scipy.linalg.eigh(_small_gram(matrix), overwrite_a=True, check_finite=False)
    values = np.sqrt(np.maximum(squares, 0.0))
    own, tall = vectors[:, -1], matrix.shape[0] >= matrix.shape[1]
    other = (matrix @ own if tall else matrix.T @ own) / values[-1]
    return (values, own, other) if tall else (values, other, own)


def distance_to_law(values: Array, cdf: Callable[[Array], Array]) -> float:
    """Kolmogorov-Smirnov distance of a sorted sample from the law with this distribution function."""
    theory, n = np.asarray(cdf(values)), len(values)
    return float(max(np.max(np.arange(1, n + 1) / n - theory), np.max(theory - np.arange(n) / n)))
