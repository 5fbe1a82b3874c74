"""[dklps23] before any step: random features learn a polynomial approximation of bounded degree, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, floor
from typing import Self

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
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
from giantstep.claims.dklps23._stairs import stairs_of
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import Initialisation, RidgeConvention, Scaling, initialise
from giantstep.learners.risk import feature_moments
from giantstep.problems import Problem
from giantstep.theory.kernels import feature_kernel_spectrum, random_feature_risk

MAX_NEURONS = 8000
MAX_WORK = 1e13
HUGE, CLEAR = 10**6, 0.2  # a dimension near infinity, and how far an exponent must be from whole numbers there
SMALL_PENALTIES = tuple(map(float, np.geomspace(1e-16, 10, 35)))
PENALTIES = tuple(map(float, np.geomspace(1e-5, 10, 13)))
THREE_DEGREES = "x1 + He2(x2)/sqrt(2) + He3(x3)/sqrt(6)"
"""One unit of energy at each of the degrees 1, 2 and 3."""
START = Initialisation("gaussian", "gaussian", biases="gaussian", scaling=Scaling.INVERSE_WIDTH)
EQUIVALENT, WEIGH = "the equivalent is exact for n, p and d to infinity", "single samples weigh 1/sqrt(min(n, p))"
SINGLE = Allowance(0.1, of="prediction", power=-0.5, size=("samples", "neurons"))


def _learned_of_next_degree(point: RandomFeatureDegree) -> float:
    """Min(n, p)(k+1)!/d^(k+1). There are d^(k+1)/(k+1)! functions of degree k + 1."""
    degree = point.degree + 1
    return float(min(1.0, min(point.samples, point.neurons) * factorial(degree) / point.d**degree))


@named(
    "dklps23/random-feature-degree",
    kind="theorem",
    cite="mmm22",
    version=2,
    where="[dklps23] slides 'Large p regime: random feature regression', theorem of Mei, Misiakiewicz, Montanari",
    finding=(
        "The theorem needs exponents that are not whole numbers: at n = d^k the part of degree k is learned to a share "
        "that depends on constants. At sizes that can be simulated there is a slope instead of steps: at d = 24 and "
        "exponent 1.5 about a third of the linear part is still open, as the equivalent at finite size says."
    ),
)
class RandomFeatureDegree(Claim):
    """With n = d^a samples and p = d^b random features, ridge regression learns degree min(a, b) and no more.

    The risk falls in steps from |P_{>0} f*|^2 to |P_{>1} f*|^2 and on, at n or p near d, d^2/2, d^3/6, whichever is
    smaller. At any finite size it is that of the deterministic equivalent for the kernel's spectrum, in which each
    degree is a group of nearly equal eigenvalues; `best_risk` is the smallest over a grid of penalties, and `bound`
    holds it against |P_{>k} f*|^2, k the whole part of min(a, b). All measured risks are exact expectations.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target(THREE_DEGREES)
    d: int = parameters.dimension(24, ge=8)
    sample_exponent: float = parameters.sample_exponent(
        1.5, help="exponent of the number of samples", symbol=r"a,\ n = d^a", le=4
    )
    neuron_exponent: float = parameters.neuron_exponent(2.2)
    ridge: float = parameters.ridge(0.03)

    quantities = (
        quantity.equal(
            "risk", Allowance(0.04, of="prediction") + SINGLE, f"{EQUIVALENT}: up to 3.5 % is seen at n = 500; {WEIGH}",
            help="risk at the penalty lambda", symbol=r"\mathcal{R}",
        ),
        quantity.equal(
            "best_risk", Allowance(0.08, of="prediction") + SINGLE,
            f"{EQUIVALENT}: 7 % is seen at d = 24 with n and p of several hundred; {WEIGH}",
            help="smallest risk over a grid of penalties", symbol=r"\min_\lambda\mathcal{R}",
        ),
        quantity.at_least(
            "bound", Allowance(_learned_of_next_degree, of="prediction"),
            "of degree k + 1 a share min(n, p)(k+1)!/d^(k+1) is learned",
            help="|P_{>k} f*|^2, which the smallest risk does not undercut", symbol=r"\|P_{>k}f^*\|^2",
        ),
        quantity.equal(
            "limit_risk", Computed(lambda p, _: HUGE**-p.distance * float(p.target.norm2), "10^(-6 e) |f*|^2"),
            "at d = 10^6 a share d^-e of one degree is still missed, or already learned, e the distance of min(a, b) "
            "from a whole number",
            help="|P_{>k} f*|^2, against the equivalent's smallest risk at d = 10^6",
            symbol=r"\lim\min_\lambda\mathcal{R}",
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "min(a, b) is no whole number, nor within 0.2 of one", lambda p: p.distance >= CLEAR, ("limit_risk",)
        ),
    )
    views = (
        view.Curve(
            "sample_exponent", "0.75:2.25:7", ("best_risk",), by="d", by_values=(12, 24), bounds=("bound",),
            title="more samples, p = d^2.2",
        ),
        view.Curve(
            "neuron_exponent", "0.75:2.25:7", ("best_risk",), at={"sample_exponent": 2.2}, bounds=("bound",),
            title="more neurons, n = d^2.2",
        ),
        view.Curve(
            "ridge", "log:1e-4:10:6", ("risk",), by="sample_exponent", by_values=(1.2, 1.6), log_x=True,
            at={"d": 48, "neuron_exponent": 1.7}, title="the path of penalties",
        ),
    )  # fmt: skip
    default_seeds = 40
    engine = "full"
    presets = {
        "linear": {"sample_exponent": 1.5, "neuron_exponent": 1.7, "d": 48},
        "quadratic": {"sample_exponent": 2.3, "neuron_exponent": 2.4, "d": 20},
        "few-neurons": {"sample_exponent": 2.3, "neuron_exponent": 1.5, "d": 24},
    }
    convention = "(1/n)|y - f|^2 + (lambda/p)|a|^2, f = (1/p) sum a_i sigma(<w_i, x> + b_i), w ~ N(0, I/d), b ~ N(0, 1)"

    @property
    def samples(self) -> int:
        return count(1, self.d, self.sample_exponent, least=2)

    @property
    def neurons(self) -> int:
        return count(1, self.d, self.neuron_exponent, least=2)

    @property
    def degree(self) -> int:
        """k, the whole part of min(a, b)."""
        return floor(min(self.sample_exponent, self.neuron_exponent))

    @property
    def distance(self) -> float:
        """Of min(a, b) from the nearest whole number."""
        least = min(self.sample_exponent, self.neuron_exponent)
        return abs(least - round(least))

    def check(self) -> None:
        if self.target.directions > self.d or not self.target.is_polynomial:
            raise InputError("the target must be a polynomial of at most d directions: its degrees are then known")
        if self.neurons > MAX_NEURONS or self.cost().flops > MAX_WORK:
            raise InputError(
                f"n = {self.samples} samples and p = {self.neurons} neurons are too many; lower d or the exponents"
            )

    def risks(self, penalties: Sequence[float]) -> list[float]:
        """The predicted risk for each penalty."""
        spectrum = feature_kernel_spectrum(self.target, self.activation, self.d)
        return list(map(float, random_feature_risk(spectrum, self.samples, self.neurons, np.array(penalties))))

    def risk_at_large_d(self) -> float:
        """The smallest risk over penalties that the equivalent has where d is nearly infinite."""
        spectrum = feature_kernel_spectrum(self.target, self.activation, HUGE)
        samples, neurons = count(1, HUGE, self.sample_exponent), count(1, HUGE, self.neuron_exponent)
        return float(random_feature_risk(spectrum, samples, neurons, np.array(SMALL_PENALTIES)).min())

    def predict(self) -> Prediction:
        landscape = stairs_of(self.target, self.activation).landscape
        bound = float(landscape.spread(()).above(self.degree))
        (own,), path = self.risks([self.ridge]), self.risks(PENALTIES)
        return Prediction(
            {"risk": own, "best_risk": min(path), "bound": bound, "limit_risk": bound},
            regime="n = d^a, p = d^b, d to infinity; the risks at any large n and p",
            notes=(f"for d to infinity the risk goes to {bound:.4g} of |f*|^2 = {float(self.target.norm2):.4g}",),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, ridges = points[0], [p.ridge for p in points]
        problem = Problem(named.target, named.d)
        net = initialise(START, named.activation, named.d, named.neurons, run.streams.child("network"))
        sample = problem.sample(named.samples, run.streams.child("ridge data"))
        head = RidgeHead((*ridges, *PENALTIES), RidgeConvention.DKLPS23)
        path = fit_head(net, sample, head, threads=run.threads, progress=run.progress)
        risks = feature_moments(net, problem).risk(path.coefficients)
        least = float(risks[len(ridges) :].min())
        same = {"best_risk": least, "bound": least, "limit_risk": named.risk_at_large_d()}
        return [Measurement({"risk": float(risk), **same}) for risk in risks[: len(ridges)]]

    def cost(self) -> Cost:
        n, p = float(self.samples), float(self.neurons)
        small = min(n, p)
        flops = n * p * (2 * self.d + small + 30) + len(PENALTIES) * small**3 / 3 + 3000 * p**2 + 1e8
        return Cost(flops, 8 * (1024 * (self.d + 4 * p) + 6 * p**2 + 2 * n * p) + 2e7, small**3 / 3)
