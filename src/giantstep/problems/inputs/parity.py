"""Anisotropic sign vectors: x = A z with z_i = +-1/sqrt(d), whose first k coordinates are stretched.

    A = diag(d^(alpha/2) on the first k, 1 elsewhere),      x1, x2, ... of the target = the signs sqrt(d) z_i,

so that the k-parity y = sign(z_1 ... z_k) is the target x1*x2*...*xk. Source: slide 'Classifying Sparse Parity
Functions' of the talk on [mws23]; alpha = 0 is the isotropic problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.checks import real_number, whole_number
from giantstep.errors import InputError
from giantstep.problems.inputs.isotropic import buffer
from giantstep.problems.target import Target
from giantstep.problems.text.scanner import MAX_DIRECTIONS


@dataclass(frozen=True)
class ParityInputs:
    """Uniform signs over sqrt(d), the first of them stretched.

    Args:
        order: k, how many coordinates are stretched.
        exponent: alpha, from 0 to 4; they are multiplied by d^(alpha/2).

    >>> x = ParityInputs(order=2, exponent=1.0).draw(np.random.default_rng(0), 3, 16)
    >>> np.abs(x[0, 1:4]).tolist()
    [1.0, 0.25, 0.25]
    """

    order: int
    exponent: float = 0.0

    def __post_init__(self) -> None:
        whole_number("the order of the parity", self.order, most=MAX_DIRECTIONS)
        real_number("the exponent of the stretch", self.exponent, "a number between 0 and 4", 0.0, 4.0)

    def sizes(self, d: int) -> NDArray[np.float64]:
        """|x_i|, the same for every input, (d,)."""
        if d < self.order:
            raise InputError(f"d = {d} is not allowed; the parity of {self.order} signs needs as many dimensions")
        sizes = np.full(d, 1.0 / math.sqrt(d))
        sizes[: self.order] *= float(d) ** (self.exponent / 2)
        return sizes

    def draw(
        self,
        generator: np.random.Generator,
        rows: int,
        d: int,
        dtype: DTypeLike = np.float64,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """`rows` independent inputs as the rows of an array, written into `out` when it is given."""
        sizes = self.sizes(d)
        out = buffer(rows, d, dtype, out)
        bits = np.unpackbits(np.frombuffer(generator.bytes(-(-rows * d // 8)), dtype=np.uint8), count=rows * d)
        np.copyto(out, np.where(bits.reshape(rows, d) == 1, sizes, -sizes), casting="same_kind")
        return out

    def fields(self, x: NDArray[Any], directions: int) -> NDArray[np.float64]:
        """The signs of the first coordinates."""
        self.sizes(x.shape[1])
        if directions > self.order:
            raise InputError(f"the target has {directions} directions; only {self.order} are stretched")
        return np.asarray(np.sign(x[:, :directions]), dtype=np.float64)


def parity_target(order: int) -> Target:
    """x1*x2*...*xk, the product of k = `order` signs.

    >>> parity_target(3)
    Target('x1*x2*x3')
    """
    count = whole_number("the order of the parity", order, most=MAX_DIRECTIONS)
    return Target("*".join(f"x{i + 1}" for i in range(count)))
