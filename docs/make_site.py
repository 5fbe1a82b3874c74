"""Build the site: gather the pages in build/site-source, write those that are made from the code, run Sphinx.

    python docs/make_site.py [--to site] [--work build]

Warnings are errors.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from making.front import write_front
from making.papers import write_papers
from making.staging import ROOT, Stage, stage_written_pages
from sphinx.cmd.build import build_main


def build(to: Path, work: Path) -> int:
    """Build the site into the folder `to`; what Sphinx reads goes to `work`."""
    stage = Stage(work / "site-source")
    stage_written_pages(stage)
    write_papers(stage)
    write_front(stage)
    stage.remove_the_rest()
    how = ["-W", "--keep-going", "-q", "-a", "-b", "html"]
    return build_main([*how, "-c", str(ROOT / "docs"), "-d", str(work / "site-doctrees"), str(stage.folder), str(to)])


def main() -> int:
    reader = argparse.ArgumentParser(description="Build the site.")
    reader.add_argument("--to", type=Path, default=ROOT / "site", help="where the pages go")
    reader.add_argument("--work", type=Path, default=ROOT / "build", help="where Sphinx keeps what it has read")
    asked = reader.parse_args()
    status = build(asked.to, asked.work)
    if not status:
        print(f"The site: {(asked.to / 'index.html').absolute().as_uri()}")
    return status


if __name__ == "__main__":
    sys.exit(main())
