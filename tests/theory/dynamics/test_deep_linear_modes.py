"""Closed-form times of deep linear networks against quadrature, the differential equation, and reference numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from giantstep.errors import InputError
from giantstep.theory.dynamics import (
    DeepLinearModes,
    effective_start,
    learning_time,
    saddle_losses,
    strength,
    typical_strength,
)

VALUES = np.array([3.0, 2.0, 1.0])


def modes(start: float, depth: int) -> DeepLinearModes:
    """Three modes that all begin with the same strength."""
    return DeepLinearModes(VALUES, np.full(3, start), depth)


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(2, (1.33434, 1.90010, 3.45338)), (3, (3.13627, 4.66133, 9.14475)), (4, (5.21743, 7.80755, 15.5292))],
)
def test_reference_half_times(depth: int, expected: tuple[float, ...]) -> None:
    """u0 = 1e-3, s = 3, 2, 1."""
    np.testing.assert_allclose(modes(1e-3, depth).half_times(), expected, rtol=5e-6)


@pytest.mark.parametrize("depth", [2, 3, 4, 5, 7])
def test_times_are_the_integral(depth: int) -> None:
    s, start = 1.7, 2e-3
    for u in (0.01, 0.5, 1.2, 1.69):
        direct = quad(
            lambda z: z ** (2 / depth - 2) / (depth * (s - z)), start, u, epsabs=1e-12, epsrel=1e-11, limit=400
        )
        assert float(learning_time(u, s, start, depth)) == pytest.approx(direct[0], rel=1e-9)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_strength_is_the_inverse_of_time(depth: int) -> None:
    u = np.array([0.01, 0.3, 1.0, 1.9])
    times = learning_time(u, 2.0, 1e-3, depth)
    np.testing.assert_allclose(strength(times, 2.0, 1e-3, depth), u, rtol=1e-5)
    assert float(strength(0.0, 2.0, 1e-3, depth)) == pytest.approx(1e-3)
    assert float(strength(1e4, 2.0, 1e-3, depth)) == pytest.approx(2.0)


def test_waits_at_small_starts() -> None:
    """a0^-(L-2)/((L-2) s) for L > 2: read off at half the mode, whose own time does not depend on the start."""
    for depth in (3, 4):
        waits = [modes(a0**depth, depth).half_times()[1] for a0 in (1e-3, 1e-4)]
        expected = [a0 ** (2 - depth) / ((depth - 2) * 2.0) for a0 in (1e-3, 1e-4)]
        assert waits[1] - waits[0] == pytest.approx(expected[1] - expected[0], rel=1e-3)


def test_losses() -> None:
    np.testing.assert_array_equal(saddle_losses(VALUES), [7.0, 2.5, 0.5])
    curve = modes(1e-6, 2).losses(np.array([0.0, 1e3]))
    np.testing.assert_allclose(curve, [7.0, 0.0], atol=1e-4)
    # Between the first and the second mode of three layers with a small start, the loss is the saddle's.
    small = modes(1e-9, 3)
    middle = small.half_times()[:2].mean()
    assert float(small.losses(middle)) == pytest.approx(2.5, abs=1e-3)


def test_share_of_the_second_mode() -> None:
    """Two layers from a small start: the second has u0^(1 - s2/s1) up to a factor, ever less the smaller the start."""
    shares = [modes(start, 2).second_share(0.95) for start in (1e-9, 1e-12)]
    assert shares[0] / shares[1] == pytest.approx(10.0, rel=0.03)


def test_effective_starts_in_the_mean() -> None:
    rng = np.random.default_rng(3)
    left, right = (np.linalg.qr(rng.standard_normal((4, 3)))[0] for _ in range(2))
    logs = [
        np.log(effective_start(0.1 * rng.standard_normal((6, 4)), 0.1 * rng.standard_normal((4, 6)), right, left))
        for _ in range(4000)
    ]
    error = np.std(logs, axis=0) / 4000**0.5
    assert (np.abs(np.mean(logs, axis=0) - np.log(typical_strength(6, 3, 0.1))) < 4 * error).all()


def test_refusals() -> None:
    with pytest.raises(InputError, match="between 0 and its singular value"):
        learning_time(0.5, 1.0, 2.0, 2)
    with pytest.raises(InputError, match="2 or more"):
        learning_time(0.5, 1.0, 0.1, 1)
    with pytest.raises(InputError, match="between the start"):
        learning_time(0.05, 1.0, 0.1, 2)
