"""What the first gradients of many neurons know together: the right singular vectors of G = (g_1, ..., g_K)^T.

With l = 2 a neuron's mean gradient is mu_2 (E f + H) w_i to leading order, H = E Hess f*, so that up to the rank one
1 b^T of the mean slope mu_1, which is a singular vector of its own,

    G = mu_2 W S + Z,   S = (1/n) sum f(x) x x^T = E f + H + noise,   Z of entries with variance E f^2 Var(s')/n.

An eigenvector v of H, H v = h v, is a leading singular vector only if (E f + h)^2 > (E f)^2, the square of all
directions that the target does not know. Its noise has two sources. Of S, the v-th row disturbs it by (S_vj)_j/h with
n E|.|^2 = d E[f^2 <v, x>^2]. The K rows are samples of a covariance with one spike, of ratio q = ((E f + h)^2 + z)/
((E f)^2 + z), z = E f^2 Var(s') d/(n mu_2^2), at the aspect d/K (Baik, Ben Arous, Peche). To first order in d/n

    cos^2(v, singular vector) = 1/(1 + e),   e = E[f^2 <v, x>^2] d/(n h^2) + (d/K) q / ((q - 1)^2 - d/K).

Each neuron alone needs n ~ d^2 samples, K > d neurons together n ~ d. Derived; the next order is that of the first
term squared. Labels without bound add outliers of single samples, which for n/d fixed grow like log n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.theory.proportional import ROUNDING
from giantstep.theory.visibility.first_step import FirstStepLaw


class SingularVectorNoise(NamedTuple):
    """The two terms of e for each eigenvector of H, and the mean of cos^2 = 1/(1 + e) over them.

    Args:
        samples: the term of S, the noise of the samples that all neurons share, (r,).
        rows: the term of the K rows, (r,).
    """

    samples: Array
    rows: Array

    @property
    def cos2(self) -> float:
        """The mean squared cosine of the eigenvectors with the leading singular vectors."""
        return float(np.mean(1 / (1 + self.samples + self.rows)))

    @property
    def is_known(self) -> bool:
        """Whether all eigenvectors are among the leading singular vectors."""
        return bool(np.isfinite(self.samples + self.rows).all())


def singular_vector_noise(first_step: FirstStepLaw, neurons: int) -> SingularVectorNoise:
    """e for each eigenvector of H. Derived, see the module.

    Infinite for a direction of the target that is none of the leading singular vectors: H does not have it, E f hides
    it, or mu_2(sigma) = 0.

    Args:
        first_step: the law of one step, for information exponent 2.
        neurons: K, different neurons.
    """
    require(first_step.exponent == 2, f"the information exponent must be 2, here it is {first_step.exponent}")
    require(neurons >= 1, f"neurons must be 1 or more, got {neurons}")
    law, per_sample = first_step.law, first_step.d / first_step.samples
    hessian = first_step.slide_overlaps(np.eye(law.directions))
    sizes, vectors = np.linalg.eigh((hessian + hessian.T) / 2)
    mu1, mu2 = float(law.mean.hermite[1]), float(law.mean.hermite[2])
    if np.abs(sizes).min() < ROUNDING or abs(mu2) < ROUNDING:
        return SingularVectorNoise(np.full(len(sizes), np.inf), np.full(len(sizes), np.inf))
    slope2 = law.power / first_step.norm2
    along = np.einsum("iv,ij,jv->v", vectors, law.second[:-1, :-1] / slope2, vectors)
    own = first_step.norm2 * (slope2 - mu1**2) * per_sample / mu2**2
    rows = _spike_noise(law.mean.constant, sizes, own, first_step.d / neurons)
    return SingularVectorNoise(np.asarray(along * per_sample / sizes**2), rows)


def _spike_noise(mean: float, sizes: Array, own: float, aspect: float) -> Array:
    """(d/K) q/((q - 1)^2 - d/K) for each h of `sizes`, infinite below the transition at q = 1 + sqrt(d/K)."""
    excess = (mean + sizes) ** 2 - mean**2
    level = mean**2 + own
    rest = excess**2 - aspect * level**2
    seen = (excess > 0) & (rest > 0)
    return np.asarray(np.where(seen, aspect * (excess + level) * level / np.where(seen, rest, 1.0), np.inf))
