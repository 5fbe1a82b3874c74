"""A Gaussian operator that is drawn only where it is asked, exact in law.

Let G (m x D) have iid N(0, 1/m) entries. What is known of G after some questions is P = G V and Q = G^T W for
orthonormal V (inputs of A) and W (inputs of A*). The rest, (I - W W^T) G (I - V V^T), is independent of it and as
Gaussian as before. So a new direction v, orthogonal to V, has the reply

    G v = W (Q^T v) + (I - W W^T) g,          g ~ N(0, I/m),

and a new direction w, orthogonal to W, has G^T w = V (P^T w) + (I - V V^T) h, h ~ N(0, I_D/m). All replies are those of
one fixed matrix. A run that asks k directions costs O((m + D) k) a question and as much memory, instead of O(m D):
derived from the rotation invariance of Gaussian matrices, as in proofs by conditioning for message passing.

A direction is new if more than `tolerance` of its length lies outside what was asked before; what lies outside but is
shorter is dropped, which changes replies by that share of their length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.operators.operators import Operator

if TYPE_CHECKING:
    from giantstep.streams import Streams

BLOCK_BYTES = 2**23  # rows are kept in blocks, so that growing never copies what is there
ORTHOGONAL = 0.5  # a remainder shorter than this share of its vector is orthogonalised once more


class _Rows:
    """A growing stack of vectors, multiplied block by block."""

    def __init__(self, length: int) -> None:
        self.length, self.count = length, 0
        self._block = max(16, min(256, BLOCK_BYTES // (8 * length)))
        self._blocks: list[Array] = []

    def append(self, row: Array) -> None:
        if self.count == self._block * len(self._blocks):
            self._blocks.append(np.empty((self._block, self.length)))
        self._blocks[-1][self.count % self._block] = row
        self.count += 1

    def _used(self) -> Iterator[tuple[Array, slice]]:
        for number, block in enumerate(self._blocks):
            start = number * self._block
            stop = min(start + self._block, self.count)
            yield block[: stop - start], slice(start, stop)

    def coefficients(self, vector: Array) -> Array:
        """The inner products with all rows."""
        found = np.empty(self.count)
        for block, where in self._used():
            found[where] = block @ vector
        return found

    def add_combination(self, coefficients: Array, to: Array, sign: float = 1.0) -> None:
        """to += sign * sum of coefficients times rows, in place."""
        for block, where in self._used():
            scipy.linalg.blas.dgemv(sign, block.T, coefficients[where], beta=1.0, y=to, overwrite_y=True)

    @property
    def bytes(self) -> int:
        return sum(block.nbytes for block in self._blocks)


class _Side:
    """Directions asked on one side of G, orthonormal, and the replies to them."""

    def __init__(self, length: int, reply_length: int) -> None:
        self.directions, self.replies = _Rows(length), _Rows(reply_length)

    def split(self, vector: Array, tolerance: float) -> tuple[Array, Array | None, float]:
        """Coefficients on the known directions, and the unit vector and length of the remainder, if it is new."""
        remainder = np.array(vector, dtype=np.float64)
        size = left = float(np.linalg.norm(vector))
        known = np.zeros(self.directions.count)
        # Gram-Schmidt in blocks; after a strong cancellation once more, and twice is enough.
        for _ in range(2):
            found = self.directions.coefficients(remainder)
            self.directions.add_combination(found, remainder, -1.0)
            known += found
            left, before = float(np.linalg.norm(remainder)), left
            if left <= tolerance * size:
                return known, None, 0.0
            if left > ORTHOGONAL * before:
                break
        return known, remainder / left, left


class RevealedOperator(Operator):
    """The Gaussian operator of `DenseOperator.gaussian` in law, of which only what is asked is ever drawn.

    Replies depend on the questions asked before them, as draws from one stream do; the same questions in the same
    order give the same replies.

    Args:
        shape: (d1, d2) of the matrices.
        measurements: m.
        streams: where the entries are drawn from.
        symmetric: whether it measures symmetric matrices only.
        tolerance: the share of its length that must lie outside what was asked before for a direction to be new.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        measurements: int,
        streams: Streams,
        *,
        symmetric: bool,
        tolerance: float = 1e-10,
    ) -> None:
        super().__init__(shape, symmetric, int(measurements))
        if not 0 <= tolerance < 1:
            raise InputError(f"tolerance = {tolerance} is not allowed; it must be at least 0 and less than 1")
        m, size = int(measurements), self.coordinates.size
        self.tolerance = tolerance
        self._inputs = _Side(size, m)
        self._outputs = _Side(m, size)
        self._random = streams.generator()
        self._deviation = m**-0.5

    def _apply(self, vector: Array) -> Array:
        return self._reply(vector, self._inputs, self._outputs)

    def _adjoint(self, values: Array) -> Array:
        return self._reply(values, self._outputs, self._inputs)

    def _reply(self, vector: Array, asked: _Side, other: _Side) -> Array:
        known, unit, length = asked.split(vector, self.tolerance)
        answer = np.zeros(other.directions.length)
        asked.replies.add_combination(known, answer)
        if unit is not None and asked.directions.count < asked.directions.length:
            fresh = self._fresh(unit, other)
            asked.directions.append(unit)
            asked.replies.append(fresh)
            answer += length * fresh
        return answer

    def _fresh(self, unit: Array, other: _Side) -> Array:
        """The reply to a new direction: what the other side already says of it, and independent noise for the rest."""
        noise: Array = self._random.standard_normal(other.directions.length) * self._deviation
        fixed = other.replies.coefficients(unit) - other.directions.coefficients(noise)
        other.directions.add_combination(fixed, noise)
        return noise

    @property
    def revealed(self) -> tuple[int, int]:
        """How many directions were asked of A and of A*."""
        return self._inputs.directions.count, self._outputs.directions.count

    @property
    def bytes(self) -> int:
        """Memory in use."""
        sides = (self._inputs, self._outputs)
        return sum(side.directions.bytes + side.replies.bytes for side in sides)
