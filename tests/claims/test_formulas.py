"""Every claim has its central formula as LaTeX, which every face can show."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser

import giantstep.claims
from giantstep.claims import Claim, Formula, claim, claim_class, claim_names, described, formula_of, parameter_table
from tests.claims.toy import NoisyLevel

MOST_LINES = 3
TABLES = sorted(Path(giantstep.claims.__file__).parent.glob("*/_formulas.py"))
ONE = Formula(r"a = b", r"$a$ is $b$")
TWO = Formula(r"a = b \\ c = d")


def own_formula(name: str) -> Formula:
    formula = formula_of(claim_class(name))
    folder, _, file = name.partition("/")
    place = f"src/giantstep/claims/{folder.replace('-', '_')}/_formulas.py"
    assert formula, (
        f'{name} has no formula: write "{file}": Formula(...) in {place}, or formula = Formula(...) in its class'
    )
    return formula


@pytest.mark.parametrize("name", claim_names())
def test_every_claim_has_a_formula_that_can_be_drawn(name: str) -> None:
    formula, parser = own_formula(name), MathTextParser("path")
    assert 1 <= len(formula.lines) <= MOST_LINES
    assert formula.where, f"say in a few words what the symbols of {name} are"
    assert formula.where.count("$") % 2 == 0
    assert formula.where[-1] not in ".;,", "the sentence gets its full stop where it is shown"
    for tex in (*formula.lines, *formula.where.split("$")[1::2]):
        assert tex.strip(), f"an empty line in the formula of {name}"
        assert "$" not in tex
        parser.parse(f"${tex}$")


@pytest.mark.parametrize("name", claim_names())
def test_every_symbol_can_be_drawn(name: str) -> None:
    cls, parser = claim_class(name), MathTextParser("path")
    parameters = (about["symbol"] for about in parameter_table(cls).values())
    for symbol in filter(None, (*(quantity.symbol for quantity in cls.quantities), *parameters)):
        assert "\\\\" not in symbol, f"{name}: a line break in {symbol}"
        parser.parse(f"${symbol}$")


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.parent.name)
def test_no_formula_is_of_a_claim_that_is_not_there(table: Path) -> None:
    found = importlib.import_module(f"giantstep.claims.{table.parent.name}._formulas").FORMULAS
    known = {name.partition("/")[2] for name in claim_names() if name.startswith(table.parent.name.replace("_", "-"))}
    assert set(found) <= known


@pytest.mark.parametrize("name", claim_names())
def test_a_formula_speaks_of_what_is_measured(name: str) -> None:
    """One of the claim's own symbols stands in its formula or in the words about it."""
    cls, formula = claim_class(name), own_formula(name)
    symbols = [quantity.symbol for quantity in cls().stated()]
    symbols += [about["symbol"] for about in parameter_table(cls).values()]
    text = _bare(formula.latex + formula.where)
    assert any(_bare(symbol) in text for symbol in symbols if symbol)


def _bare(tex: str) -> str:
    return re.sub(r"\\[ ,]|\s|[{}]", "", tex.replace(r"\|", r"\Vert"))


def test_a_claim_of_ones_own_may_have_none_or_give_its_own() -> None:
    assert formula_of(NoisyLevel) is None
    assert described(NoisyLevel)["formula"] is None
    assert NoisyLevel()._repr_latex_() is None
    assert formula_of(type("Own", (NoisyLevel,), {"formula": ONE, "__module__": "mine"})) is ONE


def test_it_is_pasted_into_papers_pages_and_notebooks() -> None:
    assert ONE.pasted() == "\\[\na = b\n\\]\nwhere $a$ is $b$."
    assert TWO.pasted() == "\\begin{gather*}\na = b \\\\\nc = d\n\\end{gather*}"
    assert TWO.marked_down() == "$$a = b$$\n\n$$c = d$$"
    assert ONE.data() == {"latex": ["a = b"], "where": "$a$ is $b$"}


def test_a_notebook_shows_it() -> None:
    point: Claim = claim("bes22/weight-spike")
    assert "s_1" in (point._repr_latex_() or "")
    assert r"$$s_1 \to \sqrt" in point._repr_html_()
