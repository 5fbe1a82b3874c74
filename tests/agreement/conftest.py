"""Where agreement is looked at: at the seeds from `--seed` on, from 0 unless told otherwise."""

from __future__ import annotations

import pytest


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The first seed of a simulation. Another one must do as well: `make test SEED=300`."""
    return int(request.config.getoption("--seed"))
