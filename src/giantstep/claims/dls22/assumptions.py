"""[dls22] what Algorithm 1 supposes: H sees the directions, labels may be noisy, the head may have data of its own."""

from __future__ import annotations

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
    Cost,
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
    check_polynomial,
    equivalent_error,
)
from giantstep.claims.sizes import count
from giantstep.learners.heads import RIDGES, RidgeHead, fit_head
from giantstep.learners.training import head_moments, learn_features
from giantstep.problems import Problem
from giantstep.theory.kernels import kernel_floor
from giantstep.theory.visibility import label_gradient_law, share_given_overlap, share_of_law

SEEN = "He2(x1)/2 + He4(x1)/sqrt(48)"
MILD = "He2(x1)/2 + He3(x1)/sqrt(12)"  # of lighter tails
UNSEEN = "He3(x1)/sqrt(6)"
FEW = {"samples_per_square": 4}
LEARNED = 0.6  # alignment from which on the features count as learned


def _is_learned(point: Assumptions) -> bool:
    """Where the features are learned, and kernels cannot reach half of what lies above degree 2."""
    above = float(point.target.norm2) - sum(float(e) for e in point.target.energies()[:3])
    floor = kernel_floor(point.target, point.d, point.samples)
    return bool(point.sees and floor >= above / 2 > 0 and point.alignment() >= LEARNED)


@named(
    "dls22/assumptions",
    kind="theorem",
    cite="dls22",
    version=2,
    where="lecture notes: 'eps_i in {-1, 1}', 'rank(H) = r', 'w(1) depends on (x, y)', 'resampling'",
    finding=(
        "The head's dependence on the step's samples is small at n ~ d^2: with fresh samples its risk is that of the "
        "deterministic equivalent for the features, with the step's own it is larger by a few percent at most."
    ),
)
class Assumptions(Claim):
    """Algorithm 1 learns from labels noisy by +-1, needs H = E[Hess f*] != 0, and its head may use the step's samples.

    The labels are f* + e, e = +1 or -1 times `noise`. With H != 0 and the features learned the risk is below the floor
    of all kernels that see n samples without noise. With H = 0 the weights keep chance alignment, and the risk stays
    above the floor of as many features that know nothing of the target. The head is fitted to the samples of the step,
    as in the paper, or to as many fresh ones (`fresh`): then the features are independent of the head's data, and its
    risk `fresh_error` is the deterministic equivalent for these very features. Penalties are best in hindsight.
    """

    target: parameters.Target = parameters.target(SEEN)
    d: int = parameters.dimension(32, ge=8)
    samples_per_square: float = parameters.samples_per_square(16.0)
    neurons: int = parameters.neurons(120, help=parameters.PAIRED, symbol="m", ge=2)
    noise: float = parameters.noise(0.0, help="size of the labels' noise, +1 or -1 times it")
    fresh: bool = parameters.own(
        False, "whether the head has samples of its own", words=("fresh samples", "those of the step")
    )

    quantities = (
        quantity.equal(
            "alignment", alignment_allowance("samples"),
            "sums over samples are Gaussian only for large n and d; means of outer products fluctuate by d/n",
            against="finite", help="squared cosine of the new weights with the target's space, mean over neurons",
            symbol=r"|P_{V^*} w|^2/|w|^2",
        ),
        quantity.decreasing(
            "alignment", "d", "H = 0: what is left to chance falls like 1/d", when=lambda point: not point.sees,
        ),
        quantity.at_most(
            "error", Allowance(0), "the network is below the floor of all kernels where its features are learned "
            "(alignment 0.6 or more) and kernels cannot reach half of the energy above degree 2",
            help="risk of the network after Algorithm 1", symbol=r"\mathcal{R}_{NN}", when=_is_learned,
        ),
        quantity.slope(
            "error", "samples_per_square", -1.0, 0.2, "the noise of the features falls like d^2/n; what few neurons "
            "leave open bends the line", help="the slides' rate: its root is of order sqrt(d^2/n) if neurons are many",
            when=lambda point: point.sees and point.samples >= 32 * point.d**2 and point.neurons >= 300,
        ),
        quantity.at_least(
            "blind", Computed(lambda point, _: point.alignment(), "the predicted alignment"),
            "m features that know nothing of the target hold at "
            "most m/n_l of the harmonics of degree l; by chance they know as much as they are aligned",
            help="risk of a network that sees nothing, for H = 0, and the floor of m features drawn at random",
            symbol=r"\mathcal{R}_{NN}", when=lambda point: not point.sees,
        ),
        quantity.equal(
            "fresh_error", Allowance(0.06, of="prediction"),
            "the equivalent is asymptotic in n, and labels of degree 4 have heavy tails", against="finite",
            help="risk if the head has samples of its own: independent of the features", symbol=r"\mathcal{R}_{eq}",
            when=lambda point: point.fresh,
        ),
        quantity.at_least(
            "own_error", Allowance(0.06, of="prediction"),
            "samples that the features have seen are worth less than fresh ones",
            help="risk if the head has the samples of the step, and the equivalent with fresh ones",
            symbol=r"\mathcal{R}_{eq}", against="finite", when=lambda point: not point.fresh,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "noise", (0, 1), ("error", "alignment"), together=True, at={"d": 48, "samples_per_square": 20},
            y_label="risk or squared cosine",
            title="labels with and without noise +-1",
        ),
        view.Curve(
            "samples_per_square", (1, 4), ("fresh_error", "own_error"), by="fresh", by_values=(True, False), log_x=True,
            at={"target": MILD}, seeds=24, title="fresh samples for the head, or those of the step",
        ),
        view.Curve(
            "samples_per_square", (64, 128, 256), ("error",), at={"target": MILD, "d": 16, "neurons": 320}, log_x=True,
            log_y=True, seeds=16, title="the rate: d^2/n in square",
        ),
        view.Curve(
            "d", (16, 32, 64), ("alignment", "blind"), together=True, at={"target": UNSEEN, **FEW}, log_x=True,
            seeds=24,
            y_label="risk or squared cosine",
            title="H = 0: nothing is learned",
        ),
    )  # fmt: skip
    presets = {
        "noisy": {"noise": 1, "d": 48, "samples_per_square": 20},
        "unseen": {"target": UNSEEN, **FEW},
        "fresh-head": {"fresh": True, **FEW},
    }
    default_seeds = 10
    engine = "full"
    convention = CONVENTION

    @property
    def samples(self) -> int:
        return count(self.samples_per_square, self.d, 2, least=2)

    @property
    def sees(self) -> bool:
        """Whether H shows all directions."""
        return int(np.linalg.matrix_rank(self.target.hessian)) == self.target.directions

    def check(self) -> None:
        check_polynomial(self.target, self.d, self.neurons, self.samples)

    def alignment(self) -> float:
        law = label_gradient_law(self.target, self.d, self.samples, noise=self.noise)
        return float(share_of_law(law, self.d, self.samples).value)

    def predict(self) -> Prediction:
        floor = kernel_floor(self.target, self.d, self.samples)
        values = {"alignment": self.alignment()}
        if _is_learned(self):
            values["error"] = floor
        if not self.sees:
            values["blind"] = kernel_floor(self.target, self.d, self.neurons)
        note = f"no rotation invariant kernel is below {floor:.4g} with so many samples"
        return Prediction(values, "isotropic Gaussian inputs, n ~ d^2", (note,))

    def measure(self, run: Run) -> Measurement:
        problem = Problem(self.target, self.d, self.noise, noise_law="signs")
        sample = problem.sample(self.samples, run.streams.child("data"))
        learned = learn_features(sample, RELU, self.neurons, run.streams, threads=run.threads, progress=run.progress)
        own = problem.sample(self.samples, run.streams.child("head data")) if self.fresh else sample
        rest, moments = head_moments(learned, own, problem)
        path = fit_head(learned.network, rest, RidgeHead(RIDGES), threads=run.threads)
        error = float(moments.risk(path.coefficients).min())
        aligned = learned.alignment(self.target.directions)
        values = {"alignment": aligned, "error": error, "blind": error, "fresh_error": error, "own_error": error}
        law = label_gradient_law(self.target, self.d, self.samples, noise=self.noise)
        overlaps = learned.start.weights[:, : self.target.directions]
        known = share_given_overlap(law, overlaps, self.d, self.samples)
        equivalent = equivalent_error(moments, self.samples, self.noise)
        finite = {"alignment": float(known.mean()), "fresh_error": equivalent, "own_error": equivalent}
        return Measurement(values, finite)

    def cost(self) -> Cost:
        n, d, m = float(self.samples), self.d, self.neurons
        return Cost(8 * n * d * m + 8 * n * m**2 + 60.0 * m**3 + 600.0 * m**2 + 5e7, 8.0 * 8 * m * (m + d) + 2e7)
