"""Problems and their samples: the same numbers every time, whatever the order or the thread."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import ArraySample, Problem, Sample, Target
from giantstep.problems.inputs import Inputs, Isotropic
from giantstep.streams import Streams

TARGET = Target("x1 + He2(x1)*x2")


def whole(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    parts = [sample.block(i) for i in range(sample.blocks())]
    return np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def test_labels_are_target_plus_noise_of_the_stated_size() -> None:
    x, y = whole(Problem(TARGET, 7, noise=0.5).sample(20_000, Streams(1)))
    noise = y - TARGET(x)
    assert x.shape == (20_000, 7)
    assert abs(noise.std() / 0.5 - 1) < 4 / np.sqrt(2 * 20_000)
    assert abs(np.corrcoef(noise, x[:, 0])[0, 1]) < 4 / np.sqrt(20_000)


def test_without_noise_labels_are_the_target() -> None:
    x, y = whole(Problem(TARGET, 3).sample(1500, Streams(2)))
    np.testing.assert_array_equal(y, TARGET(x))


def test_inputs_are_standard_normal() -> None:
    x, _ = whole(Problem(TARGET, 4).sample(50_000, Streams(3)))
    assert np.abs(x.mean(axis=0)).max() < 5 / np.sqrt(50_000)
    assert np.abs(x.T @ x / 50_000 - np.eye(4)).max() < 5 * np.sqrt(2 / 50_000)


def test_a_sample_is_the_same_in_any_order_and_thread() -> None:
    sample = Problem(TARGET, 5, noise=0.1).sample(1000, Streams(4).child("a"), block_rows=64)
    forward = [sample.block(i) for i in range(sample.blocks())]
    with ThreadPoolExecutor(2) as pool:
        backward = list(pool.map(sample.block, reversed(range(sample.blocks()))))[::-1]
    copied = pickle.loads(pickle.dumps(sample))
    for i, ((x, y), (x2, y2)) in enumerate(zip(forward, backward, strict=True)):
        np.testing.assert_array_equal(x, x2)
        np.testing.assert_array_equal(y, y2)
        np.testing.assert_array_equal(copied.block(i)[0], x)
    assert sum(len(y) for _, y in forward) == sample.samples == 1000


def test_other_streams_give_other_data() -> None:
    problem = Problem(TARGET, 5)
    first, _ = problem.sample(10, Streams(4).child("a")).block(0)
    second, _ = problem.sample(10, Streams(4).child("b")).block(0)
    assert not np.any(first == second)


def test_float32_inputs_have_float64_labels() -> None:
    x, y = Problem(TARGET, 3).sample(10, Streams(5), dtype=np.float32).block(0)
    assert (x.dtype, y.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(y, TARGET(x.astype(np.float64)))


def test_second_moment_holds_mean_and_noise() -> None:
    assert Problem(Target("x1 + 2"), 3, noise=0.5).second_moment == pytest.approx(1 + 4 + 0.25, abs=1e-14)


def test_problems_are_values() -> None:
    assert Problem(TARGET, 5) == Problem(Target("x1 + He2(x1)*x2"), 5)
    assert hash(Problem(TARGET, 5)) == hash(Problem(TARGET, 5))
    assert isinstance(Isotropic(), Inputs)


def test_array_sample_has_the_same_interface() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((25, 3)), rng.standard_normal(25)
    sample = ArraySample(x, y, block_rows=10)
    again, labels = whole(sample)
    np.testing.assert_array_equal(again, x)
    np.testing.assert_array_equal(labels, y)
    assert isinstance(sample, Sample)
    assert (sample.samples, sample.d, sample.blocks()) == (25, 3, 3)
    assert ArraySample(np.ones((2, 2), dtype=int), [1, 2]).dtype == np.float64


def test_isotropic_draws_into_a_buffer() -> None:
    buffer = np.empty((4, 3))
    assert Isotropic().draw(np.random.default_rng(1), 4, 3, out=buffer) is buffer
    with pytest.raises(InputError, match="must be float32"):
        Isotropic().draw(np.random.default_rng(1), 4, 3, np.float32, out=buffer)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Problem(TARGET, 1),
        lambda: Problem(TARGET, 0),
        lambda: Problem(TARGET, 5, noise=-1.0),
        lambda: Problem(TARGET, 5, noise=float("nan")),
        lambda: Problem(TARGET, 5).sample(0, Streams(0)),
        lambda: Problem(TARGET, 5).sample(10, Streams(0), block_rows=0),
        lambda: Problem(TARGET, 5).sample(10, Streams(0), dtype=np.int64),
        lambda: Problem(TARGET, 5).sample(10, Streams(0)).block(1),
        lambda: Problem(TARGET, 5).sample(10, Streams(0)).block(-1),
        lambda: ArraySample(np.ones((3, 2)), np.ones(2)),
        lambda: ArraySample(np.full((3, 2), np.nan), np.ones(3)),
        lambda: ArraySample(np.ones((0, 2)), np.ones(0)),
    ],
)
def test_bad_settings_get_one_sentence(make) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_noise_of_signs() -> None:
    sample = Problem("x1", 4, noise=0.5, noise_law="signs").sample(2000, Streams(0))
    x, y = whole(sample)
    noise = y - x[:, 0]
    assert set(np.round(noise, 12)) == {-0.5, 0.5}
    assert abs(noise.mean()) < 0.05
    with pytest.raises(InputError, match="must be 'gaussian' or 'signs'"):
        Problem("x1", 4, noise_law="cauchy")  # type: ignore[arg-type]
