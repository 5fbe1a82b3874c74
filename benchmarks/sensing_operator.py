"""The lazily revealed Gaussian operator against the dense one, time and memory, at the size of the slide.

    python benchmarks/sensing_operator.py

Symmetric sensing with d = 200, r* = 5, m = 10,000 measurements, r = 10 columns, alpha = 1e-4, mu = 1/4, 100 iterations:
a whole run, from drawing the operator to the last iteration. Dense holds 1.6 GB (half of what full matrices would
need); both on one thread. Last line, for the record: d = 1000, m = 50,000, where dense would take 200 GB (full matrices
400 GB). Then the gradient of a quadratic network of 10 neurons on samples x, measurements x x' - I: by their matrices,
and by the samples alone in O(n d r), d = 100, n = 5000.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from _measure import header, interleaved, row
from giantstep.learners import orthonormal_columns, run
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.sensing import Sensing, SensingDescent, random_factors, relative_error
from giantstep.learners.sensing.operators import DenseOperator, Operator, RankOneOperator, RevealedOperator
from giantstep.streams import Streams

RANK, COLUMNS, SCALE, STEP, ITERATIONS = 5, 10, 1e-4, 0.25, 100


def whole_run(make: Callable[..., Operator], d: int, measurements: int, seen: dict[str, float]) -> Callable[[], None]:
    """One whole run; its final error and the bytes of its operator are noted."""

    def work() -> None:
        streams = Streams(0)
        operator = make((d, d), measurements, streams.child("operator"), symmetric=True)
        basis = orthonormal_columns(d, RANK, streams.child("truth"))
        problem = Sensing(operator, truth=basis @ basis.T)
        start = random_factors((d, d), COLUMNS, SCALE, streams.child("start"), symmetric=True)
        final = run(SensingDescent(problem, STEP), start, times=[ITERATIONS]).last
        seen["error"] = relative_error(final.product, basis @ basis.T)
        if isinstance(operator, DenseOperator):
            seen["bytes"] = float(operator.rows.nbytes)
        elif isinstance(operator, RevealedOperator):
            seen["bytes"] = float(operator.bytes)

    return work


def by_samples() -> None:
    """One residual and its gradient, with dense rows and with `RankOneOperator`."""
    d, n = 100, 5000
    fast = RankOneOperator(Streams(0).generator().standard_normal((n, d)))
    where = np.triu_indices(d)
    rows = fast.inputs[:, where[0]] * fast.inputs[:, where[1]] - (where[0] == where[1])
    dense = DenseOperator(rows * np.where(where[0] == where[1], 1.0, 2**0.5) / (2 * n) ** 0.5, (d, d), symmetric=True)
    factor, labels = Streams(1).generator().standard_normal((d, COLUMNS)), np.ones(n)
    assert np.allclose(dense.apply(factor @ factor.T), fast.apply_factor(factor))
    times = interleaved(
        5,
        matrices=lambda: dense.adjoint(dense.apply(factor @ factor.T) - labels) @ factor,
        samples=lambda: fast.fit_and_pull(factor, labels),
    )
    print(row("rank one, matrices over samples, d=100, n=5000", times["matrices"], times["samples"], ">= 2"))


if __name__ == "__main__":
    dense: dict[str, float] = {}
    revealed: dict[str, float] = {}
    large: dict[str, float] = {}
    with one_blas_thread():
        print(header("dense", "revealed"))
        revealed_run = whole_run(RevealedOperator, 200, 10_000, revealed)
        quick = interleaved(3, revealed=revealed_run)["revealed"]
        times = interleaved(1, dense=whole_run(DenseOperator.gaussian, 200, 10_000, dense), revealed=revealed_run)
        best = min(quick, times["revealed"], key=lambda t: t.wall)
        print(row("dense over revealed, d=200, m=10000, T=100", times["dense"], best, ">= 20"))
        print(f"memory: {dense['bytes'] / 1e6:.0f} MB dense, {revealed['bytes'] / 1e6:.0f} MB revealed, ", end="")
        print(
            f"ratio {dense['bytes'] / revealed['bytes']:.0f}; final errors {dense['error']:.1e}, "
            f"{revealed['error']:.1e}"
        )
        record = interleaved(1, large=whole_run(RevealedOperator, 1000, 50_000, large))["large"]
        print(f"for the record, d=1000 and m=50000: {record.wall:.1f} seconds, {large['bytes'] / 1e6:.0f} MB, ", end="")
        print(f"final error {large['error']:.1e}")
        by_samples()
