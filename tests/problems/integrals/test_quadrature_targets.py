"""Targets that are not polynomials: known integrals within the stated error, energies, growth."""

from math import asin, erf, exp, factorial, pi, sqrt

import numpy as np
import pytest
import scipy.integrate
import scipy.special

from giantstep.errors import InputError, TextError
from giantstep.problems import Target

RHO = 1 / sqrt(2)  # the correlation of x1 and (x1 + x2)/sqrt 2
ARC = (sqrt(1 - RHO**2) + RHO * (pi - np.arccos(RHO))) / (2 * pi)  # E relu(u) relu(v) at that correlation

KNOWN = [
    # text, mean, norm2, an error that is good enough
    ("relu(x1)", 1 / sqrt(2 * pi), 0.5, 1e-13),
    ("sign(x1*x2*x3)", 0.0, 1.0, 1e-13),
    ("relu(x1*x2)", 1 / pi, 0.5, 1e-13),
    ("exp(x1)", exp(0.5), exp(2), 1e-12),
    ("exp(x1 + 2*x2)*x3", 0.0, exp(10), 1e-8),
    ("exp(-x1**2 - x2**2)", 1 / 3, 1 / 5, 1e-13),
    ("exp(x1**2/8)", sqrt(4 / 3), sqrt(2), 1e-12),
    ("exp(x1*x2/5)", 1 / sqrt(1 - 0.04), 1 / sqrt(1 - 0.16), 1e-9),
    ("abs(x1) + abs(x2)", 2 * sqrt(2 / pi), 2 + 4 / pi, 1e-13),
    ("relu(x1)*relu(x1 + x2)", sqrt(2) * ARC, 1.977464829275685, 1e-9),
    ("sign(x1)*sign(x1 + x2)", 2 / pi * asin(RHO), 1.0, 1e-10),
    ("relu(x1) + relu(x1 + x2)", (1 + sqrt(2)) / sqrt(2 * pi), 0.5 + 1 + 2 * sqrt(2) * ARC, 1e-12),
    ("sin(x1)*He3(x2)", 0.0, 6 * (1 - exp(-2)) / 2, 1e-12),
    ("step(x1 + x2 + x3 - 1)", 0.5 - 0.5 * erf(1 / sqrt(6)), 0.5 - 0.5 * erf(1 / sqrt(6)), 1e-13),
    ("sign(x1**2 - 1)", 1 - 2 * erf(sqrt(0.5)), 1.0, 1e-13),
    ("sign(x1**2 + x2**2 - 1)", 2 * exp(-0.5) - 1, 1.0, 0.2),
    ("He19(x1)*sign(x2)", 0.0, float(factorial(19)), 1e4),
    ("x1*relu(x1 + x2)", 0.5, 2.0, 1e-9),
]


@pytest.mark.parametrize(("text", "mean", "norm2", "good"), KNOWN, ids=[k[0] for k in KNOWN])
def test_known_integrals_lie_within_the_stated_error(text: str, mean: float, norm2: float, good: float) -> None:
    target = Target(text)
    assert not target.is_polynomial
    assert target.degree is None
    rounding = 1e-14 * max(1.0, norm2)
    assert abs(float(target.mean) - mean) <= target.error + rounding
    assert abs(float(target.norm2) - norm2) <= target.error + rounding
    assert target.error <= good
    assert sum(map(float, target.energies())) <= norm2 + 4 * target.error + rounding


def test_steep_and_shifted_functions() -> None:
    for text, function in (
        ("tanh(50*x1 - 30)", lambda z: np.tanh(50 * z - 30)),
        ("softplus(-20*x1)", lambda z: np.logaddexp(0, -20 * z)),
        ("cos(30*x1)*x1**2", lambda z: np.cos(30 * z) * z**2),
    ):
        target = Target(text)
        for found, power in ((target.mean, 1), (target.norm2, 2)):
            expected = scipy.integrate.quad(
                lambda z, p=power, f=function: f(z) ** p * np.exp(-z * z / 2) / sqrt(2 * pi),
                -12,
                12,
                limit=800,
                points=[0.6],
            )[0]
            assert float(found) == pytest.approx(expected, abs=1e-8)
        assert target.error < 1e-10


def test_hermite_coefficients_of_ridge_functions() -> None:
    """g(<b,x>) has c_a = b^a E[g He_|a|] / a!."""
    target = Target("tanh(0.6*x1 - 0.8*x2)")
    line = Target("tanh(x1)")
    for (i, j), c in target.hermite(7).items():
        k = i + j
        expected = 0.6**i * (-0.8) ** j * factorial(k) / (factorial(i) * factorial(j)) * float(line.hermite(7)[(k,)])
        assert c == pytest.approx(expected, rel=1e-10, abs=1e-13)
    np.testing.assert_allclose(target.energies(9), line.energies(9), rtol=1e-12, atol=1e-15)


def test_products_of_independent_parts_multiply() -> None:
    joint, first, second = Target("relu(x1)*tanh(x2 + 1)*x3"), Target("relu(x1)"), Target("tanh(x1 + 1)")
    assert joint.norm2 == pytest.approx(float(first.norm2) * float(second.norm2))
    for (i, j, k), c in joint.hermite(5).items():
        assert k == 1
        assert c == pytest.approx(float(first.hermite(5)[(i,)]) * float(second.hermite(5)[(j,)]), rel=1e-11)


def test_polynomials_times_functions_of_the_same_direction() -> None:
    """E[He_j(x) relu(x) He_k(x)] by hand: half of what the even part gives, and z/2 the odd."""
    target = Target("He3(x1)*sign(x1) + x2*relu(x1 + x2)")
    nodes, weights = np.polynomial.legendre.leggauss(400)
    z = 6 * (nodes + 1)
    w = 6 * weights * np.exp(-z * z / 2) / sqrt(2 * pi)
    for k in (1, 3, 5):
        even = 2 * np.sum(w * scipy.special.eval_hermitenorm(3, z) * scipy.special.eval_hermitenorm(k - 1, z))
        got = Target("He3(x1)*sign(x1)").hermite()[(k - 1,)]
        assert got == pytest.approx(even / factorial(k - 1), rel=1e-11)
    # x2 relu(x1 + x2): with u = (x1 + x2)/sqrt 2 its mean is E[x2 relu] = 1/2.
    assert float(target.mean) == pytest.approx(0.5 + float(Target("He3(x1)*sign(x1)").mean), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "exponent"),
    [
        ("relu(x1)", 1),
        ("abs(x1)", 2),
        ("cos(x1) - x2**2*0", 2),
        ("sign(x1*x2*x3)", 3),
        ("relu(x1) - x1/2", 2),
        ("tanh(x1*x2)", 2),
        ("tanh(x1) - x1*1", 1),
        ("sigmoid(x1)*x2*x3", 2),
        ("1", None),
    ],
)
def test_information_exponents(text: str, exponent: int | None) -> None:
    assert Target(text).information_exponent == exponent


def test_monte_carlo_agrees_on_coupled_functions() -> None:
    rng = np.random.default_rng(20)
    x = rng.standard_normal((60_000, 3))
    for text in ("sigmoid(x1 + x2*x3)", "abs(x1*x2 - 1)", "relu(x1)*relu(x1 + x2)*tanh(x3)"):
        target = Target(text)
        y = target(x)
        for sample, value in ((y, target.mean), (y**2, target.norm2), (y * x[:, 0], target.linear[0])):
            assert abs(sample.mean() - float(value)) < 5 * sample.std() / sqrt(len(x)) + target.error


@pytest.mark.parametrize(
    "text", ["exp(8*x1)", "exp(x1**2/5)", "exp(x1*x2/3)", "exp(-x1**4)", "exp(-exp(x1))", "exp(tanh(x1)*x2)"]
)
def test_integrable_exponentials_are_allowed(text: str) -> None:
    target = Target(text)
    assert 0 < float(target.norm2) < np.inf
    assert float(target.norm2) >= float(target.mean) ** 2 - target.error


def test_many_directions() -> None:
    target = Target("+".join(f"tanh(x{i})" for i in range(1, 17)))
    one = Target("tanh(x1)")
    assert target.norm2 == pytest.approx(16 * float(one.norm2))
    np.testing.assert_allclose(target.linear, np.full(16, one.linear[0]))
    with pytest.raises(InputError, match="at most degree"):
        target.hermite(9)
    with pytest.raises(TextError, match="couples 5 directions"):
        Target("tanh(x1*x2 + x3*x4 + x5**2)")
