"""The diagnosis of a table: names that others rely on, a verdict in three sentences, nothing found in noise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import giantstep as gs
from giantstep import Diagnosis, InputError
from giantstep.cli.main import status
from giantstep.estimators.diagnosis import diagnose_table
from giantstep.estimators.diagnosis.comparing import Comparison
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.roster import LEARNERS
from giantstep.estimators.diagnosis.samples import Law, Samples


@pytest.fixture(scope="module")
def linear() -> Diagnosis:
    draw = np.random.default_rng(0)
    x = draw.standard_normal((120, 4))
    return gs.diagnose(x, x[:, 0] + x[:, 1] + 0.5 * draw.standard_normal(120), random_state=1)


@pytest.fixture(scope="module")
def noise() -> Diagnosis:
    draw = np.random.default_rng(1)
    table = table_from(draw.standard_normal((80, 4)), draw.standard_normal(80))
    return diagnose_table(table, learners=LEARNERS[:-1])  # without trees, which take as long as all others


def sentences(text: str) -> int:
    return text.count(". ") + text.endswith(".")


def test_names_that_others_rely_on(linear: Diagnosis) -> None:
    assert linear.n_directions == 1
    assert linear.directions.shape == (1, 4)
    np.testing.assert_allclose(np.linalg.norm(linear.directions, axis=1), 1.0)
    assert np.abs(linear.directions[0] @ [1, 1, 0, 0]) / np.sqrt(2) > 0.97
    assert linear.p_values.tolist() == [0.01]
    score, error = linear.learners["linear"]
    assert 0.8 < score < 0.95
    assert 0 < error < 0.1
    assert linear.winner in (None, *linear.learners)
    assert linear.recommended == "linear"
    assert linear.found


def test_the_verdict_has_three_sentences_and_says_what_to_do(linear: Diagnosis, noise: Diagnosis) -> None:
    assert sentences(linear.verdict) == 3
    assert "One direction matters beyond chance" in linear.verdict
    assert "linear" in linear.verdict.rpartition(". ")[2]
    assert sentences(noise.verdict) == 3


def test_nothing_is_found_in_noise(noise: Diagnosis) -> None:
    assert not noise.found
    assert noise.n_directions == 0
    assert noise.directions.shape == (0, 4)
    assert noise.winner is None
    assert noise.recommended is None
    assert noise.refit == ""
    assert noise.verdict.startswith("Nothing found")
    assert "nothing found" in repr(noise)


def test_it_speaks(linear: Diagnosis, noise: Diagnosis) -> None:
    for found in (linear, noise):
        assert len(repr(found)) < 200
        assert "\n" not in repr(found)
        text = str(found)
        for head in ("Verdict", "1. Size and shape", "2. Linear part", "3. Directions", "4. Rows", "5. Learners"):
            assert head in text
        assert found._repr_html_().count("<table>") == 2


def test_words_of_the_table_are_escaped_in_html(noise: Diagnosis) -> None:
    table = replace(noise.table, target="<script>")
    assert "<script>" not in replace(noise, table=table)._repr_html_()


def test_the_dictionary_is_json_and_the_same_seed_gives_the_same(linear: Diagnosis) -> None:
    told = linear.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert {"n_directions", "directions", "p_values", "learners", "winner", "verdict"} <= set(told)
    assert set(told["learners"]["linear"]) == {"score", "error", "behind"}


def test_the_lines_that_go_on_run(linear: Diagnosis) -> None:
    scope = {"X": linear.table.inputs, "y": linear.table.label}
    exec(linear.refit, scope)
    assert scope["model"].score(linear.table.inputs, linear.table.label) > 0.8


@pytest.mark.parametrize(
    ("known", "rows", "words"),
    [(0.7, 403, "no law says how many"), (0.7, 9000, "9000 rows would give 0.9"), (0.896, 403, "the rows suffice")],
)
def test_a_law_that_the_measurement_contradicts_is_not_told(
    linear: Diagnosis, known: float, rows: int, words: str
) -> None:
    law = Law("linear", 0.98, 40, rows, {})
    samples = Samples((law,), {5006: Estimate(known, 0.01)})
    assert words in replace(linear, samples=samples).verdict


def test_loadings_of_columns_that_are_alike_are_not_told_as_known(linear: Diagnosis) -> None:
    samples = Samples((), {200: Estimate(0.96, 0.01)}, {200: Estimate(0.7, 0.1)})
    assert (
        "suffice for the direction, not for which columns carry it (loadings: 0.70)"
        in replace(linear, samples=samples).verdict
    )


def test_all_directions_are_not_told_as_known(linear: Diagnosis) -> None:
    assert linear.chosen is not None
    every = replace(linear.chosen, n_directions=4, loadings=np.eye(4), by_chance=1.0)
    second = replace(linear, chosen=every).verdict_sentences[1]
    assert second.endswith("as many as there are dimensions: the columns cannot be replaced by fewer.")


def test_more_rows_are_told_off_only_where_they_cannot_help(linear: Diagnosis) -> None:
    for last, error, words in (
        (0.55, 0.01, "more rows will help (the last doubling gave 5.0 %)"),
        (0.51, 0.05, "whether more rows would help is not seen (the last doubling gave 1.0 % ± 2.4 %)"),
        (0.505, 0.01, "better or more columns are worth more than more rows"),
    ):
        curve = {50: Estimate(0.5, error), 96: Estimate(last, error)}
        assert words in replace(linear, curves={linear.comparison.best: curve}).verdict


def test_a_lead_is_told_once(linear: Diagnosis) -> None:
    """As that of the winner; and by how much features help where trees stand between."""
    noise = np.random.default_rng(0).uniform(0.9, 1.1, (4, 300))
    names = ("linear", "kernel ridge", "recursive features", "gradient boosting")
    for trees, words in ((0.6, "; learned features help here, and "), (0.25, "; learned features help here, by 30.")):
        losses = noise * np.array([0.8, 0.5, 0.2, trees])[:, None]
        told = replace(linear, comparison=Comparison(names, losses, np.ones(300))).verdict
        assert words in told
        assert f"ahead of {'gradient boosting' if trees < 0.5 else 'kernel ridge'} by" in told


def test_a_linear_direction_that_does_not_predict_is_not_denied(linear: Diagnosis) -> None:
    """A wide table may show a direction beyond permuted labels that is too poorly known to predict with."""
    losses = np.random.default_rng(0).uniform(0.9, 1.1, (2, 300))
    told = replace(linear, comparison=Comparison(("linear", "kernel ridge"), losses, np.ones(300))).verdict
    assert "A linear part of the label is seen, too weak to predict it" in told
    assert "One direction matters" in told
    assert "No linear function" not in told


def test_directions_are_numbered_where_they_are_several(linear: Diagnosis) -> None:
    assert linear.chosen is not None
    two = replace(linear.chosen, n_directions=2, loadings=np.eye(4)[[2, 0]])
    assert "mostly (1) x3, (2) x1;" in replace(linear, chosen=two).verdict
    assert "(1)" not in linear.verdict


def test_the_noise_is_no_more_than_a_learner_leaves(linear: Diagnosis) -> None:
    score = linear.learners[linear.comparison.best]
    for most, words in (
        (0.6, f"at most {Estimate(1 - score.value, score.error).percent} of the variance, as"),
        (0.01, "at most 1.0 % ± 1.0 %"),
    ):
        noise = replace(linear.shape.noise, is_rough=True, method="nearest neighbours", most=Estimate(most, 0.01))
        assert f"Noise floor: {words}" in str(replace(linear, shape=replace(linear.shape, noise=noise)))


def test_an_effective_dimension_at_its_bound_has_no_error(linear: Diagnosis) -> None:
    free = replace(linear.shape, effective_dimension=Estimate(4.0, 0.0))
    assert "Effective dimension: 4, that of columns without correlations." in str(replace(linear, shape=free))
    bound = replace(linear.shape, effective_dimension=Estimate(2.5, 0.1))
    assert "Effective dimension: 2.50 ± 0.10" in str(replace(linear, shape=bound))


@pytest.mark.slow
def test_a_column_that_knows_the_label_is_told_in_the_verdict() -> None:
    draw = np.random.default_rng(3)
    x = draw.uniform(1, 2, (100, 3))
    y = x[:, 0] + draw.uniform(0, 1, 100)
    told = diagnose_table(table_from(np.column_stack([x, np.exp(2 * y)]), y), learners=LEARNERS[:2])
    assert told.table.suspects == ("x4",)
    assert told.verdict_sentences[2].startswith("First look at x4: if it is known only once the label is")
    assert sentences(told.verdict) == 3
    doubled = diagnose_table(table_from(x, x[:, 0] + 2 * x[:, 1]), learners=LEARNERS[:2])
    assert doubled.verdict_sentences[2].startswith("First look for a column that knows the label")


@pytest.mark.slow
def test_of_classes_it_says_how_many_rows_are_told_right() -> None:
    draw = np.random.default_rng(4)
    x = draw.standard_normal((150, 3))
    y = np.array(["a", "b", "c"])[np.searchsorted([-0.4, 0.4], x[:, 0] + 0.2 * draw.standard_normal(150))]
    for label, classes in ((y, 3), (y == "a", 2)):
        told = diagnose_table(table_from(x, label.astype(str)), learners=LEARNERS[:3])
        right = {name: row["right"] for name, row in told.to_dict()["learners"].items()}
        assert min(right.values()) > 0.6, classes  # the middle one of three is hidden from a linear function
        assert max(right.values()) > 0.85, classes
        assert f"{100 * right['linear']:.1f} %" in str(told)
        assert "always the most frequent one" in str(told)
        assert told.recommended is not None
        assert f"(right in {100 * right[told.recommended]:.1f} % of the rows" in told.verdict
    assert max(map(len, str(told).splitlines())) <= 110


@pytest.mark.parametrize("state", [1.5, -1, "a", 2**40])
def test_a_random_state_that_is_none_gets_a_sentence(state: object) -> None:
    draw = np.random.default_rng(0)
    with pytest.raises(InputError, match=r"random_state = .* is not allowed"):
        gs.diagnose(draw.standard_normal((60, 2)), draw.standard_normal(60), random_state=state)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = np.random.default_rng(3)
    place = tmp_path_factory.mktemp("tables") / "t.csv"
    x = draw.standard_normal((70, 2))
    rows = np.column_stack([x, x[:, 0] + 0.3 * draw.standard_normal(70)])
    np.savetxt(place, rows, delimiter=",", header="one,two,price", comments="")
    return place


def test_the_command_prints_the_dictionary(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["diagnose", str(file), "--target", "price", "--json", "--quiet"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert err == ""
    assert told["columns"] == ["one", "two"]
    assert told["n_directions"] == 1
    scope: dict[str, object] = {}
    exec(told["refit"], scope)
    assert scope["X"].shape == (70, 2)  # type: ignore[attr-defined]


def test_a_mistake_on_the_line_gets_one_sentence(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["diagnose", str(file), "--target", "prize"]) == 2
    assert capsys.readouterr().err == "giantstep: there is no column 'prize'; did you mean 'price'?\n"
    assert status(["diagnose", str(file)]) == 2
    assert "--target" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_does_not_cost_what_was_found(
    file: Path,
    linear: Diagnosis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("giantstep.estimators.diagnosis.diagnose_table", lambda *_: linear)
    (tmp_path / "style.css").mkdir()  # in the way
    assert status(["diagnose", str(file), "--target", "price", "--report", str(tmp_path), "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert out == f"{linear}\n"
    assert err.startswith("giantstep: the report cannot be written to ")
