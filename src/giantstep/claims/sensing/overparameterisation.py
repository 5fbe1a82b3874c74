"""[ss21] more columns than needed shorten the first phase, and only that."""

from __future__ import annotations

from math import log

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
from giantstep.theory.sensing import alignment_time, escape_time, tangent_dimension

LEAST_OVERSAMPLING = 3.0
ALIGNED = 0.5  # sine of the angle at which the first phase ends
ESCAPED = 0.1**0.5  # weakest signal at which the second phase ends
REFINED = (0.05, 0.005)  # relative errors between which the third is measured


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
    predicted without a draw by the law of the measurements on the tangent space.
    """

    d: int = parameters.dimension(200, **SIDE)

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
            help="iteration at which the weakest signal leaves the saddle",
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
        ),
        quantity.reported("slide_t_align", help="(1/mu) ln(2 d/r), the slide's order of the first phase"),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the slowest direction lies outside the column space of the truth, mu at most 2/(l_min + l_max)",
            lambda point: point.refinement.is_led_by_the_rest,
            ("t_refine",),
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
        ),
        view.Curve(
            "step", (0.1, 0.25, 0.6), ("t_align", "t_escape", "t_refine"), log_x=True, log_y=True, together=True,
            seeds=8, at={"d": 100, "oversampling": 5, "rank": 20}, title="m = 5 n $r_*$",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"d": 200, "true_rank": 5, "oversampling": 10, "rank": 200},
        "exact": {"rank": 5},
        "d1000": {"d": 1000, "true_rank": 5, "oversampling": 10, "rank": 20},
    }
    default_seeds = 16

    @property
    def horizon(self) -> int:
        return int(log(1 / min(self.scale, 0.1)) / log(1 + self.step) + 6 / -self.refinement.rate)

    def check(self) -> None:
        super().check()
        if self.measurements < LEAST_OVERSAMPLING * tangent_dimension(self.d, self.true_rank):
            raise InputError(
                f"oversampling = {self.oversampling} is not allowed; with fewer than {LEAST_OVERSAMPLING:g} d r* "
                "measurements the phases cannot be told apart"
            )
        stays = self.final_error(min(self.scale, 1.0)).value
        if self.scale > 0.1 or stays > REFINED[1] / 3:
            raise InputError(
                f"scale = {self.scale} is not allowed; the error would stay at about {stays:.2g}, and refinement is "
                f"measured down to {REFINED[1]:g}: lower scale, or raise oversampling"
            )

    def predict(self) -> Prediction:
        slide = max(0.0, log(2 * self.d / min(self.rank, self.d)) / self.step)
        return Prediction(
            {"slide_t_align": slide, "t_refine": self.refinement.duration(*REFINED)},
            regime="alpha -> 0, s^2 = d r*/(2m) small; times are predicted for the Z and U_0 drawn",
        )

    def measure(self, run: Run) -> Measurement:
        problem, start = self.problem(run.streams), self.start(run.streams)
        basis = self.basis(run.streams)
        spectral = problem.spectral_matrix()
        found = phase_times(
            SensingDescent(problem, self.step),
            start,
            basis,
            top_eigenspace(spectral, self.true_rank),
            aligned=ALIGNED,
            escaped=ESCAPED,
            refined=REFINED[1],
            steps=20 * self.horizon,
        )
        return Measurement(
            {
                "t_align": float(found.align),
                "t_escape": float(found.escape),
                "t_refine": crossing(found.errors, REFINED[1]) - crossing(found.errors, REFINED[0]),
            },
            finite={
                "t_align": float(alignment_time(spectral, start.left, self.true_rank, self.step, sine=ALIGNED)),
                "t_escape": float(escape_time(spectral, basis, start.left, self.step, ESCAPED)),
            },
        )
