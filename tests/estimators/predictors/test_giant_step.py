"""Giant steps on tables: features where they help, none where they do not, and honest errors in both cases."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from giantstep import Activation, InputError, Streams
from giantstep.estimators import GiantStepClassifier, GiantStepRegressor
from giantstep.estimators.predictors import stepping
from giantstep.estimators.predictors.choosing import Candidate, best_of
from giantstep.estimators.predictors.stages import Features, moved, next_step, random_features
from giantstep.learners.heads import validated_head

SMALL = {"neurons": 80, "random_state": 0}


def product(n: int = 600, d: int = 8, seed: int = 0, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """A product of two directions, rows far from white."""
    generator = np.random.default_rng(seed)
    z = generator.standard_normal((n, d))
    return 3 * z @ np.triu(np.ones((d, d))) + 7, 5 * z[:, 0] * z[:, 1] + 2 + noise * generator.standard_normal(n)


def noise_table(n: int = 300, d: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.standard_normal((n, d)), generator.standard_normal(n)


@pytest.fixture(scope="module")
def fitted() -> GiantStepRegressor:
    return GiantStepRegressor(**SMALL).fit(*product())


@pytest.mark.parametrize("split", [True, False])
def test_steps_are_taken_where_they_help(split: bool) -> None:
    x, y = product()
    new, truth = product(1500, seed=1)
    model = GiantStepRegressor(**SMALL, split=split, cv=3).fit(x, y)
    random = GiantStepRegressor(**SMALL, step=0, split=split, cv=3).fit(x, y)
    assert model.step_ > 0
    assert random.step_ == random.steps_ == 0
    assert model.score(new, truth) > random.score(new, truth) + 0.05
    # The held-out score is that of what is kept, or of each of two halves, whose mean does better.
    assert model.held_out_score_ < model.score(new, truth) + 0.05


def test_noise_gets_no_step_and_no_score() -> None:
    """Of 60 such tables one took a step; leave-one-out after steps on the same labels would take it always."""
    chosen, promised = [], []
    for seed in range(4):
        x, y = noise_table(seed=seed)
        model = GiantStepRegressor(neurons=80, random_state=seed).fit(x, y)
        chosen.append(model.step_)
        assert abs(model.held_out_score_) < 0.08
        rows, white = np.asarray(model.inputs_.rows(x)), ((y - y.mean()) / y.std())[:, None]
        share = np.full(len(y), 1 / len(y))
        state = model.start_
        for _ in range(2):
            state = next_step(state, rows, white, share, 0.5, model._ridge)
        head = validated_head(state(rows), white, model._ridge)
        promised.append(1 - (head.held_out**2).mean(axis=(1, 2)).min())
    assert np.count_nonzero(chosen) <= 1
    assert np.mean(promised) > 0.1


def test_all_that_was_tried_is_told(fitted: GiantStepRegressor) -> None:
    assert (0.0, 0) in fitted.held_out_errors_
    chosen = fitted.step_, fitted.steps_
    assert fitted.held_out_errors_[chosen] == min(fitted.held_out_errors_.values())
    assert fitted.held_out_score_ == pytest.approx(1 - fitted.held_out_errors_[chosen])
    assert len(fitted.parts_) == 2  # one for each half
    assert fitted.parts_[0].features.steps == fitted.steps_


def test_no_step_wins_ties() -> None:
    def candidate(step: float, errors: np.ndarray) -> Candidate:
        return Candidate(step, int(step > 0), 0, errors, list, np.zeros((len(errors), 1)))

    generator = np.random.default_rng(0)
    share = np.full(400, 1 / 400)
    errors = generator.uniform(size=400)
    none = candidate(0.0, errors)
    assert best_of([none, candidate(1.0, errors)], share).step == 0.0
    assert best_of([none, candidate(1.0, errors + 0.2 * generator.standard_normal(400) - 0.001)], share).step == 0.0
    assert best_of([none, candidate(1.0, errors + 0.2 * generator.standard_normal(400) - 0.1)], share).step == 1.0
    assert (
        best_of([candidate(2.0, errors), candidate(1.0, errors - 1e-9)], share).step == 1.0
    )  # no step was not asked for


def test_a_step_is_the_gradient_of_the_correlation() -> None:
    generator = np.random.default_rng(0)
    x, y, share = (
        generator.standard_normal((50, 4)),
        generator.standard_normal((50, 3)),
        generator.dirichlet(np.ones(50)),
    )
    start = random_features(Activation("tanh"), 4, 7, Streams(0))
    net = start.network

    def correlation(weights: np.ndarray) -> float:
        local = x @ weights.T + net.biases
        return sum(share @ (y[:, i % 3] * net.second_layer[i] * np.tanh(local[:, i])) for i in range(7))

    slopes = np.zeros((7, 4))
    for place in np.ndindex(7, 4):
        change = np.zeros((7, 4))
        change[place] = 1e-6
        slopes[place] = (correlation(net.weights + change) - correlation(net.weights - change)) / 2e-6
    step = moved(start, x, y, share, 1.5)
    unit = np.sqrt((slopes**2).sum(axis=1).mean())
    np.testing.assert_allclose(step.walked, net.weights + 1.5 * slopes / unit, rtol=1e-6, atol=1e-8)
    assert (step.network.weights**2).sum(axis=1).mean() == pytest.approx(1.0)
    assert isinstance(step, Features)
    flat = moved(start, x, np.zeros((50, 1)), share, 1.5)  # labels that say nothing move nothing
    np.testing.assert_allclose(flat.network.weights, net.weights, rtol=1e-12)


def test_weights_enter_centring_gradient_and_head() -> None:
    x, y = product(120)
    given = {"step": 1.0, "steps": 2, "ridge": 0.01, "split": False, "inputs": "standardised", "cv": 2, **SMALL}
    weight = np.where(np.arange(120) < 60, 2.0, 1.0)
    weighted = GiantStepRegressor(**given).fit(x, y, weight)
    copied = GiantStepRegressor(**given).fit(np.vstack([x, x[:60]]), np.concatenate([y, y[:60]]))
    # The second step looks at rows left out by the head: a copy is left out alone, a row of weight 2 as one.
    assert np.corrcoef(weighted.predict(x), copied.predict(x))[0, 1] > 0.99
    given["steps"] = 1
    weighted = GiantStepRegressor(**given).fit(x, y, weight)
    copied = GiantStepRegressor(**given).fit(np.vstack([x, x[:60]]), np.concatenate([y, y[:60]]))
    np.testing.assert_allclose(weighted.predict(x), copied.predict(x), rtol=1e-7)


def test_the_same_bits_for_the_same_state(fitted: GiantStepRegressor) -> None:
    x, y = product()
    again = GiantStepRegressor(**SMALL).fit(x, y)
    np.testing.assert_array_equal(again.predict(x), fitted.predict(x))
    other = GiantStepRegressor(neurons=80, random_state=1).fit(x, y)
    assert (other.predict(x) != fitted.predict(x)).any()


def test_single_precision_several_labels_and_names() -> None:
    x, y = product(200)
    both = GiantStepRegressor(**SMALL, steps=1).fit(x, np.column_stack([y, x[:, 0] ** 2]))
    assert both.predict(x).shape == (200, 2)
    assert both.score(x, np.column_stack([y, x[:, 0] ** 2])) > 0.8
    single = GiantStepRegressor(**SMALL, step=2, steps=1).fit(x.astype(np.float32), y)
    double = GiantStepRegressor(**SMALL, step=2, steps=1).fit(x, y)
    assert single.parts_[0](single._inputs(x.astype(np.float32))).dtype == np.float64
    assert np.abs(single.predict(x.astype(np.float32)) - double.predict(x)).max() < 0.05 * y.std()


def test_pipelines_searches_and_copies() -> None:
    x, y = product(120)
    small = GiantStepRegressor(neurons=20, steps=1, step=2, random_state=0)
    search = GridSearchCV(make_pipeline(StandardScaler(), small), {"giantstepregressor__step": [0, 2]}, cv=2).fit(x, y)
    assert search.best_params_["giantstepregressor__step"] in (0, 2)
    assert clone(small).get_params() == small.get_params()
    assert len(cross_val_score(small, x, y, cv=2)) == 2


def test_classes_by_name() -> None:
    generator = np.random.default_rng(0)
    x = generator.standard_normal((600, 6))
    y = np.array(["low", "mid", "high"])[np.digitize(x[:, 0] * x[:, 1], [-0.3, 0.3])]
    model = GiantStepClassifier(**SMALL).fit(x[:400], y[:400])
    assert model.step_ > 0
    assert model.score(x[400:], y[400:]) > 0.75
    assert model.decision_function(x).shape == (600, 3)
    two = GiantStepClassifier(neurons=20, random_state=0).fit(x, y == "mid")
    assert two.decision_function(x).shape == (600,)
    assert two.predict(x).dtype == bool
    with pytest.raises(InputError, match="two classes"):
        model.fit(x, np.full(600, "mid"))


def test_probabilities_are_honest() -> None:
    """Of labels drawn from known probabilities: near these, not too sure, and of noise no more than the shares."""
    generator = np.random.default_rng(0)
    x = generator.standard_normal((1500, 4))
    truth = 1 / (1 + np.exp(2 - 2 * x[:, 0]))
    y = np.where(generator.random(1500) < truth, "ill", "well")
    model = GiantStepClassifier(neurons=50, steps=1, random_state=0).fit(x[:500], y[:500])
    found = model.predict_proba(x[500:])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (model.classes_[found.argmax(axis=1)] == model.predict(x[500:])).all()
    assert np.mean((found[:, 0] - truth[500:]) ** 2) < 0.15 * np.var(truth)
    likelihood = np.mean(np.log(np.where(y[500:] == "ill", found[:, 0], found[:, 1])))
    assert likelihood == pytest.approx(np.mean(truth * np.log(truth) + (1 - truth) * np.log(1 - truth)), abs=0.06)

    noise = generator.choice(3, 1500, p=[0.7, 0.2, 0.1])
    flat = GiantStepClassifier(neurons=50, step=0, random_state=0).fit(x[:300], noise[:300]).predict_proba(x[300:])
    best = np.log(np.bincount(noise[:300]) / 300)[noise[300:]].mean()
    assert np.log(flat[np.arange(1200), noise[300:]]).mean() > best - 0.02

    blocks = GiantStepClassifier(neurons=50, random_state=0)
    for start in range(0, 500, 250):
        blocks.partial_fit(x[start : start + 250], y[start : start + 250])
    assert np.mean((blocks.predict_proba(x[500:])[:, 0] - truth[500:]) ** 2) < 0.25 * np.var(truth)
    clear = GiantStepClassifier(neurons=20, step=0, random_state=0).fit(x[:100], x[:100, 0] > 0)
    assert 0 < clear.predict_proba(x).min() < 0.05


def test_constant_labels_columns_and_few_rows() -> None:
    x, _ = product(30)
    np.testing.assert_allclose(GiantStepRegressor(**SMALL).fit(x, np.full(30, 3.0)).predict(x), 3.0)
    flat = GiantStepRegressor(**SMALL).fit(np.ones((20, 3)), np.arange(20.0))
    np.testing.assert_allclose(flat.predict(np.ones((2, 3))), 9.5)
    few = GiantStepRegressor(**SMALL, step=2.0).fit(x[:5], np.arange(5.0))
    assert few.step_ == 0


def test_mistakes_get_sentences(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    x, y = product(40)
    for wrong, words in (
        ({"activation": "tan"}, "tan"),
        ({"neurons": 0}, "whole number"),
        ({"step": "large"}, "'auto' or a number"),
        ({"step": -1}, "'auto' or a number"),
        ({"steps": 0}, "whole number"),
        ({"steps": "many"}, "'auto' or a whole number"),
        ({"ridge": "cv"}, "'loo' or positive numbers"),
        ({"split": False, "cv": 1}, "cv"),
        ({"split": False, "cv": ShuffleSplit(3, random_state=0)}, "hold out each row once"),
        ({"inputs": "raw"}, "inputs"),
    ):
        with pytest.raises(InputError, match=words):
            GiantStepRegressor(**{"neurons": 10, **wrong}).fit(x, y)
    monkeypatch.setattr(stepping, "SECONDS", 1.0)
    GiantStepRegressor(neurons=10, verbose=True, random_state=0).fit(x, y)
    told = capsys.readouterr().out
    assert "heads of 18 features on 40 rows: about" in told
    assert "100 %" in told
