"""Claims as validated points: every mistake is answered by one sentence."""

from __future__ import annotations

import pickle

import pytest

from giantstep.claims import Claim, axis_values, claim, claim_class, claim_names, make_claim, matching_claims
from giantstep.claims.describe import source
from giantstep.errors import InputError
from giantstep.sources import Source
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
    assert make_claim("bes22/weight-spike", step=1.0).parameters()["step"] == 1.0
    names = [c.info.name for c in matching_claims(("bes22/*", "bes22/weight-spike"))]
    assert len(names) == len(set(names)) >= 1
    with pytest.raises(InputError, match="did you mean 'bes22/weight-spike'"):
        claim_class("bes22/weight-spik")


@pytest.mark.parametrize("text", ["", "1:2", "a:b:c", "log:0:1:3", "1:2:0", "1:2:3:4", "0:1:1000000", "0:inf:3"])
def test_bad_axes_get_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="axis 'step'"):
        axis_values("step", text)


def without(part: str) -> type[Claim]:
    """A claim that lacks one of its parts."""
    parts = {name: vars(Bare)[name] for name in ("quantities", "engine", "predict", "measure", "cost") if name != part}
    return type("Own", (Claim,), parts)


@pytest.mark.parametrize("part", ["engine", "predict", "measure", "cost"])
def test_a_claim_without_one_of_its_parts_is_refused_at_once(part: str) -> None:
    claim("toy/own", kind="example", cite="bes22")(without("nothing"))
    with pytest.raises(TypeError, match=part):
        claim("toy/own", kind="example", cite="bes22")(without(part))


def test_a_claim_cites_a_known_paper_or_brings_its_own() -> None:
    with pytest.raises(TypeError, match="cites the unknown 'nobody99'"):
        claim("toy/own", kind="example", cite="nobody99")(without("nothing"))
    found = claim("toy/own", kind="example", cite=Source("A. Nobody", "On little", 2026))(without("nothing"))
    assert source(found) == "A. Nobody: On little (2026)"


def test_claims_of_ones_own_with_one_name_are_two_claims() -> None:
    class Another(NoisyLevel):
        """A claim that forgot to change its name."""

    assert Another.info.name == NoisyLevel.info.name
    assert Another().key() != NoisyLevel().key()
