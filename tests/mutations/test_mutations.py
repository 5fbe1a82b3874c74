"""Every wrong formula of the tables is noticed by the claims that rest on it, on simulations made once.

A mutation that passes unnoticed means that no view visits what the formula depends on: a view is missing, not a
tolerance.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

import pytest

import tests.mutations as tables
from giantstep.claims import claim_class, claim_names
from giantstep.studies import Study
from giantstep.verdicts import Cell, Verdict, judge
from tests.mutations.mutating import Mutation, applied
from tests.mutations.simulations import place_of, predicted, stored_cells

pytestmark = pytest.mark.slow

FEWEST = 5  # wrong formulas a folder of claims
PENDING: set[str] = set()
TABLES = [name for _, name, _ in pkgutil.iter_modules(tables.__path__) if name.startswith("wrong_")]
MUTATIONS: list[Mutation] = [
    mutation for name in TABLES for mutation in importlib.import_module(f"tests.mutations.{name}").MUTATIONS
]
STORED = [name for name in claim_names() if place_of(name).exists()]


@functools.cache
def simulated(name: str) -> tuple[int, list[Cell]]:
    return stored_cells(name)


def verdict_on_stored(name: str) -> Verdict:
    """The verdict that theory, as it is at this moment, has on the stored simulations."""
    cells = predicted(simulated(name)[1])
    return judge(claim_class(name)().stated(), cells)


def verdict_anew(name: str, mutation: Mutation) -> Verdict:
    """The verdict on simulations made at this moment, for theory that speaks of the draws."""
    study = Study(claim_class(name)(**(mutation.anew or {})), seeds=mutation.seeds or None)
    return study.run(workers=1).verdict


@pytest.mark.parametrize("name", STORED)
def test_the_stored_simulations_are_those_of_the_default_study(name: str) -> None:
    version, cells = simulated(name)
    again = f"make them again: python -m tests.mutations.simulations {name} --store FILE"
    assert version == claim_class(name).info.version, again
    wanted = {point.key() for point, _ in Study.of_views(claim_class(name)()).points}
    assert {cell.point.key() for cell in cells} == wanted, again


@pytest.mark.parametrize("name", STORED)
def test_theory_holds_on_the_stored_simulations(name: str) -> None:
    verdict = verdict_on_stored(name)
    assert verdict.status == "holds", str(verdict)


@pytest.mark.parametrize(
    ("name", "mutation"),
    [pytest.param(name, mutation, id=f"{name}: {mutation.what}") for mutation in MUTATIONS for name in mutation.notice],
)
def test_a_wrong_formula_is_noticed(name: str, mutation: Mutation) -> None:
    with applied(mutation):
        verdict = verdict_on_stored(name) if mutation.anew is None else verdict_anew(name, mutation)
    assert verdict.status == "fails", f"{mutation.what} ({mutation.where}) passes: {verdict}"


def test_a_simulation_anew_holds_with_the_right_formula() -> None:
    """Else a mutation would be noticed for a reason of its own."""
    for mutation in (m for m in MUTATIONS if m.anew is not None):
        for name in mutation.notice:
            verdict = verdict_anew(name, mutation)
            assert verdict.status == "holds", f"{mutation.what}, {name}: {verdict}"


def test_every_folder_has_its_mutations() -> None:
    folders = {name.split("/")[0] for name in claim_names()} - PENDING
    counts = {f: sum(any(name.startswith(f + "/") for name in m.notice) for m in MUTATIONS) for f in folders}
    assert all(count >= FEWEST for count in counts.values()), counts
