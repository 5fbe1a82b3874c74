"""The mean risk of one-pass SGD on features that were drawn: the recursion of `feature_law`, exact at any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require


@dataclass(frozen=True, eq=False)
class DrawnFeatures:
    """Drawn features as SGD sees them.

    Args:
        eigenvalues: l_j of K = W^T D W, (d,).
        errors: e_j at theta = 0: the squares of the best theta along the eigenvectors, (d,).
        floor: P_inf, the least risk of a linear function of the features.
    """

    eigenvalues: Array
    errors: Array
    floor: float

    def risk(self, step: float, batch: int, times: Sequence[int]) -> Array:
        """The mean risk over samples after each of `times` steps, which increase: e of the module, step by step.

        Args:
            step: g.
            batch: B.
            times: numbers of steps, increasing.
        """
        require(all(t >= 0 for t in times) and list(times) == sorted(times), "times must increase from 0 on")
        values, errors = self.eigenvalues, self.errors
        kept = 1.0 - 2 * step * batch * values + step**2 * batch * (batch + 1) * values**2
        fed = step**2 * batch * values
        done, found = 0, []
        risk = float(values @ errors) + self.floor
        for time in times:
            for _ in range(done, time):
                errors = kept * errors + fed * risk
                risk = float(values @ errors) + self.floor
            done = time
            found.append(risk)
        return np.array(found)


def drawn_features(weights: Array, input_exponent: float, target_exponent: float) -> DrawnFeatures:
    """What SGD sees of the features W^T x.

    Args:
        weights: W, (v, d).
        input_exponent: a of x_j = j^-a z_j.
        target_exponent: b of the target sum_j j^-b x_j.
    """
    j = np.arange(1.0, len(weights) + 1)
    variances, target = j ** (-2 * input_exponent), j**-target_exponent
    covariance = (weights.T * variances) @ weights
    values, vectors = scipy.linalg.eigh(covariance)
    require(values[0] > 0, "these features are linearly dependent; draw others")
    along = vectors.T @ (weights.T @ (variances * target))
    floor = float(variances @ target**2) - float(along @ (along / values))
    return DrawnFeatures(values, (along / values) ** 2, max(0.0, floor))
