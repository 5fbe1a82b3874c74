"""SGD on random features: the recursion against moments computed otherwise, typical features against drawn ones."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory.dynamics.scaling import FeatureLaw, compute_front, drawn_features, front_phase

A, B, D, V, STEP = 0.75, 0.6, 12, 48, 0.2
TIMES = [0, 1, 5, 40]


def weights(seed: int, v: int = V, d: int = D) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((v, d)) / np.sqrt(d)


@pytest.mark.parametrize("batch", [1, 3])
def test_the_recursion_is_that_of_the_whole_second_moment(batch: int) -> None:
    """C = E (theta - best)(theta - best)^T by Wick's theorem, without an eigenbasis."""
    w, j = weights(1), np.arange(1.0, V + 1)
    variances, target = j ** (-2 * A), j**-B
    k = (w.T * variances) @ w
    best = np.linalg.solve(k, w.T @ (variances * target))
    floor = variances @ (w @ best - target) ** 2
    c, found = np.outer(best, best), []
    for time in range(TIMES[-1] + 1):
        if time in TIMES:
            found.append(np.trace(k @ c) + floor)
        kck = k @ c @ k
        noise = (np.trace(k @ c) + floor) * k
        c = c - STEP * batch * (k @ c + c @ k) + STEP**2 * (batch * (2 * kck + noise) + batch * (batch - 1) * kck)
    np.testing.assert_allclose(drawn_features(w, A, B).risk(STEP, batch, TIMES), found, rtol=1e-10)


def test_typical_features_are_the_mean_of_drawn_ones() -> None:
    law = FeatureLaw(A, B, 40, 160, 0.1)
    drawn = np.array([drawn_features(weights(s, 160, 40), A, B).risk(0.1, 1, TIMES) for s in range(60)])
    error = drawn.std(axis=0) / np.sqrt(60)
    assert (abs(drawn.mean(axis=0) - law.risk(TIMES)) <= 3.5 * error + 2 / 40 * law.risk(TIMES)).all()


def test_the_risk_begins_at_the_variance_of_labels_and_ends_at_its_level() -> None:
    law = FeatureLaw(A, B, 40, 160, 0.1)
    j = np.arange(1.0, 161)
    assert law.risk(0)[0] == pytest.approx((j ** (-2 * A - 2 * B)).sum(), rel=1e-6)
    assert law.risk(1e9)[0] == pytest.approx(law.level, rel=1e-6)
    assert law.floor < law.level


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), [(0.75, 0.25), (1.0, 0.7), (0.8, 1.5)])
def test_the_front_has_the_closed_exponents_at_huge_compute(a: float, b: float) -> None:
    (risk, size), (later, larger) = (compute_front(a, b, 10**10, 0.1, 1, f) for f in (1e10, 1e12))
    phase = front_phase(a, b)
    assert np.log(later / risk) / np.log(100) == pytest.approx(-phase.risk, abs=0.006)
    assert np.log(larger / size) / np.log(100) == pytest.approx(phase.size, abs=0.02)


def test_what_is_open_or_diverges_is_refused() -> None:
    with pytest.raises(InputError, match="open"):
        front_phase(0.5, 1)
    with pytest.raises(InputError, match="variance"):
        front_phase(0.7, -0.3)
    with pytest.raises(InputError, match="too large"):
        FeatureLaw(A, B, 40, 160, 0.5)
    with pytest.raises(InputError, match="diverges"):
        FeatureLaw(0.51, B, 400, 40_000, 0.3)
