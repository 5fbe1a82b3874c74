"""The full engine: right gradients, the same bits for any number of threads, memory that does not know n."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import array_api_strict
import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from giantstep.errors import InputError
from giantstep.learners.engines import (
    GiantStep,
    apply_gradient,
    first_layer_gradient,
    initial_state,
    one_blas_thread,
    sum_over_blocks,
    take_step,
    take_steps,
)
from giantstep.learners.engines.full import block_gradient
from giantstep.learners.networks import BES22, DKLPS23, Initialisation, Network, Scaling, StepConvention, initialise
from giantstep.problems import Activation, ArraySample, Problem, Target, whole
from giantstep.streams import Streams

ACTIVATIONS = [
    "tanh", "relu", "erf", "sin", "cos", "exp(z/2)", "abs", "softplus", "sigmoid", "gelu", "He3", "step", "sign",
    "z/2 + He2(z)/sqrt(2)", "relu(z + 0.5)", "centered(relu)", "normalized(tanh)", "z",
]  # fmt: skip
PROBLEM = Problem(Target("x1 + He2(x1)*x2"), 6, noise=0.3)


def small_net(activation: str, scaling: Scaling, biases: bool = True, seed: int = 3) -> Network:
    init = Initialisation("gaussian", "gaussian", biases="gaussian" if biases else None)
    return initialise(init, Activation(activation), PROBLEM.d, 5, Streams(seed), scaling)


def loss(net: Network, weights: np.ndarray, x: np.ndarray, y: np.ndarray, factor: float) -> float:
    return factor * float(np.mean((y - net.with_weights(weights)(x)) ** 2))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("convention", StepConvention)
def test_a_step_follows_the_gradient_of_the_stated_loss(activation: str, convention: StepConvention) -> None:
    """w1 - w0 = eta N^rate_power (-dL/dw), L = loss_factor mean (y - f)^2, by central differences."""
    for scaling in Scaling if convention.scaling is None else (convention.scaling,):
        net = small_net(activation, scaling)
        x, y = PROBLEM.sample(60, Streams(5)).block(0)
        moved, _ = take_step(net, ArraySample(x, y, block_rows=16), GiantStep(0.7, convention))
        rate = (
            0.7 / scaling.factor(net.neurons)
            if convention.rate_power is None
            else 0.7 * net.neurons**convention.rate_power
        )
        rng = np.random.default_rng(1)
        for _ in range(4):
            direction, h = rng.standard_normal(net.weights.shape), 1e-5
            ahead = loss(net, net.weights + h * direction, x, y, convention.loss_factor)
            behind = loss(net, net.weights - h * direction, x, y, convention.loss_factor)
            slope = -rate * (ahead - behind) / (2 * h)
            moved_along = float(((moved.weights - net.weights) * direction).sum())
            size = np.linalg.norm(moved.weights - net.weights) * np.linalg.norm(direction)
            assert abs(slope - moved_along) < 1e-6 * (size + 1e-3)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_gradient_is_the_formula(activation: str) -> None:
    net = small_net(activation, Scaling.INVERSE_ROOT_WIDTH)
    sample = PROBLEM.sample(1000, Streams(6), block_rows=128)
    parts = [sample.block(i) for i in range(sample.blocks())]
    x, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    info = first_layer_gradient(net, sample)
    slope = np.asarray(net.activation.derivative(x @ net.weights.T + net.biases))
    direct = ((y - net(x))[:, None] * slope).T @ x / 1000
    np.testing.assert_allclose(info.gradient, direct, rtol=1e-11, atol=1e-13)
    assert info.residual_norm2 == pytest.approx(np.mean((y - net(x)) ** 2), rel=1e-12)
    assert info.label_norm2 == pytest.approx(np.mean(y**2), rel=1e-12)
    np.testing.assert_allclose(info.share(2), (direct[:, :2] ** 2).sum(1) / (direct**2).sum(1), rtol=1e-10)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_and_two_threads_give_the_same_bits(dtype: type) -> None:
    problem = Problem(Target("relu(x1)"), 300, noise=0.1)
    net = initialise(BES22, Activation("tanh"), 300, 257, Streams(1))
    sample = problem.sample(5000, Streams(2), dtype=dtype)
    step = GiantStep(4.0, StepConvention.BES22_SLIDE)
    (one, info1), (two, info2) = (take_step(net, sample, step, threads=t) for t in (1, 2))
    np.testing.assert_array_equal(one.weights, two.weights)
    assert info1.residual_norm2 == info2.residual_norm2
    assert one.weights.dtype == np.float64


def test_same_batch_means_drawing_the_same_sample_again() -> None:
    net = initialise(BES22, Activation("tanh"), 6, 8, Streams(1))
    step, drawn = GiantStep(1.0), PROBLEM.sample(3000, Streams(2))
    parts = [drawn.block(i) for i in range(drawn.blocks())]
    held = ArraySample(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))
    by_drawing = by_holding = net
    for _ in range(3):
        by_drawing, _ = take_step(by_drawing, drawn, step, threads=2)
        by_holding, _ = take_step(by_holding, held, step)
    np.testing.assert_array_equal(by_drawing.weights, by_holding.weights)


def test_float32_is_close_and_accumulates_in_float64() -> None:
    """Rounding of float32 products, not of a float32 running sum: the error does not grow with n."""
    problem = Problem(Target("relu(x1)"), 20)
    net = initialise(BES22, Activation("tanh"), 20, 16, Streams(1))
    errors = []
    for n in (4096, 131072):
        x, y = whole(problem.sample(n, Streams(2)))
        samples = (ArraySample(x.astype(kind), y) for kind in (np.float64, np.float32))
        exact, rough = (first_layer_gradient(net, sample).gradient for sample in samples)
        errors.append(np.abs(rough - exact).max() / np.abs(exact).max())
    assert max(errors) < 5e-6


def test_one_pass_serves_every_step_size() -> None:
    net, sample = small_net("tanh", Scaling.INVERSE_WIDTH), PROBLEM.sample(100, Streams(1))
    info = first_layer_gradient(net, sample)
    for eta in (0.5, 3.0):
        step = GiantStep(eta, StepConvention.DKLPS23)
        np.testing.assert_array_equal(apply_gradient(net, info, step).weights, take_step(net, sample, step)[0].weights)


class Cubic:
    """An activation that any array library can evaluate."""

    @staticmethod
    def value_and_derivative(z):
        return z * z * z, 3.0 * z * z


def test_block_function_is_array_api_code() -> None:
    rng = np.random.default_rng(0)
    x, y, w, b, c = (rng.standard_normal(s) for s in ((9, 4), (9,), (3, 4), (3,), (3,)))
    expected, residual = block_gradient(x, y, w, b, c, Cubic())
    strict = [array_api_strict.asarray(v) for v in (x, y, w, b, c)]
    gradient, other = block_gradient(*strict, Cubic())
    assert type(gradient).__module__.startswith("array_api_strict")
    np.testing.assert_allclose(np.asarray(gradient), expected, rtol=1e-13)
    np.testing.assert_allclose(np.asarray(other), residual, rtol=1e-13)
    without, _ = block_gradient(*strict[:3], None, strict[4], Cubic())
    np.testing.assert_allclose(np.asarray(without), block_gradient(x, y, w, None, c, Cubic())[0], rtol=1e-13)


MEMORY = """
import resource
from giantstep.learners.engines import GiantStep, initial_state, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import BES22, initialise
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams
problem = Problem(Target("x1"), 20)
net = initialise(BES22, Activation("tanh"), 20, 16, Streams(1))
state = initial_state(BES22, Activation("tanh"), 20, 16, 1, Streams(1))
for n in (20_000, 400_000):
    take_step(net, problem.sample(n, Streams(2)), GiantStep(1.0), threads=2)
    fit_head(net, problem.sample(n, Streams(3)), RidgeHead(0.1, validate=True), threads=2)
    take_step(state, problem.sample(n, Streams(4)), GiantStep(1.0), threads=2)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_sample() -> None:
    """380,000 more rows of 20 inputs are 61 MB if they are held; nothing like that may appear."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    few, many = (int(line) for line in done.stdout.split())
    assert many - few < 6 * 1024, f"{(many - few) / 1024:.1f} MB more"


def test_sums_are_in_block_order_and_bounded_in_flight() -> None:
    alive, most, lock = 0, 0, threading.Lock()
    rng = np.random.default_rng(0)
    values = rng.standard_normal(40) * 10.0 ** rng.integers(-12, 12, 40)

    def work(i: int):
        nonlocal alive, most
        with lock:
            alive += 1
            most = max(most, alive)
        time.sleep(0.002 * (i % 3))
        return (np.array([values[i]]),)

    def progress(_: float) -> None:
        nonlocal alive
        with lock:
            alive -= 1

    (total,) = sum_over_blocks(40, work, threads=3, progress=progress)
    assert total[0] == np.add.accumulate(values)[-1]
    assert most <= 4


def test_progress_goes_from_zero_to_one() -> None:
    seen: list[float] = []
    take_step(small_net("tanh", Scaling.UNIT), PROBLEM.sample(5000, Streams(1)), GiantStep(1.0), progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) == 5
    assert seen[-1] == 1.0


def blas_threads() -> list[int]:
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_in_the_work_come_out_and_blas_is_restored(threads: int) -> None:
    before = blas_threads()

    def work(i: int):
        if i == 3:
            raise ZeroDivisionError
        return (np.ones(2),)

    with pytest.raises(ZeroDivisionError):
        sum_over_blocks(10, work, threads=threads)
    assert blas_threads() == before

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sum_over_blocks(10, lambda i: (np.ones(2),), threads=threads, progress=stop)
    assert blas_threads() == before


def test_blas_is_limited_until_the_last_user_leaves() -> None:
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_blas_thread():
            inside.set()
            leave.wait(10)

    with ThreadPoolExecutor(1) as pool:
        with one_blas_thread():
            waiting = pool.submit(other)
            assert inside.wait(10)
        assert set(blas_threads()) == {1}
        leave.set()
        waiting.result()
    assert blas_threads() == before


def test_blas_is_limited_inside_a_limit_of_the_caller() -> None:
    before = blas_threads()
    with threadpool_limits(2, user_api="blas"):
        with one_blas_thread(), one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {2}
    assert blas_threads() == before


def test_user_errors_are_sentences() -> None:
    net, sample = small_net("tanh", Scaling.UNIT), PROBLEM.sample(10, Streams(1))
    for bad in (
        lambda: take_step(net, sample, GiantStep(1.0, StepConvention.DKLPS23)),
        lambda: take_step(net, sample, GiantStep(1.0), threads=0),
        lambda: take_step(net, Problem(Target("x1"), 7).sample(10, Streams(1)), GiantStep(1.0)),
        lambda: GiantStep(float("inf")),
    ):
        with pytest.raises(InputError) as caught:
            bad()
        assert "\n" not in str(caught.value)


def test_divergence_is_said() -> None:
    """A cubic activation at a huge step overflows at the second or third step."""
    net = small_net("He3", Scaling.UNIT)
    state = initial_state(BES22, Activation("He3"), PROBLEM.d, 5, 2, Streams(1))

    def full() -> None:
        moved = net
        for t in range(12):
            moved, _ = take_step(moved, PROBLEM.sample(20, Streams(t)), GiantStep(1e30))

    def reduced() -> None:
        moved = state
        for t in range(12):
            moved, _ = take_step(moved, PROBLEM.sample(20, Streams(t)), GiantStep(1e30))

    for run in (full, reduced):
        with pytest.raises(InputError, match="diverged"), np.errstate(all="ignore"):
            run()


def test_paired_start_sees_the_labels_alone() -> None:
    net = initialise(DKLPS23, Activation("relu"), 6, 8, Streams(1))
    info = first_layer_gradient(net, PROBLEM.sample(500, Streams(2)))
    assert info.residual_norm2 == pytest.approx(info.label_norm2, rel=1e-13)


def test_several_steps_are_single_steps_one_after_the_other() -> None:
    problem, streams = Problem(Target("x1 + He2(x2)"), 12), Streams(4)
    told: list[float] = []
    start = initialise(DKLPS23, Activation("tanh"), 12, 6, streams.child("network"))
    batches = [problem.sample(40, streams.child(f"step {t}")) for t in range(2)]
    states = take_steps(start, batches, GiantStep(2.0), progress=told.append)
    once, _ = take_step(start, batches[0], GiantStep(2.0))
    twice, _ = take_step(once, batches[1], GiantStep(2.0))
    np.testing.assert_array_equal([s.weights for s in states], [start.weights, once.weights, twice.weights])
    assert told == [0.5, 1.0]
