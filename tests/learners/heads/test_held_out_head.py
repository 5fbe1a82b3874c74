"""Ridge heads with an intercept, weights and several labels, against fits that really leave a row out."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import InputError
from giantstep.learners.heads import validated_head

RIDGE = np.array([1e-6, 1e-2, 1.0])


def direct(phi: np.ndarray, y: np.ndarray, weights: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """c and b from the normal equations, the constant as a column without a penalty."""
    design = np.column_stack([phi, np.ones(len(phi))])
    held = ridge * np.diag(np.append(np.ones(phi.shape[1]), 0.0))
    solved = np.linalg.solve(design.T @ (weights[:, None] * design) + held, design.T @ (weights[:, None] * y))
    return solved[:-1], solved[-1]


@pytest.mark.parametrize(("n", "p"), [(30, 8), (9, 8), (8, 8), (8, 30), (2, 5)])
def test_heads_and_held_out_errors_are_those_of_direct_fits(n: int, p: int) -> None:
    """n < p too, and hardly any penalty, where centred features have the constant vector in their kernel."""
    generator = np.random.default_rng(n + p)
    phi, y = generator.standard_normal((n, p)) + 3, generator.standard_normal((n, 2)) + 50
    weights = generator.uniform(0.2, 3.0, n)
    share = weights / weights.sum()
    heads = validated_head(phi, y, RIDGE, weights=weights)
    for number, ridge in enumerate(RIDGE):
        coefficients, intercept = direct(phi, y, share, ridge)
        np.testing.assert_allclose(heads.coefficients[number], coefficients, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(heads.intercept[number], intercept, rtol=1e-4)
        for row in range(n):
            kept = np.arange(n) != row
            coefficients, intercept = direct(phi[kept], y[kept], share[kept], ridge)
            missed = y[row] - intercept - phi[row] @ coefficients
            np.testing.assert_allclose(heads.held_out[number, row], missed, rtol=1e-3, atol=1e-4)
    assert "n=" in repr(heads)


def test_weights_are_copies_and_single_precision_will_do() -> None:
    generator = np.random.default_rng(0)
    phi, y = generator.standard_normal((40, 6)), generator.standard_normal(40)
    weights = np.repeat([1.0, 3.0], 20)
    weighted = validated_head(phi, y, 0.1, weights=weights)
    copied = validated_head(np.repeat(phi, weights.astype(int), axis=0), np.repeat(y, weights.astype(int)), 0.1)
    np.testing.assert_allclose(weighted.coefficients, copied.coefficients, rtol=1e-9)
    narrow = validated_head(phi.astype(np.float32), y, 0.1, weights=weights)
    np.testing.assert_allclose(narrow.held_out, weighted.held_out, atol=1e-4)


def test_what_does_not_fit_gets_a_sentence() -> None:
    phi, y = np.ones((5, 2)), np.ones(5)
    for mistake in (
        lambda: validated_head(phi, y[:4], 0.1),
        lambda: validated_head(phi, y, -1.0),
        lambda: validated_head(phi, y, 0.1, weights=np.zeros(5)),
    ):
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            mistake()
