"""The deterministic equivalent of features that are Gaussian by classes: identities and true ridge regression."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.ridge import (
    conditional_classes,
    conditional_ridge_risk,
    exact_spectrum,
    learned_overlap,
    ridge_risk,
)
from giantstep.theory.ridge.conditional import FeatureClasses

PATH = np.geomspace(1e-4, 1, 5)
EXAMPLE = Target("x1 + He2(x1) + x2 - He2(x2)")


def random_classes(features: int, count: int, seed: int = 0) -> tuple[FeatureClasses, list[np.ndarray]]:
    """Gaussian classes of different sizes, with labels linear in the features plus noise; roots of joint moments."""
    rng = np.random.default_rng(seed)
    weight = rng.dirichlet(np.full(count, 5.0))
    roots = []
    for k in range(count):
        root = rng.standard_normal((features + 1, 2 * features)) * (1 + k) / np.sqrt(2 * features)
        root[-1] = 0.7 * root[:5].sum(axis=0) + 0.5 * rng.standard_normal(2 * features) / np.sqrt(2 * features)
        roots.append(root)
    joint = np.array([root @ root.T for root in roots])
    return FeatureClasses(weight, joint[:, :-1, :-1], joint[:, :-1, -1], joint[:, -1, -1]), roots


def test_one_class_is_ordinary_ridge_regression() -> None:
    classes, _ = random_classes(30, 1)
    ours = conditional_ridge_risk(classes, 40, PATH, 0.3)
    known = ridge_risk(exact_spectrum(classes.second[0], classes.cross[0], float(classes.label[0])), 40, PATH, 0.3)
    assert ours.risk == pytest.approx(known.risk, rel=1e-7)


def test_equal_classes_are_one_class() -> None:
    one, _ = random_classes(20, 1)
    weight = np.array([0.2, 0.5, 0.3])
    three = FeatureClasses(weight, *(np.repeat(a, 3, axis=0) for a in (one.second, one.cross, one.label)))
    a, b = (conditional_ridge_risk(c, 25, PATH, 0.1) for c in (one, three))
    assert a.risk == pytest.approx(b.risk, rel=1e-7)
    assert a.training_error == pytest.approx(b.training_error, rel=1e-6)


def test_the_order_of_penalties_does_not_matter() -> None:
    classes, _ = random_classes(20, 3)
    path = conditional_ridge_risk(classes, 15, PATH)
    turned = conditional_ridge_risk(classes, 15, PATH[::-1])
    assert path.risk == pytest.approx(turned.risk[::-1], rel=1e-6)
    for lam, risk in zip(PATH, path.risk, strict=True):
        assert conditional_ridge_risk(classes, 15, lam).risk[0] == pytest.approx(risk, rel=1e-6)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("samples", [40, 240])
def test_ridge_regression_on_a_gaussian_mixture(samples: int, seed: int) -> None:
    """Independent simulation: draw the mixture, solve the normal equations, take the exact risk by class."""
    features, count, draws = 80, 3, 60
    classes, roots = random_classes(features, count, seed)
    rng = np.random.default_rng(100 + seed)
    path, tests, trains = np.array([1e-2, 1e-1, 1.0]), [], []
    second = np.tensordot(classes.weight, classes.second, 1)
    cross, label = classes.weight @ classes.cross, float(classes.weight @ classes.label)
    for _ in range(draws):
        kind = rng.choice(count, size=samples, p=classes.weight)
        h = np.array([roots[k] @ rng.standard_normal(2 * features) for k in kind])
        phi, y = h[:, :-1], h[:, -1]
        solutions = [
            np.linalg.solve(phi.T @ phi / samples + lam * np.eye(features), phi.T @ y / samples) for lam in path
        ]
        tests.append([c @ second @ c - 2 * c @ cross + label for c in solutions])
        trains.append([np.mean((y - phi @ c) ** 2) for c in solutions])
    theory = conditional_ridge_risk(classes, samples, path)
    for predicted, seen in ((theory.risk, np.array(tests)), (theory.training_error, np.array(trains))):
        error = seen.std(axis=0, ddof=1) / np.sqrt(draws)
        assert np.all(np.abs(seen.mean(axis=0) - predicted) < 4 * error + 1.5 * predicted / features)


def unit_rows(neurons: int, d: int, seed: int = 0) -> np.ndarray:
    w = np.random.default_rng(seed).standard_normal((neurons, d))
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def test_classes_hold_the_moments_of_the_features() -> None:
    """On the diagonal the mixture has the exact second moments; E[phi f*] it has up to degrees above one outside u."""
    d, v = 30, np.eye(30)[0]
    weights = unit_rows(8, d) + np.outer(np.linspace(-2, 2, 8), v)
    relu, target = Activation("relu"), Target("x1 + He2(x1)")
    classes = conditional_classes(target, relu, weights, v, paired=False)
    mixed = np.tensordot(classes.weight, classes.second, 1) * 8
    assert np.diag(mixed) == pytest.approx(0.5 * (weights**2).sum(axis=1), rel=2e-3)
    length = np.linalg.norm(weights, axis=1)
    cosine = weights[:, 0] / length
    exact = length * (0.5 * cosine + cosine**2 / np.sqrt(2 * np.pi))  # E[relu(r z) He_k(z)] = 1/2, 1/sqrt(2 pi)
    assert classes.weight @ classes.cross * np.sqrt(8) == pytest.approx(exact, rel=5e-3)


def test_without_a_direction_there_is_one_class() -> None:
    weights = unit_rows(6, 10)
    classes = conditional_classes(EXAMPLE, Activation("tanh"), weights, None, paired=False)
    assert classes.weight == pytest.approx([1.0])
    moments = Activation("tanh").moments
    expected = moments.mu1**2 * weights @ weights.T + moments.mu2_squared * np.eye(6)
    assert classes.second[0] * 6 == pytest.approx(expected, abs=1e-6)
    assert classes.cross[0] * np.sqrt(6) == pytest.approx(moments.mu1 * weights[:, :2].sum(axis=1), abs=1e-6)


def test_partners_share_what_is_not_linear() -> None:
    """Two equal neurons are one: their class has equal entries throughout."""
    row = unit_rows(1, 10)
    classes = conditional_classes(EXAMPLE, Activation("relu"), np.vstack([row, row]), np.eye(10)[0], paired=True)
    assert classes.second[:, 0, 1] == pytest.approx(classes.second[:, 0, 0], rel=1e-6)
    unpaired = conditional_classes(EXAMPLE, Activation("relu"), np.vstack([row, row]), np.eye(10)[0], paired=False)
    assert np.all(unpaired.second[4:-4, 0, 1] < 0.99 * unpaired.second[4:-4, 0, 0])


def test_alignment_of_the_slides_examples() -> None:
    assert learned_overlap(EXAMPLE, 4) == pytest.approx(np.sqrt(2 / (2 + 6 / 4)))
    assert learned_overlap(EXAMPLE, 1e9) == pytest.approx(1.0)
    assert learned_overlap(EXAMPLE, 4, noise=1.0) < learned_overlap(EXAMPLE, 4)


def test_refusals() -> None:
    with pytest.raises(InputError, match="length 1"):
        conditional_classes(EXAMPLE, Activation("relu"), unit_rows(4, 5), np.ones(5), paired=False)
    with pytest.raises(InputError, match="parallel"):
        conditional_classes(EXAMPLE, Activation("relu"), np.eye(5), np.eye(5)[0], paired=False)
    with pytest.raises(InputError, match="no linear part"):
        learned_overlap(Target("He2(x1)"), 4)
    with pytest.raises(InputError, match="ridge"):
        conditional_ridge_risk(random_classes(5, 2)[0], 10, 0.0)
