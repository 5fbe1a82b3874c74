"""Every wrong formula of the tables is noticed by the claims that rest on it, on simulations made once.

A mutation that passes unnoticed means that no view visits what the formula depends on: a view is missing, not a
tolerance.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

import pytest

import tests.mutations as tables
from giantstep.claims import claim_class, claim_names
from giantstep.studies import Study
from giantstep.verdicts import Cell, Verdict, judge
from giantstep.verdicts.at_points import judge_point
from tests.mutations.mutating import Mutation, applied
from tests.mutations.simulations import place_of, predicted, stored_cells

pytestmark = pytest.mark.slow

FEWEST = 5  # wrong formulas a folder of claims
ENOUGH = 6  # seeds with which right formulas are held against simulations anew
PENDING: set[str] = set()
TABLES = [name for _, name, _ in pkgutil.iter_modules(tables.__path__) if name.startswith("wrong_")]
MUTATIONS: list[Mutation] = [
    mutation for name in TABLES for mutation in importlib.import_module(f"tests.mutations.{name}").MUTATIONS
]
STORED = [name for name in claim_names() if place_of(name).exists()]


@functools.cache
def simulated(name: str) -> tuple[int, list[Cell]]:
    return stored_cells(name)


def is_noticed(name: str) -> bool:
    """Whether theory, as it is at this moment, fails on the stored simulations; it ends at the first point that does.

    A point is judged as the whole study judges it. That right formulas hold there is tested where they are drawn
    (`tests/studies/pictures/test_drawn_as_judged.py`).
    """
    stored, stated = simulated(name)[1], claim_class(name)().stated()
    places = len(stored) * sum(q.relation != "reported" for q in stated)
    cells: list[Cell] = []
    for cell in stored:
        cells += predicted([cell])
        point = cells[-1].point
        for quantity in (q for q in stated if not q.is_along_an_axis and not point.outside(q.name)):
            judged = judge_point(cells[-1], quantity, places)
            if judged and judged.counts and judged.status == "fails":
                return True
    return judge(stated, cells).status == "fails"


def verdict_anew(name: str, anew: Mapping[str, Any], seeds: int) -> Verdict:
    """The verdict on simulations made at this moment, for theory that speaks of the draws."""
    return Study(claim_class(name)(**anew), seeds=seeds or None).run(workers=1).verdict


def simulations_anew() -> dict[str, tuple[str, Mapping[str, Any], int]]:
    """What mutations simulate anew, each point once, with the most seeds that one of them asks for."""
    found: dict[str, tuple[str, Mapping[str, Any], int]] = {}
    for mutation in (m for m in MUTATIONS if m.anew is not None):
        for name in mutation.notice:
            told = f"{name} {dict(mutation.anew or {})}"
            seeds = mutation.seeds or claim_class(name).default_seeds
            found[told] = (name, mutation.anew or {}, max(seeds, found[told][2] if told in found else 0))
    return found


@pytest.mark.parametrize("name", STORED)
def test_the_stored_simulations_are_those_of_the_default_study(name: str) -> None:
    version, cells = simulated(name)
    again = f"make them again: python -m tests.mutations.simulations {name} --store FILE"
    assert version == claim_class(name).info.version, again
    wanted = {point.key() for point, _ in Study.of_views(claim_class(name)()).points}
    assert {cell.point.key() for cell in cells} == wanted, again


@pytest.mark.parametrize(
    ("name", "mutation"),
    [pytest.param(name, mutation, id=f"{name}: {mutation.what}") for mutation in MUTATIONS for name in mutation.notice],
)
def test_a_wrong_formula_is_noticed(name: str, mutation: Mutation) -> None:
    if mutation.anew is None:
        simulated(name)  # its points are made with right formulas, whichever test is run first
    with applied(mutation):
        if mutation.anew is None:
            noticed = is_noticed(name)
        else:
            noticed = verdict_anew(name, mutation.anew, mutation.seeds).status == "fails"
    assert noticed, f"{mutation.what} ({mutation.where}) passes"


@pytest.mark.parametrize(("name", "anew", "seeds"), simulations_anew().values(), ids=simulations_anew().keys())
def test_a_simulation_anew_holds_with_the_right_formula(name: str, anew: Mapping[str, Any], seeds: int) -> None:
    """Else a mutation would be noticed for a reason of its own. Few seeds tell: fewer do not fail sooner."""
    verdict = verdict_anew(name, anew, min(seeds, ENOUGH))
    assert verdict.status != "fails", str(verdict)
    assert any(judged.counts for judged in verdict.judgements), str(verdict)


def test_every_folder_has_its_mutations() -> None:
    folders = {name.split("/")[0] for name in claim_names()} - PENDING
    counts = {f: sum(any(name.startswith(f + "/") for name in m.notice) for m in MUTATIONS) for f in folders}
    assert all(count >= FEWEST for count in counts.values()), counts
