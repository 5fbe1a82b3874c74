"""Size and shape of a table: how many dimensions it really has, how much of the label is noise, how Gaussian it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.estimates import Estimate, jackknife
from giantstep.estimators.diagnosis.folds import Rows
from giantstep.estimators.diagnosis.tables import Table
from giantstep.streams import Streams

MOST_ROWS = 4000  # of which these statistics are taken
NEIGHBOURS = 10
LEAST_REPEATED = 30  # rows that share their inputs with others, from which on these tell the noise
DEEP = 8.0  # effective dimensions, beyond which nearest neighbours are far away
CLOSE = (0.7, 1.4)  # spread of lengths against Gaussian rows within which laws for Gaussian inputs may be trusted


@dataclass(frozen=True)
class NoiseFloor:
    """The share of the label's variance that no function of the inputs explains.

    Args:
        share: its estimate.
        method: `repeated rows`, or `nearest neighbours` with an extrapolation to distance 0.
        most: the share seen at the distance that the nearest neighbours have: an upper bound but for its error.
        is_rough: whether neighbours are too far away for the extrapolation to be more than a guess.
    """

    share: Estimate
    method: str
    most: Estimate
    is_rough: bool


@dataclass(frozen=True)
class Shape:
    """What a table is like, before anything is learned from it.

    Args:
        n, d: rows and columns.
        effective_dimension: tr(S)^2/tr(S^2) of the correlations S, corrected for n.
        noise: the noise floor.
        length_spread: Var |x|^2 / (2 tr S^2) of standardised rows: 1 for Gaussian inputs, whatever S is.
        two_valued: the share of columns with two values only.
        heavy: the largest fourth moment of a column (3 for a Gaussian one).
    """

    n: int
    d: int
    effective_dimension: Estimate
    noise: NoiseFloor
    length_spread: Estimate
    two_valued: float
    heavy: float

    @property
    def is_nearly_gaussian(self) -> bool:
        """Whether laws for Gaussian inputs may be trusted here to some ten per cent."""
        return CLOSE[0] <= self.length_spread.value <= CLOSE[1] and self.two_valued < 0.5


def shape_of(table: Table, streams: Streams) -> Shape:
    """The shape of a table.

    Args:
        table: inputs and label.
        streams: where the groups of the error bars, and the rows if there are many, are drawn from.
    """
    generator = streams.child("shape").generator()
    z = table.standardised
    if table.n > MOST_ROWS:
        z = z[generator.permutation(table.n)[:MOST_ROWS]]
    columns = z**4
    return Shape(
        table.n,
        table.d,
        jackknife(z.shape[0], lambda rows: _dimension(z[rows]), generator),
        noise_floor(table, generator),
        jackknife(z.shape[0], lambda rows: _spread(z[rows]), generator),
        float(np.mean([np.unique(column).size == 2 for column in z.T])),
        float(columns.mean(axis=0).max()),
    )


def _square_trace(z: Array) -> tuple[float, float]:
    """tr S and an estimate of tr Sigma^2 without the bias (tr Sigma)^2/n of tr S^2."""
    n, d = z.shape
    z = z - z.mean(axis=0)
    gram = z.T @ z / n if d <= n else z @ z.T / n
    first, second = float(np.trace(gram)), float((gram**2).sum())
    return first, max(second - first**2 / n, first**2 / (n * d))


def _dimension(z: Array) -> float:
    first, second = _square_trace(z)
    return min(first**2 / second, float(z.shape[1]))


def _spread(z: Array) -> float:
    _, second = _square_trace(z)
    return float(np.var(((z - z.mean(axis=0)) ** 2).sum(axis=1)) / (2 * second))


def noise_floor(table: Table, generator: np.random.Generator) -> NoiseFloor:
    """How much of the label is noise: from rows with the same inputs if there are enough, else from neighbours.

    Args:
        table: inputs and label.
        generator: deals rows into groups for the error bars.
    """
    y = table.labels - table.labels.mean(axis=0)
    total = float((y**2).sum(axis=1).mean())
    both = np.unique(np.column_stack([table.groups, table.labels]), axis=0, return_index=True)[1]
    groups, counts = np.unique(table.groups[both], return_counts=True)  # without copies of whole rows
    repeated = both[np.isin(table.groups[both], groups[counts > 1])]
    if repeated.size >= LEAST_REPEATED:
        share = _of_repeated(y[repeated], table.groups[repeated], generator) if total else Estimate(0.0, 0.0)
        known = Estimate(share.value / total, share.error / total)
        return NoiseFloor(known, "repeated rows", known, False)
    return _of_neighbours(table, y, total, generator)


def _of_repeated(y: Array, groups: Rows, generator: np.random.Generator) -> Estimate:
    """The variance within groups of rows that share their inputs, each with count - 1 degrees of freedom."""
    names, members = np.unique(groups, return_inverse=True)

    def within(chosen: Rows) -> float:
        inside = np.isin(members, chosen)
        sums = np.zeros((names.size, y.shape[1]))
        np.add.at(sums, members, y)
        counts = np.bincount(members, minlength=names.size)
        rest = y - (sums / np.maximum(counts, 1)[:, None])[members]
        return float((rest[inside] ** 2).sum() / max(1, (counts[chosen] - 1).sum()))

    return jackknife(names.size, within, generator)


def _of_neighbours(table: Table, y: Array, total: float, generator: np.random.Generator) -> NoiseFloor:
    """The Gamma test: half the mean squared difference of labels against squared distance, at distance 0.

    gamma(k) = mean |y_k(i) - y_i|^2 / 2 = noise + A delta(k) + ...,  delta(k) = mean |x_k(i) - x_i|^2,  k = 1 ... 10
    (Stefansson, Koncar, Jones 1997; Evans, Jones 2002.)
    """
    z = table.standardised
    asked = generator.permutation(table.n)[:MOST_ROWS]
    found = KDTree(z).query(z[asked], k=min(NEIGHBOURS + 1, table.n)) if table.d <= 20 else _by_products(z, asked)
    distances, who = (np.asarray(part)[:, 1:] for part in found)
    gammas = ((y[who] - y[asked][:, None]) ** 2).sum(axis=2) / 2
    deltas = distances**2

    def intercept(rows: Rows) -> float:
        x, g = deltas[rows].mean(axis=0), gammas[rows].mean(axis=0)
        slope = max(0.0, float(np.cov(x, g)[0, 1] / max(float(np.var(x, ddof=1)), 1e-300)))
        return float(np.clip((g.mean() - slope * x.mean()) / total, 0.0, 1.0))

    share = jackknife(asked.size, intercept, generator)
    nearest = jackknife(asked.size, lambda rows: float(gammas[rows, 0].mean() / total), generator)
    return NoiseFloor(share, "nearest neighbours", nearest, _dimension(z[asked]) > DEEP)


def _by_products(z: Array, asked: Rows) -> tuple[Array, Rows]:
    """Nearest rows in many dimensions, where a tree does not help: all distances, in blocks."""
    squares = (z**2).sum(axis=1)
    near, who = [], []
    for block in np.array_split(asked, max(1, asked.size * z.shape[0] // 4_000_000)):
        distances = np.maximum(squares[block][:, None] + squares - 2 * z[block] @ z.T, 0.0)
        distances[np.arange(block.size), block] = -1.0  # itself comes first
        nearest = np.argpartition(distances, NEIGHBOURS, axis=1)[:, : NEIGHBOURS + 1]
        values = np.take_along_axis(distances, nearest, axis=1)
        order = np.argsort(values, axis=1)
        near.append(np.sqrt(np.maximum(np.take_along_axis(values, order, axis=1), 0.0)))
        who.append(np.take_along_axis(nearest, order, axis=1))
    return np.concatenate(near), np.concatenate(who)
