"""Eigenvalues of a covariance, cleaned of what few rows add to their spread.

Eigenvalues of a sample covariance of n rows and d columns spread over (1 - sqrt(d/n))^2 to (1 + sqrt(d/n))^2 times the
true ones, and whitening by them turns this noise into structure. The best that can be put in their places, with the
sample's own axes, is (Ledoit and Wolf, Ann. Statist. 48, 2020, section 4; c = d/n)

    l -> l / ((pi c l f(l))^2 + (1 - c - pi c l Hf(l))^2),

f the density of the sample's eigenvalues, Hf its Hilbert transform, both by Epanechnikov kernels whose width is
n^(-1/3) times the eigenvalue. The change is relative, of order d/n: small eigenvalues of strongly correlated columns
are kept, other than by a mixture with the identity.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array

ROOT5 = float(np.sqrt(5.0))
FAR = 100.0
"""Widths of a kernel beyond which its Hilbert transform is its asymptotic series, to a relative 3 FAR^-4."""


def cleaned(values: Array, d: int, rows: float) -> Array:
    """The eigenvalues `values` (rank,), falling and above 0, of a covariance of `d` columns, in the same order.

    Args:
        values: eigenvalues of the sample covariance above 0.
        d: columns, at least as many as there are values.
        rows: n - 1, or what weights leave of it.
    """
    rank = len(values)
    if rank < 2 or rows < 3:
        return values.copy()
    density, transform = _density(values, rows ** (-1 / 3))
    if d > rank >= rows - 1:  # more columns than rows: f is the density of those above 0
        made = values / (np.pi**2 * values**2 * (density**2 + transform**2))
    else:
        share = min(rank / rows, 1.0)
        turned = 1 - share - np.pi * share * values * transform
        made = values / ((np.pi * share * values * density) ** 2 + turned**2)
    if 0.8 * rows < d < 1.25 * rows:  # the smallest are next to 0 by chance, whatever the true ones are
        made = np.maximum(made, np.quantile(made, 0.1))
    return np.asarray(made * (values.sum() / made.sum()) if rank == d else made)


def _density(values: Array, width: float) -> tuple[Array, Array]:
    """f and Hf at the eigenvalues themselves, in blocks of rows."""
    density, transform = np.empty_like(values), np.empty_like(values)
    for start in range(0, len(values), 256):
        part = slice(start, start + 256)
        x = (values[part, None] - values) / (width * values)
        bump = 1 - x**2 / 5
        density[part] = (3 / (4 * ROOT5) * np.maximum(bump, 0) / (width * values)).mean(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.where(bump == 0, 0.0, bump * np.log(np.abs((ROOT5 - x) / (ROOT5 + x))))
        wave = -3 / (10 * np.pi) * x + 3 / (4 * ROOT5 * np.pi) * logarithm
        with np.errstate(divide="ignore"):  # far away the terms cancel to -1/(pi x), and rounding would be left
            wave = np.where(np.abs(x) > FAR, -(1 / x + 1 / x**3) / np.pi, wave)
        transform[part] = (wave / (width * values)).mean(axis=1)
    return density, transform
