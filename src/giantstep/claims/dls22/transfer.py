"""[dls22] features learned on one task serve another of the same directions, at a cost that does not know d."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dls22._algorithm import (
    CONVENTION,
    RELU,
    alignment_allowance,
    alignment_given,
    check_polynomial,
    equivalent_error,
    features_error,
)
from giantstep.claims.refusals import refuse_few_dimensions
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.heads import fit_head
from giantstep.learners.risk import feature_moments
from giantstep.learners.training import learn_features, random_features
from giantstep.problems import Problem, Target
from giantstep.theory.kernels import kernel_floor
from giantstep.theory.visibility import label_gradient_share

TINY = 1e-9  # penalty at which the best head on given features is computed
BEST = "best head on these features, N \N{RIGHTWARDS ARROW} \N{INFINITY}"  # what the lines of the error are


def _spans(point: Transfer) -> bool:
    """Whether the source shows the step all directions: H of the source spans them."""
    return int(np.linalg.matrix_rank(point.source.hessian)) >= max(point.target.directions, point.source.directions)


@named(
    "dls22/transfer",
    kind="theorem",
    cite="dls22",
    version=2,
    where="slides 'Transfer Learning Setup' and 'Transfer Learning Result': N samples of the new task at any d",
    finding=(
        "That the head's part of the error does not depend on d is what large d shows: from d = 16 to 128 the error "
        "still grows by a third, like d^0.13, for the weights' remaining noise spreads over more and more directions; "
        "from d = 64 to 128 the growth is within chance."
    ),
)
class Transfer(Claim):
    """After one step on a source task, a new head learns another task of the same directions from N samples, at any d.

    The step of Algorithm 1 uses n = c d^2 samples of the source; its features are kept and only the second layer is
    fitted, by ridge regression with leave-one-out, to N samples of the new target, which needs no pre-processing.
    `excess` is what `error` has beyond the best head on the learned features; it falls as 1/N, at the same N for every
    d. `error_rf`, at the best penalty in hindsight, is held against the deterministic equivalent for the random
    features drawn: they stay at 1 until N and their number reach the number of harmonics of the target's degree. All
    risks are exact expectations over x.
    """

    source: parameters.Target = parameters.own(Target("He2(x1) + 0.7*He2(x2)"), "task of the step", symbol="f_S")
    target: parameters.Target = parameters.target(
        "He2(x1)*x2/2 + He3(x2)/sqrt(12)", help="task of the new head", symbol="f_T"
    )
    d: int = parameters.dimension(32, ge=8)
    samples_per_square: float = parameters.samples_per_square(16.0, help="samples of the source per squared dimension")
    samples: int = parameters.samples(1000, help="samples of the new task", symbol="N", path=True, le=1000000)
    neurons: int = parameters.neurons(300, help=parameters.PAIRED, symbol="m", ge=2)

    quantities = (
        quantity.equal(
            "alignment", alignment_allowance("source_samples"),
            "sums over samples are Gaussian only for large n and d; means of outer products fluctuate by d/n",
            against="finite",
            help="squared cosine of the weights after the step with the tasks' space, mean over neurons",
            symbol=r"|P_{V^*} w|^2/|w|^2",
        ),
        quantity.slope(
            "excess", "samples", -1.0, 0.3,
            "the rate 1/N is that of N much larger than the number of neurons; before, the chosen penalty bends it",
            help="excess over the best head: the risk of the new one beyond that of the best on the same features",
            symbol=r"\mathcal{R}_T - \inf",
        ),
        quantity.slope(
            "error", "d", 0.0, 0.25,
            "the features' noise, 13 % of each weight, spreads over d - r directions: below d = 64 these are few, and "
            "the head can cancel some of it",
            help="risk of the new head on the learned features", symbol=r"\mathcal{R}_T",
        ),
        quantity.decreasing(
            "error", "samples_per_square", "more samples of the source align the features better, at the same N",
        ),
        quantity.equal(
            "error_rf", Allowance(0.05, of="prediction"),
            "the equivalent for these very features is asymptotic in N and m; heavy tails raise risks by up to 3 %",
            help="risk of the new head on as many random features", symbol=r"\mathcal{R}_{RF}", against="finite",
        ),
        quantity.at_least(
            "floor", Allowance(0),
            "min(N, m) random features hold at most min(N, m)/n_l of the harmonics of degree l: exact in the mean",
            help="risk of random features, and the floor that it cannot undercut", symbol=r"\mathcal{R}_{RF}",
        ),
    )  # fmt: skip
    hypotheses = (Hypothesis("H of the source spans the directions of both tasks", _spans, ("excess", "error")),)
    views = (
        view.Curve(
            "samples", (300, 1000, 3000, 10000), ("error", "excess", "error_rf"), by="d", by_values=(16, 32, 64, 128),
            log_x=True, log_y=True, unjudged=BEST, title="N samples are enough at any d",
        ),
        view.Curve("d", (16, 32, 64, 128), ("alignment", "error"), log_x=True, unjudged=BEST, title="N = 1000"),
        view.Curve(
            "samples_per_square", (4, 16, 64), ("error",), at={"d": 16, "samples": 10000}, log_x=True, log_y=True,
            unjudged=BEST, title="samples of the source, d = 16",
        ),
    )  # fmt: skip
    presets = {
        "two-directions": {},
        "few-samples": {"samples": 300},
        "same-task": {"target": "He2(x1)/sqrt(2)", "source": "He2(x1)"},
        "unseen-direction": {"source": "He2(x1)"},
    }
    engine = "full"
    default_seeds = 20  # one sample of heavy-tailed labels in ten makes a poor head
    convention = f"{CONVENTION}; the source's linear part is not used for the new task"

    @property
    def source_samples(self) -> int:
        return count(self.samples_per_square, self.d, 2, least=2)

    def check(self) -> None:
        check_polynomial(self.source, self.d, self.neurons, self.source_samples)
        if not self.target.is_polynomial or self.target.norm2 == 0:
            raise InputError(f"the target {self.target} is not allowed; it must be a polynomial that is not zero")
        refuse_few_dimensions(self.target, self.d)

    def predict(self) -> Prediction:
        share = label_gradient_share(self.source, self.d, self.source_samples)
        floor = kernel_floor(self.target, self.d, min(self.samples, self.neurons))
        notes = ["the lines of the error show the best head on the features of each draw, N = infinity"]
        if not _spans(self):
            notes.append("H of the source does not span the directions of both tasks: some of them are not learned")
        regime = "isotropic Gaussian inputs, no label noise, n ~ d^2 samples of the source, N of the target"
        return Prediction({"alignment": share.value, "floor": floor}, regime, tuple(notes))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        source = Problem(first.source, first.d).sample(first.source_samples, run.streams.child("source"))
        learned = learn_features(source, RELU, first.neurons, run.streams, threads=run.threads, progress=run.progress)
        problem = Problem(first.target, first.d)
        random = random_features(RELU, first.d, first.neurons, run.streams)
        moments = feature_moments(learned.network, problem)
        ridge = TINY * np.eye(first.neurons)
        best_head = np.asarray(np.linalg.solve(moments.covariance + ridge, moments.cross), dtype=np.float64)
        best = float(moments.risk(best_head))
        of_random = feature_moments(random, problem)
        aligned = learned.alignment(first.source.directions)
        expected = alignment_given(first.source, learned.start.weights, first.source_samples)
        measured = []
        for point in points:
            sample = problem.sample(point.samples, run.streams.child("target"))
            path = fit_head(learned.network, sample, threads=run.threads)
            error = float(moments.risk(path.network(learned.network).coefficients))
            error_rf = features_error(random, of_random, sample, run.threads)
            values = {"error": error, "excess": error - best, "error_rf": error_rf, "floor": error_rf}
            finite = {"error": best, "error_rf": equivalent_error(of_random, point.samples), "alignment": expected}
            measured.append(Measurement({**values, "alignment": aligned}, finite))
        return measured

    def cost(self) -> Cost:
        n, d, m = float(self.source_samples), self.d, self.neurons
        head = 12.0 * self.samples * m * (m + d) + 60.0 * m**3
        flops = 2 * (3 * n * d * m + head + 1200.0 * m**2) + 5e7
        return Cost(flops, 8.0 * (8 * m * (m + d) + 1024 * (d + m)) + 5e7, head)
