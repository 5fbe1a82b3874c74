"""The pages that are written by hand, gathered where Sphinx reads: their links are turned towards their new places."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OF_THE_ROOT = {"README.md": "readme.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
AS_THEY_ARE = ("CITATION.cff", "LICENSE")
FRONT, GUIDES = "index.md", "guides.md"  # docs/index.md lists the guides; the site's front page is made
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def places() -> dict[Path, str]:
    """Each file of the repository that becomes part of the site, and its place there."""
    found = {ROOT / name: place for name, place in OF_THE_ROOT.items()}
    found |= {ROOT / name: name for name in AS_THEY_ARE}
    for pattern in ("*.md", "pictures/**/*.*", "claims/**/*.md", "theory/*.md"):
        found |= {file: file.relative_to(DOCS).as_posix() for file in DOCS.glob(pattern)}
    found[DOCS / "index.md"] = GUIDES
    return found


def turned(text: str, origin: Path, known: dict[Path, str]) -> str:
    """A page with the links between files of the repository as they are between the places of the site."""
    here = Path(known[origin]).parent

    def turn(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(origin.parent / found[2]))
        place = known.get(target)
        if place is None:
            return found[0]
        return found[1] + os.path.relpath(place, here).replace(os.sep, "/") + (found[3] or "") + found[4]

    return LINK.sub(turn, text)


def contents(entries: list[str], depth: int = 1, caption: str = "") -> str:
    """A table of contents that is seen in the navigation only."""
    options = [":hidden:", f":maxdepth: {depth}", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "```{toctree}", *options, "", *entries, "```", ""])


class Stage:
    """The folder from which Sphinx reads; a file is written if it has changed, and left-overs are removed.

    Args:
        folder: where it is; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: set[Path] = set()

    def write(self, place: str, text: str) -> None:
        """A page."""
        file = self._file(place)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")

    def copy(self, source: Path, place: str) -> None:
        """A picture or another file as it is."""
        file = self._file(place)
        if not file.exists() or file.read_bytes() != source.read_bytes():
            shutil.copyfile(source, file)

    def _file(self, place: str) -> Path:
        file = self.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        self._kept.add(file)
        return file

    def remove_the_rest(self) -> None:
        """What an earlier build has left."""
        for file in self.folder.rglob("*"):
            if file.is_file() and file not in self._kept:
                file.unlink()


def stage_written_pages(stage: Stage) -> None:
    """The pages of the repository."""
    known = places()
    for file, place in known.items():
        if place.startswith(("claims/", "theory/")):  # pages that are made out of these
            continue
        if file.suffix != ".md":
            stage.copy(file, place)
            continue
        text = turned(file.read_text(encoding="utf-8"), file, known)
        if place == GUIDES:
            guides = re.findall(r"^- \[[^\]]*\]\((\w[\w-]*)\.md\)", text, re.MULTILINE)
            text += contents(guides)
        stage.write(place, text)
