"""The interface against its own description (OpenAPI): what fits it, or nearly, gets an answer that is described."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.lab.client import Client

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")

# Streams do not end and studies would run: other tests ask these.
LEFT_OUT = r"/(simulate|watch)$|^/api/studies|^/api/verdicts$"


@pytest.mark.slow
def test_what_is_described_is_what_is_answered(lab: Client) -> None:
    described = schemathesis.openapi.from_url(f"http://127.0.0.1:{lab.port}/api/openapi.json")
    operations = [one.ok() for one in described.exclude(path_regex=LEFT_OUT).get_all_operations()]
    assert len(operations) >= 12
    for operation in operations:
        _fuzz(operation)


def _fuzz(operation: Any) -> None:
    """A few requests of one kind, the same ones each time."""

    @settings(
        max_examples=4,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        # What parsers and claims refuse cannot stand in a schema: a refusal is an answer too, if it is described.
        case.call_and_validate(excluded_checks=[checks.positive_data_acceptance])

    ask()
