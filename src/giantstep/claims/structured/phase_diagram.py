"""[mws23] samples and time over the plane of spike and alignment."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims import (
    Cost,
    CurveView,
    HeatMapView,
    Measurement,
    Prediction,
    Run,
    claim,
    equal,
    increasing,
    parameter,
)
from giantstep.claims.structured._flows import FlowClaim
from giantstep.learners.flows import Flow, sphere_starts
from giantstep.theory.flows import needed_samples_exponent, needed_time_exponent, start_exponent, typical_start

FAR = 10**6  # dimensions from which on exponents are said
DRAWS = 4001  # starts whose median overlap gives the exponents


def _exponent_allowance(factor: float, point: PhaseDiagram) -> float:
    """log_d of the constant in delta_0 = c d^e, which theory knows, and the noise of a median."""
    start = math.log(typical_start(point.flow, point.d)) / math.log(point.d)
    return factor * (abs(start - start_exponent(point.alignment_exponent, point.strength_exponent)) + 0.005)


@claim(
    "structured/phase-diagram",
    kind="theorem",
    cite="mws23",
    where="slides 'Sample & Runtime Complexity', 'Interplay between Spike Magnitude and Alignment'",
    finding=(
        "The three regimes follow from delta_0 alone, n = d delta_0^(-2(k-1)), and are continuous at gamma2 = gamma1 "
        "and 2 gamma1. n is sufficient, not needed: descent at d = 80 with 32 d "
        "samples, fewer than d^2, finds the target from many starts everywhere, and from more of them the stronger the "
        "spike is; the effect of its alignment is hardly above the noise at this size."
    ),
)
class PhaseDiagram(FlowClaim):
    """A stronger or better aligned spike needs fewer samples and less time: three regimes in the plane of exponents.

    With <mu, beta> = d^-gamma1 and theta = d^gamma2 a random start has the overlap delta_0 = d^(-1/2) for
    gamma2 < gamma1, d^(gamma2 - gamma1 - 1/2) up to 2 gamma1, d^((gamma2 - 1)/2) beyond; the normalised flow then needs
    n = d delta_0^(-2(k-1)) samples (`sample_exponent`) and a time tau_k(delta_0) (`time_exponent`). Both are read off
    drawn starts in large d. In small d, gradient descent with the preconditioner on n = samples_per_dim d samples shows
    how far it comes with the same number everywhere (`final_overlap`).
    """

    d: int = parameter(80, "input dimension", symbol="d", ge=8, le=10**16)
    alignment_exponent: float = parameter(
        0.25, "exponent of the alignment of spike and target", symbol=r"\gamma_1", ge=0, le=0.5
    )
    strength_exponent: float = parameter(0.4, "exponent of the spike's strength", symbol=r"\gamma_2", ge=0, le=1)
    starts: int = parameter(8, "random starts of the descent", symbol="B", ge=1, le=4096)
    samples_per_dim: float = parameter(32.0, "samples per dimension of the descent", symbol="n/d", gt=1, le=1e6)
    step: float = parameter(1.0, "step size of the descent", symbol=r"\eta", gt=0, le=1)
    steps: int = parameter(100, "steps of the descent", symbol="T", ge=1, le=100_000)

    quantities = (
        equal(
            "sample_exponent",
            lambda point, predicted: _exponent_allowance(2.0 * (point.exponent - 1), point),
            "the constant of delta_0 counts for 1/ln d in an exponent; the law of the start knows it",
            help="log n/log d that suffices", symbol=r"\log_d n",
            when=lambda point: point.is_far,
        ),
        equal(
            "time_exponent",
            lambda point, predicted: _exponent_allowance(max(point.exponent - 2.0, 1.0), point),
            "the constant of delta_0 counts for 1/ln d in an exponent; the law of the start knows it",
            help="power of d in the time, for k = 2 the factor of ln d", symbol=r"\log_d\tau",
            when=lambda point: point.is_far,
        ),
        increasing(
            "final_overlap", "strength_exponent", "a stronger spike, a better start: no allowance is needed",
            help="mean overlap after gradient descent on samples", symbol=r"\omega(T)",
            when=lambda point: not point.is_far and point.exponent > 2,
        ),
    )  # fmt: skip
    views = (
        HeatMapView(
            "strength_exponent", "0.05:0.95:10", "alignment_exponent", "0:0.5:6", "sample_exponent", at={"d": 10**12},
            seeds=6, title="exponent of the samples, k = 3",
        ),
        HeatMapView(
            "strength_exponent", "0.05:0.95:10", "alignment_exponent", "0:0.5:6", "time_exponent", at={"d": 10**12},
            seeds=6, title="exponent of the time, k = 3",
        ),
        HeatMapView(
            "strength_exponent", (0.1, 0.4, 0.7, 0.95), "alignment_exponent", (0, 0.25, 0.5), "final_overlap", seeds=40,
            title="gradient descent on 32 d samples, d = 80",
        ),
        CurveView(
            "strength_exponent", "0:1:11", ("sample_exponent",), by="alignment_exponent", by_values=(0, 0.25, 0.5),
            at={"d": 10**12}, seeds=6, title="cuts through the map",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"d": 10**12, "alignment_exponent": 0.25},
        "xor": {"d": 10**12, "target": "He2(x1)/sqrt(2)", "activation": "relu"},
        "data": {"d": 100, "strength_exponent": 0.7},
    }
    default_seeds = 16

    def check(self) -> None:
        super().check()
        if not self.is_far:
            self.check_work(self.cost().flops)

    @property
    def is_far(self) -> bool:
        return self.d >= FAR

    @property
    def place(self) -> tuple[float, float]:
        return self.alignment_exponent, self.strength_exponent

    def predict(self) -> Prediction:
        k = self.exponent
        values = {
            "sample_exponent": needed_samples_exponent(k, *self.place),
            "time_exponent": needed_time_exponent(k, *self.place),
        }
        return Prediction(
            values if self.is_far else {},
            f"exponents for large d, said from d = {FAR:g} on; descent on samples below",
            notes=(f"k = {k}, delta_0 = d^{start_exponent(*self.place):.3g}",),
            thresholds={"strength_exponent": self.alignment_exponent},
        )

    def measure(self, run: Run) -> Measurement:
        streams = run.streams.child("start")
        if self.is_far:
            task = self.task()
            typical = float(np.median(task.overlap(sphere_starts(task, self.d, DRAWS, streams))))
            power = -math.log(typical) / math.log(self.d)
            k = self.exponent
            return Measurement(
                {
                    "sample_exponent": 1.0 + 2.0 * (k - 1) * power,
                    "time_exponent": {1: 0.0, 2: power}.get(k, (k - 2) * power),
                }
            )
        task = self.task(self.d)
        x, y = task.samples(math.ceil(self.samples_per_dim * self.d), run.streams.child("data"))
        start = sphere_starts(task, self.d, self.starts, streams)
        seen = Flow("normalised", True).descend(task, x, y, start, self.step, self.steps, self.steps)
        return Measurement({"final_overlap": float(np.abs(task.overlap(seen[-1])).mean())})

    def cost(self) -> Cost:
        if self.is_far:
            return Cost(100.0 * DRAWS, 1e7)
        samples = self.samples_per_dim * self.d
        return Cost(
            4.0 * self.steps * samples * (self.d + 20) * self.starts, 8.0 * samples * (self.d + 6.0 * self.starts)
        )
