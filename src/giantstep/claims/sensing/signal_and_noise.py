"""[ss21] signal and noise along gradient descent from a small start, iteration by iteration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import log
from typing import Literal, Self

from giantstep import learners
from giantstep.claims import Allowance, Computed, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import SIDE, SensingClaim
from giantstep.learners.sensing import SensingDescent, SensingState, parts, relative_error
from giantstep.theory import sensing

ENOUGH = 8.0  # d r* measurements from which on the course is predicted
EXACT = 1e-7  # relative error that is reached with r = r*, where nothing is left over
LATE = 1.2  # times what the prediction needs to get there
CORRECTIONS = (
    "corrections are of order alpha^2; with finitely many measurements of order s^2, an iteration or so, and signals "
    "that start unequal, as they do for few columns, change each other's Z"
)
SLIDE = {"measured": "gaussian", "d": 200, "true_rank": 5, "oversampling": 10, "scale": 1e-4}
EXACTLY = {"measured": "gaussian", "d": 60, "true_rank": 2, "rank": 2, "scale": 1e-4}
ALONG = ("weakest", "error", "signal_error", "noise")
SIZE = "signal, noise and relative errors"


def _along(early: float) -> Computed:
    """What the course may be off."""
    return Computed(
        lambda point, predicted: (
            predicted * (early if point.is_population else 0.12 + 0.35 * point.true_rank / point.rank)
        ),
        f"{early:g} of the prediction; with finitely many measurements 0.12 + 0.35 r*/r of it",
    )


def _is_known(point: SignalAndNoise) -> bool:
    return point.is_population or point.is_followed


@named(
    "sensing/signal-and-noise",
    kind="figure",
    cite="ss21",
    where="slides 'Convergence phases', 'Saddle avoidance and local convergence phase' and 'How does more "
    "overparameterization help?' (figure: error along iterations)",
    finding=(
        "With infinitely many measurements signal and noise are known for all iterations and condition numbers, by a "
        "map of r* x r* matrices: the noise part does not move at all while the signal is learned, and is proportional "
        "to alpha. With Gaussian measurements noise grows too while the signal does. With r = r* there is no noise "
        "part, and the truth is recovered from a random start to any accuracy."
    ),
)
class SignalAndNoise(SensingClaim):
    """The signal part of U_t grows out of the saddle and becomes the truth, while the noise part stays as it began.

    With X'U_t = V S W' (singular values), U_t W W' is the signal and U_t (I - W W') the noise. `weakest` is the least
    of S after `steps` iterations, which must grow to leave the saddle; `signal_error` the relative error of the signal
    part, which vanishes; `noise` the spectral norm of the noise, which stays and is proportional to alpha; `error` the
    relative error of U_t U_t', which falls to what noise leaves. All are predicted for the start drawn, with Gaussian
    measurements for the Z drawn. With r = r* the error falls to 0, `exact_error`.
    """

    d: int = parameters.dimension(100, **SIDE)
    true_rank: int = parameters.true_rank(3)
    rank: int = parameters.rank(10)
    scale: float = parameters.scale(1e-5)
    steps: int = parameters.steps(60, path=True, ge=0, le=20_000)
    condition: float = parameters.condition(1.0)
    measured: Literal["population", "gaussian"] = parameters.measured("population")

    quantities = (
        quantity.equal(
            "weakest", _along(1e-3), CORRECTIONS, help="weakest signal: least singular value of X'U_t",
            symbol=r"\sigma_{\min}(X^T U_t)", against="finite", when=_is_known,
        ),
        quantity.equal(
            "error", _along(0.01), CORRECTIONS, help="relative error: of U_t U_t'",
            symbol=r"|U_t U_t^T - X X^T|/|X X^T|", against="finite", when=_is_known,
        ),
        quantity.equal(
            "signal_error", Allowance(0.01, of="prediction") + Allowance(100, size="scale", power=2),
            "corrections are of order alpha^2",
            help="relative error of the signal part", against="finite", when=lambda point: point.is_population,
        ),
        quantity.equal(
            "noise", Allowance(0.01, of="prediction"), "corrections are of order alpha^2",
            help="spectral norm of the noise part", symbol="|U_t (I - W W^T)|", against="finite",
            when=lambda point: point.is_population,
        ),
        quantity.slope(
            "noise", "scale", 1.0, 0.01, "corrections are of order alpha^2",
            help="it is proportional to alpha", when=lambda point: point.is_population,
        ),
        quantity.at_most(
            "exact_error", Allowance(0), f"by then {EXACT:g} is passed, up to the scatter of the slowest direction",
            help="relative error with no column too many: of U_t U_t', r = r*", when=lambda point: point.is_late,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "steps", "0:120:25", ALONG, together=True, log_y=True, y_label=SIZE,
            title="three phases: signal, noise and error",
        ),
        view.Curve(
            "steps", "0:420:22", ALONG, together=True, log_y=True, y_label=SIZE, at={"condition": 2},
            title="condition number $\\kappa$ = 2",
        ),
        view.Curve(
            "scale", "log:1e-6:1e-3:4", ("noise", "signal_error"), log_x=True, log_y=True, at={"steps": 120},
            title="the noise part scales with the start",
        ),
        view.Curve(
            "steps", "0:80:9", ("error",), by="rank", by_values=(5, 10, 50, 200), log_y=True, seeds=8, at=SLIDE,
            title="error along iterations, n = 200, $r_*$ = 5, m = 10 n $r_*$",
        ),
        view.Curve(
            "steps", "0:80:9", ("weakest", "error", "noise"), together=True, log_y=True, seeds=12,
            y_label=SIZE,
            at={"measured": "gaussian", "oversampling": 20}, title="$m = 20\\,d\\,r_*$ measurements",
        ),
        view.Curve(
            "steps", "0:220:12", ("error", "exact_error"), together=True, log_y=True, at=EXACTLY,
            title="$r = r_*$: the truth is recovered",
        ),
    )  # fmt: skip
    presets = {
        "slide": {**SLIDE, "rank": 200},
        "exact": {**EXACTLY, "steps": 220},
        "unequal": {"condition": 2, "steps": 300},
    }
    default_seeds = 6
    engine = ("population", "revealed")

    @property
    def horizon(self) -> int:
        return self.steps + 1

    @property
    def is_population(self) -> bool:
        return self.measured == "population"

    @property
    def is_followed(self) -> bool:
        """Whether the course with Gaussian measurements is predicted."""
        return self.weakest == 1 and self.oversampling >= ENOUGH and self.rank >= 2 * self.true_rank

    @property
    def is_late(self) -> bool:
        """Whether r = r*, and the error has had the time to fall below what is judged."""
        if self.rank > self.true_rank or (not self.is_population and self.oversampling < ENOUGH):
            return False
        growth = log(self.d / self.scale) / log(1 + self.step * self.weakest**2)
        return self.steps >= growth + LATE * log(1 / EXACT) / (-self.refinement.rate * self.weakest**2)

    def predict(self) -> Prediction:
        stays = sensing.error_plateau(self.d, self.true_rank, self.rank, self.scale, self.energy)
        return Prediction(
            {"exact_error": EXACT} if self.is_late else {},
            regime="alpha -> 0; for the start drawn, with Gaussian measurements for the Z drawn, s^2 small",
            notes=(f"infinitely many measurements leave an error of {stays:.3g}",) if self.is_population else (),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, wanted = points[0], sorted({p.steps for p in points})
        problem, start, basis = first.problem(run.streams), first.start(run.streams), first.basis(run.streams)
        truth, spectral = problem.truth, problem.spectral_matrix()
        assert truth is not None

        def look(state: SensingState) -> tuple[float, float, float, float]:
            found = parts(state.factors.left, basis)
            return (
                found.weakest,
                relative_error(state.product, truth),
                found.signal_error(truth),
                found.noise,
            )

        seen = learners.run(SensingDescent(problem, first.step), start, times=wanted, watch={"all": look})["all"]
        measured = {t: dict(zip(ALONG, values, strict=True)) for t, values in zip(wanted, seen.tolist(), strict=True)}
        if first.is_population:
            known = sensing.PopulationStart.of(start.left, basis, first.singular)
            moments = islice(known.course(first.step), wanted[-1] + 1)
            expected = {t: now._asdict() for t, now in enumerate(moments)}
        elif first.is_followed:
            settings = (spectral, basis, start.left, first.step, wanted[-1], first.refinement)
            weakest, error = sensing.errors_along(*settings)
            expected = {t: {"weakest": weakest[t], "error": error[t]} for t in wanted}
        else:
            expected = {t: {} for t in wanted}
        found = []
        for point in points:
            exact = {"exact_error": measured[point.steps]["error"]} if point.is_late else {}
            found.append(Measurement(measured[point.steps] | exact, finite=expected[point.steps]))
        return found
