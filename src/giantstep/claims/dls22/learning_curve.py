"""[dls22] a network that takes one step learns a low-rank polynomial from n ~ d^2 samples, kernels do not."""

from __future__ import annotations

from typing import Literal

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
from giantstep.claims.sizes import count
from giantstep.learners.heads import LEAVE_ONE_OUT, GradientHead
from giantstep.learners.kernels import BiasedKernel
from giantstep.learners.risk import feature_moments
from giantstep.learners.training import learn_polynomial, least_kernel_risk, random_features
from giantstep.problems import Problem
from giantstep.theory.kernels import kernel_curve, kernel_floor
from giantstep.theory.visibility import hessian_alignment, label_gradient_share

MOST_BASELINE_SAMPLES = 1200
DESCENT_STEPS = 10000
KERNEL_RIDGES = np.array([0.01, 0.1, 1.0, 10.0])  # rho of K + rho; kernels are given the best one in hindsight
DEGREE_3 = "sqrt(0.4)*He2(x1)/sqrt(2) + sqrt(0.6)*He3(x1)/sqrt(6)"
HUGE = 10**8  # the dimension at which the floor of kernels has its limit
LEARNED = 0.6  # alignment from which on the features count as learned


def _baselines(point: LearningCurve) -> bool:
    return point.samples <= MOST_BASELINE_SAMPLES


def _kernels(point: LearningCurve) -> bool:
    return _baselines(point) and point.target.single_index is not None


def _energy_per_square(point: LearningCurve) -> float:
    """8 |f*|^2/d^2"""
    return 8 * float(point.target.norm2) / point.d**2


def _features_learned(point: LearningCurve) -> bool:
    """Where the theorem promises more than any kernel can give: H spans V, the weights are aligned with it, and the
    samples are too few for kernels to reach half of what lies above degree 2."""
    above = point.above_degree_2
    floor = kernel_floor(point.target, point.d, point.samples)
    return bool(point.spans and floor >= above / 2 > 0 and point.alignment() >= LEARNED)


@named(
    "dls22/learning-curve",
    kind="theorem",
    cite="dls22",
    version=2,
    where="lecture notes 'Algorithm 1' and 'kernel regime n ~ d^p, this paper n ~ d^2 r + d r^p'; slides 'Our Result'",
    finding=(
        "The plateau |P_{>2} f*|^2 of kernels for d^2 << n << d^4 is an asymptotic one: a Hermite polynomial of degree "
        "4 has 29 % of its energy in spherical harmonics of degrees 2 and 0 at d = 16, so that kernels are below it "
        "from n = 10 d^2 on. At any n and d no rotation invariant kernel falls below the floor computed here, and "
        "from n = 16 d^2 on the network does, for d >= 32."
    ),
)
class LearningCurve(Claim):
    """One gradient step, then a head: risk falls with n/d^2, below what any kernel can reach from so few samples.

    Algorithm 1 (labels without mean and linear part, one step with weight decay 1/eta_1, fresh biases, head by ridge
    regression or gradient descent on the same samples) against ridge regression on the tangent kernel, on the kernel
    of infinitely many random features, and on as many random features as the network has neurons. The network chooses
    its penalty by leave-one-out, the others get the best in hindsight. All risks are exact expectations over x. No
    rotation invariant kernel can beat `floor` with n samples; `alignment` is the share of the target's space in the new
    weights. Baselines are simulated up to n = 1200.
    """

    target: parameters.Target = parameters.target("sqrt(0.3)*He2(x1)/sqrt(2) + sqrt(0.7)*He4(x1)/sqrt(24)")
    d: int = parameters.dimension(12, ge=8)
    samples_per_square: float = parameters.samples_per_square(4.0)
    neurons: int = parameters.neurons(300, help=parameters.PAIRED, symbol="m", ge=2)
    preprocess: bool = parameters.preprocess(True)
    head: Literal["ridge", "gradient"] = parameters.own("ridge", "second layer by ridge regression or gradient descent")

    quantities = (
        quantity.equal(
            "alignment", alignment_allowance("samples"),
            "sums over samples are Gaussian only for large n and d; means of outer products fluctuate by d/n",
            against="finite",
            help="squared cosine of the new weights with the target's space, mean over neurons",
            symbol=r"|P_{V^*} w|^2/|w|^2",
        ),
        quantity.at_most(
            "error_nn", Allowance(0),
            "the network is below the floor of all kernels where features are learned (alignment 0.6 or more) and "
            "kernels cannot reach half of the energy above degree 2",
            help="risk of the network after Algorithm 1", symbol=r"\mathcal{R}_{NN}", when=_features_learned,
        ),
        quantity.decreasing("error_nn", "samples_per_square", "more samples align the features better"),
        quantity.slope(
            "error_nn", "d", 0.0, 0.3,
            "n ~ d^2 is enough: at fixed n/d^2 the risk does not grow with d; below d = 64 it still falls a little, "
            "for the labels' heavy tails weigh on few samples",
        ),
        *quantity.equals(
            {
                "error_ntk": ("risk of ridge regression on the tangent kernel with biases", r"\mathcal{R}_{NT}"),
                "error_kernel": ("risk of ridge regression on infinitely many random features", r"\mathcal{R}_{K}"),
            },
            Allowance(_energy_per_square),
            "the equivalent is asymptotic in n, its error a share of |f*|^2 that falls like 1/n ~ 1/d^2, for labels "
            "and |x|^2 have heavy tails: 3.6 to 6.2 |f*|^2/d^2 at d = 8, 12, 16, n = 4 d^2 and 8 d^2, degrees 3 and 4",
            when=_kernels,
        ),
        quantity.equal(
            "error_rf", Allowance(0.05, of="prediction"),
            "the equivalent for these very features is asymptotic in n and N; heavy tails raise risks by up to 3 %",
            help="risk on as many random features as neurons: of ridge regression",
            symbol=r"\mathcal{R}_{RF}", against="finite", when=_baselines,
        ),
        quantity.at_least(
            "floor", Allowance(0),
            "a space of n functions holds at most n/n_l of the harmonics of degree l: exact in the mean over data",
            help="smallest of the baselines' risks, which no rotation invariant kernel can push below the prediction",
            symbol=r"\min\mathcal{R}", when=_baselines,
        ),
        quantity.equal(
            "plateau", Allowance(1e-3, of="prediction") + Allowance(1e-12),
            "at d = 10^8 a share 6 d^(-1/2) of degree 3 is within reach, of other degrees less",
            help="|P_{>2} f*|^2, the plateau of kernels for d^2 << n << d^3, against the floor at d = 10^8, n = d^2.5",
            symbol=r"\|P_{>2}f^*\|^2",
        ),
    )  # fmt: skip
    hypotheses = (Hypothesis("H = E[Hess f*] spans the target's directions", lambda point: point.spans, ("error_nn",)),)
    views = (
        view.Curve(
            "samples_per_square", (1, 2, 4, 8), ("error_nn", "error_ntk", "error_kernel", "error_rf"),
            together=True, bounds=("floor",), log_x=True, title="network against kernels",
        ),
        view.Curve(
            "samples_per_square", (4, 8), ("error_nn", "error_ntk", "error_kernel", "error_rf"),
            at={"target": DEGREE_3}, together=True, bounds=("floor",), log_x=True, seeds=24,
            title="degree 3, which ReLU kernels see through biases alone",
        ),
        view.Curve(
            "samples_per_square", (3, 6, 16), ("error_nn", "alignment"), by="d", by_values=(16, 32, 64), log_x=True,
            seeds=24, title="the scale is d^2",
        ),
    )  # fmt: skip
    presets = {
        "degree-4": {},
        "degree-3": {"target": DEGREE_3},
        "two-directions": {"target": "He2(x1)/2 + He2(x2)/2 + He2(x1)*x2/2 + He3(x2)/6", "samples_per_square": 8},
        "gradient-descent": {"head": "gradient"},
        "no-preprocessing": {"preprocess": False},
        "below-all-kernels": {"d": 32, "samples_per_square": 16},
    }
    default_seeds = 44
    engine = ("full", "dense")
    convention = CONVENTION

    @property
    def samples(self) -> int:
        return count(self.samples_per_square, self.d, 2, least=2)

    @property
    def spans(self) -> bool:
        """Whether H shows all directions."""
        return int(np.linalg.matrix_rank(self.target.hessian)) == self.target.directions

    @property
    def above_degree_2(self) -> float:
        """|P_{>2} f*|^2."""
        return float(self.target.norm2) - sum(float(e) for e in self.target.energies()[:3])

    def check(self) -> None:
        check_polynomial(self.target, self.d, self.neurons, self.samples)

    def alignment(self) -> float:
        return label_gradient_share(self.target, self.d, self.samples, preprocess=self.preprocess).value

    def predict(self) -> Prediction:
        floor = kernel_floor(self.target, self.d, self.samples)
        values = {"alignment": self.alignment(), "floor": floor, "plateau": self.above_degree_2}
        if _features_learned(self):
            values["error_nn"] = floor
        for name, tangent in (("error_ntk", True), ("error_kernel", False)):
            curve = kernel_curve(self.target, RELU, self.d, self.samples, KERNEL_RIDGES, tangent=tangent)
            values[name] = float(curve.min())
        notes = [f"where features are learned, error_nn is below the floor of all kernels, {floor:.4g}"]
        norm2, eigenvalues = float(self.target.norm2), np.asarray(np.linalg.eigvalsh(self.target.hessian))
        if np.any(np.abs(eigenvalues) > 1e-12):
            limit = hessian_alignment(eigenvalues, norm2, self.d, self.samples, preprocess=self.preprocess)
            notes.append(f"alignment for d to infinity at this n/d^2: {limit:.4g}")
        else:
            notes.append("H = E[Hess f*] is zero: outside the theorem, one step from n ~ d^2 samples learns nothing")
        if not _kernels(self):
            notes.append(f"kernels are simulated for targets of one direction and n up to {MOST_BASELINE_SAMPLES}")
        return Prediction(values, "isotropic Gaussian inputs, no label noise, n >> d", tuple(notes))

    def measure(self, run: Run) -> Measurement:
        problem = Problem(self.target, self.d)
        sample = problem.sample(self.samples, run.streams.child("data"))
        fit = learn_polynomial(
            sample, RELU, self.neurons, run.streams, preprocess=self.preprocess, threads=run.threads,
            head=LEAVE_ONE_OUT if self.head == "ridge" else GradientHead(DESCENT_STEPS), progress=run.progress,
        )  # fmt: skip
        values = {"alignment": fit.features.alignment(self.target.directions), "error_nn": fit.risk(problem)}
        baselines: dict[str, float] = {}
        start = fit.features.start.weights
        finite = {"alignment": alignment_given(self.target, start, self.samples, preprocess=self.preprocess)}
        if _baselines(self):
            random = random_features(RELU, self.d, self.neurons, run.streams)
            moments = feature_moments(random, problem)
            baselines["error_rf"] = features_error(random, moments, sample, run.threads)
            finite["error_rf"] = equivalent_error(moments, self.samples)
        if _kernels(self):
            tangent, conjugate = BiasedKernel(RELU, "tangent"), BiasedKernel(RELU, "conjugate")
            baselines["error_ntk"] = least_kernel_risk(tangent, problem, sample, KERNEL_RIDGES)
            baselines["error_kernel"] = least_kernel_risk(conjugate, problem, sample, KERNEL_RIDGES)
        if baselines:
            values |= {**baselines, "floor": min(baselines.values())}
        values["plateau"] = kernel_floor(self.target, HUGE, round(HUGE**2.5))
        return Measurement(values, finite=finite)

    def cost(self) -> Cost:
        n, d, m = self.samples, self.d, self.neurons
        network = 8.0 * n * d * m + 6.0 * n * m**2 + 30.0 * m**3 + 600.0 * m**2
        baselines = (6.0 * n * m**2 + 4.0 * n**3 + 8000.0 * n**2) if _baselines(self) else 0.0
        kernels = 6 * min(n, MOST_BASELINE_SAMPLES) ** 2 if _baselines(self) else 0
        memory = 8.0 * (6 * m * (m + d) + kernels) + 4e7
        return Cost(2 * (network + baselines) + 5e7, memory)
