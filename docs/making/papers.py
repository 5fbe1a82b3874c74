"""The list of claims, and a page for each folder of them: a paper or a topic."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Sequence

from giantstep.claims import ListedClaim, listed_claims
from giantstep.sources import SOURCES, Source
from making.marks import plain, typeset
from making.staging import Stage, contents


def folder_of(name: str) -> str:
    """The folder of a claim: a paper's key or a topic."""
    return name.split("/")[0]


def title_of(folder: str) -> str:
    """What the claims of a folder are about, as its package says."""
    package = importlib.import_module(f"giantstep.claims.{folder.replace('-', '_')}")
    words = (inspect.getdoc(package) or folder).splitlines()[0].rstrip(".")
    for opening in ("Claims about ", "Claims on "):
        words = words.removeprefix(opening)
    words = re.sub(r"^\[\w+\]:? ", "", words)
    return words[0].upper() + words[1:]


def claims_list(claims: Sequence[ListedClaim], home: str) -> list[str]:
    """Claims with what they state; `home` leads to the folder `claims`."""
    lines = ["{.claims}"]
    for one in claims:
        lines += [f"[{one.name}]({home}{one.name}.md) [{one.kind}]{{.kind}}", f": {typeset(one.statement)}", ""]
    return lines


def write_papers(stage: Stage) -> None:
    """The list of all claims, and the pages of their folders."""
    chosen = listed_claims()
    folders = list(dict.fromkeys(folder_of(one.name) for one in chosen))
    lines = ["# Claims", "", "Each is one theorem, conjecture, example or figure, made executable.", ""]
    for folder in folders:
        group = [one for one in chosen if folder_of(one.name) == folder]
        lines += [f"## [{title_of(folder)}]({folder}/index.md)", "", *claims_list(group, ""), ""]
        stage.write(f"claims/{folder}/index.md", _folder_page(folder, group))
    stage.write("claims/index.md", "\n".join(lines) + contents([f"{folder}/index" for folder in folders], depth=2))


def _folder_page(folder: str, group: Sequence[ListedClaim]) -> str:
    lines = [f"# {title_of(folder)}", "", "```", f"giantstep verify {folder}", "```", "", *claims_list(group, "../")]
    lines += ["## Sources", ""]
    for key in dict.fromkeys(one.paper for one in group if one.paper):
        lines += [*cited(key, SOURCES[key]), ""]
    return "\n".join(lines) + contents([one.name.split("/")[1] for one in group])


def cited(key: str, source: Source) -> list[str]:
    """A paper with where it can be read, and its BibTeX."""
    place = f"arXiv:{source.arxiv}" if source.arxiv else f"doi:{source.doi}"
    link = f" [{place}]({source.link})" if source.link else ""
    return [f"**{key}**: {plain(str(source))}.{link}", "", "```bibtex", source.bibtex(key), "```"]
