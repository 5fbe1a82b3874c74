"""[dls22] after the step all happens in r directions: a head needs r^p samples and r^p neurons, whatever d is."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.dls22._algorithm import RELU
from giantstep.claims.dls22._descent import descent_of
from giantstep.claims.sizes import count, local_exponent
from giantstep.errors import InputError
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import Initialisation, RidgeConvention, Scaling, initialise
from giantstep.learners.risk import feature_moments
from giantstep.problems import Problem, Target
from giantstep.theory.kernels import best_head, feature_kernel_spectrum, kernel_floor, random_feature_risk

MOST = (10**6, 4000)  # samples and neurons
PENALTIES = tuple(map(float, np.geomspace(1e-7, 10, 17)))
SMALL = (1e-16, 1e-12, 1e-8)  # penalties at which the equations are asked where r is large
LARGE = {
    3: 1000,
    4: 250,
}  # directions from which on the equations' exponent is read off, by the highest degree: beyond,
# eigenvalues of this degree are below the rounding of the kernel's largest
START = Initialisation("gaussian", "signs", biases="gaussian", scaling=Scaling.INVERSE_WIDTH)
DESCENT_RIDGE = 0.1  # of the descent, over the mean square of a feature


@lru_cache(maxsize=16)
def half_width(target: Target, r: int) -> float:
    """The m at which the best head without penalty has half of |f*|^2 left, in r dimensions, by the equations."""
    spectrum = feature_kernel_spectrum(target, RELU, r)
    low, high = 0.0, (target.degree or 0) * math.log(10 * r)
    for _ in range(30):
        middle = (low + high) / 2
        least = min(best_head(spectrum, round(math.exp(middle)), ridge).risk for ridge in SMALL)
        low, high = (middle, high) if least > target.norm2 / 2 else (low, middle)
    return math.exp(high)


@named(
    "dls22/head-size",
    kind="theorem",
    cite="dls22",
    version=2,
    where="lecture notes 'learn a': width m >= r^p, |a*|, T = 1/(eta lambda), 'Gen. Bound'; slides 'Transfer Learning'",
    finding=(
        "A head on r learned directions has the risk of random features in r dimensions: half of degree p is learned "
        "from about r^p/p! samples or neurons. |a*| sqrt(m) grows more slowly than r^p, like r^(p/2); the three terms, "
        "whose constant is left open, hold with 1 up to degree 3; He4 needs 1.2 (preset 'quartic', stated with 2); "
        "sqrt(r^(4p+1)/N) is larger by a factor of a thousand."
    ),
)
class HeadSize(Claim):
    """On r learned directions a head needs r^p samples and r^p neurons for a degree p, and its norm is ~ m^(-1/2).

    The step of Algorithm 1 from infinitely many samples leaves weights H w in the r directions of the source. All of
    them equal, new heads are random feature regression in r dimensions, of which the risk at N = c r^a samples and m =
    c' r^b neurons is known (`risk`, least over penalties), and so are risk and norm of the best head of all
    (`approximation`, `norm`, at penalty `ridge`). The notes' bounds are held against them: |a*| <= r^p kappa^p/sqrt(m)
    and three terms (r^p kappa^2p/N)^(1/2) + (r^p kappa^2p/m)^(1/2) + N^(-1/4), fresh samples having taken d out of the
    first. The weakest direction is x1, `condition` times weaker than the others. Gradient descent on the head with
    decay lambda runs for T = 1/(eta lambda) steps.
    """

    target: parameters.Target = parameters.target("He3(x1)/sqrt(6)", help="task of the new head", symbol="f_T")
    directions: int = parameters.directions(6, help="directions of the source, all learned", ge=3)
    sample_exponent: float = parameters.sample_exponent(3.0, help="exponent of N in r", symbol=r"a,\ N = c r^a")
    sample_factor: float = parameters.sample_factor(4.0, help="samples over their power of r")
    neuron_exponent: float = parameters.neuron_exponent(3.0, help="exponent of m in r", symbol=r"b,\ m = c' r^b")
    neuron_factor: float = parameters.neuron_factor(0.5, help="neurons over their power of r", symbol="c'")
    condition: float = parameters.condition(1.0)
    ridge: float = parameters.ridge(1e-4, path=False, help="penalty of the best head, times m |a|^2")

    quantities = (
        *quantity.equals(
            {
                "risk": ("smallest risk of the head over penalties, N samples", r"\mathcal{R}_N"),
                "approximation": ("risk of the best head, N = infinity, at penalty lambda", r"\mathcal{R}_\infty"),
            },
            Allowance(0.15, of="prediction"),
            "the equivalents are asymptotic in N, m and r: heavy tails raise risks by 10 % at r = 8, more below r = 6",
            when=lambda point: point.condition == 1 and point.directions >= 6,
        ),
        quantity.equal(
            "norm", Allowance(0.1, of="prediction"),
            "neurons of few dimensions differ in length: a head leans on the longest ones, up to 7 % at r = 6 to 10",
            help="length of the best head: |a*| at penalty lambda, f = sum_j a_j sigma_j", symbol=r"|a^*|",
            when=lambda point: point.condition == 1 and point.neurons >= point.directions**2,
        ),
        quantity.slope(
            "norm", "neuron_factor", -0.5, 0.12, "m is four times r^p or more: what is left is of order r^p/m",
            when=lambda point: point.condition == 1 and point.neurons >= 4 * point.size,
        ),
        quantity.at_least(
            "floor", Allowance(0), "min(N, m) features hold at most min(N, m)/n_l of the harmonics of degree l of r "
            "dimensions: exact in the mean", help="the same risk, and the floor that it cannot undercut",
            symbol=r"\mathcal{R}_N", when=lambda point: point.condition == 1,
        ),
        quantity.equal(
            "size_exponent", Allowance(0.02, of="prediction"), "corrections of order 1/r at r = 1000; 250 for degree 4",
            help="p, against the exponent in r, by the equations from this r to 4 r, of the m that halves the risk",
            symbol=r"p", when=lambda point: point.degree <= max(LARGE),
        ),
        quantity.decreasing(
            "norm_ratio", "directions", "r^p is an upper bound: r^(p/2) is enough", symbol=r"|a^*|\sqrt{m}/(r\kappa)^p",
            help="length of the head, over its bound: |a*| over r^p kappa^p/sqrt(m)",
        ),
        quantity.decreasing("norm_ratio", "condition", "kappa^p is an upper bound at a fixed penalty"),
        quantity.at_most(
            "three_terms", Allowance(0), "an upper bound with constant 1 up to degree 3 and 2 above; a mean of "
            "|f - f*| is below the root of a mean square",
            help="root of the risk: above the mean of |f - f*|, against the three terms", symbol=r"\mathcal{R}_N^{1/2}",
        ),
        quantity.at_most(
            "slide_bound", Allowance(0), "an upper bound with constant 1", symbol=r"\mathcal{R}_N^{1/2}",
            help="sqrt(risk) against the slides' sqrt(r^(4p+1)/N), for m >= r^p", when=lambda p: p.neurons >= p.size,
        ),
        quantity.at_most(
            "descent_left", Allowance(0), "each mode shrinks by 1 - eta lambda a step or faster",
            help="|a_T - a_ridge|/|a_0 - a_ridge| after T = 1/(eta lambda) steps, against 1/e",
            symbol=r"|a_T - a_\lambda|/|a_0 - a_\lambda|",
        ),
        quantity.at_most(
            "descent_norm", Allowance(1e-9), "from a_0 = 0 no mode passes its limit; rounding",
            help="|a_T|/|a_ridge| after as many steps from a_0 = 0", symbol=r"|a_T|/|a_\lambda|",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "directions", (6, 8, 10), ("risk",), by="sample_exponent", by_values=(2, 3), bounds=("floor",), log_x=True,
            title="N = 4 r^a samples",
        ),
        view.Curve(
            "directions", (6, 8, 10), ("risk", "approximation"), by="neuron_exponent", by_values=(2, 3), together=True,
            log_x=True, title="m = r^b/2 neurons",
        ),
        view.Curve(
            "neuron_factor", (4, 8, 16), ("norm",), at={"directions": 4}, log_x=True, log_y=True,
            title="the norm of the head, r = 4",
        ),
        view.Curve(
            "condition", (1, 2, 4), ("norm_ratio", "three_terms"), at={"directions": 4, "neuron_factor": 2},
            log_x=True, log_y=True, title="the bounds, for a weak direction",
        ),
    )  # fmt: skip
    presets = {
        "few-neurons": {"neuron_exponent": 2},
        "weak-direction": {"condition": 4},
        "quartic": {"target": "He4(x1)/sqrt(24)", "directions": 4, "sample_exponent": 4, "neuron_exponent": 4},
    }
    default_seeds = 28
    engine = "full"
    convention = (
        "f = sum a_j sigma(<w_j, x> + b_j), mean of |w_j|^2 = 1, b_j ~ N(0, 1); |H|_F^2 = 2, kappa = |H^+|/sqrt(r)"
    )

    @property
    def degree(self) -> int:
        """p."""
        return self.target.degree or 0

    @property
    def size(self) -> float:
        """r^p."""
        return float(self.directions**self.degree)

    @property
    def samples(self) -> int:
        return count(self.sample_factor, self.directions, self.sample_exponent, least=2)

    @property
    def neurons(self) -> int:
        return count(self.neuron_factor, self.directions, self.neuron_exponent, least=2)

    @property
    def eigenvalues(self) -> Array:
        """Of H, (r,), with sum of squares 2: those of a source with E f^2 = 1 and no other degree."""
        found = np.append(1 / self.condition, np.ones(self.directions - 1))
        return np.asarray(found * math.sqrt(2 / float(found @ found)))

    @property
    def kappa(self) -> float:
        return float(1 / self.eigenvalues.min() / math.sqrt(self.directions))

    def check(self) -> None:
        if not self.target.is_polynomial or self.degree < 1 or self.target.directions > self.directions:
            raise InputError(
                f"the target {self.target} is not allowed; it must be a polynomial of at most r directions"
            )
        if self.samples > MOST[0] or self.neurons > MOST[1]:
            raise InputError(f"N = {self.samples} samples or m = {self.neurons} neurons are too many to be run")

    def predict(self) -> Prediction:
        r, n, m = self.directions, self.samples, self.neurons
        root = self.size * self.kappa ** (2 * self.degree)
        length = math.sqrt(self.target.norm2)  # the notes have |f*| = 1
        constant = length if self.degree <= 3 else 2 * length
        values = {
            "size_exponent": float(self.degree),
            "three_terms": constant * (math.sqrt(root / n) + math.sqrt(root / m) + n**-0.25),
            "slide_bound": length * math.sqrt(r ** (4 * self.degree + 1) / n),
            "descent_left": math.exp(-1),
            "descent_norm": 1.0,
        }
        if self.condition == 1:
            spectrum = feature_kernel_spectrum(self.target, RELU, r)
            best = best_head(spectrum, m, self.ridge)
            values |= {"approximation": best.risk, "norm": best.norm}
            values["risk"] = float(random_feature_risk(spectrum, n, m, np.array(PENALTIES)).min())
            values["floor"] = kernel_floor(self.target, r, min(n, m))
        return Prediction(
            values, "all directions learned, d to infinity before N and m", (f"kappa = {self.kappa:.4g}",)
        )

    def measure(self, run: Run) -> Measurement:
        problem, m, r = Problem(self.target, self.directions), self.neurons, self.directions
        net = initialise(START, RELU, r, m, run.streams.child("network"))
        net = replace(net, weights=net.weights * self.eigenvalues * math.sqrt(r / 2))
        sample = problem.sample(self.samples, run.streams.child("head data"))
        path = fit_head(net, sample, RidgeHead(PENALTIES, RidgeConvention.DKLPS23), threads=run.threads)
        moments = feature_moments(net, problem)
        risk = float(moments.risk(path.coefficients).min())
        best = np.asarray(np.linalg.solve(moments.covariance + self.ridge * m * np.eye(m), moments.cross), np.float64)
        norm, root = float(np.linalg.norm(best)), math.sqrt(max(risk, 0.0))
        values = {"risk": risk, "floor": risk, "three_terms": root, "slide_bound": root, "norm": norm}
        values |= {
            "norm_ratio": norm * math.sqrt(m / self.target.norm2) / (self.size * self.kappa**self.degree),
            "approximation": float(moments.risk(best)),
        }
        large = next((r for degree, r in LARGE.items() if self.degree <= degree), None)
        if large is not None:
            values["size_exponent"] = local_exponent(partial(half_width, self.target), large, (1, 4))
        found = descent_of(net, sample, DESCENT_RIDGE * float(np.trace(moments.covariance)) / m)
        values["descent_left"], values["descent_norm"] = found
        return Measurement(values)

    def cost(self) -> Cost:
        n, m = float(self.samples), float(self.neurons)
        return Cost(6 * n * m * (self.directions + m) + 100 * m**3 + 300 * m**2 + 2e8, 8 * (6 * m**2 + 2 * n * m) + 4e7)
