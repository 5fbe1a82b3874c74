"""[mws23] samples and time over the plane of spike and alignment."""

from __future__ import annotations

import math
from operator import attrgetter

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_much_work
from giantstep.claims.structured._flows import LEVEL, MOST_WORK
from giantstep.claims.structured._times import TimedFlowClaim, start_correction, time_correction
from giantstep.errors import InputError
from giantstep.learners.flows import OverlapSearch
from giantstep.theory.structured.flows import needed_samples_exponent, needed_time_exponent, start_exponent

FAR = 10**6  # dimensions from which on the flow's exponents are said, and nothing is sampled
RATIO = 100  # there they are taken between d and 100 d
SMALL_RATIO = 4  # and where samples are drawn, between d and 4 d
DATA = {"d": 80, "starts": 8}
SEARCH = {"d": 20, "starts": 8, "data_sets": 5, "samples_per_dim": 2, "doublings": 7, "steps": 50}
IS_FAR = attrgetter("is_far")
CUTS = (0, 0.25, 0.5)


@named(
    "structured/phase-diagram",
    kind="theorem",
    cite="mws23",
    version=3,
    where="slides 'Sample & Runtime Complexity', 'Interplay between Spike Magnitude and Alignment'",
    finding=(
        "The three regimes follow from delta_0 alone, n = d delta_0^(-2(k-1)), and are continuous at gamma2 = gamma1 "
        "and 2 gamma1. The time has its exponent. That the number of samples is needed is not stated, nor seen: from "
        "d = 20 to 80 descent needs one that grows like d^1.1 to d^1.3 where d^1.4 to d^2 suffices. These sizes are "
        "too small to say that fewer suffice for large d."
    ),
)
class PhaseDiagram(TimedFlowClaim):
    """A stronger or better aligned spike needs fewer samples and less time: three regimes in the plane of exponents.

    With <mu, beta> = d^-gamma1 and theta = d^gamma2 a random start has the overlap delta_0 = d^(-1/2) for
    gamma2 < gamma1, d^(gamma2 - gamma1 - 1/2) up to 2 gamma1, d^((gamma2 - 1)/2) beyond (`start_exponent`: the median
    of drawn starts in d and 100 d, `start_limit` its limit). The normalised flow then needs a time tau_k(delta_0)
    (`time_exponent`: the growth
    of the flow's median time from d to 100 d, log T per log d, for k = 2 the factor of ln d in 2 c T; its limit is
    `time_limit`) and n = d delta_0^(-2(k-1)) samples suffice (`sample_exponent`: with doublings, the growth from d to
    4 d of the n at which descent with the preconditioner reaches a mean overlap of 1/2). In small d, `final_overlap`
    is how far descent comes with the same n = samples_per_dim d everywhere.
    """

    d: int = parameters.dimension(FAR, ge=8, le=10**16)
    alignment_exponent: float = parameters.alignment_exponent(0.25)
    strength_exponent: float = parameters.strength_exponent(0.375, symbol=r"\gamma_2", ge=0, le=1)
    starts: int = parameters.starts(15, help="random starts, of the flow or on each data set")
    samples_per_dim: float = parameters.samples_per_dim(
        32.0, help="samples per dimension of the descent", symbol="n/d", gt=1, le=1e6
    )
    doublings: int = parameters.own(
        0, "how often they are doubled, at most, until the mean overlap is 1/2; 0 looks for no such number", ge=0, le=16
    )
    data_sets: int = parameters.own(1, "data sets of the descent, to take means over", symbol="R", ge=1, le=1024)
    step: float = parameters.step(1.0, help="step size of the descent", le=1)
    steps: int = parameters.steps(100, help="steps of the descent", symbol="T", le=100_000)

    quantities = (
        quantity.equal(
            "start_exponent", Allowance(0.005), "medians of the same 4001 random numbers in both dimensions",
            help="growth of the median overlap of random starts from d to 100 d", symbol=r"\log_d\delta_0", when=IS_FAR,
        ),
        quantity.equal(
            "start_limit", start_correction, "of sums of two powers of d the smaller one still counts",
            help="its limit for large d, by the law of the start from d = 10^12 on", symbol=r"\log_d\delta_0",
            when=IS_FAR,
        ),
        quantity.equal(
            "time_exponent", Allowance(1e-3),
            "the solver's tolerance; against the median start of theory, the noise of a median",
            help="growth of the median time from d to 100 d", symbol=r"\log T/\log d",
            against="finite", limit=Allowance(0.01), when=IS_FAR,
        ),
        quantity.equal(
            "time_limit", time_correction, "the start's own corrections, and times that begin at a finite overlap",
            help="its limit for large d, by the law of the start from d = 10^12 on", symbol=r"\log_d\tau_k",
            when=IS_FAR,
        ),
        quantity.at_most(
            "sample_exponent", 0, "growth from d to 4 d of the number that suffices there, with its corrections",
            help="power of d in the samples that suffice", symbol=r"\log_d n", when=lambda point: point.doublings > 0,
            is_exponent=True,
        ),
        quantity.reported("half_samples", help="samples per dimension at an overlap of 1/2", symbol=r"n_{1/2}/d"),
        quantity.increasing(
            "final_overlap", "strength_exponent", "a stronger spike, a better start: no allowance is needed",
            help="mean overlap after gradient descent on samples", symbol=r"|\omega(T)|",
            when=lambda point: not point.is_far and point.exponent > 2,
        ),
    )  # fmt: skip
    views = (
        *(
            view.HeatMap("strength_exponent", "0:1:9", "alignment_exponent", "0:0.5:5", name, seeds=6, title=title)
            for name, title in (
                ("sample_exponent", "exponent of the samples that suffice, k = 3"),
                ("time_exponent", "exponent of the time, k = 3, d = 1e6 to 1e8"),
            )
        ),
        view.HeatMap(
            "strength_exponent", (0.1, 0.4, 0.7, 0.95), "alignment_exponent", CUTS, "final_overlap", seeds=56,
            at=DATA, title="overlap after descent on 32 d samples, d = 80",
        ),
        view.Curve(
            "strength_exponent", "0:1:9", ("start_exponent",), by="alignment_exponent", by_values=CUTS,
            seeds=6, bounds=("start_limit",), title="cuts through the map: the start",
        ),
        view.Curve(
            "strength_exponent", "0:1:9", ("time_exponent",), by="alignment_exponent", by_values=CUTS,
            seeds=6, bounds=("time_limit",), title="cuts through the map: the time",
        ),
        view.Curve(
            "strength_exponent", (0.5, 0.8), ("sample_exponent",), by="alignment_exponent", by_values=(0, 0.25),
            at=SEARCH, seeds=28, title="samples that descent needs, d = 20 to 80, and those that suffice",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"alignment_exponent": 0.25, "strength_exponent": 0.375},
        "xor": {"target": "He2(x1)/sqrt(2)", "activation": "relu"},
        "data": DATA,
        "samples": SEARCH,
    }
    default_seeds = 8
    line_places = 13
    engine = ("population", "dense")

    def check(self) -> None:
        super().check()
        if self.is_far:
            self.check_rounding(RATIO * self.d)
            if self.doublings:
                raise InputError(f"doublings = {self.doublings} is not allowed from d = {FAR:g} on; lower d")
        else:
            refuse_much_work("descent", self.most()[0], MOST_WORK, "d or samples")

    @property
    def is_far(self) -> bool:
        return self.d >= FAR

    def predict(self) -> Prediction:
        k, place = self.exponent, (self.alignment_exponent, self.strength_exponent)
        values = {"sample_exponent": needed_samples_exponent(k, *place)}
        if self.doublings:
            values["sample_exponent"] = 1.0 - 2.0 * (k - 1) * self.start_growth(SMALL_RATIO)
        if self.is_far:
            values |= {
                "start_exponent": self.start_growth(RATIO),
                "start_limit": start_exponent(*place),
                "time_exponent": self.typical_growth(RATIO, LEVEL),
                "time_limit": needed_time_exponent(k, *place),
            }
        return Prediction(
            values,
            f"exponents for large d, of the flow from d = {FAR:g} on; descent on samples below",
            notes=(f"k = {k}, delta_0 = d^{start_exponent(*place):.3g}",),
            # The spike helps from gamma2 = gamma1 on, and its alignment counts from gamma1 = gamma2/2 on.
            thresholds={"strength_exponent": place[0], "alignment_exponent": 0.5 * place[1]},
        )

    def measure(self, run: Run) -> Measurement:
        if self.is_far:
            return self.exponents(run)
        search = OverlapSearch("preconditioned", self.step, self.steps, self.starts, self.data_sets)
        if not self.doublings:
            samples = math.ceil(self.samples_per_dim * self.d)
            return Measurement({"final_overlap": search.overlap(self.task(self.d), samples, run.streams)})
        near, far = (
            search.half_samples(self.task(d, d), self.samples_per_dim, self.doublings, run.streams.child(f"{d}"))
            for d in (self.d, SMALL_RATIO * self.d)
        )
        growth = math.log(far / near) / math.log(SMALL_RATIO)
        return Measurement({"sample_exponent": growth, "half_samples": near / self.d})

    def exponents(self, run: Run) -> Measurement:
        """Growth from d to 100 d, from the same random numbers in both."""
        near, far = (self.drawn_start(d, run.streams.child("draws")) for d in (self.d, RATIO * self.d))
        starts = run.streams.child("start")
        times = self.drawn_times("preconditioned", self.d, LEVEL, starts)
        found, exact = self.drawn_growth(times, RATIO, LEVEL, starts)
        start = math.log(far / near) / math.log(RATIO)
        values = {"start_exponent": start, "time_exponent": found, **self.limits_of_law(LEVEL)}
        return Measurement(values, finite={"time_exponent": exact})

    def most(self) -> tuple[float, float]:
        """Operations and samples of the descent, if all of its doublings are needed."""
        # The last of the doublings costs as much as those before it, in the larger of two dimensions.
        d, tries = (SMALL_RATIO * self.d, 2 * self.data_sets) if self.doublings else (self.d, self.data_sets)
        samples = self.samples_per_dim * d * 2**self.doublings
        return 4.0 * tries * self.steps * samples * (d + 20) * self.starts, samples

    def cost(self) -> Cost:
        if self.is_far:
            return Cost(6e7 * self.starts, 1e6 * self.starts + 2e7)
        work, samples = self.most()
        d = SMALL_RATIO * self.d if self.doublings else self.d
        return Cost(work / (8 if self.doublings > 3 else 1), 8.0 * samples * (d + 6.0 * self.starts) + 3e7)
