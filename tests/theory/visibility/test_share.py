"""The gradient's mean, noise and share in the target's space against integrals, known rates and simulation."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.gaussian.sphere import direction_nodes, overlap_nodes
from giantstep.gaussian.sphere.overlaps import radius_nodes
from giantstep.problems import Activation, Target
from giantstep.theory.gradient import gradient_law
from giantstep.theory.visibility import gradient_share
from giantstep.theory.visibility.share import leading_share, share_of_law

RELU, TANH = Activation("relu"), Activation("tanh")


def simulated_share(target, activation, d, samples, neurons, seeds):
    """Mean of |P_V g|^2/|g|^2 over neurons and its standard error over seeds, by brute force."""
    r, means = target.directions, []
    for seed in range(seeds):
        rng = np.random.default_rng(1000 + seed)
        w = rng.standard_normal((neurons, d))
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        x = rng.standard_normal((samples, d))
        g = (activation.derivative(x @ w.T) * target(x)[:, None]).T @ x
        means.append(np.mean((g[:, :r] ** 2).sum(axis=1) / (g**2).sum(axis=1)))
    return np.mean(means), np.std(means, ddof=1) / np.sqrt(seeds)


@pytest.mark.parametrize("text", ["x1 + He2(x1) + x2 - He2(x2)", "1 + x1*x2", "He3(x1) + x2/2", "x1*x2*x3"])
@pytest.mark.parametrize("activation", ["He1(z) + He2(z) + He3(z)/3 + He4(z)/5", "sin(z + 0.5)"])
def test_mean_gradient_is_the_integral(text, activation):
    """E[f s'(<w, x>) x] by a tensor rule in the span of V and w."""
    target, sigma = Target(text), Activation(activation)
    r = target.directions
    m = np.array([0.3, -0.2, 0.4])[:r]
    rest = np.sqrt(1 - m @ m)
    line, weight = gauss_hermite(24)
    grid = np.stack(np.meshgrid(*[line] * (r + 1), indexing="ij"), axis=-1).reshape(-1, r + 1)
    mass = np.prod(np.stack(np.meshgrid(*[weight] * (r + 1), indexing="ij"), axis=-1).reshape(-1, r + 1), axis=1)
    w = np.append(m, rest)
    expected = (mass * target(grid) * sigma.derivative(grid @ w)) @ grid
    law = gradient_law(target, sigma)
    assert law.mean_in_frame(m[None, :])[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("text", ["He2(x1)", "x1 + He2(x1)*x2", "relu(x1)", "x1*x2*x3"])
def test_noise_moments(text):
    """N_V and T at m = 0 against moments known by other means: E s'^2 = 1/2 and E s'^2 z^2 = 1/2 for ReLU."""
    target, d = Target(text), 50
    r = target.directions
    line, weight = gauss_hermite(60)
    grid = np.stack(np.meshgrid(*[line] * r, indexing="ij"), axis=-1).reshape(-1, r)
    mass = np.prod(np.stack(np.meshgrid(*[weight] * r, indexing="ij"), axis=-1).reshape(-1, r), axis=1)
    radial = float(mass @ (target(grid) ** 2 * (grid**2).sum(axis=1)))
    law = gradient_law(target, RELU)
    assert law.noise_in_target_space() == pytest.approx(radial / 2, rel=1e-8)
    norm2 = float(target.norm2)
    assert law.total_noise(d) == pytest.approx((d - r - 1) * norm2 / 2 + radial / 2 + norm2 / 2, rel=1e-8)


def test_moments_beyond_the_grid_come_from_hermite_coefficients():
    law = gradient_law(Target("x1*x2*x3*x4 + x1"), RELU)
    assert law.samples is None
    assert law.power == pytest.approx(1.0, rel=1e-9)
    # E[f^2 x1^2] = 3 + 3 (x1^2 against x1^2 in each square), E[f^2 x2^2] = 3 + 1.
    assert np.diag(law.second)[:4] == pytest.approx(np.array([6, 4, 4, 4]) / 2, rel=1e-9)
    assert "more than 3 directions" in str(gradient_share(Target("x1*x2*x3*x4 + x1"), RELU, 40, 100).warning)


@pytest.mark.parametrize(
    ("text", "activation", "d", "exponent", "share"),
    [
        ("x1", RELU, 128, 0.75, 0.145),
        ("x1", RELU, 128, 1.0, 0.344),
        ("x1", RELU, 128, 1.25, 0.632),
        ("x1", RELU, 128, 1.5, 0.851),
        ("x1", RELU, 2048, 0.5, 0.012),
        ("x1", RELU, 2048, 1.0, 0.334),
        ("x1", RELU, 2048, 1.5, 0.958),
    ],
)
def test_leading_formula_for_information_exponent_one(text, activation, d, exponent, share):
    assert gradient_share(Target(text), activation, d, round(d**exponent)).leading == pytest.approx(share, abs=5.1e-4)


def test_leading_formula_averages_the_ratio_not_its_parts():
    """He2, ReLU, d = 256, n = d^2: the mean of the ratio is near .28, the ratio of the means .39."""
    law, d, n = gradient_law(Target("He2(x1)"), RELU), 256, 256**2
    m, weight = overlap_nodes(1, d)
    assert weight @ leading_share(law, m, d, n) == pytest.approx(0.2872, abs=2e-4)
    frame = law.mean_in_frame(m)
    signal, total = weight @ frame[:, 0] ** 2, weight @ (frame**2).sum(axis=1)
    noise, all_noise = law.noise_in_target_space(), law.total_noise(d)
    assert (signal + (noise - signal) / n) / (total + (all_noise - total) / n) == pytest.approx(0.3940, abs=2e-4)


def test_curves_cross_at_the_information_exponent():
    # f = x1, ReLU, n = d: mu_1^2/(mu_1^2 + E s'^2) = 1/3 for every large d.
    for d in (10**4, 10**6, 10**8):
        assert gradient_share(Target("x1"), RELU, d, d).value == pytest.approx(1 / 3, abs=2 / d + 1e-6)
    he2 = Target("He2(x1)")
    below = [gradient_share(he2, RELU, d, round(d**1.7)).value for d in (100, 1000, 10000)]
    above = [gradient_share(he2, RELU, d, round(d**2.3)).value for d in (100, 1000, 10000)]
    assert below == sorted(below, reverse=True)
    assert above == sorted(above)


def test_share_grows_with_samples_between_floor_and_one():
    share = [gradient_share(Target("He2(x1)"), RELU, 200, round(200**k)) for k in np.linspace(1, 4, 13)]
    values = [s.value for s in share]
    assert values == sorted(values)
    assert values[0] < 2 * share[0].floor
    # With endless samples what is left outside V is the part along w, of relative size m.
    assert 0.98 < values[-1] < 1


def test_fluctuations_vanish_with_size():
    gaps = []
    for d in (30, 300, 3000):
        share = gradient_share(Target("He2(x1)"), RELU, d, d**2)
        gaps.append(share.leading - share.value)
    assert gaps[0] > 4 * gaps[1] > 16 * gaps[2] > 0


def test_an_odd_activation_does_not_see_an_even_target():
    share = gradient_share(Target("He2(x1)"), TANH, 128, 2 * 128**2)
    assert share.value == pytest.approx(share.floor, rel=0.2)
    assert gradient_share(Target("He2(x1)"), RELU, 128, 2 * 128**2).value == pytest.approx(0.401, abs=0.03)


@pytest.mark.parametrize(
    ("text", "activation", "d", "samples", "seeds"),
    [
        ("x1", "relu", 128, 38, 60),
        ("He2(x1)", "relu", 64, 200, 150),
        ("He3(x1)", "tanh", 24, 500, 150),
        ("x1 + He2(x1) + x2 - He2(x2)", "relu", 100, 150, 80),
        ("x1*x2*x3", "tanh", 30, 1000, 80),
        ("relu(x1)", "relu", 60, 100, 100),
    ],
)
def test_agrees_with_simulation_where_finite_sizes_are_large(text, activation, d, samples, seeds):
    target, sigma = Target(text), Activation(activation)
    mean, error = simulated_share(target, sigma, d, samples, 10, seeds)
    predicted = gradient_share(target, sigma, d, samples)
    # Corrections are O(1/d), here relative to the share.
    assert predicted.value == pytest.approx(mean, abs=4 * error + predicted.value / d)


@pytest.mark.parametrize(("directions", "d"), [(1, 8), (1, 10**6), (2, 100), (3, 7), (3, 40)])
def test_overlap_nodes_have_the_moments_of_the_sphere(directions, d):
    m, weight = overlap_nodes(directions, d)
    assert weight.sum() == pytest.approx(1)
    assert weight @ m == pytest.approx(np.zeros(directions), abs=1e-14)
    assert np.einsum("k,ki,kj->ij", weight, m, m) == pytest.approx(np.eye(directions) / d, rel=1e-4, abs=1e-12)
    assert weight @ m[:, 0] ** 4 == pytest.approx(3 / (d * (d + 2)), rel=1e-4)


def test_scattered_directions():
    unit, weight = direction_nodes(5)
    assert np.linalg.norm(unit, axis=1) == pytest.approx(np.ones(len(unit)))
    assert np.einsum("k,ki,kj->ij", weight, unit, unit) == pytest.approx(np.eye(5) / 5, abs=0.01)


def test_refusals():
    with pytest.raises(InputError, match="at least 4 more"):
        radius_nodes(2, 5)
    with pytest.raises(InputError, match="samples must be"):
        gradient_share(Target("x1"), RELU, 100, 1)


@pytest.mark.parametrize(("text", "activation", "d", "samples"), [("cos(x1)", RELU, 24, 600), ("x1 + 2", RELU, 20, 60)])
def test_share_across_the_neuron(text, activation, d, samples):
    """That of g - <g, w> w by brute force: a mean of the target makes it much larger than that of g."""
    target, shares = Target(text), []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        w = rng.standard_normal((16, d))
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        x = rng.standard_normal((samples, d))
        g = (activation.derivative(x @ w.T) * target(x)[:, None]).T @ x
        g -= (g * w).sum(axis=1, keepdims=True) * w
        shares.append(np.mean(g[:, 0] ** 2 / (g**2).sum(axis=1)))
    law = gradient_law(target, activation)
    across = share_of_law(law.across(), d, samples).value
    assert across > 1.3 * share_of_law(law, d, samples).value
    assert np.mean(shares) == pytest.approx(across, abs=4 * np.std(shares) / 60**0.5 + 0.5 / d)


def test_across_twice_is_across_once():
    law = gradient_law(Target("cos(x1)"), RELU).across()
    assert law.across() is law
