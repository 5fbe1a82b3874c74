"""The learning curves of ridge regression on rotation invariant kernels, for polynomials in d Gaussian dimensions.

Mercer's eigenvalues of k(x, x') = sum_l g_l(t, t') P_l(c), x = sqrt(d) t u, c = <u, u'>, are those of the radial
operators g_l/n_l, each n_l times (the number of harmonics of degree l). Target and kernel meet in the radial functions
of `harmonics`, and the deterministic equivalent of `ridge_risk` gives the risk of f = k(x)^T (K + rho)^-1 y: kernel
ridge regression is ridge on the eigenfunctions with lambda = rho/n. Derived; compare Bordelon, Canatar, Pehlevan 2020
and Mei, Misiakiewicz, Montanari 2022, [mmm22], for the sphere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.kernels import dual_kernel
from giantstep.gaussian.sphere import angle_rule, chi_square_rule, gegenbauer, harmonics
from giantstep.theory.kernels.harmonics import harmonic_energies
from giantstep.theory.ridge.equivalent import FeatureSpectrum, ridge_risk

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

Invariant = Callable[[Array, Array, Array], Array]
"""k as a function of |x|^2/d, |x'|^2/d and <x, x'>/d."""

RADII = 16
ANGLES = 64
DEGREES = 24
"""Highest degree whose eigenvalues are kept apart; those beyond act together as a penalty."""
MANY = 1e30
ROUNDING = 1e-14
"""Eigenvalues of a degree below this fraction of the kernel's largest value are not distinguished from rounding."""
NOTICED = 1e-9
"""Rounding matters where it could add up to this fraction of the trace."""


def tangent_kernel_with_biases(activation: Activation) -> Invariant:
    """E[s s'] + v E[s_1 s_1'], v = <x, x'>/d + 1: w ~ N(0, I/d), b ~ N(0, 1), both layers trained."""
    slope = activation.derivative_activation

    def kernel(square: Array, other: Array, product: Array) -> Array:
        u, v, c = square + 1.0, other + 1.0, product + 1.0
        return np.asarray(dual_kernel(activation, activation, u, v, c) + c * dual_kernel(slope, slope, u, v, c))

    return kernel


def conjugate_kernel_with_biases(activation: Activation) -> Invariant:
    """E[s s']: random features of infinite number."""
    return lambda square, other, product: np.asarray(
        dual_kernel(activation, activation, square + 1.0, other + 1.0, product + 1.0)
    )


def kernel_spectrum(target: Target, kernel: Invariant, d: int) -> FeatureSpectrum:
    """Mercer's eigenvalues with their multiplicities, and the target's components, for x ~ N(0, I_d)."""
    square, weight = chi_square_rule(d, RADII)
    cosine, share = angle_rule(d, ANGLES)
    t = np.sqrt(square / d)
    table = kernel(t[:, None, None] ** 2, t[:, None] ** 2, t[:, None, None] * t[:, None] * cosine)
    energies = harmonic_energies(target, d)
    values, multiplicity, cross2 = [], [], []
    total = trace = float(weight @ kernel(t**2, t**2, t**2))
    top = float(np.abs(table).max())
    for degree, polynomial in enumerate(islice(gegenbauer(cosine, d), DEGREES + 1)):
        root = np.sqrt(weight)
        found, vectors = np.linalg.eigh(root[:, None] * (table @ (share * polynomial)) * root)
        # An eigenvalue below rounding, times the huge number of harmonics of a high degree, would be noise: such
        # directions go to those beyond, which act as a penalty.
        number = harmonics(degree, d)
        least = ROUNDING * top if number * ROUNDING * top > NOTICED * trace else 0.0
        found = np.where(found > least, found, 0.0)
        captured = np.zeros(RADII)
        if degree in energies.parts:
            ks, products = energies.parts[degree]
            components = vectors.T @ (root[:, None] * np.stack([_radial(k, degree, square, d) for k in ks], axis=1))
            captured = np.einsum("jk,ko,jo->j", components, products, components)
        total -= number * float(found.sum())
        values.append(found)
        multiplicity.append(np.full(RADII, float(number)))
        cross2.append(found * captured)
    # Degrees beyond: many features of tiny eigenvalue, which act as a penalty.
    values.append(np.array([max(total, 0.0) / MANY]))
    multiplicity.append(np.array([MANY]))
    cross2.append(np.zeros(1))
    return FeatureSpectrum(
        np.concatenate(values), np.concatenate(multiplicity), np.concatenate(cross2), float(target.norm2)
    )


def _radial(k: int, degree: int, square: Array, d: int) -> Array:
    """(-1)^j s^(l/2) L_j^(l+d/2-1)(s/2), j = (k - l)/2, s = |x|^2, normalised: what multiplies Y_l in degree k."""
    j, order = (k - degree) // 2, degree + d / 2 - 1
    # E[s^l L_j(s/2)^2] = 2^l Gamma(j + order + 1) / (j! Gamma(d/2)).
    log_norm = (
        degree * np.log(2.0)
        + scipy.special.gammaln(j + order + 1)
        - scipy.special.gammaln(j + 1)
        - scipy.special.gammaln(d / 2)
    )
    power = np.exp(0.5 * (degree * np.log(square) - log_norm))
    return np.asarray((-1) ** j * power * scipy.special.eval_genlaguerre(j, order, square / 2))


@lru_cache(maxsize=256)
def _spectrum(target: Target, activation: Activation, d: int, tangent: bool) -> FeatureSpectrum:
    kernel = tangent_kernel_with_biases if tangent else conjugate_kernel_with_biases
    return kernel_spectrum(target, kernel(activation), d)


def kernel_curve(
    target: Target, activation: Activation, d: int, samples: int, ridge: Array, *, tangent: bool = True
) -> Array:
    """Risk of f = k(x)^T (K + rho)^-1 y for each rho, on the tangent or conjugate kernel with biases. Derived.

    Args:
        target: f*, a polynomial.
        activation: s of the infinitely many neurons.
        d: input dimension, 3 or more.
        samples: n.
        ridge: rho, what is added to the diagonal of K, (ridges,).
        tangent: the tangent kernel of both layers, or the conjugate kernel.
    """
    spectrum = _spectrum(target, activation, d, tangent)
    return ridge_risk(spectrum, samples, np.asarray(ridge) / samples).risk
