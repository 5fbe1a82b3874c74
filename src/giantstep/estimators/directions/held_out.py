"""How much of the label the found directions explain on samples that did not find them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial import KDTree

from giantstep.arrays import Array

FOLDS = 3
TESTED = 1000
"""Rows of a fold that are predicted at most."""


def held_out_scores(
    columns: Array,
    weight: Array,
    find: Callable[[np.ndarray], Callable[[np.ndarray], Array]],
    generator: np.random.Generator,
) -> Array:
    """R^2 on held-out folds of the label's mean among neighbours in the first 1, 2, ..., k directions, (k,).

    In each fold the directions are found again without it, and the label of a row is predicted by the mean over the
    sqrt(n) nearest rows in their plane: a regression that supposes nothing about the form of the dependence.

    Args:
        columns: standardised labels, (n, q).
        weight: shares of the rows, (n,).
        find: from rows that may be used to a function that gives coordinates, (rows, k), of any rows.
        generator: deals the folds.
    """
    n = len(columns)
    fold = generator.permutation(n) % FOLDS
    missed, size = np.zeros(0), 0.0
    for number in range(FOLDS):
        used, tested = np.flatnonzero(fold != number), np.flatnonzero(fold == number)[:TESTED]
        coordinates = find(used)
        own, new = coordinates(used), coordinates(tested)
        mean = np.average(columns[used], axis=0, weights=weight[used])
        size += float(weight[tested] @ ((columns[tested] - mean) ** 2).sum(axis=1))
        errors = [_missed(own[:, :k], new[:, :k], columns, weight, used, tested) for k in range(1, own.shape[1] + 1)]
        missed = np.array(errors) if number == 0 else missed[: len(errors)] + np.array(errors)[: len(missed)]
    return 1.0 - missed / size if size > 0 else np.zeros_like(missed)


def _missed(own: Array, new: Array, columns: Array, weight: Array, used: np.ndarray, tested: np.ndarray) -> float:
    """Weighted squared errors of the mean over neighbours."""
    count = max(2, round(len(used) ** 0.5))
    near = used[KDTree(own).query(new, k=min(count, len(used)))[1].reshape(len(new), -1)]
    shares = weight[near] / np.maximum(weight[near].sum(axis=1, keepdims=True), np.finfo(float).tiny)
    guess = np.einsum("ij,ijq->iq", shares, columns[near])
    return float(weight[tested] @ ((columns[tested] - guess) ** 2).sum(axis=1))
