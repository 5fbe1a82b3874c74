"""Studies as words: the same from a line, a file and Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from giantstep.errors import InputError
from giantstep.studies import Study, read_spec, study_of, write_spec

SPIKE = "bes22/weight-spike"


def test_one_value_is_fixed_and_several_are_an_axis() -> None:
    study = study_of(SPIKE, {"d": "1e2", "step": "0:8:3", "samples_per_dim": "1,2", "activation": "tanh"}, seeds=2)
    assert study.base.d == 100  # type: ignore[attr-defined]
    assert len(study.points) == 6
    assert study.record_count == 12
    assert set(study.spec["axes"]) == {"step", "samples_per_dim"}


def test_a_study_comes_back_from_its_file(tmp_path: Path) -> None:
    study = study_of(SPIKE, {"d": "64", "step": "log:1:8:4", "samples_per_dim": [1, 2]}, seeds=3, seed=7, name="map")
    write_spec(study, tmp_path / "map.toml")
    words = read_spec(tmp_path / "map.toml")
    parameters = words.pop("parameters")
    again = study_of(words.pop("claim"), parameters, **words)
    assert again.keys.keys() == study.keys.keys()
    assert (again.seed, again.record_count, again.name) == (7, study.record_count, "map")


def test_a_study_comes_back_from_its_store_words() -> None:
    study = Study.of_views(study_of("dklps23/transition", {"d": "64"}).base, seeds=2, name="v")
    again = Study.from_spec(study.spec, "v")
    assert again.keys.keys() == study.keys.keys()
    assert again.views == study.views


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("claim = 3", "'claim' in .* must be text"),
        ('claim = "bes22/weight-spike"\nseeds = "many"', "'seeds' in .* must be a whole number"),
        ('claims = "bes22/weight-spike"', "'claims' in .* means nothing; a study file has: claim"),
        ("seeds = 3", "names no claim"),
        ("claim = ", "is not TOML"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_spec(file)


def test_a_missing_file_and_an_unknown_parameter_get_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_spec(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="no parameter 'stepp'; did you mean 'step'"):
        study_of(SPIKE, {"stepp": "1"})
    with pytest.raises(InputError, match="cannot be the name of a study"):
        study_of(SPIKE, {"step": "1,2"}, name="../x")
