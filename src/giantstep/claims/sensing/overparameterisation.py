"""[ss21] more columns than needed shorten the first phase, and only that."""

from __future__ import annotations

from math import log
from typing import Literal

from giantstep.claims import (
    Allowance,
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
from giantstep.learners.sensing import SensingDescent, crossing, phase_times, top_eigenspace
from giantstep.theory.sensing import (
    PopulationStart,
    alignment_time,
    error_plateau,
    escape_time,
    population_times,
    tangent_dimension,
)

LEAST_OVERSAMPLING = 3.0
ALIGNED = 0.5  # sine of the angle at which the first phase ends
ESCAPED = 0.1**0.5  # weakest signal at which the second phase ends
REFINED = (0.05, 0.005)  # relative errors between which the third is measured
UNEQUAL = {"measured": "population", "d": 100, "true_rank": 3}


@named(
    "sensing/overparameterisation",
    kind="figure",
    cite="ss21",
    where="slide 'How does more overparameterization help?', n = 200, r* = 5, m = 10 n r*",
    finding=(
        "The spectral phase is shortened as said, but t = (1/mu) ln(2n/r) is an order, not a count: the measured "
        "slope in ln(n/r) is about 0.9/mu here, between the slide's 1/mu and the 1/(2 mu) of the talk's own phase "
        "formula, which is approached for r >> r*. And since the signal grows during alignment, the phases overlap: "
        "from r = 10 to 200 alignment comes three times earlier, leaving the saddle only a tenth."
    ),
    version=2,
)
class Overparameterisation(SensingClaim):
    """The more columns U has, the sooner it is aligned; saddle avoidance ends hardly earlier, and refinement is as
    long.

    `t_align` is the iteration at which the leading left singular vectors of U_t come within sine 1/2 of the leading
    eigenvectors of Z, as the power method on the same Z and U_0 says; `t_escape` the one at which sigma_min(X'U_t)
    passes 1/sqrt(10); `t_refine` counts the iterations in which the relative error falls from 0.05 to 0.005, and is
    predicted without a draw by the law of the measurements on the tangent space. With infinitely many measurements X
    may have unequal singular values, from 1 to 1/kappa: more columns help the first phase as before, while all times
    grow with kappa^2, and all are predicted to the iteration from U_0.
    """

    d: int = parameters.dimension(200, **SIDE)
    condition: float = parameters.condition(1.0)
    measured: Literal["population", "gaussian"] = parameters.measured("gaussian")

    quantities = (
        quantity.equal(
            "t_align",
            Allowance(0.5),
            "an iteration may be gained or lost where the angle just touches its threshold",
            help="iteration at which the spectral phase ends; predicted: the power method",
            symbol="t_1",
            against="finite",
        ),
        quantity.decreasing("t_align", "rank", "every further column sees the leading eigenvectors afresh"),
        quantity.equal(
            "t_escape",
            Allowance(1.0),
            "the power method, continued by the scalar map beyond signals of 0.03, neglects the turn towards the truth",
            help="iteration at which the signal has escaped: its weakest part leaves the saddle",
            symbol="t_2",
            against="finite",
        ),
        quantity.slope(
            "t_refine", "rank", 0.0, 0.03,
            "with more columns the r* signals start more equal and arrive together, which costs some 0.2 iterations",
        ),
        quantity.equal(
            "t_refine",
            Allowance(0.03, of="prediction"),
            "terms of order s^2, the noise of Z inside the complement of the truth, and directions of the column space "
            "that are not the truth itself",
            help="iterations from error 0.05 to error 0.005",
            symbol="t_3",
            when=lambda point: not point.is_population,
        ),
        quantity.equal(
            "t_refine_exact",
            Allowance(1.0),
            "an iteration may be gained or lost at either end",
            help="iterations of refinement; the same with infinitely many measurements",
            symbol="t_3",
            against="finite",
            when=lambda point: point.is_population,
        ),
        quantity.reported("slide_t_align", help="the slide's order of the first phase: (1/mu) ln(2 d/r)"),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the slowest direction lies outside the column space of the truth, mu at most 2/(l_min + l_max)",
            lambda point: point.refinement.is_led_by_the_rest,
            ("t_refine",),
        ),
        Hypothesis(
            "X is orthonormal, or there are infinitely many measurements",
            lambda point: point.weakest == 1 or point.is_population,
            ("t_align", "t_escape", "t_refine"),
        ),
    )
    printed = (
        Printed(
            "t_align",
            "the spectral phase takes (1/mu) ln(2n/r) iterations",
            lambda point: log(2 * point.d / min(point.rank, point.d)) / point.step,
        ),
    )
    views = (
        view.Curve(
            "rank", (5, 10, 20, 50, 100, 200), ("t_align", "t_escape", "t_refine"), log_x=True,
            bounds=("slide_t_align",), together=True, title="n = 200, $r_*$ = 5, m = 10 n $r_*$",
            y_label="iterations",
        ),
        view.Curve(
            "step", (0.1, 0.25, 0.6), ("t_align", "t_escape", "t_refine"), log_x=True, log_y=True, together=True,
            seeds=8, at={"d": 100, "oversampling": 5, "rank": 20}, title="m = 5 n $r_*$",
            y_label="iterations",
        ),
        view.Curve(
            "rank", (4, 10, 30, 100), ("t_align", "t_escape", "t_refine_exact"), by="condition", by_values=(1.5, 3),
            at=UNEQUAL, log_x=True, log_y=True, seeds=20, title=r"singular values from 1 to $1/\kappa$",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"d": 200, "true_rank": 5, "oversampling": 10, "rank": 200},
        "exact": {"rank": 5},
        "unequal": {**UNEQUAL, "condition": 2},
        "d1000": {"d": 1000, "true_rank": 5, "oversampling": 10, "rank": 20},
    }
    default_seeds = 16
    engine = ("population", "revealed")

    @property
    def horizon(self) -> int:
        whole = log(1 / min(self.scale, 0.1)) / log(1 + self.step) + 6 / -self.refinement.rate
        return int(whole / self.weakest**2)

    @property
    def is_population(self) -> bool:
        return self.measured == "population"

    def check(self) -> None:
        super().check()
        if not self.is_population and self.measurements < LEAST_OVERSAMPLING * tangent_dimension(
            self.d, self.true_rank
        ):
            raise InputError(
                f"oversampling = {self.oversampling} is not allowed; with fewer than {LEAST_OVERSAMPLING:g} d r* "
                "measurements the phases cannot be told apart"
            )
        small = min(self.scale, 1.0)
        limit = error_plateau(self.d, self.true_rank, self.rank, small, self.energy)
        stays = limit if self.is_population else self.final_error(small).value
        if self.scale > 0.1 or stays > REFINED[1] / 3:
            raise InputError(
                f"scale = {self.scale} is not allowed; the error would stay at about {stays:.2g}, and refinement is "
                f"measured down to {REFINED[1]:g}: lower scale, or raise oversampling"
            )

    def predict(self) -> Prediction:
        slide = max(0.0, log(2 * self.d / min(self.rank, self.d)) / self.step)
        refining = {} if self.is_population else {"t_refine": self.refinement.duration(*REFINED)}
        return Prediction(
            {"slide_t_align": slide, **refining},
            regime="alpha -> 0, s^2 = d r*/(2m) small; times are predicted for the Z and U_0 drawn",
        )

    def measure(self, run: Run) -> Measurement:
        problem, start, basis = self.problem(run.streams), self.start(run.streams), self.basis(run.streams)
        spectral, escaped = problem.spectral_matrix(), ESCAPED * self.weakest
        found = phase_times(
            SensingDescent(problem, self.step),
            start,
            basis,
            basis if self.is_population else top_eigenspace(spectral, self.true_rank),
            aligned=ALIGNED,
            escaped=escaped,
            refined=REFINED[1],
            steps=20 * self.horizon,
        )
        refining = crossing(found.errors, REFINED[1]) - crossing(found.errors, REFINED[0])
        values = {"t_align": float(found.align), "t_escape": float(found.escape)}
        predicted = {
            "t_align": float(alignment_time(spectral, start.left, self.true_rank, self.step, sine=ALIGNED)),
            "t_escape": float(escape_time(spectral, basis, start.left, self.step, escaped)),
        }
        if not self.is_population:
            return Measurement(values | {"t_refine": refining}, finite=predicted)
        known = PopulationStart.of(start.left, basis, self.singular)
        (escape, first), (_, last) = (population_times(known, self.step, escaped, error) for error in REFINED)
        exact = {"t_escape": float(escape), "t_refine_exact": float(last - first)}
        return Measurement(values | {"t_refine_exact": refining}, finite=predicted | exact)
