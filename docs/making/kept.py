"""The small gallery that the repository keeps: picture and verdict of claims and presets, and what corrections say.

A site that is built without simulations shows them; one that has them shows everything. `docs/gallery.py --keep` writes
both.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from making.evidence import Evidence, file_name, read
from making.staging import DOCS

FOLDER = DOCS / "pictures" / "claims"
VERDICTS = FOLDER / "verdicts.json"


def keep(evidence: Mapping[str, Evidence], pictures: Path) -> int:
    """Keep what is known of claims, with their thumbnails in the folder `pictures`; says how many bytes that is.

    What was kept before of other claims stays, unless their version has changed.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    whole = {**kept(), **{name: _shortened(one) for name, one in evidence.items()}}
    lines = [json.dumps({"name": name, **asdict(one)}, ensure_ascii=False) for name, one in sorted(whole.items())]
    VERDICTS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    for name in evidence:
        drawn = pictures / f"{file_name(name)}-small.svg"
        if drawn.exists():
            shutil.copyfile(drawn, FOLDER / drawn.name)
    wanted = {f"{file_name(name)}-small.svg" for name in whole}
    for file in FOLDER.glob("*.svg"):
        if file.name not in wanted:
            file.unlink()
    return sum(file.stat().st_size for file in FOLDER.iterdir())


def _shortened(one: Evidence) -> Evidence:
    return replace(one, sheets=0, tables={})


def kept() -> dict[str, Evidence]:
    """What the repository has of the claims as they are now."""
    return read(json.loads(VERDICTS.read_text(encoding="utf-8"))) if VERDICTS.exists() else {}
