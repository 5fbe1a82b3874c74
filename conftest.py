"""Which examples are run as tests, those in the files where they are written; and the seed of what is simulated."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=0, help="first seed of theory against simulation (tests/agreement)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What a package exports is the same function once more: its examples are not run again there."""
    again = [item for item in items if isinstance(item, pytest.DoctestItem) and item.path.name == "__init__.py"]
    again = [item for item in again if item.path.parent.name != "giantstep"]
    if again:
        config.hook.pytest_deselected(items=again)
        items[:] = [item for item in items if item not in again]
