"""Time of a spectral matrix (1/n) sum T(y) x x^T with its top eigenpair over that of the plain product X^T (T X).

    python benchmarks/spectral_matrix.py

The matrix alone should cost less than the product, for only one triangle is computed; with the eigenpair at n = 8 d it
should stay near it.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from _measure import header, interleaved, row
from giantstep.learners.labelled import labelled_matrices, top_eigenpairs
from giantstep.problems import ArraySample


def main(d: int = 1000, samples_per_dim: int = 8, repeats: int = 3) -> None:
    x = np.random.default_rng(0).standard_normal((samples_per_dim * d, d))
    y = x[:, 0] ** 2
    sample = ArraySample(x, y)
    matrix = labelled_matrices(sample, np.tanh).matrices[0]
    times = interleaved(
        repeats,
        product=lambda: x.T @ (np.tanh(y)[:, None] * x),
        matrix=lambda: labelled_matrices(sample, np.tanh),
        both=lambda: top_eigenpairs(labelled_matrices(sample, np.tanh).matrices[0], 2),
    )
    assert np.allclose(matrix, x.T @ (np.tanh(y)[:, None] * x) / len(x))
    print(header("ours", "product"))
    print(row(f"matrix, d = {d}, n = {len(x)}", times["matrix"], times["product"], "<= 1.0"))
    print(row("matrix and its top eigenpair", times["both"], times["product"], "<= 1.5"))


if __name__ == "__main__":
    main()
