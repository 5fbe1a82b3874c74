"""Polynomial targets: exact expansions, against sympy; evaluation, gradients, tensors, single-index form."""

import pickle
from fractions import Fraction
from itertools import product
from math import factorial, prod, sqrt
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from giantstep.errors import InputError
from giantstep.problems import ZOO, Activation, Target

X = sympy.symbols("x1:4")


def mean_by_sympy(polynomial: sympy.Expr) -> sympy.Expr:
    """E of a polynomial: x^n has mean (n-1)!! for even n, else 0."""
    total = sympy.Integer(0)
    for powers, c in sympy.Poly(sympy.expand(polynomial), *X).terms():
        if all(n % 2 == 0 for n in powers):
            total += c * prod(sympy.factorial2(n - 1) if n else 1 for n in powers)
    return total


def he(k: int, x: sympy.Symbol) -> sympy.Expr:
    return sympy.expand(sympy.Rational(1, 2) ** sympy.Rational(k, 2) * sympy.hermite(k, x / sympy.sqrt(2)))


def random_polynomial(terms: list[tuple[int, int, list[int], bool]]) -> tuple[str, sympy.Expr]:
    """A text and the same as a sympy expression."""
    texts, total = [], sympy.Integer(0)
    for top, bottom, powers, in_hermite in terms:
        factors = [f"{top}/{bottom}"]
        value = sympy.Rational(top, bottom)
        for i, n in enumerate(powers):
            factors.append(f"He{n}(x{i + 1})" if in_hermite else f"x{i + 1}**{n}")
            value *= he(n, X[i]) if in_hermite else X[i] ** n
        texts.append("*".join(factors))
        total += value
    return " + ".join(texts), total


TERMS = st.tuples(
    st.integers(-9, 9).filter(bool),
    st.integers(1, 7),
    st.lists(st.integers(0, 4), min_size=3, max_size=3),
    st.booleans(),
)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(TERMS, min_size=1, max_size=4))
def test_polynomials_agree_with_sympy(terms: list[tuple[int, int, list[int], bool]]) -> None:
    text, f = random_polynomial(terms)
    target = Target(text)
    assert target.is_polynomial
    assert target.is_exact
    assert target.error == 0.0
    assert target.mean == Fraction(str(mean_by_sympy(f)))
    assert target.norm2 == Fraction(str(mean_by_sympy(f**2)))
    assert target.variance == target.norm2 - target.mean**2
    r = target.directions
    coefficients = target.hermite()
    for index in product(range(2), repeat=r):
        expected = mean_by_sympy(f * prod(he(k, x) for k, x in zip(index, X, strict=False)))
        assert coefficients.get(index, 0) == Fraction(str(expected)) / prod(map(factorial, index))
    assert target.linear == pytest.approx([float(mean_by_sympy(f * x)) for x in X[:r]])
    hessian = [[float(mean_by_sympy(sympy.diff(f, a, b))) for a in X[:r]] for b in X[:r]]
    np.testing.assert_allclose(target.hessian, hessian, rtol=1e-13)
    assert sum(target.energies()) == target.norm2


def test_tensors_are_mean_derivatives() -> None:
    """C_k = E[grad^k f], |P_k f|^2 = |C_k|^2/k!."""
    text = "x1 + He2(x1)*x2 - 3*x1*x2*x3 + x3**3/2"
    f = sympy.sympify(text.replace("He2(x1)", "(x1**2-1)"))
    target = Target(text)
    for k in range(5):
        tensor = target.tensor(k)
        assert tensor.shape == (3,) * k
        for index in product(range(3), repeat=k):
            derivative = f
            for i in index:
                derivative = sympy.diff(derivative, X[i])
            assert tensor[index] == pytest.approx(float(mean_by_sympy(derivative)), abs=1e-13)
        assert float(target.energy(k)) == pytest.approx((tensor**2).sum() / factorial(k))
    with pytest.raises(InputError, match="too many entries"):
        target.tensor(20)


def test_the_zoo_has_the_papers_numbers() -> None:
    expected = {
        "example-1": (6, 2),
        "example-2": (6, 2),
        "example-3-f1": (3, 3),
        "example-3-f2": (8, 3),
        "big": (57, 3),
        "two-level": (5, 2),
        "three-level": (3, 3),
        "stuck": (2, 3),
    }
    for name, (norm2, directions) in expected.items():
        target = ZOO[name].target
        assert (target.norm2, target.directions, target.information_exponent) == (norm2, directions, 1)
    assert ZOO["parity"].target.information_exponent == 3
    assert {name: s.target.text for name, s in ZOO.items()} == {name: s.text for name, s in ZOO.items()}


@pytest.mark.slow
def test_large_polynomials_stay_exact() -> None:
    target = Target("(" + "+".join(f"x{i}" for i in range(1, 17)) + ")**4")
    assert target.norm2 == 105 * 16**4  # E (4 z)^8, z ~ N(0,1)
    assert target.energy(4) == 24 * 16**4
    assert Target("He20(x1)*1/1").hermite() == {(20,): 1}
    assert Target("sqrt(3)*He20(x1) - pi*He9(x2)").information_exponent == 9
    assert Target("x1**20").mean == 654729075  # 19!!


EVALUATED = [
    "x1 + He2(x1)*x2",
    "tanh(0.6*x1 + 0.8*x2) + He3(x1)*x2",
    "relu(x1)*abs(x2 - x3) - 2",
    "7",
    "exp(-x1**2)*x2**5",
    "x1*x2*x3*tanh(x3)*x1",
]


@pytest.mark.parametrize("text", EVALUATED)
def test_values_and_gradients_on_arrays_of_any_shape(text: str) -> None:
    target = Target(text)
    rng = np.random.default_rng(2)
    r = target.directions
    for shape in ((), (1,), (5,), (2, 3), (0,)):
        x = rng.standard_normal((*shape, r + 2))
        before = x.copy()
        assert target(x).shape == shape
        assert target.gradient(x).shape == (*shape, r)
        assert np.array_equal(target(x), target(x[..., :r]))
        assert np.array_equal(x, before)
        single = target(x.astype(np.float32))
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, target(x), rtol=1e-4, atol=1e-4)
    x = rng.standard_normal((40, r))
    h = 1e-5
    for i in range(r):
        shift = h * np.eye(r)[i]
        difference = (target(x + shift) - target(x - shift)) / (2 * h)
        np.testing.assert_allclose(target.gradient(x)[:, i], difference, rtol=1e-6, atol=1e-6)
    with pytest.raises(InputError, match="columns"):
        target(np.zeros((4, r - 1)))


def test_values_do_not_alias_the_input() -> None:
    x = np.ones((4, 1))
    value = Target("x1")(x)
    value[:] = 5
    assert np.all(x == 1)


SINGLE = [
    ("relu(x1)", "relu", [1]),
    ("tanh(0.6*x1 + 0.8*x2)", "tanh", [0.6, 0.8]),
    ("(x1 + x2)**3 + relu(-x1 - x2)", "2*sqrt(2)*z**3 + sqrt(2)*relu(-z)", [sqrt(0.5)] * 2),
    ("He20(x2)", "He20", [0, 1]),
    ("x1*tanh(x1 - 2*x2) - 2*x2*tanh(x1 - 2*x2)", "sqrt(5)*z*tanh(sqrt(5)*z)", [1 / sqrt(5), -2 / sqrt(5)]),
    ("relu(" + "+".join(f"x{i}" for i in range(1, 17)) + ")", "4*relu(z)", [0.25] * 16),
]


@pytest.mark.parametrize(("text", "function", "direction"), SINGLE)
def test_single_index_targets_are_recognised(text: str, function: str, direction: list[float]) -> None:
    target = Target(text)
    assert target.single_index is not None
    g, b = target.single_index
    x = np.random.default_rng(9).standard_normal((30, target.directions))
    np.testing.assert_allclose(g(x @ b), target(x), rtol=1e-9, atol=1e-9 * np.abs(target(x)).max())
    assert np.linalg.norm(b) == pytest.approx(1.0)
    assert abs(b @ np.array(direction)) == pytest.approx(1.0)
    sign = np.sign(b @ np.array(direction))
    np.testing.assert_allclose(g(sign * x[:, 0]), Activation(function)(x[:, 0]), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("text", ["x1 + x2**2", "relu(x1) + relu(x2)", "x1*x2", "tanh(x1)*(x1 + x2)", "3"])
def test_other_targets_have_no_single_index(text: str) -> None:
    assert Target(text).single_index is None


def test_targets_are_immutable_values() -> None:
    target = Target("x1 + tanh(x2)")
    with pytest.raises(AttributeError):
        target.text = "x2"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        target.linear[0] = 3
    with pytest.raises(TypeError):
        target.hermite()[(9, 9)] = 1.0  # type: ignore[index]
    assert pickle.loads(pickle.dumps(target)).norm2 == target.norm2
    assert Target(target) == target


@pytest.mark.parametrize("degree", [-1, 1.5, "2", None])
def test_what_is_not_a_degree_is_refused(degree: Any) -> None:
    f = Target("relu(x1)")
    for ask in (
        f.energy,
        f.tensor,
        Activation("tanh").hermite_coefficient,
        *([f.hermite] if degree is not None else []),
    ):
        with pytest.raises(InputError, match="must be a whole number of 0 or more"):
            ask(degree)


def test_smoothness() -> None:
    assert Target("tanh(x1)*x2 + erf(x1)").is_smooth
    assert not Target("tanh(relu(x1))").is_smooth
    assert not Target("x1 + abs(x2)").is_smooth
