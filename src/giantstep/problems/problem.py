"""A problem = inputs + target + label noise; its samples, which come as blocks and are never held whole.

A sample has an identity, not a memory: block i is drawn from stream i each time it is asked for, so that
going through the data twice ("the same batch") means drawing the same numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.checks import instance, real_array, real_number, whole_number
from giantstep.errors import InputError
from giantstep.problems.inputs.isotropic import Inputs, Isotropic, float_type
from giantstep.problems.target import Target
from giantstep.streams import Streams, check_streams

NoiseLaw = Literal["gaussian", "signs"]
BLOCK_ROWS = 1024
"""Rows of one block: large enough for GEMM to run at full speed, small enough to stay in the caches."""


@runtime_checkable
class Sample(Protocol):
    """n labelled inputs, given block by block: in any order, in any thread, the same every time."""

    @property
    def samples(self) -> int:
        """n."""
        ...

    @property
    def d(self) -> int:
        """The dimension of the inputs."""
        ...

    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def block_rows(self) -> int: ...

    def blocks(self) -> int:
        """Number of blocks; all have `block_rows` rows, but for the last one."""
        ...

    def block(self, number: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Inputs (rows, d) and labels (rows,) of one block; the arrays must not be written to."""
        ...


def whole(sample: Sample) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Inputs (n, d) and labels (n,) of a `sample` all at once, for what needs every pair of them."""
    inputs, labels = zip(*map(sample.block, range(sample.blocks())), strict=True)
    return np.concatenate(inputs), np.concatenate(labels)


def rows_of_block(samples: int, block_rows: int, number: int) -> int:
    """How many rows block `number` has."""
    whole_number("block", number, least=0, most=-(-samples // block_rows) - 1)
    return min(block_rows, samples - number * block_rows)


def check_problem(value: Any) -> Problem:
    """The `value` given as a problem, or the sentence that says how one is made."""
    return instance("the problem", value, Problem, "one such as Problem('x1', d=100)")


def check_sample(value: Any) -> Sample:
    """The `value` given as a sample, or the sentence that says how one is made.

    >>> check_sample(np.ones((5, 3)))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    giantstep.errors.InputError: the sample must be problem.sample(...) or ArraySample(inputs, labels), not an array ...
    """
    made = "problem.sample(...) or ArraySample(inputs, labels)"
    return instance("the sample", value, Sample, made)  # type: ignore[type-abstract]


@dataclass(frozen=True, init=False)
class Problem:
    """y = f*(x) + noise * e, with x drawn from `inputs` in R^d and e ~ N(0, 1), or +1 and -1 alike.

    The directions of the target are the first axes of x, scaled to variance one (`Inputs.fields`); for rotation
    invariant inputs this loses nothing.

    Args:
        target: f*, a `Target` or its text.
        d: the dimension of x, at least as many as the target has directions.
        noise: the standard deviation of the labels' noise, 0 or more.
        inputs: the law of x, isotropic unless given.
        noise_law: that of e, "gaussian" or "signs".

    >>> Problem("x1 + He2(x1)*x2", d=50, noise=0.5)
    Problem(target=Target('x1 + He2(x1)*x2'), d=50, noise=0.5, inputs=Isotropic())
    """

    target: Target
    d: int
    noise: float
    inputs: Inputs
    noise_law: NoiseLaw = field(default="gaussian", repr=False)

    def __init__(
        self,
        target: Target | str,
        d: int,
        noise: float = 0.0,
        inputs: Inputs | None = None,
        noise_law: NoiseLaw = "gaussian",
    ) -> None:
        f = target if isinstance(target, Target) else Target(target)
        law = Isotropic() if inputs is None else inputs
        if not isinstance(law, Isotropic):  # which is known to be a law: to ask a protocol takes a tenth of a ms
            instance("the inputs", law, Inputs, "a law such as Isotropic() or Spiked(4.0)")  # type: ignore[type-abstract]
        if whole_number("d", d) < f.directions:
            raise InputError(f"d = {d} is not allowed; the target has {f.directions} directions, d must be as many")
        spread = real_number("noise", noise, "a finite standard deviation of 0 or more", least=0.0)
        law.fields(np.zeros((0, int(d))), f.directions)  # refuses what the law has no fields for
        if noise_law not in get_args(NoiseLaw):
            raise InputError(f"noise_law = {noise_law!r} is not allowed; it must be 'gaussian' or 'signs'")
        values = (f, int(d), spread, law, noise_law)
        for name, value in zip(("target", "d", "noise", "inputs", "noise_law"), values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def second_moment(self) -> float:
        """E y^2 = ||f*||^2 + noise^2: mean and noise are both in it."""
        return float(self.target.norm2) + self.noise**2

    def sample(
        self, samples: int, streams: Streams, block_rows: int = BLOCK_ROWS, dtype: DTypeLike = np.float64
    ) -> DrawnSample:
        """So many fresh pairs (x, y), fixed by the `streams`.

        `block_rows` of them are drawn at a time, in the number type `dtype`: another one is another sample.
        """
        rows = whole_number("block_rows", block_rows)
        return DrawnSample(self, whole_number("samples", samples), check_streams(streams), rows, float_type(dtype))


@dataclass(frozen=True)
class DrawnSample:
    """A sample that is drawn when it is read; made by `Problem.sample`.

    Args:
        problem: what the pairs (x, y) are drawn from.
        samples: n, how many.
        streams: where they are drawn from, one stream a block.
        block_rows: rows of a block.
        dtype: number type of the inputs; labels are always float64.
    """

    problem: Problem
    samples: int
    streams: Streams
    block_rows: int = BLOCK_ROWS
    dtype: np.dtype[Any] = field(default_factory=lambda: np.dtype(np.float64))

    @property
    def d(self) -> int:
        return self.problem.d

    def blocks(self) -> int:
        return -(-self.samples // self.block_rows)

    def block(self, number: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        problem, rows = self.problem, rows_of_block(self.samples, self.block_rows, number)
        generator = self.streams.block(number)
        x = problem.inputs.draw(generator, rows, problem.d, self.dtype)
        # Labels are computed in double precision whatever the inputs' type: it costs r of d columns.
        y = np.array(problem.target(problem.inputs.fields(x, problem.target.directions)), dtype=np.float64)
        if problem.noise:
            signs = problem.noise_law == "signs"
            y += problem.noise * (generator.choice((-1.0, 1.0), rows) if signs else generator.standard_normal(rows))
        return x, y


@dataclass(frozen=True, eq=False, repr=False)
class ArraySample:
    """The same interface over arrays that the user already has.

    Args:
        inputs: x, (n, d), float64 or float32.
        labels: y, (n,).
        block_rows: rows of a block.

    >>> sample = ArraySample(np.ones((5, 3)), np.arange(5.0), block_rows=2)
    >>> sample.blocks(), sample.block(2)[1]
    (3, array([4.]))
    """

    inputs: NDArray[Any]
    labels: NDArray[np.float64]
    block_rows: int = BLOCK_ROWS

    def __post_init__(self) -> None:
        inputs, labels = real_array("the inputs", self.inputs), real_array("the labels", self.labels)
        if inputs.ndim != 2 or labels.shape != inputs.shape[:1] or 0 in inputs.shape:
            raise InputError(f"inputs {inputs.shape} and labels {labels.shape} must be (n, d) and (n,)")
        if not (np.isfinite(inputs).all() and np.isfinite(labels).all()):
            raise InputError("inputs or labels hold NaN or infinity; all numbers must be finite")
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "labels", labels.astype(np.float64, copy=False))
        object.__setattr__(self, "block_rows", whole_number("block_rows", self.block_rows))

    def __repr__(self) -> str:
        return f"ArraySample(n={self.samples}, d={self.d})"

    @property
    def samples(self) -> int:
        """n."""
        return int(self.inputs.shape[0])

    @property
    def d(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.inputs.dtype

    def blocks(self) -> int:
        return -(-self.samples // self.block_rows)

    def block(self, number: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        start = number * self.block_rows
        stop = start + rows_of_block(self.samples, self.block_rows, number)
        return self.inputs[start:stop], self.labels[start:stop]
