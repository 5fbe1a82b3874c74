"""Recover a low-rank matrix from one's own measurements, with the scale, the step and the stop chosen.

    found = recover(matrices, labels)                                     # matrices (m, d1, d2), U V^T
    found = recover(matrices, labels, symmetric=True)                     # U U^T: a positive semidefinite matrix
    found = recover(linear_operator, labels, shape=(d1, d2), rank=8)      # a SciPy LinearOperator on flattened matrices

Measurements may have any scale: with c = |A|^2/(number of entries), A* A is about c Id. Then

    Z = A*(y)/c,    mu = 1/(4 |Z|),    alpha = 10^-4 sqrt|Z|  (entries alpha N(0, 1/r)),

that is mu = 1/4 and alpha = 10^-4 in the units of a truth of norm 1. Gradient descent stops when the labels are fitted
to `tolerance`; or when the residual z looks like noise and falls no more, |A*(z)| <= 1.1 |z| sqrt(c/m)(sqrt(d1) +
sqrt(d2)), which is the edge of the singular values of a Gaussian combination of measurements; or when it falls no more
and no singular value of U grows, at the level that the scale leaves in columns that are not needed; or after `steps`
iterations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_array, real_number, whole_number
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Factors, Sensing, SensingDescent, SensingState, random_factors
from giantstep.learners.sensing.operators import DenseOperator, LinearMap, Operator
from giantstep.learners.trajectory import run
from giantstep.streams import Streams, check_streams

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

STEP = 0.25  # in units of the truth's norm
SCALE = 1e-4  # in units of the root of the truth's norm
EDGE = 1.1  # times the edge of pure noise: below it, the residual holds no direction to be learned
WINDOW, STALLED = 10, 0.05  # a misfit that falls by less than 5 % in 10 iterations has stopped falling
GROWING = 0.01  # a singular value of U that gains more than this in the same time is on its way
PROBES = 16


@dataclass(frozen=True, eq=False, repr=False)
class Recovery:
    """The matrix found, how well it fits, and the course of the run.

    Args:
        factors: U and V, or U alone; their product is `matrix`.
        status: why gradient descent ended.
        misfit: |y - A(product)| / |y| at the end.
        rank: how many singular values of the product stand out.
        t_align: the iteration at which the leading directions stood out by a factor 2 from the next; None if the model
            has no more columns.
        t_escape: when the weakest of them had a tenth of its final size in the product.
        t_refine: when the misfit was within twice its final value.
        misfits: the misfit at each iteration.
        step: the step, in units of the truth's norm.
        scale: the size of the start, in units of the root of the truth's norm.
    """

    factors: Factors
    status: str
    misfit: float
    rank: int
    t_align: int | None
    t_escape: int
    t_refine: int
    misfits: Array
    step: float
    scale: float

    @property
    def matrix(self) -> Array:
        return self.factors.product

    @property
    def iterations(self) -> int:
        return len(self.misfits) - 1

    @property
    def singular_values(self) -> Array:
        """Of the matrix found, largest first."""
        return np.asarray(np.linalg.svd(self.matrix, compute_uv=False)[: self.factors.rank])

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        aligned = "" if self.t_align is None else f"aligned at {self.t_align}, "
        return (
            f"Recovery({rows} x {columns}, rank {self.rank} of {self.factors.rank} columns, misfit {self.misfit:.2g}; "
            f"{aligned}left the saddle at {self.t_escape}, refined at {self.t_refine} of {self.iterations} iterations; "
            f"{self.status})"
        )


def recover(
    measurements: Operator | Array | LinearOperator,
    labels: Array,
    *,
    shape: tuple[int, int] | None = None,
    symmetric: bool | None = None,
    rank: int | None = None,
    scale: float = SCALE,
    step: float = STEP,
    steps: int = 5000,
    tolerance: float = 1e-6,
    streams: Streams | None = None,
) -> Recovery:
    """A low-rank matrix with <A_i, M> = y_i, by gradient descent on its factors from a small start.

    Args:
        measurements: the matrices A_i, (m, d1, d2), an `Operator`, or a SciPy `LinearOperator` of shape (m, d1 d2).
        labels: y, (m,).
        shape: (d1, d2), where `measurements` does not say it.
        symmetric: look for U U^T instead of U V^T.
        rank: of the model, a bound of the unknown rank; by default a quarter of the smaller side.
        scale: the size of the start, in units of the root of the truth's norm; smaller ones give smaller errors and
            take longer.
        step: in units of the truth's norm.
        steps: the most iterations.
        tolerance: the misfit |y - A(product)|/|y| at which the labels count as fitted.
        streams: where the start is drawn from; seed 0 if not given.
    """
    operator = _operator(measurements, shape, symmetric)
    y = np.asarray(real_array("labels", labels), dtype=np.float64)
    if y.shape != (operator.measurements,) or not np.isfinite(y).all() or not y.any():
        raise InputError(
            f"labels must be {operator.measurements:g} finite numbers, not all zero; got an array of shape {y.shape}"
        )
    columns = rank if rank is not None else max(1, -(-min(operator.shape) // 4))
    columns = whole_number("rank", columns, most=2 * max(operator.shape))
    for name, value in (("scale", scale), ("step", step), ("tolerance", tolerance)):
        real_number(name, value, "a positive number", least=np.finfo(np.float64).tiny)
    streams = Streams(0) if streams is None else check_streams(streams)
    power = _mean_square(operator, streams.child("probes"))
    problem = Sensing(operator, labels=y)
    size = float(np.linalg.norm(problem.spectral_matrix(), 2)) / power
    if size == 0.0:
        raise InputError("the labels say nothing: the adjoint of the measurements maps them to zero")
    start = random_factors(
        operator.shape, columns, scale * size**0.5, streams.child("start"), symmetric=operator.symmetric
    )
    watch = _Watch(float(np.linalg.norm(y)), tolerance, power, operator)
    trajectory = run(SensingDescent(problem, step / (size * power)), start, steps=steps, stop=watch.stops)
    status = watch.status if trajectory.stopped else f"not converged after {steps} iterations"
    return watch.result(trajectory.last.factors, status, step, scale)


class _Watch:
    """Notes misfits and singular values along a run, and says when to stop."""

    def __init__(self, size: float, tolerance: float, power: float, operator: Operator) -> None:
        self.size, self.tolerance = size, tolerance
        # A*(z), z independent of A, has singular values up to |z| sqrt(c/m) (sqrt(d1) + sqrt(d2)), symmetric 1/sqrt(2)
        # of it.
        root = sum(np.sqrt(operator.shape)) / (2**0.5 if operator.symmetric else 1.0)
        self.edge: float = EDGE * power**0.5 * float(root) / float(operator.measurements) ** 0.5
        self.misfits: list[float] = []
        self.values: list[Array] = []
        self.status = ""

    def stops(self, state: SensingState) -> bool:
        misfit = state.train_norm / self.size
        self.misfits.append(misfit)
        self.values.append(np.asarray(np.linalg.svd(state.factors.left, compute_uv=False), dtype=np.float64))
        if misfit <= self.tolerance:
            self.status = f"converged: the labels are fitted to {self.tolerance:g}"
        elif self._has_stalled() and self._is_noise(state):
            self.status = "stopped: what is left looks like noise"
        elif self._has_stalled() and self._nothing_grows():
            self.status = "stopped: the misfit has reached the level that this scale leaves"
        return bool(self.status)

    def _has_stalled(self) -> bool:
        if len(self.misfits) <= WINDOW or self.misfits[-1] > 0.9:
            return False
        return self.misfits[-1] > (1 - STALLED) * self.misfits[-1 - WINDOW]

    def _is_noise(self, state: SensingState) -> bool:
        return float(np.linalg.norm(state.pull, 2)) <= self.edge * state.train_norm

    def _nothing_grows(self) -> bool:
        """At a saddle the misfit stalls too, but some singular value of U is growing there, however small it is."""
        before, now = self.values[-1 - WINDOW], self.values[-1]
        return bool((now <= (1 + GROWING) * before).all())

    def result(self, factors: Factors, status: str, step: float, scale: float) -> Recovery:
        values = np.array(self.values)
        last = values[-1]
        # The noise columns stay near their start, so the largest gap in the logarithms separates the signal.
        gaps = np.log(np.maximum(last[:-1], 1e-300) / np.maximum(last[1:], 1e-300))
        count = int(np.argmax(gaps)) + 1 if len(last) > 1 and gaps.max() > np.log(3.0) else len(last)
        aligned = None
        if count < len(last):
            stands_out = values[:, count - 1] >= 2 * values[:, count]
            aligned = int(np.argmax(stands_out))
        misfits = np.array(self.misfits)
        return Recovery(
            factors,
            status,
            float(misfits[-1]),
            count,
            aligned,
            int(np.argmax(values[:, count - 1] ** 2 >= 0.1 * last[count - 1] ** 2)),
            int(np.argmax(misfits <= 2 * misfits[-1])),
            misfits,
            step,
            scale,
        )


def _operator(
    given: Operator | Array | LinearOperator, shape: tuple[int, int] | None, symmetric: bool | None
) -> Operator:
    if isinstance(given, Operator):
        if symmetric not in (None, given.symmetric) or shape not in (None, given.shape):
            raise InputError(f"shape and symmetric are those of the operator, {given!r}; leave them out")
        if not np.isfinite(given.measurements):
            raise InputError("infinitely many measurements have no labels")
        return given
    if isinstance(given, np.ndarray):
        return DenseOperator.of_matrices(given, symmetric=bool(symmetric))
    if shape is None:
        raise InputError("for a linear operator give the shape of the matrix that it measures, shape=(d1, d2)")
    return LinearMap.of(given, shape, symmetric=bool(symmetric))


def _mean_square(operator: Operator, streams: Streams) -> float:
    """c = |A|^2 / (number of coordinates): exactly from the entries, else from random matrices."""
    if isinstance(operator, DenseOperator):
        found = float(np.sum(operator.rows**2)) / operator.coordinates.size
    else:
        random = streams.generator()
        probes = [random.standard_normal(operator.coordinates.size) for _ in range(PROBES)]
        found = float(np.mean([np.sum(operator.apply(operator.coordinates.matrix(p)) ** 2) / (p @ p) for p in probes]))
    if not found > 0:
        raise InputError("the measurement matrices are all zero")
    return found
