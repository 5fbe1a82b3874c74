"""What correlations see of a parity of k signs on isotropic inputs.

x uniform in {-1, 1}^d, y = x_1 ... x_k, w ~ N(0, I/d): a neuron's expected gradient g = E[y s'(<w, x>) x] has along a
sign of the parity the Fourier coefficient of s'(<w, .>) at the other k - 1, whose square is in the mean over w

    E_w g_i^2 = E_z[z_1 ... z_(k-1) K(mean z)] = (k-1)! b_(k-1)^2 d^-(k-1) (1 + O(1/d)),     K(r) = sum_j b_j^2 r^j,

z uniform signs, K the dual kernel of s' and b_j its normalised Hermite coefficients (derived; the mean over z is a sum
over binomials, exact at every d). A sample scatters by E s'^2/n, so that n = E s'^2/E g_i^2 ~ d^(k-1) samples show it.
Whatever s' is, the queries s' x_i have energy E s'^2 each, which C(d, k) orthogonal parities share (Parseval): for a
parity of random signs

    E|g|^2 <= d E s'^2/C(d, k),        the bound of correlational statistical queries.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.gaussian.kernels import dual_kernel, second_moment_at

if TYPE_CHECKING:
    from giantstep.arrays import Array
    from giantstep.problems import Activation


@lru_cache(maxsize=1024)
def _coefficient(activation: Activation, d: int, degree: int) -> float:
    """E_z[z_1 ... z_degree K(mean z)], z uniform in {-1, 1}^d."""
    slope, rest = activation.derivative_activation, d - degree
    flipped = np.arange(rest + 1)
    chance = np.exp(scipy.special.gammaln(rest + 1) - scipy.special.gammaln(flipped + 1)
                    - scipy.special.gammaln(rest - flipped + 1) - rest * np.log(2))  # fmt: skip

    def mean(negative: int) -> float:
        sums = (degree - 2 * negative) + (rest - 2 * flipped)
        kernel: Array = dual_kernel(slope, slope, 1.0, 1.0, np.clip(sums / d, -1.0, 1.0))
        return float(chance @ kernel)

    return float(sum((-1) ** m * comb(degree, m) * mean(m) for m in range(degree + 1)) / 2**degree)


def parity_signal(activation: Activation, d: int, order: int) -> float:
    """E_w g_i^2 along one of the parity's signs; exact at every d.

    Args:
        activation: s of the neurons.
        d: input dimension.
        order: k, the signs in the parity.

    >>> from giantstep.problems import Activation
    >>> round(parity_signal(Activation("He2(z)"), 50, 2), 12)  # s' = 2 z, E[z_1 4 mean z] = 4/d
    0.08
    """
    return _coefficient(activation, d, order - 1)


def parity_energy(activation: Activation, d: int, order: int) -> float:
    """E_w|g|^2 of the whole gradient: k signs of the parity, and d - k others, which see k + 1 signs.

    Args:
        activation: s of the neurons.
        d: input dimension.
        order: k.
    """
    return order * _coefficient(activation, d, order - 1) + (d - order) * _coefficient(activation, d, order + 1)


def query_bound(activation: Activation, d: int, order: int) -> float:
    """d E s'^2/C(d, k), above which no gradient's energy lies in the mean over parities.

    Args:
        activation: s of the neurons.
        d: input dimension.
        order: k.
    """
    return d * slope_energy(activation) / comb(d, order)


def slope_energy(activation: Activation) -> float:
    """E s'(z)^2, z ~ N(0, 1), of an `activation` s."""
    return float(second_moment_at(activation.derivative_activation, 1.0))
