"""Gradient descent on factors: gradients, conventions, decompositions, and their refusals."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns, run
from giantstep.learners.sensing import (
    Factors,
    Sensing,
    SensingDescent,
    SensingLoss,
    StartScale,
    crossing,
    parts,
    phase_times,
    random_factors,
    relative_error,
    settled_error,
    sine,
    top_eigenspace,
    top_left_space,
    weakest_signal,
)
from giantstep.learners.sensing.operators import DenseOperator, PopulationOperator
from giantstep.streams import Streams

D, M = 6, 15


def problem(symmetric: bool) -> tuple[Sensing, Factors]:
    left = orthonormal_columns(D, 2, Streams(1))
    right = left if symmetric else orthonormal_columns(D - 1, 2, Streams(2))
    shape = (D, len(right))
    operator = DenseOperator.gaussian(shape, M, Streams(3), symmetric=symmetric)
    start = random_factors(shape, 3, 0.7, Streams(4), symmetric=symmetric)
    return Sensing(operator, truth=left @ right.T), start


def loss(sensing: Sensing, factors: Factors, convention: SensingLoss) -> float:
    """The loss as the paper writes it: A without 1/sqrt(m), then a mean or a sum."""
    misfit = sensing.residual(factors.product) * np.sqrt(M)
    return convention.factor * float(np.sum(misfit**2)) / (M if convention.mean else 1)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("convention", list(SensingLoss))
def test_a_step_is_a_gradient_step_of_the_named_loss(symmetric: bool, convention: SensingLoss) -> None:
    sensing, start = problem(symmetric)
    eta = 1e-3
    descent = SensingDescent(sensing, convention.step(eta, M, symmetric=symmetric))
    change = (run(descent, start, steps=1).last.factors.left - start.left) / eta
    i, j, h = 2, 1, 1e-5
    bumped = []
    for sign in (1, -1):
        left = start.left.copy()
        left[i, j] += sign * h
        bumped.append(loss(sensing, Factors(left, start.right), convention))
    assert -change[i, j] == pytest.approx((bumped[0] - bumped[1]) / (2 * h), rel=1e-6)


def test_labels_and_truth_give_the_same_course() -> None:
    sensing, start = problem(False)
    assert sensing.truth is not None
    measured = Sensing(sensing.operator, labels=sensing.operator.apply(sensing.truth))
    left = {"left": lambda state: state.factors.left}
    one, other = (run(SensingDescent(given, 0.1), start, steps=20, watch=left)["left"] for given in (sensing, measured))
    assert len(one) == 21
    assert np.allclose(one, other, atol=1e-12)


def test_the_gradients_of_both_factors_are_bound_together() -> None:
    """U' grad_U = (grad_V)' V, so the imbalance changes at second order in the step only."""
    sensing, start = problem(False)
    state = run(SensingDescent(sensing, 0.1), start, steps=0).last
    assert start.right is not None
    assert np.allclose(
        start.left.T @ (state.pull @ start.right), (state.pull.T @ start.left).T @ start.right, atol=1e-14
    )
    changes = [
        float(np.linalg.norm(start.moved(state.pull, step).imbalance() - start.imbalance())) for step in (1e-2, 1e-3)
    ]
    assert changes[0] / changes[1] == pytest.approx(100, rel=1e-6)


def test_sizes_of_the_start() -> None:
    norm, entries = (
        random_factors((400, 400), 16, 0.1, Streams(0), symmetric=True, convention=c).left for c in StartScale
    )
    assert entries == pytest.approx(4 * norm)
    assert np.std(entries) == pytest.approx(0.1, rel=0.05)
    paired = random_factors((9, 7), 4, 0.3, Streams(0), symmetric=False, paired=True)
    assert np.allclose(paired.product, 0)
    assert np.abs(paired.left).min() > 0
    with pytest.raises(InputError, match="even"):
        random_factors((9, 7), 3, 0.3, Streams(0), symmetric=False, paired=True)


def test_signal_and_noise_are_orthogonal_parts() -> None:
    basis = orthonormal_columns(12, 3, Streams(0))
    left = np.random.default_rng(0).standard_normal((12, 7))
    found = parts(left, basis)
    _, values, right = np.linalg.svd(basis.T @ left, full_matrices=False)
    noise = left - left @ right.T @ right
    assert found.signal == pytest.approx(values)
    assert found.weakest == pytest.approx(weakest_signal(left, basis))
    assert found.noise == pytest.approx(np.linalg.norm(noise, 2))
    assert np.allclose(basis.T @ noise, 0, atol=1e-12)
    assert parts(left[:, :3], basis).noise == 0.0


def test_angles_between_spaces() -> None:
    e = np.eye(5)
    turned = np.cos(1e-9) * e[:, :1] + np.sin(1e-9) * e[:, 1:2]
    assert sine(turned, e[:, :1]) == pytest.approx(1e-9, rel=1e-6)
    assert sine(e[:, :2], e[:, 1:3]) == pytest.approx(1.0)
    tiny = 1e-12 * (3 * np.outer(e[0], e[1]) + 2 * np.outer(e[2], e[0]) + 0.1 * np.outer(e[3], e[2]))
    for matrix in (tiny, tiny[:, :4], np.vstack([tiny, tiny * 0])):
        space = top_left_space(matrix, 2)
        assert sine(space, np.eye(len(matrix))[:, [0, 2]]) < 1e-7
    assert sine(top_eigenspace(np.diag([1.0, 5.0, 2.0, -9.0, 0.0]), 2), e[:, 1:3]) < 1e-12


def test_phases_of_a_run_come_in_their_order() -> None:
    basis = orthonormal_columns(30, 2, Streams(0))
    sensing = Sensing(PopulationOperator((30, 30), symmetric=True), truth=basis @ basis.T)
    start = random_factors((30, 30), 6, 1e-4, Streams(1), symmetric=True)
    found = phase_times(SensingDescent(sensing, 0.25), start, basis, basis, refined=1e-3)
    assert 0 < found.align < found.escape < found.refine
    assert found.errors[found.refine] <= 1e-3 < found.errors[found.refine - 1]
    assert found.refine - 1 < crossing(found.errors, 1e-3) <= found.refine
    with pytest.raises(InputError, match="never"):
        crossing(found.errors, 1e-30)


def test_an_error_settles_where_a_long_run_ends() -> None:
    basis = orthonormal_columns(20, 2, Streams(0))
    problem = Sensing(PopulationOperator((20, 20), symmetric=True), truth=basis @ basis.T)
    descent, start = SensingDescent(problem, 0.25), random_factors((20, 20), 6, 0.01, Streams(1), symmetric=True)
    last = run(descent, start, times=[300]).last
    assert settled_error(descent, start) == pytest.approx(relative_error(last.product, basis @ basis.T), rel=0.1)


def test_what_makes_no_problem_is_refused() -> None:
    with pytest.raises(InputError, match="goes with"):
        run(
            SensingDescent(Sensing(PopulationOperator((6, 6), symmetric=True), truth=np.eye(6)), 0.1),
            Factors(np.eye(6), np.eye(6)),
            steps=1,
        )
    with pytest.raises(InputError, match="either"):
        Sensing(PopulationOperator((6, 6), symmetric=True))
