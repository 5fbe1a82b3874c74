"""A real browser for the tests of the page: Debian's Chromium or a Chrome that is there, and what it may not do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW = "no browser here: install Chromium (Debian and Ubuntu: apt install chromium) or Chrome, then run the tests again"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SPIKE = "/claims/bes22/weight-spike"
WAIT = 60_000  # milliseconds, for a machine that has much else to do


def found_browser() -> str | None:
    """The first browser on the path."""
    return next((place for name in NAMES if (place := shutil.which(name))), None)


@dataclass
class Watched:
    """A browser on a lab; what its pages do wrong is written down."""

    browser: Any
    origin: str
    wrong: list[str] = field(default_factory=list)

    @contextmanager
    def page(self, address: str, **wishes: Any) -> Iterator[Any]:
        """A page at an address of the lab, in a tab of its own."""
        context = self.browser.new_context(**wishes)
        context.set_default_timeout(WAIT)
        try:
            page = context.new_page()
            self.watch(page)
            page.goto(self.origin + address)
            yield page
        finally:
            context.close()

    def watch(self, page: Any) -> None:
        """Write down errors, and requests that leave the machine."""
        page.on("console", lambda told: self._heard(told))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda asked: self._asked(asked.url))

    def _heard(self, told: Any) -> None:
        # A refusal with its sentence is an answer, which the browser all the same counts as failed.
        if told.type in ("error", "warning") and not re.match(r"Failed to load resource.*\b4\d\d\b", told.text):
            self.wrong.append(f"{told.type}: {told.text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.wrong.append(f"a request to {url}")


def ready(page: Any) -> Any:
    """The page once it is there: a heading, and nothing that is still loaded."""
    page.locator("main:not([aria-busy]) h1").first.wait_for()
    return page
