"""[pxpp24] one-pass SGD on random features of power-law inputs: its exact mean, and the best size for a compute."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, Literal, Self

import numpy as np

from giantstep import learners
from giantstep.claims import Allowance, Claim, named, parameters, quantity, view
from giantstep.claims.scaling._front import DECADE, PLACES, REACH, front, run_sizes, sizes_up_to
from giantstep.errors import InputError
from giantstep.learners.engines.online import FeatureSGD, draw_features
from giantstep.theory.dynamics.scaling import FeatureLaw, FrontPhase, drawn_features, front_phase
from giantstep.verdicts.stating import Cost, Curve, Measurement, Prediction, Run

MOMENTS = 12  # of a course, at which it is compared
HUGE, RATIO, WIDE = 1e12, 100.0, 10**12  # compute at which exponents are nearly their limits, and inputs there
FRONT: dict[str, Any] = {"watched": "front", "d": 800, "inputs_per_feature": 2}
PHASES = (
    ("I", {**FRONT, "target_exponent": 0.25}, (3e4, 1e5, 3e5)),
    ("II", {**FRONT, "target_exponent": 0.6}, (2.5e4, 8e4, 2.5e5)),
    ("III", {**FRONT, "target_exponent": 1.25}, (1e4, 3e4, 9e4)),
)
BATCHES = {"batch": 4, "step": 0.05, "d": 32, "steps": 300}
ON_FRONT = {"when": lambda point: point.on_front}


@named(
    "scaling/power-law-features",
    kind="theorem",
    cite="pxpp24",
    where="Volterra equation of the mean risk; table of compute-optimal exponents, phases Ia, II and III",
    version=2,
    finding=(
        "For one-pass SGD with Gaussian inputs the equation of the mean risk needs no limit: for given features it is "
        "exact at any size. At d = 100 to 400 the front's slopes are not yet its exponents in phase III (0.73 "
        "instead of 0.67): the modes of the target still count beside the noise."
    ),
)
class PowerLawFeatures(Claim):
    """The mean risk of SGD on power-law features is exact at any size; the best size grows as a power of compute.

    x_j = j^-a z_j, y = sum_j j^-b x_j with j = 1..v, features W^T x with W_jk ~ N(0, 1/d), and SGD with a fresh batch a
    step. The `course` is SGD at one d; for the features drawn, its mean risk over samples is that of a recursion
    of d numbers, at any size. The `front` is the least risk over d at compute f = d B t: SGD at nine sizes, d/16 to d,
    against large-d theory. Where b < 1/2 (phase I) modes not yet learned meet what features cannot express, for
    1/2 < b < a (II) they meet what features spill from strong modes onto weak ones, and for b > a (III) that meets the
    noise of SGD. For a <= 1/2 nothing is said.
    """

    d: int = parameters.dimension(64, help="features; of a front, the most of them", le=2000)
    inputs_per_feature: float = parameters.own(
        4.0, "dimension of the inputs over d", symbol="v/d", ge=2, le=100
    )  # fmt: skip
    input_exponent: float = parameters.own(0.75, "variances of the inputs fall like j^(-2a)", symbol="a", ge=0, le=3)
    target_exponent: float = parameters.own(0.25, "coefficients of the target fall like j^(-b)", symbol="b", le=4)
    step: float = parameters.step(0.1, symbol=r"\gamma", le=1)
    batch: int = parameters.own(1, "samples a step", symbol="B", ge=1, le=64)
    watched: Literal["course", "front"] = parameters.own("course", "the risk in time at one d, or the best of many d")
    steps: int = parameters.steps(1000, help="steps of a course", le=100_000)
    compute: float = parameters.own(
        1e5, "compute of a front: features times samples", symbol="f", path=True, ge=100, le=1e9
    )
    replicas: int = parameters.replicas(32, help="runs of a course on the same features", le=4096)
    draws: int = parameters.own(
        1, "draws of the features at the largest size of a front, more at smaller ones", ge=1, le=16
    )

    quantities = (
        quantity.equal(
            "risk", Allowance(1e-9, of="prediction"), "none is needed: the mean over samples is exact for each draw",
            help="risk of SGD in time", symbol="P(t)", against="finite",
            limit=Allowance(3, of="prediction", power=-1), when=lambda point: not point.on_front,
        ),
        quantity.equal(
            "optimal_risk", Allowance(0.02, of="prediction") + Allowance(16, of="prediction", power=-1),
            "typical features stand for the mean over draws, 2/d at each size, at sizes from d/8 on; a parabola "
            "through sizes stands for the minimum, and the least of noisy numbers is low",
            help="least risk over the sizes", symbol=r"\min_d P", **ON_FRONT,
        ),
        quantity.reported(
            "optimal_size", help="number of features with the least risk: a flat minimum, told badly by few seeds",
            symbol="d^*",
        ),
        quantity.slope(
            "optimal_risk", "compute", lambda point: point.own_slopes[0], 0.02,
            "the power is theory's own over a decade, for before the limit more than two terms count; typical features "
            "stand for the mean over draws, 2/d at each size",
            help="least risk over the sizes", symbol=r"\min_d P", **ON_FRONT,
        ),
        quantity.equal(
            "limit_exponent", Allowance(0.01), "the terms that vanish last",
            help="slope of theory's front from f = 1e12 to 1e14, against the closed form", **ON_FRONT,
        ),
    )  # fmt: skip
    views = (
        view.Time(
            ("risk",), by="target_exponent", by_values=(0.25, 0.6, 1.25), log_x=True, log_y=True,
            title="one size: SGD and its exact mean",
        ),
        view.Time(("risk",), at=BATCHES, log_x=True, log_y=True, title="four samples a step"),
        *(
            view.Curve(
                "compute", values, ("optimal_risk", "optimal_size"), at=at, log_x=True, log_y=True, seeds=18,
                title=f"phase {name}",
            )
            for name, at, values in PHASES
        ),
        view.Trajectory(
            ("one size",), "$\\log_{10}$ compute", "$\\log_{10}$ risk", references=("front",), at=PHASES[0][1],
            seeds=18, title="phase I: each size has its moment",
        ),
    )  # fmt: skip
    presets = {
        "phase-one": PHASES[0][1],
        "phase-two": PHASES[1][1],
        "phase-three": {**PHASES[2][1], "compute": 5e4},
        "noise": {"target_exponent": 1.25, "step": 0.2},
    }
    default_seeds = 18
    line_places = 7
    engine = ("full", "reduced")
    convention = "loss (<phi, theta> - y)^2, gradient without its 2: theta -= step sum_i phi_i (<phi_i, theta> - y_i)"

    @property
    def on_front(self) -> bool:
        return self.watched == "front"

    @property
    def v(self) -> int:
        """The dimension of the inputs."""
        return round(self.inputs_per_feature * self.d)

    @property
    def phase(self) -> FrontPhase:
        return front_phase(self.input_exponent, self.target_exponent)

    @property
    def exponents(self) -> tuple[float, float]:
        return self.input_exponent, self.target_exponent

    @property
    def times(self) -> list[int]:
        """The steps at which a course is compared; at the start, where nothing is learned, there is nothing to say."""
        return [int(t) for t in np.unique(np.round(np.geomspace(1, self.steps, MOMENTS)).astype(int))]

    def front_at(self, compute: float) -> tuple[float, float]:
        """The least risk and its size by theory."""
        return front(*self.exponents, self.v, self.step, self.batch, compute)

    @property
    def own_slopes(self) -> tuple[float, float]:
        """Theory's slopes of least risk and best size over the decade of compute from here on."""
        here, later = self.front_at(self.compute), self.front_at(DECADE * self.compute)
        return tuple(log(b / a) / log(DECADE) for a, b in zip(here, later, strict=True))  # type: ignore[return-value]

    def check(self) -> None:
        _ = self.phase  # refuses exponents of which nothing is said
        FeatureLaw(*self.exponents, self.d, self.v, self.step, self.batch)  # and steps with which SGD diverges
        if self.on_front:
            if self.d < 16 * 8:
                raise InputError(
                    f"d = {self.d} is too small for a front; sizes go from d/16 to d, take d = 128 or more"
                )
            best = self.front_at(self.compute)[1]
            if not self.d / 9 <= best <= self.d / 1.8:
                raise InputError(
                    f"at compute = {self.compute:g} the best size is {best:.0f}, too near the ends of d/16 to d; take "
                    f"d = {4 * best:.0f} or another compute"
                )

    def predict(self) -> Prediction:
        if not self.on_front:
            law = FeatureLaw(*self.exponents, self.d, self.v, self.step, self.batch)
            note = f"features cannot express {law.floor:.3g}; with the noise of steps SGD ends at {law.level:.3g}"
            regime = "exact in the mean for the features drawn; large d for typical ones"
            return Prediction({"risk": self.curve(law.risk(self.times))}, regime, (note,))
        risk, size = self.front_at(self.compute)
        phase = self.phase
        note = (
            f"phase {phase.name}: risk f^-{phase.risk:.3g}, size f^{phase.size:.3g}; here the slopes are "
            + ", ".join(f"{slope:.3g}" for slope in self.own_slopes)
        )
        values = {"optimal_risk": risk, "optimal_size": size, "limit_exponent": -phase.risk}
        return Prediction(values, "large d, typical features; exponents for f to infinity", (note,))

    def curve(self, risk: Any) -> Curve:
        return Curve(np.array(self.times), risk, "steps t")

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        if not points[0].on_front:
            return [points[0].measured_course(run)] * len(points)
        first = points[0]
        asked: dict[int, list[float]] = {}
        for point in points:
            for d in point.sizes:
                asked.setdefault(d, []).append(point.compute)
        runs = run_sizes(asked, first.v, first.exponents, first.step, first.batch, first.draws, run.streams)
        before, after = (front(*first.exponents, WIDE, first.step, first.batch, f)[0] for f in (HUGE, RATIO * HUGE))
        measured = []
        for point in points:
            risk, size = runs.best(point.compute, point.batch, point.sizes)
            values = {"optimal_risk": risk, "optimal_size": size, "limit_exponent": log(after / before) / log(RATIO)}
            ways = [
                Curve(np.log10(d * point.batch * runs.times[d]), np.log10(runs.risks[d]), "log f") for d in point.sizes
            ]
            measured.append(Measurement(values, paths={"one size": ways, "front": [point.front_line()]}))
        return measured

    @property
    def sizes(self) -> list[int]:
        """The sizes that are run at this compute: those around the best one."""
        best = self.front_at(self.compute)[1]
        return [d for d in sizes_up_to(self.d) if best / REACH <= d <= best * REACH]

    def front_line(self) -> Curve:
        """Theory's front as the picture shows it, over the decade that ends at this compute."""
        computes = np.geomspace(self.compute / DECADE, self.compute, PLACES)
        return Curve(np.log10(computes), np.log10([self.front_at(f)[0] for f in computes]), "log f")

    def measured_course(self, run: Run) -> Measurement:
        features = draw_features(self.v, self.d, *self.exponents, run.streams.child("features"))
        sgd = FeatureSGD(features, self.step, self.batch, run.streams.child("data"))
        start = np.zeros((self.replicas, self.d))
        found = learners.run(sgd, start, times=self.times, watch={"risk": features.risk}, progress=run.progress)
        exact = drawn_features(features.weights, *self.exponents).risk(self.step, self.batch, self.times)
        return Measurement({"risk": self.curve(found["risk"].mean(axis=1))}, {"risk": self.curve(exact)})

    def cost(self) -> Cost:
        d, v = self.d, self.v
        if not self.on_front:
            samples = self.steps * self.replicas * self.batch
            return Cost(samples * v * (2.0 * d + 80), 16e6 + 8.0 * (v * d + 4e5))
        steps = sum((self.compute / size for size in self.sizes), 0.0)
        draws = sum((2.0 * v * size**2 + 12.0 * size**3 for size in self.sizes), 0.0)
        return Cost(self.draws * (4 * draws + steps * 240 * d) + 1e9, 48.0 * self.draws * v * d + 3e7)
