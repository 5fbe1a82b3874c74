"""The sectors of a kernel g(<x, x'>/d) on spiked inputs, as matrices on classes of inputs, and as features.

x = (sqrt(1 + theta) z, v), D = d - 1, s^2 = |v|^2/d. By the degree l of the bulk's harmonics, N_l of them,

    k_l = (s s')^l / (D (D+2) ... (D+2l-2)) E_u g^(l)((1 + theta) z z'/d + s s' u),   u a cosine in R^(D+2l) (Rodrigues)

As a matrix with entries of order one it loses eigenvalues below 1e-16 of the largest. Where (1 + theta)/d is small the
power series of g gives instead k_l = sum phi phi^T with the columns

    phi_ij ~ z^i s^(j+l),   of size ((1 + theta)/d)^(i/2) d^-(j+l)/2,

each of which is known to its own relative accuracy, however small it is: a QR factorisation of graded columns keeps it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.gaussian.sphere import angle_rule, chi_square_rule, harmonics
from giantstep.problems import InnerProductKernel, as_kernel

PLACES = 40
"""Nodes in z."""
RADII = 2
"""Nodes in s^2, which fluctuates by a relative sqrt(2/d)."""
ANGLES = 8
DEGREES = 2
"""Sectors beyond this act as a penalty, while n is below d^2."""
STRONGEST = 0.6
"""Largest theta/d for exp: beyond, k(x, x) is so far from having a mean that few classes decide everything."""
MOST_POWERS = 40
"""Powers of z in the features, at most."""
MOST_TURNS = 4
"""The highest power of s beyond s^l in them: each even one is smaller by 1/d."""
NEGLIGIBLE = 1e-17
"""A share of the kernel that is left out: higher powers, and columns of all harmonics of a degree together."""


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
    features: tuple[Array, ...] | None
    """phi of each sector, (classes, columns), where the power series is short; else None."""


def degrees_needed(d: int, samples: float) -> int:
    """The highest degree of the bulk that must be kept for n samples: those up to log_d n are being learned."""
    return max(DEGREES, math.floor(math.log(max(samples, 2.0)) / math.log(d)) + 1)


@lru_cache(maxsize=64)
def kernel_sectors(kernel: InnerProductKernel | str, d: int, theta: float, degrees: int = DEGREES) -> Sectors:
    """Sectors of the kernel under N(0, I + theta mu mu^T)."""
    kernel = as_kernel(kernel)
    if not kernel.is_power_series:
        raise InputError(f"the theory needs a kernel of <x, x'>/d, such as exp; {kernel} depends on lengths")
    bulk = d - 1
    z, z_weight = gauss_hermite(PLACES)
    _refuse_strong_spike(kernel, d, theta, float(z.max()) ** 2)
    square, s_weight = chi_square_rule(bulk, RADII)
    spots, lengths = np.repeat(z, RADII), np.tile(np.sqrt(square / d), PLACES)
    weight = np.repeat(z_weight, RADII) * np.tile(s_weight, PLACES)
    counts = np.array([float(harmonics(degree, bulk)) for degree in range(degrees + 1)])
    features = _features(kernel, d, theta, spots, lengths, degrees)
    if features is None:
        table = _by_quadrature(kernel, d, theta, spots, lengths, degrees)
    else:
        table = np.array([columns @ columns.T for columns in features])
    own = kernel.derivative(0, (1 + theta) / d * spots**2 + lengths**2)
    rest = own - np.einsum("l,lii->i", counts, table)
    return Sectors(spots, weight, table, counts, np.maximum(rest, 0.0), features)


def _refuse_strong_spike(kernel: InnerProductKernel, d: int, theta: float, farthest: float) -> None:
    """Refuse a spike for which k(x, x) grows faster than the Gaussian law falls; polynomials never do."""
    far = (1 + theta) / d * farthest
    with np.errstate(over="ignore", invalid="ignore"):
        steepness = float(kernel.derivative(1, far) / kernel.derivative(0, far))
    if not steepness * theta <= STRONGEST * d:
        raise InputError(
            f"theta = {theta:.3g} is too strong for the kernel {kernel} in d = {d}: k(x, x) has no mean from about "
            f"{0.5 * d / max(steepness, 1e-300):.3g} on"
        )


def _by_quadrature(kernel: InnerProductKernel, d: int, theta: float, z: Array, s: Array, degrees: int) -> Array:
    """k_l, (l, classes, classes), entry by entry."""
    pull, reach = (1 + theta) / d * np.multiply.outer(z, z), np.multiply.outer(s, s)
    kernels = []
    for degree in range(degrees + 1):
        u, share = angle_rule(d - 1 + 2 * degree, ANGLES)
        mean = kernel.derivative(degree, pull[..., None] + reach[..., None] * u) @ share
        kernels.append(reach**degree / _ladder(d - 1, degree) * mean)
    return np.array(kernels)


def _features(
    kernel: InnerProductKernel, d: int, theta: float, z: Array, s: Array, degrees: int
) -> tuple[Array, ...] | None:
    """phi of each sector, or None if more than MOST_POWERS powers of z would be needed."""
    pull, most = (1 + theta) / d, MOST_POWERS + MOST_TURNS + degrees
    series = kernel.coefficients(most + 1)
    sizes = series * (pull * float(z.max()) ** 2) ** np.arange(most + 1)
    if sizes[MOST_POWERS:].max() > NEGLIGIBLE * sizes.max():
        return None
    powers = np.arange(MOST_POWERS + 1)
    places, pulls = z[:, None] ** powers, pull**powers
    found = []
    for degree in range(degrees + 1):
        columns = []
        for turns in range(0, MOST_TURNS + 1, 2):
            # E u^turns, u a cosine in R^(D + 2 degree)
            moment = math.prod(range(1, turns, 2)) / _ladder(d - 1 + 2 * degree, turns // 2)
            slopes = series[powers + turns + degree] * _multiples(degree, turns) * pulls
            sizes = slopes * moment / _ladder(d - 1, degree)
            columns.append(np.sqrt(np.maximum(sizes, 0.0)) * places * s[:, None] ** (turns + degree))
        every = np.hstack(columns)
        found.append(every[:, every.any(axis=0)])
    return tuple(found)


@lru_cache(maxsize=64)
def _multiples(degree: int, turns: int) -> Array:
    """Of t^m in g^(degree), per coefficient of g, times the ways to choose `turns` of m = power + turns factors."""
    terms = range(turns, MOST_POWERS + turns + 1)
    return np.array([float(math.perm(m + degree, degree) * math.comb(m, turns)) for m in terms])


def _ladder(first: int, rungs: int) -> float:
    return float(math.prod(first + 2 * j for j in range(rungs)))


def smoothers(sectors: Sectors, root: Array) -> Array:
    """S_l = root k_l root (1 + root k_l root)^-1, (l, classes, classes), with root^2 = n p c: between the roots all
    entries are of order one, so that classes whose kernel is e^100 times larger than others' do no harm."""
    if sectors.features is not None:
        pairs = zip(sectors.features, sectors.counts, strict=True)
        return np.array([_smoother(root[:, None] * columns, NEGLIGIBLE / count) for columns, count in pairs])
    scaled = root[:, None] * sectors.kernels * root
    return np.asarray(np.linalg.solve(np.eye(len(root)) + scaled, scaled))


def _smoother(columns: Array, least: float) -> Array:
    """A A^T (1 + A A^T)^-1 = Q Q^T, Q the upper part of the orthonormal columns of (A, 1), the largest ones first.

    Columns of a squared length below `least` are left out.
    """
    sizes = np.einsum("ij,ij->j", columns, columns)
    order = [j for j in np.argsort(-sizes) if sizes[j] > least]
    kept = columns[:, order]
    basis = np.linalg.qr(np.vstack([kept, np.eye(len(order))]))[0][: len(columns)]
    return np.asarray(basis @ basis.T)
