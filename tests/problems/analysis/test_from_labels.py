"""What transformed labels show, step by step: against thresholds and leaps that are known."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Target
from giantstep.problems.analysis.from_labels import FromLabels, neat


def of(text: str) -> FromLabels:
    return Target(text).analyze().labels


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("abs(x1)", 0.5),
        ("He2(x1)", 0.5),
        ("x1*x2", 0.59375),
        ("sign(x1*x2)", np.pi**2 / 4),
        ("x1**2 + x2**2", 1.0),
        ("x1**2 + x2**2 + x3**2 + x4**2", 2.0),
        ("x1 + He2(x2)", 0.5),
        ("x4 + x1*x2*x3", 2.5585),
    ],
)
def test_thresholds(text: str, threshold: float) -> None:
    found = Target(text).analyze().to_dict()
    assert found["generative_leap"] == 2
    assert found["weak_recovery_threshold"] == pytest.approx(threshold, abs=2 * found["weak_recovery_error"] + 1e-9)
    assert found["weak_recovery_error"] < 0.25 * threshold


@pytest.mark.parametrize(("text", "leap"), [("x1**3", 1), ("x1 + He2(x1)*x2", 1), ("sign(x1*x2*x3)", 3)])
def test_where_nothing_is_paid_at_n_of_order_d(text: str, leap: int) -> None:
    found = Target(text).analyze().to_dict()
    assert found["generative_leap"] == leap
    assert found["weak_recovery_threshold"] is None


def test_what_is_free_then_what_becomes_free() -> None:
    steps = of("x1 + x2*x3").steps
    assert [(step.exponent, step.directions) for step in steps] == [
        (1, ((1.0, 0.0, 0.0),)),
        (2, ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
    ]


def test_the_text_and_the_methods_tell_it() -> None:
    page = Target("x1 + He2(x2)").analyze().text()
    assert "x1 free at n ~ d; then x2 from n/d = 0.5" in page
    methods = {m.name: (m.first, m.all) for m in Target("sign(x1*x2*x3)").analyze().methods}
    assert methods["spectral method"] == (1.5, 1.5)
    assert methods["SGD with reuse"] == (None, None)
    assert {m.name: m.all for m in Target("He4(x1)").analyze().methods}["SGD with reuse"] == 1


def test_targets_that_are_not_decided() -> None:
    assert of("5").leap is None
    assert "at most 6" in of(" + ".join(f"x{i}" + f"*x{i + 1}" for i in range(1, 8))).reason


@pytest.mark.parametrize("text", ["x1 + 1e-12*tanh(x2)*x3", "relu(x1) + 1e-13*x2"])
def test_what_nobody_would_see_has_no_direction(text: str) -> None:
    assert [step.directions for step in of(text).steps] == [((1.0, *[0.0] * (Target(text).directions - 1)),)]


def test_a_neat_basis_spans_the_same() -> None:
    rows = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 2)))[0].T
    found = np.array(neat(rows))
    assert np.linalg.matrix_rank(np.concatenate([rows, found]), tol=1e-5) == 2
