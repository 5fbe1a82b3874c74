"""The gradient of a ReLU neuron from infinitely many samples, by quadrature: what finite batches scatter about.

Given the target's coordinates x_V the rest of the input is Gaussian, and with |w| = 1, m = w_V, rho^2 = 1 - |m|^2 the
field <w, x> is N(<m, x_V>, rho^2). With q = (<m, x_V> + b)/rho, for w = (m, rho e) and x = (x_V, t e, ...),

    E[f(x) 1{<w, x> + b >= 0} x] = E[f(x_V) x_V Phi(q)] + e E[f(x_V) phi(q)],

an integral over V alone, whose integrand is smooth for a polynomial f: Gauss-Hermite nodes give all digits. (Derived;
no Hermite expansion of the activation is used.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import hermite_grid

if TYPE_CHECKING:
    from giantstep.problems import Target

_NODES = {1: 80, 2: 40, 3: 24}


def population_gradient(
    target: Target, overlaps: NDArray[np.float64], bias: float = 0.0, *, preprocess: bool = False
) -> NDArray[np.float64]:
    """E g of ReLU neurons: coordinates in V and along the rest of w, (p, r + 1).

    Args:
        target: f*, a polynomial of r <= 3 directions.
        overlaps: m, the first r coordinates of the unit vectors w, (p, r).
        bias: b, the same for all.
        preprocess: whether the labels have lost their mean and linear part, as infinitely many samples know them.
    """
    r = target.directions
    if r not in _NODES or not target.is_polynomial:
        raise InputError(f"the gradient of {target} is known by quadrature for polynomials of up to 3 directions only")
    x, share = hermite_grid(_NODES[r], r)
    y = np.asarray(target(x), dtype=np.float64)
    if preprocess:
        y = y - share @ y - x @ ((share * y) @ x)
    rho = np.sqrt(np.maximum(1 - (overlaps**2).sum(axis=1), 1e-300))
    q = (x @ overlaps.T + bias) / rho
    mass = share * y
    inside = scipy.special.ndtr(q).T @ (mass[:, None] * x)
    outside = (mass @ np.exp(-0.5 * q**2)) / np.sqrt(2 * np.pi)
    return np.hstack([inside, outside[:, None]])
