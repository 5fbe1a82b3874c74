"""Several giant steps on a quadratic target: a power method on fresh batches, for each sign of the second layer.

For ReLU, with f* of one direction u, E f* = E[x f*] = 0 and h = E[f*''], a neuron with overlap m and |w| = N^(1/2) has
the mean gradient h m/(N^(1/2) sqrt(2pi)) along u to leading order, and noise E[f*^2]/(2n) in each other
direction. So for w += s a g, a = +1 or -1,

    m <- m (1 + s a h/sqrt(2 pi N)) + noise of variance s^2 E[f*^2 x_u^2]/(2n),     N <- N + s^2 d E[f*^2]/(2n),

from sqrt(d) m ~ N(0, 1), N = 1. With s ~ (n/d)^(1/2) norms stay of order 1 and each step multiplies m by (n/d)^(1/2):
T steps of n ~ d^kappa samples give m^2 ~ d^(T(kappa - 1) - 1), and learn from kappa = 1 + 1/T on. The network's output,
which the second step begins to see, is left out. Derived.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import positive


def shares_along_steps(
    curvature: float, power: float, power_inside: float, d: int, samples: int, sizes: Sequence[float]
) -> Array:
    """Mean over neurons of m^2/|w|^2 after each step, (T,), see the module.

    Args:
        curvature: h = E[f*''].
        power: E[f*^2] E[s'^2], half of E[f*^2] for ReLU.
        power_inside: E[f*^2 x_u^2] E[s'^2].
        d: input dimension.
        samples: n of each step.
        sizes: s of each step, (T,).

    >>> shares_along_steps(1.4, 0.5, 2.5, 10**6, 10**12, [1e-9]).round(8)
    array([1.e-06])
    """
    positive("the mean square of the labels", power)
    signs, squares, norm2 = np.array([1.0, -1.0]), np.full(2, 1 / d), 1.0
    shares = []
    for size in sizes:
        squares = squares * (1 + size * signs * curvature / sqrt(2 * pi * norm2)) ** 2
        squares = squares + size**2 * power_inside / samples
        norm2 += size**2 * d * power / samples
        ratio = norm2 / squares  # m is Gaussian: E[z^2/(z^2 + A)]
        shares.append(float(np.mean(1 - np.sqrt(pi * ratio / 2) * scipy.special.erfcx(np.sqrt(ratio / 2)))))
    return np.array(shares)
