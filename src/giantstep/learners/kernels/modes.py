"""Eigenvalues of a drawn kernel matrix that belong to Hermite polynomials of one known coordinate z of the samples.

Two ways. The eigenvectors of K/n themselves, matched by their squared overlap with h_l(z_i): what the matrix shows,
where the mode stands out of its bulk. And the operator's own eigenvalues, also of modes that the bulk hides: K between
the two halves of the sample is fitted by

    K_ij ~ sum_{lm} A_lm h_l(z_i) h_m(z_j),   i in the first half, j in the second,

in least squares. Given z the rest of K has mean zero there (there is no diagonal), so that the mean of A is the matrix
of the operator among functions of z, whose eigenvalues are those sought up to O(1/d): eigenfunctions also know the
length of the bulk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.hermite import hermite_table
from giantstep.learners.engines.blocks import one_blas_thread

FURTHER = 2
"""Degrees beyond those asked for that are fitted along, so that they do not pass for lower ones."""
VECTORS = 16
"""Eigenvectors of K among which the modes are looked for; single far samples have vectors of their own."""
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class MatchedModes:
    """Modes of a kernel matrix that were matched to Hermite polynomials of degrees l = 0, 1, ...

    Args:
        values: eigenvalues of K/n, (degrees + 1,).
        overlaps: squared overlaps of their eigenvectors with h_l(z), (degrees + 1,).
    """

    values: Array
    overlaps: Array


def matched_modes(matrix: Array, z: Array, degrees: int) -> MatchedModes:
    """For each degree the eigenvector of K that overlaps most with h_l at the samples.

    Args:
        matrix: K, (n, n).
        z: the known coordinate of the samples, standardised, (n,).
        degrees: the highest degree l.
    """
    n = _samples(matrix, z, least=3)
    with one_blas_thread():
        values, vectors = scipy.sparse.linalg.eigsh(matrix, k=min(VECTORS, n - 2), v0=np.ones(n), tol=TOLERANCE)
        table = hermite_table(degrees, z, normalised=True)
        seen = ((table / np.linalg.norm(table, axis=1, keepdims=True)) @ vectors) ** 2
    best = seen.argmax(axis=1)
    return MatchedModes(values[best] / n, seen[np.arange(degrees + 1), best])


def operator_eigenvalues(matrix: Array, z: Array, degrees: int) -> Array:
    """Eigenvalues of the kernel's operator that belong to He_0, ..., He_degrees, by the fit between halves.

    Args:
        matrix: K, (n, n).
        z: the known coordinate of the samples, standardised, (n,).
        degrees: the highest degree.
    """
    half = _samples(matrix, z, least=2) // 2
    with one_blas_thread():
        tables = [hermite_table(degrees + FURTHER, part, normalised=True) for part in (z[:half], z[half:])]
        left, right = (np.linalg.solve(table @ table.T, table) for table in tables)
        fitted = left @ matrix[:half, half:] @ right.T
        values, vectors = np.linalg.eigh((fitted + fitted.T) / 2)
    return np.asarray(values[(vectors**2).argmax(axis=1)][: degrees + 1])


def _samples(matrix: Array, z: Array, least: int) -> int:
    """The number of samples, of which there are enough and as many in the matrix: ARPACK writes beyond its memory
    rather than to refuse a start of another length than the matrix has."""
    n = np.shape(z)[0] if np.ndim(z) == 1 else 0
    require(n >= least, f"z must hold one number a sample, of {least} samples or more, not the shape {np.shape(z)}")
    require(np.shape(matrix) == (n, n), f"the matrix must have {n} rows and columns, as z has, not {np.shape(matrix)}")
    return n
