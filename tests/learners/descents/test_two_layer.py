"""Jacobian and tangent kernel against finite differences and autodiff; gradient descent against the true gradient."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.descents import ScaledNetwork, TwoLayerDescent, start_network
from giantstep.problems import Activation
from giantstep.streams import Streams

RELU, TANH = Activation("relu"), Activation("tanh")


def network(activation: Activation, scale: float = 1.5, doubled: bool = False) -> ScaledNetwork:
    return start_network(activation, 3, 6, scale, Streams(4), doubled=doubled)


def sample(n: int = 5, d: int = 3, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, d))


@pytest.mark.parametrize("activation", [RELU, TANH, Activation("erf"), Activation("z**2/2 + z")])
def test_jacobian_against_finite_differences(activation: Activation) -> None:
    net, x = network(activation), sample()
    exact, h = net.jacobian(x), 1e-6
    for k in range(exact.shape[1]):
        change = np.zeros(exact.shape[1])
        change[k] = h
        numeric = (net.moved_by(change)(x) - net.moved_by(-change)(x)) / (2 * h)
        np.testing.assert_allclose(exact[:, k], numeric, atol=1e-8)


@pytest.mark.parametrize("activation", [RELU, TANH])
def test_tangent_kernel_is_the_jacobians(activation: Activation) -> None:
    net, x, other = network(activation), sample(), sample(7, seed=1)
    np.testing.assert_allclose(net.tangent_kernel(x), net.jacobian(x) @ net.jacobian(x).T, atol=1e-12)
    np.testing.assert_allclose(net.tangent_kernel(x, other), net.jacobian(x) @ net.jacobian(other).T, atol=1e-12)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_jacobian_against_autodiff(activation: str) -> None:
    torch = pytest.importorskip("torch")
    net, x = network(Activation(activation)), sample()
    w, v = (torch.tensor(a, requires_grad=True) for a in (net.weights, net.second_layer))
    hidden = getattr(torch, activation)(torch.tensor(x) @ w.T)
    rows = []
    for output in net.factor * hidden @ v:
        by_w, by_v = torch.autograd.grad(output, (w, v), retain_graph=True)
        rows.append(np.concatenate([by_w.numpy().ravel(), by_v.numpy()]))
    np.testing.assert_allclose(net.jacobian(x), np.array(rows), atol=1e-12)


def test_relu_scale_is_the_scale_of_the_start() -> None:
    """f = sum v' s(<w', x>) with (w', v') = (alpha/sqrt m)(w, v)."""
    net, x = network(RELU, scale=0.3), sample()
    ratio = 0.3 / 6**0.5
    by_hand = np.maximum(x @ (ratio * net.weights).T, 0) @ (ratio * net.second_layer)
    np.testing.assert_allclose(net(x), by_hand, atol=1e-14)
    masses = ratio**2 * np.abs(net.second_layer) * np.linalg.norm(net.weights, axis=1)
    np.testing.assert_allclose(net.masses(), masses)


def test_a_doubled_start_is_zero() -> None:
    net = network(TANH, doubled=True)
    np.testing.assert_allclose(net(sample(50)), 0, atol=1e-15)
    assert np.linalg.norm(net.parameters()) > 1


def test_one_step_is_a_gradient_step() -> None:
    net, x = network(TANH), sample()
    y = sample(1, 5, seed=2)[0]
    one = run(TwoLayerDescent(x, y), net, steps=1).last
    gradient = net.jacobian(x).T @ (net(x) - y)
    np.testing.assert_allclose(one.network.parameters(), net.parameters() - one.time * gradient, atol=1e-13)


@pytest.mark.parametrize(
    ("activation", "scale"), [(RELU, 0.01), (RELU, 0.3), (RELU, 30.0), (TANH, 0.3), (TANH, 3.0), (TANH, 30.0)]
)
def test_training_is_stable_at_any_scale(activation: Activation, scale: float) -> None:
    """The loss never grows, at small starts thanks to the residual's curvature in the step."""
    x = sample(12, 3, seed=3)
    y = activation(x[:, 0])
    start = start_network(activation, 3, 40, scale, Streams(7))
    found = run(
        TwoLayerDescent(x, y),
        start,
        steps=4000,
        watch={"loss": lambda state: float(np.sum((state.network(x) - y) ** 2))},
        stop=lambda state: state.residual <= 0.05,
    )
    losses = found["loss"]
    assert found.last.residual <= 0.05
    assert (np.diff(losses) <= 1e-12 * losses[0]).all()
    assert losses[-1] == pytest.approx((found.last.residual * np.linalg.norm(y)) ** 2)


def test_without_the_residuals_curvature_small_starts_explode() -> None:
    """Why the step has its second term: 0.5/lmax(K_0) alone is far too large for a small start."""
    x = sample(12, 3, seed=3)
    y = np.maximum(x[:, 0], 0)
    start = start_network(RELU, 3, 40, 0.01, Streams(7))
    first = run(TwoLayerDescent(x, y), start, steps=1).last.time
    assert 0.5 / np.linalg.eigvalsh(start.tangent_kernel(x))[-1] > 100 * first


def test_flow_conserves_the_balance_of_relu_neurons() -> None:
    x = sample(12, 3, seed=3)
    y = np.maximum(x[:, 0], 0)
    start = start_network(RELU, 3, 40, 1.0, Streams(8))
    end = run(TwoLayerDescent(x, y), start, steps=20_000, stop=lambda state: state.residual <= 0.05).last.network
    before, after = (np.sum(n.weights**2, axis=1) - n.second_layer**2 for n in (start, end))
    moved = np.abs(np.sum(end.weights**2, axis=1) - np.sum(start.weights**2, axis=1)).max()
    assert np.abs(after - before).max() < 0.2 * moved


def test_what_diverges_is_told_in_a_sentence() -> None:
    x, huge = sample(), network(RELU)
    huge = ScaledNetwork(RELU, 1e200 * huge.weights, huge.second_layer, huge.factor)
    with np.errstate(all="ignore"), pytest.raises(InputError, match="gradient descent diverges: after 0 steps"):
        run(TwoLayerDescent(x, x[:, 0]), huge, steps=3)
