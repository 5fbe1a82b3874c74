"""The rows after a giant step: rows drawn by hand, limits known otherwise, and refusals."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.ridge import learned_overlap
from giantstep.theory.ridge.giant import row_law


def test_before_the_step_rows_are_uniform() -> None:
    rows = row_law(Target("sin(x1)"), Activation("tanh"), 4, 0, 0.5)
    assert (rows.spike, rows.spread) == (0, 1)
    assert np.allclose(rows.covariance, np.diag([1, 0, 1]))


@pytest.mark.parametrize("target", ["sin(x1)", "relu(x1) + x1", "x1 + He3(x1)/4"])
def test_the_alignment_is_that_of_the_learned_direction(target: str) -> None:
    rows = row_law(Target(target), Activation("erf"), 3, 2, 0.4)
    assert rows.alignment == pytest.approx(learned_overlap(Target(target), 3, 0.4), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "activation"), [("sin(2*x1)", "tanh(2*z)"), ("tanh(x1) + He2(x1)/3", "erf"), ("sin(x1)", "z - z**3/9")]
)
def test_rows_drawn_by_hand_have_the_covariance(target: str, activation: str) -> None:
    """Few samples, so that all parts of the covariance count."""
    f, s, d, alpha0, eta, noise = Target(target), Activation(activation), 200, 3, 1.5, 0.3
    seen, rng = [], np.random.default_rng(5)
    for _ in range(10):
        x, w = rng.standard_normal((alpha0 * d, d)), rng.standard_normal((2000, d))
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        y = f(x[:, :1]) + noise * rng.standard_normal(len(x))
        rows = w + eta / len(x) * (y[:, None] * s.derivative(x @ w.T)).T @ x
        v = x.T @ y / np.linalg.norm(x.T @ y)
        e = np.eye(d)[0] - v[0] * v
        along, length = rows @ v, np.linalg.norm(rows - np.outer(rows @ v, v), axis=1)
        gamma = d * np.cov([along, length, rows @ e / np.linalg.norm(e)])
        seen.append([along.mean(), (length**2).mean(), v[0], *gamma[np.triu_indices(3)]])
    law = row_law(f, s, alpha0, eta, noise)
    expected = [law.spike, law.spread, law.alignment, *law.covariance[np.triu_indices(3)]]
    chance = np.std(seen, axis=0) / np.sqrt(len(seen) - 1)
    assert np.all(np.abs(np.mean(seen, axis=0) - expected) < 4 * chance + 0.03)
    assert law.covariance[1, 1] > 0.1
    assert abs(law.covariance[0, 1]) > 0.2


def test_equally_long_rows_have_no_lengths() -> None:
    rows = row_law(Target("sin(x1)"), Activation("tanh"), 20, 3)
    assert not rows.equally_long().covariance[1].any()
    assert np.allclose(rows.as_published().covariance, np.diag([rows.spread, 0, rows.spread]))


@pytest.mark.parametrize(
    ("target", "activation", "sentence"),
    [
        ("sin(x1)", "relu", "E s'' = 0.399"),
        ("sin(x1)", "cos(z)", "learns nothing"),
        ("sin(x1)", "sign(z)", "jumps"),
        ("x1*x2", "tanh", "one direction"),
    ],
)
def test_refusals(target: str, activation: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        row_law(Target(target), Activation(activation), 4, 1)


def test_second_order_of_the_lengths_of_a_sine() -> None:
    """E sin(2 (r k + tau z)) = exp(-2 tau^2) sin(2 r k), whose slope in tau is -4 tau times as large."""
    sine = Activation("sin(2*z)")
    rows = row_law(Target("sin(x1)"), sine, 20, 3, 0.3)
    assert rows.second_order(sine, 240) == pytest.approx(rows.covariance[1, 1] / 240 * 16 * rows.spread, rel=1e-9)
