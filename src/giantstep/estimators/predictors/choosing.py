"""Choosing step size, number of steps and penalty by errors on labels that no part of the fit has seen.

Leave-one-out of the head after a step on the same labels is no such error: the step has seen the label that is left
out, and on labels of pure noise it promises what is not there. So either (`halves`) the step is taken on one half of
the rows and the head is fitted, and left-one-out, on the other, and the other way round: what is kept is the mean of
both predictors. Or (`folds`) all of it, step and head, is fitted anew without each of K folds; what is kept is fitted
to all rows. No step at all is always among the candidates of "auto".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.estimators.predictors.stages import Features, next_step, row_errors
from giantstep.learners.heads import ValidatedHead, validated_head


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows as the network takes them, their labels of unit variance, (n, k), and their shares, (n,)."""

    x: Floats
    y: Array
    share: Array

    def __getitem__(self, chosen: np.ndarray) -> Rows:
        return Rows(self.x[chosen], self.y[chosen], self.share[chosen] / self.share[chosen].sum())

    def head(self, features: Features, ridge: Array) -> ValidatedHead:
        """Heads on these rows for every penalty."""
        return validated_head(features(self.x), self.y, ridge, weights=self.share)


@dataclass(frozen=True, eq=False)
class Part:
    """A predictor x -> intercept + features(x) coefficients, of labels of unit variance."""

    features: Features
    coefficients: Array
    intercept: Array

    def __call__(self, rows: Floats) -> Array:
        return np.asarray(self.features(rows) @ self.coefficients + self.intercept)


@dataclass(frozen=True, eq=False)
class Candidate:
    """One step size and number of steps, and how it does on labels that it has not seen.

    Args:
        step: the size.
        steps: the number, 0 for random features.
        penalty: the number of the best penalty.
        errors: squared errors at that penalty, one a row or a group of rows, (m,).
        parts: makes the predictors whose mean is kept, when asked.
        missed: what these errors are squares of, (rows, k): labels minus what was said without having seen them.
    """

    step: float
    steps: int
    penalty: int
    errors: Array
    parts: Callable[[], list[Part]]
    missed: Array


def best_of(candidates: Sequence[Candidate], share: Array) -> Candidate:
    """The candidate of the least error; random features unless it is better by more than a standard error.

    Args:
        candidates: the first of them without a step, if that is among them.
        share: weights of the rows or groups whose errors are compared, (m,), which sum to 1.
    """
    best = min(candidates, key=lambda one: float(share @ one.errors))
    gain = candidates[0].errors - best.errors
    mean = float(share @ gain)
    error = float(np.sqrt(share**2 @ (gain - mean) ** 2))
    return candidates[0] if candidates[0].steps == 0 and mean <= error else best


def best_penalty(errors: Array, share: Array) -> int:
    """The number of the penalty of the least error, of (L, m)."""
    return int((errors @ share).argmin())


def without_step(rows: Rows, start: Features, ridge: Array) -> Candidate:
    """Random features, by leave-one-out on all rows: no label was used before the head."""
    head = rows.head(start, ridge)
    errors = row_errors(head)
    best = best_penalty(errors, rows.share)
    return Candidate(0.0, 0, best, errors[best], partial(list, [_part(start, head, best)]), head.held_out[best])


def halves(rows: Rows, start: Features, step: float, ridge: Array, order: np.ndarray) -> Iterator[Candidate]:
    """After 1, 2, ... steps: step on one half of the rows, head on the other, and the other way round."""
    middle = len(order) // 2
    roles = [(order[:middle], order[middle:]), (order[middle:], order[:middle])]
    states = [start, start]
    number = 0
    while True:
        number += 1
        missed, heads = np.empty((len(ridge), *rows.y.shape)), []
        for role, (first, second) in enumerate(roles):
            half = rows[first]
            states[role] = next_step(states[role], half.x, half.y, half.share, step, ridge)
            heads.append(rows[second].head(states[role], ridge))
            missed[:, second] = heads[-1].held_out
        errors = np.asarray((missed**2).sum(axis=2))
        best = best_penalty(errors, rows.share)
        parts = [_part(state, head, best) for state, head in zip(states, heads, strict=True)]
        yield Candidate(step, number, best, errors[best], partial(list, parts), missed[best])


def folds(rows: Rows, start: Features, step: float, ridge: Array, dealt: np.ndarray) -> Iterator[Candidate]:
    """After 1, 2, ... steps: all of the fit without the rows of each fold, whose numbers are `dealt` (n,).

    With a step of 0 there is one candidate, that without a step.
    """
    states = dict.fromkeys(dealt.tolist(), start)
    number = 0
    while True:
        number += step > 0
        missed = np.empty((len(ridge), *rows.y.shape))
        for fold, state in states.items():
            kept, out = rows[dealt != fold], rows[dealt == fold]
            after = next_step(state, kept.x, kept.y, kept.share, step, ridge) if step else state
            head = kept.head(after, ridge)
            missed[:, dealt == fold] = out.y - (after(out.x) @ head.coefficients + head.intercept[:, None])
            states[fold] = after
        errors = np.asarray((missed**2).sum(axis=2))
        best = best_penalty(errors, rows.share)
        whole = partial(_whole, rows, start, step, number, ridge, best)
        yield Candidate(step, number, best, errors[best], whole, missed[best])


def _whole(rows: Rows, start: Features, step: float, steps: int, ridge: Array, best: int) -> list[Part]:
    """Step and head on all rows, with what was chosen on the folds."""
    state = start
    for _ in range(steps):
        state = next_step(state, rows.x, rows.y, rows.share, step, ridge)
    return [_part(state, rows.head(state, ridge), best)]


def _part(features: Features, head: ValidatedHead, penalty: int) -> Part:
    return Part(features, head.coefficients[penalty], head.intercept[penalty])
