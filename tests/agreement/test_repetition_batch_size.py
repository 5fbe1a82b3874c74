"""Theory against simulation: SGD with batches."""

from __future__ import annotations

import pytest

from giantstep.claims.repetition.batch_size import BatchSize
from giantstep.errors import InputError

pytestmark = pytest.mark.agreement


def test_steps_with_either_loss(seed: int) -> None:
    for changes in ({"batch": 64}, {"batch": 1024, "loss": "squared"}):
        results = BatchSize(replicas=64, **changes).run(seeds=6, seed=seed, workers=1)
        assert results.verdict.status != "fails", results.verdict.sentence


def test_several_directions_are_refused() -> None:
    with pytest.raises(InputError, match="2 directions"):
        BatchSize(target="x1*x2")


def test_an_activation_that_does_not_see_the_target_is_refused() -> None:
    """Else neurons arrive by chance alone, after times that no theory of steps tells."""
    with pytest.raises(InputError, match="does not see the target"):
        BatchSize(activation="z + He2(z)/2")
