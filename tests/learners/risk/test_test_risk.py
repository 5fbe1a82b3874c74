"""The exact risk against quadrature-free checks: Monte-Carlo, closed cases, and reference values."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, initial_state, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import BES22, DKLPS23, Initialisation, Network, Scaling, initialise
from giantstep.learners.risk import exact_risk, feature_moments, monte_carlo_risk
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

POINTS = 40_000


def trained(activation: str, problem: Problem, init: Initialisation, eta: float, seed: int = 1) -> Network:
    net = initialise(init, Activation(activation), problem.d, 24, Streams(seed))
    net, _ = take_step(net, problem.sample(400, Streams(seed).child("step")), GiantStep(eta))
    path = fit_head(net, problem.sample(300, Streams(seed).child("ridge")), RidgeHead(0.05))
    return path.network(net)


WITH_BIASES = Initialisation("sphere", "signs", biases="gaussian")
CASES = [
    ("tanh", "relu(x1)", BES22, 3.0),
    ("erf", "erf(x1)", BES22, 20.0),
    ("relu", "x1 + He2(x1)*x2", DKLPS23, 2.0),
    ("centered(relu)", "tanh(0.6*x1 + 0.8*x2)", BES22, 4.0),
    ("gelu", "x1*x2*x3 + He2(x3)", BES22, 4.0),
    ("sin", "sin(x1)*x2", BES22, 4.0),
    ("relu", "tanh(0.6*x1 + 0.8*x2) + He3(x1)*x2", BES22, 1.0),
    ("He3", "tanh(x1)", BES22, 0.5),
    ("tanh", "x1 + He2(x2)", WITH_BIASES, 2.0),
    ("relu", "tanh(x1)", WITH_BIASES, 2.0),
    ("relu", "relu(x1)*x2", WITH_BIASES, 1.0),
]


@pytest.mark.parametrize(("activation", "target", "init", "eta"), CASES)
def test_moments_and_risk_agree_with_monte_carlo(activation, target, init, eta) -> None:
    """The risk, and every entry of Sigma and k, by z-scores; the entries are many, hence the wider margin."""
    problem = Problem(Target(target), 16, noise=0.3)
    net = trained(activation, problem, init, eta)
    moments = feature_moments(net, problem)
    check = monte_carlo_risk(net, problem, POINTS, Streams(9))
    assert abs(moments.risk(net.coefficients) - check.value) < 4.5 * check.stderr
    x, y = problem.sample(POINTS, Streams(11), block_rows=POINTS).block(0)
    psi = net.features(x)
    spread = np.sqrt(np.maximum((psi**2).T @ psi**2 / POINTS - (psi.T @ psi / POINTS) ** 2, 0) / POINTS)
    assert np.all(np.abs(psi.T @ psi / POINTS - moments.covariance) <= 6 * spread + 1e-12)
    products = psi * y[:, None]
    stderr = products.std(axis=0) / np.sqrt(POINTS)
    assert np.all(np.abs(products.mean(axis=0) - moments.cross) <= 6 * stderr)
    assert moments.covariance_error < 1e-8 * np.diag(moments.covariance).max()
    assert moments.cross_error < 1e-6


def test_identity_network_has_the_risk_of_a_linear_map() -> None:
    """f(x) = <v, x>, f* = x1 + He2(x2)/2: R = |v - e1|^2 + 1/2."""
    rng = np.random.default_rng(0)
    net = Network(rng.standard_normal((6, 9)), rng.standard_normal(6), Activation("z"), Scaling.INVERSE_WIDTH)
    v = net.coefficients @ net.weights
    expected = ((v - np.eye(9)[0]) ** 2).sum() + 0.5
    assert exact_risk(net, Problem(Target("x1 + He2(x2)/2"), 9)) == pytest.approx(expected, rel=1e-12)


def test_a_network_that_is_the_target_has_no_risk() -> None:
    net = Network(np.eye(5)[:1], np.ones(1), Activation("tanh"), Scaling.UNIT)
    assert abs(exact_risk(net, Problem(Target("tanh(x1)"), 5, noise=1.0))) < 1e-10
    shifted = Network(np.eye(5)[:1], np.ones(1), Activation("tanh"), Scaling.UNIT, np.array([0.4]))
    problem = Problem(Target("tanh(x1 + 0.4)"), 5)
    moments = feature_moments(shifted, problem)
    risk, bound = moments.risk(shifted.coefficients), moments.risk_error(shifted.coefficients)
    assert abs(risk) < 1e-8 + bound


@pytest.mark.parametrize("activation", ["tanh", "relu", "erf"])
def test_zero_biases_change_nothing(activation: str) -> None:
    problem = Problem(Target("tanh(x1)"), 8)
    net = trained(activation, problem, BES22, 2.0)
    same = Network(net.weights, net.second_layer, net.activation, net.scaling, np.zeros(net.neurons))
    without, shifted = feature_moments(net, problem), feature_moments(same, problem)
    np.testing.assert_allclose(shifted.covariance, without.covariance, atol=1e-9)
    np.testing.assert_allclose(shifted.cross, without.cross, atol=1e-9)


def test_shifted_relu_text_and_bias_are_the_same_network() -> None:
    problem = Problem(Target("x1 + He2(x1)*x2"), 8)
    net = trained("relu(z + 0.5)", problem, BES22, 2.0)
    same = Network(net.weights, net.second_layer, Activation("relu"), net.scaling, np.full(net.neurons, 0.5))
    assert exact_risk(same, problem) == pytest.approx(exact_risk(net, problem), abs=1e-8)


def test_single_direction_targets_agree_with_their_expansion() -> None:
    """x1**3 as a polynomial, and through the dual kernel of a function of one direction."""
    net = trained("tanh", Problem(Target("x1"), 8), BES22, 2.0)
    polynomial = feature_moments(net, Problem(Target("(0.6*x1 + 0.8*x2)**3"), 8)).cross
    x = Problem(Target("x1"), 8).sample(200_000, Streams(3), block_rows=200_000).block(0)[0]
    values = net.features(x) * ((0.6 * x[:, 0] + 0.8 * x[:, 1]) ** 3)[:, None]
    assert np.all(np.abs(values.mean(0) - polynomial) < 6 * values.std(0) / np.sqrt(200_000))


def test_risks_of_a_path_of_heads() -> None:
    problem = Problem(Target("relu(x1)"), 12, noise=0.2)
    net = initialise(BES22, Activation("tanh"), 12, 20, Streams(1))
    path = fit_head(net, problem.sample(500, Streams(2)), RidgeHead([0.01, 0.1, 1.0]))
    risks = exact_risk(net, problem, path.coefficients)
    assert risks.shape == (3,)
    for i in range(3):
        assert risks[i] == pytest.approx(exact_risk(path.network(net, i), problem), rel=1e-10)


def test_reduced_state_has_the_risk_of_its_local_network() -> None:
    problem = Problem(Target("x1 + He2(x1)*x2"), 10_000, noise=0.5)
    state = initial_state(DKLPS23, Activation("relu"), 10_000, 8, 2, Streams(1))
    state, _ = take_step(state, problem.sample(50_000, Streams(2)), GiantStep(1.0))
    check = monte_carlo_risk(state, problem, POINTS, Streams(3))
    assert abs(exact_risk(state, problem) - check.value) < 4.5 * check.stderr
    head, by_hand = (
        fit_head(state, problem.sample(5000, Streams(4)), RidgeHead(1e-3)),
        fit_head(state.local, state.local_problem(problem).sample(5000, Streams(4)), RidgeHead(1e-3)),
    )
    np.testing.assert_array_equal(head.coefficients, by_hand.coefficients)
    assert exact_risk(head.network(state), problem) < exact_risk(state, problem)


def test_monte_carlo_states_its_standard_error() -> None:
    problem = Problem(Target("x1"), 4)
    net = initialise(BES22, Activation("tanh"), 4, 6, Streams(1))
    runs = [monte_carlo_risk(net, problem, 3000, Streams(seed)) for seed in range(100)]
    spread = np.std([run.value for run in runs], ddof=1)
    assert np.mean([run.stderr for run in runs]) == pytest.approx(spread, rel=0.4)


def test_user_errors_are_sentences() -> None:
    net = initialise(BES22, Activation("tanh"), 4, 6, Streams(1))
    with pytest.raises(InputError, match="dimension"):
        exact_risk(net, Problem(Target("x1"), 5))
    with pytest.raises(InputError, match="test points"):
        monte_carlo_risk(net, Problem(Target("x1"), 4), 1, Streams(1))


def test_single_precision_gives_the_same_risk_to_its_digits() -> None:
    net = initialise(DKLPS23, Activation("relu"), 12, 6, Streams(1))
    problem = Problem(Target("x1 + He2(x2)"), 12)
    double, single = (monte_carlo_risk(net, problem, 4000, Streams(2), dtype=t) for t in (np.float64, np.float32))
    assert abs(single.value - double.value) < 5 * double.stderr  # other points: float32 draws its own numbers
    assert single.value != double.value
