"""What the first gradients of many neurons know together: the right singular vectors of G = (g_1, ..., g_K)^T.

With l = 2 a neuron's mean gradient is mu_2 H w_i to leading order, H = E Hess f*, so that G = mu_2 W H + 1 b^T + noise.
An eigenvector v of H, H v = lambda v, belongs to the left vector u = W v/|W v|, |W v|^2 = K/d, and u^T G is
mu_2 lambda sqrt(K/d) v plus the noise of (1/n) sum f(x) q(x) x, q = sum_i u_i s'(<w_i, x>), of which
mu_2 sqrt(K/d) <v, x> and the variance of s' are seen (the mean mu_1 belongs to the singular vector b of its own). Hence

    cos^2(v, singular vector) = 1/(1 + c d/n),   c = ( E[f^2 <v, x>^2] + E f^2 Var(s') d/(K mu_2^2) ) / lambda^2 .

Each neuron alone needs n ~ d^2 samples, K > d neurons together n ~ d. Derived, to first order in d/n; the next order is
(c d/n)^2. Labels without bound add outliers of single samples, which for n/d fixed grow like log n.
"""

from __future__ import annotations

import numpy as np

from giantstep.checks import require
from giantstep.theory.proportional import ROUNDING
from giantstep.theory.visibility.first_step import FirstStepLaw


def singular_vector_noise(first_step: FirstStepLaw, neurons: int) -> float:
    """c d/n for the eigenvector of H that is hardest to see; cos^2 = 1/(1 + c d/n). Derived.

    Infinite if H does not span all directions of the target, or if mu_2(sigma) = 0.

    Args:
        first_step: the law of one step, for information exponent 2.
        neurons: K, different neurons.
    """
    require(first_step.exponent == 2, f"the information exponent must be 2, here it is {first_step.exponent}")
    require(neurons >= 1, f"neurons must be 1 or more, got {neurons}")
    law = first_step.law
    hessian = first_step.slide_overlaps(np.eye(law.directions))
    sizes, vectors = np.linalg.eigh((hessian + hessian.T) / 2)
    mu1, mu2 = float(law.mean.hermite[1]), float(law.mean.hermite[2])
    if np.abs(sizes).min() < ROUNDING or abs(mu2) < ROUNDING:
        return float("inf")
    slope2 = law.power / first_step.norm2
    along = np.einsum("iv,ij,jv->v", vectors, law.second[:-1, :-1] / slope2, vectors)
    own = first_step.norm2 * (slope2 - mu1**2) * first_step.d / (neurons * mu2**2)
    return float(((along + own) / sizes**2).max() * first_step.d / first_step.samples)
