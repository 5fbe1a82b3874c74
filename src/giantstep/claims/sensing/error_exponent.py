"""[soltanolkotabi22] how the final error depends on the size of the start."""

from __future__ import annotations

from math import log
from typing import Literal

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Computed, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import SIDE, SensingClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import SensingDescent, settled_error
from giantstep.theory.sensing import error_exponent, growth_time

THEOREM = 21 / 16  # the exponent in the talk's theorem
LEAST_OVERSAMPLING = {"symmetric": 3.0, "asymmetric": 6.0}


@named(
    "sensing/error-exponent",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Our result', theorem of Xie, Stoeger and Soltanolkotabi: error < poly alpha^(21/16)",
    finding=(
        "There is no universal exponent: the error at which gradient descent settles is alpha^p with "
        "p = 2(1 - ln(1 + 2 mu s)/ln(1 + mu(1 + s^2))) as alpha -> 0, s^2 = d r*/(2m) (asymmetric: d r*/m). It runs "
        "from below 1 to 2 with the number of measurements and passes 21/16 near m = 14 d r*; the slide's m = 10 d r* "
        "lies below it. The theorem stands: it supposes a restricted isometry constant that so few measurements do "
        "not give."
    ),
)
class ErrorExponent(SensingClaim):
    """The final error is a power of the size of the start, with an exponent that the number of measurements sets.

    While the signal grows from alpha to 1, noise grows too, by 1 + mu lambda a step in each eigendirection of the noise
    of Z; then both stop, and the noise that is left is the error. Its law is the semicircle, so the error is known
    without fitting a constant. `exponent` is the slope of ln(error) in ln(alpha) between `scale` and `scale`
    10^-`decades`.
    """

    d: int = parameters.dimension(80, **SIDE)
    true_rank: int = parameters.true_rank(2)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-3)
    decades: int = parameters.own(3, "decades below scale over which the exponent is taken", ge=1, le=6)
    model: Literal["symmetric", "asymmetric"] = parameters.model("symmetric")
    measured: Literal["gaussian", "population"] = parameters.measured("gaussian")

    quantities = (
        quantity.equal(
            "exponent",
            Computed(
                lambda point, _: 0.03 * (100 / point.d) ** (2 / 3) * (1 + 5 / point.oversampling),
                "0.03 (1 + 5/oversampling) at d = 100, falling like d^(-2/3)",
            ),
            "the largest eigenvalues of the noise scatter by d^(-2/3), and matter more the fewer measurements there "
            "are",
            help="slope of ln(error) in ln(alpha)",
            symbol="p",
        ),
        quantity.reported("limit_exponent", help="the same as alpha -> 0", symbol=r"p_\infty"),
        quantity.reported("theorem", help="the exponent 21/16 of the talk's theorem"),
        quantity.reported("error", help="relative error at the smallest scale"),
    )
    views = (
        view.Curve(
            "oversampling", (5, 7.5, 10, 14, 20, 40), ("exponent",), bounds=("theorem",), log_x=True,
            title="symmetric, $U U^T$",
        ),
        view.Curve(
            "oversampling", (10, 20, 40), ("exponent",), bounds=("theorem",), log_x=True, seeds=8,
            at={"model": "asymmetric", "d": 50}, title="asymmetric, $U V^T$",
        ),
    )  # fmt: skip
    presets = {
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
        return Prediction(
            {
                "exponent": error_exponent(*settings, self.scales, symmetric=self.is_symmetric),
                "limit_exponent": last.limit_exponent,
                "theorem": THEOREM,
                "error": last.value,
            },
            regime="small alpha, s^2 = d r*/(2m) well below 1, r > r*",
        )

    def measure(self, run: Run) -> Measurement:
        errors = []
        for scale in self.scales.tolist():
            problem = self.problem(run.streams)
            problem.spectral_matrix()  # asked first, so that Z is the same for all scales
            errors.append(settled_error(SensingDescent(problem, self.step), self.start(run.streams, scale)))
        exponent = float(np.polyfit(np.log(self.scales), np.log(errors), 1)[0])
        return Measurement({"exponent": exponent, "error": errors[-1]})
