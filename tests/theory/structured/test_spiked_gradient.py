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
from giantstep.theory.structured.spiked_gradient import principal_cosine


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
    assert principal_component_risk(cubic, 10**3, 50.0, 1e9, 5) == pytest.approx(0.0, abs=1e-5)
    assert principal_component_risk(cubic, 100, 0.1, 400, 5) == pytest.approx(1.0 + 6 / 400)
    assert principal_component_risk(cubic, 10**3, 50.0, 1e9, 2) == pytest.approx(0.5, abs=1e-3)


def test_a_threshold_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match="aligns"):
        half_aligned(Target("x1"), 100, 10000.0, "euclidean")
