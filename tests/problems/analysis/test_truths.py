"""Every number of an analysis lies within the error that it states, of targets whose integrals are known otherwise.

The truths are closed forms, or integrals of one or two variables by scipy after the others were integrated by hand.
They use that products of two normals have the density K0(|p|)/pi, and x1 x2 + x3 x4 the density exp(-|q|)/2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, exp, factorial, log, pi, sqrt, tanh

import numpy as np
import pytest
import scipy.integrate
import scipy.special
import scipy.stats

from giantstep.errors import InputError
from giantstep.problems import Target

QUAD = 1e-9
"""How far scipy's integrals are trusted."""


def normal(f: Callable[[float], float], *breaks: float) -> float:
    """E f(z), by scipy between the breaks."""
    edges = [-12.0, *sorted(breaks), 12.0]
    density = 1 / sqrt(2 * pi)
    return sum(
        scipy.integrate.quad(lambda z: f(z) * exp(-z * z / 2) * density, a, b, limit=400, epsabs=1e-12)[0]
        for a, b in pairwise(edges)
    )


def product(f: Callable[[float], float], *breaks: float) -> float:
    """E f(x1 x2), by the density K0(|p|)/pi."""
    edges = sorted({-40.0, 0.0, 40.0, *breaks})
    return sum(
        scipy.integrate.quad(lambda p: f(p) * scipy.special.k0(abs(p)) / pi, a, b, limit=400, epsabs=1e-12)[0]
        for a, b in pairwise(edges)
    )


def two_products(f: Callable[[float], float], *breaks: float) -> float:
    """E f(x1 x2 + x3 x4), by the density exp(-|q|)/2."""
    edges = sorted({-40.0, 0.0, 40.0, *breaks})
    return sum(
        scipy.integrate.quad(lambda q: f(q) * exp(-abs(q)) / 2, a, b, limit=400, epsabs=1e-12)[0]
        for a, b in pairwise(edges)
    )


def four_factors(f: Callable[[np.ndarray], np.ndarray]) -> float:
    """E f(x1 x2 x3 x4) for an even f: both products on a logarithmic axis, by the trapezoidal rule."""
    y = np.linspace(-40.0, log(60.0), 1600)
    p = np.exp(y)
    weight = 2 * scipy.special.k0(p) / pi * p * (y[1] - y[0])
    return float(weight @ f(np.multiply.outer(p, p)) @ weight)


def chi2(f: Callable[[float], float], k: int, *breaks: float) -> float:
    edges = [0.0, *breaks, 80.0]
    law = scipy.stats.chi2(k)
    return sum(
        scipy.integrate.quad(lambda s: f(s) * law.pdf(s), a, b, limit=400, epsabs=1e-12)[0] for a, b in pairwise(edges)
    )


def phi(z: float) -> float:
    return exp(-z * z / 2) / sqrt(2 * pi)


def cdf(z: float) -> float:
    return float(scipy.special.ndtr(z))


def sign(z: float) -> float:
    return float(z > 0) - float(z < 0)


def square_given_x1(seen: Callable[[float], float]) -> float:
    """E[g(x1)^2] for an odd g."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    return 2 * sum(4.5 * w * phi(t) * seen(t) ** 2 for t, w in zip(4.5 * (nodes + 1), weights, strict=True))


def sign_given_x1(x: float) -> float:
    """E[sign(x1 + x2 x3) | x1] = E erf(x1/(sqrt 2 |x2|))."""
    return normal(lambda z: float(scipy.special.erf(x / (sqrt(2) * abs(z) + 1e-300))), 0.0)


def tanh_given_x1(x: float) -> float:
    """E[tanh(x1 + x2 x3) | x1] by the trapezoidal rule, which converges exponentially."""
    z = np.linspace(-9, 9, 181)
    weight = np.exp(-z * z / 2) / sqrt(2 * pi) * (z[1] - z[0])
    return float(weight @ np.tanh(x + np.multiply.outer(z, z)) @ weight)


@dataclass(frozen=True)
class Truth:
    """What is known of a target: mean, norm, energies by degree, E Var(f | U_t) by t."""

    text: str
    mean: float
    norm2: float
    energies: dict[int, float] = field(default_factory=dict)
    variances: dict[int, float] = field(default_factory=dict)
    good: float = 1e-6

    def __str__(self) -> str:
        return self.text


ELLIPSE = 2 * normal(lambda x: 2 * cdf(-sqrt(max(1 - x * x, 0) / 2)) if x * x < 1 else 1.0, -1, 1) - 1
TANH2 = normal(lambda b: normal(lambda z: tanh(sqrt(1 + b * b) * z) ** 2))
THREE = (
    2 * normal(lambda z: 0.5 * product(lambda p: float(abs(p) > 1 / z), -1 / z, 1 / z) if z > 0.02 else 0.0, 0.02) * 2
    - 1
)
BUMP = lambda a: exp(-a / 9 / (1 + 2 * a)) / sqrt(1 + 2 * a)  # noqa: E731, E exp(-a (z - 1/3)^2)
WAVES = np.arange(-11, 12, 2) * pi / 6  # where cos(3 z) changes its sign
WAVE = 7 * 7 + 1  # the squared frequency of sin(7 x1 + x2)

TRUTHS = [
    Truth("step(x1**2 + x2**2 - 1)", exp(-0.5), exp(-0.5), {0: exp(-1), 1: 0, 2: exp(-1) / 4, 3: 0}, {}, 1e-12),
    Truth(
        "sign(x1**2 + x2**2 + x3**2 - 3)",
        chi2(lambda s: sign(s - 3), 3, 3.0),
        1.0,
        {1: 0, 2: 3 * chi2(lambda s: (s / 3 - 1) * sign(s - 3), 3, 3.0) ** 2 / 2},
    ),
    # E[q sign(q)] = 1 is shared by x1 x2 and x3 x4.
    Truth("sign(x1*x2 + x3*x4)", 0.0, 1.0, {1: 0, 2: 0.5, 3: 0}, {0: 1.0}, 1e-3),
    Truth(
        "step(x1**2 + x2 - 1)",
        normal(lambda x: cdf(x * x - 1)),
        normal(lambda x: cdf(x * x - 1)),
        {1: normal(lambda x: phi(x * x - 1)) ** 2},
        {1: normal(lambda x: cdf(x * x - 1)) - normal(lambda y: (2 * cdf(-sqrt(1 - y)) if y < 1 else 1.0) ** 2, 1.0)},
        1e-10,
    ),
    Truth(
        "tanh(x1*x2*x3*x4)",
        0.0,
        four_factors(lambda p: np.tanh(p) ** 2),
        {1: 0, 2: 0, 3: 0, 4: four_factors(lambda p: p * np.tanh(p)) ** 2, 5: 0},
        {},
        1e-3,
    ),
    Truth("cos(20*x1)", exp(-200), 0.5 * (1 + exp(-800)), {2: 400**2 / 2 * exp(-400), 3: 0}, {0: 0.5}, 1e-13),
    Truth(
        "sign(x1 + x2*x3)",
        0.0,
        1.0,
        {1: 2 / pi * normal(lambda z: 1 / sqrt(1 + z * z)) ** 2},
        {0: 1.0, 1: 1 - square_given_x1(sign_given_x1)},
    ),
    # E[x1 f] = E[1 - f^2].
    Truth("tanh(x1 + x2*x3)", 0.0, TANH2, {1: (1 - TANH2) ** 2}, {0: TANH2, 1: TANH2 - square_given_x1(tanh_given_x1)}),
    Truth(
        "sign(x1 - x2**3)",
        0.0,
        1.0,
        {1: 4 * normal(lambda z: phi(z**3)) ** 2 + normal(lambda z: z * (1 - 2 * cdf(z**3))) ** 2, 2: 0},
        {0: 1.0},
        1e-10,
    ),
    Truth("sign(x1**2 + 2*x2**2 - 1)", ELLIPSE, 1.0, {1: 0, 3: 0}, {0: 1 - ELLIPSE**2}, 1e-10),
    Truth(
        "relu(x1*x2 - 1/2)",
        product(lambda p: max(p - 0.5, 0), 0.5),
        product(lambda p: max(p - 0.5, 0) ** 2, 0.5),
        {1: 0},
        {},
        1e-10,
    ),
    Truth("abs(x1*x2 - 1)", product(lambda p: abs(p - 1), 1.0), 2.0, {1: 0}, {}, 1e-10),
    Truth("cos(3*x1*x2)", 1 / sqrt(10), 0.5 + 0.5 / sqrt(37), {1: 0, 2: 0.5 * (9 / 10**1.5) ** 2 * 2}, {}, 1e-10),
    Truth("tanh(30*x1*x2)", 0.0, product(lambda p: tanh(30 * p) ** 2, -0.1, 0.1), {1: 0}, {}, 1e-8),
    Truth("sin(7*x1 + x2)", 0.0, 0.5 * (1 - exp(-2 * WAVE)), {1: WAVE * exp(-WAVE), 2: 0}, {}, 1e-13),
    Truth("cos(40*x1)*x2", 0.0, 0.5, {1: exp(-1600), 2: 0}, {}, 1e-13),
    Truth("sin(50*x1) + x1", 0.0, 1.5, {1: 1.0, 2: 0}, {}, 1e-12),
    Truth(
        "step(x1 + x2 + x3*x4)",
        0.5,
        0.5,
        {1: 2 * (normal(lambda z: 1 / sqrt(1 + z * z / 2)) / (2 * sqrt(pi))) ** 2},
        {0: 0.25},
        1e-3,
    ),
    Truth("relu(x1*x2 + x3*x4 - 1)", exp(-1) / 2, exp(-1), {1: 0, 3: 0}, {0: exp(-1) - exp(-2) / 4}, 1e-3),
    Truth(
        "tanh(x1*x2 + x3*x4)",
        0.0,
        two_products(lambda q: tanh(q) ** 2),
        {1: 0, 2: two_products(lambda q: q * tanh(q)) ** 2 / 2},
        {},
        1e-3,
    ),
    Truth("sign(cos(3*x1))", normal(lambda z: sign(cos(3 * z)), *WAVES), 1.0, {1: 0}, {}, 1e-9),
    Truth("abs(x1 + x2*x3)", sqrt(2 / pi) * normal(lambda z: sqrt(1 + z * z)), 2.0, {1: 0}, {}, 1e-6),
    Truth(
        "exp(-x1**2*x2**2)",
        normal(lambda z: 1 / sqrt(1 + 2 * z * z)),
        normal(lambda z: 1 / sqrt(1 + 4 * z * z)),
        {1: 0},
        {},
        1e-10,
    ),
    Truth(
        "step(x1**2 + x2**2 + x3**2 + x4**2 - 4)", 3 * exp(-2), 3 * exp(-2), {1: 0, 2: (2 * exp(-2)) ** 2 * 2}, {}, 1e-3
    ),
    Truth(
        "exp(-10**6*(x1 - 1/3)**2)",
        1 / sqrt(1 + 2e6) * exp(-(1e6 / 9) / (1 + 2e6)),
        1 / sqrt(1 + 4e6) * exp(-(2e6 / 9) / (1 + 4e6)),
        {},
        {},
        1e-10,
    ),
    Truth("sign(x1*x2*x3 - 1)", THREE, 1.0, {1: 0}, {0: 1 - THREE**2}),
]


@pytest.mark.parametrize("truth", TRUTHS, ids=str)
def test_every_number_lies_within_its_error(truth: Truth) -> None:
    found = Target(truth.text).analyze()
    text = found.text()
    assert "nothing to learn" not in text
    assert "lowest degree is 1" not in text
    stated = float(re.search(r"numbers are right to (\S+e[-+]\d+)", text)[1])  # type: ignore[index]
    assert stated <= truth.good
    assert found.error <= stated
    allowed = stated + QUAD
    assert abs(float(found.mean) - truth.mean) <= found.mean_error + QUAD
    assert abs(float(found.norm2) - truth.norm2) <= allowed
    for k, energy in truth.energies.items():
        assert abs(float(found.energies[k]) - energy) <= found.energy_errors[k] + QUAD, k
        assert found.energy_errors[k] <= stated
    for t, variance in truth.variances.items():
        spread = found.staircase[t].spread
        assert abs(float(spread.variance) - variance) <= spread.error + QUAD, t
        assert spread.error <= stated
    assert abs(sum(map(float, found.energies)) + float(found.tail) - truth.norm2) <= allowed
    lowest = [k for k, energy in truth.energies.items() if k and energy > 1e-12]
    if lowest and all(truth.energies.get(k) == 0 for k in range(1, min(lowest))):
        assert found.information_exponent == min(lowest)


def test_the_small_part_of_a_wave_is_exact() -> None:
    found = Target("cos(20*x1)").analyze()
    assert (found.information_exponent, found.leap, found.isoleap, found.relevant_dimension) == (2, 2, 2, 1)
    for k in (0, 2, 4, 12):
        assert float(found.energies[k]) == pytest.approx(400**k / factorial(k) * exp(-400), rel=1e-11)
    assert any("no sample size in practice" in note for note in found.notes)


def test_what_underflows_is_not_decided() -> None:
    text = Target("cos(60*x1)").analyze().text()
    assert "nothing of the target shows up to degree 12" in text
    assert "cannot be decided" in text


def test_what_is_zero_for_a_direction_is_zero_for_the_leap() -> None:
    for text in ("x1 + 1e-12*tanh(x2)*x3", "x1 + 1e-9*tanh(x2)*x3"):
        found = Target(text).analyze()
        assert found.leap is not None
        assert found.isoleap is not None
        assert found.leap <= found.isoleap


def test_an_integral_that_is_not_known_is_one_sentence() -> None:
    target = Target("sign(sin(60*x1*x2) + cos(50*x2*x3))")
    with pytest.raises(InputError, match="cannot be decided"):
        target.analyze()
    with pytest.raises(InputError, match="cannot be decided"):
        _ = target.information_exponent
