"""Every penalty validated at once: against fits that really leave a row out, and against memory and bits."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import InputError
from giantstep.learners.kernels import fit_kernel, kernel_matrix, validated_path

RIDGE = np.array([1e-4, 0.1, 10.0])


def setting(n: int, labels: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, 4))
    return kernel_matrix("exp", x), generator.standard_normal((n, labels)), generator.uniform(0.2, 3.0, n)


def direct(matrix: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """alpha and b from the equations (K + rho/s) alpha + b = y, sum alpha = 0."""
    n = len(labels)
    bordered = np.ones((n + 1, n + 1))
    bordered[:n, :n], bordered[n, n] = matrix + ridge * np.diag(1 / weights), 0.0
    solved = np.linalg.solve(bordered, np.vstack([labels, np.zeros((1, labels.shape[1]))]))
    return solved[:n], solved[n]


@pytest.mark.parametrize("n", [2, 3, 40, 140])  # 140: more reflectors than fit in one block
def test_fits_and_held_out_errors_are_those_of_direct_fits(n: int) -> None:
    matrix, labels, weights = setting(n)
    path = validated_path(matrix.copy(order="F"), labels, RIDGE, weights=weights)
    for number, ridge in enumerate(RIDGE):
        dual, intercept = direct(matrix, labels, weights, ridge)
        np.testing.assert_allclose(path.dual[number], dual, rtol=1e-7, atol=1e-9 * np.abs(dual).max())
        np.testing.assert_allclose(path.intercept[number], intercept, rtol=1e-7, atol=1e-9)
        for row in range(0, n, 7):
            kept = np.arange(n) != row
            dual, intercept = direct(matrix[np.ix_(kept, kept)], labels[kept], weights[kept], ridge)
            missed = labels[row] - intercept - matrix[row, kept] @ dual
            np.testing.assert_allclose(path.held_out[number, row], missed, rtol=1e-6)


def test_a_constant_is_no_feature_learned_for_nothing() -> None:
    """Labels far from 0, hardly any penalty, more features than rows: leaving a row out still moves the constant.

    Centred kernel matrices without the last term of the formula are off by 1/n of each label here, and more.
    """
    matrix, labels, _ = setting(12, labels=1)
    path = validated_path(matrix.copy(order="F"), labels + 1000.0, [1e-9])
    shifted = validated_path(matrix.copy(order="F"), labels, [1e-9])
    np.testing.assert_allclose(path.held_out, shifted.held_out, rtol=1e-5)
    only_noise = validated_path(np.zeros((12, 12), order="F"), labels, [1.0])  # nothing but the constant to fit
    np.testing.assert_allclose(only_noise.held_out[0], (labels - labels.mean()) * 12 / 11, rtol=1e-12)


def test_the_matrix_is_used_up_and_nothing_of_its_size_is_made() -> None:
    import tracemalloc

    n = 1000
    matrix, labels, _ = setting(n, labels=1)
    tracemalloc.start()
    path = validated_path(matrix, labels, np.geomspace(1e-4, 10, 30))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * n * 800  # blocks of 128 and 256 columns and some arrays of 30, whatever n; a copy would be 1000
    assert np.isfinite(path.held_out).all()
    assert repr(path) == "ValidatedPath(n=1000, 30 penalties, 1 labels)"


def test_progress_ends_at_one_and_bits_repeat() -> None:
    matrix, labels, _ = setting(60)
    told: list[float] = []
    one = validated_path(matrix.copy(order="F"), labels, RIDGE, progress=told.append)
    two = validated_path(matrix.copy(order="F"), labels, RIDGE)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    np.testing.assert_array_equal(one.held_out, two.held_out)


def test_what_does_not_fit_gets_a_sentence() -> None:
    matrix, labels, _ = setting(5)
    for mistake in (
        lambda: validated_path(matrix, labels[:4], RIDGE),
        lambda: validated_path(matrix, labels, [0.0]),
        lambda: validated_path(matrix, labels, RIDGE, weights=np.zeros(5)),
        lambda: validated_path(np.full((5, 5), np.inf), labels, RIDGE),
    ):
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            mistake()


def test_kernels_of_networks_take_single_precision() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((700, 6)), generator.standard_normal(700)
    wide, narrow = (fit_kernel("ntk(relu)", x.astype(kind), y, [0.1]) for kind in (np.float64, np.float32))
    np.testing.assert_allclose(narrow.predict(x[:9].astype(np.float32)), wide.predict(x[:9]), rtol=1e-4, atol=1e-4)
