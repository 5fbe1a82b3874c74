"""Probabilities of classes from what least squares says of them, made honest on labels that no fit has seen.

Least squares on columns of 0 and 1 estimates the shares q_k of the classes at a row, but it may say more than 1 or less
than 0, and be too sure or not sure enough. So

    p_k = max(q_k, e)^a / sum_l max(q_l, e)^a,

which leaves the order of the classes; e and a maximise the likelihood of the labels under held-out q. With a = 1 shares
stay as they are. No e below 1/(n + K) is tried: n rows know of nothing rarer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from giantstep.arrays import Array

FLOORS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""e that are tried, beside 1/(n + K) ..."""
MOST = 5000
"""... on as many rows at most."""
POWERS = (np.log(1e-3), np.log(20.0))
"""Where log a is looked for."""


@dataclass(frozen=True)
class Probabilities:
    """The map from shares of classes to their probabilities.

    Args:
        floor: e.
        power: a.
    """

    floor: float
    power: float

    def __call__(self, shares: Array) -> Array:
        """p of the rows from q, both (n, K)."""
        logs = self.power * np.log(np.maximum(shares, self.floor))
        found = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    @classmethod
    def fitting(cls, shares: Array, is_class: Array, weight: Array, total: float) -> Probabilities:
        """The likeliest map for held-out shares.

        Args:
            shares: q of rows whose labels were not seen, (n, K).
            is_class: their classes, as columns of 0 and 1, (n, K).
            weight: of the rows, (n,), with sum 1.
            total: how many rows the weights stand for.
        """
        every = slice(None, None, -(-len(weight) // MOST))
        shares, own, weight = np.nan_to_num(shares[every]), is_class[every] > 0.5, weight[every] / weight[every].sum()
        least = min(1 / (total + shares.shape[1]), max(FLOORS))

        def unlikely(log_power: float, floor: float) -> float:
            return -float(weight @ np.log(cls(floor, float(np.exp(log_power)))(shares)[own]))

        floors = [least, *(floor for floor in FLOORS if floor > least)]
        found = [minimize_scalar(unlikely, bounds=POWERS, args=(floor,), method="bounded") for floor in floors]
        best = int(np.argmin([one.fun for one in found]))
        return cls(floors[best], float(np.exp(found[best].x)))
