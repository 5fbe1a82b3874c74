"""Recovery of a low-rank matrix from a user's own measurements: its rank, its error, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from giantstep.errors import InputError
from giantstep.learners.sensing import recover, relative_error
from giantstep.learners.sensing.operators import DenseOperator, PopulationOperator

KINDS = {
    "normal": lambda random, shape: 2.5 * random.standard_normal(shape),
    "mean 1": lambda random, shape: 1 + random.standard_normal(shape),
    "uniform": lambda random, shape: random.random(shape),
}


def measured(d1: int, d2: int, values: list[float], m: int, noise: float, seed: int, symmetric=False, kind="normal"):
    """Noise is a share of the labels' deviation."""
    random = np.random.default_rng(seed)
    left = np.linalg.qr(random.standard_normal((d1, len(values))))[0]
    right = left if symmetric else np.linalg.qr(random.standard_normal((d2, len(values))))[0]
    truth = (left * values) @ right.T
    matrices = KINDS[kind](random, (m, d1, d2))
    clean = np.einsum("mij,ij->m", matrices, truth)
    return matrices, clean + noise * np.std(clean) * random.standard_normal(m), truth


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("symmetric", [True, False])
def test_a_low_rank_matrix_is_recovered(symmetric: bool, seed: int) -> None:
    matrices, y, truth = measured(16, 16, [3.0, 1.5], 400, 0.0, seed, symmetric)
    found = recover(matrices, y, symmetric=symmetric, tolerance=1e-9)
    assert relative_error(found.matrix, truth) < 1e-7
    assert found.rank == 2
    assert found.is_determined
    assert found.t_align is not None
    assert found.t_align < found.t_escape < found.t_refine <= found.iterations
    assert "fitted to 1e-09 by rank 2" in repr(found)
    assert found.singular_values == pytest.approx([3.0, 1.5])
    assert recover(matrices, y, symmetric=symmetric, rank=2).t_align is None


@pytest.mark.parametrize("kind", list(KINDS))
def test_measurement_matrices_may_have_a_mean(kind: str) -> None:
    for m in (900, 300):  # more and fewer than the 400 entries
        matrices, y, truth = measured(20, 20, [1.0, 0.5], m, 0.0, 0, kind=kind)
        found = recover(matrices, y)
        assert relative_error(found.matrix, truth) < 1e-6
        assert (found.rank, found.is_determined) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-2, 1e-4, 1e-7])
def test_a_weak_direction_is_found_from_any_start(scale: float) -> None:
    """Noise-free, 30 x 30, m = 2500, singular values 1 and 0.03: descent alone stops at rank 1."""
    matrices, y, truth = measured(30, 30, [1.0, 0.03], 2500, 0.0, 0)
    found = recover(matrices, y, scale=scale, steps=200)
    assert relative_error(found.matrix, truth) < 1e-6
    assert found.rank == 2


@pytest.mark.slow
@pytest.mark.parametrize("m", [2500, 800])
def test_a_rank_of_a_third_of_the_side(m: int) -> None:
    matrices, y, truth = measured(30, 30, [1.0] * 10, m, 0.0, 0)
    found = recover(matrices, y)
    assert relative_error(found.matrix, truth) < 1e-6
    assert (found.rank, found.is_determined) == (10, True)
    if m > 2000:
        short = recover(matrices, y, rank=7)
        assert "not fitted" in short.status
        assert "raise the rank above 7" in short.status


@pytest.mark.parametrize("kind", ["normal", "uniform"])
@pytest.mark.parametrize("seed", [0, 1])
def test_noise_is_not_fitted(seed: int, kind: str) -> None:
    """The error stays near the best that is possible, noise sqrt(dim T/m), while fitting all labels would cost more."""
    matrices, y, truth = measured(20, 15, [1.0, 0.6], 450, 0.2, seed, kind=kind)
    found = recover(matrices, y)
    assert "looks like noise" in found.status
    assert (found.rank, found.is_determined) == (2, True)
    assert relative_error(found.matrix, truth) < 1.5 * 0.2 * np.sqrt(66 / 450)
    spread = np.linalg.norm(y - y.mean()) / np.linalg.norm(y)
    assert found.misfit == pytest.approx(0.2 / np.sqrt(1.04) * np.sqrt(1 - 66 / 450) * spread, rel=0.15)


def test_data_that_do_not_determine_the_matrix_are_told() -> None:
    """Fewer measurements than degrees of freedom; and a row of the matrix that is never looked at."""
    matrices, y, _ = measured(12, 12, [1.0] * 4, 60, 0.0, 0)
    few = recover(matrices, y)
    assert not few.is_determined
    assert "do not determine" in few.status
    matrices, y, truth = measured(12, 12, [1.0, 0.7], 200, 0.0, 0)
    blind = matrices.copy()
    blind[:, 3] = 0.0
    unseen = recover(blind, np.einsum("mij,ij->m", blind, truth))
    assert not unseen.is_determined
    assert recover(matrices, y).is_determined


def test_operators_of_any_kind_can_be_given() -> None:
    matrices, y, truth = measured(10, 8, [1.0], 120, 0.0, 0)
    rows = matrices.reshape(120, 80)
    found = [
        recover(matrices, y),
        recover(list(matrices), y),
        recover(DenseOperator.of_matrices(matrices, symmetric=False), y),
        recover(aslinearoperator(rows), y, shape=(10, 8)),
        recover(sparse.csr_array(rows), y, shape=(10, 8)),
        recover(sparse.csc_matrix(rows), y, shape=(10, 8)),
    ]
    assert all(relative_error(f.matrix, truth) < 1e-6 for f in found)
    assert all(np.array_equal(found[0].matrix, f.matrix) for f in found[1:3])


def test_entries_that_are_looked_at_one_by_one() -> None:
    """Completion of a matrix from half of its entries, as a sparse matrix of measurements."""
    random = np.random.default_rng(0)
    truth = np.outer(random.standard_normal(20), random.standard_normal(20))
    seen = np.sort(random.permutation(400)[:200])
    picks = sparse.csr_array((np.ones(200), (np.arange(200), seen)), shape=(200, 400))
    found = recover(picks, truth.ravel()[seen], shape=(20, 20))
    assert relative_error(found.matrix, truth) < 1e-5
    assert found.rank == 1


def test_what_cannot_be_recovered_from_is_refused() -> None:
    matrices, y, _ = measured(6, 6, [1.0], 30, 0.0, 0)
    with pytest.raises(InputError, match="labels must be 30"):
        recover(matrices, y[:-1])
    with pytest.raises(InputError, match="not all zero"):
        recover(matrices, 0 * y)
    with pytest.raises(InputError, match="rank"):
        recover(matrices, y, rank=0)
    with pytest.raises(InputError, match="step"):
        recover(matrices, y, step=-1.0)
    with pytest.raises(InputError, match="all zero"):
        recover(0 * matrices, y)
    with pytest.raises(InputError, match="shape"):
        recover(aslinearoperator(matrices.reshape(30, 36)), y)
    with pytest.raises(InputError, match="infinitely"):
        recover(PopulationOperator((6, 6), symmetric=False), y)
    with pytest.raises(InputError, match="shape"):
        recover(sparse.csr_array(matrices.reshape(30, 36)), y)
    with pytest.raises(InputError, match="diverged"):
        recover(matrices, y, step=50.0)
