"""Are there enough rows: how well the first direction is known here, what laws say of other numbers of rows.

For Gaussian inputs, slices h of the label with shares p_h, m_h = E[z | h], q_h = E[z^2 | h] along the direction and
delta = n/d, the squared overlap of what is found with the truth is (`giantstep.theory.spectra`)

    linear:         c^2/(c^2 + 1/delta),        c = E[y z] of a standardised label
    sliced means:   s^2/(s^2 + 1/delta),        s^2 = sum p_h m_h^2
    spectral:       psi'/(psi' - phi')          at the outlier of sum T(y) x x', T = 1 - 1/q_h; 0 below a threshold .

Moments are taken along a direction that other rows have found, and corrected for its own overlap. The spectral law is
told only where q_h moves beyond chance: from moments that are noise it promises rows that are too few or too many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import brentq

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.finding import Finding, halves_agree, labels_for, made
from giantstep.estimators.diagnosis.folds import Rows
from giantstep.estimators.diagnosis.tables import Table
from giantstep.theory.spectra.labels import best_transform, inverse_regression, linear_overlap, spectral_law

SLICES = 10
SHARES = (1 / 8, 1 / 4, 1 / 2)  # of the rows, in each of two disjoint sets
MOST_ROWS = 20_000
FARTHEST = 1e4  # times the rows that are there: beyond it a number of rows is of no use


@dataclass(frozen=True)
class Law:
    """What a law for Gaussian inputs says of one way to find the first direction.

    Args:
        name: linear, sliced means or spectral.
        alignment: squared overlap with the truth at the rows that are there.
        rows_half: rows for a squared overlap of 0.5; None if no useful number of rows gives it.
        rows_most: rows for one of 0.9; None likewise.
        curve: squared overlaps by number of rows.
    """

    name: str
    alignment: float
    rows_half: int | None
    rows_most: int | None
    curve: Mapping[int, float]


@dataclass(frozen=True)
class Samples:
    """How well the directions are known, by laws and by measurement.

    Args:
        laws: of each way to find the first direction.
        measured: by number of rows, the squared overlap that the agreement of two such sets of rows shows, without
            what directions agree by chance (`overlap_of`).
        loadings: by number of rows, the same for their loadings on standardised columns, which is less where columns
            repeat each other.
    """

    laws: tuple[Law, ...]
    measured: Mapping[int, Estimate]
    loadings: Mapping[int, Estimate] = field(default_factory=dict)

    @property
    def best(self) -> Law | None:
        """The law of the way that needs the fewest rows; None if no way gets there."""
        there = [law for law in self.laws if law.rows_half is not None]
        return max(there, key=lambda law: law.alignment, default=None)


def samples_of(table: Table, finding: Finding, seed: int) -> Samples:
    """Laws and measurement for what a method has found.

    Args:
        table: inputs and label.
        finding: a method with at least one direction.
        seed: of the rows that are dealt into halves.
    """
    order = np.random.default_rng(seed).permutation(table.n)[:MOST_ROWS]
    k = finding.n_directions
    measured: dict[int, Estimate] = {}
    loadings: dict[int, Estimate] = {}
    for share in SHARES:
        size = int(share * order.size)
        if size >= 40 and size > 2 * k:
            agreement = halves_agree(table, order, finding.method, k, size, seed)
            measured[size] = overlap_of(agreement.coordinates, finding.by_chance)
            loadings[size] = overlap_of(agreement.loadings, min(1.0, k / table.d))
    if not measured:
        return Samples((), measured)
    known = max(measured[max(measured)].value, 0.05)
    return Samples(_laws(table, finding, order, known, seed), measured, loadings)


def overlap_of(agreement: Estimate, by_chance: float) -> Estimate:
    """The squared overlap a with the truth of two sets of directions that agree so well, with its error.

    What k of d directions miss, 1 - a, lies anywhere in the other d - k; two independent sets agree there by chance:

        agreement = a^2 + c (1 - a)^2,   c = k/(d - k) = p/(1 - p),   p = k/d.

    Without the second term the root of an agreement by chance, sqrt(k/d), would pass for knowledge.

    Args:
        agreement: mean squared canonical correlation of the two.
        by_chance: p.

    >>> print(overlap_of(Estimate(0.25, 0.01), 0.25), overlap_of(Estimate(0.81, 0.01), 1e-6))
    0.25 ± 0.10 0.900 ± 0.006
    """
    if by_chance >= 1:
        return Estimate(1.0, 0.0)
    c = by_chance / (1 - by_chance)
    root = float(np.sqrt(max(agreement.value * (1 + c) - c, 0.0)))
    return Estimate((c + root) / (1 + c), agreement.error / max(2 * root, 0.1))


def _laws(table: Table, finding: Finding, order: Rows, known: float, seed: int) -> tuple[Law, ...]:
    """The laws for moments that each half of the rows shows along what the other half has found."""
    half = order.size // 2
    parts = order[:half], order[half : 2 * half]
    pairs = [_moments(table, finding, *ordered, seed) for ordered in (parts, parts[::-1])]
    shares, means, seconds, rises = (np.mean(group, axis=0) for group in zip(*pairs, strict=True))
    d, bias = table.d, (shares.size - 1) / half
    strength = max(float(shares @ means) - bias, 0.0) / known
    second = np.clip(1 + (seconds - 1) / known, 0.05, None)
    second /= shares @ second
    rise = max(float(rises) - 1 / half, 0.0) / known

    def linear(rows: float) -> float:
        return float(linear_overlap(np.sqrt(min(rise, 1.0)), 1.0, rows / d))

    def sliced(rows: float) -> float:
        return inverse_regression(strength, rows / d, shares.size, max(d, shares.size)).overlap

    def spectral(rows: float) -> float:
        return spectral_law(best_transform(second), shares, second, rows / d).overlap

    laws = [] if len(table.classes) > 2 else [_law("linear", linear, table.n)]
    laws.append(_law("sliced means", sliced, table.n))
    if float(shares @ (seconds - 1) ** 2) > _chance(shares.size, half):
        laws.append(_law("spectral", spectral, table.n))
    return tuple(laws)


def _chance(slices: int, half: int) -> float:
    """What sum p_h (q_h - 1)^2 of noise, averaged over two halves, hardly exceeds: (chi^2 of H - 1)/half + 3 sigma."""
    return float(slices - 1 + 3 * (2 * (slices - 1)) ** 0.5) / half


def _moments(table: Table, finding: Finding, found_by: Rows, seen_by: Rows, seed: int) -> tuple[Array, ...]:
    """Shares of slices, squared means and second moments of z in them, and E[y z]^2, z found by other rows."""
    fit = made(finding.method, finding.n_directions, seed, 0).fit(table.inputs[found_by], labels_for(table, found_by))
    z = np.asarray(fit.transform(table.inputs[seen_by]))[:, 0]
    z = (z - z.mean()) / z.std()
    y = table.label[seen_by]
    if table.classes:
        member = table.label[seen_by].astype(int)
    else:
        edges = np.unique(np.quantile(table.label, np.linspace(0, 1, SLICES + 1)[1:-1]))
        member = np.searchsorted(edges, y, side="right")
    count = len(table.classes) or SLICES
    sizes = np.maximum(np.bincount(member, minlength=count), 1e-9)
    means = np.bincount(member, weights=z, minlength=count) / sizes
    seconds = np.bincount(member, weights=z**2, minlength=count) / sizes
    seconds[sizes < 2] = 1.0
    unit = (y - y.mean()) / max(float(y.std()), 1e-300)
    return sizes / sizes.sum(), means**2, seconds, np.array(np.mean(unit * z) ** 2)


def _law(name: str, alignment: Callable[[float], float], n: int) -> Law:
    sizes = np.unique(np.geomspace(max(10, n / 16), 4 * n, 25).round().astype(int))
    return Law(
        name,
        alignment(n),
        _rows_for(0.5, alignment, n),
        _rows_for(0.9, alignment, n),
        {int(size): alignment(float(size)) for size in sizes},
    )


def _rows_for(wanted: float, alignment: Callable[[float], float], n: int) -> int | None:
    """The number of rows at which a law that grows with it reaches `wanted`; None beyond 10,000 times those there."""
    low, high = 1.0, FARTHEST * n
    try:
        if alignment(high) < wanted:
            return None
        return 1 if alignment(low) >= wanted else int(np.ceil(brentq(lambda m: alignment(m) - wanted, low, high)))
    except InputError:  # a transform that tells nothing
        return None
