"""[mws23] the normalised flow finds the target's direction, with and without a preconditioner."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Cost,
    Curve,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.structured._flows import LEVEL, PLACES, PathClaim
from giantstep.errors import InputError
from giantstep.learners.flows import FlowKind, PopulationFlow, sphere_starts
from giantstep.theory.structured.flows import random_start_law

HALF_WAY = 0.5  # the overlap at which the pull is told
ENOUGH = 200.0  # samples per dimension from which on descent is held against the flow


EXPONENT_2 = {"target": "He2(x1)/sqrt(2)", "activation": "relu"}
PRECONDITIONERS = ("none", "covariance")


def _speaks(point: NormalisedFlow) -> bool:
    return point.is_population or (point.exponent <= 2 and point.samples_per_dim >= ENOUGH)


def _path_allowance(point: NormalisedFlow, predicted: float) -> float:  # noqa: ARG001
    """2e-4, on samples 0.02 + 8 d/n."""
    return 2e-4 if point.is_population else 0.02 + 8.0 / point.samples_per_dim


def _success_allowance(point: NormalisedFlow, predicted: float) -> float:  # noqa: ARG001
    """0.01, or without preconditioner 1."""
    return 0.01 if point.is_preconditioned else 1.0


@named(
    "structured/normalised-flow",
    kind="theorem",
    cite="mws23",
    version=2,
    where="slides 'Algorithm: Normalized Gradient Flow', 'Neural Network Learnability (sketch)'",
    finding=(
        "The gradient's series has the coefficients j j! a_j a*_j in He_j, not (i+1)^2 a_{i+1} a*_{i+1}: the printed "
        "one lacks i!, and for He3 is half of what the flow shows (`pull`). For odd information exponents above 1 half "
        "of all starts, those with omega < 0, come to rest at omega = 0. The plain flow is no slower than the "
        "preconditioned one; its price is a step smaller by 1 + theta."
    ),
)
class NormalisedFlow(PathClaim):
    """The normalised flow turns a neuron with a positive overlap to the target, whatever the spike and its alignment.

    omega is the correlation of the neuron's field <x, w> with the target's. The population flow in the neuron's own
    coordinates (all of them up to d = 40), its gradient by quadrature, is held against the exact equations for
    (omega, <v, mu>) from the same starts (`overlap`, `final_overlap`); with the preconditioner
    omega' = 2 zeta(omega) (1 - omega^2) whatever theta and the alignment are (`pull`: zeta(1/2)). `success` is the
    share of starts with omega > 0.9 after four times the typical start's time, predicted by the law of random starts.
    With samples, it is gradient descent on n = samples_per_dim d of them.
    """

    alignment_exponent: float = parameters.alignment_exponent(0.25)
    d: int = parameters.dimension(200, ge=8, le=10**12)
    starts: int = parameters.starts(32)
    strength_exponent: float = parameters.strength_exponent(0.5, symbol=r"\gamma_2", le=1.25)
    preconditioner: Literal["none", "covariance"] = parameters.preconditioner("covariance")
    start: Literal["positive", "random"] = parameters.own("positive", "starts with omega > 0, or all of them")
    step: float = parameters.step(0.2, help="step size on samples; without preconditioner divided by 1 + theta", le=1)

    quantities = (
        *quantity.equals(
            {
                "overlap": ("omega against time, mean over starts", r"\omega(t)"),
                "final_overlap": ("mean omega at the end", r"\omega(T)"),
            },
            _path_allowance,
            "the solver's tolerance, for the equations are exact; on samples the noise of the gradient, of order d/n",
            against="finite", when=_speaks,
        ),
        quantity.equal(
            "success", Allowance(0.02),
            "a start may arrive at the very end; the limit's law of the start takes the orthogonal part as fixed",
            help="share of starts with omega > 0.9 at the end", against="finite", limit=_success_allowance,
            when=lambda point: point.is_population,
        ),
        quantity.at_least(
            "success", Allowance(0.01),
            "the law of the start takes the length of the orthogonal part as fixed, a relative error of 1/sqrt(d)",
            help="without preconditioner at least as many",
            when=lambda point: point.is_population and not point.is_preconditioned,
        ),
        quantity.equal(
            "pull", Allowance(1e-6, of="prediction"), "the quadrature's error: the series is exact",
            help="pull of the flow half way: omega'/(2 (1 - omega^2)) at omega = 1/2", symbol=r"\zeta(1/2)",
            when=lambda point: point.is_population and point.is_preconditioned,
        ),
        quantity.reported("printed_pull", help="pull by the series as printed: without i!"),
        quantity.increasing(
            "final_overlap", "samples_per_dim", "more samples, less noise: no allowance is needed",
            help="an exponent above 2 needs many samples", when=lambda point: point.exponent > 2,
        ),
    )  # fmt: skip
    views = (
        view.Time(
            ("overlap",), by="preconditioner", by_values=PRECONDITIONERS, seeds=12, at={"d": 40},
            title="population flow in 40 dimensions",
        ),
        view.Curve(
            "strength_exponent", (0, 0.5, 1), ("success",), by="preconditioner", by_values=PRECONDITIONERS,
            title="share of starts that arrive",
        ),
        view.Curve(
            "strength_exponent", (0, 0.5, 1), ("pull",), bounds=("printed_pull",),
            title="pull at overlap 1/2, whatever the spike",
        ),
        view.Curve(
            "d", (100, 1000), ("success",), by="start", by_values=("positive", "random"), log_x=True,
            title="odd exponent: half of all starts rest at 0",
        ),
        view.Time(
            ("overlap",), by="preconditioner", by_values=PRECONDITIONERS, seeds=12,
            at={**EXPONENT_2, "samples_per_dim": 200, "d": 64, "step": 0.1, "starts": 16},
            title="gradient descent on 200 d samples, exponent 2",
        ),
        view.Curve(
            "samples_per_dim", (12, 50, 200), ("final_overlap",), at={"d": 48, "step": 0.5, "starts": 16}, seeds=24,
            log_x=True, title="descent, exponent 3",
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "pull", "zeta = sum_i (i+1)^2 a_{i+1} a*_{i+1} omega^i",
            lambda point: float(point.flow.printed(HALF_WAY)) if point.is_preconditioned else None,
        ),
    )  # fmt: skip
    presets = {
        "aligned": {"alignment_exponent": 0.0},
        "no-preconditioner": {"preconditioner": "none"},
        "xor": EXPONENT_2,
        "data": {**EXPONENT_2, "samples_per_dim": 200, "d": 100, "step": 0.1},
        "huge": {"d": 10**8},
    }
    default_seeds = 12
    engine = ("population", "dense")

    def check(self) -> None:
        super().check()
        if 0 < self.samples_per_dim <= 1 and self.is_preconditioned:
            raise InputError(
                f"samples_per_dim = {self.samples_per_dim:g} is not allowed with a preconditioner, which inverts the "
                "covariance of the samples; it must be greater than 1, or 0"
            )

    @property
    def is_preconditioned(self) -> bool:
        return self.preconditioner == "covariance"

    def predict(self) -> Prediction:
        values = {}
        if self.is_population:
            values["success"] = self.arriving()
            if self.is_preconditioned:
                values["pull"] = float(self.flow.zeta(HALF_WAY))
                values["printed_pull"] = float(self.flow.printed(HALF_WAY))
        return Prediction(values, "any d, theta and alignment; exact for the population risk")

    def arriving(self) -> float:
        """P(omega at the start is large enough to arrive in time), with the preconditioner."""
        duration, low, high = self.duration, math.log(1e-12), math.log(LEVEL)
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.time_from(math.exp(middle)) < duration else (middle, high)
        arriving = 1.0 - random_start_law(self.flow, self.d, math.exp(high))
        return arriving if self.start == "positive" or self.exponent % 2 == 0 else arriving / 2

    def measure(self, run: Run) -> Measurement:
        kind: FlowKind = "preconditioned" if self.is_preconditioned else "normalised"
        task = self.population_task() if self.is_population else self.task(self.d)
        start = sphere_starts(task, self.d, self.starts, run.streams.child("start"), positive=self.start == "positive")
        if self.is_population:
            times = np.linspace(0.0, self.duration, PLACES)
            seen = learners.run(PopulationFlow(task, kind), start, times=times, watch={"w": np.asarray})["w"]
        else:
            step = self.step / (1.0 if self.is_preconditioned else 1.0 + self.theta)
            times, seen = self.descended(kind, start, step, run.streams.child("data"))
        found = self.folded(np.array([task.overlap(w) for w in seen]))
        exact = self.folded(self.flow.normalised_path(*self.whitened(task, start), times, self.is_preconditioned)[0])
        values = self.told(times, found)
        if self.is_population and self.is_preconditioned:
            values["pull"] = PopulationFlow(task, kind).growth_at(HALF_WAY) / (2.0 * (1.0 - HALF_WAY**2))
        return Measurement(values, finite=self.told(times, exact))

    def told(self, times: Array, omega: Array) -> dict[str, float | Curve]:
        """What is told of omega, (times, starts)."""
        return {
            "overlap": Curve(times, omega.mean(axis=1), "time"),
            "final_overlap": float(omega[-1].mean()),
            "success": float(np.mean(omega[-1] > LEVEL)),
        }

    def folded(self, omega: Array) -> Array:
        """|omega| where both signs of w are the same neuron to the target: for even exponents."""
        return np.abs(omega) if self.exponent % 2 == 0 else omega

    def cost(self) -> Cost:
        if self.is_population:
            return Cost(2e7 * self.starts, 1e6 * self.starts)
        return Cost(self.descent_work(), 8.0 * self.samples * (self.d + 6.0 * self.starts) + 2e7)
