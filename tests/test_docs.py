"""The generated pages say what the claims say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_claim_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    wanted = generate.pages()
    assert set(wanted) == set((ROOT / "docs" / "claims").rglob("*.md")), "run 'make docs'"
    for place, text in wanted.items():
        assert place.read_text() == text, f"{place.name} is out of date: run 'make docs'"
