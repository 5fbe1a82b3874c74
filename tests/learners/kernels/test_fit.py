"""Kernel ridge regression in one array: the path, held-out errors, and the risk under a spiked law."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.kernels import fit as module
from giantstep.learners.kernels import (
    fit_kernel,
    half_samples_of,
    half_strength_of,
    kernel_matrix,
    kernel_ridge,
    spiked_risk,
)
from giantstep.problems import InnerProductKernel, Problem, Target
from giantstep.problems.inputs import Spiked
from giantstep.streams import Streams

CUBIC = Target("(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6))/sqrt(3)")


def data(problem: Problem, n: int, seed: int, *, child: str = "") -> tuple[np.ndarray, np.ndarray]:
    sample = problem.sample(n, Streams(seed).child(child) if child else Streams(seed))
    x, y = zip(*map(sample.block, range(sample.blocks())), strict=True)
    return np.concatenate(x), np.concatenate(y)


@pytest.mark.parametrize("text", ["exp", "arccos1", "ntk(relu)"])
def test_blocks_give_the_matrix_and_the_path_of_the_plain_solver(text: str, monkeypatch) -> None:
    monkeypatch.setattr(module, "ROWS", 7)
    kernel = InnerProductKernel(text)
    x, y = data(Problem(CUBIC, 6, noise=0.3, inputs=Spiked(2.0)), 25, 3)
    square = (x**2).sum(axis=1) / 6
    whole = kernel(square[:, None], square, x @ x.T / 6)
    np.testing.assert_allclose(kernel_matrix(kernel, x), whole, rtol=1e-12)
    penalties = np.array([0.01, 1.0, 30.0])
    fit = fit_kernel(kernel, x, y, penalties, validate=True)
    np.testing.assert_allclose(fit.dual, kernel_ridge(whole, y, penalties), rtol=1e-8)
    np.testing.assert_allclose(fit.predict(x), fit.dual @ whole, rtol=1e-8, atol=1e-10)
    norms = ((fit.dual @ whole) * fit.dual).sum(axis=1)
    missed = ((y - fit.predict(x)) ** 2).mean(axis=1)
    np.testing.assert_allclose(fit.objective(y, penalties / 5), missed + penalties / 5 * norms, rtol=1e-8)


def test_a_path_with_held_out_errors_needs_one_matrix(monkeypatch) -> None:
    monkeypatch.setattr(module, "ROWS", 32)
    n = 600
    x, y = data(Problem(CUBIC, 4, inputs=Spiked(2.0)), n, 2)
    tracemalloc.start()
    fit_kernel(InnerProductKernel("exp"), x, y, [0.1, 1.0], validate=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * 8 * n**2


def test_leave_one_out_is_what_leaving_out_gives() -> None:
    kernel = InnerProductKernel("exp")
    x, y = data(Problem(CUBIC, 5, inputs=Spiked(2.0)), 12, 4)
    fit = fit_kernel(kernel, x, y, [0.1, 2.0], validate=True)
    errors = []
    for i in range(len(y)):
        rest = np.delete(np.arange(len(y)), i)
        errors.append(fit_kernel(kernel, x[rest], y[rest], [0.1, 2.0]).predict(x[i : i + 1])[:, 0] - y[i])
    assert fit.leave_one_out is not None
    np.testing.assert_allclose(fit.leave_one_out, np.mean(np.square(errors), axis=0), rtol=1e-9)


@pytest.mark.parametrize("text", ["exp", "(1 + t)**4"])
def test_the_exact_risk_is_that_of_a_large_test_set(text: str) -> None:
    problem = Problem(CUBIC, 20, inputs=Spiked(4.0))
    fit = fit_kernel(InnerProductKernel(text), *data(problem, 30, 5), [0.1, 3.0])
    x, y = data(problem, 60_000, 6)
    missed = (fit.predict(x) - y) ** 2
    exact = spiked_risk(fit, problem)
    assert (np.abs(missed.mean(axis=1) - exact) < 5 * missed.std(axis=1) / np.sqrt(60_000)).all()


def test_random_bulks_agree_with_the_exact_risk_and_serve_kernels_of_lengths() -> None:
    problem = Problem(CUBIC, 16, inputs=Spiked(4.0))
    x, y = data(problem, 30, 7)
    fit = fit_kernel(InnerProductKernel("arccos1"), x, y, [0.5])
    sampled = [spiked_risk(fit, problem, Streams(s).child("bulk"), bulk=24)[0] for s in range(12)]
    test, wanted = data(problem, 40_000, 8)
    missed = (fit.predict(test) - wanted) ** 2
    spread = np.hypot(np.std(sampled) / np.sqrt(12), missed.std() / np.sqrt(40_000))
    assert abs(np.mean(sampled) - missed.mean()) < 5 * spread


def test_a_stronger_spike_halves_the_risk_at_the_place_found() -> None:
    kernel, problem = InnerProductKernel("exp"), Problem(Target("He2(x1)"), 40, inputs=Spiked(1.0))
    theta = half_strength_of(kernel, problem, 80, 0.01, Streams(9), (0.01, 20.0))
    at = Problem(Target("He2(x1)"), 40, inputs=Spiked(theta))
    risk = spiked_risk(fit_kernel(kernel, *data(at, 80, 9, child="set 0"), [0.01]), at)[0]
    assert risk == pytest.approx(1.0, rel=0.01)


def test_what_cannot_be_done_is_said() -> None:
    kernel, x, y = InnerProductKernel("exp"), np.ones((3, 4)), np.ones(3)
    for bad in ([], [0.0], [-1.0], [np.nan]):
        with pytest.raises(InputError, match="ridge"):
            fit_kernel(kernel, x, y, bad)
    with pytest.raises(InputError, match="labels"):
        fit_kernel(kernel, x, np.ones(2), [1.0])
    with pytest.raises(InputError, match="overflows"):
        fit_kernel("exp(1000*t)", x, y, [1.0])
    with pytest.raises(InputError, match="below the rounding"):
        fit_kernel(kernel, x, y, [1e-30])
    fit = fit_kernel(kernel, np.eye(4), np.ones(4), [1.0])
    with pytest.raises(InputError, match="along the spike"):
        spiked_risk(fit, Problem(Target("x1"), 4, inputs=Spiked(1.0, alignment=0.5)))
    with pytest.raises(InputError, match="random numbers"):
        spiked_risk(fit_kernel(InnerProductKernel("arccos1"), np.eye(4), np.ones(4), [1.0]), Problem(Target("x1"), 4))


def test_a_search_that_does_not_bracket_its_crossing_says_so() -> None:
    kernel, problem = InnerProductKernel("exp"), Problem(Target("He2(x1)"), 40)
    with pytest.raises(InputError, match=r"no strength from 0.01 to 0.02 halves the risk"):
        half_strength_of(kernel, problem, 80, 0.01, Streams(9), (0.01, 0.02))
    with pytest.raises(InputError, match=r"is 1\.\d\d with 16 samples still: a stronger spike"):
        half_samples_of(kernel, Problem(Target("He2(x1)"), 40, inputs=Spiked(0.1)), 0.01, Streams(9), (4, 20))
    with pytest.raises(InputError, match=r"is 0\.[0-4]\d with 30 samples already: a weaker spike"):
        half_samples_of(kernel, Problem(Target("x1"), 8, inputs=Spiked(4.0)), 0.01, Streams(9), (30, 100))
