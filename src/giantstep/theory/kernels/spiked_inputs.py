"""Kernel ridge regression on spiked inputs: the deterministic equivalent at finite d, class by class, and its plateaus.

x = (sqrt(1 + theta) z, v) with the target f*(z) along the spike, D = d - 1, s^2 = |v|^2/d. A kernel g(<x, x'>/d) splits
into sectors by the degree l of the bulk's harmonics, N_l of them,

    k_l = (s s')^l / (D (D+2) ... (D+2l-2)) E_u g^(l)((1 + theta) z z'/d + s s' u),   u a cosine in R^(D+2l) (Rodrigues)

whose leading eigenvalue on He_l(z) in sector 0 is l! g_l ((1 + theta)/d)^l: degree l is learned from n ~ d samples when
theta >> d^(1 - 1/l). The size of K's bulk depends on z, so the implicit ridge does too: with p the law of the classes,

    c = 1/(R + sum_l N_l T_l(.,.)),  T_l = (1 + n k_l C)^-1 k_l,  C = diag(p c),  R = ridge + k(x,x) - sum N_l k_l(.,.),
    b = (1 + n k_0 C)^-1 f*,   V = sum_l N_l n T_l^2 p c^2 (b^2 + V + noise^2),      risk = E[b^2 + V]        (derived).

With one number c for all classes it is the usual equivalent ("eigenlearning"), which fails for strong spikes. Between
the thresholds of degrees l and l + 1 the limit is the plateau E0 |P_{>l} f*|^2 + (E0 - 1) noise^2,

    E0 = psi/(psi - L^2),  L = g_1/(g_1 + q),  psi = L + (ridge + g(1) - g(0) - g'(0))/q,   psi = n/d.

[bes23] states the plateau without E0: the d linear features of the bulk fit what is not learned as noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.gaussian.sphere import angle_rule, chi_square_rule, harmonics
from giantstep.problems import InnerProductKernel, as_kernel
from giantstep.theory.ridge.equivalent import FeatureSpectrum, ridge_risk
from giantstep.theory.searches import where_half

if TYPE_CHECKING:
    from giantstep.problems import Target

PLACES = 40
"""Nodes in z."""
RADII = 2
"""Nodes in s^2, which fluctuates by a relative sqrt(2/d)."""
ANGLES = 8
DEGREES = 2
"""Sectors beyond this act as a penalty."""
MOST_ROUNDS = 200
SETTLED = 1e-9


@dataclass(frozen=True, eq=False)
class Sectors:
    """The kernel on the classes (z, s), one matrix per degree of the bulk's harmonics."""

    z: Array
    weight: Array
    kernels: Array
    """k_l, (l, classes, classes)."""
    counts: Array
    """N_l."""
    rest: Array
    """k(x, x) minus what the sectors hold, (classes,)."""


@lru_cache(maxsize=64)
def kernel_sectors(kernel: InnerProductKernel | str, d: int, theta: float) -> Sectors:
    """Sectors of the kernel under N(0, I + theta mu mu^T)."""
    kernel = as_kernel(kernel)
    if not kernel.is_power_series:
        raise InputError(f"the theory needs a kernel of <x, x'>/d, such as exp; {kernel} depends on lengths")
    bulk = d - 1
    z, z_weight = gauss_hermite(PLACES)
    square, s_weight = chi_square_rule(bulk, RADII)
    spots, lengths = np.repeat(z, RADII), np.tile(np.sqrt(square / d), PLACES)
    weight = np.repeat(z_weight, RADII) * np.tile(s_weight, PLACES)
    pull = (1 + theta) / d * np.multiply.outer(spots, spots)
    reach = np.multiply.outer(lengths, lengths)
    kernels, counts = [], []
    for degree in range(DEGREES + 1):
        u, share = angle_rule(bulk + 2 * degree, ANGLES)
        ladder = math.prod(bulk + 2 * j for j in range(degree))
        mean = kernel.derivative(degree, pull[..., None] + reach[..., None] * u) @ share
        kernels.append(reach**degree / ladder * mean)
        counts.append(float(harmonics(degree, bulk)))
    table, number = np.array(kernels), np.array(counts)
    own = kernel.derivative(0, np.diag(pull) + np.diag(reach))
    rest = own - np.einsum("l,lii->i", number, table)
    return Sectors(spots, weight, table, number, np.maximum(rest, 0.0))


def spiked_kernel_risk(
    target: Target,
    kernel: InnerProductKernel | str,
    d: int,
    theta: float,
    samples: float,
    ridge: float,
    noise: float = 0.0,
) -> float:
    """Risk of f = k(x)^T (K + ridge)^-1 y, class by class; the module's equations (derived).

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        theta: strength of the spike.
        samples: n.
        ridge: what is added to the diagonal of the kernel matrix.
        noise: standard deviation of the label noise.
    """
    sectors = kernel_sectors(kernel, d, theta)
    wanted = np.asarray(target(sectors.z[:, None]), dtype=np.float64)
    c = _penalties(sectors, float(samples), float(ridge))
    root = np.sqrt(samples * sectors.weight * c)
    shrunk = _shrunk(sectors, root)
    bias = np.linalg.solve(np.eye(len(c)) + root[:, None] * sectors.kernels[0] * root, root * wanted) / root
    spread = np.einsum("l,lij->ij", sectors.counts, shrunk**2) * (root**2 * c)
    variance = np.linalg.solve(np.eye(len(c)) - spread, spread @ (bias**2 + noise**2))
    return float(sectors.weight @ (bias**2 + variance))


def _shrunk(sectors: Sectors, root: Array) -> Array:
    """T_l, (l, classes, classes), with root^2 = n p c: between the roots all entries are of order one, so that classes
    whose kernel is e^100 times larger than others' do no harm."""
    scaled = root[:, None] * sectors.kernels * root
    return np.asarray(np.linalg.solve(np.eye(len(root)) + scaled, scaled) / np.multiply.outer(root, root))


def _penalties(sectors: Sectors, samples: float, ridge: float) -> Array:
    """c on every class, by iteration from its value without data.

    For huge d rounding keeps classes of next to no weight in motion; that of the others decides.
    """
    c = 1.0 / (ridge + sectors.rest + np.einsum("l,lii->i", sectors.counts, sectors.kernels))
    for turn in range(MOST_ROUNDS):
        shrunk = _shrunk(sectors, np.sqrt(samples * sectors.weight * c))
        new = 1.0 / (ridge + sectors.rest + np.maximum(np.einsum("l,lii->i", sectors.counts, shrunk), 0.0))
        moved = np.abs(new / c - 1)
        if moved.max() < SETTLED:
            return np.asarray(new)
        c = np.sqrt(c * new) if turn < 5 else 0.3 * c + 0.7 * new
    if not sectors.weight @ moved < SETTLED:
        raise InputError(f"the implicit ridge at n = {samples:g}, ridge = {ridge:g} does not settle; raise the ridge")
    return np.asarray(c)


def eigenlearning_risk(
    target: Target,
    kernel: InnerProductKernel | str,
    d: int,
    theta: float,
    samples: float,
    ridge: float,
    noise: float = 0.0,
) -> float:
    """The same risk with one implicit ridge for all inputs, the usual equivalent; it fails for strong spikes.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        theta: strength of the spike.
        samples: n.
        ridge: what is added to the diagonal of the kernel matrix.
        noise: standard deviation of the label noise.
    """
    sectors = kernel_sectors(kernel, d, theta)
    root = np.sqrt(sectors.weight)
    wanted = np.asarray(target(sectors.z[:, None]), dtype=np.float64)
    values, vectors = np.linalg.eigh(root[:, None] * sectors.kernels * root)
    values = np.maximum(values, 0.0)
    seen = np.zeros_like(values)
    seen[0] = values[0] * (vectors[0].T @ (root * wanted)) ** 2
    many = 1e30
    spectrum = FeatureSpectrum(
        np.append(values.ravel(), float(sectors.weight @ sectors.rest) / many),
        np.append(np.repeat(sectors.counts, values.shape[1]), many),
        np.append(seen.ravel(), 0.0),
        float(target.norm2),
    )
    return float(ridge_risk(spectrum, samples, ridge / samples, noise).risk[0])


def learned_degree(gamma: float) -> int:
    """The largest l with gamma > 1 - 1/l, at least 1: the degree learned from n ~ d samples. [bes23]

    `gamma` is the exponent of the spike, theta = d^gamma, gamma < 1.
    """
    return max(1, math.ceil(1 / (1 - gamma)) - 1) if gamma < 1 else 10**6


def inflation(kernel: InnerProductKernel | str, samples_per_dim: float, ridge: float) -> float:
    """E0, the factor by which the bulk's linear features raise the part that is not learned."""
    kernel = as_kernel(kernel)
    g0, g1 = map(float, kernel.coefficients(2))
    rest = ridge + float(kernel.derivative(0, 1.0)) - g0 - g1
    if g1 == 0:
        return 1.0

    def surplus(log_q: float) -> float:
        q = math.exp(log_q)
        return g1 / (g1 + q) + rest / q - samples_per_dim

    q = math.exp(scipy.optimize.brentq(surplus, -80.0, 80.0, xtol=1e-14))
    share = g1 / (g1 + q)
    return float(samples_per_dim / (samples_per_dim - share**2))


def plateau(
    target: Target,
    kernel: InnerProductKernel | str,
    gamma: float,
    samples_per_dim: float,
    ridge: float,
    noise: float = 0.0,
) -> float:
    """E0 |P_{>l} f*|^2 + (E0 - 1) noise^2 with l the degrees learned at theta = d^gamma; [bes23] without E0.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        gamma: exponent of the spike.
        samples_per_dim: psi = n/d.
        ridge: what is added to the diagonal of the kernel matrix.
        noise: standard deviation of the label noise.
    """
    learned = learned_degree(gamma)
    left = float(target.norm2) - sum(float(target.energy(k)) for k in range(min(learned, 40) + 1))
    factor = inflation(kernel, samples_per_dim, ridge)
    return float(factor * max(left, 0.0) + (factor - 1) * noise**2)


@lru_cache(maxsize=256)
def half_strength(
    target: Target, kernel: InnerProductKernel | str, d: int, samples: float, ridge: float, noise: float = 0.0
) -> float:
    """theta at which the risk is half of |f*|^2.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        samples: n.
        ridge: what is added to the diagonal of the kernel matrix.
        noise: standard deviation of the label noise.
    """

    def left(theta: float) -> float:
        return spiked_kernel_risk(target, kernel, d, theta, samples, ridge, noise) / float(target.norm2)

    refusal = f"no spike weaker than d/2 = {d / 2:g} halves the risk of {target}"
    return where_half(left, 1e-2, d / 2, refusal=refusal, tol=1e-4)


@lru_cache(maxsize=256)
def half_samples(target: Target, kernel: InnerProductKernel | str, d: int, theta: float, ridge: float) -> float:
    """n at which the risk is half of |f*|^2; of order d^(p (1 - gamma)) for a degree p at theta = d^gamma.

    Args:
        target: f*, a function of the spike's direction.
        kernel: g of k(x, x') = g(<x, x'>/d), such as "exp".
        d: input dimension.
        theta: strength of the spike.
        ridge: what is added to the diagonal of the kernel matrix.
    """

    def left(samples: float) -> float:
        return spiked_kernel_risk(target, kernel, d, theta, samples, ridge) / float(target.norm2)

    refusal = f"no number of samples up to d^4 halves the risk of {target}"
    return where_half(left, 1.0, float(d) ** 4, refusal=refusal, tol=1e-4)
