"""The built page that the package carries: it is the one of the sources, light, and has the colours of the figures."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from giantstep.figures import style

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "page"
STATIC = ROOT / "src" / "giantstep" / "lab" / "static"
SOURCES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "public", "src")
pytestmark = pytest.mark.skipif(not PAGE.is_dir(), reason="only a checkout has the sources of the page")


def hash_of_sources() -> str:
    """The same sum as `record` in page/vite.config.ts."""
    files = [
        file
        for path in (PAGE / name for name in SOURCES)
        for file in (path.rglob("*") if path.is_dir() else [path])
        if file.is_file()
    ]
    total = hashlib.sha256()
    for name, file in sorted((file.relative_to(PAGE).as_posix(), file) for file in files):
        total.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def test_the_built_page_is_that_of_the_sources() -> None:
    built = json.loads((STATIC / "built-from.json").read_text())
    assert built["sources"] == hash_of_sources(), "the sources of the page have changed: run `make page`"


def test_everything_that_the_page_loads_is_there_and_nothing_else() -> None:
    files = {path.name for path in (STATIC / "assets").iterdir()}
    named = {"index.html": (STATIC / "index.html").read_text()}
    named |= {name: (STATIC / "assets" / name).read_text() for name in files if name.endswith((".js", ".css"))}
    loaded = {found for text in named.values() for found in re.findall(r"[\w-]+-[\w-]{8}\.(?:js|css|woff2)", text)}
    assert loaded == files


def test_the_page_weighs_less_than_600_kB_compressed() -> None:
    weight = sum(
        len(data) if path.suffix == ".woff2" else len(gzip.compress(data))
        for path in STATIC.rglob("*")
        if path.is_file()
        for data in [path.read_bytes()]
    )
    assert weight < 600_000


def test_no_address_of_another_machine_is_loaded() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".html", ".css"):
            assert not re.findall(r"(?:src|href|url)\W{1,3}https?:", path.read_text())
    assert "resolved" not in (PAGE / "package-lock.json").read_text(), "the lock file names a registry: see page/.npmrc"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_colours_of_the_figures(theme: str) -> None:
    on_the_page = json.loads((PAGE / "src" / "base" / "colours.json").read_text())[theme]
    drawn = asdict(style.DARK if theme == "dark" else style.LIGHT)
    assert on_the_page == {name: list(one) if isinstance(one, tuple) else one for name, one in drawn.items()}


@pytest.mark.slow
def test_the_logic_of_the_page() -> None:
    """Scales, the state in the address, streams: vitest's own tests."""
    npx = shutil.which("npx")
    if npx is None or not (PAGE / "node_modules").is_dir():
        pytest.skip("the page's own tests need Node and its packages: `make page` brings both")
    done = subprocess.run([npx, "vitest", "run"], cwd=PAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
