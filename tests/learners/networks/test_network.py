"""Networks and the laws they start from."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.networks import BES22, DKLPS23, DLS22, Initialisation, Network, Scaling, initialise
from giantstep.problems import Activation
from giantstep.streams import Streams

TANH = Activation("tanh")


def make(init: Initialisation, d: int = 30, width: int = 2000, seed: int = 1) -> Network:
    return initialise(init, TANH, d, width, Streams(seed))


@pytest.mark.parametrize("scaling", Scaling)
@pytest.mark.parametrize("biases", [None, np.array([0.1, -0.2, 0.3])])
def test_output_is_the_scaled_sum_over_neurons(scaling: Scaling, biases: np.ndarray | None) -> None:
    rng = np.random.default_rng(0)
    w, a, x = rng.standard_normal((3, 4)), rng.standard_normal(3), rng.standard_normal((5, 2, 4))
    net = Network(w, a, TANH, scaling, biases)
    shift = np.zeros(3) if biases is None else biases
    factor = {"1/N": 1 / 3, "1/sqrt(N)": 1 / np.sqrt(3), "1": 1.0}[scaling.value]
    direct = factor * sum(a[i] * np.tanh(x @ w[i] + shift[i]) for i in range(3))
    np.testing.assert_allclose(net(x), direct, rtol=1e-13)
    assert net.features(x).shape == (5, 2, 3)
    c = rng.standard_normal(3)
    np.testing.assert_allclose(net.with_coefficients(c)(x), net.features(x) @ c, rtol=1e-13)


def test_repr_shows_shapes_and_convention() -> None:
    assert repr(make(DKLPS23, 30, 10)) == ("Network(N=10, d=30, sigma='tanh(z)', f = 1/N * sum_i a_i sigma(<w_i, x>))")


def test_arrays_cannot_be_written() -> None:
    net = make(BES22, 4, 6)
    with pytest.raises(ValueError, match="read-only"):
        net.weights[0, 0] = 1.0


def test_gaussian_start() -> None:
    net = make(BES22)
    w, a = net.weights, net.second_layer
    assert abs((w**2).mean() * 30 - 1) < 5 * np.sqrt(2 / w.size)
    assert abs((a**2).mean() * 2000 - 1) < 5 * np.sqrt(2 / a.size)
    assert net.scaling is Scaling.INVERSE_ROOT_WIDTH


@pytest.mark.parametrize(
    ("second", "variance", "kurtosis"),
    [("gaussian", 1.0, 3.0), ("signs", 1.0, 1.0), ("uniform", 1.0, 1.8), ("gaussian/N", 1 / 2000, 3.0)],
)
def test_second_layers(second: str, variance: float, kurtosis: float) -> None:
    a = make(Initialisation("sphere", second)).second_layer / np.sqrt(variance)
    assert abs(a.mean()) < 5 / np.sqrt(2000)
    assert abs((a**2).mean() - 1) <= 5 * np.sqrt((kurtosis - 1) / 2000)
    assert abs((a**4).mean() - kurtosis) < 0.8


@pytest.mark.parametrize("init", [DKLPS23, DLS22, Initialisation("gaussian", "uniform", True, "gaussian")])
def test_paired_networks_start_at_zero(init: Initialisation) -> None:
    net = make(init, 10, 64)
    x = np.random.default_rng(0).standard_normal((200, 10))
    scale = np.abs(net.features(x)) @ np.abs(net.coefficients)
    assert np.all(np.abs(net(x)) <= 1e-14 * scale)
    np.testing.assert_array_equal(net.weights, net.weights[::-1])
    np.testing.assert_array_equal(net.second_layer, -net.second_layer[::-1])


def test_sphere_is_unit_and_isotropic() -> None:
    w = make(Initialisation("sphere", "signs")).weights
    np.testing.assert_allclose(np.linalg.norm(w, axis=1), 1.0, rtol=1e-14)
    assert np.abs(w.T @ w / 2000 * 30 - np.eye(30)).max() < 6 * np.sqrt(2 / 2000)


def test_layers_have_streams_of_their_own() -> None:
    one, two = make(Initialisation("sphere", "signs"), 8, 6), make(Initialisation("sphere", "gaussian"), 8, 6)
    np.testing.assert_array_equal(one.weights, two.weights)
    np.testing.assert_array_equal(one.weights, make(Initialisation("sphere", "signs"), 8, 6).weights)
    assert not np.any(one.weights == make(Initialisation("sphere", "signs"), 8, 6, seed=2).weights)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: make(DKLPS23, 10, 7),
        lambda: make(BES22, 10, 0),
        lambda: make(BES22, 0, 4),
        lambda: Initialisation("uniform"),
        lambda: Initialisation(second="zeros"),
        lambda: Initialisation(biases="ones"),
        lambda: Network(np.ones(3), np.ones(3), TANH, Scaling.UNIT),
        lambda: Network(np.ones((3, 2)), np.ones(2), TANH, Scaling.UNIT),
        lambda: Network(np.ones((3, 2)), np.ones(3), TANH, Scaling.UNIT, np.ones(4)),
    ],
)
def test_bad_settings_get_one_sentence(bad) -> None:
    with pytest.raises(InputError) as caught:
        bad()
    assert "\n" not in str(caught.value)
