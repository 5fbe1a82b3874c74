"""Heads on a table that comes in blocks, each read once: the memory is that of a block and of some N x N matrices.

The first block gives the scales and the first layers: one half of it is stepped on, for each step size that is tried.
From then on every block is first predicted by the heads of all candidates and penalties, which have not seen it, and
then added to the sums from which they are solved:

    A = sum s phi phi', B = sum s phi y', ...,      c = (A/S - m m' + lambda)^-1 (B/S - m ybar') .

The errors of these predictions choose. Those of the first block are leave-one-out errors on its other half.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.predictors.choosing import Candidate, Part, Rows, best_penalty
from giantstep.estimators.predictors.stages import Features

GROUPS = 8
"""Groups of rows into which a block is dealt, whose errors tell how sure a difference is."""


class HeadSums:
    """Sums over the rows seen so far, around the mean of the first ones: enough for the head of every penalty."""

    def __init__(self, features: Features) -> None:
        self.features = features
        self.total = 0.0
        self.centre: Array | None = None

    def add(self, rows: Rows, weight: float) -> None:
        """Add a block whose shares stand for `weight` in all."""
        phi = np.asarray(self.features(rows.x), dtype=np.float64)
        if self.centre is None:
            self.centre = rows.share @ phi
            size, labels = len(self.centre), rows.y.shape[1]
            self.squares, self.products = np.zeros((size, size)), np.zeros((size, labels))
            self.first, self.labels = np.zeros(size), np.zeros(labels)
        phi -= self.centre
        weighted = phi * (weight * rows.share)[:, None]
        self.total += weight
        self.squares += weighted.T @ phi
        self.products += weighted.T @ rows.y
        self.first += weighted.sum(axis=0)
        self.labels += weight * rows.share @ rows.y

    def solve(self, ridge: Array) -> tuple[Array, Array]:
        """c, (L, p, k), and the intercepts, (L, k)."""
        assert self.centre is not None
        mean, label = self.first / self.total, self.labels / self.total
        values, vectors = np.linalg.eigh(self.squares / self.total - np.outer(mean, mean))
        moment = vectors.T @ (self.products / self.total - np.outer(mean, label))
        coefficients = vectors @ (moment / (np.maximum(values, 0.0) + ridge[:, None])[:, :, None])
        return coefficients, label - (self.centre + mean) @ coefficients


@dataclass(eq=False)
class Stream:
    """Candidates and what is known of them.

    Args:
        features: of each candidate, that without a step first if it is one.
        ridge: the penalties, (L,).
        missed: by candidate, labels of the last block minus what each penalty said before it was learned, (L, n, k).
    """

    features: list[Features]
    ridge: Array
    sums: list[HeadSums] = field(init=False)
    heads: list[tuple[Array, Array]] = field(default_factory=list)
    errors: list[Array] = field(default_factory=list)
    weights: list[Array] = field(default_factory=list)
    missed: list[Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = [HeadSums(one) for one in self.features]

    def add(self, rows: Rows, weight: float) -> None:
        """Predict a block with what was learned before it, then learn from it; the first one is left one out."""
        if self.heads:
            self.missed = [self._missed(number, rows) for number in range(len(self.features))]
        else:
            self.missed = [rows.head(one, self.ridge).held_out for one in self.features]
        self._note(np.stack([(missed**2).sum(axis=2) for missed in self.missed]), weight * rows.share)
        for one in self.sums:
            one.add(rows, weight)
        self.heads = [one.solve(self.ridge) for one in self.sums]

    def _missed(self, number: int, rows: Rows) -> Array:
        """Labels of rows minus what each penalty says, (L, n, k)."""
        coefficients, intercept = self.heads[number]
        said = self.features[number](rows.x) @ coefficients + intercept[:, None]
        return np.asarray(rows.y - said)

    def _note(self, errors: Array, weight: Array) -> None:
        """Keep the mean errors of groups of rows, (candidates, L, groups)."""
        group = np.arange(len(weight)) * min(GROUPS, len(weight)) // len(weight)
        members = np.eye(group[-1] + 1)[group] * weight[:, None]
        total = members.sum(axis=0)
        self.errors.append(errors @ (members / total))
        self.weights.append(total)

    def candidates(self) -> tuple[list[Candidate], Array]:
        """The candidates as they stand, with what they missed in the last block, and the shares of the groups."""
        errors, weights = np.concatenate(self.errors, axis=2), np.concatenate(self.weights)
        share, found = weights / weights.sum(), []
        for number, one in enumerate(self.features):
            best = best_penalty(errors[number], share)
            coefficients, intercept = self.heads[number]
            part = Part(one, coefficients[best], intercept[best])
            missed = self.missed[number][best]
            found.append(Candidate(one.step, one.steps, best, errors[number][best], partial(list, [part]), missed))
        return found, share
