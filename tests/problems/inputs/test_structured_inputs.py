"""Spiked and sign inputs: exact in law, streamed like any other, with one sentence for what they do not allow."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Problem, Target
from giantstep.problems.inputs import Inputs, ParityInputs, Spiked, parity_target
from giantstep.streams import Streams

LAWS = [Spiked(3.0), Spiked(8.0, alignment=0.6), Spiked(strength_exponent=0.5, alignment_exponent=0.25)]


def drawn(problem: Problem, n: int, seed: int = 1, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
    sample = problem.sample(n, Streams(seed), dtype=dtype)
    x, y = zip(*map(sample.block, range(sample.blocks())), strict=True)
    return np.concatenate(x), np.concatenate(y)


@pytest.mark.parametrize("law", LAWS)
def test_the_covariance_is_the_stated_one(law: Spiked) -> None:
    d, n = 5, 60_000
    x, _ = drawn(Problem(Target("x1"), d, inputs=law), n)
    mu = law.direction(d)
    assert np.linalg.norm(mu) == pytest.approx(1.0)
    assert mu[0] == pytest.approx(law.rho(d))
    wanted = np.eye(d) + law.theta(d) * np.multiply.outer(mu, mu)
    size = np.sqrt(np.multiply.outer(np.diag(wanted), np.diag(wanted)) + wanted**2)
    assert (np.abs(x.T @ x / n - wanted) / size).max() < 5 / np.sqrt(n)


@pytest.mark.parametrize("law", LAWS)
def test_the_targets_variable_has_variance_one(law: Spiked) -> None:
    n = 40_000
    x, y = drawn(Problem(Target("x1"), 6, inputs=law), n)
    assert abs(y.var() - 1) < 5 * np.sqrt(2 / n)
    np.testing.assert_allclose(y, x[:, 0] / np.sqrt(1 + law.theta(6) * law.rho(6) ** 2), rtol=1e-12)


def test_a_spike_of_no_strength_is_isotropic() -> None:
    flat, spiked = (Problem(Target("He2(x1)"), 4, inputs=law) for law in (Spiked(0.0), Spiked(0.0, alignment=0.3)))
    isotropic = Problem(Target("He2(x1)"), 4)
    for problem in (flat, spiked):
        for a, b in zip(drawn(problem, 50), drawn(isotropic, 50), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13)


def test_single_precision_inputs_and_a_law_is_a_value() -> None:
    x, y = drawn(Problem(Target("x1"), 5, inputs=Spiked(3.0)), 10, dtype=np.float32)
    assert (x.dtype, y.dtype) == (np.float32, np.float64)
    assert Spiked(3.0) == Spiked(3.0)
    assert isinstance(Spiked(3.0), Inputs)
    assert isinstance(ParityInputs(2), Inputs)


def test_parity_labels_are_the_product_of_signs() -> None:
    d, k, n = 9, 3, 4000
    law = ParityInputs(k, exponent=0.5)
    x, y = drawn(Problem(parity_target(k), d, inputs=law), n)
    np.testing.assert_array_equal(y, np.sign(x[:, :k]).prod(axis=1))
    np.testing.assert_allclose(np.abs(x), np.broadcast_to(law.sizes(d), x.shape), rtol=1e-15)
    assert np.abs(x[0, 0] / x[0, k]) == pytest.approx(d**0.25)
    assert np.abs(np.sign(x).mean(axis=0)).max() < 5 / np.sqrt(n)
    assert np.abs(np.corrcoef(np.sign(x).T) - np.eye(d)).max() < 5 / np.sqrt(n)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Spiked(),
        lambda: Spiked(1.0, strength_exponent=0.5),
        lambda: Spiked(-1.0),
        lambda: Spiked(float("nan")),
        lambda: Spiked(1.0, alignment=1.5),
        lambda: Spiked(1.0, alignment=0.5, alignment_exponent=0.1),
        lambda: Spiked(1.0, alignment_exponent=-0.1),
        lambda: Spiked(strength_exponent=9.0),
        lambda: Problem(Target("x1*x2"), 5, inputs=Spiked(1.0)),
        lambda: Problem(Target("x1"), 1, inputs=Spiked(1.0)),
        lambda: ParityInputs(0),
        lambda: ParityInputs(2, exponent=-1.0),
        lambda: Problem(parity_target(3), 5, inputs=ParityInputs(2)),
        lambda: Problem(parity_target(3), 3, inputs=ParityInputs(4)),
        lambda: parity_target(17),
    ],
)
def test_bad_laws_get_one_sentence(make) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert "\n" not in str(caught.value)
