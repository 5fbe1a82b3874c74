"""The first gradient on spiked inputs: moments against samples, limits, and the principal component."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Target
from giantstep.theory.structured import (
    alignment_exponent,
    half_aligned,
    noise_alignment,
    principal_component_risk,
    spike_alignment,
)
from giantstep.theory.structured.principal import principal_cosine


def test_noise_alone_aligns_like_its_own_law() -> None:
    rng, d, theta = np.random.default_rng(0), 300, 20.0
    x = rng.standard_normal((8_000, d))
    x[:, 0] *= 1 + theta  # the whitened noise of a gradient has the spike's variance twice
    share = x[:, 0] ** 2 / (x**2).sum(axis=1)
    assert abs(share.mean() - noise_alignment(d, theta)) < 0.02


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_alignments_grow_with_the_spike_to_one(degree: int) -> None:
    target = Target(f"He{degree}(x1)")
    found = [spike_alignment(target, 200, theta, 800.0) for theta in (0.0, 5.0, 50.0, 2000.0)]
    for name in ("euclidean", "whitened"):
        values = [getattr(one, name) for one in found]
        assert values == sorted(values)
        assert values[-1] > 0.75
    assert found[0].euclidean == pytest.approx(found[0].whitened)
    # Scaling the labels changes no direction.
    assert spike_alignment(Target(f"3*He{degree}(x1)"), 200, 5.0, 800.0).euclidean == pytest.approx(found[1].euclidean)


@pytest.mark.parametrize("which", ["euclidean", "whitened"])
@pytest.mark.parametrize(("degree", "allowance"), [(2, 0.003), (3, 0.003), (4, 0.3 / math.log(1e10))])
def test_exponents_of_half_alignment(degree: int, allowance: float, which) -> None:
    """Corrections are logarithmic: 0.01 for k = 4 at d = 10^11, below 0.002 for k = 2 and 3."""
    target = Target(f"He{degree}(x1)")
    ends = [half_aligned(target, d, 4.0 * d, which) for d in (10**10, 10**12)]
    assert math.log10(ends[1] / ends[0]) / 2 == pytest.approx(alignment_exponent(degree, which), abs=allowance)


def test_principal_component_limits() -> None:
    cubic = Target("(x1 + He3(x1)/sqrt(6))/sqrt(2)")
    assert principal_cosine(4.0, 0.4) == 0.0
    assert principal_cosine(4.0, 10.0) == pytest.approx((1 - 1 / 400) / (1 + 1 / 40))
    assert principal_component_risk(cubic, 10**3, 50.0, 1e5, 5) == pytest.approx(0.0, abs=1e-4)
    # Without a spike to see, six coefficients are fitted to noise; on samples <x, v> is larger than on fresh inputs.
    assert 1 + 2 / 400 < principal_component_risk(cubic, 100, 0.1, 400, 5) < 1 + 6 / 400
    assert principal_component_risk(cubic, 10**3, 50.0, 1e5, 2) == pytest.approx(0.5, abs=2e-3)


def test_a_threshold_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match="aligns"):
        half_aligned(Target("x1"), 100, 10000.0, "euclidean")


@pytest.mark.parametrize("noise", [0.0, 0.5, 2.0])
def test_label_noise_enters_alignments_and_the_fit_along_the_principal_component(noise: float) -> None:
    """Moments at one neuron against samples, at He2 in 60 dimensions."""
    target, d, theta, n = Target("He2(x1)/sqrt(2)"), 60, 12.0, 240
    rng = np.random.default_rng(3)
    seen, risks = [], []
    for _ in range(120):
        x = rng.standard_normal((n, d))
        y = (x[:, 0] ** 2 - 1) / math.sqrt(2) + noise * rng.standard_normal(n)
        x[:, 0] *= math.sqrt(1 + theta)
        w = rng.standard_normal((40, d))
        open_ = x @ (w / np.linalg.norm(w, axis=1, keepdims=True)).T + rng.standard_normal(40) > 0
        g = (open_ * y[:, None]).T @ x
        seen.append(np.mean(g[:, 0] ** 2 / np.maximum((g**2).sum(axis=1), 1e-9)))
        v = np.linalg.svd(x, full_matrices=False)[2][0]
        fit = np.polyfit(x @ v, y, 2)
        test = rng.standard_normal((2000, d))
        wanted = (test[:, 0] ** 2 - 1) / math.sqrt(2)
        test[:, 0] *= math.sqrt(1 + theta)
        risks.append(np.mean((np.polyval(fit, test @ v) - wanted) ** 2))
    for values, expected in (
        (seen, spike_alignment(target, d, theta, n, noise).euclidean),
        (risks, principal_component_risk(target, d, theta, n, 2, noise)),
    ):
        assert abs(np.mean(values) - expected) < 4 * np.std(values) / math.sqrt(len(values)) + 0.03 * expected
