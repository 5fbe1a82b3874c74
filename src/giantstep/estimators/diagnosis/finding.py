"""Directions by every method, side by side: how many, how strong held out, how well two halves of the rows agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.folds import Rows
from giantstep.estimators.diagnosis.tables import Table

MOST_ROWS = 20_000
SPLITS = 4
CLOSE = 0.02  # of R^2 held out: fewer directions are taken if they come so close to the best


@dataclass(frozen=True)
class Method:
    """A way to find directions.

    Args:
        name: what tables call it.
        class_name: the class of `giantstep.estimators`.
        sees: what it can see.
        blind: what it cannot see.
        most_columns: beyond so many columns it would take too long, and is left out.
        most_rows: of more rows it takes these.
    """

    name: str
    class_name: str
    sees: str
    blind: str
    most_columns: int = 2000
    most_rows: int = MOST_ROWS


METHODS = (
    Method("linear", "LinearDirection", "a mean that rises along one direction", "anything even: |x1|, x1*x2"),
    Method(
        "sliced means",
        "SlicedInverseRegression",
        "directions along which rows with high and low labels differ on average",
        "anything even: |x1|, x1*x2",
    ),
    Method(
        "staircase",
        "StaircaseDirections",
        "what is linear, then what is linear given what was found: x1 + x1*x2",
        "anything without a first linear step: |x1|, x1*x2 alone",
        500,
    ),
    Method(
        "sliced variances",
        "SlicedAverageVariance",
        "directions along which the spread of rows changes with the label: |x1|",
        "a mean that only rises, unless rows are many",
        200,
        8000,
    ),
    Method(
        "sliced moments",
        "DirectionalRegression",
        "means and spreads of rows that change with the label",
        "what shows in third moments only",
        200,
        8000,
    ),
    Method(
        "curvature",
        "HessianDirections",
        "a mean that bends: |x1|, x1*x2",
        "anything odd: x1, sign(x1)",
        300,
        8000,
    ),
    Method(
        "spectral",
        "SpectralDirections",
        "even links at the fewest rows a column that any spectral method needs",
        "a product of three directions alone",
        150,
        8000,
    ),
    Method(
        "one step",
        "OneStepDirections",
        "what the first gradient of a network sees: the linear part, then weakly what bends",
        "directions that show beside the first",
        150,
        8000,
    ),
    Method(
        "gradients",
        "GradientOuterProduct",
        "whatever a kernel can fit, in all directions at once",
        "what a kernel cannot fit with these rows",
        150,
        2000,
    ),
)


@dataclass(frozen=True, eq=False)
class Finding:
    """What one method found.

    Args:
        method: the method.
        n_directions: k, how many directions are beyond the edge of permuted labels.
        p_values: of these and of the first that was not accepted.
        spectrum: the leading strengths, also beyond k.
        edges: the strengths that 5 % of permuted labels exceed, at the tests that were made.
        scores: R^2 held out from the first 1, 2, ..., k directions.
        loadings: unit rows of shape (k, d) in the units of standardised X.
        coordinates: of all rows along the directions, shape (n, k).
        agreement: squared canonical correlation of what two halves of the rows find, mean over k directions.
        by_chance: the agreement of random directions.
        gaussian_edge: of noise, if the inputs were Gaussian; None without a law.
        overlap: |cos| with the true direction by the law for Gaussian inputs, for the first one; None without a law.
    """

    method: Method
    n_directions: int
    p_values: Array
    spectrum: Array
    edges: Array
    scores: Array
    loadings: Array
    coordinates: Array
    agreement: Estimate | None
    by_chance: float
    gaussian_edge: float | None
    overlap: float | None

    @property
    def score(self) -> float:
        """R^2 held out from all its directions."""
        return float(self.scores[-1]) if self.scores.size else 0.0


def find_all(
    table: Table,
    generator: np.random.Generator,
    progress: Callable[[str], None] = lambda words: None,
    methods: Sequence[Method] = METHODS,
) -> tuple[Finding, ...]:
    """What each method finds in a table.

    Args:
        table: inputs and label.
        generator: gives each method its seed, and draws the rows of those that take not all of them.
        progress: is told what comes next.
        methods: those to use.
    """
    order = generator.permutation(table.n)
    found = []
    for method in methods:
        seed = int(generator.integers(2**31))
        if table.d <= method.most_columns:
            progress(f"directions by {method.name}")
            found.append(_found(table, np.sort(order[: method.most_rows]), method, seed))
    return tuple(found)


def _found(table: Table, rows: Rows, method: Method, seed: int) -> Finding:
    x, y = table.inputs[rows], labels_for(table, rows)
    fit = made(method, "auto", seed, 99).fit(x, y)
    k, rank = fit.n_directions_, fit.whitening_.rank_
    overlaps = fit.gaussian_overlaps_
    return Finding(
        method,
        k,
        np.asarray(fit.p_values_),
        np.asarray(fit.spectrum_),
        np.asarray(fit.edges_),
        np.asarray(fit.scores_),
        np.asarray(fit.standardised_directions_),
        np.asarray(fit.transform(table.inputs)) if k else np.zeros((table.n, 0)),
        halves_agree(table, rows, method, k, rows.size // 2, seed).coordinates if k else None,
        min(1.0, k / rank),
        fit.gaussian_edge_,
        None if overlaps is None or len(overlaps) == 0 else float(overlaps[0]),
    )


def made(method: Method, n_directions: int | str, seed: int, permutations: int) -> Any:
    """The unfitted estimator of a method."""
    from giantstep.estimators import directions

    return getattr(directions, method.class_name)(n_directions, permutations=permutations, random_state=seed)


def labels_for(table: Table, rows: Rows) -> Any:
    """Labels as the methods take them: numbers, or the names of classes."""
    return np.array(table.classes)[table.label[rows].astype(int)] if table.classes else table.label[rows]


class Agreement(NamedTuple):
    """How far two disjoint sets of rows find the same: 1 the same, k/d no more than by chance.

    Args:
        coordinates: mean of the k squared canonical correlations of their coordinates over all rows, which does not
            depend on the units of the columns.
        loadings: mean squared cosine between their rows in the units of standardised X. Where columns repeat each other
            it is smaller: the coordinates may be known, and yet not which columns carry them.
    """

    coordinates: Estimate
    loadings: Estimate


def halves_agree(table: Table, rows: Rows, method: Method, k: int, size: int, seed: int) -> Agreement:
    """How far two disjoint sets of `size` rows find the same directions, with the error of the mean over splits."""
    generator = np.random.default_rng(seed)
    found = []
    for split in range(SPLITS):
        order = generator.permutation(rows)
        parts = order[:size], order[size : 2 * size]
        pairs = zip(*(_bases(table, part, method, k, seed + split, rows) for part in parts), strict=True)
        found.append([float((np.linalg.svd(a.T @ b, compute_uv=False) ** 2).sum() / k) for a, b in pairs])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(SPLITS)
    return Agreement(*(Estimate(float(mean), float(error)) for mean, error in zip(means, errors, strict=True)))


def _bases(table: Table, part: Rows, method: Method, k: int, seed: int, rows: Rows) -> tuple[Array, Array]:
    """Orthonormal bases of the centred coordinates that some rows lead to, (rows, k), and of their loadings, (d, k)."""
    fit = made(method, k, seed, 0).fit(table.inputs[part], labels_for(table, part))
    coordinates = np.asarray(fit.transform(table.inputs[rows]))
    both = coordinates - coordinates.mean(axis=0), np.asarray(fit.standardised_directions_).T
    return np.linalg.qr(both[0])[0], np.linalg.qr(both[1])[0]


def best_of(found: Sequence[Finding]) -> Finding | None:
    """The finding to tell: of those whose directions explain most held out, the one with the fewest, by the simplest.

    Methods stand in the order of their simplicity; scores that are so close differ by chance.
    """
    there = [one for one in found if one.n_directions > 0]
    if not there:
        return None
    most = max(one.score for one in there)
    near = [one for one in there if one.score >= most - CLOSE]
    return min(near, key=lambda one: one.n_directions)
