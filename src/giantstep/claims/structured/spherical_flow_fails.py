"""[mws23] the spherical flow is repelled by the spike that points to its target."""

from __future__ import annotations

import math

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Curve, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.structured._flows import LEVEL, PLACES, PathClaim
from giantstep.errors import InputError
from giantstep.learners.flows import PopulationFlow, sphere_starts
from giantstep.theory.structured.flows import STRONGEST, spherical_path, spherical_success, spherical_threshold

FEW = 0.01  # the share of starts that may arrive, by the law of starts, where growth is said to be none
CLEAR = 0.25  # distance of gamma2 from its threshold from which on the limit is said: nearer, lucky starts decide

EXPONENT_2 = {"target": "He2(x1)/sqrt(2)", "activation": "relu"}


@named(
    "structured/spherical-flow-fails",
    kind="proposition",
    cite="mws23",
    version=3,
    where="slide 'Algorithm: Spherical Gradient Flow?', failure of spherical gradient",
    finding=(
        "The interval of gamma2 is one of exponents, (0, 1 - 1/(k-1)), not (0, d^(1-1/(k-1))), and failure is wider: "
        "repulsion, theta <w, beta>, beats attraction, <w, beta>^(k-1), from gamma2 = -(k-2)/2 on, and also beyond "
        "1 - 1/(k-1). For k = 2 the neuron comes to rest at sqrt(theta) |<w, beta>| of order one."
    ),
)
class SphericalFlowFails(PathClaim):
    """On the sphere, gradient flow is driven away from a target that lies along the spike: E f^2 grows with alignment.

    R = E f*^2 - 2 E f f* + E f^2, f = sigma(<x, w>), |w| = 1: with beta = mu the last term grows with <w, beta>^2
    theta, and never does |<w, beta>| exceed its start of order d^(-1/2) (`growth` = 1, `success` = 0). The flow in the
    neuron's own coordinates (all of them up to d = 40), its gradient by quadrature, is held against the exact
    equations for (<w, mu>, <w, beta>) from the same starts. With samples, it is gradient descent on
    n = samples_per_dim d of them.
    """

    starts: int = parameters.starts(8)
    step: float = parameters.step(0.5, help="step size on samples, divided by 1 + theta", le=1)

    quantities = (
        quantity.equal(
            "overlap", Allowance(2e-4), "the solver's tolerance: the equations are exact",
            help="|omega|, correlation of <x, w> and <x, beta>, against time: mean over starts",
            symbol=r"|\omega(t)|", against="finite", when=lambda point: point.is_population,
        ),
        quantity.equal(
            "final_overlap", Allowance(1e-3, of="prediction"), "the solver's tolerance: the equations are exact",
            help="mean overlap at the end: |omega|", symbol=r"|\omega(T)|", against="finite",
            when=lambda point: point.is_population and point.limit != 0,
        ),
        quantity.equal(
            "growth", Allowance(1e-3), "the solver's tolerance: |<w, beta>| falls from the first moment on",
            help="largest overlap with the target, over the first one: |<w, beta>|, median over starts",
            symbol=r"\sup_t|\langle w,\beta\rangle|/|\langle w_0,\beta\rangle|",
            when=lambda point: point.limit == 0.0 and point.is_population and point.arriving <= FEW,
        ),
        quantity.equal(
            "success", Allowance(0.02),
            "a start may arrive at the very end, or have an orthogonal part of another length than the typical one",
            help="share of starts with |omega| > 0.9 at the end, also on samples if it is to be 0",
            against="finite",
            when=lambda p: p.alignment_exponent == 0 and (p.is_population or not p.arriving),
        ),
        quantity.reported("resting_place", help="mean at the end", symbol=r"\sqrt{\theta}|\langle w,\mu\rangle|"),
    )  # fmt: skip
    views = (
        view.Time(
            ("overlap",), by="strength_exponent", by_values=(-1, 0.3), seeds=12, at={"d": 40},
            title="in 40 dimensions, with a weak spike and with a strong one",
        ),
        view.Curve(
            "strength_exponent", (-1, -0.75, -0.5, -0.25, 0.3, 1), ("success",), seeds=12,
            title="repelled from gamma2 = -1/2 on",
        ),
        view.Curve(
            "d", (100, 10**4, 10**6), ("success",), by="strength_exponent", by_values=(-0.75, -0.25), seeds=8,
            log_x=True, title="on both sides of the threshold",
        ),
        view.Curve("d", (100, 1000, 10**5), ("growth",), seeds=4, log_x=True, title="never beyond its start"),
        view.Curve(
            "strength_exponent", (0.3, 0.6, 0.9), ("resting_place", "final_overlap"), seeds=8,
            at=EXPONENT_2, title="exponent 2: at rest half way",
        ),
        view.Time(
            ("overlap",), by="strength_exponent", by_values=(0.3, 0.75), seeds=6,
            at={"d": 64, "samples_per_dim": 64, "starts": 16}, title="gradient descent on 64 d samples",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"d": 10_000, "strength_exponent": 0.3},
        "weak-spike": {"strength_exponent": -1.0},
        "xor": EXPONENT_2,
        "misaligned": {"alignment_exponent": 0.4, "strength_exponent": 0.3},
        "data": {"d": 100, "samples_per_dim": 64},
    }
    default_seeds = 12
    engine = ("population", "dense")

    def check(self) -> None:
        super().check()
        if not (self.activation.kinks or self.activation.is_polynomial):
            raise InputError(
                f"activation = {self.activation} is not allowed; the spherical flow needs pieces of polynomials, such "
                "as relu(z - 1): a smooth step becomes too steep for its integrals where theta is large"
            )
        if math.log1p(self.theta) > STRONGEST:
            raise InputError(f"theta = d^{self.strength_exponent:g} = {self.theta:.3g} is too large; at most 8e6")

    @property
    def arriving(self) -> float:
        """The share of random starts that arrive in time, for an aligned spike: those above some overlap do."""
        return spherical_success(self.flow, self.d, self.duration, LEVEL)

    @property
    def limit(self) -> float | None:
        """The share of starts that arrive as d grows: said for aligned spikes, k > 2, away from the threshold."""
        excess = self.strength_exponent - spherical_threshold(self.exponent)
        if self.alignment_exponent > 0 or self.exponent <= 2 or abs(excess) < CLEAR:
            return None
        return float(excess < 0)

    def predict(self) -> Prediction:
        values: dict[str, float] = {"success": self.arriving} if self.alignment_exponent == 0 else {}
        if self.limit == 0.0:
            values["growth"] = 1.0
        threshold = spherical_threshold(self.exponent)
        return Prediction(
            values,
            "population risk; paths exact at any d, limits for large d and an aligned spike",
            notes=(f"repulsion beats attraction from theta = d^{threshold:g} on",),
            thresholds={"strength_exponent": threshold} if self.exponent > 2 and self.alignment_exponent == 0 else {},
        )

    def measure(self, run: Run) -> Measurement:
        task = self.population_task() if self.is_population else self.task(self.d)
        start = sphere_starts(task, self.d, self.starts, run.streams.child("start"))
        if self.is_population:
            times = np.asarray(np.linspace(0.0, 1.0, PLACES) ** 2 * self.duration)
            flow = PopulationFlow(task, "spherical")
            seen = learners.run(flow, start, times=times, watch={"w": np.asarray})["w"]
        else:
            times, seen = self.descended("spherical", start, self.step / (1.0 + self.theta), run.streams.child("data"))
        omega = np.abs([task.overlap(w) for w in seen])
        on_target, on_spike = np.abs(seen @ task.beta), np.abs(seen[-1] @ task.mu)
        exact = np.abs(self.exact(start @ task.mu, start @ task.beta, times))
        return Measurement(
            {
                "overlap": Curve(times, omega.mean(axis=1), "time"),
                "final_overlap": float(omega[-1].mean()),
                "growth": float(np.median(on_target.max(axis=0) / on_target[0])),
                "success": float(np.mean(omega[-1] > LEVEL)),
                "resting_place": float(math.sqrt(self.theta) * on_spike.mean()),
            },
            finite={
                "overlap": Curve(times, exact.mean(axis=1), "time"),
                "final_overlap": float(exact[-1].mean()),
                "success": float(np.mean(exact[-1] > LEVEL)),
            },
        )

    def exact(self, on_spike: Array, on_target: Array, times: Array) -> Array:
        """omega along the exact equations: (times, starts)."""
        m, a = spherical_path(self.flow, on_spike, on_target, times)
        return self.flow.whitened(m, a)[0]

    def cost(self) -> Cost:
        if self.is_population:
            return Cost(4e7 * self.starts, 1e6 * self.starts + 2e7)
        return Cost(self.descent_work(), 8.0 * self.samples_per_dim * self.d * (self.d + 6.0 * self.starts) + 2e7)
