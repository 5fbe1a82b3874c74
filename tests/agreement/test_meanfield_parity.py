"""Mean-field Langevin dynamics on parities, against the kernel and along its own parameters."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.meanfield.parity import Parity
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean(cell, name: str) -> float:
    return float(np.mean(cell.values_of(name)))


def test_stretch_makes_parity_easy_and_three_signs_beat_an_untuned_kernel_only(seed: int) -> None:
    cells = Study(Parity(), stretch_exponent=[0.0, 0.5], seeds=3, seed=seed).run(workers=1).cells
    flat, stretched = (mean(cell, "accuracy") for cell in cells)
    assert flat < 0.65
    assert stretched > 0.85
    assert mean(cells[1], "advantage_untuned") > 0.05
    assert mean(cells[1], "advantage") < 0.03
    assert mean(cells[1], "weight_share") > 3 / 24


def test_the_kernel_wins_on_xor() -> None:
    cell = Parity(order=2, samples=150, stretch_exponent=0.25).run(seeds=3).cells[0]
    assert mean(cell, "advantage") < 0


def test_refusals() -> None:
    with pytest.raises(InputError, match=r"at most 0\.5"):
        Parity(temperature=0.6)
    with pytest.raises(InputError, match="operations"):
        Parity(samples=100_000, neurons=100_000)
