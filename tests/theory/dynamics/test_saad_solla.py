"""The equations for order parameters: averages against Monte Carlo, solutions against cases that can be solved."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics import OnlineSetting, order_parameters
from giantstep.theory.dynamics.field_averages import Averages, erf_averages, rule_averages

M = np.array([[0.5, -0.2], [0.1, 0.7]])
Q = np.array([[1.2, 0.3], [0.3, 0.9]])
OUTPUT = np.array([0.5, -0.8])
ERF = Activation("erf(z/sqrt(2))")


def monte_carlo(activation: Activation, target: Target) -> tuple[Averages, Averages]:
    """Means and their standard errors over many fields."""
    (p, r), m, q, output = M.shape, M, Q, OUTPUT
    root = np.linalg.cholesky(np.block([[q, m], [m.T, np.eye(r)]]))
    fields = np.random.default_rng(1).standard_normal((200_000, p + r)) @ root.T
    h, x = fields[:, :p], fields[:, p:]
    e, s = target(x) - activation(h) @ output, activation.derivative(h)
    kinds = (
        (e[:, None] * s)[:, :, None] * fields[:, None],
        (e[:, None] * s)[:, :, None] * (e[:, None] * s)[:, None],
        s[:, :, None] * s[:, None],
        e**2,
    )
    mean, error = ([f(k) for k in kinds] for f in (lambda k: k.mean(axis=0), lambda k: k.std(axis=0) / 200_000**0.5))
    return Averages(*mean), Averages(*error)


@pytest.mark.parametrize(
    ("sigma", "target"),
    [
        ("erf(z/sqrt(2))", "erf(x1/sqrt(2)) - 0.5*erf((x1 + x2)/2)"),
        ("2*erf(z)", "erf(x1) + erf(x2)"),
        ("tanh", "x1*x2 + He2(x1)"),
        ("relu", "relu(x1) - relu(x2)"),
    ],
)
def test_averages_against_monte_carlo(sigma: str, target: str) -> None:
    activation, f = Activation(sigma), Target(target)
    mean, error = monte_carlo(activation, f)
    closed = erf_averages(activation, f, OUTPUT)
    assert (closed is None) == ("erf" not in sigma)
    rule = rule_averages(activation, f, OUTPUT)(M, Q)
    for found in [rule] + ([closed(M, Q)] if closed else []):
        for name in ("drift", "squares", "slopes", "risk"):
            gap = np.abs(getattr(found, name) - getattr(mean, name))
            assert (gap < 5 * getattr(error, name) + 2e-3 * np.abs(getattr(mean, name))).all(), name


def test_closed_averages_and_the_rule_agree() -> None:
    target = Target("erf(x1/sqrt(2)) - 0.5*erf((x1 + x2)/2)")
    closed = erf_averages(ERF, target, OUTPUT)
    assert closed is not None
    one, other = closed(M, Q), rule_averages(ERF, target, OUTPUT, points=10**6)(M, Q)
    for name in ("drift", "squares", "slopes", "risk"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=3e-5)
    flow = erf_averages(ERF, target, OUTPUT, squares=False)
    assert flow is not None
    assert not flow(M, Q).squares.any()
    np.testing.assert_array_equal(flow(M, Q).drift, one.drift)


def test_one_kinked_neuron_is_averaged_to_many_digits() -> None:
    """relu and f* = x1: E[s'^2] = 1/2, E[e s' h] = m/2 - q/2, E[e^2] = 1 - m + q/2."""
    found = rule_averages(Activation("relu"), Target("x1"), np.ones(1))(np.array([[0.3]]), np.array([[0.8]]))
    assert found.slopes[0, 0] == pytest.approx(0.5, abs=1e-9)
    assert found.drift[0, 0] == pytest.approx(0.15 - 0.4, abs=1e-9)
    assert found.risk == pytest.approx(1 - 0.3 + 0.4, abs=1e-9)


@pytest.mark.parametrize("kappa", [0.0, 0.7])
def test_a_linear_neuron_is_solved_exactly(kappa: float) -> None:
    """sigma = z, f* = x1: M' = 1 - M and (1 - 2M + Q)' = (kappa - 2)(1 - 2M + Q) + kappa Delta."""
    setting = OnlineSetting(Target("x1"), Activation("z"), (1.0,), (1.0,), kappa, noise=0.5)
    times = np.linspace(0, 3, 7)
    found = order_parameters(setting, np.array([[0.2]]), np.array([[1.0]]), times)
    np.testing.assert_allclose(found.overlaps[:, 0, 0], 1 - 0.8 * np.exp(-times), rtol=1e-4)
    level = 0.25 * kappa / (2 - kappa)
    exact = level + (1.6 - level) * np.exp((kappa - 2) * times)
    np.testing.assert_allclose(found.risk, exact, rtol=1e-3, atol=1e-5)


def test_both_ways_solve_the_committee() -> None:
    target = Target("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2")
    setting = OnlineSetting(target, ERF, (0.5, 0.5), (1.0, 1.0), 2.0)
    times = np.array([0.0, 3.0, 8.0])
    start = 0.3 * np.eye(2), np.eye(2)
    closed = order_parameters(setting, *start, times)
    by_points = order_parameters(setting, *start, times, closed=False)
    np.testing.assert_allclose(by_points.risk, closed.risk, rtol=2e-3)
    assert closed.rule_error == 0.0
    assert 0.0 < by_points.rule_error < 0.01
    np.testing.assert_allclose(by_points.gram, closed.gram, atol=2e-3)


def test_flow_lowers_the_risk_and_noise_raises_it() -> None:
    target, times = Target("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2"), np.linspace(0, 30, 31)
    risks = []
    for kappa in (0.0, 0.01, 1.0):
        setting = OnlineSetting(target, ERF, (0.5, 0.5), (1.0, 1.0), kappa, 0.5)
        risks.append(order_parameters(setting, 0.2 * np.eye(2), np.eye(2), times).risk)
    assert (np.diff(risks[0]) < 0).all()
    assert risks[0][-1] < risks[1][-1] < risks[2][-1]
    assert risks[1][-1] - risks[0][-1] < 0.02 * (risks[2][-1] - risks[0][-1]) * 2


def test_refusals() -> None:
    crowd = OnlineSetting(Target("x1*x2"), Activation("tanh"), (0.25,) * 4, (1.0,) * 4, 1.0)
    with pytest.raises(InputError, match="at most 5"):
        order_parameters(crowd, np.zeros((4, 2)), np.eye(4), np.array([0.0, 1.0]))
    wild = OnlineSetting(Target("x1"), Activation("z"), (1.0,), (1.0,), 1000.0)
    with pytest.raises(InputError, match="smaller step"):
        order_parameters(wild, np.array([[0.2]]), np.array([[1.0]]), np.array([0.0, 100.0]))
    with pytest.raises(InputError, match="must fit"):
        order_parameters(wild, np.eye(2), np.eye(2), np.array([0.0, 1.0]))
