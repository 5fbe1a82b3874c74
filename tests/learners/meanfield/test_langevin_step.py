"""The step that Langevin dynamics chooses by itself: curvatures against dense matrices, stability, and its size."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.learners import Trajectory, run
from giantstep.learners.meanfield import Langevin, LangevinState, prior_network
from giantstep.learners.meanfield.langevin_step import LONGEST, Look, look
from giantstep.problems.inputs import ParityInputs, parity_target
from giantstep.streams import Streams

THIRD = 10.0


def parity(order: int, alpha: float, n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    law = ParityInputs(order, alpha)
    x = law.draw(Streams(seed).child("x").generator(), n, d)
    return x, np.asarray(parity_target(order)(law.fields(x, order)))


def looks(seed: int, number: int, temperature: float = 0.0) -> tuple[Look, dict[str, np.ndarray]]:
    """A number of looks at the same place, and what is there."""
    x, y = parity(2, 0.5, 40, 12, seed)
    start = prior_network(12, 30, 3 * THIRD, Streams(seed).child("start"))
    hidden, top = np.tanh(start.weights @ x.T + start.biases[:, None]), np.tanh(start.offsets)
    doubt = 1 / (1 + np.exp(y * THIRD * (hidden.mean(axis=0) + 2 * top.mean())))
    found = None
    for _ in range(number):
        found = look(hidden, top, x, y, doubt, THIRD, temperature, found)
    assert found is not None
    return found, {"x": x, "y": y, "hidden": hidden, "top": top, "doubt": doubt}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_step_is_that_of_the_dense_hessians(seed: int) -> None:
    found, at = looks(seed, 12)
    x, slope, n = at["x"], 1 - at["hidden"] ** 2, 40
    bend, pull = at["doubt"] * (1 - at["doubt"]) / n, THIRD / n * at["y"] * at["doubt"]
    tangent = THIRD**2 * (12 * x @ x.T + 1) * (slope.T @ slope / 30) * np.sqrt(np.outer(bend, bend))
    together = np.linalg.eigvalsh(tangent)[-1]
    alone = max(
        np.abs(np.linalg.eigvalsh(12 * (x.T * (pull * -2 * h * s)) @ x)).max()
        for h, s in zip(at["hidden"], slope, strict=True)
    )
    assert found.step == pytest.approx(1 / (2 * together + alone), rel=0.02)
    constant = 4 * THIRD**2 * np.mean((1 - at["top"] ** 2) ** 2) * bend.sum()
    assert found.offset_step == pytest.approx(1 / (2 * constant + 1.54 * abs(pull.sum())), rel=1e-9)
    assert found.offset_step < found.step


def test_a_hot_step_is_limited_by_the_prior() -> None:
    assert looks(0, 1, temperature=1e6)[0].step == LONGEST / 1e6


def trained(
    order: int, alpha: float, d: int, temperature: float, seed: int, step: float | None
) -> Trajectory[LangevinState]:
    x, y = parity(order, alpha, 80, d, seed)
    start = prior_network(d, 100, 3 * THIRD, Streams(seed).child("start"))
    return run(Langevin(x, y, temperature, Streams(seed).child("noise"), step=step), start, steps=200, watch=["loss"])


@pytest.mark.parametrize("temperature", [0.0, 5e-4, 5e-3, 0.1])
@pytest.mark.parametrize(("order", "alpha", "d"), [(2, 0.5, 16), (3, 0.5, 24), (2, 0.75, 64)])
def test_the_loss_never_rises_above_its_start(order: int, alpha: float, d: int, temperature: float) -> None:
    losses = trained(order, alpha, d, temperature, 0, None)["loss"]
    assert losses.max() <= 1.05 * losses[0]
    assert losses[-20:].mean() < 0.75 * losses[0]


@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_as_long_as_what_works_by_hand(seed: int) -> None:
    """At the setting of the claim on parities 0.5 works by hand, but not without a loss ten times that of the start."""
    own, by_hand = (trained(3, 0.5, 24, 5e-3, seed, step) for step in (None, 0.5))
    assert own.last.time > 0.4 * by_hand.last.time
    assert own["loss"][-20:].mean() < 1.3 * by_hand["loss"][-20:].mean()
    assert by_hand["loss"].max() > 3 * own["loss"].max()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_its_two_steps_leave_the_prior_as_it_is(seed: int) -> None:
    """A weak signal: all groups of parameters keep their prior variance, whatever their steps."""
    x, y = parity(2, 0.5, 10, 6, seed)
    start = prior_network(6, 3000, 1e-3, Streams(seed).child("start"))
    end = run(Langevin(x, y, 1.0, Streams(seed)), start, times=[60]).last
    wide = 1 / (1 - LONGEST / 2)
    assert end.time == pytest.approx(60 * LONGEST)
    assert np.mean(end.network.weights**2) == pytest.approx(6 * wide, rel=0.06)
    for part in (end.network.biases, end.network.offsets):
        assert np.mean(part**2) == pytest.approx(wide, rel=0.14)
    assert abs(np.corrcoef(end.network.offsets, start.offsets)[0, 1]) < 0.08
