"""The built pages as tests see them: what they link to, what they load, which anchors they have."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def browser() -> str | None:
    """The browser of this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@dataclass
class Page(HTMLParser):
    """One page of the site.

    Args:
        file: where it is.
    """

    file: Path
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told[name] for name in ("id", "name") if told.get(name)}
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])
        if tag == "link" and told.get("rel") not in ("index", "search", "prev", "next", "canonical"):
            self.loaded.append(told["href"])
        if told.get("src"):
            self.loaded.append(told["src"])

    @cached_property
    def inner_links(self) -> list[tuple[Path, str]]:
        """The files of the site that it links to, each with the anchor there, if any."""
        found = []
        for link in self.links:
            parts = urlsplit(link)
            if not parts.scheme and not parts.netloc:
                target = (self.file.parent / unquote(parts.path)).resolve() if parts.path else self.file
                found.append((target, unquote(parts.fragment)))
        return found
