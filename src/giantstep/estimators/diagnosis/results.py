"""The diagnosis of a table: numbers with their errors, a verdict in words, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.comparing import Comparison
from giantstep.estimators.diagnosis.dependence import Dependence
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.finding import Finding
from giantstep.estimators.diagnosis.omnibus import Omnibus
from giantstep.estimators.diagnosis.samples import Samples
from giantstep.estimators.diagnosis.shape import Shape
from giantstep.estimators.diagnosis.tables import Table

if TYPE_CHECKING:
    from giantstep.figures import Drawing


def is_anything_found(table: Table, anything: Omnibus, comparison: Comparison) -> bool:
    """Whether the label depends on the inputs: the permutations say so, or a learner predicts beyond chance.

    Permutations deal single rows, which is no chance for rows of the same person or place: then learners alone decide.
    """
    return comparison.predicts or (anything.is_found and table.members is None)


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis:
    """What is in a table, how sure that is, and which learner to take. `print` tells all of it.

    Args:
        table: what was diagnosed.
        seed: of all draws: the same seed gives the same diagnosis.
        shape: size, effective dimension, noise floor, how Gaussian the inputs are.
        anything: the test whether the label depends on the inputs at all.
        rest: the test whether anything is left beside the linear part; None with too few rows a column.
        methods: what each method for directions found.
        chosen: the one of them whose directions are told; None if there is none.
        samples: how well the directions are known at this number of rows, and at others; None without directions.
        comparison: the learners, judged on the same held-out rows.
        curves: scores of some learners for fewer training rows, by name.
        dependence: whether rows are like their neighbours, or hang on one of them.
        rows_used: how many rows the learners were compared on.
        source: the Python lines that give X and y.
    """

    table: Table
    seed: int
    shape: Shape
    anything: Omnibus
    rest: Omnibus | None
    methods: tuple[Finding, ...]
    chosen: Finding | None
    samples: Samples | None
    comparison: Comparison
    curves: Mapping[str, Mapping[int, Estimate]]
    dependence: Dependence
    rows_used: int
    source: str = ""

    @property
    def found(self) -> bool:
        """Whether there is anything: the permutation test says so, or a learner predicts beyond chance."""
        return is_anything_found(self.table, self.anything, self.comparison)

    @property
    def n_directions(self) -> int:
        """How many directions matter, as far as these rows can tell."""
        return 0 if self.chosen is None else self.chosen.n_directions

    @property
    def directions(self) -> Array:
        """The directions, one row each of unit norm, shape (k, d), in the units of standardised X."""
        return np.zeros((0, self.table.d)) if self.chosen is None else self.chosen.loadings

    @property
    def p_values(self) -> Array:
        """Of each direction, by permutation of the labels, shape (k,)."""
        return np.zeros(0) if self.chosen is None else self.chosen.p_values[: self.n_directions]

    @property
    def linear(self) -> Estimate:
        """The share of the label's variance that a linear function explains held out."""
        return self.comparison.score("linear")

    @cached_property
    def learners(self) -> dict[str, Estimate]:
        """Score and error of each learner by name: the share of the variance explained held out."""
        return self.comparison.scores

    @property
    def winner(self) -> str | None:
        """The learner that beats every other beyond chance; None if no difference is seen."""
        return self.comparison.winner if self.found else None

    @property
    def recommended(self) -> str | None:
        """The winner, or the simplest of those that are level with the best; None if nothing predicts the label."""
        return self.winner or (self.comparison.level[0] if self.found and self.comparison.predicts else None)

    @cached_property
    def verdict_sentences(self) -> tuple[str, str, str]:
        """What there is, what is known of it, what to do next."""
        from giantstep.estimators.diagnosis.words import sentences_of

        return sentences_of(self)

    @property
    def verdict(self) -> str:
        """The three sentences as one text."""
        return " ".join(self.verdict_sentences)

    @cached_property
    def refit(self) -> str:
        """The lines of Python that fit the recommended learner to all rows; empty if there is none."""
        from giantstep.estimators.diagnosis.words import refit_of

        return refit_of(self)

    def figure(self) -> Drawing:
        """The pictures on one sheet: label along directions, their spectrum, learning curves, learners."""
        from giantstep.estimators.diagnosis.pictures import sheet_of
        from giantstep.figures import draw

        return draw(sheet_of(self))

    def to_dict(self) -> dict[str, Any]:
        """Everything as numbers and words that JSON can hold."""
        from giantstep.estimators.diagnosis.telling import dictionary_of

        return dictionary_of(self)

    def __str__(self) -> str:
        from giantstep.estimators.diagnosis.telling import text_of

        return text_of(self)

    def __repr__(self) -> str:
        if not self.found:
            said = "nothing found"
        else:
            many = f"{self.n_directions} direction{'' if self.n_directions == 1 else 's'}"
            best = (
                f"{self.winner} wins"
                if self.winner
                else f"no difference seen between {len(self.comparison.level)} learners"
            )
            said = f"linear part {self.linear.percent}, {many}, {best}"
        return f"Diagnosis({self.table.n} rows, {self.table.d} columns: {said}; print() tells all)"

    def _repr_html_(self) -> str:
        from giantstep.estimators.diagnosis.html import html_of

        return html_of(self)
