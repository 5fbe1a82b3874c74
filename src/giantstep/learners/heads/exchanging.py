"""Exchanging features one sample at a time: what each exchange does to the least objective of ridge regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array


@dataclass(frozen=True, eq=False)
class Exchange:
    """What was found of features and of those that take their place.

    Args:
        objective: min_c (1/n)|y - Psi c|^2 + lam |c|^2 of the features.
        other_objective: the same of the others.
        head: c of the features, (N,).
        swaps: n times the change of the objective as sample k is exchanged, where every second one has been already,
            (n,): that with the other features minus that with the features.
    """

    objective: float
    other_objective: float
    head: Array
    swaps: Array


def exchange(features: Array, others: Array, labels: Array, ridge: float) -> Exchange:
    """The objectives of both features, and of all exchanges of one sample half way between them.

    Without sample k the least objective is L_k; with features phi it is L_k + e^2/(1 + h), where e is the error of the
    head without the sample on it and h = phi^T A_k^-1 phi, A_k = Psi_k^T Psi_k + n lam. All follow from one inverse.

    Args:
        features: Psi, (n, N).
        others: those that take their place, (n, N).
        labels: y, (n,).
        ridge: lam.
    """
    n = len(labels)
    first, head = least_objective(features, labels, ridge)
    second, _ = least_objective(others, labels, ridge)
    mixed = np.where((np.arange(n) % 2 == 0)[:, None], others, features)
    inverse = np.linalg.inv(mixed.T @ mixed + n * ridge * np.eye(mixed.shape[1]))
    fitted = inverse @ (mixed.T @ labels)
    seen = mixed @ inverse
    weight = np.einsum("ij,ij->i", seen, mixed)
    own = (labels - mixed @ fitted) / (1 - weight)  # the error on a sample of the head without it
    changes = []
    for phi in (others, features):
        across = np.einsum("ij,ij->i", seen, phi)
        error = labels - phi @ fitted + across * own
        spread = np.einsum("ij,ij->i", phi @ inverse, phi) + across**2 / (1 - weight)
        changes.append(error**2 / (1 + spread))
    return Exchange(first, second, head, changes[0] - changes[1])


def least_objective(features: Array, labels: Array, ridge: float) -> tuple[float, Array]:
    """min_c (1/n)|y - Psi c|^2 + lam |c|^2, and the head c, (N,), that reaches it.

    Args:
        features: Psi, (n, N).
        labels: y, (n,).
        ridge: lam.
    """
    n = len(labels)
    square = features.T @ features / n + ridge * np.eye(features.shape[1])
    correlation = features.T @ labels / n
    head = np.linalg.solve(square, correlation)
    return float(labels @ labels / n - correlation @ head), np.asarray(head)
