"""Studies: grids, paths, executors, interruption, memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
import pytest

from giantstep.claims import claim, named, view
from giantstep.errors import InputError, TooLargeError
from giantstep.studies import InProcess, LocalProcesses, Study
from giantstep.studies.estimate import parameter_to_lower
from giantstep.verdicts.stating import Cost, Curve, Measurement, Run
from tests.claims.toy import NoisyLevel


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Curve):
        return bool(np.array_equal(a.y, b.y))
    return bool(a == b)


def assert_bit_identical(left: Sequence[Measurement], right: Sequence[Measurement]) -> None:
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert all(same(a.values[k], b.values[k]) for k in a.values)
        assert all(np.array_equal(a.spectra[k], b.spectra[k]) for k in a.spectra)


def test_run_one_point() -> None:
    results = NoisyLevel().run(seeds=5)
    assert results.verdict.status == "holds"
    assert len(results.cells) == 1
    assert len(results.cells[0].measurements) == 5


def test_a_wrong_theory_fails() -> None:
    results = NoisyLevel(bias=1.0).run()
    assert results.verdict.status == "fails"
    assert "level 2" in results.verdict.sentence


def test_grid_over_a_path_costs_one_simulation_per_seed() -> None:
    study = Study(NoisyLevel(), level="1:3:5", size=[4, 8], seeds=3)
    assert len(study.points) == 10
    assert len(study.tasks()) == 2 * 3
    frame = study.run().frame()
    assert set(frame["level"]) == {1.0, 1.5, 2.0, 2.5, 3.0}
    assert frame.rows == 10 * 3 * (4 + 3)  # four numbers and a curve of three points


def test_a_path_gives_what_single_points_give() -> None:
    together = Study(NoisyLevel(), level=[1.0, 3.0], seeds=2).run()
    alone = NoisyLevel(level=3.0).run(seeds=2)
    assert_bit_identical(together.cells[1].measurements, alone.cells[0].measurements)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bes22/weight-spike", "dklps23/transition"])
def test_results_do_not_depend_on_executor_or_threads(name: str) -> None:
    many_blocks = {"samples_per_dim": 40} if name.startswith("bes22") else {"sample_exponent": 2.2}
    point = claim(name, d=64, **many_blocks)
    study = Study(point, seeds=3, seed=5)
    runs = [study.run(executor=e) for e in (InProcess(1), InProcess(2), LocalProcesses(2))]
    for other in runs[1:]:
        assert_bit_identical(runs[0].cells[0].measurements, other.cells[0].measurements)


def test_a_sweep_of_curves_draws_one_for_each_of_a_few_values() -> None:
    point = claim("bes22/training-curve", d=32)
    drawn = Study(point, step="0:4:9", seeds=1).views[0]
    assert isinstance(drawn, view.Time)
    assert (drawn.by, drawn.by_values) == ("step", [0.0, 1.0, 1.5, 2.5, 3.0, 4.0])
    drawn = Study(point, step=[1, 2], seeds=1).views[0]
    assert isinstance(drawn, view.Time)
    assert drawn.by_values == [1, 2]
    assert Study(point, step=[1, 2], ridge=[0.1, 0.2], seeds=1).views == ()


def test_verify_runs_the_views_once_each() -> None:
    study = Study.of_views(NoisyLevel())
    parameters = [(p.level, p.size) for p, _ in study.points]
    assert sorted(parameters) == sorted({(2.0, 10), (1.0, 10), (3.0, 10), (2.0, 5), (2.0, 20)})
    results = study.run()
    assert results.verdict.status == "holds"
    relations = {j.quantity.relation for j in results.verdict.judgements}
    assert {"slope", "increasing", "equal"} <= relations


def test_seeds_are_numbered_from_the_first() -> None:
    late = NoisyLevel().run(seeds=2, seed=3)
    early = NoisyLevel().run(seeds=5, seed=0)
    assert_bit_identical(late.cells[0].measurements, early.cells[0].measurements[3:])


class Interrupting(InProcess):
    """Ctrl-C after two simulations."""

    def perform_all(self, tasks: Any, progress: Any = None) -> Any:
        for done, pair in enumerate(super().perform_all(tasks, progress)):
            if done == 2:
                raise KeyboardInterrupt
            yield pair


def test_ctrl_c_keeps_what_was_measured() -> None:
    results = Study(NoisyLevel(), seeds=6).run(executor=Interrupting())
    assert results.interrupted
    assert len(results.cells[0].measurements) == 2
    assert results.verdict.status == "undecided"
    assert results.to_dict()["provenance"]["interrupted"] is True


@named("toy/breaking", kind="example", cite="bes22")
class Breaking(NoisyLevel):
    """A claim whose simulations fail."""

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        raise FloatingPointError("overflow")


def test_a_failing_simulation_is_reported_not_raised() -> None:
    results = Breaking().run(seeds=2)
    assert results.verdict.status == "undecided"
    assert "broke down: FloatingPointError: overflow" in results.verdict.sentence


@named("toy/huge", kind="example", cite="bes22")
class Huge(NoisyLevel):
    """A claim that needs more memory than there is."""

    def cost(self) -> Cost:
        return Cost(1.0, 1e9 * self.size**2)


def test_what_cannot_fit_is_refused_before_it_runs() -> None:
    with pytest.raises(TooLargeError, match=r"toy/huge would need about 1e\+06 GB.*lower 'size'"):
        Huge(size=1000).run(seeds=1)
    assert parameter_to_lower(Huge(size=1000)) == "'size'"


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ({"lvel": [1]}, "no parameter 'lvel'; did you mean 'level'"),
        ({"level": []}, "the axis 'level' is empty"),
        ({"level": [-1]}, "level = -1 is not allowed"),
        ({"seeds": 0}, "seeds = 0 is not allowed"),
        ({"seed": -1}, "seed = -1 is not allowed"),
        ({"level": "0.1:1:2000", "spread": "0:1:2000"}, "4000000 points"),
    ],
)
def test_bad_studies_get_one_sentence(axes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Study(NoisyLevel(), **axes)


def test_estimates_grow_with_the_work() -> None:
    small, large = Study(NoisyLevel(), seeds=2).estimate(1), Study(NoisyLevel(), seeds=200).estimate(1)
    assert large.seconds > 50 * small.seconds
    assert "200 simulations on 1 worker" in str(large)


@pytest.mark.slow
def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """Worker processes do not run the user's script again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import giantstep as gs\n"
        "print('started')\n"
        "print(len(gs.claim('dklps23/transition', d=64).run(seeds=2, workers=2).cells[0].measurements))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["started", "2"]


def test_a_range_of_whole_numbers_is_rounded() -> None:
    study = Study(NoisyLevel, size="log:10:1000:4", seeds=1)
    assert [point.size for point, _ in study.points] == [10, 46, 215, 1000]
    assert [point.size for point, _ in Study(NoisyLevel, size="1:3:9", seeds=1).points] == [1, 2, 3]
    again = Study.from_spec(study.spec)
    assert [point.size for point, _ in again.points] == [10, 46, 215, 1000]
    with pytest.raises(InputError, match="whole number"):
        Study(NoisyLevel, size=[1.5, 2])


def test_a_sweep_has_the_logarithmic_axes_of_the_claims_own_views() -> None:
    (whole,) = Study(NoisyLevel, size=[5, 10], seeds=1).views
    assert isinstance(whole, view.Curve)
    assert whole.log_x
    levels, powers = Study(PowersAndLevels, size=[5, 10], seeds=1).views
    assert (levels.log_y, powers.log_y) == (False, True)
    (plain,) = Study(NoisyLevel, level=[1, 2], seeds=1).views
    assert not plain.log_x


class PowersAndLevels(NoisyLevel):
    """The same, with its power among the first quantities."""

    quantities = (NoisyLevel.quantities[0], NoisyLevel.quantities[4])


def test_a_caption_tells_no_base_value_of_what_varies() -> None:
    from giantstep.studies.pictures.whole import caption_of

    grid = caption_of(Study(NoisyLevel(spread=0.001), size=[5, 10], level=[1, 3], seeds=1).run())
    assert "level = 1 to 3" in grid
    assert "size = 5 to 10" in grid
    views = caption_of(Study.of_views(NoisyLevel, seeds=1).run())
    assert "unless a panel varies it level = 2.0, size = 10" in views
    assert "spread = 0.003," in views


def test_memory_is_asked_in_a_way_that_each_system_has(monkeypatch: pytest.MonkeyPatch) -> None:
    from giantstep.studies import estimate

    assert 1e6 < estimate.available_memory() < 1e15
    monkeypatch.delattr("os.sysconf", raising=False)
    assert estimate._system_memory() == []

    def tell(status: object) -> int:
        status._obj[2] = 12345  # type: ignore[attr-defined]
        return int(status._obj[0] == 64)  # type: ignore[attr-defined]

    windows = SimpleNamespace(kernel32=SimpleNamespace(GlobalMemoryStatusEx=tell))
    monkeypatch.setattr("ctypes.windll", windows, raising=False)
    assert estimate._system_memory() == [12345.0]
    monkeypatch.setattr(estimate, "_system_memory", list)
    monkeypatch.setattr(estimate, "Path", lambda _: Path("/nowhere"))
    assert estimate.available_memory() == float("inf")
