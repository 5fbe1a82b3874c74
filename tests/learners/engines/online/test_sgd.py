"""One-pass SGD on order parameters has the law of SGD in dimension d: both are run many times and compared."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.engines.online import (
    OnlineSGD,
    OnlineState,
    escape_steps,
    online_risk,
    random_replicas,
    replicas_at,
)
from giantstep.learners.engines.online.sgd import _block, value_and_slope
from giantstep.learners.networks import Network, Scaling
from giantstep.learners.risk import exact_risk
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

LEVEL = 1e-4
RUNS = 3000
WATCH = ("overlaps", "gram")
Array = NDArray[np.float64]


def plain_sgd(weights: Array, activation: Activation, problem: Problem, rate: float, steps: int, sphere: bool) -> Array:
    """SGD in dimension d for weights (runs, p, d), written down directly."""
    generator = np.random.default_rng(99)
    runs, _, d = weights.shape
    for _ in range(steps):
        x = generator.standard_normal((runs, d))
        h = np.einsum("rpd,rd->rp", weights, x)
        y = problem.target(x) + problem.noise * generator.standard_normal(runs)
        error = y - activation(h).mean(axis=1)
        weights = weights + rate * error[:, None, None] * activation.derivative(h)[:, :, None] * x[:, None]
        if sphere:
            weights = weights / np.linalg.norm(weights, axis=2, keepdims=True)
    return weights


@pytest.mark.parametrize(
    ("activation", "target", "d", "p", "sphere"),
    [
        ("erf(z/sqrt(2))", "erf(x1) - x2", 6, 2, False),
        ("relu", "x1 + He2(x1)", 5, 1, False),
        ("tanh", "x1*x2", 5, 3, False),  # no axis is left over
        ("sin(z)", "He2(x1)", 4, 1, True),
        ("tanh", "x1", 5, 2, True),
    ],
)
def test_the_law_is_that_of_dimension_d(activation: str, target: str, d: int, p: int, sphere: bool) -> None:
    sigma, problem, steps = Activation(activation), Problem(Target(target), d, noise=0.3), 12
    r, rate = problem.target.directions, 1.5 / d
    start = random_replicas(sigma, d, p, r, RUNS, Streams(1))
    path = run(OnlineSGD(problem, rate, Streams(2), sphere), start, times=[0, steps], watch=WATCH)
    drawn = np.random.default_rng(3).standard_normal((RUNS, p, d))
    drawn /= np.linalg.norm(drawn, axis=2, keepdims=True)
    moved = plain_sgd(drawn, sigma, problem, rate, steps, sphere)
    pairs = []
    for here, weights in ((0, drawn), (1, moved)):
        gram = np.einsum("rid,rjd->ijr", weights, weights)
        pairs += [(path["overlaps"][here, i, k], weights[:, i, k]) for i in range(p) for k in range(r)]
        pairs += [(path["gram"][here, i, j], gram[i, j]) for i in range(p) for j in range(i) if i != j]
        if here and not sphere:
            pairs += [(path["gram"][1, i, i], gram[i, i]) for i in range(p)]
    assert min(stats.ks_2samp(*pair).pvalue for pair in pairs) > LEVEL / len(pairs)


def test_one_step_changes_the_gram_matrix_as_a_rank_one_step_must() -> None:
    rng, p, r, runs, d = np.random.default_rng(4), 3, 2, 5, 20
    sigma, scaling = Activation("tanh"), Scaling.INVERSE_WIDTH
    state = OnlineState(rng.standard_normal((p, r + p, runs)), np.array([1.0, -1.0, 2.0]), sigma, scaling, d)
    z, rest, y = (
        rng.standard_normal((1, r + p, runs)),
        rng.chisquare(d - r - p, (1, runs)),
        rng.standard_normal((1, runs)),
    )
    x = z[0].copy()
    after = _block(state, 0.7, z, rest, y, False)
    h = np.einsum("ikr,kr->ir", state.coordinates, x)
    error = y[0] - np.einsum("i,ir->r", state.second_layer, np.tanh(h)) / p
    c = 0.7 * state.second_layer[:, None] * error / np.cosh(h) ** 2
    length = (x**2).sum(axis=0) + rest[0]
    gram = state.gram + c[:, None] * h[None] + h[:, None] * c[None] + c[:, None] * c[None] * length
    np.testing.assert_allclose(after.gram, gram, rtol=1e-12)
    np.testing.assert_allclose(after.overlaps, state.overlaps + c[:, None] * x[None, :r], rtol=1e-12)


def test_long_runs_stay_consistent() -> None:
    """The inverse that is carried along must not drift, and neurons near the target are no trouble."""
    sigma, d = Activation("erf(z/sqrt(2))"), 50
    problem = Problem(Target("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2"), d)
    start = replicas_at(0.9 * np.eye(2), np.eye(2), sigma, d).repeated(8)
    path = run(OnlineSGD(problem, 2.0 / d, Streams(3)), start, times=[6_000], watch=WATCH)
    assert float(online_risk(path, problem).max()) < 1e-5
    assert np.allclose(np.abs(path["overlaps"][0]).max(axis=1), 1.0, atol=0.01)


@pytest.mark.parametrize("target", ["(relu(x1) + tanh(x1 + x2))/2 + 1", "x1 + He2(x1)*x2"])
def test_the_risk_is_that_of_the_network(target: str) -> None:
    problem, sigma = Problem(Target(target), 6), Activation("relu")
    start = random_replicas(sigma, 6, 2, 2, 3, Streams(5))
    path = run(OnlineSGD(problem, 0.1, Streams(6)), start, times=[0, 7], watch=WATCH)
    end, found = path.last, online_risk(path, problem)
    for replica in range(3):
        weights = np.hstack([end.coordinates[:, :, replica], np.zeros((2, 2))])
        net = Network(weights, np.ones(2), sigma, Scaling.INVERSE_WIDTH)
        assert found[1, replica] == pytest.approx(exact_risk(net, problem), rel=2e-3)
    x = np.random.default_rng(0).standard_normal((400_000, 6))
    squares = (problem.target(x) - net(x)) ** 2
    error = squares.std() / np.sqrt(len(squares))
    assert abs(found[1, 2] - squares.mean()) < 5 * error


def test_the_same_seed_gives_the_same_numbers() -> None:
    problem, sigma = Problem(Target("x1"), 10), Activation("relu")
    start = random_replicas(sigma, 10, 2, 1, 4, Streams(7))
    first, again, other = (run(OnlineSGD(problem, 0.1, Streams(s)), start, times=[300]).last.gram for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("text", ["erf(z/sqrt(2))", "3*sin(2*z)", "cos(z)", "relu", "tanh(z) + z"])
def test_activations_called_directly_are_the_same(text: str) -> None:
    sigma, z = Activation(text), np.linspace(-3, 3, 50).reshape(2, 25) + 0.01
    for found, wanted in zip(value_and_slope(sigma)(z), sigma.value_and_derivative(z), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)


def test_escape_counts_steps() -> None:
    problem, sigma, d = Problem(Target("x1"), 40), Activation("erf(z/sqrt(2))"), 40
    start = random_replicas(sigma, d, 1, 1, 51, Streams(8), upper=True)
    assert (start.overlaps >= 0).all()
    sgd = OnlineSGD(problem, 0.5 / d, Streams(9), sphere=True)
    steps = escape_steps(sgd, start, 0.5, 10_000)
    path = run(sgd, start, steps=steps, watch=WATCH)
    escaped = (np.maximum.accumulate(np.abs(path["overlaps"][:, 0, 0]), axis=0) >= 0.5).sum(axis=1)
    assert escaped[-1] >= 26 > escaped[0]  # other blocks draw other samples, so that only the first is the same
    with pytest.raises(InputError, match="had not escaped after 3 steps"):
        escape_steps(sgd, start, 0.5, 3)


def test_refusals() -> None:
    sigma = Activation("relu")
    with pytest.raises(InputError, match="do not fit"):
        random_replicas(sigma, 3, 2, 2, 1, Streams(0))
    with pytest.raises(InputError, match="too large"):
        replicas_at(np.ones((1, 1)), np.eye(1) * 0.5, sigma, 10)
    start = random_replicas(sigma, 10, 2, 1, 1, Streams(0))
    with pytest.raises(InputError, match="must match"):
        run(OnlineSGD(Problem(Target("x1"), 11), 0.1, Streams(0)), start, steps=1)
    with pytest.raises(InputError, match="one neuron"):
        escape_steps(OnlineSGD(Problem(Target("x1"), 10), 0.1, Streams(0)), start, 0.5, 10)
