"""[bes23] kernel ridge regression learns degree after degree as the spike of the inputs grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bundle import Bundle
from giantstep.claims.structured._kernels import BEYOND, KernelClaim
from giantstep.errors import InputError
from giantstep.learners.kernels import half_strength_of
from giantstep.theory.kernels import eigenlearning_risk, half_strength, learned_degree, plateau, spiked_kernel_risk

STRONGEST = 0.6
"""Largest theta/d: beyond, k(x, x) of the exponential kernel has no mean, nor its theory an answer."""

FEW_SAMPLES = 300


@named(
    "structured/kernel-staircase",
    kind="theorem",
    cite="bes23",
    version=2,
    where="slide 'Necessary and Sufficient Conditions for KRR', theta = d^gamma with gamma in (1 - 1/l, 1 - 1/(l+1))",
    finding=(
        "At a fixed ridge and n/d the risk does not tend to |P_{>l} f*|^2 but to E0 times it, E0 > 1: the d linear "
        "features of the bulk fit what is not learned as noise; the slide's value needs a growing ridge. A degree is "
        "learned only if the kernel has it: arccos1 never learns He3. The implicit ridge depends on the input: the "
        "usual equivalent with one ridge is 2 to 5 times too small for gamma >= 2/3. Separate stairs need d of a "
        "million or more. The slides' minimisation is solved by (K + n lambda)^-1 y, not (K + lambda)^-1 y, whose "
        "objective is larger (objective_ratio)."
    ),
)
class KernelStaircase(KernelClaim):
    """Kernel ridge regression with n ~ d learns degree l of the target once the spike passes theta = d^(1 - 1/l).

    The inputs are N(0, I + theta mu mu^T), the target is a polynomial of <x, mu>. The deterministic equivalent, class
    by class in the spike's coordinate, gives the risk at finite d, where the stairs are one rounded slope; the same
    equations at d = 10^12 show them, and the strength at which a single degree is half learned grows as d^(1 - 1/l).
    Beyond 20,000 samples nothing is simulated: the equations are shown beside their limits.
    """

    halving: bool = parameters.own(False, "search the strength that halves the risk of a single degree")

    quantities = (
        quantity.equal(
            "risk_kernel",
            lambda point, predicted: 0.3 * predicted / math.sqrt(point.d),
            "few samples have a large spike coordinate: gaps measured are up to 5 % at d = 32, and fall with d",
            help="test risk, by quadrature in the spike's coordinate",
            symbol=r"\mathcal{R}",
            when=lambda point: point.simulated and not point.halving and point.kernel.is_power_series,
        ),
        quantity.at_least(
            "risk_unseen",
            Allowance(0.0),
            "a kernel without the target's degree fits noise, and fitted noise can only add to the risk",
            help="risk of a target whose degree the kernel does not have",
            symbol=r"\mathcal{R}",
            when=lambda point: point.unseen and point.simulated and not point.halving,
        ),
        quantity.at_least(
            "objective_ratio",
            Allowance(0.0),
            "a strictly convex objective has one minimiser",
            help="the slide's objective at the solution that it prints, over that at (K + n lambda)^-1 y",
            when=lambda point: point.minimised,
        ),
        quantity.equal(
            "theta_half",
            Allowance(0.1, of="prediction"),
            "a crossing moves by the relative gap of the risk over its slope, up to 10 % at d = 48",
            help="strength at which the risk of one degree is half of |f*|^2",
            symbol=r"\theta_{1/2}",
            when=lambda point: point.halving and point.simulated,
        ),
        quantity.slope(
            "theta_half",
            "d",
            lambda point: point.half_slope,
            0.03,
            "at the smallest d the strength itself is off by a few per cent",
            help="its exponent between d and 4 d, of which the limit 1 - 1/l is still far",
            when=lambda point: point.halving and point.simulated,
        ),
        quantity.reported(
            "theta_half_exponent", help="slope of log theta_half in log d between d and 4 d, in the equations"
        ),
        quantity.reported("theta_half_limit", help="the same for d to infinity", symbol=r"1 - 1/\ell"),
        quantity.reported("plateau", help="limit of the risk as d grows", symbol=r"E_0 |P_{>\ell} f^*|^2"),
        quantity.reported("theory_risk", help="the deterministic equivalent at any d", symbol=r"\mathcal{R}"),
        quantity.reported(
            "risk_plain", help="the equivalent with one implicit ridge for all inputs", symbol=r"\mathcal{R}"
        ),
    )
    views = (
        view.Curve(
            "strength_exponent", "0:0.85:6", ("risk_kernel",), by="target", seeds=24,
            by_values=("x1", "He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)"), title="one degree after the other, d = 200",
        ),
        view.Curve(
            "strength_exponent", "0:0.85:6", ("risk_kernel",), seeds=16, log_y=True, bounds=("risk_plain",),
            at={"d": 300}, title="one implicit ridge is not enough, d = 300",
        ),
        view.Curve(
            "strength_exponent", "0:0.88:23", ("theory_risk",), by="d", by_values=(10**6, 10**9, 10**12), seeds=2,
            at={"ridge": 3.0, "target": "(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6) + He4(x1)/sqrt(24))/2"},
            bounds=("plateau",), title="the same equations at d = 10^6 to 10^12",
        ),
        view.Curve(
            "ridge", (0.001, 0.1, 1, 10), ("risk_kernel",), seeds=24, log_x=True, bounds=("plateau",),
            at={"strength_exponent": 0.1, "target": "He3(x1)/sqrt(6)"},
            title="what is not learned costs more than itself",
        ),
        view.Curve(
            "ridge", (0.1, 1, 10), ("objective_ratio",), seeds=8, log_x=True, log_y=True,
            at={"d": 100}, title="the printed solution does not minimise",
        ),
        view.Curve(
            "strength_exponent", (0.5, 0.8), ("risk_unseen",), seeds=24,
            at={"kernel": "arccos1", "d": 64, "target": "He3(x1)/sqrt(6)"}, title="arccos1 has no degree 3",
        ),
        view.Curve(
            "d", (48, 96, 192), ("theta_half",), by="target", by_values=("He2(x1)", "He3(x1)"), seeds=24,
            log_x=True, log_y=True, at={"halving": True, "target": "He2(x1)"}, title="half learned",
        ),
        view.Curve(
            "d", (10**8, 10**10), ("theta_half_exponent",), by="target", by_values=("He2(x1)", "He3(x1)", "He4(x1)"),
            seeds=2, log_x=True, at={"halving": True, "target": "He2(x1)"}, bounds=("theta_half_limit",),
            title="its exponent, from the equations",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"strength_exponent": 0.6, "d": 1000},
        "polynomial-kernel": {"kernel": "(1 + t)**4"},
        "stairs": {"d": 10**12, "ridge": 3.0},
        "unseen": {"kernel": "arccos1", "target": "He3(x1)/sqrt(6)", "strength_exponent": 0.8},
    }
    default_seeds = 24
    line_places = 13
    engine = "dense"

    def check(self) -> None:
        super().check()
        if self.theta > STRONGEST * self.d:
            raise InputError(
                f"theta = {self.theta:.3g} is too strong; at most {STRONGEST:g} d = {STRONGEST * self.d:.3g}"
            )
        if self.halving:
            self.single_degree()

    def single_degree(self) -> int:
        """l of a target of one degree, for which half learned means something."""
        found = [k for k, e in enumerate(self.target.energies()) if e]
        if len(found) != 1 or found[0] < 2 or not self.kernel.is_power_series:
            raise InputError(
                "halving needs a target of one degree, 2 or more, such as He3(x1), and a kernel such as exp"
            )
        return found[0]

    @property
    def unseen(self) -> bool:
        """Whether the kernel has none of the degrees of the target."""
        degrees = [k for k, e in enumerate(self.target.energies()) if e]
        return not any(self.kernel.coefficients(max(degrees) + 1)[degrees] > 0)

    def half(self, d: int) -> float:
        return half_strength(self.kernel, self.target, d, self.samples_per_dim * d, self.ridge, self.noise)

    @property
    def minimised(self) -> bool:
        """Whether the slide's solution is tried too, which costs the fits once more."""
        return self.samples <= FEW_SAMPLES and not self.halving

    @property
    def half_slope(self) -> float:
        """Slope of log theta_half over d, 2 d and 4 d in the equations; elsewhere than in a search its limit."""
        if not self.halving:
            return 1 - 1 / (self.target.degree or 1)
        sizes = self.d * np.array([1, 2, 4])
        return float(np.polyfit(np.log(sizes), np.log([self.half(int(d)) for d in sizes]), 1)[0])

    def predict(self) -> Prediction:
        regime = "n and d large in proportion; the deterministic equivalent class by class is derived, not proven"
        values: dict[str, float] = {"risk_unseen": float(self.target.norm2)} if self.unseen else {}
        if self.halving:
            values["theta_half_limit"] = 1 - 1 / self.single_degree()
            if self.simulated:
                values["theta_half"] = self.half(self.d)
            else:
                values["theta_half_exponent"] = math.log(self.half(4 * self.d) / self.half(self.d)) / math.log(4)
        elif self.kernel.is_power_series:
            n = self.samples_per_dim * self.d
            setting = (self.kernel, self.target, self.d, self.theta, n, self.ridge, self.noise)
            values["theory_risk"] = spiked_kernel_risk(*setting)
            values["risk_plain"] = eigenlearning_risk(*setting)
            values["plateau"] = plateau(
                self.kernel, self.target, self.strength_exponent, self.samples_per_dim, self.ridge, self.noise
            )
            if self.simulated:
                values["risk_kernel"] = values["theory_risk"]
        if self.minimised:
            values["objective_ratio"] = 1.0
        learned = learned_degree(self.strength_exponent)
        notes = (f"degrees up to {learned} are learned when d tends to infinity",)
        return Prediction(values, regime, notes if self.simulated else (*notes, BEYOND))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        path = Bundle(points)
        first = points[0]
        risks: Array | list[float] = []
        ratios: Array | list[float] = []
        if first.simulated and not first.halving:
            risks = first.kernel_risks([p.ridge for p in points], run)
        if first.minimised:
            ratios = first.objective_ratios([p.ridge for p in points], run)
        for number, point in enumerate(points):
            values = {} if len(risks) == 0 else {"risk_kernel": float(risks[number])}
            if len(ratios):
                values["objective_ratio"] = float(ratios[number])
            if values and point.unseen:
                values["risk_unseen"] = values["risk_kernel"]
            if point.halving and point.simulated:
                values["theta_half"] = point.measured_half(run)
            path.put(point, Measurement(values))
        return path.measurements()

    def measured_half(self, run: Run) -> float:
        ends, data = (1e-2, STRONGEST * self.d), run.streams.child("data")
        return half_strength_of(self.kernel, self.problem, self.samples, self.ridge, data, ends)

    def cost(self) -> Cost:
        once = super().cost()
        return Cost(once.flops * (10 if self.halving else 1), once.bytes, once.path_flops)
