"""[ss21] the three phases of gradient descent from a small start, and how long each takes."""

from __future__ import annotations

from math import exp, log
from typing import Literal

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
from giantstep.learners.sensing import SensingDescent, phase_times, top_eigenspace
from giantstep.theory import sensing

ALIGNED = 0.5  # sine of the angle at which the first phase ends
ESCAPED = 0.1**0.5  # weakest signal at which the second phase ends
REFINED = 0.1  # with finitely many measurements: at this relative error
FEW = 4  # times the true rank: at least so large must d be for the bound of the total
PLATEAUS = 2.0  # the third phase ends at this multiple of the error that stays


ITERATIONS = Computed(
    lambda point, _: 0.5 if point.is_population else 1.0, "half an iteration; one with finitely many measurements"
)
AT_A_THRESHOLD = (
    "corrections are of order alpha^2, so an iteration may be gained or lost at a threshold; with finitely many "
    "measurements the turn towards the truth is neglected, which costs up to one"
)


@named(
    "sensing/phases",
    kind="theorem",
    cite="ss21",
    where="slides 'Convergence phases' and 'Saddle avoidance and local convergence phase'",
    finding=(
        "The slide's total is an upper bound for small steps, not a count: it adds the first phase although the "
        "signal grows during it, and it uses 1/mu where growth is 1/ln(1 + mu) and the slowest error shrinks by "
        "max(1 - mu, |1 - 2 mu|) a step. From mu = 0.6 or 0.7 on the signal overshoots and it is no bound any more: at "
        "mu = 0.9 it says 28 iterations where 96 are needed. With these rates put in it holds for all mu < 1, and for "
        "condition numbers above 1 too, whose square multiplies all times. Its term "
        "for the first phase alone lies below the measured time, and its third term is infinite at r = r*. W_t is r x "
        "r*, not n x r* as the slide says."
    ),
    version=2,
)
class Phases(SensingClaim):
    """Gradient descent from a small start aligns, then leaves the saddle, then refines; each time is known beforehand.

    `t_align`: the leading left singular vectors of U_t come within sine 1/2 of the leading eigenvectors of Z.
    `t_escape`: the weakest signal, sigma_min of U_t on the columns of X, passes sigma_min(X)/sqrt(10). `t_refine`: the
    error passes twice the level at which it stays. With infinitely many measurements all are predicted to the iteration
    from U_0, by maps of r* x r* matrices; with finitely many, the first two are those of the power method on the Z
    drawn, continued by a scalar map, and `t_refine` ends at a relative error of 0.1. All of it takes less than `total`,
    the slide's total with the rates 1 + mu and max(1 - mu, |1 - 2 mu|) of gradient descent (with sigma_min(X)^2 mu for
    mu where the condition number is above 1).
    """

    d: int = parameters.dimension(200, **SIDE)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-5)
    condition: float = parameters.condition(1.0)
    measured: Literal["population", "gaussian"] = parameters.measured("population")

    quantities = (
        *quantity.equals(
            {
                "t_align": ("iteration at which the spectral phase ends", "t_1"),
                "t_escape": ("iteration at which the weakest signal leaves the saddle", "t_2"),
            },
            ITERATIONS, AT_A_THRESHOLD, against="finite",
        ),
        quantity.equal(
            "t_refine", ITERATIONS, AT_A_THRESHOLD, help="iteration at which the error is twice its plateau",
            symbol="t_3", against="finite", when=lambda point: point.is_population,
        ),
        quantity.equal(
            "plateau",
            Allowance(0.02, of="prediction") + Allowance(2, of="prediction", power=-1, size="rank"),
            "the prediction is a root mean square; a signal direction takes out what it is correlated with, some 2/r",
            help="relative error that stays",
            when=lambda point: point.is_population,
        ),
        quantity.at_most(
            "total",
            Allowance(0.0),
            "a bound with constants, which true ranks well below d keep",
            help="iterations in all; predicted: the slide's total, with the rates of gradient descent",
            when=lambda point: point.is_population,
        ),
        quantity.reported("slide_total", help="the slide's number of iterations in all"),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "X is orthonormal, or there are infinitely many measurements",
            lambda point: point.weakest == 1 or point.is_population,
            ("t_align", "t_escape"),
        ),
        Hypothesis("the true rank is well below d, a quarter at most", lambda p: p.d >= FEW * p.true_rank, ("total",)),
    )
    printed = (
        Printed(
            "total",
            "1/mu times the three logarithms is a bound, whatever the step",
            lambda point: sensing.talk_total(*point.settings),
        ),
    )
    views = (
        view.Curve(
            "scale", "log:1e-7:1e-2:6", ("t_align", "t_escape", "t_refine"), together=True, log_x=True,
            bounds=("total", "slide_total"), title="infinitely many measurements", y_label="iterations",
        ),
        view.Curve(
            "rank", (10, 20, 50, 100, 200), ("t_align", "t_escape", "t_refine"), together=True, log_x=True,
            title="the same for more columns", y_label="iterations",
        ),
        view.Curve(
            "step", (0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9), ("t_align", "t_escape", "t_refine"), together=True,
            log_y=True, bounds=("total", "slide_total"), title="steps that are not small", y_label="iterations",
        ),
        view.Curve(
            "condition", (1, 1.5, 2, 3), ("t_align", "t_escape", "t_refine"), together=True, log_x=True, log_y=True,
            at={"d": 100, "true_rank": 3}, bounds=("total", "slide_total"), title="condition number",
            y_label="iterations",
        ),
        view.Curve(
            "scale", "log:1e-6:1e-3:4", ("t_align", "t_escape"), together=True, log_x=True,
            at={"measured": "gaussian", "d": 100}, title="$m = 10\\,d\\,r_*$ measurements",
            y_label="iterations",
        ),
    )  # fmt: skip
    presets = {"wide": {"rank": 200}, "measured": {"measured": "gaussian", "d": 100, "oversampling": 10}}
    default_seeds = 8
    engine = ("population", "revealed")

    @property
    def horizon(self) -> int:
        growth, rate = log(1 / self.scale) / log(1 + self.step), -self.refinement.rate
        return int((2 * growth + 3 * log(1 / self.scale) / rate + 40 / self.step) / self.weakest**2)

    @property
    def usual(self) -> int:
        return self.horizon // 4  # it ends with the third phase, long before

    @property
    def settings(self) -> tuple[int, int, int, float, float, float]:
        """What the totals depend on."""
        return self.d, self.true_rank, self.rank, self.step, self.scale, 1 / self.weakest

    @property
    def is_population(self) -> bool:
        return self.measured == "population"

    def check(self) -> None:
        super().check()
        if self.scale > 0.1:
            raise InputError(f"scale = {self.scale} is not allowed; phases can be told apart up to 0.1")
        if self.rank == self.true_rank:
            raise InputError(
                f"rank = {self.rank} is not allowed; it must exceed the true rank, otherwise the error has no level at "
                "which it stays and the third phase no end"
            )

    def predict(self) -> Prediction:
        stays = sensing.error_plateau(self.d, self.true_rank, self.rank, self.scale, self.energy)
        return Prediction(
            {
                "plateau": stays,
                "total": sensing.total_bound(*self.settings),
                "slide_total": sensing.talk_total(*self.settings),
            },
            regime="alpha -> 0, infinitely many measurements; times are predicted for the start that was drawn",
            notes=(
                f"t_escape grows by {1 / log(1 + self.step):.4g} for every factor e in 1/alpha, the slide says "
                f"{1 / self.step:.4g}; near the truth the error shrinks by {exp(self.refinement.rate):.4g} a step",
            ),
        )

    def measure(self, run: Run) -> Measurement:
        problem, start = self.problem(run.streams), self.start(run.streams)
        basis, spectral, escaped = self.basis(run.streams), problem.spectral_matrix(), ESCAPED * self.weakest
        leading = basis if self.is_population else top_eigenspace(spectral, self.true_rank)
        known = sensing.PopulationStart.of(start.left, basis, self.singular)
        refined = PLATEAUS * known.plateau if self.is_population else REFINED
        found = phase_times(
            SensingDescent(problem, self.step),
            start,
            basis,
            leading,
            aligned=ALIGNED,
            escaped=escaped,
            refined=refined,
            further=round(4 / -self.refinement.rate / self.weakest**2) if self.is_population else 0,
            steps=self.horizon,
        )
        predicted = {
            "t_align": float(sensing.alignment_time(spectral, start.left, self.true_rank, self.step, sine=ALIGNED)),
            "t_escape": float(sensing.escape_time(spectral, basis, start.left, self.step, escaped)),
        }
        values = {"t_align": float(found.align), "t_escape": float(found.escape), "t_refine": float(found.refine)}
        if self.is_population:
            escape, refine = sensing.population_times(known, self.step, escaped, refined)
            predicted |= {"t_escape": float(escape), "t_refine": float(refine)}
            values |= {"plateau": float(found.errors[-1]), "total": float(found.refine)}
        return Measurement(values, finite=predicted)
