"""A table as predictors use it: rows of positive weight, labels as columns, inputs of mean 0 and variance 1."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.checks import require, whole_number
from giantstep.errors import InputError, TooLargeError
from giantstep.estimators.normal_scores import NormalScores
from giantstep.estimators.scikit import check_cv, shares, tell, validate_data
from giantstep.estimators.sizes import check_sizes
from giantstep.estimators.whitening import FLAT, Whitening
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.heads import RidgeHead

Progress = Callable[[float], None]
INPUTS = ("whitened", "standardised")
LONG_FIT = 60.0
"""Seconds beyond which a fit tells its cost before it starts."""


class LongFitWarning(UserWarning):
    """A fit that will take long or much memory says so before it starts; `verbose=True` tells its progress."""


@dataclass(frozen=True, eq=False)
class Table:
    """What a fit was given.

    Args:
        x: rows of positive weight, (n, d), in the precision in which they came.
        y: their labels, (n, k).
        share: their weights, (n,), which sum to 1.
        there: which of the rows that were given these are.
        is_flat: whether the labels came as (n,), as predictions then leave.
        total: the sum of the weights as they were given.
    """

    x: Floats
    y: Array
    share: Array
    there: np.ndarray
    is_flat: bool
    total: float

    @property
    def label_means(self) -> Array:
        return np.asarray(self.share @ self.y)

    @property
    def label_scales(self) -> Array:
        """Standard deviations of the labels, 1 for a constant one, (k,)."""
        spread = np.sqrt(self.share @ (self.y - self.label_means) ** 2)
        return np.where(spread > FLAT * np.abs(self.y).max(axis=0), spread, 1.0)

    def rows(self, chosen: np.ndarray) -> Table:
        """The table of these rows alone."""
        share = self.share[chosen]
        return Table(self.x[chosen], self.y[chosen], share / share.sum(), self.there, self.is_flat, self.total)

    def as_labels(self, columns: Array) -> Array:
        """Predictions (n, k) in the shape in which the labels came."""
        return columns[:, 0] if self.is_flat else columns


def read_table(estimator: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool = True) -> Table:
    """Check a table for regression; rows of weight 0 are left out. Without `reset` it is a further block of one."""
    x, y = validate_data(
        estimator, X, y, dtype=[np.float64, np.float32], multi_output=True, y_numeric=True, reset=reset
    )
    return table_of(x, np.asarray(y, dtype=np.float64), sample_weight, fewest=2 if reset else 1)


def table_of(x: Floats, y: Array, sample_weight: Any, *, fewest: int = 2) -> Table:
    """The same for arrays that were checked."""
    share = shares(sample_weight, x)
    there = share > 0
    if not np.isfinite(y).all():
        raise InputError("the labels hold NaN or infinity; all of them must be finite")
    check_sizes(x, "the inputs")
    check_sizes(y, "the labels")
    if int(there.sum()) < fewest:
        raise InputError(f"a fit needs at least {fewest} samples of positive weight, got {int(there.sum())} sample")
    total = float(len(x)) if sample_weight is None else float(np.broadcast_to(np.asarray(sample_weight), len(x)).sum())
    return Table(x[there], y.reshape(len(y), -1)[there], share[there], there, y.ndim == 1, total)


class Standardised:
    """Columns with mean 0 and variance 1, without those that are constant; normal scores first if wanted."""

    def __init__(self, x: Floats, share: Array, *, gaussianise: bool = False) -> None:
        self.scores = NormalScores.of(x, share) if gaussianise else None
        columns = self._columns(x)
        self.mean = share @ columns
        self.scale = np.sqrt(share @ (columns - self.mean) ** 2)
        self.kept = self.scale > FLAT * np.abs(columns).max(axis=0)

    def rows(self, x: Floats) -> Array:
        """Standardised rows, (n, kept columns); one column of zeros if all are constant."""
        if not self.kept.any():
            return np.zeros((len(x), 1))
        return np.asarray((self._columns(x)[:, self.kept] - self.mean[self.kept]) / self.scale[self.kept])

    def _columns(self, x: Floats) -> Array:
        return np.asarray(x, dtype=np.float64) if self.scores is None else self.scores(x)


def input_map(inputs: Any, gaussianise: Any, table: Table) -> Standardised | Whitening:
    """What brings rows to mean 0 and variance 1, fitted to a table: `.rows(x)`."""
    if inputs not in INPUTS:
        raise InputError(f"inputs = {inputs!r} is not allowed; it must be 'whitened' or 'standardised'")
    if inputs == "standardised":
        return Standardised(table.x, table.share, gaussianise=bool(gaussianise))
    with one_blas_thread():
        return Whitening(gaussianise=bool(gaussianise)).fit_rows(table.x, table.share)


def folds_of(cv: Any, table: Table, generator: np.random.Generator) -> np.ndarray:
    """The number of the fold of each row: dealt at random for a number of folds, or as a splitter says."""
    n = len(table.y)
    if isinstance(cv, int | np.integer):
        return np.asarray(generator.permutation(np.arange(n) % min(whole_number("cv", cv, least=2), n)))
    dealt = np.full(len(table.there), -1)
    for number, (_, held) in enumerate(check_cv(cv).split(dealt[:, None])):
        require((dealt[held] < 0).all(), "cv must hold out each row once")
        dealt[held] = number
    require((dealt >= 0).all(), "cv must hold out each row once")
    return np.asarray(dealt[table.there])


def tell_cost(estimator: Any, seconds: float, numbers: float, what: str) -> None:
    """Say what a fit costs before it starts if that is much, and refuse what this machine's memory cannot hold."""
    size = 8.0 * numbers
    if size > _memory():
        raise TooLargeError(f"{what} needs {size / 1e9:.3g} GB of memory, and {_memory() / 1e9:.3g} GB are free")
    if seconds > LONG_FIT:
        sentence = f"{what}: about {seconds / 60:.0f} minutes on one core and {size / 1e9:.2g} GB of memory"
        if estimator.verbose:
            tell(estimator.verbose, sentence)
        else:
            warnings.warn(f"{sentence}; verbose=True tells how far it is", LongFitWarning, stacklevel=4)


def progress_of(estimator: Any, what: str) -> Progress | None:
    """What prints the share of a fit that is done, a line for each tenth, if `verbose` asks for it."""
    if not estimator.verbose:
        return None
    told = [0]

    def progress(share: float) -> None:
        tenths = int(10 * share + 1e-9)
        if tenths > told[0]:
            told[0] = tenths
            tell(estimator.verbose, f"{type(estimator).__name__}, {what}: {10 * tenths} %")

    return progress


def positive_path(ridge: Any) -> Array:
    """Penalties that were given, one or several positive numbers."""
    return np.array(RidgeHead(ridge).ridge)


def _memory() -> float:
    """Bytes that are free, where the system tells it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
        return float(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return float("inf")
