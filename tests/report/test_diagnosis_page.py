"""The page of a diagnosis: complete, self-contained, and safe against words in a table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas
import pytest
from tests.report.test_report import Links

from giantstep.errors import InputError
from giantstep.estimators.diagnosis import Diagnosis, diagnose_table
from giantstep.estimators.diagnosis.parts import LEARNERS
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.report import write_diagnosis

ODD = '<img src=x onerror="alert(1)"> $cost & co'


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    draw = np.random.default_rng(0)
    x = draw.standard_normal((90, 3))
    frame = pandas.DataFrame(x, columns=[ODD, "two", "three"])
    y = pandas.Series(x[:, 0] + 0.5 * draw.standard_normal(90), name=ODD + "!")
    return diagnose_table(table_from(frame, y), learners=LEARNERS[:1])


@pytest.fixture(scope="module")
def folder(found: Diagnosis, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    assert write_diagnosis(found, folder, "giantstep diagnose t.csv --target 'a<b'") == folder / "index.html"
    return folder


def test_the_page_is_well_formed_and_needs_no_network(folder: Path) -> None:
    links = Links()
    text = (folder / "index.html").read_text(encoding="utf-8")
    links.feed(text)
    assert not links.open
    assert not links.outward
    for link in links.found:
        assert (folder / link).exists(), link
    assert "default-src 'none'" in text


def test_words_of_the_table_stay_words(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror=" in text
    assert text.count("<figure ") > 2, "pictures stand in the page"
    assert "<img" not in text


def test_it_tells_all_parts_and_keeps_the_numbers(folder: Path, found: Diagnosis) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    heads = re.findall(r"<h2>(\d)\.", text)
    assert heads == ["1", "2", "3", "4", "5", "6"]
    assert json.loads((folder / "diagnosis.json").read_text(encoding="utf-8")) == found.to_dict()


def test_a_folder_that_cannot_be_gets_a_sentence(found: Diagnosis, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="the report cannot be written to"):
        write_diagnosis(found, tmp_path / "file" / "page")
