"""Flows of one neuron: velocities against gradients of simulated risks, coordinates, starts and descent."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.flows import FlowTask, OverlapSearch, PopulationFlow, SampleFlow, sphere_starts
from giantstep.problems import Activation, Target
from giantstep.streams import Streams

TASK = FlowTask(Target("He3(x1)/sqrt(6)"), Activation("relu(z - 1)"), 4.0, 0.5, 6)


KINDS = ("spherical", "normalised", "preconditioned")


def path(flow: PopulationFlow | SampleFlow, start: np.ndarray, times: list[float]) -> np.ndarray:
    """w at these times, (times, starts, D)."""
    return run(flow, start, times=times, watch={"w": np.asarray})["w"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_velocity_is_the_gradient_on_many_samples(kind: str, seed: int) -> None:
    """One small step of descent goes, on average over data sets, where the population flow goes."""
    task, step = TASK, 1e-4
    w = sphere_starts(task, 6, 2, Streams(seed)) + task.beta
    w /= np.linalg.norm(w, axis=1, keepdims=True) if kind == "spherical" else task.size(w)[:, None]
    along = w if kind == "spherical" else task.coloured(w)

    def turning(speed: np.ndarray) -> np.ndarray:
        """Without the part that only changes the length, which descent undoes."""
        return speed - np.einsum("bi,bi->b", speed, along)[:, None] * w

    moves = []
    for i in range(12):
        x, y = task.samples(20_000, Streams(seed).child(f"x{i}"))
        before, after = path(SampleFlow(task.activation, x, y, step, kind), w, [0, 1])  # type: ignore[arg-type]
        scale = np.linalg.norm(before, axis=1) / np.linalg.norm(w, axis=1)
        moves.append(turning((after - before) / (step * scale[:, None])))
    wanted = turning(PopulationFlow(task, kind).velocity(w))  # type: ignore[arg-type]
    error = np.std(moves, axis=0, ddof=1) / len(moves) ** 0.5
    assert (np.abs(np.mean(moves, axis=0) - wanted) < 7 * error + 2e-3).all()
    assert np.abs(wanted).max() > 20 * error.max()


def test_three_coordinates_are_all_coordinates() -> None:
    full = FlowTask(TASK.target, TASK.activation, 4.0, 0.5, 20)
    w = sphere_starts(full, 20, 3, Streams(3))
    small = FlowTask(TASK.target, TASK.activation, 4.0, 0.5, 3)
    short = np.column_stack([w[:, :2], np.linalg.norm(w[:, 2:], axis=1)])
    times = [0.0, 2.0, 5.0]
    for kind in KINDS:
        long, brief = path(PopulationFlow(full, kind), w, times), path(PopulationFlow(small, kind), short, times)
        np.testing.assert_allclose(long[:, :, :2], brief[:, :, :2], atol=2e-5)
        # one start alone goes where it goes in company
        np.testing.assert_allclose(path(PopulationFlow(small, kind), short[:1], times)[:, 0], brief[:, 0], atol=2e-5)


def test_flows_conserve_their_lengths() -> None:
    w = sphere_starts(TASK, 6, 3, Streams(4))
    end = path(PopulationFlow(TASK, "spherical"), w, [0.0, 10.0])[-1]
    np.testing.assert_allclose(np.linalg.norm(end, axis=1), 1, atol=1e-4)
    end = path(PopulationFlow(TASK, "preconditioned"), w, [10.0])[-1]
    np.testing.assert_allclose(TASK.size(end), TASK.size(w), rtol=1e-4)


def test_hitting_time_is_when_the_path_arrives() -> None:
    w = np.vstack([sphere_starts(TASK, 6, 4, Streams(5)), TASK.beta])
    there = TASK.overlap(w) >= 0.9
    for flow in (PopulationFlow(TASK, "normalised"), PopulationFlow(TASK, "preconditioned")):
        time = flow.hitting_time(w, 0.9)
        assert (time[there] == 0).all()
        assert (time[~there] > 0).all()
        for i in np.flatnonzero(~there):
            end = path(flow, w[i : i + 1], [0.0, time[i]])[-1]
            assert TASK.overlap(end)[0] == pytest.approx(0.9, abs=1e-4)


def test_starts_are_uniform_in_any_dimension() -> None:
    task = FlowTask(TASK.target, TASK.activation, 0.0, 1.0, 3)
    w = sphere_starts(task, 50, 20_000, Streams(6), positive=False)
    assert np.mean(w[:, 0] ** 2) == pytest.approx(1 / 50, rel=0.06)
    assert abs(np.mean(np.sign(w[:, 0]))) < 0.03
    np.testing.assert_allclose(np.linalg.norm(w, axis=1), 1)
    assert (task.overlap(sphere_starts(task, 50, 100, Streams(6))) >= 0).all()


def test_growth_is_the_change_of_the_overlap() -> None:
    w = sphere_starts(TASK, 6, 3, Streams(7))
    for kind in KINDS:
        flow = PopulationFlow(TASK, kind)
        before, after = (TASK.overlap(w + e * flow.velocity(w)) for e in (-1e-6, 1e-6))
        np.testing.assert_allclose(flow.growth(w), (after - before) / 2e-6, rtol=1e-5)


def test_the_rate_at_the_equator() -> None:
    """2 c, c = 2 2! a_2 a*_2 with a_2 = 1/(2 sqrt(2 pi)) of relu, a*_2 = 1/sqrt(2); 0 for exponent 3."""
    task = FlowTask(Target("He2(x1)/sqrt(2)"), Activation("relu"), 30.0, 0.3)
    assert PopulationFlow(task, "preconditioned").rate() == pytest.approx(2 / np.sqrt(np.pi), rel=1e-5)
    assert abs(PopulationFlow(TASK, "preconditioned").rate()) < 1e-5


def test_searching_for_the_number_of_samples() -> None:
    """A search ends where the mean overlap is 1/2; larger numbers of samples contain the smaller ones."""
    task = FlowTask(Target("He2(x1)/sqrt(2)"), Activation("relu"), 3.0, 1.0, 10)
    descent = OverlapSearch("preconditioned", 0.5, 25, 6, data_sets=6)
    found = descent.half_samples(task, 1.2, 6, Streams(8))
    assert 12 < found < 12 * 2**6
    with pytest.raises(InputError, match=r"with 12 samples still: raise doublings"):
        descent.half_samples(task, 1.2, 0, Streams(8))
    plain = FlowTask(Target("x1"), Activation("relu"), 30.0, 1.0, 10)
    with pytest.raises(InputError, match="with 12 samples already: lower samples_per_dim"):
        OverlapSearch("spherical", 0.5, 25, 6).half_samples(plain, 2.4, 1, Streams(8))
    assert 0.5 * found < descent.half_samples(task, 0.13 * found, 0, Streams(8)) < 2 * found  # begun above it
    assert descent.overlap(task, int(found / 1.5), Streams(8)) < 0.62
    assert descent.overlap(task, int(1.5 * found), Streams(8)) > 0.38
    few, many = (task.samples(n, Streams(9))[0] for n in (20, 40))
    np.testing.assert_array_equal(few, many[:20])


def test_refusals() -> None:
    with pytest.raises(InputError, match="a flow is 'spherical', 'normalised' or"):
        PopulationFlow(TASK, "round")  # type: ignore[arg-type]
    for given in (np.ones(6), np.ones((2, 5)), np.full((2, 6), np.nan)):
        with pytest.raises(InputError, match="starts must be finite"):
            run(PopulationFlow(TASK), given, times=[1.0])
    with pytest.raises(InputError, match="polynomial of x1"):
        FlowTask(Target("x1*x2"), TASK.activation, 1.0, 1.0)
    with pytest.raises(InputError, match="coordinates = 2"):
        FlowTask(TASK.target, TASK.activation, 1.0, 1.0, 2)
    for theta, rho in ((-1.0, 0.5), (np.nan, 0.5), (1.0, 1.5)):
        with pytest.raises(InputError, match="is not allowed"):
            FlowTask(TASK.target, TASK.activation, theta, rho)
    x, y, start = np.ones((4, 6)), np.ones(4), np.ones((2, 6))

    def three_steps(x: np.ndarray, y: np.ndarray, start: np.ndarray) -> None:
        run(SampleFlow(TASK.activation, x, y, 0.1, "preconditioned"), start, times=[3])

    for given in ((x, y[:3], start), (x, y, start[:, :5]), (x[0], y, start)):
        with pytest.raises(InputError, match=r"fit together|must have the shape"):
            three_steps(*given)
    with pytest.raises(InputError, match="none of them NaN"):
        three_steps(x, np.nan * y, start)
    with pytest.raises(InputError, match="more samples"):
        three_steps(x, y, start)
    for kind in ("spherical", "normalised"):
        with pytest.raises(InputError, match="starts must not be zero"):
            run(SampleFlow(TASK.activation, x, y, 0.1, kind), [[1.0] * 6, [0.0] * 6], times=[1])  # type: ignore[arg-type]
    for step in (0, -0.1, np.nan):
        with pytest.raises(InputError, match="a positive number"):
            SampleFlow(TASK.activation, x, y, step)
    with pytest.raises(InputError, match="positive overlap"):
        PopulationFlow(TASK).hitting_time(-sphere_starts(TASK, 6, 2, Streams(0)), 0.9)


def test_descent_takes_lists_and_the_activation_as_text() -> None:
    x = np.random.default_rng(0).standard_normal((50, 3))
    y, start = x[:, 0] ** 2 - 1, np.eye(3)[:2] + 0.1
    flows = SampleFlow("relu", x.tolist(), y.tolist(), 0.1), SampleFlow(Activation("relu"), x, y, 0.1)
    ends = [run(flow, given, times=[5]).last for flow, given in zip(flows, (start.tolist(), start), strict=True)]
    assert np.array_equal(*ends)
    with pytest.raises(InputError, match="labels must be numbers"):
        SampleFlow("relu", x, ["a"] * 50, 0.1)
