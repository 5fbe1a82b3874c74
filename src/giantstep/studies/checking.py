"""Whether a store holds what was written: its pages, and the seal of every record, prediction and study."""

from __future__ import annotations

from dataclasses import dataclass

from giantstep.studies.database import TABLES, Database
from giantstep.studies.seals import is_sound, is_study_sound

NUMBERS = "made, cells, done, failed, rate, seen"
"""What stands beside a study and changes while it runs, so that no seal is over it."""


@dataclass(frozen=True)
class StoreCheck:
    """What a look at every row of a store found.

    Args:
        records: how many there are.
        predictions: how many there are.
        studies: how many there are.
        damage: a line for each that does not hold what was written, and for pages of the file that are broken.
    """

    records: int
    predictions: int
    studies: int
    damage: tuple[str, ...]

    def __str__(self) -> str:
        held = f"{self.records} records, {self.predictions} predictions, {self.studies} studies"
        return f"{held}: " + (f"{len(self.damage)} damaged" if self.damage else "all as they were written")


def check_database(database: Database) -> StoreCheck:
    """Look at everything that a database holds; nothing is changed."""
    damage = [f"the file: {line}" for (line,) in database.rows("PRAGMA integrity_check") if line != "ok"]
    there = {name for (name,) in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    damage += [f"the file: it has no table '{table}'" for table in TABLES if table not in there]
    point = "(SELECT CAST(claim || ' ' || parameters AS BLOB) FROM points WHERE points.key = {}.key)"
    records = predictions = studies = 0
    for at, *row in database.sealed_rows("records", point.format("records")):
        records += 1
        if not is_sound(row):
            damage.append(f"the record of seed {row[1]} of {_text(at)}")
    for at, *row in database.sealed_rows("points", point.format("points"), "WHERE prediction IS NOT NULL"):
        predictions += 1
        if not is_sound(row):
            damage.append(f"the prediction of {_text(at)}")
    count = NUMBERS.count(",") + 1
    for found in database.sealed_rows("studies", NUMBERS):
        studies += 1
        if not is_study_sound(found[:count], found[count:]):
            damage.append(f"what is said of the study {_text(found[count])}")
    return StoreCheck(records, predictions, studies, tuple(damage))


def _text(kept: object) -> str:
    return kept.decode(errors="replace") if isinstance(kept, bytes) else "a point that is not known"
