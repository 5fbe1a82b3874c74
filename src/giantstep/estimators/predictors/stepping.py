"""Two-layer networks after giant steps, fitted to a table: whiten, step, ridge head."""

from __future__ import annotations

from itertools import islice
from typing import Any, Self

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.checks import real_number, require, whole_number
from giantstep.estimators.predictors.choosing import Candidate, Rows, best_of, folds, halves, without_step
from giantstep.estimators.predictors.stages import next_step, random_features
from giantstep.estimators.predictors.streamed import Stream
from giantstep.estimators.predictors.tables import (
    Table,
    folds_of,
    input_map,
    positive_path,
    progress_of,
    tell_cost,
)
from giantstep.estimators.scikit import (
    BaseEstimator,
    checked_rows,
    generator_of,
)
from giantstep.learners.engines import one_blas_thread
from giantstep.problems import Activation
from giantstep.streams import Streams

SIZES = (0.5, 2.0, 8.0)
"""Step sizes that "auto" tries, in lengths of the weights: from a tilt to nearly the gradient alone."""
MOST_STEPS = 4
"""Steps that "auto" tries at most; it ends where one more does not lower the held-out error."""
RIDGE = tuple(10.0 ** np.linspace(-6, 3, 19))
"""Penalties per neuron of the head: from nearly interpolating to nearly the mean."""
STEP = "'auto' or a number of 0 or more"
FEWEST = 8
"""Rows below which nothing can be held out for a step, and none is taken."""
SECONDS = 2.5e-11
"""Of a head, times (n + N) N^2, on one core of 2021."""


class GiantStep(BaseEstimator):
    """What regressor and classifier share; their docstrings tell the parameters."""

    def __init__(
        self,
        *,
        activation: Any = "relu",
        neurons: Any = 400,
        step: Any = "auto",
        steps: Any = "auto",
        ridge: Any = "loo",
        split: Any = True,
        cv: Any = 5,
        inputs: Any = "whitened",
        gaussianise: Any = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        self.activation = activation
        self.neurons = neurons
        self.step = step
        self.steps = steps
        self.ridge = ridge
        self.split = split
        self.cv = cv
        self.inputs = inputs
        self.gaussianise = gaussianise
        self.random_state = random_state
        self.verbose = verbose

    def _fit_table(self, table: Table) -> Self:
        self.__dict__.pop("stream_", None)
        self._start(table)
        rows = self._rows(table)
        if not self.split:
            self._dealt = folds_of(self.cv, table, self._streams.child("folds").generator())
        with one_blas_thread():
            return self._keep(self._candidates(rows), rows.share, rows, table.total)

    def _add_block(self, table: Table) -> Self:
        """The first block gives scales and first layers, each block is predicted and then learned (`streamed`)."""
        with one_blas_thread():
            if not hasattr(self, "stream_"):
                self._start(table)
                rows = self._first_layers(self._rows(table))
            else:
                rows = self._rows(table)
            self.stream_.add(rows, table.total * len(rows.y) / len(table.y))
            return self._keep(*self.stream_.candidates(), rows, table.total * len(rows.y) / len(table.y))

    def _first_layers(self, rows: Rows) -> Rows:
        """Step on one half of the first block; the other half is left for the heads."""
        n, states = len(rows.y), [self.start_]
        sizes, most = self._sizes(), 1 if self.steps == "auto" else self._most_steps()
        if n < FEWEST or sizes == [0.0]:
            self.stream_ = Stream(states, self._ridge)
            return rows
        order = self._streams.child("rows").generator().permutation(n)
        half, rest = rows[order[: n // 2]], rows[order[n // 2 :]]
        found = states if sizes[0] == 0 else []
        for step in sizes:
            state = self.start_
            for _ in range(most if step else 0):
                state = next_step(state, half.x, half.y, half.share, step, self._ridge)
            if step:
                found.append(state)
        self.stream_ = Stream(found, self._ridge)
        return rest

    def _keep(self, candidates: list[Candidate], share: Array, rows: Rows, total: float) -> Self:
        """The best candidate, and how all of them did; `rows`, which stand for `total`, are those that it missed."""
        best, k = best_of(candidates, share), len(self.label_scales_)
        self.parts_ = best.parts()
        self.step_, self.steps_ = (best.step, best.steps) if best.steps else (0.0, 0)
        self.ridge_ = float(self._ridge[best.penalty])
        self.held_out_errors_ = {(one.step, one.steps): float(share @ one.errors) / k for one in candidates}
        self.held_out_score_ = 1 - self.held_out_errors_[best.step, best.steps]
        said, labels = (y * self.label_scales_ + self.label_means_ for y in (rows.y - best.missed, rows.y))
        self._judge(said, labels, rows, total)
        return self

    def _judge(self, said: Array, labels: Array, rows: Rows, total: float) -> None:
        """What was said of labels that were not seen, both (n, k), in their units; nothing is made of it here."""

    def _start(self, table: Table) -> None:
        """Parameters checked, the scales of rows and labels, the network before any step."""
        self._ridge = self._penalties()
        neurons = whole_number("neurons", self.neurons)
        generator = generator_of(self.random_state)
        self._streams = Streams(int(generator.integers(2**63)))
        self.inputs_ = input_map(self.inputs, self.gaussianise, table)
        self.label_means_, self.label_scales_, self._is_flat = table.label_means, table.label_scales, table.is_flat
        d = self.inputs_.rows(table.x[:1]).shape[1]
        activation = self.activation if isinstance(self.activation, Activation) else Activation(self.activation)
        self.start_ = random_features(activation, max(d, 1), neurons, self._streams.child("network"))

    def _rows(self, table: Table) -> Rows:
        y = (table.y - self.label_means_) / self.label_scales_
        return Rows(self._inputs(table.x), y, table.share)

    def _inputs(self, x: Floats) -> Floats:
        rows = self.inputs_.rows(x).astype(x.dtype, copy=False)
        return rows if rows.shape[1] else np.zeros((len(rows), 1), dtype=x.dtype)  # every column is constant

    def _candidates(self, rows: Rows) -> list[Candidate]:
        """All that was tried, that without a step first unless a step was given."""
        n, sizes, most = len(rows.y), self._sizes(), self._most_steps()
        if n < FEWEST:
            sizes = [0.0]
        size = self.start_.network.neurons + self.start_.network.d
        tried = 1 + 2 * len(sizes) * most * (1 if self.split else len(np.unique(self._dealt)))
        tell_cost(
            self,
            tried * SECONDS * (n + size) * size**2,
            4.0 * n * size,
            f"{tried} heads of {size} features on {n} rows",
        )
        progress = progress_of(self, f"{n} rows")
        found: list[Candidate] = []
        for done, step in enumerate(sizes):
            course = self._course(rows, step)
            for candidate in islice(course, most if step else 1):
                if self.steps == "auto" or candidate.steps in (0, most):
                    found.append(candidate)
                if progress is not None:
                    progress((done + candidate.steps / most) / len(sizes))
                if self.steps == "auto" and _no_better(found, step, rows.share):
                    break
        if progress is not None:
            progress(1.0)
        return found

    def _course(self, rows: Rows, step: float) -> Any:
        """Candidates after 1, 2, ... steps of this size; after none for a size of 0."""
        generator, n = self._streams.child("rows").generator(), len(rows.y)
        if self.split or n < FEWEST:
            if not step:
                return iter([without_step(rows, self.start_, self._ridge)])
            return halves(rows, self.start_, step, self._ridge, generator.permutation(n))
        return folds(rows, self.start_, step, self._ridge, self._dealt)

    def _sizes(self) -> list[float]:
        if isinstance(self.step, str):
            require(
                self.step == "auto", f"step = {self.step!r} is not allowed; it must be 'auto' or a number of 0 or more"
            )
            return [0.0, *SIZES]
        return [real_number("step", self.step, "'auto' or a number of 0 or more", least=0)]

    def _most_steps(self) -> int:
        if isinstance(self.steps, str):
            require(self.steps == "auto", f"steps = {self.steps!r} is not allowed; it must be 'auto' or a whole number")
            return MOST_STEPS
        return whole_number("steps", self.steps)

    def _penalties(self) -> Array:
        if isinstance(self.ridge, str):
            require(self.ridge == "loo", f"ridge = {self.ridge!r} is not allowed; it must be 'loo' or positive numbers")
            return np.array(RIDGE)
        return positive_path(self.ridge)

    def _predicted(self, X: Any) -> Array:
        """Predictions of all labels, (n, k), in their units."""
        rows = self._inputs(checked_rows(self, X))
        with one_blas_thread():
            found = np.mean([part(rows) for part in self.parts_], axis=0)
        return np.asarray(found * self.label_scales_ + self.label_means_)


def _no_better(found: list[Candidate], step: float, share: Array) -> bool:
    """Whether the last step of this size did not lower the error."""
    errors = [float(share @ one.errors) for one in found if one.step == step]
    return len(errors) > 1 and errors[-1] >= errors[-2]
