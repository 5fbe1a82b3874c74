"""[rnwl25] directions of decreasing strength are learned suddenly, each at its time; together they make a power law."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Computed, Hypothesis, named, quantity, view
from giantstep.claims.emergence._directions import LEARNED, DirectionsClaim
from giantstep.learners.flows import TeacherFlow, teacher_start
from giantstep.theory.dynamics.scaling import EmergentDirections, late_exponent, matched_overlaps
from giantstep.verdicts.stating import Cost, Curve, Measurement, Prediction, Run, Value

LOOKS = 260  # moments of a run
LATE = 0.05  # part of a time by which the others that are still moving delay a direction
BEGUN, DONE = 0.1, 0.9  # shares of a direction
FIRST_OVERLAP = 0.4  # of a typical neuron that is first: beyond it nothing is sudden
SPAN = np.geomspace(1.0, 4.5, 6)  # of the times over which the risk is a power
LOWEST = -3.5  # of a logarithm of the risk in the picture
MANY_ENOUGH = 8  # directions, for a sum over them, or a mean over half of them
MANY: dict[str, Any] = {"directions": 20, "neurons": 80}
MASSES = (
    "times that are 5 % late, and masses of neurons that find no direction; for typical starts also the spread of one "
    "draw, since a few seeds of a jump are far from Gaussian"
)
STEEP = "times that are 5 % late, where the curve is steepest; for typical starts, the chance of few jumps"
EXACT_DRAW = {"against": "finite"}


def _moved(point: ScalingLaw, predicted: float) -> float:
    """What the predicted risk changes by when all times move by 5 %, and 0.001 of the risk at the beginning."""
    near = [point.theory().risks([point.time * f])[:, 0].sum() for f in (1 - LATE, 1 + LATE)]
    return float(max(near) - min(near)) / 2 + 0.001 * float((point.amplitudes**2).sum()) + 0 * predicted


def _drawn(point: ScalingLaw, predicted: float) -> float:
    """The standard deviation of the risk over starts."""
    return float(point.theory().spread([point.time])[0]) + 0 * predicted


def _are_many(point: ScalingLaw) -> bool:
    return point.directions >= MANY_ENOUGH


def _limit_exponent(point: ScalingLaw) -> float:
    """-(2 beta - 1)/beta."""
    return -(2 * point.amplitude_exponent - 1) / point.amplitude_exponent


@named(
    "emergence/scaling-law",
    kind="theorem",
    cite="rnwl25",
    where="sharp transition times of each direction, and the power law of the risk in time",
    version=2,
    finding=(
        "In gradient flow the times are p^beta times a number that chance draws anew for each direction: the largest "
        "overlap of a neuron that no earlier direction has taken. They scatter by a fifth at 64 neurons, so that "
        "curves collapse in the mean, not one by one; for its own draw each time is known to some per cent."
    ),
)
class ScalingLaw(DirectionsClaim):
    """Directions of strength p^-beta are learned suddenly, at times p^beta; their jumps add up to a power of time.

    A teacher of orthogonal directions v_p, a student whose neurons carry their own mass |w|^2, gradient flow on the
    population from a small random start. Direction p waits for the one neuron that began nearest to it, then is learned
    within a short part of the time passed (`width`, smaller at larger d). `learning_time` is when half of it is
    learned. `open_risk` is the risk of the target with infinitely many directions, of which those beyond P are not
    touched before t_P; it falls like t^-((2 beta - 1)/beta). `early_jump` and `late_jump` show what is learned
    against the time over p^beta, in the mean over the first and the second half of the directions: one curve.
    """

    quantities = (
        quantity.equal(
            "learning_time", Allowance(LATE + 0.01, of="prediction"),
            "neurons that come second at a direction take a part of it, and those on their way delay others a little",
            help="when half of each direction is learned", symbol="t_p",
            limit=Allowance(0.1, of="prediction"), **EXACT_DRAW,
        ),
        quantity.equal(
            "time_exponent", Allowance(0.04), "late directions are delayed a little more than early ones",
            help="slope of log t_p against log p", symbol=r"\beta", limit=Allowance(0.06), **EXACT_DRAW,
        ),
        quantity.equal(
            "width", Allowance(0.12, of="prediction"), "a second neuron at a direction makes its end faster",
            help="time from a tenth to nine tenths, over the time to one half; mean over directions",
            symbol=r"\Delta t_p/t_p", **EXACT_DRAW,
        ),
        quantity.decreasing("width", "d", "the smaller the overlaps at the start, the more sudden the jump"),
        quantity.equal(
            "risk", Computed(_moved), MASSES,
            help="risk in time, of 8 directions or more: that of fewer is single jumps, of which learning_time speaks",
            symbol="R(t)", over="time", **EXACT_DRAW, limit=Computed(_moved) + Computed(_drawn), when=_are_many,
        ),
        quantity.equal(
            "open_risk", Computed(_moved), MASSES,
            help="risk of the target with infinitely many directions", symbol=r"R_\infty(t)", **EXACT_DRAW,
            limit=Computed(_moved) + Computed(_drawn),
        ),
        quantity.slope(
            "open_risk", "time", lambda point: point.own_exponent, 0.1,
            "the power is theory's own over these times, for few directions make the risk; they come 5 % late",
            help="risk of the target with infinitely many directions", symbol=r"R_\infty(t)",
            when=lambda point: bool(point.times_p[0] <= point.time <= point.times_p[-1]),
        ),
        quantity.equal(
            "limit_exponent", Allowance(0.01), "sums over p are not integrals",
            help="slope of theory's risk while directions 100 to 1600 are learned, against the closed form",
            symbol=r"-(2\beta - 1)/\beta",
        ),
        *(
            quantity.equal(
                f"{which}_jump", Allowance(0.06), STEEP,
                help=f"share learned against t p^-beta, mean over the {which} half of the directions",
                limit=Allowance(0.2), when=_are_many, **EXACT_DRAW,
            )
            for which in ("early", "late")
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the dimension is large: overlaps at the start are below 0.4", lambda p: p.first_overlap < FIRST_OVERLAP
        ),
    )
    views = (
        view.Trajectory(
            ("one direction", "all together"), "$\\log_{10} t$", "$\\log_{10}$ risk", references=("theory",),
            by="directions", by_values=(1, 4, 12), title="jumps that add up to a line",
        ),
        view.Time(("learning_time", "risk"), log_x=True, log_y=True, title="each direction at its time"),
        view.Time(("early_jump", "late_jump"), title="collapse in t over p^beta"),
        view.Curve(
            "time", (20, 30, 45, 65, 90), ("open_risk",), by="amplitude_exponent", by_values=(0.8, 1.0), log_x=True,
            log_y=True, title="the risk falls as a power of time",
        ),
        view.Curve("d", (128, 256, 512), ("width",), at={"directions": 4}, log_x=True, log_y=True, title="sudden"),
    )  # fmt: skip
    presets = {
        "many": MANY,
        "steep": {"amplitude_exponent": 1.5, "directions": 8},
        "six": {"order": 6, "d": 64, "directions": 4, "time": 20},
    }
    default_seeds = 32
    line_places = 31

    def told_by(self, theory: EmergentDirections) -> dict[str, Value]:
        """What theory says, of typical starts or of those that were drawn."""
        times = theory.times_of(LEARNED)
        begun, done = theory.times_of(BEGUN), theory.times_of(DONE)
        scaled = self.scaled / self.amplitudes[:, None, None] + 0 * theory.starts[:, :, None]
        return self.named(
            times, begun, done, theory.risks(self.places).sum(axis=0), theory.risks([self.time]).sum(),
            theory.learned(scaled).mean(axis=1),
        )  # fmt: skip

    def named(self, times: Array, begun: Array, done: Array, risk: Array, now: float, jumps: Array) -> dict[str, Value]:
        p, half = np.arange(1.0, self.directions + 1), max(1, self.directions // 2)
        slope = float(np.polyfit(np.log(p), np.log(times), 1)[0]) if len(p) > 1 else self.amplitude_exponent
        return {
            "learning_time": Curve(p, times, "direction p"),
            "time_exponent": slope,
            "width": float(((done - begun) / times).mean()),
            "risk": Curve(self.places, risk, "time t"),
            "open_risk": float(now) + self.tail,
            "early_jump": Curve(self.scaled, jumps[:half].mean(axis=0), "t p^-beta"),
            "late_jump": Curve(self.scaled, jumps[-half:].mean(axis=0), "t p^-beta"),
        }

    @property
    def own_exponent(self) -> float:
        """Theory's own power over the factor 4.5 of time from here on: the mean slope of single runs."""
        times = self.time * SPAN
        return float(np.polyfit(np.log(times), self.theory().mean_logarithm(times, self.tail), 1)[0])

    def predict(self) -> Prediction:
        first, last = self.times_p[0], self.times_p[-1]
        note = f"on average the first direction is learned at t = {first:.3g}, the last at {last:.3g}"
        limit = {"limit_exponent": _limit_exponent(self)}
        return Prediction(
            self.told_by(self.theory()) | limit, "small overlaps and masses at the start: large d, small rho_0", (note,)
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        flow = TeacherFlow(first.amplitudes, first.order)
        streams = run.streams.child("start")
        start = teacher_start(first.amplitudes, first.order, first.d, first.neurons, first.mass, streams)
        looks = np.append(0.0, np.geomspace(first.times_p[0] / 20, first.end, LOOKS))
        times = np.unique(np.append(looks, [point.time for point in points]))
        seen = learners.run(flow, start, times=times, watch=("learned", "risk"), progress=run.progress)
        drawn = matched_overlaps(start.overlaps, first.amplitudes, first.order, first.mass)
        theory = EmergentDirections(first.amplitudes, first.order, drawn, first.mass)
        at, now = (np.searchsorted(times, asked) for asked in (looks, [point.time for point in points]))
        learned, risk = seen["learned"][at], seen["risk"]
        return [
            point.measured(looks, learned, risk[at], float(risk[place]), theory)
            for point, place in zip(points, now, strict=True)
        ]

    def measured(
        self, times: Array, learned: Array, risk: Array, now: float, theory: EmergentDirections
    ) -> Measurement:
        shares = np.maximum.accumulate(learned, axis=0)
        begun, half, done = (
            np.array([_reached(s, times, level) for s in shares.T]) for level in (BEGUN, LEARNED, DONE)
        )
        jumps = np.array(
            [np.interp(self.scaled / a, times, share) for a, share in zip(self.amplitudes, learned.T, strict=True)]
        )
        values = self.named(half, begun, done, np.interp(self.places, times, risk), now, jumps)
        values["limit_exponent"] = late_exponent(self.amplitude_exponent, self.order)
        return Measurement(values, self.told_by(theory), paths=self.paths_of(times, learned, risk))

    def paths_of(self, times: Array, learned: Array, risk: Array) -> dict[str, list[Curve]]:
        """Logarithms of the risk of each direction alone and of all, and theory's mean, every fourth moment."""
        at, x = slice(1, None, 4), np.log10(times[1::4])

        def way(values: Array) -> Curve:
            return Curve(x, np.log10(np.maximum(values, 10**LOWEST)), "log t")

        own = self.amplitudes**2 * np.maximum(1 - learned[at], 0.0) ** 2
        return {
            "one direction": [way(one) for one in own.T],
            "all together": [way(risk[at])],
            "theory": [way(self.theory().risks(times[at]).sum(axis=0))],
        }

    def cost(self) -> Cost:
        n, axes = self.neurons, self.directions + min(self.neurons, max(1, self.d - self.directions))
        evaluations = 6 * (3.0 * self.end + 200)
        return Cost(evaluations * (4.0 * n * n * axes + 60.0 * n * (n + axes) + 1e5), 8.0 * 24 * n * axes + 3e7)


def _reached(shares: Array, times: Array, level: float) -> float:
    """When this share was learned; the last time if it was not."""
    return float(np.interp(level, shares, times)) if shares[-1] >= level else float(times[-1])
