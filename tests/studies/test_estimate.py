"""Estimates: at the pace that was measured, of the memory that is free; who takes more is told of."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from giantstep.claims import claim, claim_names
from giantstep.errors import InputError
from giantstep.studies import InProcess, Study
from giantstep.studies.estimate import available_memory, core_speed, expected_seconds, paces, refuse_what_cannot_fit
from giantstep.studies.tasks import Task
from giantstep.verdicts.stating import Cost, Measurement, Run
from tests.claims.toy import NoisyLevel

HUNGRY_BYTES = 200_000_000


class Hungry(NoisyLevel):
    """A claim that takes more memory than it says."""

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        np.ones(HUNGRY_BYTES // 8).sum()
        return super().measure_path(points, run)


class Honest(Hungry):
    """A claim that says how much memory it takes."""

    def cost(self) -> Cost:
        return Cost(1e6, float(HUNGRY_BYTES))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the peak of a process")
def test_who_takes_more_memory_than_expected_is_told_in_the_record() -> None:
    results = Study(Hungry(), seeds=2).run(executor=InProcess(1))
    remarks = set(results.frame(provenance=True)["memory"])
    assert remarks
    assert all(remark.endswith("GB, where 8e-07 GB were expected") for remark in remarks)
    honest = Study(Honest(), seeds=2).run(executor=InProcess(1))
    assert set(honest.frame(provenance=True)["memory"]) == {""}


def test_a_container_leaves_what_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate_module(), "GROUP", tmp_path)
    unlimited = available_memory()
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 600000\ninactive_file 300000\n")
    assert available_memory() == 400_000
    with pytest.raises(InputError, match="of memory, but only"):
        refuse_what_cannot_fit([Task((NoisyLevel(),), 0)], 1)
    (tmp_path / "memory.max").write_text("max\n")
    assert available_memory() == pytest.approx(unlimited, rel=0.5)


def test_a_claim_works_at_its_own_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    point = claim("bes22/weight-spike", d=64)
    task = Task((point,), 0)
    monkeypatch.setattr(estimate_module(), "paces", lambda: {point.name: (7e6, 2.0)})
    assert expected_seconds([task]) == [pytest.approx((7e6 + 2 * point.cost().flops) / core_speed())]


def test_paces_are_those_of_claims() -> None:
    assert set(paces()) == set(claim_names()), "run benchmarks/study_times.py CLAIM --write for a new claim"
    assert all(fixed >= 0 and times > 0 for fixed, times in paces().values())


def estimate_module() -> object:
    return sys.modules["giantstep.studies.estimate"]
