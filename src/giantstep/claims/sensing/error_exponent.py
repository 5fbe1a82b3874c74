"""[soltanolkotabi22] how the final error depends on the size of the start."""

from __future__ import annotations

from math import log
from typing import Literal

import numpy as np

from giantstep.arrays import Array
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
from giantstep.claims.sensing._sensing import SIDE, SensingClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import SensingDescent, settled_error
from giantstep.theory.sensing import error_exponent, errors_on_draw, growth_time, limit_exponent

STAYS = 2e-3  # relative error at the larger scale up to which it stays where it is
THEOREM = 21 / 16  # the exponent in the talk's theorem


def _below_the_edge(point: ErrorExponent, _: float) -> float:
    edge, top, mu = point.spectrum.edge, point.spectrum.top, point.step
    return float(2 * mu * edge * point.d ** (-2 / 3) / ((1 + mu * edge) * log(1 + mu * top)))


ENOUGH = {"symmetric": 20.0, "asymmetric": 40.0}
LEAST_OVERSAMPLING = {"symmetric": 3.0, "asymmetric": 6.0}


@named(
    "sensing/error-exponent",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Our result', theorem of Xie, Stoeger and Soltanolkotabi: error < poly alpha^(21/16)",
    finding=(
        "There is no universal exponent: the error at which gradient descent settles is alpha^p with "
        "p = 2(1 - ln(1 + 2 mu s)/ln(1 + mu(1 + s^2))) as alpha -> 0, s^2 = d r*/(2m) (asymmetric: d r*/m). It runs "
        "from below 1 to 2 with the number of measurements. It passes 21/16 between m = 18 and 19 d r* for U U^T, at "
        "twice that for U V^T (mu = 1/4); the slide's m = 10 d r* lies below it, also at alpha = 0.001 to 10^-6, where "
        "exponents are larger by 0.1. The theorem stands: it supposes a restricted isometry constant that so few "
        "measurements do not give; from 20 d r* measurements on (40 for U V^T) its inequality holds."
    ),
    version=3,
)
class ErrorExponent(SensingClaim):
    """The final error is a power of the size of the start, with an exponent that the number of measurements sets.

    While the signal grows from alpha to 1, noise grows too, by 1 + mu lambda a step in each eigendirection of the noise
    of Z; then both stop, and the noise that is left is the error. Its law is the semicircle, so the error is known
    without fitting a constant; for the Z and the start drawn it is known more closely. `exponent` is the slope of
    ln(error) in ln(alpha) from `scale` down, over so many `decades`, `log_error` that logarithm at the smallest;
    `limit_exponent`, for alpha -> 0, is that of the growth rates which the drawn Z has.
    """

    d: int = parameters.dimension(80, **SIDE)
    columns: int = parameters.columns(0, help="rows of V; 0: as many as U has", ge=0)
    true_rank: int = parameters.true_rank(2)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-3)
    decades: int = parameters.own(3, "decades below scale over which the exponent is taken", ge=1, le=6)
    model: Literal["symmetric", "asymmetric"] = parameters.model("symmetric")
    measured: Literal["gaussian", "population"] = parameters.measured("gaussian")

    quantities = (
        quantity.equal(
            "exponent",
            Allowance(0.003) + Computed(lambda point, _: 10 * point.s2**2, "10 s^4"),
            "how the growth of noise ends, while the signal turns to the truth, is neglected; it is of order s^4",
            help="exponent of the error in the scale: slope of ln(error) in ln(alpha)", symbol="p", against="finite",
            limit=Computed(
                lambda point, _: 0.03 * (100 / point.d) ** (2 / 3) * (1 + 5 / point.oversampling),
                "0.03 (1 + 5/oversampling) at d = 100, falling like d^(-2/3), as eigenvalues of the noise scatter",
            ),
        ),
        quantity.equal(
            "log_error",
            Allowance(0.02) + Computed(lambda point, _: 6 * point.s2, "6 s^2"),
            "noise still grows a little while the signal turns to the truth, by a share of order s^2",
            help="ln of the relative error at the smallest scale",
            against="finite",
            limit=Allowance(1.0),
        ),
        quantity.equal(
            "limit_exponent",
            Allowance(1e-6) + Computed(_below_the_edge, "what an edge lower by d^(-2/3) makes of the exponent"),
            "at a finite d the largest eigenvalue of the noise lies below the edge, by some 0.6 d^(-2/3) of it",
            help="exponent for a vanishing scale: alpha -> 0; measured: from the growth rates of the Z drawn",
            symbol=r"p_\infty",
        ),
        quantity.at_least(
            "theorem",
            Allowance(0),
            "with measurements enough exponents are above it, and at a finite alpha larger by 0.1",
            help="the same slope of ln(error) in ln(alpha); predicted: at least the 21/16 of the talk's theorem",
            is_exponent=True,
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            f"the start leaves an error below {STAYS:g}: a larger one shrinks by itself, if slowly, and never settles",
            lambda point: point.final_error(point.scale).value <= STAYS,
            ("exponent", "log_error", "theorem"),
        ),
        Hypothesis(
            "the restricted isometry constant is small enough: 20 d r* measurements, 40 for U V' and its longer side",
            lambda point: point.is_population or point.oversampling >= ENOUGH[point.model] * max(point.shape) / point.d,
            ("theorem",),
        ),
    )
    printed = (
        Printed(
            "exponent",
            "the error is at most a constant times alpha^(21/16), whatever the number of measurements",
            lambda _: THEOREM,
            relation="at least",
        ),
    )
    views = (
        view.Curve(
            "oversampling", (5, 7.5, 10, 14, 20, 40), ("exponent", "limit_exponent"), bounds=("theorem",), log_x=True,
            title="symmetric, $U U^T$",
        ),
        view.Curve(
            "step", (0.1, 0.25, 0.6), ("exponent",), log_x=True, at={"oversampling": 20, "d": 60}, seeds=8,
            title="step sizes",
        ),
        view.Curve(
            "d", (40, 80, 160), ("limit_exponent",), log_x=True, at={"oversampling": 10, "decades": 1},
            seeds=8, title="towards the limit",
        ),
        view.Curve(
            "oversampling", (10, 20, 40), ("exponent",), bounds=("theorem",), log_x=True, seeds=8,
            at={"model": "asymmetric", "d": 50}, title="asymmetric, $U V^T$",
        ),
        view.Curve(
            "columns", (24, 72), ("exponent", "limit_exponent"), seeds=6, title="sides that differ, d = 48",
            at={"model": "asymmetric", "d": 48, "oversampling": 20},
        ),
    )  # fmt: skip
    presets = {
        "rectangular": {"model": "asymmetric", "d": 48, "columns": 24, "oversampling": 20},
        "slide": {"d": 200, "true_rank": 5, "oversampling": 10, "rank": 20},
        "population": {"measured": "population"},
        "asymmetric": {"model": "asymmetric", "d": 50, "oversampling": 20},
    }
    default_seeds = 12
    engine = ("revealed", "population")

    @property
    def is_symmetric(self) -> bool:
        return self.model == "symmetric"

    @property
    def is_population(self) -> bool:
        return self.measured == "population"

    @property
    def shape(self) -> tuple[int, int]:
        return self.d, self.columns or self.d

    @property
    def s2(self) -> float:
        """s^2, the variance of the noise of Z, of the longer side."""
        return max(self.spectrum.s, self.spectrum.across or 0.0) ** 2

    @property
    def scales(self) -> Array:
        """The sizes of the start that are compared."""
        return np.array([self.scale, self.scale * 10.0**-self.decades])

    @property
    def horizon(self) -> int:
        """About how long it takes: the signal grows, and the slowest direction shrinks below the error predicted."""
        scale = float(self.scales[-1])
        growth, rate = growth_time(self.step, scale, self.spectrum.top), -self.refinement.rate
        return int(growth + 1.1 * max(0.0, log(1 / self.final_error(scale).value)) / rate + 5 / self.step)

    def check(self) -> None:
        if self.shape[0] != self.shape[1] and (self.is_symmetric or self.shape[1] <= self.true_rank):
            raise InputError(
                f"columns = {self.columns} is not allowed; only U V' has sides of its own, above the true rank"
            )
        if self.rank <= self.true_rank:
            raise InputError(
                f"rank = {self.rank} is not allowed; it must exceed the true rank {self.true_rank}: otherwise the "
                "truth is recovered exactly, whatever the scale"
            )
        if self.scale > 0.01:
            raise InputError(f"scale = {self.scale} is not allowed; the exponent is one of small starts, 0.01 at most")
        least = LEAST_OVERSAMPLING[self.model]
        if not self.is_population and self.oversampling < least:
            raise InputError(
                f"oversampling = {self.oversampling} is not allowed; with fewer than {least:g} d r* measurements the "
                "noise of Z comes close to its signal"
            )
        super().check()

    def predict(self) -> Prediction:
        last = self.final_error(float(self.scales[-1]))
        settings = (self.d, self.true_rank, self.rank, self.m, self.step)
        values = {"limit_exponent": limit_exponent(self.spectrum, self.step), "theorem": THEOREM}
        if self.shape[0] == self.shape[1]:
            values["exponent"] = error_exponent(*settings, self.scales, symmetric=self.is_symmetric)
            values["log_error"] = log(last.value)
        return Prediction(
            values,
            regime="small alpha, s^2 = d r*/(2m) well below 1, r > r*",
        )

    def measure(self, run: Run) -> Measurement:
        errors = []
        for scale in self.scales.tolist():
            problem = self.problem(run.streams)
            problem.spectral_matrix()  # asked first, so that Z is the same for all scales
            errors.append(settled_error(SensingDescent(problem, self.step), self.start(run.streams, scale)))
        spectral, start = self.problem(run.streams).spectral_matrix(), self.start(run.streams, 1.0)
        factors = (start.left, start.right)
        expected = errors_on_draw(spectral, factors, self.true_rank, self.step, self.scales)
        slope = self.slope_of(np.array(errors))
        return Measurement(
            {
                "exponent": slope,
                "theorem": slope,
                "log_error": log(errors[-1]),
                "limit_exponent": self.growth_exponent(spectral),
            },
            finite={"exponent": self.slope_of(expected), "log_error": log(float(expected[-1]))},
        )

    def slope_of(self, errors: Array) -> float:
        return float(np.polyfit(np.log(self.scales), np.log(errors), 1)[0])

    def growth_exponent(self, spectral: Array) -> float:
        """2 (1 - growth of the strongest noise/growth of the signal), from the eigenvalues of Z as drawn."""
        values = np.linalg.eigvalsh(spectral) if self.is_symmetric else np.linalg.svd(spectral, compute_uv=False)
        growth = np.log1p(self.step * np.sort(values)[::-1])
        return float(2 * (1 - growth[self.true_rank] / growth[: self.true_rank].mean()))
