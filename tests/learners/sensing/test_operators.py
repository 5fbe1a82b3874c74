"""Measurement operators: coordinates, adjoints, and the lazily revealed operator against the dense one, in law."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns, run
from giantstep.learners.sensing import Sensing, SensingDescent, random_factors, relative_error, weakest_signal
from giantstep.learners.sensing.coordinates import Coordinates
from giantstep.learners.sensing.operators import (
    DenseOperator,
    LinearMap,
    Operator,
    PopulationOperator,
    RevealedOperator,
    symmetrisation_ratios,
    symmetrised,
)
from giantstep.streams import Streams

SHAPES = [((6, 6), True), ((6, 6), False), ((7, 4), False)]


def matrix(shape: tuple[int, int], symmetric: bool, number: int = 0) -> np.ndarray:
    drawn = np.random.default_rng(number).standard_normal(shape)
    return (drawn + drawn.T) / 2 if symmetric else drawn


def operators(shape: tuple[int, int], symmetric: bool) -> list[Operator]:
    dense = DenseOperator.gaussian(shape, 30, Streams(1), symmetric=symmetric)
    given = DenseOperator.of_matrices(np.random.default_rng(2).standard_normal((30, *shape)), symmetric=symmetric)
    full = np.random.default_rng(3).standard_normal((30, shape[0] * shape[1]))
    return [
        dense,
        given,
        RevealedOperator(shape, 30, Streams(4), symmetric=symmetric),
        PopulationOperator(shape, symmetric=symmetric),
        LinearMap.of(aslinearoperator(full), shape, symmetric=symmetric),
    ]


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_coordinates_keep_inner_products(shape: tuple[int, int], symmetric: bool) -> None:
    c, a, b = Coordinates(shape, symmetric), matrix(shape, symmetric), matrix(shape, symmetric, 1)
    assert c.vector(a) @ c.vector(b) == pytest.approx(np.sum(a * b), rel=1e-13)
    assert np.allclose(c.matrix(c.vector(a)), a, rtol=1e-15, atol=1e-15)
    assert len(c.vector(a)) == c.size


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_every_operator_has_its_adjoint(shape: tuple[int, int], symmetric: bool) -> None:
    for operator in operators(shape, symmetric):
        one = matrix(shape, symmetric)
        values = operator.apply(one)
        z = np.random.default_rng(5).standard_normal(len(values))
        back = operator.adjoint(z)
        assert values @ z == pytest.approx(np.sum(one * back), rel=1e-12), operator
        assert np.allclose(operator.normal(one), operator.adjoint(values), rtol=1e-12)
        if symmetric:
            assert np.allclose(back, back.T)


def test_matrices_of_a_user_are_measured_as_they_are() -> None:
    given = np.random.default_rng(0).standard_normal((9, 5, 5))
    full, sym = matrix((5, 5), False), matrix((5, 5), True)
    assert np.allclose(
        DenseOperator.of_matrices(given, symmetric=False).apply(full), np.einsum("mij,ij->m", given, full)
    )
    assert np.allclose(DenseOperator.of_matrices(given, symmetric=True).apply(sym), np.einsum("mij,ij->m", given, sym))
    mapped = LinearMap.of(aslinearoperator(given.reshape(9, 25)), (5, 5), symmetric=True)
    assert np.allclose(mapped.apply(sym), np.einsum("mij,ij->m", given, sym))


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_gaussian_measurements_are_isometric_in_the_mean(shape: tuple[int, int], symmetric: bool) -> None:
    """E[A* A] = Id: with unit variances off the diagonal of symmetric matrices it would be twice that there."""
    one = matrix(shape, symmetric)
    for kind in (DenseOperator.gaussian, RevealedOperator):
        mean = sum(kind(shape, 10, Streams(k), symmetric=symmetric).normal(one) for k in range(500)) / 500
        # The variance of an entry is at most 2 |M|^2/m.
        assert np.abs(mean - one).max() < 5 * np.sqrt(2 * np.sum(one**2) / 5000)


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_revealed_replies_are_those_of_one_matrix(shape: tuple[int, int], symmetric: bool) -> None:
    """Whatever is asked in whatever order, <A(M), z> = <M, A*(z)> for all questions, old and new, and A is linear."""
    operator = RevealedOperator(shape, 12, Streams(0), symmetric=symmetric, tolerance=1e-14)
    random = np.random.default_rng(0)
    asked, answered = [], []
    for number in range(40):  # more than the matrix has rows and columns: everything is known at the end
        if number % 3 != 2:
            m = matrix(shape, symmetric, 10 + number)
            asked.append((m, operator.apply(m)))
        else:
            z = random.standard_normal(12)
            answered.append((z, operator.adjoint(z)))
    gaps = [a @ z - np.sum(m * b) for m, a in asked for z, b in answered]
    assert np.abs(gaps).max() < 1e-12 * 40
    again = operator.apply(asked[0][0] - 3 * asked[1][0])
    assert np.allclose(again, asked[0][1] - 3 * asked[1][1], rtol=0, atol=1e-12)
    assert operator.revealed[1] <= 12
    assert operator.revealed[0] <= operator.coordinates.size


def test_the_same_questions_have_the_same_answers() -> None:
    one, other = (RevealedOperator((8, 8), 20, Streams(3), symmetric=True) for _ in range(2))
    for number in range(4):
        m = matrix((8, 8), True, number)
        assert np.array_equal(one.normal(m), other.normal(m))


def seen_in_a_run(operator: Operator, basis: np.ndarray, streams: Streams) -> list[float]:
    """Edge and top of Z, |Z - M|^2, the half-time and the final error of one run."""
    d, count = basis.shape
    problem = Sensing(operator, truth=basis @ basis.T)
    spectral = problem.spectral_matrix()
    values = np.linalg.eigvalsh(spectral)
    start = random_factors((d, d), 5, 1e-3, streams.child("start"), symmetric=True)
    weakest = {"weakest": lambda state: weakest_signal(state.factors.left, basis)}
    found = run(SensingDescent(problem, 0.25), start, steps=70, watch=weakest)
    half = np.sum(found["weakest"] < 0.5**0.5)
    error = relative_error(found.last.product, basis @ basis.T)
    return [values[-count - 1], values[-1], float(np.sum((spectral - basis @ basis.T) ** 2)), half, np.log(error)]


def test_revealed_and_dense_agree_in_law() -> None:
    d, count, m, seeds = 20, 2, 320, 60
    found = {}
    for name, kind in (("dense", DenseOperator.gaussian), ("revealed", RevealedOperator)):
        rows = []
        for seed in range(seeds):
            streams = Streams(seed).child(name)  # independent, so that two means can be compared
            basis = orthonormal_columns(d, count, streams.child("truth"))
            rows.append(seen_in_a_run(kind((d, d), m, streams.child("operator"), symmetric=True), basis, streams))
        found[name] = np.array(rows)
    one, other = found["dense"], found["revealed"]
    z = (one.mean(0) - other.mean(0)) / np.sqrt((one.var(0, ddof=1) + other.var(0, ddof=1)) / seeds)
    assert np.abs(z).max() < 4.0, z
    # E|Z - M|^2 = (D + 1)|M|^2/m exactly, D = d(d+1)/2.
    exact = (d * (d + 1) / 2 + 1) * count / m
    for rows in (one, other):
        assert abs(rows[:, 2].mean() - exact) < 4 * rows[:, 2].std(ddof=1) / seeds**0.5


def test_a_size_beyond_dense_memory_runs() -> None:
    """d = 300, m = 15000: dense measurements would take 5.4 GB."""
    d, count, m = 300, 5, 15_000
    basis = orthonormal_columns(d, count, Streams(0))
    operator = RevealedOperator((d, d), m, Streams(1), symmetric=True)
    problem = Sensing(operator, truth=basis @ basis.T)
    start = random_factors((d, d), 10, 1e-3, Streams(2), symmetric=True)
    final = run(SensingDescent(problem, 0.25), start, times=[60]).last
    assert relative_error(final.product, basis @ basis.T) < 0.02
    assert operator.bytes < 2e8


def test_symmetrised_measurements_see_twice_the_block() -> None:
    operator = DenseOperator.gaussian((4, 3), 10, Streams(0), symmetric=False)
    m = matrix((4, 3), False)
    block = np.zeros((7, 7))
    block[:4, 4:], block[4:, :4] = m, m.T
    assert np.allclose(symmetrised(operator).apply(block), 2 * operator.apply(m))


def test_the_factors_of_the_symmetrisation() -> None:
    """1/8 and 1/32, whatever the matrices are."""
    operator = DenseOperator.gaussian((4, 3), 10, Streams(0), symmetric=False)
    model, truth = (random_factors((4, 3), 2, 1.0, Streams(seed), symmetric=False) for seed in (1, 2))
    assert symmetrisation_ratios(operator, model, truth) == pytest.approx((1 / 8, 1 / 32))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="square"):
        PopulationOperator((3, 4), symmetric=True)
    with pytest.raises(InputError, match="at least 1"):
        RevealedOperator((3, 3), 0, Streams(0), symmetric=True)
    with pytest.raises(InputError, match="tolerance"):
        RevealedOperator((3, 3), 5, Streams(0), symmetric=True, tolerance=1.5)
    with pytest.raises(InputError, match="measures"):
        PopulationOperator((3, 3), symmetric=True).apply(np.zeros((2, 2)))
    with pytest.raises(InputError, match="shape"):
        DenseOperator.of_matrices(np.zeros((3, 4)), symmetric=False)
    with pytest.raises(InputError, match="another number"):
        LinearMap.of(aslinearoperator(np.zeros((5, 7))), (2, 3), symmetric=False)
