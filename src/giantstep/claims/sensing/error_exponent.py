"""[soltanolkotabi22] how the final error depends on the size of the start."""

from __future__ import annotations

from math import log
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import SIDE, SensingClaim
from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns
from giantstep.learners.sensing import (
    Factors,
    PopulationOperator,
    RevealedOperator,
    Sensing,
    SensingDescent,
    SensingState,
    random_factors,
    relative_error,
)
from giantstep.streams import Streams
from giantstep.theory.sensing import Refinement, SpectralMatrix, error_exponent, final_error, growth_time

THEOREM = 21 / 16  # the exponent in the talk's theorem
LEAST_OVERSAMPLING = {"symmetric": 3.0, "asymmetric": 6.0}

# The error is final when it falls by less than 2 % in a time in which what is still being learned falls by far more.
MOST_STEPS = 10_000_000  # far beyond any run that is allowed: ends only what never settles
STEADY, STEADY_TIME, SIGNAL_LEARNED = 0.98, 10.0, 0.5


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
            lambda point, predicted: 0.03 * (100 / point.d) ** (2 / 3) * (1 + 5 / point.oversampling),
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
    def m(self) -> float:
        return float("inf") if self.measured == "population" else self.measurements

    @property
    def scales(self) -> Array:
        """The sizes of the start that are compared."""
        return np.array([self.scale, self.scale * 10.0**-self.decades])

    def iterations(self, scale: float) -> int:
        """About how long it takes: the signal grows, and the slowest direction shrinks below the error predicted."""
        least = SpectralMatrix.of(self.d, self.true_rank, self.m, symmetric=self.is_symmetric)
        stays = self.predicted_error(scale)
        rate = -Refinement.of(self.d, self.true_rank, self.m, self.step, symmetric=self.is_symmetric).rate
        return int(growth_time(scale, self.step, least.top) + 1.1 * max(0.0, log(1 / stays)) / rate + 5 / self.step)

    def predicted_error(self, scale: float) -> float:
        known = final_error(scale, self.d, self.true_rank, self.rank, self.m, self.step, symmetric=self.is_symmetric)
        return known.value

    @property
    def horizon(self) -> int:
        return self.iterations(float(self.scales[-1]))

    @property
    def held(self) -> int:
        return 0 if self.measured == "population" else super().held

    def check(self) -> None:
        if self.rank <= self.true_rank:
            raise InputError(
                f"rank = {self.rank} is not allowed; it must exceed the true rank {self.true_rank}: otherwise the "
                "truth is recovered exactly, whatever the scale"
            )
        if self.scale > 0.01:
            raise InputError(f"scale = {self.scale} is not allowed; the exponent is one of small starts, 0.01 at most")
        least = LEAST_OVERSAMPLING[self.model]
        if self.measured == "gaussian" and self.oversampling < least:
            raise InputError(
                f"oversampling = {self.oversampling} is not allowed; with fewer than {least:g} d r* measurements the "
                "noise of Z comes close to its signal"
            )
        super().check()

    def predict(self) -> Prediction:
        settings = (self.d, self.true_rank, self.rank, self.m, self.step)
        last = final_error(float(self.scales[-1]), *settings, symmetric=self.is_symmetric)
        return Prediction(
            {
                "exponent": error_exponent(self.scales, *settings, symmetric=self.is_symmetric),
                "limit_exponent": last.limit_exponent,
                "theorem": THEOREM,
                "error": last.value,
            },
            regime="small alpha, s^2 = d r*/(2m) well below 1, r > r*",
        )

    def measure(self, run: Run) -> Measurement:
        errors = []
        for size in self.scales.tolist():
            problem, start = self._problem(run.streams), self._start(size, run.streams)
            problem.spectral_matrix()  # asked first, so that Z is the same for all scales
            errors.append(self._final_error(problem, start))
        exponent = float(np.polyfit(np.log(self.scales), np.log(errors), 1)[0])
        return Measurement({"exponent": exponent, "error": errors[-1]})

    def _final_error(self, problem: Sensing, start: Factors) -> float:
        """The error once it has stopped falling, whatever theory says of it."""
        truth = problem.truth
        assert truth is not None
        looks, before, error = range(0, MOST_STEPS, round(STEADY_TIME / self.step)), 1.0, 1.0

        def is_steady(state: SensingState) -> bool:
            nonlocal before, error
            before, error = error, relative_error(state.product, truth)
            return STEADY * before < error < SIGNAL_LEARNED

        if not learners.run(SensingDescent(problem, self.step), start, times=looks, stop=is_steady).stopped:
            raise InputError(f"after {looks[-1]} steps the error is still falling; take a larger step")
        return error

    def _problem(self, streams: Streams) -> Sensing:
        basis = self.basis(streams)
        if self.is_symmetric:
            return self.problem(basis, streams, population=self.measured == "population")
        other = orthonormal_columns(self.d, self.true_rank, streams.child("truth, right"))
        shape = (self.d, self.d)
        if self.measured == "population":
            return Sensing(PopulationOperator(shape, symmetric=False), truth=basis @ other.T)
        drawn = RevealedOperator(shape, self.measurements, streams.child("operator"), symmetric=False)
        return Sensing(drawn, truth=basis @ other.T)

    def _start(self, scale: float, streams: Streams) -> Factors:
        shape = (self.d, self.d)
        return random_factors(shape, self.rank, scale, streams.child("start"), symmetric=self.is_symmetric)
