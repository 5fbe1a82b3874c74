"""Steps with batches, against the diffusion without and against what is known of large batches."""

from __future__ import annotations

from typing import get_args

import pytest

from giantstep.problems import Activation, Target
from giantstep.theory.dynamics import escape_samples
from giantstep.theory.dynamics.repetition import batch_step, batch_steps, repetition_time
from giantstep.theory.dynamics.repetition.batches import BatchLoss

HE3, SINE = Target("He3(x1)/sqrt(6)"), Activation("sin(sqrt(3)*z)")


def test_small_batches_take_the_samples_of_one_pass() -> None:
    squared = batch_steps(HE3, SINE, 128, 2, 0.4, "squared", 0.5) * 2
    assert squared == pytest.approx(escape_samples(HE3, SINE, 128, 0.4, 0.0, 0.5)[0], rel=0.02)
    correlated = batch_steps(HE3, SINE, 128, 2, 0.4, "correlation", 0.5) * 2
    assert correlated == pytest.approx(128 * repetition_time(HE3, SINE, 128, 0.4, 0.0, "look-ahead", 0.5), rel=0.03)


def test_large_batches_save_steps_with_the_correlation_loss_alone() -> None:
    correlation, squared = (
        [batch_steps(HE3, SINE, 128, batch, 0.4, loss, 0.5) for batch in (3072, 12_288)] for loss in get_args(BatchLoss)
    )
    assert correlation[0] > 3 * correlation[1]
    assert squared[0] < squared[1]
    assert squared[0] > 2 * correlation[0]


def test_the_step_shrinks_where_the_neuron_would_turn_round() -> None:
    assert batch_step(HE3, 64, 8, 0.4, "squared") == pytest.approx(0.05)
    assert batch_step(HE3, 64, 4096, 0.4, "squared") == pytest.approx(0.4 / 64)
    assert batch_step(HE3, 64, 4096, 0.4, "correlation") == pytest.approx(0.05)
