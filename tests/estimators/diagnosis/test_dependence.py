"""Rows that depend on their neighbours, or hang on one of them: told before anything is believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.estimators.diagnosis import Diagnosis, diagnose_table
from giantstep.estimators.diagnosis.dependence import dependence_of
from giantstep.estimators.diagnosis.estimates import Estimate
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.roster import LEARNERS
from giantstep.estimators.diagnosis.samples import overlap_of
from giantstep.estimators.diagnosis.words import headline

N, D = 400, 5


@pytest.fixture
def draw() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def walks() -> Diagnosis:
    """A random walk that has nothing to do with five others: kernels predict it from rows just before and after."""
    draw = np.random.default_rng(0)
    x, y = (draw.standard_normal(shape).cumsum(axis=0) for shape in ((N, D), N))
    return diagnose_table(table_from(x, y), learners=LEARNERS[:2])


def test_a_random_walk_is_not_sold_as_knowledge(walks: Diagnosis) -> None:
    assert walks.learners["kernel ridge"].value > 0.8, "dealt at random, the folds know the neighbours"
    blocks = walks.dependence.blocks
    assert walks.dependence.are_alike
    assert blocks is not None
    assert blocks.value < 0.4
    third = walks.verdict_sentences[2]
    assert third.startswith("First ask whether rows depend on their neighbours, as in time or in groups")
    assert blocks.percent in third
    assert "Neighbouring rows are alike: correlation 0.9" in str(walks)
    assert headline(walks).endswith("; but see the doubt")
    told = walks.to_dict()
    assert told["doubt"]
    assert third.startswith(told["doubt"])
    assert told["rows"]["alike"] is True


def test_neighbours_of_trends_raise_a_doubt_that_blocks_do_not_clear(walks: Diagnosis) -> None:
    """Two trends that agree by chance agree across blocks; a weak likeness that changes no score is no doubt."""
    score = walks.learners["kernel ridge"]
    for alike, start in ((0.95, ("First ask whether rows depend",)), (0.3, ("No difference", "Take"))):
        held = replace(walks.dependence, neighbours=Estimate(alike, 0.05), blocks=score)
        told = replace(walks, dependence=held)
        assert "Neighbouring rows are alike" in str(told)
        assert told.verdict_sentences[2].startswith(start)


def test_rows_in_no_order_or_in_that_of_the_label_raise_no_doubt(draw: np.random.Generator) -> None:
    x = draw.standard_normal((N, D))
    y = x[:, 0] + x[:, 1] ** 2 + draw.standard_normal(N)
    assert not dependence_of(table_from(x, y)).are_alike
    order = np.argsort(y)
    by_label = dependence_of(table_from(x[order], y[order]))
    assert by_label.neighbours.value > 0.5
    assert by_label.is_sorted
    assert not by_label.are_alike


def test_heavy_tails_do_not_make_neighbours_alike(draw: np.random.Generator) -> None:
    """Of 400 tables of noise none is expected beyond four standard errors; two happen once in ten thousand times."""
    tables = (table_from(draw.standard_t(2, (60, 2)), draw.standard_cauchy(60)) for _ in range(400))
    assert sum(dependence_of(table).are_alike for table in tables) <= 1


def test_one_row_that_holds_the_variance_is_named(walks: Diagnosis) -> None:
    x = np.random.default_rng(1).standard_normal((80, 2))
    y = np.where(np.arange(80) == 7, 1234.5, x[:, 0])
    hangs = dependence_of(table_from(x, y))
    assert hangs.heaviest > 0.95
    assert hangs.extreme == 1234.5
    told = replace(walks, dependence=replace(hangs, neighbours=Estimate(0.0, 0.1)))
    assert told.verdict_sentences[2].startswith("First look at the row whose the label is 1234: alone it holds 99 %")


@pytest.mark.parametrize(("d", "k", "known"), [(5, 3, 0.6), (10, 1, 0.5), (40, 2, 0.9)])
def test_overlap_is_what_agreement_leaves_beyond_chance(
    d: int, k: int, known: float, draw: np.random.Generator
) -> None:
    """Two sets of k directions, each with a squared overlap `known` with the truth and nothing else in common."""
    width = min(k, d - k)  # in fewer dimensions than k some directions are the truth's
    share = np.where(np.arange(k) < width, k * (1 - known) / width, 0.0) ** 0.5

    def turned(size: int) -> np.ndarray:
        return np.linalg.qr(draw.standard_normal((size, size)))[0] * draw.choice([-1, 1], size)

    def basis() -> np.ndarray:
        beside = np.zeros((d - k, k))
        beside[:, :width] = turned(d - k)[:, :width]
        return np.vstack([turned(k) * (1 - share**2) ** 0.5, beside * share])

    found = [(np.linalg.svd(basis().T @ basis(), compute_uv=False) ** 2).sum() / k for _ in range(400)]
    agreement = Estimate(float(np.mean(found)), float(np.std(found) / 20))
    told = overlap_of(agreement, k / d)
    assert abs(told.value - known) < 4 * told.error
