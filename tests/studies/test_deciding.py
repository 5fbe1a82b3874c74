"""A default study that is undecided for want of seeds gets more of them, and no other does."""

from __future__ import annotations

from pathlib import Path

import pytest

from giantstep.claims import named
from giantstep.errors import InputError
from giantstep.studies import InProcess, Results, Study, run_all
from giantstep.studies.deciding import MOST_TIMES, with_more_seeds
from tests.claims.toy import NoisyLevel


@named("toy/few-seeds", kind="example", cite="bes22")
class FewSeeds(NoisyLevel):
    """A noisy number sits where theory says, seen by four seeds."""

    default_seeds = 4


NOISY = 0.04  # four seeds leave it undecided, about nine would do


def seeds_of(results: Results) -> set[int]:
    return {len(cell.measurements) for cell in results.cells}


def test_an_undecided_study_goes_on_with_more_seeds_until_it_is_decided() -> None:
    study = Study.of_views(FewSeeds(spread=NOISY))
    alone = Study.of_views(FewSeeds(spread=NOISY), seeds=4).run(workers=1)
    assert alone.verdict.status == "undecided"
    assert seeds_of(alone) == {4}, "as many as were asked for"
    found = study.run(workers=1)
    times = found.provenance["seeds_times"]
    assert times in (2, MOST_TIMES)
    assert seeds_of(found) == {4 * times}, "at all points alike"
    assert found.verdict.status == "holds"


def test_what_is_decided_keeps_its_seeds() -> None:
    for claim in (FewSeeds(), FewSeeds(bias=5.0)):
        found = Study.of_views(claim).run(workers=1)
        assert found.verdict.status in ("holds", "fails")
        assert seeds_of(found) == {4}
        assert "seeds_times" not in found.provenance


def test_what_no_such_number_of_seeds_decides_is_left_as_it_is() -> None:
    found = Study.of_views(FewSeeds(spread=50.0)).run(workers=1)
    assert found.verdict.status == "undecided"
    assert seeds_of(found) == {4}


def test_a_study_is_never_asked_for_more_than_four_times_its_seeds() -> None:
    study = Study.of_views(FewSeeds(spread=NOISY), seeds_times=MOST_TIMES)
    undecided = Study.of_views(FewSeeds(spread=NOISY), seeds=4).run(workers=1)
    assert with_more_seeds(study, undecided) is None
    assert with_more_seeds(Study.of_views(FewSeeds()), InputError("no theory")) is None


def test_the_store_knows_the_seeds_that_were_added(tmp_path: Path) -> None:
    place = tmp_path / "kept.sqlite"
    study = Study.of_views(FewSeeds(spread=NOISY), name="kept", store=place)
    ((_, found),) = run_all([study], workers=1)
    assert isinstance(found, Results)
    spec = {**study.spec, "seeds_times": found.provenance["seeds_times"]}
    read = Study.from_spec(spec, "kept", place).results()
    assert seeds_of(read) == seeds_of(found)
    assert read.verdict.sentence == found.verdict.sentence
    again = study.run(workers=1)
    assert again.verdict.sentence == found.verdict.sentence


def test_ctrl_c_while_more_seeds_are_taken_tells_what_was_known() -> None:
    """The study that waits for more seeds is told as it stands, and the interruption goes on its way."""

    class Stopped(InProcess):
        rounds = 0

        def perform_all(self, tasks, progress=lambda fraction: None):  # type: ignore[no-untyped-def]
            Stopped.rounds += 1
            if Stopped.rounds == 2:
                raise KeyboardInterrupt
            return super().perform_all(tasks, progress)

    queue = run_all([Study.of_views(FewSeeds(spread=NOISY))], executor=Stopped(1))
    _, told = next(queue)
    assert isinstance(told, Results)
    assert told.verdict.status == "undecided"
    with pytest.raises(KeyboardInterrupt):
        next(queue)
