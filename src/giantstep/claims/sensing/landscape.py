"""[soltanolkotabi22] the landscape of low-rank sensing: stationary points are the truth, or saddles."""

from __future__ import annotations

import numpy as np

from giantstep import learners
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import FactorsClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import Landscape, SensingDescent, StartScale, StationaryPoint, relative_error
from giantstep.theory.sensing import SpectralMatrix, saddle_bound

FLAT = 1e-6  # a curvature above minus this is none
RECOVERED = 1e-3  # relative error
SIZES = (0.5, 1.5)  # of the starts from which stationary points are looked for
ROUNDING = Allowance(1e-8)
MOST_COLUMNS = 8
MOST_ENTRIES = 2e6  # of the measurement matrices together


def _edge_moves(point: LandscapeClaim) -> float:
    """d^(-2/3) times the edge of the noise: Tracy and Widom's fluctuations."""
    return float(point.d ** (-2 / 3) * point.spectrum.edge)


@named(
    "sensing/landscape",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Challenge I: Nonconvexity', landscape analysis (Sun et al., Ge et al., Bhojanapalli et al.)",
    finding=(
        "Measurements add stationary points that infinitely many do not have: a column may stand along a direction of "
        "the noise of Z. They are saddles too, but flatter ones: the least curvature is between -1 and -1 + 2 s at the "
        "flattest, s^2 = d r*/(2m), where it is -1 for infinitely many measurements. No minimum but the truth was "
        "found in any search, down to three measurements for each of the d r* entries."
    ),
)
class LandscapeClaim(FactorsClaim):
    """Stationary points of the loss of low-rank sensing are the truth or saddles with a direction of clear descent.

    Stationary points of L = (1/4)|A(UU') - y|^2 are looked for from random starts with 0 to r columns, by steps that
    converge to saddles as readily as to minima; 0 is always one. `bad_minima` counts those, of all found, that are
    neither the truth nor have a negative curvature; `curvature` is the least eigenvalue of the Hessian at the one that
    comes closest to a minimum, `origin` that at U = 0, which is minus the largest eigenvalue of Z. `recovered` is the
    share of gradient descents from random starts that end in the truth, for r = r*, as they must where all else is a
    saddle (with columns to spare the error falls as 1/t only).
    """

    d: int = parameters.dimension(12, help="side of the matrix", ge=4, le=40)
    true_rank: int = parameters.true_rank(2)
    rank: int = parameters.rank(2)
    oversampling: float = parameters.oversampling(20.0)
    scale: float = parameters.scale(0.3, help="size of the starts of descent", le=0.5)
    starts: int = parameters.starts(3, help="random starts for each number of columns and each size", symbol="", le=100)
    step: float = parameters.step(0.1, help="step size, gradient of (1/4)|A(UU') - y|^2", symbol=r"\mu", le=0.3)
    steps: int = parameters.steps(600, help="steps of descent", symbol="T", le=20_000)

    quantities = (
        quantity.equal(
            "bad_minima", Allowance(0.02), "none is expected; one in fifty draws would be missed",
            help="bad stationary points: found, neither the truth nor with negative curvature",
        ),
        quantity.at_most(
            "curvature", Allowance(_edge_moves),
            "at a finite d eigenvalues of the noise scatter by some d^(-2/3) of its edge",
            help="least curvature, where it is largest: least eigenvalue of the Hessian at the stationary point that "
            "comes closest to a minimum",
            symbol=r"\lambda_{\min}(\nabla^2 L)", when=lambda point: point.spectrum.s < 0.25,
        ),
        quantity.equal(
            "origin", ROUNDING, "an identity; rounding only", against="finite",
            help="least eigenvalue of the Hessian at 0; predicted: minus the largest eigenvalue of Z",
        ),
        quantity.at_least(
            "saddles", Allowance(0.1), "each rank below r* has a saddle of its own; a whole number",
            help="column numbers with a saddle: below r*, where one was found",
        ),
        quantity.equal(
            "recovered", Allowance(0.05), "a descent may still be on its way past a saddle",
            help="share of descents that end in the truth: from random starts, up to 0.001",
            when=lambda point: point.oversampling >= 6 and point.rank == point.true_rank,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "oversampling", (3, 5, 10, 20, 40, 80), ("curvature", "bad_minima", "recovered", "saddles"), log_x=True,
            title="stationary points, from few measurements to many",
        ),
        view.Curve(
            "rank", (1, 2), ("curvature", "bad_minima"), at={"true_rank": 1},
            title="more columns than needed",
        ),
    )  # fmt: skip
    presets = {"few": {"oversampling": 3.0}, "wide": {"rank": 3}, "rank-three": {"true_rank": 3, "rank": 3, "d": 16}}
    default_seeds = 10
    start_scale = StartScale.UNIT_NORM
    convention = (
        "L = (1/4)|A(UU') - y|^2 with A = <A_i, .>/sqrt(m); descent starts from entries alpha N(0, 1/r); X orthonormal"
    )

    @property
    def spectrum(self) -> SpectralMatrix:
        return SpectralMatrix.of(self.d, self.true_rank, self.measurements)

    def check(self) -> None:
        super().check()
        if self.measurements * self.d**2 > MOST_ENTRIES:
            raise InputError(f"d = {self.d} is not allowed: the measurement matrices would have more than 2e6 entries")
        if self.rank > MOST_COLUMNS:
            raise InputError(
                f"rank = {self.rank} is not allowed; stationary points are looked for up to {MOST_COLUMNS}"
            )

    def predict(self) -> Prediction:
        s = self.spectrum.s
        return Prediction(
            {"bad_minima": 0.0, "curvature": saddle_bound(s), "saddles": float(self.true_rank), "recovered": 1.0},
            regime="Gaussian measurements, s^2 = d r*/(2m) small",
            notes=(f"for infinitely many measurements the curvature is -1 at every saddle; here s = {s:.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        problem, streams = self.problem(run.streams), run.streams.child("starts")
        truth = problem.truth
        assert truth is not None
        assert isinstance(problem.operator, learners.sensing.operators.DenseOperator)
        landscape = Landscape(problem.operator, truth, self.rank)
        origin = landscape.stationary_point(0, 1.0, streams)
        assert origin is not None
        others = [origin, *(point for point in self.points_of(landscape, run) if not point.is_truth)]
        worst = max(point.curvature for point in others)
        return Measurement(
            {
                "bad_minima": float(sum(point.curvature > -FLAT for point in others)),
                "curvature": worst,
                "origin": origin.curvature,
                "saddles": float(len({point.columns for point in others if point.columns < self.true_rank})),
                "recovered": float(np.mean([self.ends_in_the_truth(problem, run, i) for i in range(self.starts)])),
            },
            finite={"origin": -float(np.linalg.eigvalsh(problem.spectral_matrix())[-1])},
        )

    def points_of(self, landscape: Landscape, run: Run) -> list[StationaryPoint]:
        """All that random starts lead to, with 1 to r columns."""
        streams = run.streams.child("stationary points")
        found = [
            landscape.stationary_point(columns, size, streams.child(f"{columns} columns, size {size}, start {i}"))
            for columns in range(1, self.rank + 1)
            for size in SIZES
            for i in range(self.starts)
        ]
        return [point for point in found if point is not None]

    def ends_in_the_truth(self, problem: learners.sensing.Sensing, run: Run, number: int) -> bool:
        start = self.start(run.streams.child(f"descent {number}"))
        last = learners.run(SensingDescent(problem, self.step), start, times=[self.steps]).last
        assert problem.truth is not None
        return relative_error(last.product, problem.truth) <= RECOVERED

    def cost(self) -> Cost:
        entries, unknown = float(self.measurements * self.d**2), float(self.d * self.rank)
        one = 200 * (entries * (2 + self.rank) + self.measurements * unknown**2 + 10 * unknown**3)
        searches = self.starts * len(SIZES) * self.rank * one
        return Cost(searches + self.starts * self.steps * 4 * entries + 1e7, 40 * entries + 8 * unknown**2 + 2e7)
