"""Tables as other libraries take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from giantstep.errors import UnknownNameError
from giantstep.studies import Frame, Study
from tests.claims.toy import NoisyLevel

FRAME = Frame({"d": np.array([1, 2]), "name": np.array(["a", "b"]), "measured": np.array([0.5, np.nan])})


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_pandas_and_polars_take_frames_as_they_are(library: str) -> None:
    table: Any = pytest.importorskip(library).DataFrame(FRAME)
    assert table.shape == (2, 3)
    assert list(table["d"]) == [1, 2]
    whole = Study(NoisyLevel, seeds=2).run().frame()
    assert pytest.importorskip(library).DataFrame(whole).shape == (whole.rows, len(whole))


def test_frames_are_dictionaries() -> None:
    """What pandas and polars ask of the object before they take it for columns."""
    assert isinstance(FRAME, dict)
    assert (FRAME.rows, len(FRAME), Frame({}).rows) == (2, 3, 0)
    with pytest.raises(UnknownNameError, match="there is no column 'e'; there are: d, name, measured"):
        FRAME["e"]
