"""Learners side by side: nested cross-validation, the same rows for all, and differences with their errors.

Each learner chooses its own settings inside the training rows of a fold, and is judged on the test rows of that fold.
With L_i the squared error of row i and L_i^0 that of the mean of the training labels,

    score = 1 - mean L/mean L^0,     difference of a and b = mean(L^b - L^a)/mean L^0,

whose standard error is that of these ratios over rows, paired, times sqrt(1 + K/(K - 1)) for K folds: their training
sets share rows, and a comparison that forgets it is too sure of itself (Nadeau and Bengio, Machine Learning 52, 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.folds import Fold
from giantstep.estimators.diagnosis.roster import Learner
from giantstep.estimators.diagnosis.tables import Table

FOLDS = 5
CHANCE = 0.05  # of calling any difference real that is none


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of learners on the same rows.

    Args:
        names: of the learners, the simplest first.
        losses: squared errors of every row, shape (learners, n), in units of the mean predictor's mean error.
        baseline: the mean predictor's errors in these units, shape (n,), of mean 1.
        folds: how many folds there were.
        right: of classes, whether the likeliest by each learner is the row's own, shape (learners, n); None of numbers.
    """

    names: tuple[str, ...]
    losses: Array
    baseline: Array
    folds: int = FOLDS
    right: NDArray[np.bool_] | None = None

    def accuracy(self, name: str) -> float | None:
        """The share of held-out rows whose class a learner tells; None if the label is a number."""
        return None if self.right is None else float(self.right[self.names.index(name)].mean())

    def _estimate(self, gains: Array) -> Estimate:
        """mean(gains)/mean(baseline), a ratio: to first order its error is that of gains - ratio * baseline."""
        share = float(gains.mean() / self.baseline.mean())
        factor = np.sqrt(1 + self.folds / (self.folds - 1))
        spread = (gains - share * self.baseline).std(ddof=1)
        return Estimate(share, float(factor * spread / (self.baseline.mean() * np.sqrt(gains.size))))

    def score(self, name: str) -> Estimate:
        """The share of the label's variance that the learner explains held out; below 0 it is worse than the mean."""
        return self._estimate(self.baseline - self.losses[self.names.index(name)])

    @property
    def scores(self) -> dict[str, Estimate]:
        return {name: self.score(name) for name in self.names}

    def gain(self, name: str, over: str) -> Estimate:
        """How much higher the score of one learner is than that of another."""
        one, other = self.names.index(name), self.names.index(over)
        return self._estimate(self.losses[other] - self.losses[one])

    @property
    def best(self) -> str:
        """The learner of the highest score, whether or not it is beyond chance."""
        return self.names[int(np.argmin(self.losses.mean(axis=1)))]

    def is_beyond_chance(self, gain: Estimate) -> bool:
        """Whether a gain is real, given that as many are looked at as there are learners."""
        return gain.value > norm.ppf(1 - CHANCE / 2 / max(1, len(self.names) - 1)) * gain.error

    @property
    def level(self) -> tuple[str, ...]:
        """The best learner and all from which it does not differ beyond chance, the simplest first."""
        best = self.best
        return tuple(n for n in self.names if n == best or not self.is_beyond_chance(self.gain(best, n)))

    @property
    def predicts(self) -> bool:
        """Whether any learner is better than the mean, beyond chance."""
        return any(self.is_beyond_chance(score) for score in self.scores.values())

    @property
    def winner(self) -> str | None:
        """The learner that is better than every other, beyond chance; None if no difference is seen."""
        return self.best if self.predicts and len(self.names) > 1 and len(self.level) == 1 else None


def compare(
    table: Table,
    learners: Sequence[Learner],
    folds: Sequence[Fold],
    seed: int,
    progress: Callable[[str], None] = lambda words: None,
) -> Comparison:
    """Judge learners on the same folds.

    Args:
        table: inputs and label.
        learners: what is compared, the simplest first.
        folds: training and test rows.
        seed: of the learners' own draws.
        progress: is told what comes next.
    """
    y = table.labels
    predicted = np.empty((len(learners), *y.shape))
    mean = np.empty_like(y)
    for number, (train, test) in enumerate(folds, 1):
        mean[test] = y[train].mean(axis=0)
        for place, learner in enumerate(learners):
            progress(f"{learner.name}, fold {number} of {len(folds)}")
            predicted[place, test] = learner.predict(table, train, test, seed)
    baseline = ((y - mean) ** 2).sum(axis=1)
    unit = baseline.mean()
    losses = ((predicted - y) ** 2).sum(axis=2) / unit
    right = _classes(predicted) == _classes(y) if table.classes else None
    return Comparison(tuple(one.name for one in learners), losses, baseline / unit, len(folds), right)


def _classes(columns: Array) -> NDArray[np.intp]:
    """The likeliest class of each row, from shares of classes, shape (..., q): one column for two classes."""
    if columns.shape[-1] > 1:
        return np.asarray(columns.argmax(axis=-1))
    return np.asarray(columns[..., 0] > 0.5, dtype=np.intp)


def learning_curve(
    table: Table, learner: Learner, folds: Sequence[Fold], shares: Sequence[float], seed: int
) -> Mapping[int, Estimate]:
    """The score of a learner for smaller numbers of training rows.

    Args:
        table: inputs and label.
        learner: what learns.
        folds: training and test rows; of the former the first part of each size is used.
        shares: parts of the training rows, each above 0 and at most 1.
        seed: of the learner's own draws.
    """
    found: dict[int, Estimate] = {}
    for share in shares:
        sizes = [max(20, round(share * train.size)) for train, _ in folds]
        order = np.random.default_rng(seed)
        smaller = [(order.permutation(train)[:size], test) for (train, test), size in zip(folds, sizes, strict=True)]
        found[sizes[0]] = compare(table, [learner], smaller, seed).score(learner.name)
    return found
