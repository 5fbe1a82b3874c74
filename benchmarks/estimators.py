"""Estimators and the diagnosis against what is known, against others, and against what they promise.

    python benchmarks/estimators.py                      the quick parts: overlaps at the smallest size, counts, speed
    python benchmarks/estimators.py overlaps [n ...] [METHOD ...]   known directions, for these of n = 1500, 4000, 20000
    python benchmarks/estimators.py counts               how many directions permutations count, beside the truth
    python benchmarks/estimators.py tables [NAME ...]    real tables: ours, scikit-learn's and xrfm on the same folds
    python benchmarks/estimators.py alarms [TABLES [SEED]]   false alarms of whole diagnoses of noise (200 tables)
    python benchmarks/estimators.py speed [n]            LazyRegressor, 30 penalties, against GridSearchCV(KernelRidge)
    python benchmarks/estimators.py memory [n]           LazyRegressor's peak of memory against one n x n matrix

Sizes are for a small machine: overlaps take about 2, 10 and 20 minutes of one core for the three sizes, tables half a
minute to some minutes each, alarms ten minutes, speed at n = 2000 a minute, memory at n = 20,000 half an hour and 4 GB.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection

import numpy as np

import _known_directions
import _noise_tables
import _real_tables
from _measure import header, interleaved, row
from giantstep.estimators import LazyRegressor
from giantstep.learners.engines import one_blas_thread
from kernel_memory import resident

PENALTIES = 30
MEMORY_AIM = 1.3


def overlaps(*words: str) -> None:
    wanted = [int(word) for word in words if word.isdigit()] or [1500]
    named = [word for word in words if not word.isdigit()] or list(_known_directions.METHODS)
    if unknown := [word for word in named if word not in _known_directions.METHODS]:
        raise SystemExit(f"there is no method '{unknown[0]}'; there are: {', '.join(_known_directions.METHODS)}")
    _known_directions.show_overlaps(
        {size: count for size, count in _known_directions.SIZES.items() if size[0] in wanted},
        {name: _known_directions.METHODS[name] for name in named},
    )


def counts() -> None:
    _known_directions.show_counts()


def tables(*names: str) -> None:
    _real_tables.show_tables(list(names) or list(_real_tables.TABLES))


def alarms(count: str = "200", seed: str = "0") -> None:
    _noise_tables.show_alarms(int(count), int(seed))


def speed(n: str = "2000") -> None:
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV

    generator = np.random.default_rng(0)
    x = generator.standard_normal((int(n), 20))
    y = x[:, 0] * x[:, 1] + generator.standard_normal(int(n))
    same = KernelRidge(kernel="poly", degree=4, gamma=1 / 20, coef0=1)  # the kernel (1 + t)**4
    grid = GridSearchCV(same, {"alpha": 10.0 ** np.linspace(-6, 3, PENALTIES)}, cv=5)
    ours = LazyRegressor("(1 + t)**4")
    ours.fit(x[:64], y[:64])  # loads what a first call loads
    with one_blas_thread():
        spent = interleaved(1, ours=lambda: ours.fit(x, y), theirs=lambda: grid.fit(x, y))
    print(header("GridSearch", "Lazy"))
    print(row(f"n={n}, {PENALTIES} penalties: 5 folds over leave-one-out", spent["theirs"], spent["ours"], ">= 10"))


def _fit(n: int, answer: Connection) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((n, 20)), generator.standard_normal(n)
    LazyRegressor("exp").fit(x[:64], y[:64])
    before = resident()
    LazyRegressor("exp", verbose=True).fit(x, y)
    answer.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0 - before)


def memory(n: str = "6000") -> None:
    spawn = multiprocessing.get_context("spawn")  # a forked process would start with our memory
    here, there = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_fit, args=(int(n), there))
    process.start()
    ratio = here.recv() / (8.0 * int(n) ** 2)
    process.join()
    verdict = "met" if ratio <= MEMORY_AIM else "MISSED"
    print(f"n={n}: peak of memory over 8 n^2 bytes: {ratio:.3f}  (aim <= {MEMORY_AIM})  {verdict}")


PARTS: dict[str, Callable[..., None]] = {
    "overlaps": overlaps,
    "counts": counts,
    "tables": tables,
    "alarms": alarms,
    "speed": speed,
    "memory": memory,
}


def main(line: list[str]) -> None:
    if not line:
        overlaps()
        counts()
        speed("1500")
        memory("4000")
    elif line[0] in PARTS:
        PARTS[line[0]](*line[1:])
    else:
        raise SystemExit(f"there is no part '{line[0]}'; there are: {', '.join(PARTS)}")


if __name__ == "__main__":
    main(sys.argv[1:])
