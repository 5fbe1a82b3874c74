"""Papers: each under one key, and none that nothing cites."""

from __future__ import annotations

import re
from pathlib import Path

import giantstep
from giantstep.sources import SOURCES

PACKAGE = Path(giantstep.__file__).parent


def test_a_paper_has_one_key() -> None:
    for told in ("arxiv", "doi"):
        known = [getattr(source, told) for source in SOURCES.values() if getattr(source, told)]
        assert len(known) == len(set(known)), told


def test_every_paper_is_cited() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path.name != "sources.py"]
    words = set(re.findall(r"[a-z]+\d{2}", " ".join(texts)))
    assert not SOURCES.keys() - words
