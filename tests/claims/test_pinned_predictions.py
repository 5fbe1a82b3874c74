"""Numbers of theories that were made faster, as they were computed before: a shortcut must not move them."""

from __future__ import annotations

from typing import Any

import pytest

from giantstep.claims import claim
from giantstep.verdicts.stating import Prediction

NOT_ODD = "tanh(z) + cos(z) - sqrt(8)*exp(-1/2)*exp(-z**2/2)"
PINNED: list[tuple[str, dict[str, Any], dict[str, float]]] = [
    (
        "cui24/giant-step-limit",
        {"neurons_per_dim": 4},
        {"risk": 0.01948744244980361, "training_error": 0.011608638405184443, "length_ratio": 1.1338129008645697},
    ),
    (
        "cui24/giant-step-limit",
        {"activation": NOT_ODD, "step": 2},
        {"risk": 0.20205651334577854, "training_error": 0.10884834056579007, "length_ratio": 1.1960078128333025},
    ),
    (
        "cui24/giant-step-limit",
        {"step_samples_per_dim": 1.4936, "step": 3.6339, "d": 105},
        {"risk": 0.14403120053514978, "training_error": 0.07750250178736383, "length_ratio": 1.0000828858632511},
    ),
    (
        "sensing/error-exponent",
        {"d": 200, "true_rank": 5, "oversampling": 10, "rank": 20},
        {"limit_exponent": 1.0906378182113836, "exponent": 1.200861076805558, "log_error": -15.766597096059279},
    ),
    (
        "structured/kernel-staircase",
        {"strength_exponent": 0.19494, "ridge": 0.0077049},
        {"theory_risk": 0.745977062832499, "risk_plain": 0.7605774629351427, "plateau": 0.8453940621145195},
    ),
    (
        "structured/kernel-staircase",
        {"strength_exponent": 0.6, "d": 1000},
        {"theory_risk": 0.24671235676367217, "risk_plain": 0.20643865768314204, "plateau": 0.4224830384644572},
    ),
    (
        "dklps23/no-step-size-helps",
        {"sample_exponent": 1.25},
        {"share": 0.1871498952401382, "best_share": 0.7392264578997226, "gradient_share": 0.7389726168414977},
    ),
]


@pytest.mark.parametrize(("name", "at", "before"), PINNED)
def test_a_shortcut_does_not_move_the_numbers(name: str, at: dict[str, Any], before: dict[str, float]) -> None:
    found = claim(name, **at).predict()
    assert isinstance(found, Prediction)
    assert {quantity: found.values[quantity] for quantity in before} == pytest.approx(before, rel=1e-9)
