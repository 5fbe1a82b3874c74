"""The ridge head: one factorisation for a path, both sides, and two scores that are not the same thing."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.heads import RidgeHead, fit_head, fit_ridge
from giantstep.learners.heads.ridge_path import CHOLESKY_UP_TO, solve_path
from giantstep.learners.networks import BES22, RidgeConvention, initialise
from giantstep.problems import Activation, ArraySample, Problem, Target, whole
from giantstep.streams import Streams

SHAPES = [(30, 12), (12, 30), (20, 20)]
FEW = np.logspace(-3, 1, 4)
MANY = np.logspace(-3, 1, CHOLESKY_UP_TO + 3)


def data(shape: tuple[int, int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape), rng.standard_normal(shape[0])


def solve(psi: np.ndarray, y: np.ndarray, penalty: float, n: int | None = None) -> np.ndarray:
    n = n or len(y)
    return np.linalg.solve(psi.T @ psi / n + penalty * np.eye(psi.shape[1]), psi.T @ y / n)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("penalties", [FEW, MANY], ids=["cholesky", "tridiagonal"])
@pytest.mark.parametrize("validate", [False, True])
def test_path_solves_the_normal_equations(shape, penalties, validate) -> None:
    psi, y = data(shape)
    path = fit_ridge(psi, y, RidgeHead(penalties, validate=validate))
    for row, error, penalty in zip(path.coefficients, path.training_error, penalties, strict=True):
        c = solve(psi, y, penalty)
        np.testing.assert_allclose(row, c, rtol=1e-9, atol=1e-11)
        assert error == pytest.approx(np.mean((y - psi @ c) ** 2), rel=1e-8, abs=1e-13)
    assert (path.leave_one_out is None) is not validate


@pytest.mark.parametrize("shape", SHAPES)
def test_leave_one_out_is_the_brute_force_one(shape) -> None:
    """The held-out fit keeps the objective's 1/n (n lambda is what the deletion formula holds fixed)."""
    psi, y = data(shape)
    path = fit_ridge(psi, y, RidgeHead(FEW, validate=True))
    for score, penalty in zip(path.leave_one_out, FEW, strict=True):
        errors = [y[i] - psi[i] @ solve(np.delete(psi, i, 0), np.delete(y, i), penalty, len(y)) for i in range(len(y))]
        assert score == pytest.approx(np.mean(np.square(errors)), rel=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_gcv_is_its_formula_and_not_leave_one_out(shape) -> None:
    psi, y = data(shape)
    path = fit_ridge(psi, y, RidgeHead(FEW, validate=True))
    n, width = shape
    for score, penalty in zip(path.gcv, FEW, strict=True):
        smoother = psi @ np.linalg.solve(psi.T @ psi / n + penalty * np.eye(width), psi.T) / n
        direct = np.mean((y - smoother @ y) ** 2) / (1 - np.trace(smoother) / n) ** 2
        assert score == pytest.approx(direct, rel=1e-7)
    assert np.all(np.abs(path.gcv / path.leave_one_out - 1) > 1e-6)


@pytest.mark.parametrize("n", [3000, 40])
@pytest.mark.parametrize("validate", [False, True])
def test_streamed_fit_is_the_fit_in_memory(n: int, validate: bool) -> None:
    problem = Problem(Target("tanh(x1)"), 10, noise=0.2)
    net = initialise(BES22, Activation("erf"), 10, 50, Streams(1))
    sample = problem.sample(n, Streams(2))
    x = np.concatenate([sample.block(i)[0] for i in range(sample.blocks())])
    y = np.concatenate([sample.block(i)[1] for i in range(sample.blocks())])
    head = RidgeHead([0.01, 0.1], RidgeConvention.BES22, validate)
    path, streamed = fit_ridge(net.features(x), y, head), fit_head(net, sample, head, threads=2)
    np.testing.assert_allclose(streamed.coefficients, path.coefficients, rtol=1e-8, atol=1e-10)
    if validate:
        np.testing.assert_allclose(streamed.leave_one_out, path.leave_one_out, rtol=1e-8)
        np.testing.assert_allclose(streamed.gcv, path.gcv, rtol=1e-8)
    fitted = streamed.network(net, 1)
    np.testing.assert_allclose(fitted(x), net.features(x) @ streamed.coefficients[1], rtol=1e-9, atol=1e-12)


def test_streamed_fit_has_the_same_bits_for_any_number_of_threads() -> None:
    net = initialise(BES22, Activation("tanh"), 40, 130, Streams(1))
    sample = Problem(Target("x1"), 40).sample(6000, Streams(2))
    head = RidgeHead(0.1, validate=True)
    one, two = (fit_head(net, sample, head, threads=t) for t in (1, 2))
    np.testing.assert_array_equal(one.leave_one_out, two.leave_one_out)
    np.testing.assert_array_equal(one.coefficients, two.coefficients)


def test_float32_features_are_solved_in_float64() -> None:
    net = initialise(BES22, Activation("tanh"), 20, 100, Streams(1))
    sample = Problem(Target("tanh(x1)"), 20, noise=0.1).sample(20_000, Streams(2))
    x, y = whole(sample)
    exact, rough = (
        fit_head(net, ArraySample(x.astype(t), y), RidgeHead(1e-4)).coefficients for t in (np.float64, np.float32)
    )
    assert np.linalg.norm(rough - exact) < 1e-3 * np.linalg.norm(exact)


def test_a_penalty_below_rounding_still_gives_an_answer() -> None:
    psi, y = data((40, 10))
    psi = np.hstack([psi, psi])
    path = fit_ridge(psi, y, RidgeHead(1e-19))
    assert path.training_error[0] == pytest.approx(
        np.linalg.lstsq(psi, y)[1].sum() / 40 or np.mean((y - psi @ np.linalg.lstsq(psi, y)[0]) ** 2), rel=1e-6
    )


def test_progress_of_two_passes() -> None:
    seen: list[float] = []
    net = initialise(BES22, Activation("tanh"), 5, 4, Streams(1))
    sample = Problem(Target("x1"), 5).sample(2048, Streams(2))
    fit_head(net, sample, RidgeHead(0.1, validate=True), progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]


def test_user_errors_are_sentences() -> None:
    psi, y = data((5, 3))
    for bad in (
        lambda: RidgeHead([]),
        lambda: RidgeHead([0.0]),
        lambda: RidgeHead([1.0, -1.0]),
        lambda: RidgeHead(float("nan")),
        lambda: fit_ridge(psi, y[:4], RidgeHead(1.0)),
        lambda: ArraySample(psi, y[:4]),
    ):
        with pytest.raises(InputError):
            bad()


def test_a_head_is_short_in_a_signature() -> None:
    assert repr(RidgeHead(0.1)) == "RidgeHead(ridge 0.1, PER_FEATURE)"
    assert (
        repr(RidgeHead([1e-6, 1.0, 100.0], validate=True))
        == "RidgeHead(3 ridges 1e-06..100, PER_FEATURE, leave-one-out)"
    )


def test_repr_names_the_convention() -> None:
    assert "|y - Psi c|^2" in repr(fit_ridge(*data((5, 3)), RidgeHead(1.0)))


@pytest.mark.parametrize("size", [1, 2, 3, 60])
def test_paths_through_matrices_of_every_size_and_rank(size) -> None:
    rng = np.random.default_rng(size)
    features = rng.standard_normal((size, max(1, size // 2)))
    matrix, right = features @ features.T, rng.standard_normal(size)
    for penalties in (np.logspace(-3, 3, CHOLESKY_UP_TO + 1), np.logspace(-3, 3, 2)):
        expected = [np.linalg.solve(matrix + penalty * np.eye(size), right) for penalty in penalties]
        np.testing.assert_allclose(solve_path(matrix, right, penalties), expected, atol=1e-9 * np.abs(expected).max())


def test_penalties_below_rounding_still_give_numbers() -> None:
    path = solve_path(np.ones((40, 40)), np.ones(40), np.logspace(-30, -29, CHOLESKY_UP_TO + 1))
    assert np.isfinite(path).all()
