"""[soltanolkotabi22] how many measurements gradient descent from a small start needs, against the rank of the truth."""

from __future__ import annotations

from math import log

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import RectangularClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import Sensing, SensingDescent, SensingState, StartScale, random_factors, relative_error
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.theory.sensing import tangent_dimension

RECOVERED = 0.02  # relative error
SHARES = tuple(np.round(np.arange(0.9, 2.51, 0.1), 2).tolist())  # measurements over dim T that are tried
MOST_ENTRIES = 5e6


@named(
    "sensing/sample-size",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Our result', hypothesis n >~ r*^2 (d1 + d2)",
    finding=(
        "The theorem's r*^2 (d1 + d2) measurements are enough, but r* of both are: descent recovers the truth from 1.1 "
        "to 1.7 times dim T = r* (d1 + d2 - r*) measurements on, below which no method can, whatever r* is. At sizes "
        "that can be run r*^2 (d1 + d2) soon is more than the d1 d2 entries of the matrix."
    ),
)
class SampleSize(RectangularClaim):
    """From a small random start, r* (d1 + d2) measurements up to a constant are enough; r*^2 (d1 + d2) are not needed.

    `error` is the relative error that descent on U V' with r = r* columns reaches on m = oversampling r*^2 (d1 + d2)
    measurements, the theorem's number. `needed` is the least number of measurements, of 0.9, 1, 1.1, ... times dim T =
    r* (d1 + d2 - r*), from which the truth is recovered to 2 % on the same draw; it grows like dim T, and
    `needed_share` is its ratio to it.
    """

    d: int = parameters.dimension(24, help="rows of the matrix", ge=4, le=80)
    columns: int = parameters.columns(16, le=80)
    true_rank: int = parameters.true_rank(2)
    oversampling: float = parameters.oversampling(
        2.5, help="measurements over r*^2 (d1 + d2)", symbol=r"m/(r_*^2 (d_1 + d_2))", ge=2
    )
    rank: int = parameters.rank(0, help="columns of the factors; 0: as many as the truth has", ge=0)
    scale: float = parameters.scale(1e-3, le=0.01)
    step: float = parameters.step(0.25, help="step size, gradient of (1/2)|A(UV') - y|^2", symbol=r"\mu", le=0.3)
    steps: int = parameters.steps(2000, help="steps at most", symbol="T", le=100_000)

    quantities = (
        quantity.at_most(
            "error", Allowance(0), "training goes on until this is true, or until the steps are over",
            help="error with the theorem's measurements: relative, with as many as it asks for",
        ),
        quantity.at_least(
            "needed_share", Allowance(0.1), "0.9, 1, 1.1, ... times dim T are tried",
            help="measurements needed over unknowns: the least number that recovers the truth over dim T; at least 1",
            symbol=r"m/\dim T",
        ),
        quantity.at_most(
            "linear_share", Allowance(0), "draws differ by a few tenths",
            help="needed measurements over dim T: at most 2, a multiple of r* (d1 + d2), whatever r*",
        ),
        quantity.slope(
            "needed", "true_rank", lambda point: point.exponent, 0.12,
            "shares are tried in tenths, which is as much of the exponent",
            help="least number of measurements that recover the truth",
        ),
        quantity.reported("unknowns", help="degrees of freedom of the truth: dim T = r* (d1 + d2 - r*)"),
        quantity.reported("theorem", help="the theorem's order: r*^2 (d1 + d2)"),
    )  # fmt: skip
    views = (
        view.Curve(
            "true_rank", (1, 2, 4), ("needed",), log_x=True, log_y=True, bounds=("theorem", "unknowns"),
            title="measurements that recover the truth, against its rank",
        ),
        view.Curve(
            "true_rank", (1, 2, 4), ("needed_share", "linear_share", "error"), log_x=True, log_y=True,
            title="against the rank",
        ),
        view.Curve("columns", (8, 24), ("needed_share", "linear_share"), title="other sides"),
    )  # fmt: skip
    presets = {"square": {"d": 20, "columns": 20}, "rank-four": {"true_rank": 4}}
    default_seeds = 16
    start_scale = StartScale.UNIT_NORM
    convention = (
        "L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m); entries alpha N(0, 1/r) at the start; X, Y orthonormal"
    )

    @property
    def measurements(self) -> int:
        return round(self.oversampling * self.true_rank**2 * (self.d + self.columns))

    @property
    def unknowns(self) -> int:
        """dim T."""
        return tangent_dimension(self.d, self.true_rank, symmetric=False, columns=self.columns)

    @property
    def exponent(self) -> float:
        """The slope of ln dim T in ln r* between 1 and 4, and in between."""
        sizes = [tangent_dimension(self.d, r, symmetric=False, columns=self.columns) for r in (1, 4)]
        return log(sizes[1] / sizes[0]) / log(4)

    def check(self) -> None:
        if 2 * self.true_rank >= min(self.shape) or 0 < self.rank < self.true_rank:
            raise InputError(
                f"true_rank = {self.true_rank} is not allowed; it must be less than half of the sides {self.shape}, "
                "and at most the rank"
            )
        if self.measurements * self.d * self.columns > MOST_ENTRIES:
            raise InputError(f"d = {self.d} is not allowed: the measurement matrices would have more than 5e6 entries")

    def predict(self) -> Prediction:
        size = float(self.unknowns)
        values = {"error": RECOVERED, "needed_share": 1.0, "linear_share": 2.0, "unknowns": size}
        return Prediction(
            values | {"theorem": float(self.true_rank**2 * (self.d + self.columns))},
            regime="Gaussian measurements, alpha -> 0, r = r*",
        )

    def measure(self, run: Run) -> Measurement:
        most = max(self.measurements, round(SHARES[-1] * self.unknowns))
        rows = run.streams.child("operator").generator().standard_normal((most, self.d * self.columns))
        low, high = 0, len(SHARES) - 1
        while low < high:  # the truth is recovered from some share on
            middle = (low + high) // 2
            if self.reached(rows, round(SHARES[middle] * self.unknowns), run) <= RECOVERED:
                high = middle
            else:
                low = middle + 1
        share = SHARES[low]
        return Measurement(
            {
                "error": self.reached(rows, self.measurements, run),
                "needed": share * self.unknowns,
                "needed_share": share,
                "linear_share": share,
            }
        )

    def reached(self, rows: Array, measurements: int, run: Run) -> float:
        """The relative error at the end, on the first of the measurements."""
        truth = self.truth(run.streams).product
        operator = DenseOperator(rows[:measurements] / measurements**0.5, self.shape, symmetric=False)

        def is_there(state: SensingState) -> bool:
            return relative_error(state.product, truth) <= RECOVERED

        descent = SensingDescent(Sensing(operator, truth=truth), self.step)
        settings = (self.shape, self.rank or self.true_rank, self.scale, run.streams.child("start"))
        start = random_factors(*settings, symmetric=False, convention=self.start_scale)
        last = learners.run(descent, start, steps=self.steps, stop=is_there).last
        return relative_error(last.product, truth)

    def cost(self) -> Cost:
        size = float(max(self.measurements, 2.5 * self.unknowns) * self.d * self.columns)
        return Cost(3 * self.steps * (4 * size + 2e4) + 1e7, 24 * size + 2e7)
