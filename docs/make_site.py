"""Build the site: gather the pages in build/site-source, write those that are made from the code, run Sphinx.

    python docs/make_site.py [--to site] [--work build] [--pictures build/gallery]

Warnings are errors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from making.claim_pages import write_claim_pages
from making.evidence import FOLDER, known
from making.findings import write_findings
from making.front import write_front
from making.kept import kept
from making.lessons import write_tutorials
from making.papers import write_papers
from making.pictures import write_gallery
from making.reference import ROOMS, write_reference
from making.staging import ROOT, Stage, stage_written_pages
from making.theory import write_theory
from sphinx.cmd.build import build_main


def build(to: Path, work: Path, pictures: Path, rooms: Sequence[str] = ROOMS) -> int:
    """Build the site into the folder `to`, with the reference of these `rooms`.

    What Sphinx reads goes to `work`, and `pictures` has what `make gallery` has drawn.
    """
    stage, evidence = Stage(work / "site-source"), {**kept(), **known(pictures)}
    stage_written_pages(stage)
    write_claim_pages(stage, evidence, pictures)
    write_findings(stage, evidence)
    write_gallery(stage, evidence)
    write_papers(stage)
    write_theory(stage)
    write_tutorials(stage, evidence)
    write_reference(stage, rooms)
    write_front(stage, evidence)
    stage.remove_the_rest()
    how = ["-W", "--keep-going", "-q", "-a", "-b", "html"]
    return build_main([*how, "-c", str(ROOT / "docs"), "-d", str(work / "site-doctrees"), str(stage.folder), str(to)])


def main() -> int:
    reader = argparse.ArgumentParser(description="Build the site.")
    reader.add_argument("--to", type=Path, default=ROOT / "site", help="where the pages go")
    reader.add_argument("--work", type=Path, default=ROOT / "build", help="where Sphinx keeps what it has read")
    reader.add_argument("--pictures", type=Path, default=FOLDER, help="what `make gallery` has drawn")
    reader.add_argument("--rooms", nargs="*", default=ROOMS, help="rooms of the reference; all by default")
    asked = reader.parse_args()
    status = build(asked.to, asked.work, asked.pictures, asked.rooms)
    if not status:
        print(f"The site: {(asked.to / 'index.html').absolute().as_uri()}")
    return status


if __name__ == "__main__":
    sys.exit(main())
