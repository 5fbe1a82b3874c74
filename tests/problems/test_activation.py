"""Activations: values, derivatives, number types, kinks, closed-form terms and moments."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.special

from giantstep.errors import TextError
from giantstep.gaussian import ScalarFunction, Term
from giantstep.problems import Activation
from giantstep.problems.text.elementary import FUNCTIONS, fast_erf

COMPOSITE = [
    "z",
    "3",
    "tanh(z)*z",
    "z*relu(z)*z",
    "(z*tanh(z))/2 + (z + 1)*(z - 1)*cos(z)",
    "z/2 + He2(z)/sqrt(2)",
    "relu(z + 0.5)",
    "centered(relu)",
    "normalized(relu)",
    "normalized(z**3)",
    "tanh(centered(relu))",
    "erf(z/sqrt(2))",
    "tanh(2*z)*sin(z) - z*sigmoid(1.5*z)",
    "abs(tanh(z) - 0.3)",
    "exp(-z**2/2)*z**3",
    "(1 + tanh(z))**5/7",
    "relu(relu(z) - 1) + softplus(-z)",
    "gelu(2*z - 1)*cos(z)**2",
]
ALL = [*FUNCTIONS, *COMPOSITE]
POINTS = np.random.default_rng(11).uniform(-3.0, 3.0, 60)  # none of them within 1e-3 of a kink below


@pytest.mark.parametrize("text", ALL)
def test_derivatives_agree_with_finite_differences(text: str) -> None:
    s = Activation(text)
    z = POINTS[np.all(np.abs(POINTS[:, None] - np.array([*s.kinks, 99.0])) > 1e-3, axis=1)]
    h = 1e-4
    difference = (8 * (s(z + h) - s(z - h)) - (s(z + 2 * h) - s(z - 2 * h))) / (12 * h)
    scale = 1.0 + np.abs(s(z)).max() + np.abs(difference).max()
    slope = s.derivative(z)
    np.testing.assert_allclose(slope, difference, rtol=1e-8, atol=1e-10 * scale)
    value, shared = s.value_and_derivative(z)
    np.testing.assert_allclose(value, s(z), rtol=1e-13, atol=1e-14 * scale)
    np.testing.assert_allclose(shared, slope, rtol=1e-13, atol=1e-14 * scale)
    # The derivative as an expression is the same function.
    np.testing.assert_allclose(s.derivative_activation(z), slope, rtol=1e-10, atol=1e-12 * scale)


@pytest.mark.parametrize("text", ALL)
def test_number_types_and_shapes_are_kept(text: str) -> None:
    s = Activation(text)
    for dtype in (np.float32, np.float64):
        for shape in ((), (3,), (2, 0), (2, 3, 4)):
            z = np.random.default_rng(5).standard_normal(shape).astype(dtype)
            before = z.copy()
            results = (s(z), s.derivative(z), *s.value_and_derivative(z))
            for result in results:
                assert result.shape == shape
                assert result.dtype == dtype
                assert not np.shares_memory(result, z)
            assert np.array_equal(z, before)
    z = POINTS.astype(np.float32)
    scale = 1.0 + np.abs(s(POINTS)).max()
    np.testing.assert_allclose(s(z), s(z.astype(np.float64)), atol=2e-5 * scale)


@pytest.mark.parametrize(
    "text", ["tanh", "erf", "softplus", "sigmoid", "gelu", "relu", "abs", "sign", "step", "exp(-z**2)"]
)
def test_large_arguments_are_harmless(text: str) -> None:
    z = np.array([-1e4, -800.0, -40.0, 40.0, 800.0, 1e4])
    for dtype in (np.float64, np.float32):
        for result in (Activation(text)(z.astype(dtype)), *Activation(text).value_and_derivative(z.astype(dtype))):
            assert np.all(np.isfinite(result))
    assert Activation("sigmoid")(-700.0) == pytest.approx(scipy.special.expit(-700.0), rel=1e-13)
    assert Activation("softplus")(-30.0) == pytest.approx(np.log1p(np.exp(-30.0)), rel=1e-13)
    assert Activation("sigmoid").derivative(30.0) == pytest.approx(np.exp(-30.0), rel=1e-12)


def test_fast_erf_is_accurate_to_single_precision() -> None:
    z = np.linspace(-6, 6, 100_001).astype(np.float32).reshape(-1, 1)[:, ::1]
    assert np.abs(fast_erf(z) - scipy.special.erf(z.astype(np.float64))).max() < 3e-6
    assert fast_erf(np.array([np.inf, -np.inf, 0.0, -0.0], dtype=np.float32)).tolist() == [1.0, -1.0, 0.0, -0.0]
    assert np.array_equal(fast_erf(z[::7].T), fast_erf(np.ascontiguousarray(z[::7].T)))


def test_threads_give_the_same() -> None:
    s = Activation("normalized(gelu) + erf(z)")
    z = np.random.default_rng(0).standard_normal((64, 500)).astype(np.float32)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(s, [z] * 16))
    assert all(np.array_equal(r, results[0]) for r in results)


def test_values_at_kinks() -> None:
    assert float(Activation("relu").derivative(0.0)) == 0.0
    assert float(Activation("abs").derivative(0.0)) == 0.0
    assert float(Activation("step")(0.0)) == 0.0
    assert float(Activation("sign")(0.0)) == 0.0


KINKS = [
    ("tanh", (), ()),
    ("relu", (0.0,), ()),
    ("relu(z + 0.5)", (-0.5,), ()),
    ("step", (0.0,), (0.0,)),
    ("z*step(z)", (0.0,), ()),
    ("sign(z**2 - 2)", (-(2**0.5), 2**0.5), (-(2**0.5), 2**0.5)),
    ("abs(tanh(z) - 0.5)", (float(np.arctanh(0.5)),), ()),
    ("relu(1 - abs(z))", (-1.0, 0.0, 1.0), ()),
    ("centered(step(2*z - 1))", (0.5,), (0.5,)),
    ("abs(z**2 + 1)", (), ()),
]


@pytest.mark.parametrize(("text", "kinks", "jumps"), KINKS)
def test_kinks_and_jumps(text: str, kinks: tuple[float, ...], jumps: tuple[float, ...]) -> None:
    s = Activation(text)
    assert s.kinks == pytest.approx(kinks, abs=1e-12)
    assert s.jumps == pytest.approx(jumps, abs=1e-12)
    assert isinstance(s, ScalarFunction)


def by_terms(terms: tuple[Term, ...], z: np.ndarray) -> np.ndarray:
    total = np.zeros_like(z)
    for term in terms:
        name = {"constant": "1", "identity": "z", "hermite": f"He{term.order}"}.get(term.family, term.family)
        total += term.coefficient * Activation(name)(term.scale * z)
    return total


CLOSED = [
    "relu",
    "relu(-z)",
    "2*relu(3*z) - 1",
    "centered(relu)",
    "normalized(relu)",
    "erf(z/sqrt(2))",
    "z/2 + He2(z)/sqrt(2)",
    "z**5 - z**2",
    "abs",
    "sign",
    "step",
    "exp(z/2) + exp(-z)",
    "exp(z + 1)",
    "sin(2*z + 1) - cos(z)",
    "He3",
    "3",
    "z",
    "0",
    "relu(z) + relu(-z)",
]


@pytest.mark.parametrize("text", CLOSED)
def test_closed_form_terms_sum_to_the_function(text: str) -> None:
    s = Activation(text)
    assert s.terms is not None
    np.testing.assert_allclose(by_terms(s.terms, POINTS), s(POINTS), rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize(
    "text", ["tanh", "relu(z + 0.5)", "softplus", "relu*z", "sin(z)**2", "exp(-z**2)", "erf(z + 1)"]
)
def test_other_functions_have_no_terms(text: str) -> None:
    assert Activation(text).terms is None


# mu0, mu1, mu2^2, E s'', Var s' by 30-digit integration
MOMENTS = {
    "tanh": (0, 0.6057055096, 0.02741532604, 0, 0.09752373809),
    "erf": (0, 0.6514700159, 0.04014587282, 0, 0.1449968532),
    "sin": (0, 0.6065306597, 0.06445291721, 0, 0.1997882004),
    "sigmoid": (0.5, 0.2066209641, 0.0006868130352, 0, 0.002144018527),
    "relu": (0.3989422804, 0.5, 0.09084505691, 0.3989422804, 0.25),
    "normalized(relu)": (0, 0.8564292752, 0.2665288965, 0.6833316961, 0.7334711035),
    "centered(softplus)": (0, 0.5, 0.0215145018, 0.2066209641, 0.04337903586),
    "gelu": (0.2820947918, 0.5, 0.09564401102, 0.4231421877, 0.2058508656),
    "z": (0, 1, 0, 0, 0),
    "He3": (0, 0, 6, 0, 18),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_moments(text: str) -> None:
    m = Activation(text).moments
    found = (m.mu0, m.mu1, m.mu2_squared, m.curvature, m.slope_variance)
    assert found == pytest.approx(MOMENTS[text], abs=1e-9)
    s = Activation(text)
    assert [s.hermite_coefficient(k) for k in (0, 1, 2)] == pytest.approx([m.mu0, m.mu1, m.curvature], abs=1e-12)


def test_hermite_coefficients_of_shifted_relu() -> None:
    """relu(z + b): mu_1 = Phi(b), mu_k = He_{k-2}(-b) phi(b) for k >= 2 (Gaussian integration by parts)."""
    b = 0.7
    s = Activation(f"relu(z + {b})")
    density = np.exp(-b * b / 2) / np.sqrt(2 * np.pi)
    assert s.hermite_coefficient(1) == pytest.approx(scipy.special.ndtr(b), abs=1e-13)
    for k in range(2, 10):
        expected = scipy.special.eval_hermitenorm(k - 2, -b) * density
        assert s.hermite_coefficient(k) == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_vanishing_coefficients_are_known_from_symmetry() -> None:
    assert Activation("tanh").is_odd
    assert not Activation("relu").is_odd
    assert Activation("cos").is_even
    assert Activation("sigmoid - 1/2").is_odd
    for text in ("centered(sigmoid)", "normalized(sigmoid)", "centered(erf)", "normalized(sin)", "centered(sin(2*z))"):
        assert Activation(text).is_odd, text
    for text, vanishing in (
        ("relu", {3, 5, 7}),
        ("tanh", {0, 2, 4, 6}),
        ("gelu", {3, 5, 7}),
        ("softplus", {3, 5, 7}),
        ("sigmoid", {2, 4, 6}),
        ("He3 + z/2", {0, 2, 4, 5, 6, 7}),
        ("relu(z + 0.5)", set()),
    ):
        assert {k for k in range(8) if Activation(text).vanishes(k)} == vanishing
        assert all(Activation(text).hermite_coefficient(k) == 0.0 for k in vanishing)


def test_identity_of_activations() -> None:
    assert Activation("tanh") == Activation("tanh(z)") == Activation(Activation("tanh"))
    assert Activation("normalized(He2)") == Activation("He2/sqrt(2)")
    assert Activation("identity") == Activation("z")
    assert len({Activation(t) for t in ("relu", "relu(z)", "relu(2*z)/2", "tanh")}) == 2
    for text in ALL:
        s = Activation(text)
        assert pickle.loads(pickle.dumps(s)) == s
        assert Activation(str(s)) == s
        assert hash(Activation(str(s))) == hash(s)
        derived = pickle.loads(pickle.dumps(s.derivative_activation))
        np.testing.assert_array_equal(derived(POINTS), s.derivative_activation(POINTS))
    with pytest.raises(AttributeError):
        Activation("tanh").text = "relu"  # type: ignore[misc]


def test_standardised_functions_have_mean_zero_and_variance_one() -> None:
    for text in ("relu", "z**3 + z", "step", "exp(z/2)", "relu(z - 2)"):
        assert Activation(f"centered({text})").moments.mu0 == pytest.approx(0.0, abs=1e-13)
        m = Activation(f"normalized({text})").moments
        assert m.mu0 == pytest.approx(0.0, abs=1e-12)
        assert m.second_moment == pytest.approx(1.0, rel=1e-12)
    with pytest.raises(TextError, match="not constant"):
        Activation("normalized(relu - relu)")
