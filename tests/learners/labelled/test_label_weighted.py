"""Matrices of weighted inputs and slice means against their definitions."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.labelled import (
    inverse_regression_matrix,
    labelled_matrices,
    leading_direction,
    top_eigenpairs,
)
from giantstep.problems import ArraySample, Problem, whole
from giantstep.streams import Streams

SAMPLE = Problem("He3(x1)", d=7, noise=0.5).sample(100, Streams(4), block_rows=32)


def test_matrices_of_the_first_rows_in_one_pass():
    x, y = whole(SAMPLE)
    found = labelled_matrices(SAMPLE, np.tanh, [10, 32, 33, 96])
    assert found.counts == (10, 32, 33, 96)
    for n, matrix in zip(found.counts, found.matrices, strict=True):
        assert matrix == pytest.approx((x[:n].T * np.tanh(y[:n])) @ x[:n] / n)
        assert (matrix == matrix.T).all()


def test_progress_and_wrong_arguments():
    told = []
    labelled_matrices(SAMPLE, np.tanh, progress=told.append)
    assert told[-1] == 1
    with pytest.raises(InputError, match="must grow"):
        labelled_matrices(SAMPLE, np.tanh, [20, 10])
    with pytest.raises(InputError, match="numbers"), np.errstate(all="ignore"):
        labelled_matrices(SAMPLE, lambda y: y / 0)


@pytest.mark.parametrize("dense", [100, 10])
def test_top_pairs_are_those_of_the_matrix(dense, monkeypatch):
    monkeypatch.setattr("giantstep.learners.labelled.label_weighted.DENSE", dense)
    x = np.random.default_rng(1).standard_normal((60, 50))
    matrix = x.T @ x
    values, vectors = top_eigenpairs(matrix, 3)
    assert values == pytest.approx(np.linalg.eigvalsh(matrix)[::-1][:3])
    assert matrix @ vectors == pytest.approx(vectors * values, abs=1e-5)


def test_slice_means_are_those_of_ranked_labels():
    x, y = whole(SAMPLE)
    order = np.argsort(y)
    means = np.stack([x[order[25 * h : 25 * (h + 1)]].mean(axis=0) for h in range(4)], axis=1)
    columns = inverse_regression_matrix(SAMPLE, 4)
    assert columns == pytest.approx(0.5 * (means - x.mean(axis=0)[:, None]))
    squares, direction = leading_direction(columns)
    assert squares[0] == pytest.approx(np.linalg.norm(columns, 2) ** 2)
    assert np.linalg.norm(direction @ columns) ** 2 == pytest.approx(squares[0])


def test_more_slices_than_samples_are_refused():
    with pytest.raises(InputError, match="cannot be cut"):
        inverse_regression_matrix(ArraySample(np.ones((3, 2)), np.ones(3)), 4)
