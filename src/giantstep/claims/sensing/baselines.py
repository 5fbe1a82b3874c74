"""[soltanolkotabi22] what gradient descent from a small start is compared with: spectral starts and nuclear norms."""

from __future__ import annotations

from functools import lru_cache

from giantstep import learners
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import FactorsClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import Factors, SensingDescent, relative_error
from giantstep.learners.sensing.baselines import isometry_constant, least_nuclear_norm, spectral_start, unfitted_share
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.theory.sensing import SpectralMatrix, tangent_dimension
from giantstep.theory.sensing.baselines import isometry_bound, nuclear_norm_threshold, spectral_error

RECOVERED = 1e-3  # relative error
CLEAR = 3.0  # windows between a number of measurements and the threshold from which on the limit is said
ROOM = 1.7  # measurements per dimension of the tangent space from which on descent recovers
MORE_ROOM = 2.2  # the same from a spectral start with r = r* columns, which now and then is caught elsewhere before
SMALL = 1e-5  # starts up to this size are small
ASCENT = 25  # steps in search of the isometry constant
MOST_FITTED = 400  # measurements up to which generic labels are fitted
MOST_SEARCHED, WIDEST = 4e6, 24  # entries in all, and sides, up to which the isometry constant is searched
MANY = {"oversampling": 100, "descents": False}


@lru_cache(maxsize=256)
def _threshold(d: int, true_rank: int) -> tuple[float, float]:
    """That of a point once for its prediction and for whether the claim speaks there."""
    return nuclear_norm_threshold(d, d, true_rank)


def _next_order(point: Baselines) -> float:
    """1/d + s^3/6: overlaps of the outliers' vectors with each other, and noise that is not quite Gaussian; 5 % is
    seen at s = 0.6."""
    return float(1 / point.d + point.spectrum.s**3 / 6)


def _recovers(point: Baselines) -> bool:
    return point.scale <= SMALL and _has_room(point, ROOM)


def _refines(point: Baselines) -> bool:
    return _has_room(point, MORE_ROOM)


def _has_room(point: Baselines, room: float) -> bool:
    dimension = tangent_dimension(point.d, point.true_rank, symmetric=False)
    return point.descents and point.measurements >= room * dimension


@named(
    "sensing/baselines",
    kind="theorem",
    cite="soltanolkotabi22",
    version=3,
    where="slides 'Challenge I: Nonconvexity' (spectral initialisation), 'Challenge II' (r d ~ n), 'Some comments' "
    "(restricted isometry, conjecture of Gunasekar et al.)",
    finding=(
        "Descent from a small start with r = d does not end in the solution of least nuclear norm, as the conjecture "
        "quoted in the talk would have it: below the threshold of the latter, which is known (140 measurements for "
        "d = 20, r* = 2), it still finds the truth from 130 on. Descent from a spectral start with r = r* columns "
        "misses it there in 2 of 192 draws, and in none with 200 measurements. "
        "At these sizes the restricted isometry constant of order 2 r* + 1 is far above 1: the theorem's hypothesis is "
        "met from several thousand measurements on."
    ),
)
class Baselines(FactorsClaim):
    """From a small start or a spectral one, descent finds the truth before the least nuclear norm does.

    On the same m = oversampling d r* measurements of X Y': the best approximation of Z of rank r* (`spectral_error`),
    descent from there (`refined_error`), descent from a small start with `rank` columns (`descent_error`), and the
    matrix of least nuclear norm, which is the truth from delta measurements on, delta the statistical dimension of its
    descent cone (`nuclear_success`). `isometry` is the restricted isometry constant of order 2 r* + 1, from below.
    `unfitted` is the share of generic labels that factors of `rank` columns cannot fit from a large start, where they
    move in their tangent space: 1 - r(2d - r)/m, nothing from r d ~ m on.
    """

    d: int = parameters.dimension(20, help="side of the matrix", ge=4, le=60)
    true_rank: int = parameters.true_rank(2)
    rank: int = parameters.rank(20)
    oversampling: float = parameters.oversampling(3.0)
    scale: float = parameters.scale(1e-6)
    step: float = parameters.step(0.1, help="step size, gradient of (1/2)|A(UV') - y|^2", symbol=r"\mu", le=0.3)
    steps: int = parameters.steps(3000, help="steps from the small start", symbol="T", le=100_000)
    descents: bool = parameters.own(True, "whether descents and the nuclear norm are run; without, only what is linear")

    quantities = (
        quantity.equal(
            "spectral_error", Allowance(_next_order, of="prediction"),
            "of order 1/d, and the noise of Z depends on the truth at the next order in s",
            help="relative error of the best approximation of Z of rank r*", symbol=r"|Z_{r_*} - XY'|/|XY'|",
        ),
        quantity.equal(
            "refined_error", Allowance(RECOVERED), "convergence is linear, and the slowest directions take longest",
            help="relative error from the spectral start: the same after descent from there", when=_refines,
        ),
        quantity.equal(
            "nuclear_success", Allowance(0.02), "the window around the threshold is three widths away",
            help="whether the least nuclear norm is the truth, up to 0.001", when=lambda point: point.is_clear,
        ),
        quantity.at_most(
            "descent_error", Allowance(0), "a power of the start's size, which is left at the end",
            help="relative error from the small start: at most a tenth", when=_recovers,
        ),
        quantity.reported("nuclear_error", help="relative error of the least nuclear norm"),
        quantity.at_least(
            "advantage", Allowance(0.02), "the small start leaves an error of its own, some 0.02 for alpha = 1e-6",
            help="error of the least nuclear norm less that of descent, below the threshold of the former",
            when=lambda point: _recovers(point) and point.measurements < point.threshold[0],
        ),
        quantity.at_most(
            "isometry", Allowance(0.05, of="prediction"), "Gordon's bound is one of the mean",
            help="restricted isometry constant of order 2 r* + 1, from below", symbol=r"\delta_{2r_*+1}",
            when=lambda point: point.is_searched,
        ),
        quantity.slope(
            "isometry", "oversampling", -0.5, 0.1, "the square of the leading term, m^(-1/2), bends the line",
            help="it falls like m^(-1/2)", when=lambda point: point.is_searched and point.oversampling >= 50,
        ),
        quantity.equal(
            "unfitted", Allowance(0.001), "exact in the mean over labels; rounding where all are fitted",
            help="share of generic labels that a large start leaves", symbol=r"1 - r(2d - r)/m",
            when=lambda point: point.measurements <= MOST_FITTED,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "oversampling", (2.25, 3.25, 5), ("nuclear_error", "descent_error", "refined_error"), together=True,
            log_y=True, seeds=64, title="descent and nuclear norm", y_label="relative error",
        ),
        view.Curve(
            "oversampling", (1.75, 6, 7), ("nuclear_success",), at={"d": 16, "true_rank": 1, "rank": 4}, seeds=16,
            title="rank one",
        ),
        view.Curve(
            "oversampling", (2, 4, 12), ("spectral_error",), by="true_rank", by_values=(1, 3), seeds=32,
            at={"d": 40, "descents": False}, log_x=True, log_y=True, title="spectral start, d = 40",
        ),
        view.Curve(
            "oversampling", (50, 100, 200), ("isometry",), at=MANY, seeds=12, log_x=True, log_y=True,
            title="restricted isometry",
        ),
        view.Curve(
            "rank", (2, 3, 4, 6, 8), ("unfitted",), at={"descents": False, "oversampling": 6}, seeds=48,
            title="large starts fit from r d ~ m on",
        ),
    )  # fmt: skip
    presets = {
        "between": {"oversampling": 3.25},
        "above": {"oversampling": 5.0},
        "many": MANY,
    }
    default_seeds = 10
    convention = (
        "L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m); entries alpha N(0, 1) at the start; X, Y orthonormal"
    )

    @property
    def is_symmetric(self) -> bool:
        return False

    @property
    def spectrum(self) -> SpectralMatrix:
        return SpectralMatrix.of(self.d, self.true_rank, self.measurements, symmetric=False)

    @property
    def threshold(self) -> tuple[float, float]:
        return _threshold(self.d, self.true_rank)

    @property
    def fitted(self) -> int:
        """r (2d - r), the dimension of the matrices of rank r; more columns than d reach no more than d do."""
        rank = min(self.rank, self.d)
        return rank * (2 * self.d - rank)

    @property
    def is_searched(self) -> bool:
        """Whether the isometry constant is looked for."""
        return self.d <= WIDEST and self.measurements * self.d**2 <= MOST_SEARCHED

    @property
    def is_clear(self) -> bool:
        """Whether the number of measurements is well away from the nuclear norm's threshold."""
        delta, window = self.threshold
        return self.descents and abs(self.measurements - delta) >= CLEAR * window

    def check(self) -> None:
        super().check()
        if self.spectrum.s >= 1:
            raise InputError(f"oversampling = {self.oversampling} is not allowed; the spectral start needs more than 1")
        if self.descents and self.measurements >= self.d**2:
            raise InputError(
                f"m = {self.measurements} measurements determine all {self.d**2} entries: lower oversampling, or take "
                "descents = False"
            )

    def predict(self) -> Prediction:
        delta, window = self.threshold
        values = {
            "spectral_error": spectral_error(self.d, self.true_rank, self.measurements),
            "isometry": isometry_bound(self.d, self.d, 2 * self.true_rank + 1, self.measurements),
            "unfitted": max(0.0, 1 - self.fitted / self.measurements),
        }
        if self.descents:
            values |= {"refined_error": 0.0, "descent_error": 0.1, "advantage": 0.0}
            values["nuclear_success"] = float(self.measurements > delta)
        return Prediction(
            values,
            "Gaussian measurements, d large; descent from alpha -> 0",
            (f"the least nuclear norm is the truth from {delta:.4g} measurements on, give or take {window:.3g}",),
            thresholds={"oversampling": delta / (self.d * self.true_rank)},
        )

    def measure(self, run: Run) -> Measurement:
        problem, streams = self.problem(run.streams), run.streams
        operator, truth = problem.operator, self.truth(streams).product
        assert isinstance(operator, DenseOperator)
        begin = spectral_start(problem, self.true_rank)
        values = {"spectral_error": relative_error(begin.product, truth)}
        if self.is_searched:
            order, search = 2 * self.true_rank + 1, streams.child("isometry")
            values["isometry"] = isometry_constant(operator, order, ASCENT, search, starts=2)
        if self.measurements <= MOST_FITTED:
            labels = streams.child("generic labels").generator().standard_normal(self.measurements)
            values["unfitted"] = unfitted_share(operator, self.start(streams, 1.0), labels)
        if self.descents:
            nuclear = relative_error(least_nuclear_norm(operator, operator.apply(truth)), truth)
            descended = self.descended(problem, self.start(streams))
            values["refined_error"] = self.descended(problem, begin)
            values |= {"nuclear_error": nuclear, "nuclear_success": float(nuclear < RECOVERED)}
            values |= {"descent_error": descended, "advantage": nuclear - descended}
        return Measurement(values)

    def descended(self, problem: learners.sensing.Sensing, start: Factors) -> float:
        """The relative error at the end."""
        assert problem.truth is not None
        last = learners.run(SensingDescent(problem, self.step), start, times=[self.steps]).last
        return relative_error(last.product, problem.truth)

    def cost(self) -> Cost:
        size = float(self.measurements * self.d**2)
        once = (
            20 * size + (16 * ASCENT * size if self.is_searched else 0.0) + 4 * min(MOST_FITTED, self.measurements) ** 3
        )
        training = 10 * size * self.steps + 1500 * (4 * size + 50 * self.d**3) if self.descents else 0.0
        return Cost(once + training + 1e8, 8 * (3 * size + min(MOST_FITTED, self.measurements) ** 2) + 2e7)
