"""[mws23] how long the normalised flow takes: tau_k(delta_0), by the regimes of the spike."""

from __future__ import annotations

from typing import Literal

from giantstep.claims import Allowance, Computed, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._times import TimedFlowClaim, start_correction, time_correction
from giantstep.learners.flows import FlowKind
from giantstep.theory.structured.flows import needed_time_exponent, start_exponent, typical_start

FARTHER = 10  # the exponent in d is taken between d and ten times d
LARGE = 1000  # dimensions from which on exponents are said


def _start_slope(point: Runtime) -> float:
    return local_exponent(lambda d: typical_start(point.flow_in(d), d), point.d, (1, 10, 100))


@named(
    "structured/runtime",
    kind="theorem",
    cite="mws23",
    version=3,
    where="slide 'Sample & Runtime Complexity': T = tau_k(delta_0) + ln(1/eps)",
    finding=(
        "The power of tau_k is right, and T is known with its constants: for zeta = c omega^(k-1), with the "
        "preconditioner, 2 c T = F(0.9) - F(omega_0) with F = atanh w, ln(w/sqrt(1 - w^2)), atanh w - 1/w for "
        "k = 1, 2, 3. Without it the flow is quicker, by up to 1/theta, but only because it is stiffer: its steps must "
        "be smaller by 1 + theta, and the numbers of iterations are alike."
    ),
)
class Runtime(TimedFlowClaim):
    """The normalised flow takes a time of order 1, ln(1/delta), delta^(2-k) for k = 1, 2, > 2 from an overlap delta.

    delta_0 = |omega| of a random start is d^(-1/2) for gamma2 < gamma1, d^(gamma2 - gamma1 - 1/2) up to 2 gamma1, and
    d^((gamma2 - 1)/2) beyond (`start_overlap`). `hitting_time` is the median time to omega = level, by the flow in the
    neuron's own coordinates, held against the exact time from the same starts and against that of the median start.
    `time_exponent` is the growth of tau from d to 10 d: log T per log d; for k = 2 the factor of ln d in 2 c T.
    """

    d: int = parameters.dimension(1000, ge=8, le=10**9)
    alignment_exponent: float = parameters.alignment_exponent(0.4)
    strength_exponent: float = parameters.strength_exponent(0.6, symbol=r"\gamma_2", le=1)
    preconditioner: Literal["none", "covariance"] = parameters.preconditioner("covariance")
    level: float = parameters.own(0.9, "overlap that is to be reached", symbol=r"1 - \epsilon", gt=0.5, lt=1)
    starts: int = parameters.starts(31)

    quantities = (
        quantity.equal(
            "start_overlap", Allowance(0.02, of="prediction"),
            "the length of the start's orthogonal part is taken as fixed, a relative error of 1/sqrt(d)",
            help="median overlap of random starts", symbol=r"\delta_0",
        ),
        quantity.slope(
            "start_overlap", "d", _start_slope, 0.01, "the noise of medians",
            help="its exponent from d to 100 d, of which the limit may still be far",
        ),
        quantity.equal(
            "start_limit", start_correction, "of sums of two powers of d the smaller one still counts",
            help="its exponent for large d, by the law of the start from d = 10^12 on", symbol=r"\log_d\delta_0",
            when=lambda point: point.is_preconditioned,
        ),
        quantity.equal(
            "hitting_time", Allowance(1e-3, of="prediction"),
            "the solver's tolerance: the equations are exact; against the median start, the noise of a median",
            help="median time to the level", symbol="T", against="finite",
            limit=Computed(
                lambda point, predicted: (0.03 if point.is_preconditioned else 1.0) * predicted,
                "3 % of the prediction, or without preconditioner all of it",
            ),
        ),
        quantity.at_most(
            "hitting_time", Allowance(0.03, of="prediction"), "the noise of a median",
            help="without preconditioner never later than with it", when=lambda point: not point.is_preconditioned,
        ),
        quantity.equal(
            "time_exponent", Allowance(2e-3),
            "the solver's tolerance; against the median start of theory, the noise of a median",
            help="growth of tau from d to 10 d", symbol=r"\log\tau/\log d", against="finite", limit=Allowance(0.01),
            when=lambda point: point.is_preconditioned and point.d >= LARGE,
        ),
        quantity.equal(
            "time_limit", time_correction, "the start's own corrections, and times that begin at a finite overlap",
            help="its limit for large d, by the law of the start from d = 10^12 on", symbol=r"\log_d\tau_k",
            when=lambda point: point.is_preconditioned,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (10**3, 10**4, 10**5), ("hitting_time", "start_overlap"), by="strength_exponent",
            by_values=(0.2, 0.6, 0.9), log_x=True, log_y=True, title="exponent 3: spikes weak, middle, strong",
        ),
        view.Curve(
            "strength_exponent", (0.2, 0.6, 0.8, 1), ("time_exponent",), at={"d": 10**5},
            bounds=("time_limit",), title="exponent 3, alignment d^-0.4",
        ),
        view.Curve(
            "d", (10**3, 10**4, 10**5), ("hitting_time",), by="target", by_values=("x1", "He2(x1)/sqrt(2)"), log_x=True,
            title="exponents 1 and 2",
        ),
        view.Curve(
            "strength_exponent", (0.2, 0.6, 1), ("time_exponent",), by="target", by_values=("x1", "He2(x1)/sqrt(2)"),
            at={"d": 10**5}, title="exponents 1 and 2",
        ),
        view.Curve(
            "strength_exponent", (0.2, 0.6, 1), ("time_exponent",), title="exponent 4",
            at={"d": 10**4, "activation": "relu", "target": "-He4(x1)/sqrt(24)"},
        ),
        view.Curve(
            "d", (100, 1000), ("hitting_time",), by="preconditioner", by_values=("none", "covariance"), log_x=True,
            log_y=True, title="with and without preconditioner",
        ),
        view.Curve("level", (0.6, 0.9, 0.99, 0.999), ("hitting_time",), at={"d": 1000}, title="the last ln(1/epsilon)"),
    )  # fmt: skip
    presets = {
        "weak": {"strength_exponent": 0.2, "alignment_exponent": 0.4},
        "strong": {"strength_exponent": 0.75, "alignment_exponent": 0.25},
        "aligned": {"strength_exponent": 0.5, "alignment_exponent": 0.0},
        "no-preconditioner": {"preconditioner": "none", "d": 1000},
    }
    default_seeds = 8
    line_places = 13
    engine = "population"

    def check(self) -> None:
        super().check()
        self.check_rounding(FARTHER * self.d)

    @property
    def is_preconditioned(self) -> bool:
        return self.preconditioner == "covariance"

    def predict(self) -> Prediction:
        alignment, strength = self.alignment_exponent, self.strength_exponent
        regime = "weak" if strength < alignment else "middle" if strength < 2 * alignment else "strong"
        return Prediction(
            {
                "start_overlap": typical_start(self.flow, self.d),
                "hitting_time": self.typical_time(self.d, self.level),
                **({"time_exponent": self.typical_growth(FARTHER, self.level)} if self.is_preconditioned else {}),
                "start_limit": start_exponent(alignment, strength),
                "time_limit": needed_time_exponent(self.exponent, alignment, strength),
            },
            "population risk, any d; exponents for large d",
            notes=(f"the spike is {regime}: delta_0 = d^{start_exponent(alignment, strength):.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        kind: FlowKind = "preconditioned" if self.is_preconditioned else "normalised"
        overlap, start = self.drawn_start(self.d, run.streams.child("draws")), run.streams.child("start")
        times = self.drawn_times(kind, self.d, self.level, start)
        values, finite = {"start_overlap": overlap, "hitting_time": times[0]}, {"hitting_time": times[1]}
        if self.is_preconditioned:
            values["time_exponent"], finite["time_exponent"] = self.drawn_growth(times, FARTHER, self.level, start)
            values |= self.limits_of_law(self.level)
        return Measurement(values, finite=finite)

    def cost(self) -> Cost:
        stiff = 1.0 if self.is_preconditioned else 1.0 + self.theta**0.5
        return Cost(2e7 * self.starts * stiff, 1e6 * self.starts + 2e7)
