"""What `analyze` says."""

import json

import pytest

from giantstep.problems import Activation, Target


def test_analysis_of_a_polynomial_is_exact() -> None:
    analysis = Target("1 + x1 + He2(x1)*x2").analyze()
    assert analysis.energies == (1, 1, 0, 2)
    expected = {
        "target": "1 + x1 + He2(x1)*x2",
        "directions": 2,
        "norm2": 4.0,
        "mean": 1.0,
        "energies": [1.0, 1.0, 0.0, 2.0],
        "tail": 0.0,
        "information_exponent": 1,
        "exact": True,
        "error": 0.0,
    }
    assert {key: analysis.to_dict()[key] for key in expected} == expected
    json.dumps(analysis.to_dict())
    text = str(analysis)
    assert "1 + x1 + He2(x1)*x2" in text
    assert "50.00 %" in text
    assert "exact" in text


def test_energies_and_tail_of_other_functions_add_up() -> None:
    analysis = Target("relu(x1)").analyze()
    assert sum(map(float, analysis.energies)) + float(analysis.tail) == pytest.approx(0.5, abs=1e-14)
    assert 0 < float(analysis.tail) < 2e-3
    assert ">12" in str(analysis)
    assert not analysis.is_exact
    assert analysis.error < 1e-12


@pytest.mark.parametrize(
    ("target", "activation", "seen"),
    [
        ("x1 + He2(x2)", "relu", 1),
        ("He2(x1)", "relu", 2),
        ("He3(x1)", "relu", None),
        ("He3(x1) + He4(x2)", "relu", 4),
        ("He2(x1) + He3(x1)", "tanh", 3),
        ("He3(x1)", "tanh", 3),
        ("tanh(x1)", "He3", 3),
        ("sign(x1*x2*x3)", "erf", 3),
        ("x1", "He2 + He3", None),
        ("3", "relu", None),
    ],
)
def test_what_one_giant_step_sees(target: str, activation: str, seen: int | None) -> None:
    """Degree k is seen only where the target has energy and the activation a coefficient."""
    for given in (activation, Activation(activation)):
        analysis = Target(target).analyze(given)
        assert analysis.visibility is not None
        assert analysis.visibility.exponent == seen
    data = analysis.to_dict()
    assert data["visible_exponent"] == seen
    assert all(
        Activation(activation).hermite_coefficient(k) == pytest.approx(0, abs=1e-9)
        for k in data["vanishing_coefficients"]
    )
    assert "one giant step" in str(analysis) or seen is None
