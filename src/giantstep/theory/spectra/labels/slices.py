"""One direction from averages of inputs: the linear estimator and sliced inverse regression.

Labels y = f(z, noise) with z = <v, x>, x ~ N(0, I_d), delta = n/d.

Linear, with T(y) = y or any transform: v ~ (1/n) sum T(y_i) x_i has c1 = E[T z] along v and noise of squared length
E[T^2]/delta beside it, so <v, v_hat>^2 -> c1^2/(c1^2 + E[T^2]/delta). There is no threshold.

Inverse regression: H slices of the labels with probabilities p_h; the centred columns sqrt(p_h) (mean of x in slice h)
are a Gaussian matrix d x (H - 1) with entries of variance 1/n plus one of rank one along v, of squared size

    s2 = sum_h p_h E[z | slice h]^2.

Along v the means scatter by E Var(z | slice) = 1 - s2 in place of 1. A row of any law that is independent of the others
counts by its squared length alone, s2 + (1 - s2) c/delta with c = (H - 1)/d, so that for t = s2 (delta - c) > sqrt(c)
this is a spiked matrix:

    <v, v_hat>^2 -> (t - c/t)/(1 + t),   top squared singular value -> (1 + t)(c + t)/(t delta),

against a bulk that ends at (1 + sqrt(c))^2/delta; for H fixed, c -> 0, s2/(s2 + 1/delta) and s2 + 1/delta. Derived from
the spiked matrix of `weights`; the method is that of [li91] without whitening, as inputs are isotropic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive, real_number, whole_number
from giantstep.theory.spectra.weights import left_overlap, spike_singular_value


def linear_overlap(correlation: ArrayLike, second_moment: ArrayLike, samples_per_dim: ArrayLike) -> Array:
    """Squared overlap of (1/n) sum T(y_i) x_i with the direction: c1^2/(c1^2 + E[T^2]/delta). See the module.

    Args:
        correlation: c1 = E[T z], an array.
        second_moment: E[T^2], an array that broadcasts with it.
        samples_per_dim: delta = n/d, likewise.

    >>> float(linear_overlap(1.0, 1.0, 4.0))
    0.8
    """
    signal = np.asarray(correlation, dtype=np.float64) ** 2
    noise = positive("the second moment", second_moment) / positive("samples_per_dim", samples_per_dim)
    return np.asarray(signal / (signal + noise))


@dataclass(frozen=True)
class InverseRegressionLaw:
    """What sliced inverse regression shows: squared singular values of the matrix of slice means.

    Args:
        overlap: <v, v_hat>^2.
        top: the largest squared singular value.
        edge: where the bulk of the others ends.
        threshold: the n/d from which on the direction shows; 0 in the limit of a fixed number of slices.
    """

    overlap: float
    top: float
    edge: float
    threshold: float


def inverse_regression(
    strength: float, samples_per_dim: float, slices: int = 2, d: int | None = None
) -> InverseRegressionLaw:
    """The law of sliced inverse regression for a direction of strength s2. See the module's formulas.

    Args:
        strength: s2 = sum_h p_h E[z | slice h]^2.
        samples_per_dim: delta = n/d.
        slices: H; it matters only if d is given.
        d: input dimension; without it the limit d to infinity with H fixed.

    >>> law = inverse_regression(0.5, 2.0)
    >>> law.overlap, law.top, law.edge
    (0.5, 1.0, 0.5)
    """
    s2 = real_number("the strength", strength, "a number of 0 or more", least=0.0)
    delta = float(positive("samples_per_dim", samples_per_dim))
    count = whole_number("slices", slices, least=2)
    c = (count - 1) / whole_number("d", d) if d is not None else 0.0
    t = float(not_negative("the strength", s2 * max(delta - c, 0.0)))
    if c == 0.0:
        return InverseRegressionLaw(t / (1 + t), (1 + t) / delta, 1 / delta, 0.0)
    size = float(np.sqrt(t))
    return InverseRegressionLaw(
        overlap=float(left_overlap(size, c)),
        top=float(spike_singular_value(size, c)) ** 2 / delta,
        edge=(1 + c**0.5) ** 2 / delta,
        threshold=c + c**0.5 / s2 if s2 > 0 else np.inf,
    )
