"""The linearised model against its own differential equation, and random neurons against Monte-Carlo."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from giantstep.errors import InputError
from giantstep.theory.dynamics import (
    aligned_share_at_random,
    kernel_flow,
    mass_at_random,
    rich_displacement,
    rich_movement,
)


def problem(seed: int, n: int = 6, p: int = 15) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)), rng.standard_normal(n)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_solves_the_flow_up_to_the_residual(seed: int) -> None:
    jacobian, y = problem(seed)
    flow = kernel_flow(jacobian @ jacobian.T, y, residual=0.1)
    theta = jacobian.T @ flow.dual
    # At its end the residual is a tenth, and theta lies on the integral curve of -grad L from 0.
    assert np.linalg.norm(jacobian @ theta - y) / np.linalg.norm(y) == pytest.approx(0.1, rel=1e-8)
    assert flow.movement == pytest.approx(np.linalg.norm(theta))

    def reached(_: float, z: np.ndarray) -> float:
        return float(np.linalg.norm(jacobian @ z - y) - 0.1 * np.linalg.norm(y))

    reached.terminal = True
    way = solve_ivp(
        lambda _, z: -jacobian.T @ (jacobian @ z - y), (0, 1e4), np.zeros(15), events=reached, rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(theta, way.y[:, -1], atol=1e-6)


def test_its_end_is_the_interpolant_of_least_norm() -> None:
    jacobian, y = problem(4)
    flow = kernel_flow(jacobian @ jacobian.T, y)
    np.testing.assert_allclose(jacobian.T @ flow.dual, np.linalg.pinv(jacobian) @ y, atol=1e-10)
    places = np.random.default_rng(5).standard_normal((3, 15))
    np.testing.assert_allclose(flow(places @ jacobian.T), places @ np.linalg.pinv(jacobian) @ y, atol=1e-10)
    assert flow.movement**2 == pytest.approx(y @ np.linalg.solve(jacobian @ jacobian.T, y))


def test_outputs_at_a_time() -> None:
    """The residual 0.3 is reached at some t: outputs are then (1 - e^{-Kt}) y for that t."""
    jacobian, y = problem(6)
    kernel = jacobian @ jacobian.T
    outputs = kernel_flow(kernel, y, 0.3)(kernel)
    times = np.geomspace(1e-3, 10, 4000)
    gaps = [np.linalg.norm(expm(-kernel * t) @ y) / np.linalg.norm(y) - 0.3 for t in times[::100]]
    low = times[::100][np.flatnonzero(np.array(gaps) > 0)[-1]]
    fine = min(
        np.linspace(low, 2 * low, 3000),
        key=lambda t: abs(np.linalg.norm(expm(-kernel * t) @ y) / np.linalg.norm(y) - 0.3),
    )
    np.testing.assert_allclose(outputs, y - expm(-kernel * fine) @ y, atol=2e-3)


def test_rich_limits() -> None:
    assert rich_movement(1, 0.01) == pytest.approx(100)
    assert rich_displacement(3) ** 2 == pytest.approx(6)


@pytest.mark.parametrize(("d", "scale"), [(2, 3.0), (5, 0.1)])
def test_mass_of_a_random_network(d: int, scale: float) -> None:
    rng = np.random.default_rng(d)
    masses = np.abs(rng.standard_normal(200_000)) * np.linalg.norm(rng.standard_normal((200_000, d)), axis=1) / d**0.5
    assert scale**2 * masses.mean() == pytest.approx(
        mass_at_random(d, scale), rel=4 * masses.std() / 447 / masses.mean()
    )


def test_share_of_random_directions() -> None:
    rng = np.random.default_rng(1)
    angles, signs = rng.uniform(-180, 180, 400_000), rng.integers(0, 2, 400_000)
    near = ((np.abs(angles) < 15) & (signs == 1)) | ((np.abs(angles - 90) < 15) & (signs == 0))
    assert near.mean() == pytest.approx(aligned_share_at_random(2, 15.0), abs=4 * 0.28 / 632)


def test_refusals() -> None:
    with pytest.raises(InputError, match="a row per label"):
        kernel_flow(np.eye(3), np.ones(2))
    with pytest.raises(InputError, match="between 0 and 1"):
        kernel_flow(np.eye(2), np.ones(2), residual=1.5)
    with pytest.raises(InputError, match="beside each other"):
        aligned_share_at_random(7, 30.0)
