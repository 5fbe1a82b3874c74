"""Deterministic equivalent of the risk of ridge regression on features with a known covariance, at finite
size.

For features phi with covariance Omega (N x N), cross vector c = E[phi f*] and n fresh samples, ridge
(1/n)|y - Psi a|^2 + lam |a|^2 has, with kappa solving 1 - lam/kappa = (1/n) tr Omega (Omega + kappa)^-1 and
df2 = (1/n) tr Omega^2 (Omega + kappa)^-2,

    R + noise^2 = [E y^2 - c^T {(Omega + kappa)^-1 + kappa (Omega + kappa)^-2} c] / (1 - df2).

Source: deterministic equivalents of ridge regression (derived; Gaussian equivalence of [bes22] for the
features). Whole paths of penalties come from one eigendecomposition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import not_negative, positive, real_array, require
from giantstep.theory.proportional import Student, Teacher

_MOST_ITERATIONS = 200


@dataclass(frozen=True, eq=False)
class FeatureSpectrum:
    """Eigenvalues of the features' covariance, and the components of the cross vector c = E[phi f*] in its eigenspaces.

    Args:
        values: eigenvalues, (eigenspaces,).
        multiplicity: dimensions of the eigenspaces, (eigenspaces,).
        cross2: sum of (c, v_i)^2 over each eigenspace, (eigenspaces,).
        norm2: |f*|^2.
    """

    values: Array
    multiplicity: Array
    cross2: Array
    norm2: float

    def __repr__(self) -> str:
        return f"FeatureSpectrum({int(self.multiplicity.sum())} features, |f*|^2 = {self.norm2:.6g})"


@dataclass(frozen=True, eq=False)
class RidgeRisk:
    """Risk along a path of penalties, with the effective penalty kappa and df2."""

    ridge: Array
    risk: Array
    kappa: Array
    df2: Array

    def __repr__(self) -> str:
        return f"RidgeRisk(ridge={self.ridge}, risk={self.risk})"


def equivalent_spectrum(
    student: Student, teacher: Teacher, weights: Array, direction: Array | None = None
) -> FeatureSpectrum:
    """Spectrum of Omega = mu1^2 W W^T + mu2^2 + v v^T for any weights: W0, W1 or later. [bes22]

    c = mu1 mu1* W b + mu0* v with b the unit linear direction of the target. The features' means, v_j = mu0 + (c2/2)
    (|w_j|^2 - 1) with c2 = E s'', are not in the paper, which speaks of odd activations; theirs vanish, and one
    eigendecomposition of the smaller Gram matrix is enough. Gaussian equivalence: the step should be small, eta =
    Theta(1).

    Args:
        student: moments of the activation.
        teacher: moments of the target.
        weights: W, rows being neurons, (N, d).
        direction: b, of any length, (d,); the first axis unless given.

    >>> spectrum = equivalent_spectrum(Student(0.5, 0.1), Teacher(1.0, 0.0), np.eye(3))
    >>> spectrum.values
    array([0.35, 0.35, 0.35])
    """
    w = np.asarray(weights, dtype=np.float64)
    require(w.ndim == 2 and np.isfinite(w).all(), "weights must be a matrix of finite numbers, a row per neuron")
    neurons, d = w.shape
    b = np.eye(1, d)[0] if direction is None else np.asarray(direction, dtype=np.float64)
    require(b.shape == (d,), f"direction must have the {d} entries of a weight vector, got shape {b.shape}")
    length = float(np.linalg.norm(b))
    positive("The length of direction", length)
    linear = student.mu1 * teacher.mu1 * (w @ (b / length))
    if student.curvature != 0 or not student.is_centred:
        mean = student.mu0 + student.curvature / 2 * ((w**2).sum(axis=1) - 1)
        omega = student.mu1**2 * w @ w.T + student.mu2_squared * np.eye(neurons) + np.outer(mean, mean)
        return exact_spectrum(omega, linear + teacher.mu0 * mean, teacher.norm2)
    if neurons <= d:
        squares, vectors = scipy.linalg.eigh(w @ w.T)
        cross2 = (vectors.T @ linear) ** 2
    else:
        squares, vectors = scipy.linalg.eigh(w.T @ w)
        cross2 = np.maximum(squares, 0.0) * (student.mu1 * teacher.mu1 * (vectors.T @ (b / length))) ** 2
    values = student.mu1**2 * np.maximum(squares, 0.0) + student.mu2_squared
    multiplicity = np.ones(len(values))
    if neurons > d:
        values, cross2 = np.append(values, student.mu2_squared), np.append(cross2, 0.0)
        multiplicity = np.append(multiplicity, neurons - d)
    return FeatureSpectrum(values, multiplicity, cross2, teacher.norm2)


def exact_spectrum(covariance: Array, cross: Array, norm2: float) -> FeatureSpectrum:
    """Spectrum of the exact second moments E phi phi^T and E phi f*, for instance after a large step.

    With the exact covariance the equivalent holds beyond Gaussian equivalence, also for steps of order
    sqrt(N); there it is an observation, not a theorem.

    Args:
        covariance: E phi phi^T, (N, N).
        cross: E phi f*, (N,).
        norm2: |f*|^2.
    """
    sigma, k = np.asarray(covariance, dtype=np.float64), np.asarray(cross, dtype=np.float64)
    require(sigma.ndim == 2 and sigma.shape[0] == sigma.shape[1], "covariance must be a square matrix")
    require(k.shape == sigma.shape[:1], "cross must have one entry per feature")
    require(np.isfinite(sigma).all() and np.isfinite(k).all(), "covariance and cross must be finite")
    values, vectors = scipy.linalg.eigh(sigma)
    return FeatureSpectrum(np.maximum(values, 0.0), np.ones(len(values)), (vectors.T @ k) ** 2, float(norm2))


def ridge_risk(spectrum: FeatureSpectrum, samples: float, ridge: ArrayLike, noise: float = 0.0) -> RidgeRisk:
    """Risk E(f - f*)^2 for every penalty, from the spectrum of the features; see the module's formula.

    Regime: n and N large in proportion, fresh ridge data independent of the weights, ridge > 0.

    Args:
        spectrum: of the features.
        samples: n; infinite for the population's ridge problem.
        ridge: lam of (1/n)|y - Psi a|^2 + lam |a|^2, an array of any shape.
        noise: standard deviation of the label noise.

    >>> spectrum = equivalent_spectrum(Student(0.5, 0.1), Teacher(1.0, 0.0), np.eye(3))
    >>> ridge_risk(spectrum, np.inf, [1e-9]).risk.round(6)
    array([0.285714])
    """
    lam = np.atleast_1d(positive("ridge", ridge))
    n = positive("samples", samples, or_infinite=True)
    noise2 = not_negative("noise", noise) ** 2
    path = lam.ravel()
    kappa = _effective_ridge(path, spectrum.values, spectrum.multiplicity / n)
    shifted = spectrum.values + kappa[:, None]
    share = spectrum.values / shifted
    # 1 - df2 = lam/kappa + (1/n) tr kappa Omega (Omega + kappa)^-2: no difference of close numbers.
    remaining = path / kappa + (share * (kappa[:, None] / shifted)) @ (spectrum.multiplicity / n)
    learned = (spectrum.cross2 / shifted * (1 + kappa[:, None] / shifted)).sum(axis=1)
    df2 = 1 - remaining
    risk = (spectrum.norm2 - learned + noise2 * df2) / remaining
    return RidgeRisk(lam, risk.reshape(lam.shape), kappa.reshape(lam.shape), df2.reshape(lam.shape))


def fitted_shares(covariance: Array, cross: Array, terms: Array, energies: Array, kappa: float) -> Array:
    """Which share <f, t>/|t|^2 of each term t of the target the ridge fit f has: <E[phi t], (Omega + kappa)^-1 c> over
    |t|^2. For the mean of the fit is that of infinitely many samples at the effective penalty. Derived.

    Args:
        covariance: Omega = E phi phi^T, (N, N).
        cross: c = E phi f*, (N,).
        terms: E[phi t], (terms, N).
        energies: |t|^2, (terms,).
        kappa: the effective penalty, of `ridge_risk`.
    """
    cross = real_array("cross", cross, axes=1)
    require(np.asarray(energies) > 0, "energies must be above 0: of a term that is zero there is no share")
    mean = scipy.linalg.solve(covariance + kappa * np.eye(len(cross)), cross, assume_a="pos")
    return np.asarray(terms @ mean / energies)


def _effective_ridge(lam: Array, values: Array, weight: Array) -> Array:
    """kappa with kappa - lam = sum_i weight_i kappa w_i/(w_i + kappa), Newton's iteration from the right.

    The right side is concave in kappa and bounded by sum weight_i w_i, where the iteration starts.
    """
    kappa = lam + float(weight @ values)
    done = np.zeros(kappa.shape, dtype=bool)
    for _ in range(_MOST_ITERATIONS):
        share = values / (values + kappa[:, None])
        gap = kappa * (1 - share @ weight) - lam
        step = gap / (1 - share**2 @ weight)
        # Steps are positive until rounding ends the descent; that penalty is then left alone.
        done |= step <= 2e-15 * kappa
        kappa = np.where(done, kappa, np.maximum(kappa - step, lam))
        if done.all():
            break
    return kappa
