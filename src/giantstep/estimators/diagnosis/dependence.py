"""Whether rows may be taken one by one: permutations, folds and errors all suppose it.

Rows in time, or of the same patient one after the other, are like their neighbours, and then noise looks like
knowledge. With e_i what a linear function leaves of the label, in the order of the table,

    r = sum_i <e_i, e_(i + 1)> / sum_i |e_i|^2 ,

which is 0 +- 1/sqrt(n) if the order says nothing, whatever the law of e. Where r is beyond that, the best learner is
judged once more with blocks of consecutive rows left out: what it only knew from neighbours is gone then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.estimators.diagnosis.comparing import Comparison, compare
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.folds import Fold, Rows
from giantstep.estimators.diagnosis.omnibus import FEWEST_ROWS_A_COLUMN, linear_basis
from giantstep.estimators.diagnosis.roster import Learner
from giantstep.estimators.diagnosis.tables import Table

MOST_ROWS = 4000  # the first of the table, one after the other
CERTAIN = 4.0  # standard errors of r from which on neighbours are called alike: one table in 30,000 by chance
NOTEWORTHY = 0.1  # a smaller r is told as nothing: it changes errors by less than a tenth
STRONG = 0.5  # from here on blocks are no proof either: two trends that agree by chance agree across blocks
HEAVY = 0.25  # of the label's variance in one row: scores hang on that row


@dataclass(frozen=True)
class Dependence:
    """How far rows depend on each other, or hang on one of them.

    Args:
        neighbours: r with its error by chance.
        is_sorted: whether the rows stand in the order of the label, which makes neighbours alike and means nothing.
        heaviest: the largest share of the label's variance that one row holds.
        extreme: the label of that row.
        blocks: the score of the best learner where blocks of consecutive rows are left out; None where neighbours are
            not alike, or nothing was found.
    """

    neighbours: Estimate
    is_sorted: bool
    heaviest: float
    extreme: float
    blocks: Estimate | None = None

    @property
    def are_alike(self) -> bool:
        """Whether neighbouring rows are alike beyond chance, and not because the rows were sorted by the label."""
        r, chance = self.neighbours
        return not self.is_sorted and r > max(CERTAIN * chance, NOTEWORTHY)


def dependence_of(table: Table) -> Dependence:
    """What the rows of a table show, before any learner is asked.

    Args:
        table: inputs and label, in the order in which they came.
    """
    first = np.sort(np.unique(table.groups, return_index=True)[1])  # rows with the same inputs are kept together anyway
    first = first[:MOST_ROWS]
    rest = table.labels[first] - table.labels[first].mean(axis=0)
    if table.d < first.size / FEWEST_ROWS_A_COLUMN:
        basis = linear_basis(table.standardised[first])
        rest = rest - basis @ (basis.T @ rest)
    size = float((rest**2).sum())
    alike = float((rest[1:] * rest[:-1]).sum()) / size if size > 0 else 0.0
    steps = np.diff(table.label)
    shares = ((table.labels - table.labels.mean(axis=0)) ** 2).sum(axis=1)
    row = int(shares.argmax())
    return Dependence(
        Estimate(alike, float(first.size**-0.5)),
        bool(np.all(steps >= 0) or np.all(steps <= 0)),
        float(shares[row] / shares.sum()),
        float(table.label[row]),
    )


def in_blocks(table: Table, learner: Learner, count: int, seed: int) -> Estimate:
    """The score of a learner where each of `count` blocks of consecutive rows is left out, with the error over blocks.

    Args:
        table: inputs and label, in the order in which they came.
        learner: what is judged.
        count: of blocks.
        seed: of the learner's own draws.
    """
    blocks = np.array_split(np.arange(table.n), count)
    folds: list[Fold] = [(np.setdiff1d(np.arange(table.n), block), block) for block in blocks]
    return _over_blocks(compare(table, [learner], folds, seed), learner.name, blocks)


def _over_blocks(found: Comparison, name: str, blocks: list[Rows]) -> Estimate:
    """A score whose error lets rows of one block depend on each other."""
    score = found.score(name).value
    gains = found.baseline * (1 - score) - found.losses[found.names.index(name)]
    sums = np.array([gains[block].sum() for block in blocks])
    error = np.sqrt(len(blocks) / (len(blocks) - 1) * (sums**2).sum()) / found.baseline.sum()
    return Estimate(score, float(error))
