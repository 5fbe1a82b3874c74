"""Results: a cell found by its point or by its parameters."""

from __future__ import annotations

import pytest

from giantstep.errors import InputError
from giantstep.studies import Study
from tests.claims.toy import Bare, NoisyLevel


@pytest.fixture(scope="module")
def results():
    return Study(NoisyLevel(), level=[1, 2, 3], size=[10, 20], seeds=2).run(workers=1)


def test_a_cell_is_found_by_what_differs(results) -> None:
    assert results.at(level=3) is results.cells[4]
    assert results.at(level=3, size=20) is results.cells[5]
    assert results.at() is results.base_cell
    assert results.at(NoisyLevel(level=1.0, size=20)) is results.cells[1]
    assert results.at(NoisyLevel(size=20), level=1) is results.cells[1]


def test_what_is_not_there_gets_a_sentence(results) -> None:
    with pytest.raises(
        InputError,
        match=r"^this study has no point at level = 7.0, size = 10; it has level = 1.0, 2.0, 3.0, size = 10, 20$",
    ):
        results.at(level=7)
    with pytest.raises(InputError, match=r"no point at .*spread = 0.5; .*spread = 0.003$"):
        results.at(spread=0.5)
    with pytest.raises(InputError, match="no parameter 'lvel'"):
        results.at(lvel=7)
    with pytest.raises(InputError, match="level = -1 is not allowed"):
        results.at(level=-1)
    with pytest.raises(InputError, match="the point must be a claim at a point, not 3"):
        results.at(3)
    with pytest.raises(InputError, match="this is not a study of toy/bare"):
        results.at(Bare())


def test_cells_around_a_point_differ_in_what_is_free(results) -> None:
    assert [cell.point.level for cell in results.around(NoisyLevel(level=9, size=20), "level")] == [1, 2, 3]
    assert len(results.around(NoisyLevel(), "level", "size")) == 6
    assert results.around(NoisyLevel(spread=0.5), "level", "size") == ()
