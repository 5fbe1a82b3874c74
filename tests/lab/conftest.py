"""One lab and one browser for all tests: worker processes start once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi")

from tests.lab.browser import FLAGS, WAIT, Watched, found_browser
from tests.lab.client import Client, running


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with running(tmp_path_factory.mktemp("lab")) as client:
        yield client


@pytest.fixture(scope="module")
def chromium(lab: Client) -> Iterator[Watched]:
    sync_api = pytest.importorskip("playwright.sync_api")
    sync_api.expect.set_options(timeout=WAIT)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found_browser(), args=FLAGS)
        yield Watched(browser, f"http://127.0.0.1:{lab.port}")
        browser.close()


@pytest.fixture
def web(chromium: Watched) -> Iterator[Watched]:
    """The browser; a test fails if its pages complain or ask anybody but the lab."""
    chromium.wrong.clear()
    yield chromium
    assert chromium.wrong == []
