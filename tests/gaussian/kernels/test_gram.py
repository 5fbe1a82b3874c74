from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from tests.gaussian.samples import GELU, SHIFTED_RELU, TANH, family, sharp

from giantstep.errors import InputError
from giantstep.gaussian.kernels import dual_kernel, gram_kernel, second_moment_at


def weights(n, d, seed=11):
    return np.random.default_rng(seed).normal(size=(n, d)) / sqrt(d)


def check(f, w, tol=1e-10, picks=60):
    """Against the pairwise kernel on random entries and on the most correlated ones."""
    gram = w @ w.T
    kernel = gram_kernel(f, gram, tol=tol)
    assert np.array_equal(kernel, kernel.T)
    variance = np.diagonal(gram)
    diagonal = second_moment_at(f, np.sqrt(variance))
    assert np.allclose(np.diagonal(kernel), diagonal, rtol=1e-12, atol=1e-12)
    rng = np.random.default_rng(1)
    i, j = rng.integers(0, len(w), (2, picks))
    sd = np.maximum(np.sqrt(variance), 1e-100)
    strongest = np.abs(np.triu(gram, 1) / np.outer(sd, sd)).ravel().argsort()[-10:]
    i, j = np.append(i, strongest // len(w)), np.append(j, strongest % len(w))
    pairwise = dual_kernel(f, f, variance[i], variance[j], gram[i, j], tol=1e-13)
    assert np.all(np.abs(kernel[i, j] - pairwise) <= tol * np.sqrt(diagonal[i] * diagonal[j]) + 1e-13)
    return kernel


@pytest.mark.parametrize("f", [TANH, GELU, SHIFTED_RELU, sharp(20), family("erf"), family("relu"), family("step")])
def test_random_weights(f):
    kernel = check(f, weights(300, 120))
    assert np.linalg.eigvalsh(kernel).min() > -1e-9 * np.abs(kernel).max()


@pytest.mark.parametrize("f", [TANH, SHIFTED_RELU])
@pytest.mark.parametrize("sign", [1, -1])
def test_paired_neurons(f, sign):
    half = weights(150, 100)
    check(f, np.vstack([half, sign * half]))


@pytest.mark.slow
@pytest.mark.parametrize("size", [1.0, 4.0])
@pytest.mark.parametrize("f", [TANH, GELU])
def test_one_strong_common_direction(f, size):
    """After a large step all neurons share a direction: correlations near one, scales over an order of magnitude."""
    rng = np.random.default_rng(2)
    w = weights(200, 80) + size * np.outer(rng.normal(size=200), weights(1, 80, seed=9)[0])
    check(f, w, picks=25)


def test_nearly_parallel_neurons_with_a_kink():
    w = weights(140, 60)
    w[1] = w[0] + 1e-3 * w[5]
    w[2] = -w[0] + 1e-6 * w[7]
    check(SHIFTED_RELU, w, picks=10)


def test_zero_rows_equal_rows_and_unit_spheres():
    w = weights(130, 50)
    w[3] = 0.0
    w[77] = w[5]
    check(TANH, w)
    check(SHIFTED_RELU, w / np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-100))
    check(family("step"), w)
    check(TANH, np.zeros((3, 4)))


def test_small_sizes_and_parity():
    assert gram_kernel(TANH, np.zeros((0, 0))).shape == (0, 0)
    assert gram_kernel(TANH, [[2.0]])[0, 0] == pytest.approx(float(second_moment_at(TANH, sqrt(2.0))))
    even = gram_kernel(family("cos").without_terms(), [[1.0, 0.4], [0.4, 1.0]])
    assert np.allclose(even, gram_kernel(family("cos"), [[1.0, 0.4], [0.4, 1.0]]), atol=1e-12)


def test_the_upper_triangle_decides():
    for f in (TANH, family("erf")):
        assert np.array_equal(gram_kernel(f, [[1.0, 0.5], [0.0, 1.0]]), gram_kernel(f, [[1.0, 0.5], [0.5, 1.0]]))


def test_refusals():
    with pytest.raises(InputError, match="square"):
        gram_kernel(TANH, np.ones((2, 3)))
    with pytest.raises(InputError, match="larger than its variances allow"):
        gram_kernel(TANH, [[1.0, 2.0], [2.0, 1.0]])
