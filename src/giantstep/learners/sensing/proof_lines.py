"""The proof that factors stay balanced, followed line by line along a run. [soltanolkotabi22]

With B = U^T U - V^T V and the gradients grad_U = -R V, grad_V = -R^T U of L = (1/2)|y - A(U V^T)|^2, where R =
A*(y - A(U V^T)):

    U^T grad_U = (grad_V)^T V,      B_{t+1} - B_t = mu^2 (grad_U^T grad_U - grad_V^T grad_V),
    |B_{t+1} - B_t| <= mu^2 |grad|^2 <= 2 mu (L_t - L_{t+1}),      |B_t| <= |B_0| + 2 mu (L_0 - L_t).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from giantstep.learners.sensing.descent import Factors, SensingDescent, SensingState

LEARNED = 1e-9  # losses below this share of the first one are rounding


@dataclass(frozen=True, eq=False)
class ProofLines:
    """How the lines of the proof stood at worst along a run.

    Args:
        key_identity: largest |U^T grad_U - (grad_V)^T V| over |U| |grad_U|.
        step_identity: largest |B_{t+1} - B_t - mu^2 (...)| over |U|^2 + |V|^2.
        descent_share: least (L_t - L_{t+1}) over mu |grad|^2.
        step_share: largest |B_{t+1} - B_t| over 2 mu (L_t - L_{t+1}).
        lemma_share: largest |B_t| - |B_0| over 2 mu (L_0 - L_t).
        first_share: the first of the `step_share`.
        last: the factors at the end.
    """

    key_identity: float
    step_identity: float
    descent_share: float
    step_share: float
    lemma_share: float
    first_share: float
    last: Factors

    def shares(self) -> dict[str, float]:
        """All lines by name."""
        return {name: value for name, value in vars(self).items() if name != "last"}


def follow_proof(descent: SensingDescent, start: Factors, steps: int) -> ProofLines:
    """Run `descent` on U V^T from `start` for some `steps`, and hold every step against every line of the proof."""
    mu, lines = descent.step, []
    first = loss = 0.0
    last = start
    for before, after in pairwise(descent.states(start, range(steps + 1))):
        size = float(np.linalg.norm(before.factors.imbalance()))
        loss = before.train_norm**2 / 2
        if before.t == 0:
            first_loss, first = loss, size
        last = after.factors
        if loss < LEARNED * first_loss:
            break
        fall, sum_of_falls = loss - after.train_norm**2 / 2, first_loss - after.train_norm**2 / 2
        key, gap, squares, change = _line(before, after, mu)
        grown = float(np.linalg.norm(after.factors.imbalance())) - first
        lines.append((key, gap, fall / (mu * squares), change / (2 * mu * fall), grown / (2 * mu * sum_of_falls)))
    key, gap, falls, shares, sums = np.array(lines).T
    return ProofLines(key.max(), gap.max(), falls.min(), shares.max(), sums.max(), float(shares[0]), last)


def _line(before: SensingState, after: SensingState, mu: float) -> tuple[float, float, float, float]:
    """Both identities' gaps, |grad|^2 and |B_{t+1} - B_t|."""
    left, right = before.factors.left, before.factors.right
    assert right is not None
    by_left, by_right = -before.pull @ right, -before.pull.T @ left
    key = left.T @ by_left - by_right.T @ right
    key_gap = float(np.linalg.norm(key) / (np.linalg.norm(left) * np.linalg.norm(by_left)))
    squares = float(np.sum(by_left**2) + np.sum(by_right**2))
    change = after.factors.imbalance() - before.factors.imbalance()
    expected = mu**2 * (by_left.T @ by_left - by_right.T @ by_right)
    sizes = float(np.sum(left**2) + np.sum(right**2))
    return key_gap, float(np.linalg.norm(change - expected)) / sizes, squares, float(np.linalg.norm(change))
