"""SGD with batches on order parameters, against SGD on the neuron itself."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.engines.online import BatchSGD, OnlineSGD, random_replicas
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

HE3, TANH = Target("He3(x1)/sqrt(6)"), Activation("tanh")
D, BATCH, STEP, REPLICAS = 8, 5, 0.08, 20_000


@pytest.mark.parametrize("loss", ["correlation", "squared"])
def test_two_steps_have_the_law_of_the_neuron_itself(loss: Literal["correlation", "squared"]) -> None:
    start = random_replicas(TANH, D, 1, 1, 1, Streams(0), upper=True).repeated(REPLICAS)
    sgd = BatchSGD(Problem(HE3, D, noise=0.2), STEP, Streams(1), batch=BATCH, loss=loss)
    found = run(sgd, start, times=[2]).last.overlaps[0, 0]
    generator, w = Streams(2).generator(), np.zeros((REPLICAS, D))
    w[:, :2] = start.coordinates[0].T
    for _ in range(2):
        x = generator.standard_normal((REPLICAS, BATCH, D))
        h = np.einsum("rbd,rd->rb", x, w)
        y = (x[..., 0] ** 3 - 3 * x[..., 0]) / np.sqrt(6) + 0.2 * generator.standard_normal((REPLICAS, BATCH))
        c = (y - (np.tanh(h) if loss == "squared" else 0)) / np.cosh(h) ** 2
        w = w + STEP * np.einsum("rb,rbd->rd", c, x)
        w /= np.linalg.norm(w, axis=1, keepdims=True)
    whole = w[:, 0]
    assert abs(found.mean() - whole.mean()) < 4 * whole.std() * np.sqrt(2 / REPLICAS)
    assert found.std() == pytest.approx(whole.std(), rel=0.04)
    assert np.quantile(found, 0.9) == pytest.approx(np.quantile(whole, 0.9), abs=0.02)


def test_batches_of_one_with_the_squared_loss_are_one_pass() -> None:
    start = random_replicas(TANH, 64, 1, 1, 1, Streams(0), upper=True).repeated(4000)
    problem = Problem(HE3, 64)
    ours = run(BatchSGD(problem, 0.02, Streams(1), loss="squared"), start, times=[60]).last.overlaps[0, 0]
    one_pass = run(OnlineSGD(problem, 0.02, Streams(2), sphere=True), start, times=[60]).last.overlaps[0, 0]
    assert abs(ours.mean() - one_pass.mean()) < 4 * one_pass.std() * np.sqrt(2 / 4000)
    assert ours.std() == pytest.approx(one_pass.std(), rel=0.06)


def test_more_than_one_neuron_is_refused() -> None:
    start = random_replicas(TANH, 16, 2, 1, 3, Streams(0))
    with pytest.raises(InputError, match="one neuron"):
        run(BatchSGD(Problem(HE3, 16), 0.1, Streams(1)), start, times=[1])
