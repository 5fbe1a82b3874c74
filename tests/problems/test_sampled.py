"""Functions of Python as targets and activations, and inputs of any covariance: as texts do, and marked as sampled."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import observables, run
from giantstep.learners.engines import FreshSteps, GiantStep, first_layer_gradient
from giantstep.learners.networks import DKLPS23, Network, initialise
from giantstep.learners.risk import exact_risk, monte_carlo_risk
from giantstep.problems import Activation, Problem, SampledActivation, SampledTarget, Target
from giantstep.problems.inputs import Correlated, Spiked
from giantstep.streams import Streams

TEXT = Target("x1 + He2(x1)*x2")
SAMPLED = SampledTarget(lambda x: x[..., 0] + (x[..., 0] ** 2 - 1) * x[..., 1], directions=2)
TANH = SampledActivation(np.tanh, lambda z: 1 - np.tanh(z) ** 2)


def test_a_function_is_the_text_that_says_the_same() -> None:
    x = np.random.default_rng(0).standard_normal((50, 3))
    assert np.allclose(SAMPLED(x), TEXT(x))
    assert np.allclose(SAMPLED.gradient(x), TEXT.gradient(x), atol=1e-8)
    assert abs(SAMPLED.norm2 - float(TEXT.norm2)) < 4 * SAMPLED.norm2_error
    assert abs(SAMPLED.mean) < 4 * SAMPLED.mean_error
    assert "sampled" in str(SAMPLED)


def test_gradients_on_the_full_engine_are_those_of_the_texts() -> None:
    start = initialise(DKLPS23, "tanh", d=6, neurons=4, streams=Streams(0))
    sampled = Network(start.weights, start.second_layer, TANH, start.scaling)
    texts = first_layer_gradient(start, Problem(TEXT, 6).sample(100, Streams(1)))
    functions = first_layer_gradient(sampled, Problem(SAMPLED, 6).sample(100, Streams(1)))
    assert np.allclose(texts.gradient, functions.gradient)
    plain = SampledActivation(np.tanh)
    z = np.linspace(-3, 3, 7)
    assert np.allclose(plain.derivative(z), Activation("tanh").derivative(z), atol=1e-9)


def test_what_needs_the_expansion_says_so() -> None:
    for ask in (
        SAMPLED.analyze,
        lambda: SAMPLED.hermite(2),
        lambda: SAMPLED.information_exponent,
        lambda: TANH.moments,
    ):
        with pytest.raises(InputError, match="known by samples only; what is asked needs it as a text"):
            ask()
    with pytest.raises(InputError, match="one value a row"):
        SampledTarget(lambda x: x, directions=2)(np.ones((3, 2)))
    with pytest.raises(InputError, match="a Python function"):
        SampledTarget(3)  # type: ignore[arg-type]


def test_any_covariance_with_several_directions() -> None:
    root = np.random.default_rng(3).standard_normal((5, 5))
    law = Correlated(root @ root.T + np.eye(5))
    x, y = Problem(TEXT, 5, inputs=law).sample(60_000, Streams(0), block_rows=60_000).block(0)
    assert np.allclose(np.cov(x.T), law.covariance, atol=0.15 * np.abs(law.covariance).max())
    fields = law.fields(x, 3)
    assert np.allclose(np.cov(fields.T), np.eye(3), atol=0.03), "independent, of variance one"
    assert np.allclose(y, TEXT(fields))
    assert abs(np.mean(y**2) - 3) < 0.3


def test_a_spike_as_a_covariance_is_the_spiked_law() -> None:
    spiked = Spiked(4.0, alignment=0.6)
    law = Correlated.spiked(4, 2.0 * spiked.direction(4)[None, :])
    x = np.random.default_rng(0).standard_normal((5, 4))
    assert np.allclose(law.fields(x, 1), spiked.fields(x, 1))
    drawn = spiked.draw(np.random.default_rng(1), 100_000, 4)
    assert np.allclose(np.cov(drawn.T), law.covariance, atol=0.1)
    assert law == Correlated(law.covariance)


@pytest.mark.parametrize(
    ("covariance", "words"),
    [([[1.0, 2.0], [2.0, 1.0]], "positive definite"), ([[1.0, 0.5], [0.2, 1.0]], "symmetric"), (1.0, "shape")],
)
def test_what_is_no_covariance_is_refused(covariance: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Correlated(covariance)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="that of 2 dimensions"):
        Problem("x1", 3, inputs=Correlated([1.0, 2.0]))


def test_giant_steps_are_watched_by_the_one_verb() -> None:
    problem = Problem("x1 + He2(x1)*x2", d=30)
    start = initialise(DKLPS23, "relu", d=30, neurons=20, streams=Streams(0))
    steps = FreshSteps(problem, 3000, GiantStep(40, "dklps23"), Streams(1))
    watch = {
        "overlaps": observables.overlaps(2),
        "angles": observables.principal_angles(1),
        "spectrum": observables.singular_values(3),
        "risk": observables.risk(problem),
    }
    path = run(steps, start, steps=1, watch=watch)
    assert path["overlaps"].shape == (2, 2)
    assert path["spectrum"].shape == (2, 3)
    assert path["overlaps"][0, 0] < 0.15, "chance"
    assert path["overlaps"][1, 0] > 0.3, "x1 is found by one step: chance is 1/30"
    assert path["angles"][1, 0] < 0.4 < path["angles"][0, 0]
    assert path["spectrum"][1, 0] > 2 * path["spectrum"][1, 1]
    assert path["risk"][0] == pytest.approx(exact_risk(start, problem))
    other = Problem(SAMPLED, 30)
    assert observables.risk(other, 500)(start) == monte_carlo_risk(start, other, 500, Streams(0).child("risk")).value


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("x1 + He2(x1)*x2", r"x_{1} + \mathrm{He}_{2}\left(x_{1}\right)\, x_{2}"),
        ("-x1**2/3", r"-\frac{x_{1}^{2}}{3}"),
        ("(x1 - x2)/sqrt(2)", r"\frac{x_{1} - x_{2}}{\sqrt{2}}"),
        ("0.5*relu(x1 + 1)", r"0.5\, \mathrm{relu}\left(x_{1} + 1\right)"),
        ("abs(x1)*(x1 + x2)", r"\left|x_{1}\right|\, \left(x_{1} + x_{2}\right)"),
    ],
)
def test_targets_show_themselves_as_formulas(text: str, latex: str) -> None:
    assert Target(text).latex == latex
    assert Target(text)._repr_latex_() == f"${latex}$"
    assert SAMPLED._repr_latex_() is None
