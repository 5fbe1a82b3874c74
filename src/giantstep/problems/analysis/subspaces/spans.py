"""Subspaces of the space of directions: spans, complements and orthogonal bases, exact or with a tolerance.

A subspace is a tuple of orthogonal vectors, not normalised: (1, 2, 0) stays whole where its unit vector would not. With
whole numbers and roots every decision about a rank is exact. With floats a direction counts if its singular value is
above a tolerance, and the answer says how far the nearest one was from it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from giantstep.problems.analysis.subspaces.packed import Number
from giantstep.problems.analysis.subspaces.roots import primitive

Vector: TypeAlias = tuple[Number, ...]
Basis: TypeAlias = tuple[Vector, ...]

_SMALL = 1e-9  # of a unit vector: what is left of an entry that elimination has removed


@dataclass(frozen=True)
class Extension:
    """New orthogonal directions; `closest` is the distance of the rank decision from its tolerance as a factor >= 1."""

    vectors: Basis
    closest: float = math.inf


def dot(u: Sequence[Number], v: Sequence[Number]) -> Number:
    return sum((a * b for a, b in zip(u, v, strict=True) if a != 0 and b != 0), 0)


def axes(dimension: int) -> Basis:
    return tuple(tuple(int(i == j) for j in range(dimension)) for i in range(dimension))


def unit_rows(vectors: Sequence[Vector]) -> NDArray[np.float64]:
    """The vectors as the rows of an array of floats, each of length one: orthonormal if they are a `Basis`.

    Args:
        vectors: k vectors in r coordinates, none of them zero; the result has the shape (k, r).

    >>> unit_rows([(3, 4), (-4, 3)]).tolist()
    [[0.6, 0.8], [-0.8, 0.6]]
    """
    rows = np.array([[float(x) for x in v] for v in vectors])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(vectors) else rows.reshape(0, 0)


class Geometry(ABC):
    """How vectors are added to an orthogonal basis."""

    @abstractmethod
    def extension(self, rows: Iterable[Vector], basis: Basis, space: Basis) -> Extension:
        """Orthogonal vectors that span the part of the rows orthogonal to `basis`; all lie in the span of `space`."""

    @abstractmethod
    def orthogonal(self, vectors: Iterable[Vector], basis: Basis) -> Basis:
        """The vectors made orthogonal to `basis` and to each other, one after the other; dependent ones are dropped."""

    def complement(self, basis: Basis, space: Basis) -> Basis:
        """An orthogonal basis of what is orthogonal to `basis` in the span of `space`, with the axes that there are."""
        apart = [v for v in space if all(dot(v, b) == 0 for b in basis)]
        return self.orthogonal([*apart, *(v for v in space if v not in apart)], basis)


@final
class ExactGeometry(Geometry):
    """Vectors of whole numbers and roots.

    >>> ExactGeometry().extension([(2, 2, 0), (1, 1, 0), (0, 0, 3)], (), axes(3)).vectors
    ((1, 1, 0), (0, 0, 1))
    """

    def extension(self, rows: Iterable[Vector], basis: Basis, space: Basis) -> Extension:
        outside = self.complement(basis, space)
        found: list[Vector] = []
        for row in rows:
            if not outside:
                break
            # A row is new if it is not orthogonal to everything outside: cheaper than taking its projection off.
            if any(dot(row, v) != 0 for v in outside):
                found.extend(self.orthogonal([row], (*basis, *found)))
                outside = self.complement((*basis, *found), outside)
        return Extension(self.orthogonal(_echelon(found), basis))

    def orthogonal(self, vectors: Iterable[Vector], basis: Basis) -> Basis:
        found: list[Vector] = []
        for vector in vectors:
            left = vector
            for b in (*basis, *found):
                overlap = dot(left, b)
                if overlap != 0:
                    square = dot(b, b)
                    left = primitive([square * x - overlap * y for x, y in zip(left, b, strict=True)])
            if any(x != 0 for x in left):
                found.append(primitive(left))
        return tuple(found)


def _echelon(rows: Sequence[Vector]) -> list[Vector]:
    """The reduced row echelon form of independent rows: the same for every basis of their span."""
    rest = list(rows)
    done: list[Vector] = []
    width = len(rows[0]) if rows else 0
    for column in range(width):
        lead = next((row for row in rest if row[column] != 0), None)
        if lead is None:
            continue
        rest.remove(lead)

        def cleared(row: Vector, lead: Vector = lead, column: int = column) -> Vector:
            if row[column] == 0:
                return row
            return primitive([lead[column] * x - row[column] * y for x, y in zip(row, lead, strict=True)])

        rest = [cleared(row) for row in rest]
        done = [*(cleared(row) for row in done), lead]
    return done


@final
@dataclass(frozen=True)
class FloatGeometry(Geometry):
    """Vectors of floats; `tolerance` is the singular value from which on a direction is one."""

    tolerance: float

    def extension(self, rows: Iterable[Vector], basis: Basis, space: Basis) -> Extension:
        matrix = np.array([[float(x) for x in row] for row in rows])
        if matrix.size == 0:
            return Extension(())
        inside = unit_rows(space)
        known = unit_rows(basis)
        matrix = matrix @ inside.T @ inside
        if basis:
            matrix = matrix - matrix @ known.T @ known
        _, values, directions = np.linalg.svd(matrix, full_matrices=False)
        # At most so many directions are left; a value beyond them is rounding.
        values = values[: len(space) - len(basis)]
        rank = int(np.sum(values > self.tolerance))
        gaps = [v / self.tolerance if v > self.tolerance else self.tolerance / max(v, 1e-300) for v in values]
        vectors = [tuple(v.tolist()) for v in _reduced(directions[:rank])]
        return Extension(self.orthogonal(vectors, basis), min(gaps, default=math.inf))

    def orthogonal(self, vectors: Iterable[Vector], basis: Basis) -> Basis:
        found: list[Vector] = []
        for vector in vectors:
            left = np.array([float(x) for x in vector])
            size = float(np.linalg.norm(left))
            for b in (*unit_rows(basis), *unit_rows(found)) * 2:  # twice: once loses digits
                left = left - (left @ b) * b
            if float(np.linalg.norm(left)) > _SMALL * size:
                found.append(_tidy(left))
        return tuple(found)


def _reduced(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The reduced row echelon form of orthonormal rows."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        best = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[best, column]) < 1e3 * _SMALL:
            continue
        rows[[done, best]] = rows[[best, done]]
        rows[done] /= rows[done, column]
        others = np.arange(len(rows)) != done
        rows[others] -= np.outer(rows[others, column], rows[done])
        done += 1
    return rows


def _tidy(vector: NDArray[np.float64]) -> Vector:
    """The vector with its first entry one (if that is not small), and zeros where only rounding is left."""
    largest = np.abs(vector).max()
    vector = np.where(np.abs(vector) < _SMALL * largest, 0.0, vector)
    first = vector[np.flatnonzero(vector)[0]]
    unit = first if abs(first) > 1e-3 * largest else np.copysign(largest, first)
    return tuple(float(x) for x in vector / unit)
