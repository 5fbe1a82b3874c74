"""The reduced engine has the law of the full engine, at finite n and d: both are run with many seeds and compared.

Small d, where finite-size effects are large: a wrong number of degrees of freedom then changes means by tens of
percent. Each comparison asks for a Kolmogorov-Smirnov test, equal means and equal variances; the level of one test
function is 1e-4 for all its comparisons together.
"""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from giantstep.errors import InputError
from giantstep.learners import draws
from giantstep.learners.engines import (
    GiantStep,
    ReducedState,
    StepInfo,
    apply_gradient,
    first_layer_gradient,
    initial_state,
    one_blas_thread,
    reduced,
    take_step,
)
from giantstep.learners.networks import BES22, DKLPS23, Initialisation, StepConvention, initialise
from giantstep.problems import Activation, ArraySample, Problem, Target
from giantstep.problems.inputs import Isotropic
from giantstep.streams import Streams

LEVEL = 1e-4
SEEDS = 600
DTYPES = ("float64", "float32")


@dataclass(frozen=True)
class Setting:
    init: Initialisation
    activation: Activation
    problem: Problem
    width: int
    n: int
    step: GiantStep

    @property
    def directions(self) -> int:
        return self.problem.target.directions


def setting(init: Initialisation, activation: str, target: str, d: int, width: int, n: int, size: float) -> Setting:
    return Setting(init, Activation(activation), Problem(Target(target), d, 0.4), width, n, GiantStep(size))


UNIFORM = Initialisation("gaussian", "uniform")
SETTINGS = {
    "n < p < d": setting(UNIFORM, "tanh(z + 0.5)", "x1 + sin(x1)*x2", 12, 4, 3, 1.5),
    "p < n < d": setting(Initialisation("sphere", "gaussian"), "erf", "tanh(x1 + x2)*2", 14, 3, 9, 2.0),
    "n > d": setting(UNIFORM, "relu", "x1 + sin(x1)*x2", 9, 3, 30, 2.0),
    "paired, biases": setting(
        Initialisation("sphere", "signs", paired=True, biases="gaussian"), "relu", "tanh(x1)", 10, 4, 12, 3.0
    ),
    "local space is everything": setting(UNIFORM, "tanh", "x1 + cos(x2)", 6, 6, 8, 1.0),
    "singular Wishart": setting(DKLPS23, "gelu", "tanh(x1)", 6, 8, 7, 9.0),
}


def cosine(gram: np.ndarray) -> float:
    size = np.sqrt(gram[0, 0] * gram[1, 1])
    return gram[0, 1] / size if size else np.nan  # relu on few samples can have a zero gradient


def start(overlaps: np.ndarray, gram: np.ndarray) -> dict[str, float]:
    return {"overlap, start": overlaps[0, 0], "angle, start": cosine(gram), "norm, start": np.sqrt(np.trace(gram))}


def order_parameters(overlaps, gram, share, gradient_gram, residual) -> dict[str, float]:
    return {
        "overlap 1": overlaps[0, 0],
        "overlap 2": overlaps[1, -1],
        "product of overlaps": overlaps[0, 0] * overlaps[1, 0],
        "norm": np.sqrt(gram[0, 0]),
        "angle": cosine(gram),
        "mean norm": np.sqrt(np.trace(gram)),
        "largest singular value": np.sqrt(np.linalg.eigvalsh(gram)[-1]),
        "share": share[0],
        "gradient norm": np.sqrt(gradient_gram[0, 0]),
        "gradient angle": cosine(gradient_gram),
        "residual": np.sqrt(residual),
    }


def by_full(case: Setting, streams: Streams) -> dict[str, float]:
    problem, r = case.problem, case.directions
    net = initialise(case.init, case.activation, problem.d, case.width, streams)
    seen = start(net.weights[:, :r], net.weights @ net.weights.T)
    for t in (1, 2):
        net, info = take_step(net, problem.sample(case.n, streams.child(f"step {t}")), case.step)
        w, g = net.weights, info.gradient
        values = order_parameters(w[:, :r], w @ w.T, info.share(r), g @ g.T, info.residual_norm2)
        seen |= {f"{name}, step {t}": value for name, value in values.items()}
    return seen


def by_reduced(case: Setting, streams: Streams) -> dict[str, float]:
    problem = case.problem
    state = initial_state(case.init, case.activation, problem.d, case.width, case.directions, streams)
    seen = start(state.overlaps, state.gram)
    for t in (1, 2):
        state, info = take_step(state, problem.sample(case.n, streams.child(f"step {t}")), case.step)
        g, r = info.gradient, case.directions
        values = order_parameters(state.overlaps, state.gram, info.share(r), g @ g.T, info.residual_norm2)
        seen |= {f"{name}, step {t}": value for name, value in values.items()}
    return seen


def many(run, case: Setting, root: int) -> dict[str, np.ndarray]:
    with one_blas_thread():
        rows = [run(case, Streams(root + seed)) for seed in range(SEEDS)]
    table = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return {name: column[np.isfinite(column)] for name, column in table.items()}


@cache
def full_engine(name: str) -> dict[str, np.ndarray]:
    return many(by_full, SETTINGS[name], 10_000)


def p_values(a: np.ndarray, b: np.ndarray) -> dict[str, float]:
    """Kolmogorov-Smirnov, means (Welch) and variances (their own standard errors)."""

    def spread(v: np.ndarray) -> tuple[float, float]:
        centred = v - v.mean()
        return float(v.var()), float((np.mean(centred**4) - v.var() ** 2) / len(v))

    (va, ea), (vb, eb) = spread(a), spread(b)
    if max(va, vb) < 1e-20:  # a constant, as the angle between paired neurons
        return {"constant": 1.0 if abs(a.mean() - b.mean()) < 1e-9 else 0.0}
    return {
        "ks": float(stats.ks_2samp(a, b).pvalue),
        "mean": float(stats.ttest_ind(a, b, equal_var=False).pvalue),
        "variance": float(2 * stats.norm.sf(abs(va - vb) / np.sqrt(ea + eb))),
    }


def differences(name: str) -> list[str]:
    full, less = full_engine(name), many(by_reduced, SETTINGS[name], 50_000)
    found = {(q, test): p for q in full for test, p in p_values(full[q], less[q]).items()}
    return [f"{q}: {test} p = {p:.1e}" for (q, test), p in found.items() if p < LEVEL / len(found)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_both_engines_have_the_same_law(name: str) -> None:
    assert differences(name) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p < n < d", "n > d"])
def test_wrong_degrees_of_freedom_would_be_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With d instead of d - k degrees of freedom in the step, the comparison above must fail."""
    right, d = draws.bartlett, SETTINGS[name].problem.d
    monkeypatch.setattr(
        reduced,
        "bartlett",
        lambda freedom, columns, generator: right(max(freedom, d), columns, generator),
    )
    assert differences(name)


def test_wrong_start_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One degree of freedom too many, at the start and in the steps."""
    right = draws.bartlett
    for room in (draws, reduced):
        monkeypatch.setattr(room, "bartlett", lambda freedom, columns, g: right(freedom + 1, columns, g))
    assert differences("n > d")


def test_a_start_has_the_stated_norms() -> None:
    for d in (3, 10, 10**7):
        state = initial_state(Initialisation("sphere", "signs"), Activation("tanh"), d, 6, 2, Streams(d))
        np.testing.assert_allclose(np.diag(state.gram), 1.0, rtol=1e-14)
        assert state.local.d == 2 + min(6, d - 2)
    paired = initial_state(DKLPS23, Activation("tanh"), 50, 6, 2, Streams(1))
    np.testing.assert_array_equal(paired.overlaps, paired.overlaps[::-1])
    assert paired.local.d == 2 + 3


def test_order_parameters_move_as_the_info_says() -> None:
    """Q1 = Q0 + s (a_i <g_i, w_j> + a_j <w_i, g_j>) + s^2 a_i a_j <g_i, g_j>: the LQ step changes nothing."""
    problem = Problem(Target("x1 + He2(x1)*x2"), 40, 0.3)
    state = initial_state(BES22, Activation("tanh"), 40, 5, 2, Streams(1))
    for t in range(4):
        after, info = take_step(
            state, problem.sample(100, Streams(2).child(str(t))), GiantStep(3.0, StepConvention.BES22_MSE)
        )
        sa = 6.0 * state.second_layer
        np.testing.assert_allclose(
            after.overlaps, state.overlaps + sa[:, None] * info.overlaps(2), rtol=1e-12, atol=1e-14
        )
        g = info.gradient
        cross = state.local.weights @ g[:, : state.local.d].T * sa
        expected = state.gram + cross + cross.T + np.outer(sa, sa) * (g @ g.T)
        np.testing.assert_allclose(after.gram, expected, rtol=1e-11, atol=1e-12)
        assert after.local.d == 2 + 5
        state = after


def test_when_local_space_is_everything_the_step_is_the_full_one() -> None:
    """k = d: nothing is orthogonal, the reduced step is a full step on the local sample, exactly."""
    problem = Problem(Target("x1 + He2(x1)*x2"), 5, 0.3)
    state = initial_state(BES22, Activation("tanh"), 5, 7, 2, Streams(1))
    assert state.local.d == 5
    after, _ = take_step(state, problem.sample(2000, Streams(2)), GiantStep(2.0))
    sample = problem.sample(2000, Streams(2).child("local"), reduced.LOCAL_BLOCK_ROWS)
    full, _ = take_step(state.local, sample, GiantStep(2.0))
    np.testing.assert_allclose(after.gram, full.weights @ full.weights.T, rtol=1e-11)


def test_one_gradient_serves_every_step_size() -> None:
    problem = Problem(Target("x1 + He2(x1)*x2"), 30, 0.2)
    state = initial_state(DKLPS23, Activation("relu"), 30, 6, 2, Streams(4))
    seen = first_layer_gradient(state, problem.sample(70, Streams(5)))
    for size in (0.5, 40.0):
        alone, info = take_step(state, problem.sample(70, Streams(5)), GiantStep(size))
        np.testing.assert_array_equal(apply_gradient(state, seen, GiantStep(size)).gram, alone.gram)
        np.testing.assert_array_equal(seen.gradient, info.gradient)
    with pytest.raises(InputError, match="scaled"):
        apply_gradient(state, seen, GiantStep(1.0, StepConvention.BES22_SLIDE))


@pytest.mark.parametrize("biases", [None, "gaussian"])
def test_copies_of_neurons_are_computed_once(biases, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paired start needs half the columns, also when the partners' outputs do not cancel; other networks need all."""
    init = Initialisation("sphere", "gaussian", paired=True, biases=biases)
    problem = Problem(Target("x1 + He2(x1)"), 6, 0.2)
    state = initial_state(init, Activation("relu"), 6, 10, 1, Streams(4))
    loud = replace(state, local=replace(state.local, second_layer=np.arange(10.0)))
    columns, factors = [], reduced.neuron_factors

    def counted(z, y, weights, *rest):
        columns.append(len(weights))
        return factors(z, y, weights, *rest)

    monkeypatch.setattr(reduced, "neuron_factors", counted)
    folded = first_layer_gradient(loud, problem.sample(90, Streams(5)))
    np.testing.assert_array_equal(folded.gradient, folded.gradient[::-1])
    monkeypatch.setattr(reduced, "_distinct_neurons", everything)
    whole = first_layer_gradient(loud, problem.sample(90, Streams(5)))
    assert columns == [5, 10]
    # The local space is everything here, so both are the gradient of the same sample.
    np.testing.assert_allclose(folded.gradient, whole.gradient, rtol=1e-10, atol=1e-12)
    assert folded.residual_norm2 == pytest.approx(whole.residual_norm2, rel=1e-12)


def everything(net):
    return net.weights, net.biases, net.coefficients, np.arange(net.neurons)


def test_nothing_of_size_d_is_made_and_threads_do_not_matter() -> None:
    d = 10**9
    problem = Problem(Target("x1 + He2(x1)*x2"), d)

    def run(threads: int) -> tuple[ReducedState, StepInfo]:
        state = initial_state(DKLPS23, Activation("relu"), d, 8, 2, Streams(1))
        state, _ = take_step(state, problem.sample(20_000, Streams(2)), GiantStep(2.0), threads=threads)
        return take_step(state, problem.sample(20_000, Streams(3)), GiantStep(2.0), threads=threads)

    run(1)
    tracemalloc.start()
    one, info = run(1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6
    two, _ = run(2)
    np.testing.assert_array_equal(one.gram, two.gram)
    assert np.all(np.isfinite(info.share(2)))


class Rounded(Isotropic):
    """The same numbers in every precision, which NumPy does not draw."""

    def draw(self, generator, rows, d, dtype=np.float64, out=None):
        return super().draw(generator, rows, d).astype(dtype)


def test_a_batch_in_single_precision_gives_the_same_gradient_up_to_rounding() -> None:
    problem = Problem(Target("x1 + He2(x1)*x2"), 10_000, 0.3, Rounded())
    state = initial_state(BES22, Activation("tanh(z + 1/2)"), 10_000, 6, 2, Streams(1))
    double, single = (
        first_layer_gradient(state, problem.sample(9000, Streams(2), dtype=kind), threads=2) for kind in DTYPES
    )
    axes = state.local.d  # the new ones are known up to a rotation
    np.testing.assert_allclose(single.gradient[:, :axes], double.gradient[:, :axes], atol=1e-5)
    assert not np.array_equal(single.gradient[:, :axes], double.gradient[:, :axes])
    assert single.residual_norm2 == pytest.approx(double.residual_norm2, rel=1e-5)
    assert single.gradient.dtype == np.float64


def test_user_errors_are_sentences() -> None:
    state = initial_state(BES22, Activation("tanh"), 40, 5, 1, Streams(1))
    step = GiantStep(1.0)
    for bad in (
        lambda: take_step(state, Problem(Target("x1"), 41).sample(10, Streams(1)), step),
        lambda: take_step(state, Problem(Target("x1*x2"), 40).sample(10, Streams(1)), step),
        lambda: take_step(
            state, Problem(Target("x1"), 40).sample(10, Streams(1)), GiantStep(1.0, StepConvention.DKLPS23)
        ),
        lambda: take_step(state, ArraySample(np.ones((3, 40)), np.ones(3)), step),
        lambda: initial_state(BES22, Activation("tanh"), 3, 5, 4, Streams(1)),
        lambda: initial_state(DKLPS23, Activation("tanh"), 9, 5, 1, Streams(1)),
    ):
        with pytest.raises(InputError):
            bad()
