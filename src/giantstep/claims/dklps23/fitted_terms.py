"""[dklps23] which terms of the target a head fits after giant steps, one by one."""

from __future__ import annotations

from math import factorial, floor, prod

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
    Cost,
    Curve,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dklps23._stairs import FEW_SUFFICE, refuse_divergence, stairs_of
from giantstep.claims.refusals import refuse_few_dimensions, refuse_odd
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import RidgeConvention
from giantstep.learners.risk import feature_moments, term_correlations
from giantstep.learners.training import NARROW, first_layer
from giantstep.problems import Problem, Target
from giantstep.problems.analysis import Spread
from giantstep.theory.ridge import exact_spectrum, fitted_shares, learned_overlap, ridge_risk

MAX_WORK, MAX_NEURONS = 1e13, 4000
PENALTIES = tuple(np.geomspace(1e-5, 1e3, 17))
BIG = "x1 + He2(x2)/sqrt(2) + He2(x1)*x2/sqrt(2) + He4(x1)*He2(x2)*x3/sqrt(48) + He2(x2)*He2(x3)/2"
"""The slides' example with terms of equal energy: its own coefficients hide all terms behind the fourth, 48 of 57."""
SQUARE = {"sample_exponent": 2, "sample_factor": 8}
ON_U = "x1 + He2(x1)/sqrt(2) + x2*x3"
"""U is x1; what is left open is the product, which is not linear."""


MISSED = Allowance(1.5, power=-0.5, size="neurons")


def _seen(point: FittedTerms, _: float) -> float:
    """Min(n, p)(k+1)!(2/d)^(k+1): the share of degree k + 1 outside U that is seen, doubled by a step."""
    degree = point.degree + 1
    return float(min(1.0, min(point.samples, point.neurons) * factorial(degree) * (2 / point.d) ** degree))


@named(
    "dklps23/fitted-terms",
    kind="conjecture",
    cite="dklps23",
    where="slides 'Training the second layer': large p, Conjecture 3 and its example",
    finding=(
        "The example's table is right for n ~ d, as a limit. For n ~ d^2 it takes w2 for learned after one step, but "
        "the target has a linear part and the step shows x1 alone (dklps23/overlaps): He2(x2) is not fitted by a "
        "narrow network, nor He4(x1)*He2(x2)*x3 with p ~ d. Terms of degree k outside U are fitted to a share "
        "that depends on p/d^k and n/d^k, as the equivalent says."
    ),
)
class FittedTerms(Claim):
    """After a step that learns U a head fits all terms on U, outside it those of degree min(a, b) in part, no others.

    One giant step of n = c d^a fresh samples, p = c' d^b neurons, then ridge regression on n new samples. The share of
    a term t that is fitted is <f, t>/|t|^2, an exact expectation; `terms` are all of them in the order of the target's
    Hermite expansion, against the deterministic equivalent for the network that came out. `fit_on_U` is the least of
    those on U, `fit_beyond` the largest of those of degree above k outside U. For k = 0 and large p the risk, least
    over penalties, comes down to E Var(f* | P_U x), `reached`, up to the noise of the direction v that neurons share:
    of degree j along x1 a share <v, x1>^2j is fitted. Exponents need not be whole.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target(ON_U)
    d: int = parameters.dimension(128)
    sample_exponent: float = parameters.sample_exponent(1.0, help="exponent of the batch size", symbol="a", ge=1, le=3)
    neuron_exponent: float = parameters.neuron_exponent(0.0, help="exponent of the width", symbol="b", ge=0, le=3)
    sample_factor: float = parameters.sample_factor(200.0, symbol="n/d^a")
    neuron_factor: float = parameters.neuron_factor(64.0)
    step: float = parameters.step(4.0, help="step size per neuron, over d^((a-1)/2)", symbol="s")

    quantities = (
        quantity.equal(
            "terms", Allowance(0.04), "of the equivalent at finite n and p; labels of high degree have heavy tails",
            against="finite", help="fitted share of each term of the target", symbol=r"\langle f, t\rangle/|t|^2",
        ),
        quantity.equal(
            "fit_on_U", MISSED, "neurons of small second layer hardly move: what few others miss falls like p^(-1/2)",
            help="least fitted share of the terms on U, 1 for n/d to infinity", symbol=r"\min_{t \in U}",
            when=lambda point: point.neurons >= 32,
        ),
        quantity.at_most(
            "fit_beyond", _seen,
            "p neurons and n samples see a share min(n, p)(k+1)!/d^(k+1) of degree k+1, up to 2^(k+1) times that",
            help="largest fitted share of the terms of degree above k outside U", symbol=r"\max_{t > k}",
            when=lambda point: point.has_beyond,
        ),
        quantity.increasing(
            "fit_between", "neuron_factor", "more neurons fit more of degree k", symbol=r"\min_{0 < t \leq k}",
            help="least fitted share of the terms of degree 1 to k outside U", when=lambda point: point.has_between,
        ),
        quantity.at_least(
            "bound", Computed(lambda point, bound: bound * _seen(point, bound), "that share of the prediction"),
            "the same share of degree k+1",
            help="|P_{U,>k} f*|^2, which the smallest risk over penalties does not undercut",
            symbol=r"\|P_{U,>k}f^*\|^2",
        ),
        quantity.equal(
            "reached", MISSED, "what is missing of the terms on U, and p/n of all",
            help="smallest risk over penalties, which large p brings down to E Var(f* | P_U x)",
            symbol=r"\mathbb{E}\,\mathrm{Var}", when=lambda point: point.is_narrow and point.neurons >= 32,
        ),
        quantity.decreasing(
            "reached", "neuron_factor", "more neurons fit more on U", when=lambda point: point.is_narrow,
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "fit_beyond", "one step of n ~ d^2 samples learns w2 of the big example: He2(x2) is fitted",
            lambda p: 1.0 if p.target == Target(BIG) and p.sample_exponent == 2 and p.degree == 0 else None,
            relation="at least", allowance=Allowance(0.5),
        ),
    )  # fmt: skip
    hypotheses = (FEW_SUFFICE,)
    views = (
        view.Curve(
            "neuron_factor", (16, 64, 192), ("reached", "fit_on_U"), together=True, log_x=True, bounds=("bound",),
            seeds=14, y_label="risk or share", title="narrow: everything on U is learned",
        ),
        view.Curve(
            "neuron_factor", (0.5, 2), ("fit_between", "fit_beyond"), together=True, log_x=True,
            at={"target": BIG, "d": 64, "neuron_exponent": 1, "neuron_factor": 2}, title="big example, n ~ d, p ~ d",
        ),
        view.Curve(
            "neuron_exponent", (0.5, 1, 1.5), ("fit_on_U", "fit_beyond"), together=True,
            at={"target": BIG, "d": 32, "neuron_factor": 4, **SQUARE},
            title="the big example, n ~ d^2",
        ),
    )  # fmt: skip
    presets = {
        "on-U": {},
        "big-d-1": {"target": BIG},
        "big-d-d": {"target": BIG, "d": 100, "neuron_exponent": 1, "neuron_factor": 2},
        "big-d2-1": {"target": BIG, "d": 48, **SQUARE},
        "big-d2-d": {"target": BIG, "d": 32, **SQUARE, "neuron_exponent": 1, "neuron_factor": 2},
        "big-d2-d2": {"target": BIG, "d": 24, **SQUARE, "neuron_exponent": 2, "neuron_factor": 1},
    }
    default_seeds = 16
    engine = ("reduced", "full")  # full where p is more than d/8
    convention = "(1/n)|y - f|^2 + (lambda/p)|a|^2 with f = (1/p) sum a_i sigma; steps as w_i += s a_i g_i"

    @property
    def samples(self) -> int:
        return count(self.sample_factor, self.d, self.sample_exponent, least=2)

    @property
    def neurons(self) -> int:
        return 2 * count(self.neuron_factor / 2, self.d, self.neuron_exponent)

    @property
    def degree(self) -> int:
        """k: what is fitted outside U."""
        return floor(min(self.sample_exponent, self.neuron_exponent))

    @property
    def order(self) -> int:
        """The degree at which the step sees the target: its linear part hides all others."""
        return 1 if self.target.linear.any() else floor(self.sample_exponent)

    @property
    def spread(self) -> Spread:
        stairs = stairs_of(self.target, self.activation, self.order)
        return stairs.landscape.spread(stairs.after(1))

    @property
    def outer_degrees(self) -> Array:
        """The degree outside U of each term of the target, (terms,)."""
        learned = np.abs(np.array(stairs_of(self.target, self.activation, self.order).after(1), dtype=np.float64))
        off = np.ones(self.target.directions) if not learned.size else 1.0 - (learned.sum(axis=0) > 0)
        return np.array([np.asarray(a) @ off for a in self.target.hermite()])

    @property
    def has_beyond(self) -> bool:
        return bool((self.outer_degrees > self.degree).any())

    @property
    def has_between(self) -> bool:
        return bool(((self.outer_degrees > 0) & (self.outer_degrees <= self.degree)).any())

    @property
    def is_narrow(self) -> bool:
        """Whether k = 0 and nothing outside U is linear, which p/d of it would be fitted."""
        return self.degree == 0 and float(self.spread.above(0)) == float(self.spread.above(1))

    def check(self) -> None:
        refuse_odd("neurons", self.neurons)
        refuse_few_dimensions(self.target, self.d, spare=1)
        refuse_divergence(self.activation, 1)
        basis = np.array(stairs_of(self.target, self.activation, self.order).after(1), dtype=np.float64)
        if not self.target.is_polynomial or (basis.size and (np.count_nonzero(basis, axis=1) > 1).any()):
            raise InputError(
                f"the target {self.target} must be a polynomial, and what one step learns of it some of its xk"
            )
        if self.neurons > MAX_NEURONS or self.cost().flops > MAX_WORK:
            raise InputError(f"n = {self.samples:.2g} samples with p = {self.neurons} neurons are too many; lower d")

    def predict(self) -> Prediction:
        left = float(self.spread.above(self.degree))
        on_u, per_dim = self.outer_degrees == 0, self.samples / self.d
        aligned = learned_overlap(self.target, per_dim) ** 2 if self.order == 1 else 1.0
        powers = np.array([sum(a) for a in self.target.hermite()])[on_u]
        energies = np.array([float(c) ** 2 * prod(map(factorial, a)) for a, c in self.target.hermite().items()])[on_u]
        open_on_u = float(energies @ (1 - aligned**powers))
        values = {"bound": left, "reached": left + open_on_u, "fit_beyond": 0.0}
        values["fit_on_U"] = float(aligned ** powers.max(initial=0))
        told = [f"degree {int(k)} outside U: term {i}" for i, k in enumerate(self.outer_degrees, 1)]
        return Prediction(values, "d to infinity, n ~ d^a, p ~ d^b, then large factors", ("; ".join(told),))

    def measure(self, run: Run) -> Measurement:
        step = self.step * self.d ** ((self.sample_exponent - 1) / 2)
        net, problem = first_layer(
            Problem(self.target, self.d), self.activation, self.samples, self.neurons, step, 1, run.streams,
            threads=run.threads, progress=run.progress,
        )  # fmt: skip
        sample = problem.sample(self.samples, run.streams.child("ridge data"))
        path = fit_head(net, sample, RidgeHead(PENALTIES, RidgeConvention.DKLPS23), threads=run.threads)
        moments, (terms, energies) = feature_moments(net, problem), term_correlations(net, self.target)
        risks = moments.risk(path.coefficients)
        best = int(np.argmin(risks))
        shares, off, least = terms @ path.coefficients[best] / energies, self.outer_degrees, float(risks[best])
        found = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
        kappa = float(ridge_risk(found, self.samples, path.per_feature[best : best + 1]).kappa[0])
        known = fitted_shares(moments.covariance, moments.cross, terms, energies, kappa)
        numbers, values = np.arange(1.0, len(off) + 1), {"bound": least, "reached": least}
        groups = {"fit_on_U": (off == 0, np.min), "fit_beyond": (off > self.degree, np.max)}
        groups["fit_between"] = ((off > 0) & (off <= self.degree), np.min)
        values |= {name: float(pick(shares[which])) for name, (which, pick) in groups.items() if which.any()}
        curve = Curve(numbers, shares, "term")
        return Measurement({**values, "terms": curve}, finite={"terms": Curve(numbers, known, "term")})

    def cost(self) -> Cost:
        n, p = float(self.samples), float(self.neurons)
        inputs = p + self.target.directions if NARROW * p <= self.d else float(self.d)
        flops = n * p * (4 * inputs + 30) + n * p * (2 * inputs + p + 30) + 30 * p**3 + 1e8
        return Cost(flops, 8 * (1024 * (inputs + 4 * p) + 8 * p**2 + 4 * p * inputs) + 2e7)
