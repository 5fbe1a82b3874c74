"""Theory against simulation: energies along the staircase, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dklps23._stairs import direction_name, stairs_of
from giantstep.claims.dklps23.staircase import Staircase
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.networks import DKLPS23, initialise
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    ("preset", "seeds", "seed"),
    [
        ("example-1", 128, 0),
        ("example-1", 128, 700),
        ("example-2", 128, 0),
        ("example-2", 128, 700),
        ("example-3-f1", 128, 30),
    ],
)
def test_presets(preset: str, seeds: int, seed: int) -> None:
    verdict = Staircase.preset(preset, d=200, neurons=8).run(seeds=seeds, seed=seed, workers=1).verdict
    assert verdict.status == "holds", verdict.sentence


def last(point: Staircase, name: str, seeds: int = 5, seed: int = 0) -> float:
    values = (point.measure(Run(Streams(seed + k))).values[name] for k in range(seeds))
    return float(np.mean([v if isinstance(v, float) else v.y[-1] for v in values]))


def test_example_1_learns_what_example_2_does_not(seed: int) -> None:
    """Reference, d = 512, n = 20 d, s = 4: .371 and .0036 after two steps."""
    one = last(Staircase(d=512, steps=2), "energy_x1-x2", seed=seed)
    two = last(Staircase.preset("example-2", d=512, steps=2), "energy_x1-x2", seed=seed)
    assert one == pytest.approx(0.375, abs=0.03)
    assert two < 0.01


def test_signs_do_not_span_what_a_spread_second_layer_does(seed: int) -> None:
    signs, spread = (
        last(Staircase.preset(name, d=400, neurons=16), "sv3", seed=seed)
        for name in ("example-3-f2", "example-3-f2-spread")
    )
    assert spread > 1.7 * signs


def test_equal_links_learn_a_second_direction(seed: int) -> None:
    """The slide's 'no new learning' holds for orthogonal directions; here w2 = (3, 4, 0)/5 is not orthogonal to w1."""
    point = Staircase.preset("equal-links", d=512)
    assert last(point, "energy_2x1+x2-4x3", seed=seed) > 6 * last(point, "energy_x1-2x2", seed=seed)
    orthogonal = Staircase(target="x1 + He2(x1) + x2 + He2(x2) + x3 + He2(x3)")
    assert orthogonal.stairs.steps == (1, None, None)


def test_the_full_engine_agrees() -> None:
    """The same energies from d-dimensional data."""
    point = Staircase(d=200, neurons=8, steps=2)
    found = []
    for seed in range(8):
        streams = Streams(seed)
        net = initialise(DKLPS23, point.activation, point.d, point.neurons, streams.child("network"))
        for number in range(point.steps):
            sample = Problem(point.target, point.d).sample(point.samples, streams.child(f"data {number}"))
            net, _ = take_step(net, sample, GiantStep(point.step))
        cosines = net.weights[:, :2] / np.linalg.norm(net.weights, axis=1, keepdims=True)
        found.append([np.mean((cosines @ u) ** 2) for u in point.stairs.unit])
    error = np.std(found, axis=0, ddof=1) / 8**0.5
    predicted = [point.predict()[f"energy_{name}"].y[-1] for name in point.stairs.names]
    assert (np.abs(np.mean(found, axis=0) - predicted) < 5 * error + 0.02).all()


def test_stairs_and_their_names() -> None:
    assert direction_name((1, -1)) == "x1-x2"
    assert direction_name((-1, 0, 2)) == "-x1+2x3"
    seen = stairs_of(Target("x1 + x1*x2*x3"), Activation("relu"))
    assert (seen.names, seen.steps) == (("x1", "x2", "x3"), (1, None, None))
    blind = stairs_of(Staircase().target, Activation("tanh"))
    assert (blind.names, blind.steps) == (("x1+x2", "x1-x2"), (1, None))
    assert Staircase.preset("example-3-f1").stairs.names == ("x1", "x2+x3")
    notes = Staircase.preset("unseen").predict().notes
    assert notes == ("x1+x2 is learned at step 1", "x1-x2 is not learned at any step")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"neurons": 5}, "must be even"),
        ({"target": "relu(x1)"}, "must be a polynomial"),
        ({"target": "3"}, "not constant"),
        ({"activation": "He2"}, "diverge at the second step"),
        ({"samples_per_dim": 1e9}, "too many"),
        ({"second_layer": "zeros"}, "'signs' or 'gaussian'"),
        ({"target": "x1 + x9"}, "at most 8"),
    ],
)
def test_refusals(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Staircase(**changes)


def test_neurons_go_through_the_plane() -> None:
    """Example 1 learns x1 - x2 at its second step, so that the neurons leave the diagonal; example 2 stays on it."""
    for preset, turns in (("example-1", True), ("example-2", False)):
        paths = Staircase.preset(preset, d=256, neurons=8).measure(Run(Streams(5))).paths
        ends = np.array([(way.x[-1], way.y[-1]) for way in paths["a > 0"]])
        firsts = np.array([(way.x[1], way.y[1]) for way in paths["a > 0"]])
        assert len(paths["a > 0"]) == len(paths["a < 0"]) == 4
        assert np.abs(firsts[:, 0] - firsts[:, 1]).max() < 0.5
        assert bool(np.abs(ends[:, 0] - ends[:, 1]).min() > 0.5) == turns
    assert not Staircase(target="x1 + He2(x1)", d=64, neurons=8).measure(Run(Streams(1))).paths
