"""From a table to its diagnosis, part by part, with word of what is being done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from giantstep.checks import whole_number
from giantstep.errors import InputError
from giantstep.estimators.diagnosis.comparing import FOLDS, Comparison, compare, learning_curve
from giantstep.estimators.diagnosis.dependence import dependence_of, in_blocks
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.finding import METHODS, best_of, find_all
from giantstep.estimators.diagnosis.folds import Fold, deal
from giantstep.estimators.diagnosis.omnibus import anything, anything_left
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.results import Diagnosis, is_anything_found
from giantstep.estimators.diagnosis.roster import LEARNERS, Learner
from giantstep.estimators.diagnosis.samples import samples_of
from giantstep.estimators.diagnosis.shape import shape_of
from giantstep.estimators.diagnosis.tables import Table, refuse_unfit
from giantstep.streams import Streams

MOST_ROWS = 2000  # on which learners are compared: kernels take the time of their cube
SHARES = (1 / 8, 1 / 4, 1 / 2)

Progress = Callable[[str], None]


def diagnose(X: Any, y: Any, *, random_state: Any = None, verbose: Any = False) -> Diagnosis:
    """What is in a table: a linear part, more than that, directions, enough rows, and which learner to take.

    The label depends on the inputs if that is beyond chance, by permutation of the labels; a learner wins if its lead
    on held-out rows is beyond chance; all else is told as not seen. See `Diagnosis` for what comes back.

    Args:
        X: inputs, shape (n, d), n at least 50: an array, or a data frame of pandas or polars, whose categories become
            columns of 0 and 1 and whose dates, ids, copied rows and repeated columns are left out. The order of the
            rows is looked at: neighbours that are alike raise a doubt.
        y: the label, shape (n,): numbers, or words for classes.
        random_state: a whole number, a generator of NumPy or a `RandomState`; None is the seed 0, so that the same
            table has the same diagnosis whenever it is asked for.
        verbose: whether it says on stderr what it is doing.

    >>> x = np.random.default_rng(0).standard_normal((60, 2))
    >>> diagnose(x, x[:, 0] > 5)
    Traceback (most recent call last):
    giantstep.errors.InputError: 'the label' is 0 in every row; a label must vary to be predicted
    """
    table = table_from(X, y)
    return diagnose_table(table, seed_of(random_state), _say if verbose else lambda words: None)


def _say(words: str) -> None:
    print(f"diagnose: {words}", file=sys.stderr, flush=True)


def seed_of(random_state: Any) -> int:
    """The seed that scikit-learn's word for it means: a number, or one drawn from a generator."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    return whole_number("random_state", random_state, least=0, most=2**31 - 1)


def diagnose_table(
    table: Table,
    seed: int = 0,
    progress: Progress = lambda words: None,
    source: str = "",
    learners: Sequence[Learner] = LEARNERS,
) -> Diagnosis:
    """The diagnosis of a table that was read.

    Args:
        table: inputs and label.
        seed: of all draws.
        progress: is told in a few words what comes next.
        source: lines of Python that give X and y again, for the lines that refit a learner.
        learners: those to compare, the simplest first; the linear one must be among them.
    """
    _check_sklearn()
    refuse_unfit(table)
    streams = Streams(seed)
    progress = _counted(progress, 2 + len(METHODS) + FOLDS * len(learners) + 4)
    progress("size and shape")
    shape = shape_of(table, streams)
    progress("is there anything at all: 199 permutations of the labels")
    everything = anything(table, streams)
    rest = anything_left(table, streams)
    methods = find_all(table, streams.child("directions").generator(), progress)
    generator = streams.child("learners").generator()
    used = table.rows(np.sort(generator.permutation(table.n)[:MOST_ROWS])) if table.n > MOST_ROWS else table
    folds = deal(used.together, FOLDS, generator)
    comparison = compare(used, learners, folds, seed, progress)
    chosen = best_of(methods) if is_anything_found(table, everything, comparison) else None
    samples = None
    if chosen is not None:
        progress("how well the directions are known")
        samples = samples_of(table, chosen, seed)
    curves = _curves(used, comparison, learners, folds, seed, progress)
    dependence = dependence_of(table)
    if dependence.are_alike and comparison.predicts:
        progress(f"{comparison.best} with blocks of consecutive rows left out")
        best = next(one for one in learners if one.name == comparison.best)
        dependence = replace(dependence, blocks=in_blocks(used, best, FOLDS, seed))
    return Diagnosis(
        table, seed, shape, everything, rest, methods, chosen, samples, comparison, curves, dependence, used.n, source
    )


def _counted(progress: Progress, total: int) -> Progress:
    """The same words with their number among all; where methods are left out it ends before the last."""
    number = count(1)
    return lambda words: progress(f"{words} ({next(number)} of {total})")


def _curves(
    table: Table,
    comparison: Comparison,
    learners: Sequence[Learner],
    folds: list[Fold],
    seed: int,
    progress: Progress,
) -> dict[str, dict[int, Estimate]]:
    """Learning curves of the linear learner and of the best one."""
    found = {}
    for learner in learners:
        if learner.name in ("linear", comparison.best):
            progress(f"{learner.name} with fewer rows")
            curve = dict(learning_curve(table, learner, folds, SHARES, seed))
            curve[folds[0][0].size] = comparison.score(learner.name)
            found[learner.name] = curve
    return found


def _check_sklearn() -> None:
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        raise InputError("a diagnosis needs scikit-learn: pip install 'giantstep[sklearn]'")
