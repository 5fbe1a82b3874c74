"""Kernel ridge regression on spiked inputs: the deterministic equivalent at finite d, class by class.

x = (sqrt(1 + theta) z, v) with the target f*(z) along the spike, D = d - 1, s^2 = |v|^2/d. A kernel g(<x, x'>/d) splits
into sectors by the degree l of the bulk's harmonics, N_l of them,

    k_l = (s s')^l / (D (D+2) ... (D+2l-2)) E_u g^(l)((1 + theta) z z'/d + s s' u),   u a cosine in R^(D+2l) (Rodrigues)

whose leading eigenvalue on He_l(z) in sector 0 is l! g_l ((1 + theta)/d)^l: degree l is learned from n ~ d samples when
theta >> d^(1 - 1/l). The size of K's bulk depends on z, so the implicit ridge does too: with p the law of the classes,

    c = 1/(R + sum_l N_l T_l(.,.)),  T_l = (1 + n k_l C)^-1 k_l,  C = diag(p c),  R = ridge + k(x,x) - sum N_l k_l(.,.),
    b = (1 + n k_0 C)^-1 f*,   V = sum_l N_l n T_l^2 p c^2 (b^2 + V + noise^2),      risk = E[b^2 + V]        (derived).

With one number c for all classes it is the usual equivalent ("eigenlearning"): it fails for strong spikes while d is
moderate. The sectors and how they are computed: `spiked_sectors`; the limits between two thresholds: `spiked_plateaus`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems import InnerProductKernel
from giantstep.theory.kernels.spiked_sectors import Sectors, degrees_needed, kernel_sectors, smoothers
from giantstep.theory.ridge.equivalent import FeatureSpectrum, ridge_risk
from giantstep.theory.searches import first_half

if TYPE_CHECKING:
    from giantstep.problems import Target

MOST_ROUNDS = 200
SETTLED = 1e-12
"""Of the mean relative change of the implicit ridge in one round."""
PLAIN, REMEMBERED = 3, 4
"""Rounds before acceleration, and how many of the last ones it combines."""
ROUNDING = 1e-6
"""A variance that is negative by more than this is none."""


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
    sectors = kernel_sectors(kernel, d, theta, degrees_needed(d, samples))
    wanted = np.asarray(target(sectors.z[:, None]), dtype=np.float64)
    c = penalties(sectors, float(samples), float(ridge))
    root = np.sqrt(samples * sectors.weight * c)
    smooth = smoothers(sectors, root)
    bias = wanted - smooth[0] @ (root * wanted) / root
    spread = np.einsum("l,lij->ij", sectors.counts, smooth**2) * c / root[:, None] ** 2
    variance = np.linalg.solve(np.eye(len(c)) - spread, spread @ (bias**2 + noise**2))
    risk = float(sectors.weight @ (bias**2 + variance))
    if not float(sectors.weight @ variance) >= -ROUNDING * (1 + risk):
        raise InputError(
            f"the equivalent has no solution at d = {d:g}, theta = {theta:.3g}, n = {samples:.4g}, ridge = {ridge:g}: "
            "classes of next to no weight decide; weaken the spike or raise the ridge"
        )
    return risk


def penalties(sectors: Sectors, samples: float, ridge: float) -> Array:
    """c on every class, by iteration from its value without data.

    ln c is iterated with Anderson's acceleration: the next one is the combination of the last few that would settle if
    the equation were linear (Walker & Ni 2011, arXiv 1012.0962). For huge d rounding keeps classes of next to no
    weight in motion; that of the others decides.
    """
    now = -np.log(ridge + sectors.rest + np.einsum("l,lii->i", sectors.counts, sectors.kernels))
    weight = np.sqrt(sectors.weight)
    places: list[Array] = []
    moves: list[Array] = []
    for turn in range(MOST_ROUNDS):
        root = np.sqrt(samples * sectors.weight * np.exp(now))
        shrunk = np.einsum("l,lii->i", sectors.counts, smoothers(sectors, root)) / root**2
        new = -np.log(ridge + sectors.rest + np.maximum(shrunk, 0.0))
        if sectors.weight @ np.abs(new - now) < SETTLED:
            return np.asarray(np.exp(new))
        if turn < PLAIN:
            now = (now + new) / 2
            continue
        places, moves = [*places[-REMEMBERED:], new], [*moves[-REMEMBERED:], new - now]
        now = _extrapolated(np.array(places), np.array(moves), weight)
    raise InputError(f"the implicit ridge at n = {samples:g}, ridge = {ridge:g} does not settle; raise the ridge")


def _extrapolated(places: Array, moves: Array, weight: Array) -> Array:
    """The combination of places, of weights that sum to 1, whose moves combine to the least; classes by weight."""
    if len(places) == 1:
        return np.asarray(places[0])
    steps, changes = np.diff(moves, axis=0), np.diff(places, axis=0)
    mix = np.linalg.lstsq((steps * weight).T, moves[-1] * weight, rcond=1e-10)[0]
    return np.asarray(places[-1] - mix @ changes)


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
    return first_half(left, 1e-2, d / 2, refusal=refusal, tol=1e-4)


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

    refusal = f"no number of samples up to d^5 halves the risk of {target}"
    return first_half(left, 1.0, float(d) ** 5, refusal=refusal, tol=1e-4)
