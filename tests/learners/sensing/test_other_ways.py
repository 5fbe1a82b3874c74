"""Spectral starts, least nuclear norms and isometry constants of small problems."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import Streams
from giantstep.errors import InputError
from giantstep.learners.sensing import Factors, Sensing
from giantstep.learners.sensing.baselines import isometry_constant, least_nuclear_norm, spectral_start, unfitted_share
from giantstep.learners.sensing.operators import DenseOperator


def measured(m: int, shape: tuple[int, int] = (8, 6), seed: int = 0) -> tuple[DenseOperator, np.ndarray]:
    operator = DenseOperator.gaussian(shape, m, Streams(seed), symmetric=False)
    generator = np.random.default_rng(seed)
    return operator, np.outer(generator.standard_normal(shape[0]), generator.standard_normal(shape[1]))


def test_the_spectral_start_is_the_best_approximation_of_z_and_balanced() -> None:
    operator, truth = measured(40)
    problem = Sensing(operator, truth=truth)
    start = spectral_start(problem, 2)
    u, s, v = np.linalg.svd(problem.spectral_matrix())
    assert start.product == pytest.approx((u[:, :2] * s[:2]) @ v[:2])
    assert start.imbalance() == pytest.approx(np.zeros((2, 2)), abs=1e-10)


def test_the_least_nuclear_norm_fits_and_none_that_fits_has_less() -> None:
    operator, truth = measured(24)
    found = least_nuclear_norm(operator, operator.apply(truth))
    assert operator.apply(found) == pytest.approx(operator.apply(truth))
    size = np.linalg.norm(found, "nuc")
    assert size <= np.linalg.norm(truth, "nuc") + 1e-6
    kernel = np.linalg.svd(operator.rows)[2][24:]
    for direction in kernel[:6]:
        moved = found + 0.05 * direction.reshape(found.shape)
        assert np.linalg.norm(moved, "nuc") >= size - 1e-6


def test_enough_measurements_make_it_the_truth() -> None:
    operator, truth = measured(44)
    assert least_nuclear_norm(operator, operator.apply(truth)) == pytest.approx(truth, abs=1e-4)
    with pytest.raises(InputError, match="fewer measurements"):
        least_nuclear_norm(measured(60)[0], np.ones(60))


def test_the_isometry_constant_of_full_rank_is_an_extreme_eigenvalue() -> None:
    operator, _ = measured(400, (4, 3))
    eigenvalues = np.linalg.eigvalsh(operator.rows.T @ operator.rows)
    found = isometry_constant(operator, 3, 3000, Streams(1))
    assert found == pytest.approx(max(eigenvalues[-1] - 1, 1 - eigenvalues[0]), rel=1e-2)
    assert isometry_constant(operator, 1, 200, Streams(1)) <= found


def test_factors_fit_as_many_labels_as_their_tangent_space_has_dimensions() -> None:
    generator = np.random.default_rng(2)
    for rank, m, fits in ((2, 24, True), (2, 25, False)):  # r (d1 + d2 - r) = 24
        operator, _ = measured(m, seed=rank + m)
        factors = Factors(generator.standard_normal((8, rank)), generator.standard_normal((6, rank)))
        share = unfitted_share(operator, factors, generator.standard_normal(m))
        assert (share < 1e-10) == fits
