"""Gradient descent on factors from a small start, for measurements and labels of any scale, watched until it ends.

With c = |A|^2/(number of entries), A* A is about c Id, and in the units of a truth of norm 1 the step is mu and the
start alpha:

    Z = A*(y)/c,    step mu/|Z|,    entries alpha sqrt|Z| N(0, 1/r).

Means of labels and of measurement matrices are removed, since a matrix of means would hide all others. Descent ends
when the labels are fitted to a tolerance; or when the residual z looks like noise and falls no more, |A*(z)| <= 1.1 |z|
sqrt(c/m)(sqrt(d1) + sqrt(d2)), which is the edge of the singular values of a Gaussian combination of measurements; or
when it falls no more and no singular value of U grows; or after a number of steps.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Sensing, SensingDescent, SensingState, random_factors
from giantstep.learners.sensing.operators.operators import Centred, DenseOperator, Operator
from giantstep.learners.trajectory import run
from giantstep.streams import Streams

EDGE = 1.1  # times the edge of pure noise: below it, the residual holds no direction to be learned
WINDOW, STALLED = 10, 0.05  # a misfit that falls by less than 5 % in 10 iterations has stopped falling
GROWING = 0.01  # a singular value of U that gains more than this in the same time is on its way
PROBES = 16
NOTHING = 1e-12  # of all measurements: if no more than this share differs between them, they are all alike


class Course:
    """Notes misfits and singular values along a run, and says when to stop."""

    def __init__(self, size: float, tolerance: float, power: float, operator: Operator) -> None:
        self.size, self.tolerance = size, tolerance
        # A*(z), z independent of A, has singular values up to |z| sqrt(c/m) (sqrt(d1) + sqrt(d2)), symmetric 1/sqrt(2)
        # of it.
        root = sum(np.sqrt(operator.shape)) / (2**0.5 if operator.symmetric else 1.0)
        self.edge: float = EDGE * power**0.5 * float(root) / float(operator.measurements) ** 0.5
        self.misfits: list[float] = []
        self.values: list[Array] = []

    def stops(self, state: SensingState) -> bool:
        misfit = state.train_norm / self.size
        self.misfits.append(misfit)
        self.values.append(np.asarray(np.linalg.svd(state.factors.left, compute_uv=False), dtype=np.float64))
        if misfit <= self.tolerance:
            return True
        return self._has_stalled() and (self._is_noise(state) or self._nothing_grows())

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

    @property
    def count(self) -> int:
        """How many singular values stand out: noise columns stay near their start, so the largest gap in the logarithms
        separates the signal."""
        last = self.values[-1]
        gaps = np.log(np.maximum(last[:-1], 1e-300) / np.maximum(last[1:], 1e-300))
        return int(np.argmax(gaps)) + 1 if len(last) > 1 and gaps.max() > np.log(3.0) else len(last)

    @property
    def times(self) -> tuple[int | None, int, int]:
        """When the directions that stand out did so by a factor 2 (none if all do), when the weakest had a tenth of its
        final size in the product, and when the misfit was within twice its final value."""
        values, count, misfits = np.array(self.values), self.count, np.array(self.misfits)
        aligned = None if count == values.shape[1] else int(np.argmax(values[:, count - 1] >= 2 * values[:, count]))
        escaped = int(np.argmax(values[:, count - 1] ** 2 >= 0.1 * values[-1, count - 1] ** 2))
        return aligned, escaped, int(np.argmax(misfits <= 2 * misfits[-1]))


def descend(
    operator: Operator,
    labels: Array,
    columns: int,
    scale: float,
    step: float,
    steps: int,
    tolerance: float,
    streams: Streams,
) -> tuple[Course, Array]:
    """The course of gradient descent from a small start, and the matrix at its end.

    Args:
        operator: A.
        labels: y, (m,).
        columns: of the factors.
        scale: alpha, in units of the root of the truth's norm.
        step: mu, in units of the truth's norm.
        steps: the most iterations.
        tolerance: the misfit at which the labels count as fitted.
        streams: where start and probes are drawn from.
    """
    seen, y = operator, labels
    whole = _mean_square(operator, streams.child("probes"))
    if whole == 0.0:
        raise InputError("the measurement matrices are all zero")
    power = _mean_square(Centred(operator), streams.child("probes"))
    if power > NOTHING * whole and (labels - labels.mean()).any():
        seen, y = Centred(operator), labels - labels.mean()
    else:
        power = whole  # measurements or labels are all alike: there is nothing to compare
    problem = Sensing(seen, labels=y)
    size = float(np.linalg.norm(problem.spectral_matrix(), 2)) / power
    if size == 0.0:
        raise InputError("the labels say nothing: the adjoint of the measurements maps them to zero")
    start = random_factors(
        operator.shape, columns, scale * size**0.5, streams.child("start"), symmetric=operator.symmetric
    )
    watch = Course(float(np.linalg.norm(y)), tolerance, power, operator)
    trajectory = run(SensingDescent(problem, step / (size * power)), start, steps=steps, stop=watch.stops)
    return watch, trajectory.last.factors.product


def _mean_square(operator: Operator, streams: Streams) -> float:
    """c = |A|^2 / (number of coordinates): exactly from the entries, else from random matrices."""
    whole = operator.whole if isinstance(operator, Centred) else operator
    if isinstance(whole, DenseOperator):
        rows = whole.rows - whole.rows.mean(axis=0) if isinstance(operator, Centred) else whole.rows
        found = float(np.sum(rows**2)) / operator.coordinates.size
    else:
        random = streams.generator()
        probes = [random.standard_normal(operator.coordinates.size) for _ in range(PROBES)]
        found = float(np.mean([np.sum(operator.apply(operator.coordinates.matrix(p)) ** 2) / (p @ p) for p in probes]))
    return found
