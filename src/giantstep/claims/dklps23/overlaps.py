"""[dklps23] overlaps with the target, norms and rank of the weights after one giant step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

import numpy as np

from giantstep.claims import (
    Allowance,
    Computed,
    Hypothesis,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dklps23._leading import leading_derivative, slope_on
from giantstep.claims.dklps23._one_step import SHARE_ALLOWANCE, SHARE_REASON, OneStepClaim
from giantstep.claims.refusals import refuse_many_directions
from giantstep.claims.sizes import count
from giantstep.learners.engines import GiantStep, ReducedState, StepInfo, apply_gradient
from giantstep.theory.visibility import FirstStepLaw, share_given_overlap

SQUARE = {"sample_exponent": 2, "sample_factor": 4, "step_exponent": 0.5}
CUBE = {"sample_exponent": 3, "sample_factor": 2, "step_exponent": 1}
SECOND_ORDER = {"target": "x1 + He2(x2) + He2(x1)*x2", **SQUARE}
LATER = {"target": "He2(x1) + He3(x2)/3", **SQUARE}  # U_2 is x1 alone
SERIES = "exact on average over samples: only rounding, and the tail of a series for targets that are no polynomials"
NOISE = "exact on average over samples but for the noise, of which moments are taken at overlap 0"
MOMENTS = "second moments of the samples are taken at overlap 0: a relative error of order 1/d"
MOMENT_ERROR = Allowance(2, of="prediction", power=-1)
ROOT = Allowance(1, of="prediction", power=-0.5)  # the limit takes a ratio of averages for the average of a ratio
NEXT = "corrections of relative order 1/d"


@named(
    "dklps23/overlaps",
    kind="theorem",
    cite="dklps23",
    version=4,
    where="slides 'Behind the scenes' and the two theorems on n = Omega(d^l) before it",
    finding=(
        "The slide's overlap <w1, w_k*> = (eta a/p) mu*_{k,l} <w0, w_k*>^(l-1) lacks the factor mu_l(sigma)/(l-1)!, "
        "which slide_slope measures: 0.5 for ReLU at l = 1, not 1. Its norm 1 + d eta^2/(n p^2) is the square |w1|^2, "
        "up to constants. With l = 1 and n ~ d^2 samples (preset 'second-order') a step of sqrt(d) p moves overlaps "
        "of order m, square_other, by order 1, but |w1| grows as much: relative to it, energy_other, they stay at "
        "chance 1/d and nothing beyond the linear direction is learned."
    ),
)
class Overlaps(OneStepClaim):
    """One giant step moves all neurons along one vector if the target has a linear part, else each along its own.

    A neuron with overlaps m gains s a mu_l/(l-1)! C_l(m^{l-1}), where l is the information exponent of the target,
    C_l = E grad^l f* and s = eta/p. For l = 1 this is the same vector E grad f* for all, rank one. For l > 1 neurons
    together span U_l, the range of C_l: full rank.
    What of V* is not in U_l keeps chance weight. The norm grows by the noise of the batch: |w1|^2 = 1 + s^2 d E f*^2
    E s'^2/n and the signal. All predictions are for the overlaps drawn, to all orders in m.
    """

    target: parameters.Target = parameters.target("x1 + He2(x1) + x2 - He2(x2)")
    d: int = parameters.dimension(512, ge=8)
    neurons: int = parameters.neurons(40, help=parameters.PAIRED, ge=4, le=4096)
    sample_exponent: float = parameters.sample_exponent(1.0, symbol=r"\kappa,\ n = c d^\kappa")
    sample_factor: float = parameters.sample_factor(20.0)
    step: float = parameters.step(1.0, help="step size eta over p d^alpha", symbol=r"\eta/(p d^\alpha)", path=True)
    step_exponent: float = parameters.step_exponent(
        0.0, help="growth of the step with d, (l-1)/2 in the theorems", symbol=r"\alpha", path=True, le=4
    )

    quantities = (
        quantity.equal(
            "slide_slope", Allowance(0.002), SERIES, symbol=r"\mu_\ell(\sigma)/(\ell-1)!", against="finite",
            limit=Computed(lambda point, slope: 2 * point.exponent * abs(slope) / point.d, "2 l/d of the prediction")
            + Allowance(0.002),
            help="slope on the slide's formula: of the measured increments on C_l(m^(l-1)), all neurons and directions",
        ),
        quantity.equal(
            "gradient_energy", MOMENT_ERROR, NOISE, against="finite",
            help="squared length of the relevant gradient: within V*, mean over neurons", symbol=r"|P_{V^*} g|^2",
        ),
        quantity.equal(
            "norm2", MOMENT_ERROR, MOMENTS, symbol=r"|w^1|^2", against="finite",
            help="squared norm of a neuron after the step, mean over neurons",
        ),
        quantity.equal(
            "share", SHARE_ALLOWANCE, SHARE_REASON, against="finite", limit=ROOT, symbol=r"|P_{V^*} w^1|^2/|w^1|^2",
            help="share of the relevant directions in a neuron: after the step, mean over neurons",
        ),
        quantity.equal(
            "rank_ratio", ROOT + Allowance(2, of="prediction", power=-1, size="neurons"), against="finite",
            reason="neurons share noise as if orthogonal, up to d^(-1/2); singular values of p/2 noises are off by 1/p",
            when=lambda point: point.has_rank, symbol=r"s_k/s_1",
            help="deciding singular value, over the largest: of all overlap increments, that which decides the rank",
        ),
        quantity.slope(
            "rank_ratio", "d", lambda point: point.theory.rank_power(point.sample_exponent),
            Computed(lambda point, _: 0.1 * point.exponent, "0.1 l"), "corrections of relative order l/d",
            when=lambda p: p.has_rank and p.exponent <= p.sample_exponent <= max(2, p.exponent),
        ),
        quantity.equal(
            "energy_other", Allowance(0.1, of="prediction"), SHARE_REASON, against="finite", limit=ROOT,
            when=lambda point: point.has_others, symbol=r"|P_\perp w^1|^2/|w^1|^2",
            help="share of directions other than the leading ones: of the relevant ones beside U_l, mean over neurons",
        ),
        quantity.slope(
            "energy_other", "d", -1.0, 0.15, NEXT, when=lambda point: point.has_others and point.is_critical,
        ),
        quantity.equal(
            "square_other", MOMENT_ERROR, MOMENTS, against="finite", limit=ROOT,
            when=lambda point: point.is_second_order, symbol=r"|P_\perp w^1|^2",
            help="squared length along these other directions, the same not over |w1|^2",
        ),
        quantity.slope("square_other", "d", 0.0, 0.15, NEXT, when=lambda point: point.is_second_order),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the target has no mean, or its information exponent is at most 2: the mean moves overlaps by order m",
            lambda point: point.exponent <= 2 or not point.is_hidden_by_mean, ("slide_slope",)),
    )  # fmt: skip
    printed = (
        Printed("slide_slope", "<w1, w_k*> = (eta a/p) mu*_{k,l} <w0, w_k*>^(l-1), the factor being 1", lambda _: 1.0),
        Printed("norm2", "|w1| = 1 + d eta^2/(n p^2)", lambda p: (1 + p.d * p.size**2 / p.samples) ** 2),
    )
    views = (
        view.Curve("step", "log:0.03:30:7", ("share", "norm2"), log_x=True, title="l = 1, n = 20 d"),
        view.Curve(
            "d", (64, 128, 256, 512), ("rank_ratio", "energy_other", "slide_slope"), log_x=True, log_y=True,
            title="l = 1, n = 20 d",
        ),
        view.Curve(
            "d", (64, 256), ("rank_ratio", "gradient_energy"), log_x=True, log_y=True, seeds=40,
            at={"activation": "tanh"}, title="l = 1, tanh: only noise parts the neurons",
        ),
        view.Curve(
            "d", (32, 64, 128), ("rank_ratio", "slide_slope"), log_x=True, log_y=True, seeds=32,
            at={"target": "He2(x1) - He2(x2)/2", **SQUARE}, title="l = 2, n = 4 d^2",
        ),
        view.Curve(
            "d", (16, 24, 36), ("rank_ratio", "slide_slope"), log_x=True, seeds=32,
            at={"target": "x1*x2*x3", "activation": "tanh", **CUBE}, title="l = 3, n = 2 d^3",
        ),
        view.Curve(
            "d", (64, 128, 256), ("energy_other", "square_other"), log_x=True, log_y=True, together=True, seeds=24,
            at=SECOND_ORDER, y_label="share or squared length",
            title="l = 1, n = 4 d^2: the second direction",
        ),
        view.Curve("d", (32, 64, 128), ("energy_other",), log_x=True, log_y=True, seeds=64, at=LATER, title="l = 2"),
    )  # fmt: skip
    presets = {
        "exponent-1": {"d": 500},
        "exponent-1-large": {"d": 2000},
        "exponent-2-squares": {"target": "He2(x1) - He2(x2)/2", "d": 128, **SQUARE},
        "exponent-2-product": {"target": "x1*x2", "d": 128, **SQUARE},
        "exponent-3-cube": {"target": "He3(x1)", "activation": "relu(z + 0.5)", "d": 50, **CUBE},
        "exponent-3-product": {"target": "x1*x2*x3", "activation": "relu(z + 0.5)", "d": 50, **CUBE},
        "exponent-2-smaller": {**LATER, "d": 128},
        "second-order": {**SECOND_ORDER, "d": 128},
    }
    default_seeds = 80
    line_places = 13

    @property
    def samples(self) -> int:
        return count(self.sample_factor, self.d, self.sample_exponent, least=2)

    @property
    def size(self) -> float:
        """s = eta/p, the factor before a_i g_i."""
        return float(self.step * self.d**self.step_exponent)

    @property
    def theory(self) -> FirstStepLaw:
        return FirstStepLaw.of(self.target, self.activation, self.d, self.samples)

    @property
    def is_critical(self) -> bool:
        """Whether n grows at least like d^l, from where on the step is not all noise."""
        return self.sees and self.sample_exponent >= self.exponent

    @property
    def is_second_order(self) -> bool:
        """Whether the step is that of l = 2 though l = 1."""
        return self.has_others and self.exponent == 1 and self.sample_exponent >= 2 and self.step_exponent == 0.5

    @property
    def has_rank(self) -> bool:
        return self.sees and self.target.directions > 1

    @property
    def has_others(self) -> bool:
        return len(self.theory.other_space()) > 0

    def check(self) -> None:
        super().check()
        refuse_many_directions(self.target, 6)

    def predict(self) -> Prediction:
        theory = self.theory
        values = {"slide_slope": theory.slide_slope}
        values["share"] = theory.over_neurons(self.size, np.eye(self.target.directions))[1]
        if self.has_others:
            values["square_other"], values["energy_other"] = theory.over_neurons(self.size, theory.other_space())
        rank = "one" if self.exponent == 1 else len(theory.leading_space())
        return Prediction(
            values,
            regime="n and d large, fresh Gaussian samples, f = 0 at the start",
            notes=(
                f"the information exponent is {self.exponent}, the leading order has rank {rank} in "
                f"{self.target.directions} directions, the slide's formula is off by a factor {theory.factor:.4g}",
            ),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        start, seen = points[0].first_gradient(run)
        return [point.compared(start, seen) for point in points]

    def compared(self, start: ReducedState, seen: StepInfo) -> Measurement:
        """What the step did, beside what theory says of the overlaps and signs that were drawn."""
        theory, m, steps = self.theory, start.overlaps, self.size * start.second_layer
        after = apply_gradient(start, seen, GiantStep(self.size))
        moved, norms2 = seen.overlaps(start.directions), np.diag(after.gram)
        slide, full = leading_derivative(self.target, self.exponent, m), theory.overlaps(m)
        share = partial(share_given_overlap, self.law, m, self.d, self.samples, start=1 / steps)
        values = {
            "slide_slope": slope_on(slide, moved),
            "gradient_energy": float((moved**2).sum(axis=1).mean()),
            "norm2": float(norms2.mean()),
            "share": float(np.mean((after.overlaps**2).sum(axis=1) / norms2)),
        }
        finite = {"slide_slope": slope_on(slide, full), "share": float(share().mean())}
        finite["gradient_energy"] = float(theory.gradient_squares(m).mean())
        finite["norm2"] = float(theory.norms2(m, steps).mean())
        if self.has_rank:
            values["rank_ratio"] = float(theory.deciding_ratio(np.asarray(np.linalg.eigvalsh(moved.T @ moved))))
            finite["rank_ratio"] = theory.rank_ratio(m)
        if self.has_others:
            others = theory.other_space()
            squares = ((after.overlaps @ others.T) ** 2).sum(axis=1)
            values |= {"square_other": float(squares.mean()), "energy_other": float(np.mean(squares / norms2))}
            finite["square_other"] = float(theory.squares(m, steps, others).mean())
            finite["energy_other"] = float(share(onto=others).mean())
        return Measurement(values, finite)
