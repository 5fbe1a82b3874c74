"""Converters between the papers' step sizes and penalties."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.heads import RidgeHead, fit_ridge
from giantstep.learners.networks import RidgeConvention, Scaling, StepConvention

WIDTH, SAMPLES = 36, 50


@pytest.mark.parametrize(
    ("convention", "multiplier"),
    [
        (StepConvention.BES22_SLIDE, 3.0),
        (StepConvention.BES22_MSE, 6.0),
        (StepConvention.DKLPS23, 3.0 / 36),
        (StepConvention.DKLPS23_ROOT, 3.0 / 6),
        (StepConvention.PER_NEURON, 3.0),
    ],
)
def test_multiplier_of_each_convention(convention: StepConvention, multiplier: float) -> None:
    assert convention.multiplier(3.0, WIDTH) == pytest.approx(multiplier, rel=1e-15)


@pytest.mark.parametrize("source", StepConvention)
@pytest.mark.parametrize("to", StepConvention)
def test_conversions_keep_the_step(source: StepConvention, to: StepConvention) -> None:
    eta = source.convert(2.5, WIDTH, to)
    assert to.multiplier(eta, WIDTH) == pytest.approx(source.multiplier(2.5, WIDTH), rel=1e-14)


def test_convention_is_shown() -> None:
    assert "s = 2 eta" in repr(StepConvention.BES22_MSE)
    assert "s = eta/N" in repr(StepConvention.DKLPS23)
    assert "s = eta/sqrt(N)" in repr(StepConvention.DKLPS23_ROOT)


def test_a_convention_refuses_a_network_it_is_not_written_for() -> None:
    StepConvention.DKLPS23.check(Scaling.INVERSE_WIDTH)
    StepConvention.PER_NEURON.check(Scaling.UNIT)
    with pytest.raises(InputError, match="1/sqrt"):
        StepConvention.DKLPS23.check(Scaling.INVERSE_ROOT_WIDTH)


def minimised(convention: RidgeConvention, psi: np.ndarray, y: np.ndarray, value: float) -> np.ndarray:
    """c by solving the normal equations of the objective as each convention writes it."""
    n, width = psi.shape
    if convention is RidgeConvention.PER_FEATURE:
        return np.linalg.solve(psi.T @ psi / n + value * np.eye(width), psi.T @ y / n)
    if convention is RidgeConvention.BES22:
        phi = psi / np.sqrt(width)
        a = np.linalg.solve(phi.T @ phi / n + value / width * np.eye(width), phi.T @ y / n)
        return a / np.sqrt(width)
    if convention in (RidgeConvention.DKLPS23, RidgeConvention.DKLPS23_HALF):
        half = 0.5 if convention is RidgeConvention.DKLPS23_HALF else 1.0
        phi = psi / width
        a = np.linalg.solve(half * phi.T @ phi / n + value / width * np.eye(width), half * phi.T @ y / n)
        return a / width
    if convention is RidgeConvention.SCIKIT_LEARN:
        return np.linalg.solve(psi.T @ psi + value * np.eye(width), psi.T @ y)
    kernel = psi @ psi.T / width
    return psi.T @ np.linalg.solve(kernel + value * np.eye(n), y) / width


@pytest.mark.parametrize("convention", RidgeConvention)
@pytest.mark.parametrize("shape", [(SAMPLES, WIDTH), (20, WIDTH)])
def test_every_penalty_convention_minimises_its_objective(convention: RidgeConvention, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    psi, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    path = fit_ridge(psi, y, RidgeHead([0.3], convention))
    np.testing.assert_allclose(path.coefficients[0], minimised(convention, psi, y, 0.3), atol=1e-11)


@pytest.mark.parametrize("source", RidgeConvention)
@pytest.mark.parametrize("to", RidgeConvention)
def test_penalty_conversions_keep_the_fit(source: RidgeConvention, to: RidgeConvention) -> None:
    value = source.convert(0.7, SAMPLES, WIDTH, to)
    assert to.per_feature(value, SAMPLES, WIDTH) == pytest.approx(source.per_feature(0.7, SAMPLES, WIDTH), rel=1e-14)
