"""What theory says of a matrix sum_i w_i T(y_i) z_i z_i' with Gaussian inputs, from what was seen of it.

The law (`giantstep.theory.spectra.labels.spectral_law`) needs E[<v, z>^2 | y] for the true direction v. Along the
direction that was found it is known up to a factor: noise was found along with it, so that more is seen than the law
would show at the same E[..]. Hence E[<v, z>^2 | y] = 1 + k g(y), g as seen, with the k at which the law gives the
eigenvalue seen.
"""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.estimators.labels import slice_numbers
from giantstep.theory.spectra.labels import SpectralLaw, spectral_law

LEVELS = 20
"""Values of T, at most, by which its law is described."""
LEAST = 1e-3
"""E[<v, z>^2 | y] is not taken to be below."""


def spectral_overlap(transform: Array, z: Array, weight: Array, direction: Array) -> tuple[float, float]:
    """The edge of noise, and the overlap |cos| of a direction of an outlying eigenvalue with the true one.

    Args:
        transform: T of each sample, (n,); for an eigenvalue at the lower end its negative is used.
        z: whitened rows, (n, r).
        weight: shares, (n,).
        direction: a unit vector, (r,).
    """
    number = slice_numbers(transform, LEVELS, weight)
    share = np.bincount(number, weights=weight)
    level = np.bincount(number, weights=weight * transform) / share
    seen = np.bincount(number, weights=weight * (z @ direction) ** 2) / share - 1
    delta = 1 / (z.shape[1] * float(weight @ weight))
    if len(share) < 2:
        return 0.0, 0.0
    level = level - share @ level
    top = float(share @ (level * seen))
    if top < 0:
        level, top = -level, -top

    def law(factor: float) -> SpectralLaw:
        return spectral_law(level, share, np.maximum(1 + factor * seen, LEAST), delta)

    edge = law(0.0).edge
    if top <= edge or law(1.0).top <= top:
        return edge, law(1.0).overlap ** 0.5 if top > edge else 0.0
    factor = float(scipy.optimize.brentq(lambda k: law(k).top - top, 0.0, 1.0, xtol=1e-4))
    return edge, law(factor).overlap ** 0.5
