"""The page on coverage names claims, quantities, presets and pages that exist, and counts its own rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from giantstep.claims import claim_class, claim_names
from giantstep.verdicts.stating import keyed

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "coverage.md").read_text()
STATUSES = ("fully", "partly", "not", "no claim")
LINK_OR_NAME = re.compile(r"\[[^\]]*\]\(([^)]+)\)|`([^`]+)`")


@dataclass(frozen=True)
class Row:
    """One statement of a source."""

    number: str
    statement: str
    cover: str
    status: str
    missing: str

    def named(self) -> list[tuple[str, str]]:
        """The pages that cover it, each with the names that stand behind it: `(page, name)`, `(page, "")` for none."""
        found: list[tuple[str, str]] = []
        for page, name in LINK_OR_NAME.findall(self.cover):
            assert page or found, f"{self.number}: `{name}` stands before any claim"
            found.append((page or found[-1][0], name))
        return found


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows_of(section: str) -> list[Row]:
    found = []
    for line in section.splitlines():
        if re.match(r"\| [A-Z]\d+ \|", line):
            number, statement, cover, status = cells(line)
            word, _, missing = status.partition(": ")
            found.append(Row(number, statement, cover, word, missing))
    return found


HEAD, *SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)
SOURCES = {section.splitlines()[0]: rows_of(section) for section in SECTIONS}
ROWS = [row for rows in SOURCES.values() for row in rows]
COVERED = [(row.number, page, name) for row in ROWS for page, name in row.named()]


def test_the_sources_are_numbered_in_order() -> None:
    beyond = [title for title in SOURCES if title.startswith("Beyond the talks: ")]
    assert len(SOURCES) - len(beyond) == 5
    assert len({rows[0].number[0] for rows in SOURCES.values()}) == len(SOURCES), "a letter for each"
    for rows in SOURCES.values():
        letter = rows[0].number[0]
        assert [row.number for row in rows] == [f"{letter}{i}" for i in range(1, len(rows) + 1)]


def counts(rows: list[Row]) -> list[str]:
    fully, partly, missing, no_claim = (sum(row.status == word for row in rows) for word in STATUSES)
    return [str(n) for n in (fully + partly + missing, fully, partly, missing, no_claim)]


def test_the_counts_at_the_head_are_those_of_the_tables() -> None:
    told = [cells(line) for line in HEAD.splitlines() if re.match(r"\| .* \| \d+ \|", line)]
    wanted = [[title, *counts(rows)] for title, rows in SOURCES.items()]
    assert told == [*wanted, ["all", *counts(ROWS)]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_every_statement_has_a_status_and_what_belongs_to_it(row: Row) -> None:
    assert row.status in STATUSES
    assert bool(row.missing) == (row.status != "fully"), "say what is missing, or why there is no claim"
    if row.status in ("fully", "partly"):
        assert row.named(), "say what covers it"


def test_what_covers_a_statement_exists() -> None:
    for number, page, name in COVERED:
        assert (DOCS / page).exists(), f"{number}: there is no page {page}"
        claim = page.removeprefix("claims/").removesuffix(".md")
        if page.startswith("claims/"):
            assert claim in claim_names(), f"{number}: there is no claim {claim}"
        if name:
            cls = claim_class(claim)
            stated = cls().stated()
            known = {*keyed(stated), *(q.name for q in stated), *cls.presets}
            assert name in known, f"{number}: {claim} has no quantity or preset `{name}`"


def test_every_claim_covers_something() -> None:
    named = {page for _, page, _ in COVERED}
    without = [name for name in claim_names() if f"claims/{name}.md" not in named]
    assert not without, f"not in docs/coverage.md: {', '.join(without)}"
