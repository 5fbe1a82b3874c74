"""Claims as validated points: every mistake is answered by one sentence."""

from __future__ import annotations

import inspect
import pickle
import pydoc
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import giantstep.claims
from giantstep.claims import (
    Axis,
    Claim,
    ListedClaim,
    claim,
    claim_class,
    claim_names,
    default_of,
    described,
    listed_claims,
    matching_claims,
    named,
    registry,
)
from giantstep.claims.describe import source, story
from giantstep.errors import InputError
from giantstep.sources import Source
from giantstep.verdicts.stating import Allowance, Computed, Prediction, quantity
from tests.claims.toy import Bare, NoisyLevel


def test_points_are_frozen_and_comparable() -> None:
    point = NoisyLevel(level=3)
    assert point == NoisyLevel(level=3.0)
    assert point.replace(size=4).parameters() == {"level": 3.0, "size": 4, "spread": 0.003, "bias": 0.0}
    assert pickle.loads(pickle.dumps(point)) == point
    with pytest.raises(Exception, match="frozen"):
        point.level = 2.0


def test_omitted_and_explicit_defaults_are_the_same_point() -> None:
    assert NoisyLevel().parameters() == NoisyLevel(level=2, size=10, spread=0.003, bias=0).parameters()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"level": -1}, "level = -1 is not allowed; it must be greater than 0"),
        ({"size": 0}, "size = 0 is not allowed; it must be at least 1"),
        ({"size": "many"}, "size = 'many' is not allowed; it must be a whole number"),
        ({"level": float("nan")}, "level = nan is not allowed; it must be a"),
        ({"level": "1e999"}, "level = '1e999' is not allowed; it must be a"),
        ({"lvel": 1}, "toy/noisy-level has no parameter 'lvel'; did you mean 'level'? It has: level, size"),
    ],
)
def test_bad_values_get_one_sentence(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        NoisyLevel(**given)
    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)


def test_presets() -> None:
    assert NoisyLevel.preset("high", size=3).level == 5.0
    with pytest.raises(InputError, match="no preset 'low'; it has: high"):
        NoisyLevel.preset("low")


def test_registry_finds_claims_by_the_names_of_their_files() -> None:
    assert "bes22/weight-spike" in claim_names()
    assert claim_class("bes22/weight-spike").info.name == "bes22/weight-spike"
    assert claim("bes22/weight-spike", step=1.0).parameters()["step"] == 1.0
    names = [c.info.name for c in matching_claims(("bes22/*", "bes22/weight-spike"))]
    assert len(names) == len(set(names)) >= 1
    with pytest.raises(InputError, match="did you mean 'bes22/weight-spike'"):
        claim_class("bes22/weight-spik")


@pytest.mark.parametrize("text", ["", "1:2", "a:b:c", "log:0:1:3", "1:2:0", "1:2:3:4", "0:1:1000000", "0:inf:3"])
def test_bad_axes_get_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="axis 'step'"):
        Axis.read("step", text)


def without(part: str) -> type[Claim]:
    """A claim that lacks one of its parts."""
    parts = {name: vars(Bare)[name] for name in ("quantities", "engine", "predict", "measure", "cost") if name != part}
    return type("Own", (Claim,), parts)


@pytest.mark.parametrize("part", ["predict", "measure", "cost"])
def test_a_claim_without_one_of_its_parts_is_refused_at_once(part: str) -> None:
    named("toy/own", kind="example", cite="bes22")(without("nothing"))
    with pytest.raises(TypeError, match=part):
        named("toy/own", kind="example", cite="bes22")(without(part))


def test_a_claim_cites_a_known_paper_or_brings_its_own() -> None:
    with pytest.raises(TypeError, match="cites the unknown 'nobody99'"):
        named("toy/own", kind="example", cite="nobody99")(without("nothing"))
    found = named("toy/own", kind="example", cite=Source("A. Nobody", "On little", 2026))(without("nothing"))
    assert source(found) == "A. Nobody: On little (2026)"


def test_claims_of_ones_own_with_one_name_are_two_claims() -> None:
    class Another(NoisyLevel):
        """A claim that forgot to change its name."""

    assert Another.info.name == NoisyLevel.info.name
    assert Another().key() != NoisyLevel().key()


def test_an_engine_may_be_left_out() -> None:
    assert described(named("toy/own", kind="example", cite="bes22")(without("engine")))["engine"] == ""


def test_a_point_says_its_name_and_what_differs_from_the_defaults() -> None:
    assert repr(claim("bes22/weight-spike")) == "bes22/weight-spike()"
    point = claim("bes22/weight-spike", step=2, target="x1")
    assert repr(point) == str(point) == "bes22/weight-spike(target=x1, step=2.0)"
    assert repr(NoisyLevel(size=7)) == "toy/noisy-level(size=7)"


def test_completion_shows_what_a_claim_has_and_nothing_of_its_library() -> None:
    point = claim("bes22/weight-spike")
    for names in (dir(point), dir(type(point))):
        assert {"predict", "run", "replace", "presets"} <= set(names)
        assert not [
            n for n in names if n.startswith("model_") or n in ("json", "copy", "dict", "parse_obj", "construct")
        ]
    assert {"step", "target"} <= set(dir(point))


def test_help_tells_how_a_claim_is_called_and_what_its_parameters_are() -> None:
    cls = type(claim("bes22/weight-spike"))  # a point has been made: the library of models has finished the class
    step = inspect.signature(cls).parameters["step"]
    assert str(step) == "step: float = 6.0"
    assert step.kind is step.KEYWORD_ONLY
    assert inspect.signature(cls).parameters["target"].annotation is str
    shown = pydoc.render_doc(cls, renderer=pydoc.plaintext)
    assert r"step: step size in the slide's convention, \eta; at least 0" in shown
    assert "pydantic_" not in shown
    assert "Args:" not in story(cls)
    assert str(cls.__doc__).startswith(story(cls))


def test_a_notebook_shows_tables_without_trusting_any_text() -> None:
    shown = claim("bes22/weight-spike", step=2)._repr_html_()
    assert "<b>bes22/weight-spike: After one step" in shown
    assert "<td style='text-align:left'>2.0</td><td style='text-align:left'></td>" in shown
    results = NoisyLevel(level=3.0).run(seeds=3, workers=1)
    assert "color:#187a45'>holds" in results.verdict._repr_html_()
    assert "allowed" in results.verdict.judgements[0]._repr_html_()
    assert "&lt;b&gt;" in Prediction({"level": 1.0}, regime="<b>")._repr_html_()


@pytest.mark.parametrize("name", claim_names())
def test_defaults_are_known_without_building_the_point(name: str) -> None:
    cls = claim_class(name)
    assert {n: default_of(field) for n, field in cls.model_fields.items()} == cls().parameters()


def test_an_axis_knows_its_values_its_scale_and_how_it_was_written() -> None:
    axis = Axis.read("ridge", "log:0.01:100:3")
    assert (axis.values, axis.scale, axis.kept()) == ((0.01, 1.0, 100.0), "log", "log:0.01:100:3")
    listed = Axis.read("d", (128, 256))
    assert (listed.scale, listed.kept()) == ("list", [128, 256])
    assert Axis.read("d", listed) is listed


def test_an_allowance_has_no_number_where_the_claim_does_not_speak() -> None:
    told = {name: q["allowance"] for name, q in described(claim_class("lazy/neurons"))["quantities"].items()}
    assert told["aligned_mass"] == "0.05 from a small start, 0.02 from a large one: 0.05 here"
    assert told["log_turn"] == "0.03 + 4/scale", "judged from large starts only"


def test_an_allowance_that_cannot_be_computed_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="the point and the predicted number"):
        Computed(lambda point: 0.1, "too few arguments")
    wrong = quantity.equal("level", Allowance(0.1, power=-1, size="neurons"), "toy")
    with pytest.raises(TypeError, match="asks for the size neurons, which it lacks"):

        @named("toy/sizeless", kind="example", cite="bes22")
        class Sizeless(NoisyLevel):
            quantities = (wrong,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "its folder has no __init__.py; write one"),
        ("x = 1", "holds no claim of this name; @named"),
        ("x = ", r"cannot be loaded: invalid syntax \(.*broken\.py, line 1\)"),
        ("raise TypeError('the claim lacks a cost')", "cannot be loaded: TypeError: the claim lacks a cost"),
    ],
)
def test_a_claim_of_the_house_that_cannot_be_loaded_gets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, sentence: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "broken.py").write_text(text or "x = 1")
    if text is not None:
        (folder / "__init__.py").write_text("")
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "registry.py"))
    monkeypatch.setattr(giantstep.claims, "__path__", [str(tmp_path)])
    registry.claim_names.cache_clear()
    try:
        with pytest.raises(InputError, match=sentence):
            claim_class("mine/broken")
    finally:
        registry.claim_names.cache_clear()
        for name in ("giantstep.claims.mine", "giantstep.claims.mine.broken"):
            sys.modules.pop(name, None)


def test_predicting_anew_where_each_draw_is_judged_is_told() -> None:
    spike = claim_class("bes22/weight-spike")
    with pytest.warns(UserWarning, match="Mine predicts anew, but spike, alignment, right_alignment are"):

        class Mine(spike):  # type: ignore[misc, valid-type]
            def predict(self) -> Prediction:
                return Prediction({"spike": 0.0}, regime="nowhere")

    class Others(NoisyLevel):  # nothing of it is judged draw by draw: no word
        def predict(self) -> Prediction:
            return Prediction({"level": 0.0}, regime="nowhere")


def test_what_is_stated_elsewhere_is_told_apart() -> None:
    told = described(claim_class("dklps23/staircase"))["quantities"]
    assert told["energy_x1+x2"]["here"]
    assert not told["energy_8x1+4x2+5x3"]["here"], "a direction of another target"


def test_the_default_study_is_told_in_words() -> None:
    views = described(NoisyLevel)["views"]
    assert views == [
        "the spectrum of noise",
        "level against level; level = 1:3:3",
        "power against size; size = 5 or 10 or 20",
    ]


def test_a_folder_means_all_in_it() -> None:
    assert matching_claims("bes22") == matching_claims("bes22/*") == matching_claims("bes22/")
    assert len(matching_claims("bes22")) > 5
    with pytest.raises(InputError, match="there is no claim 'bes'"):
        matching_claims("bes")


def test_the_list_of_claims_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = listed_claims()
    assert [line.name for line in lines] == list(claim_names())
    for line in lines:
        assert replace(ListedClaim.of(claim_class(line.name)), flops=line.flops) == line, "run 'make docs'"
        assert 0 < line.flops < 1e15
    monkeypatch.setattr("giantstep.claims.listing.LISTING", Path("nowhere"))
    listed_claims.cache_clear()
    assert [line.statement for line in listed_claims()] == [line.statement for line in lines], "a new one is loaded"
    listed_claims.cache_clear()


def test_listing_claims_loads_none() -> None:
    line = "import sys; from giantstep.claims import listed_claims; listed_claims(); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert not [name for name in ran.stdout.split() if name.startswith("giantstep.claims.bes22")]


def test_other_words_for_parameters() -> None:
    with pytest.raises(InputError, match="did you mean 'step'"):
        claim("bes22/weight-spike", eta=3)
    with pytest.raises(InputError, match="did you mean 'neurons_per_dim'"):
        claim("bes22/weight-spike", psi2=3)
