"""What people meet first: names to import, mistakes that get one sentence, results that speak in one line."""

from __future__ import annotations

import importlib
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import giantstep as gs
from giantstep import InputError, learners, problems
from giantstep.arrays import Array
from giantstep.checks import real_array, real_number, whole_number
from giantstep.claims import claim_point
from giantstep.doors import checked
from giantstep.errors import UnknownNameError
from giantstep.learners.sensing import Sensing, SensingDescent, random_factors, recover
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.studies import Frame
from giantstep.verdicts.stating import Density
from tests.audit import told
from tests.claims.toy import NoisyLevel

ROOT = Path(__file__).parent.parent
CLAIM = "dklps23/transition"
POINT = gs.claim(CLAIM, d=64)
PROBLEM = gs.Problem("x1", 5)
NET = learners.networks.initialise(learners.networks.BES22, "tanh", 5, 4, gs.Streams(0))
STATE = learners.engines.initial_state(learners.networks.DKLPS23, "relu", 10, 4, 1, gs.Streams(0))
SAMPLE = PROBLEM.sample(20, gs.Streams(1))
STEP, HEAD = learners.engines.GiantStep(0.5), learners.heads.RidgeHead(0.1)
X, Y = np.random.default_rng(0).standard_normal((12, 5)), np.arange(12.0)
KERNEL = problems.InnerProductKernel("exp")


@pytest.fixture(scope="module")
def results() -> gs.Results:
    return gs.Study(NoisyLevel, size=[50, 100], seeds=2).run(workers=1)


MISTAKES = {
    "claim": lambda: gs.claim(3),
    "claim class": lambda: gs.claim(None),
    "no claim": lambda: gs.claim("dklps23/transitio"),
    "preset": lambda: gs.claim(CLAIM, preset=3),
    "target of a claim": lambda: gs.claim(CLAIM, target=3),
    "Study": lambda: gs.Study(3),
    "Study of the base class": lambda: gs.Study(gs.Claim),
    "of_views": lambda: gs.Study.of_views(None),
    "seeds as text": lambda: gs.Study(POINT, seeds="8"),
    "half a seed": lambda: gs.Study(POINT, seeds=2.5),
    "seeds as bool": lambda: gs.Study(POINT, seeds=True),
    "no seeds": lambda: gs.Study(POINT, seeds=0),
    "seed": lambda: gs.Study(POINT, seed=1.5),
    "negative seed": lambda: gs.Study(POINT, seed=-1),
    "name": lambda: gs.Study(POINT, name=3),
    "store": lambda: gs.Study(POINT, store=3),
    "workers as text": lambda: gs.Study(POINT).run(workers="2"),
    "workers of an estimate": lambda: gs.Study(POINT).estimate(workers=1.5),
    "seeds of a run": lambda: POINT.run(seeds="8"),
    "prediction": lambda: POINT.predict()["spik"],
    "target": lambda: gs.Target(3),
    "bare function": lambda: gs.Target("tanh"),
    "inputs of a target": lambda: gs.Target("x1")("a"),
    "nothing": lambda: gs.Target("x1")(None),
    "activation of an analysis": lambda: gs.Target("x1").analyze(3),
    "activation": lambda: gs.Activation(None),
    "complex": lambda: gs.Activation("tanh")(1j),
    "ragged": lambda: gs.Activation("tanh")([[1.0, 2.0], [3.0]]),
    "degree": lambda: gs.Activation("tanh").vanishes("a"),
    "problem": lambda: gs.Problem(3, 5),
    "d": lambda: gs.Problem("x1", "5"),
    "noise": lambda: gs.Problem("x1", 5, noise="a"),
    "law": lambda: gs.Problem("x1", 5, inputs="iso"),
    "streams": lambda: PROBLEM.sample(10, 0),
    "number of samples": lambda: PROBLEM.sample(True, gs.Streams(0)),
    "block": lambda: SAMPLE.block("a"),
    "seed of streams": lambda: gs.Streams(-1),
    "name of a stream": lambda: gs.Streams(0).child(3),
    "spike": lambda: problems.inputs.Spiked("a"),
    "parity": lambda: problems.inputs.ParityInputs(2, "a"),
    "labels": lambda: problems.ArraySample(np.ones((3, 2)), ["a", "b", "c"]),
    "kernel": lambda: problems.InnerProductKernel(3),
    "order": lambda: KERNEL.derivative(-1, 0.5),
    "count": lambda: KERNEL.coefficients("a"),
    "scaling": lambda: learners.networks.Network(np.eye(3), np.ones(3), "tanh", "1/M"),
    "weights": lambda: learners.networks.Network("a", np.ones(3), "tanh", "1/N"),
    "activation of a network": lambda: learners.networks.Network(np.eye(3), np.ones(3), 3, "1/N"),
    "inputs of a network": lambda: NET(np.ones((3, 7))),
    "initialisation": lambda: learners.networks.initialise("bes22", "tanh", 5, 4, gs.Streams(0)),
    "neurons": lambda: learners.networks.initialise(learners.networks.BES22, "tanh", 5, "4", gs.Streams(0)),
    "streams of a start": lambda: learners.networks.initialise(learners.networks.BES22, "tanh", 5, 4, 0),
    "law of the start": lambda: learners.networks.Initialisation(scaling=3),
    "step size": lambda: learners.engines.GiantStep("a"),
    "step convention": lambda: learners.engines.GiantStep(1.0, "mine"),
    "step": lambda: learners.engines.take_step(NET, SAMPLE, 3.0),
    "sample": lambda: learners.engines.take_step(NET, X, STEP),
    "threads": lambda: learners.engines.take_step(NET, SAMPLE, STEP, threads="2"),
    "half a thread": lambda: learners.engines.take_step(NET, SAMPLE, STEP, threads=1.5),
    "penalty": lambda: learners.heads.RidgeHead("a"),
    "no penalty": lambda: learners.heads.RidgeHead([]),
    "penalty convention": lambda: learners.heads.RidgeHead(0.1, "mine"),
    "head": lambda: learners.heads.fit_head(NET, SAMPLE, 0.1),
    "ridge head": lambda: learners.heads.fit_ridge(X, Y, 0.1),
    "labels of a head": lambda: learners.heads.fit_ridge(X, "y", HEAD),
    "sample of a head": lambda: learners.heads.fit_head(NET, X, HEAD),
    "which head": lambda: learners.heads.fit_ridge(X, Y, HEAD).network(NET, 4),
    "problem of a risk": lambda: learners.risk.exact_risk(NET, gs.Target("x1")),
    "coefficients": lambda: learners.risk.exact_risk(NET, PROBLEM, np.ones(7)),
    "points of a risk": lambda: learners.risk.monte_carlo_risk(NET, PROBLEM, "a", gs.Streams(0)),
    "streams of a risk": lambda: learners.risk.monte_carlo_risk(NET, PROBLEM, 100, 0),
    "directions": lambda: learners.engines.initial_state(learners.networks.DKLPS23, "relu", 10, 4, "1", gs.Streams(0)),
    "data of a state": lambda: learners.engines.take_step(STATE, problems.ArraySample(X, Y), STEP),
    "reduced step": lambda: learners.engines.take_step(STATE, gs.Problem("x1", 10).sample(10, gs.Streams(0)), 0.5),
    "problem of a state": lambda: learners.risk.exact_risk(STATE, "x1"),
    "kernel of a fit": lambda: learners.kernels.fit_kernel(3, X, Y, 0.1),
    "penalties of a kernel": lambda: learners.kernels.fit_kernel("exp", X, Y, ["a"]),
    "NaN": lambda: learners.kernels.fit_kernel("exp", np.nan * X, Y, 0.1),
    "new inputs": lambda: learners.kernels.fit_kernel("exp", X, Y, 0.1).predict(np.ones((3, 4))),
    "kernel matrix": lambda: learners.kernels.kernel_ridge(np.eye(3), np.ones(4), [0.1]),
    "wide kernel": lambda: learners.kernels.wide_kernel("tanh", X[0]),
    "own data": lambda: learners.training.learn_polynomial(X, "relu", 10, gs.Streams(0)),
    "tangent kernel": lambda: learners.kernels.tangent_kernel(NET, "a"),
    "kind of kernel": lambda: learners.kernels.BiasedKernel("relu", "nope"),
    "wide moments": lambda: learners.kernels.wide_kernel_moments("tanh", X, "x1"),
    "measured labels": lambda: recover(np.ones((3, 2, 2)), ["a", "b", "c"]),
    "rank": lambda: recover(np.ones((3, 2, 2)), np.ones(3), rank=1.5),
    "file of a store": lambda: gs.studies.Store(3),
    "student": lambda: gs.theory.OneStep(3, 3, psi1=1, psi2=1, step=1),
    "moment": lambda: gs.theory.Student("a", 1.0),
    "ratio": lambda: gs.theory.spectra.MarchenkoPastur("a"),
    "order of a polynomial": lambda: gs.gaussian.hermite.hermite("a", 0.5),
    "nodes": lambda: gs.gaussian.quadrature.gauss_hermite("a"),
    "gradient head": lambda: learners.heads.GradientHead(1.5),
    "penalty of a gradient head": lambda: learners.heads.GradientHead(3, "a"),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_likely_mistake_gets_one_sentence(mistake) -> None:
    with pytest.raises(InputError) as caught:
        mistake()
    sentence = str(caught.value).splitlines()[0]
    assert len(sentence) > 20
    assert not sentence.endswith(".")  # the terminal goes on after it
    assert len(str(caught.value).splitlines()) in (1, 3)  # texts are shown with the place where reading stopped


@pytest.mark.parametrize("ask", [lambda r: r.figure("a"), lambda r: r.figure(1.5), lambda r: r.figure().save(3)])
def test_mistakes_about_pictures_get_one_sentence(results, ask) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match=r"^[^\n]+$"):
        ask(results)


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (lambda: gs.Target(3), "the target must be a text such as 'x1 + He2(x2)', not 3"),
        (lambda: gs.Activation(3), "the activation must be a text such as 'tanh', not 3"),
        (lambda: gs.Study(POINT, seeds=2.5), "seeds = 2.5 is not allowed; it must be a whole number from 1 to 100000"),
        (lambda: gs.claim(3), "the claim must be a name such as 'bes22/weight-spike', not 3"),
        (lambda: PROBLEM.sample(9, 0), "the random streams must be Streams of a seed such as Streams(0), not 0"),
        (lambda: learners.engines.take_step(NET, SAMPLE, 3.0), "the step must be one such as GiantStep(0.5), not 3.0"),
        (lambda: POINT.predict()["spik"], "there is no predicted quantity 'spik'; there are: "),
    ],
)
def test_a_sentence_says_what_was_wrong_and_what_is_allowed(mistake, sentence) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        mistake()


def test_examples_in_sentences_can_be_used() -> None:
    for kind in (gs.Target, gs.Activation):
        with pytest.raises(InputError) as caught:
            kind(3)
        kind(re.search("'(.*)'", str(caught.value)).group(1))


def test_names_that_are_not_there(results) -> None:
    for table in (POINT.predict(), results.cells[0].measurements[0], results.frame()):
        with pytest.raises(UnknownNameError, match=r"there is no .* 'spik'; there are: "):
            table["spik"]
    assert "spik" not in results.frame()
    assert results.frame().get("spik") is None
    with pytest.raises(KeyError, match="there is none"):
        Frame({})["spik"]
    with pytest.raises(UnknownNameError, match="there are: example-1, "):
        problems.ZOO["unicorn"]
    error = UnknownNameError("column", "a", ["b"])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_may_be_written_as_text() -> None:
    assert gs.Problem("x1", 5) == gs.Problem(gs.Target("x1"), 5)
    named = learners.networks.Network(np.eye(3), np.ones(3), "tanh", "1/N")
    assert named.scaling is learners.networks.Scaling.INVERSE_WIDTH
    assert named.activation == gs.Activation("tanh")
    assert learners.engines.GiantStep(1.0, "dklps23").convention is learners.networks.StepConvention.DKLPS23
    assert learners.engines.GiantStep(1.0, "BES22_MSE").convention is learners.networks.StepConvention.BES22_MSE
    assert learners.heads.RidgeHead(0.1, "SCIKIT_LEARN").convention is learners.networks.RidgeConvention.SCIKIT_LEARN
    np.testing.assert_array_equal(learners.kernels.kernel_matrix("exp", X), learners.kernels.kernel_matrix(KERNEL, X))
    assert gs.theory.Student.of("tanh") == gs.theory.Student.of(gs.Activation("tanh"))
    assert gs.theory.Teacher.of("relu(x1)") == gs.theory.Teacher.of(gs.Target("relu(x1)"))
    assert gs.claims.matching_claims("bes22/*") == gs.claims.matching_claims(("bes22/*",))


def test_a_study_takes_a_point_a_class_or_a_name() -> None:
    point = claim_point(CLAIM)
    assert claim_point(type(point)) == claim_point(point) == point
    assert gs.Study(CLAIM, d=[64, 128]).points == gs.Study(point, d=[64, 128]).points
    assert gs.Study.of_views(CLAIM, seeds=1).record_count == gs.Study.of_views(type(point), seeds=1).record_count


def test_numbers_of_any_library_are_numbers() -> None:
    assert whole_number("n", np.int64(3)) == 3
    assert real_number("x", np.float32(0.5)) == real_number("x", np.array(0.5)) == 0.5
    assert real_array("x", [1, 2]).dtype == np.float64
    assert real_array("x", np.ones(2, dtype=np.float32)).dtype == np.float32
    for odd in (np.nan, np.inf, None, "1", 1j, 10**400):
        with pytest.raises(InputError):
            real_number("x", odd)
    with pytest.raises(InputError, match="2 axes"):
        real_array("x", np.ones(3), axes=2)


def test_results_speak_in_one_line(results) -> None:
    operator = DenseOperator.gaussian((4, 4), 20, gs.Streams(0), symmetric=True)
    sensing = Sensing(operator, truth=np.eye(4))
    start = random_factors((4, 4), 2, 0.1, gs.Streams(1), symmetric=True)
    fit = learners.training.learn_polynomial(problems.ArraySample(X, Y), "relu", 10, gs.Streams(0))
    spoken = [
        gs.Target("x1 + He2(x1)*x2").analyze("relu"),
        gs.Target(" + ".join(f"{k}*x1*x2*He{k}(x3)" for k in range(1, 16))).analyze(),
        gs.Study("bes22/weight-spike", step="0:8:17", d=list(range(64, 164)), name="spikes"),
        gs.Study.of_views("bes22/weight-spike"),
        results,
        results.verdict,
        *results.judgements().values(),
        *results.claim.quantities,
        results.cells[0],
        results.cells[0].measurements[0],
        results.cells[0].prediction,
        gs.claim("bes22/weight-spike").predict(),
        *gs.claim("bes22/weight-spike").predict().densities.values(),
        Density(np.linspace(0, 1, 400), np.ones(400), (2.0,)),
        problems.ArraySample(X, Y),
        fit,
        fit.part,
        sensing,
        learners.run(SensingDescent(sensing, 0.1), start, steps=1, watch=["train_norm"]),
        learners.run(SensingDescent(sensing, 0.1), start, steps=1).last,
    ]
    for thing in spoken:
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 400, repr(thing)
        assert "array(" not in repr(thing)
        assert "<function" not in repr(thing)
    assert "spikes" in repr(spoken[2])
    assert spoken[0]._repr_html_().startswith("<pre>")


def test_public_names() -> None:
    for name in gs.__all__:
        assert getattr(gs, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Tarjet'"):
        gs.Tarjet  # noqa: B018
    assert set(gs.__all__) <= set(dir(gs))
    for room in (gs.claims, gs.figures, gs.gaussian, gs.learners, gs.problems, gs.studies, gs.theory):
        for name in room.__all__:
            assert hasattr(room, name), f"{room.__name__}.{name}"


def test_importing_giantstep_loads_no_library() -> None:
    line = "import sys, giantstep; print([m for m in ('numpy', 'scipy', 'pydantic', 'sqlite3') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_readers_are_shown_packages_and_not_files_inside() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for module in re.findall(r"^(?:from|import) (giantstep[\w.]*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            found = importlib.import_module(module)
            beneath = module.count(".") == 1  # `giantstep.sources` and its like lie beneath all rooms
            assert beneath or hasattr(found, "__path__"), f"{page.name} imports from the file {module}"


def test_an_audit_that_asked_nobody_does_not_claim_safety() -> None:
    known = {"name": "a", "version": "1", "vulns": []}
    weak = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1"}]}
    unknown = {"name": "c", "skip_reason": "not found"}
    assert told({"dependencies": [known]}) == (0, ["0 of 1 packages have a known weakness"])
    assert told({"dependencies": [known, weak]})[0] == 1
    status, lines = told({"dependencies": [unknown]})
    assert status == 1
    assert "nothing is said of them: c" in lines[-1]


@pytest.mark.parametrize(
    "answer", ["", "{}", "null", "[]", '{"dependencies": null}', '{"dependencies": [{"name": "a"}]}']
)
def test_an_audit_without_an_answer_says_so(answer: str) -> None:
    line = [sys.executable, str(ROOT / "tests" / "audit.py")]
    done = subprocess.run(line, input=answer, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "pip-audit gave no answer: is the network there?\n"


def gappy(values: Array, power: float) -> Array:
    """Powers of the `values`, by `power`."""
    return np.asarray(values) ** power


def test_an_array_with_gaps_is_no_answer_unless_gaps_were_given() -> None:
    with np.errstate(invalid="ignore"):
        call = checked(gappy, __name__)
        with pytest.raises(InputError, match="gappy is not a number at 1 of 2 places"):
            call(np.array([-1.0, 1.0]), 0.5)
        assert call(np.array([4.0, 1.0]), 0.5).tolist() == [2, 1]


@dataclass(frozen=True)
class Powers:
    """Powers of numbers, by name."""

    values: Array
    by_name: Mapping[str, float]


def hidden(values: Array, power: float) -> tuple[int, Powers]:
    """Powers of the `values`, by `power`, in a result within a tuple."""
    return 1, Powers(np.abs(values), {"first": float(values[0] ** power)})


def one_by_one(values: Array, power: float) -> Iterator[Array]:
    """Powers of the `values` by `power`, then of what does not fit."""
    yield values**power
    yield values @ np.ones(7)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_gaps_are_found_in_tuples_mappings_and_results_and_in_what_comes_one_by_one() -> None:
    values = np.array([-1.0, 1.0])
    with pytest.raises(InputError, match="hidden is not a number for values = an array of shape"):
        checked(hidden, __name__)(values, 0.5)
    assert checked(hidden, __name__)(values, 2.0)[1].by_name == {"first": 1}
    with pytest.raises(InputError, match="one_by_one is not a number at 1 of 2 places"):
        next(checked(one_by_one, __name__)(values, 0.5))
    with pytest.raises(InputError, match=r"one_by_one cannot use .* together"):
        list(checked(one_by_one, __name__)(values, 2.0))


def test_sizes_that_no_machine_counts_to_are_refused_where_something_is_drawn() -> None:
    with pytest.raises(InputError, match=r"neurons must be a whole number of 1e\+18 at most, not 10{30}"):
        learners.networks.initialise(learners.networks.BES22, "tanh", 4, 10**30, gs.Streams(0))
