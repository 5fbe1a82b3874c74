"""Modes of a kernel matrix: exact where it is made of them, unbiased under noise, the same for any threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_table
from giantstep.learners.kernels import matched_modes, operator_eigenvalues

VALUES = np.array([1.0, 0.3, 0.1, 0.02])


def made_of_modes(n: int, seed: int, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """K = sum lambda_l h_l h_l^T, with a symmetric noise of mean zero and a large diagonal."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal(n)
    table = hermite_table(3, z, normalised=True)
    rough = rng.standard_normal((n, n))
    return table.T * VALUES @ table + noise * (np.triu(rough) + np.triu(rough, 1).T + 10 * np.eye(n)), z


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_fit_finds_the_modes_of_which_the_matrix_is_made(seed: int) -> None:
    matrix, z = made_of_modes(300, seed)
    np.testing.assert_allclose(operator_eigenvalues(matrix, z, 3), VALUES, rtol=1e-8)


def test_noise_and_diagonal_leave_no_bias() -> None:
    found = np.array([operator_eigenvalues(*made_of_modes(200, seed, 0.05), 2) for seed in range(40)])
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - VALUES[:3]) < 4 * error + 1e-4).all()


def test_eigenvectors_are_matched_by_overlap_and_not_by_size() -> None:
    """One far sample has an eigenvector of its own, larger than those of degrees 2 and 3."""
    matrix, z = made_of_modes(800, 5)
    matrix[7, 7] += 800 * 0.15
    modes = matched_modes(matrix, z, 3)
    assert (modes.overlaps > 0.7).all()
    assert (np.abs(modes.values / VALUES - 1) < 0.3).all()
    by_size = np.sort(np.linalg.eigvalsh(matrix))[::-1] / 800
    assert np.argmin(np.abs(by_size - modes.values[2])) == 3


def test_threads_do_not_matter() -> None:
    matrix, z = made_of_modes(500, 9, 0.1)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append((matched_modes(matrix, z, 3).values, operator_eigenvalues(matrix, z, 3)))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("find", [matched_modes, operator_eigenvalues])
@pytest.mark.parametrize(("rows", "z"), [(5, np.ones(4)), (4, np.ones(5)), (4, np.ones((4, 1))), (1, np.ones(1))])
def test_a_matrix_of_another_size_than_the_samples_is_refused(find: Any, rows: int, z: Any) -> None:
    """ARPACK, asked to begin with a vector of another length, writes beyond its memory and ends the process."""
    with pytest.raises(InputError, match=r"z must hold one number a sample|the matrix must have"):
        find(np.eye(rows), z, 1)
