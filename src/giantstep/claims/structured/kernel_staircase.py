"""[bes23] kernel ridge regression learns degree after degree as the spike of the inputs grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Printed, Run, named, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.structured._half_strength import (
    HALF_STRENGTH,
    STRONGEST,
    HalvedKernelClaim,
    far_from_thresholds,
    is_flat,
)
from giantstep.claims.structured._spiked import BEYOND, CONVENTION, EQUATIONS_ONLY
from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, spiked_risk
from giantstep.problems import InnerProductKernel, Target
from giantstep.theory.kernels import eigenlearning_risk, learned_degree, plateau, spiked_kernel_risk

FEW_SAMPLES = 300
STAIRS = {"ridge": 3.0, "target": "(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6) + He4(x1)/sqrt(24))/2"}
SINGLE = {"halving": True, "target": "He2(x1)"}


@named(
    "structured/kernel-staircase",
    kind="theorem",
    cite="bes23",
    version=3,
    where="slide 'Necessary and Sufficient Conditions for KRR', theta = d^gamma with gamma in (1 - 1/l, 1 - 1/(l+1))",
    finding=(
        "At a fixed ridge and n/d the risk does not tend to |P_{>l} f*|^2 but to E0 times it, E0 > 1: the d linear "
        "features of the bulk fit what is not learned as noise; the slide's value needs a growing ridge. A degree is "
        "learned only if the kernel has it: arccos1 never learns He3. The implicit ridge depends on the input: the "
        "usual equivalent with one ridge is 2 to 5 times too small for gamma >= 2/3 at d = 200 to 1000, an effect of "
        "finite d that is gone at 10^9. Separate stairs need d of a million or more. The slides' minimisation is "
        "solved by (K + n lambda)^-1 y, not (K + lambda)^-1 y, whose objective is larger (objective_ratio)."
    ),
)
class KernelStaircase(HalvedKernelClaim):
    """Kernel ridge regression with n ~ d learns degree l of the target once the spike passes theta = d^(1 - 1/l).

    The inputs are N(0, I + theta mu mu^T), the target is a polynomial of <x, mu>. The deterministic equivalent, class
    by class in the spike's coordinate, gives the risk at finite d, where the stairs are one rounded slope; the same
    equations at d = 10^12 show them, and the strength at which a single degree is half learned grows as d^(1 - 1/l).
    Beyond 20,000 samples nothing is simulated: the equations are shown beside their limits.
    """

    quantities = (
        quantity.equal(
            "risk_kernel", Allowance(0.03, of="prediction", at=100, power=-0.5),
            "few samples have a large spike coordinate: gaps measured are up to 5 % at d = 32, and fall with d",
            help="test risk, by quadrature in the spike's coordinate", symbol=r"\mathcal{R}",
            when=lambda point: point.measured and point.kernel.is_power_series,
        ),
        quantity.at_least(
            "risk_unseen", 0,
            "a kernel without the target's degree fits noise, and fitted noise can only add to the risk",
            help="risk of a target whose degree the kernel does not have", symbol=r"\mathcal{R}",
            when=lambda point: point.measured and point.unseen,
        ),
        quantity.at_least(
            "objective_ratio", 0, "a strictly convex objective has one minimiser",
            help="objective of the printed solution, over that of ridge regression: at (K + n lambda)^-1 y",
            when=lambda point: point.minimised,
        ),
        *HALF_STRENGTH,
        quantity.equal(
            "plateau", far_from_thresholds, "degrees are learned up to powers of d, by the distance from thresholds",
            help="limit of the risk for d to infinity, by the equations at this d", symbol=r"E_0 |f^* - P f^*|^2",
            when=is_flat,
        ),
        *(
            quantity.reported(name, help=help, symbol=symbol)
            for name, help, symbol in (
                ("theory_risk", "the deterministic equivalent at any d", r"\mathcal{R}"),
                ("risk_plain", "the equivalent with one implicit ridge for all inputs", r"\mathcal{R}"),
            )
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "strength_exponent", "0:0.85:6", ("risk_kernel",), by="target", seeds=24,
            by_values=("x1", "He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)"), title="one degree after the other, d = 200",
        ),
        view.Curve(
            "strength_exponent", "0:0.85:6", ("risk_kernel",), seeds=24, log_y=True, bounds=("risk_plain",),
            at={"d": 300}, title="one implicit ridge is not enough, d = 300",
        ),
        view.Curve(
            "strength_exponent", "0:0.88:12", ("theory_risk",), by="d", by_values=(10**6, 10**12), seeds=2,
            at=STAIRS, bounds=("plateau",), line_places=31, title="the same equations at d = 10^6 and 10^12",
        ),
        view.Curve(
            "strength_exponent", (0.1, 0.25, 0.4, 0.58, 0.7), ("plateau",), seeds=2,
            at={**STAIRS, "d": 10**12, "noise": 0.5}, line_places=61, title="plateaus, with label noise, d = 10^12",
        ),
        view.Curve(
            "strength_exponent", (0.25, 0.58), ("plateau",), seeds=2,
            at={**STAIRS, "d": 10**12, "kernel": "1 + t + t**3/6"}, line_places=61,
            title="a kernel without degree 2, d = 10^12",
        ),
        view.Curve(
            "ridge", (0.001, 0.1, 1, 10), ("risk_kernel",), seeds=24, log_x=True, bounds=("plateau",),
            at={"strength_exponent": 0.1, "target": "He3(x1)/sqrt(6)"},
            title="what is not learned costs more than itself",
        ),
        view.Curve(
            "ridge", (0.1, 1, 10), ("objective_ratio",), seeds=32, log_x=True, log_y=True,
            at={"d": 100}, title="the printed solution does not minimise",
        ),
        view.Curve(
            "strength_exponent", (0.5, 0.8), ("risk_unseen",), seeds=40,
            at={"kernel": "arccos1", "d": 64, "target": "He3(x1)/sqrt(6)"}, title="arccos1 has no degree 3",
        ),
        view.Curve(
            "d", (48, 96, 192), ("theta_half",), by="target", by_values=("He2(x1)", "He3(x1)"), seeds=16,
            log_x=True, log_y=True, at=SINGLE, title="half learned",
        ),
        view.Curve(
            "d", (10**8, 10**10), ("theta_half_limit",), by="target", by_values=("He2(x1)", "He3(x1)", "He4(x1)"),
            seeds=2, log_x=True, at=SINGLE, title="its exponent, from the equations",
        ),
    )  # fmt: skip
    printed = (
        Printed("plateau", "the risk tends to |P_{>l} f*|^2", lambda point: point.beyond_learned),
        Printed(
            "objective_ratio", "(K + lambda)^-1 y minimises (1/n) sum (f - y)^2 + lambda |f|^2", lambda _: 1.0,
            relation="equal", allowance=Allowance(1e-6),
        ),
    )  # fmt: skip
    presets = {
        "slide": {"strength_exponent": 0.6, "d": 1000},
        "polynomial-kernel": {"kernel": "(1 + t)**4"},
        "stairs": {"d": 10**12, "strength_exponent": 0.6, **STAIRS},
        "unseen": {"kernel": "arccos1", "target": "He3(x1)/sqrt(6)", "strength_exponent": 0.8},
    }
    default_seeds = 24
    line_places = 13
    engine = "dense"
    convention = CONVENTION

    def check(self) -> None:
        super().check()
        refuse_strong_spike(self.theta, self.d, STRONGEST)
        if self.halving and (len(self.degrees) != 1 or self.degrees[0] < 2 or not self.kernel.is_power_series):
            raise InputError(
                "halving needs a target of one degree, 2 or more, such as He3(x1), and a kernel such as exp"
            )

    @property
    def unseen(self) -> bool:
        """Whether the kernel has none of the degrees of the target."""
        return not any(self.kernel.coefficients(max(self.degrees) + 1)[self.degrees] > 0)

    @property
    def beyond_learned(self) -> float:
        """|P_{>l} f*|^2."""
        learned = min(learned_degree(self.strength_exponent), self.target.degree or 0)
        return float(self.target.norm2) - sum(float(self.target.energy(k)) for k in range(learned + 1))

    @property
    def has_plateau(self) -> bool:
        """Whether the kernel has a constant, without which a target's mean is learned in part."""
        return self.kernel.is_power_series and bool(self.kernel.coefficients(1)[0] > 0)

    @property
    def minimised(self) -> bool:
        """Whether the slide's solution is tried too, which costs the fits once more."""
        return self.samples <= FEW_SAMPLES and not self.halving

    @property
    def setting(self) -> tuple[Target, InnerProductKernel, int, float, float, float, float]:
        """What the equations are told."""
        n = self.samples_per_dim * self.d
        return self.target, self.kernel, self.d, self.theta, n, self.ridge, self.noise

    def predict(self) -> Prediction:
        regime = "n and d large in proportion; the deterministic equivalent class by class is derived, not proven"
        values: dict[str, float] = {"risk_unseen": float(self.target.norm2)} if self.unseen else {}
        if self.halving:
            limit = {"theta_half_limit": 1 - 1 / self.degrees[0]}
            values |= {"theta_half": self.half(self.d)} if self.simulated else limit
        elif self.kernel.is_power_series:
            values["theory_risk"] = spiked_kernel_risk(*self.setting)
            values["risk_plain"] = eigenlearning_risk(*self.setting)
            if self.has_plateau:
                place = self.strength_exponent, self.samples_per_dim, self.ridge, self.noise
                values["plateau"] = plateau(self.target, self.kernel, *place)
            if self.simulated:
                values["risk_kernel"] = values["theory_risk"]
        if self.minimised:
            values["objective_ratio"] = 1.0
        notes = [f"degrees up to {learned_degree(self.strength_exponent)} are learned when d tends to infinity"]
        if self.samples > self.d**2:
            beyond = "above d^2, not of the order of d: at d = 16, n = 120 d the risk was 10 % below the equations"
            notes.append(f"n = {self.samples} is {beyond}")
        return Prediction(values, regime, tuple(notes) if self.simulated else (*notes, BEYOND))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        if not first.simulated:
            return [Measurement(p.limits_of_equations()) for p in points]
        if first.halving:
            return [Measurement({"theta_half": p.measured_half(run)}) for p in points]
        x, y = first.data(run, first.samples)
        fit = fit_kernel(first.kernel, x, y, [p.ridge for p in points])
        found = {"risk_kernel": spiked_risk(fit, first.problem, run.streams.child("bulk"))}
        if first.unseen:
            found["risk_unseen"] = found["risk_kernel"]
        if first.minimised:  # the slide's lambda is ridge/n
            weights = fit.ridge / len(y)
            printed = fit_kernel(first.kernel, x, y, weights)
            found["objective_ratio"] = printed.objective(y, weights) / fit.objective(y, weights)
        return [Measurement({name: float(v[i]) for name, v in found.items()}) for i in range(len(points))]

    def limits_of_equations(self) -> dict[str, float]:
        """What the equations show of their limits at this d."""
        if self.halving:
            return {"theta_half_limit": math.log(self.half(4 * self.d) / self.half(self.d)) / math.log(4)}
        return {"plateau": spiked_kernel_risk(*self.setting)} if self.has_plateau else {}

    def cost(self) -> Cost:
        if not self.simulated:
            return Cost(4e9, 5e7) if self.halving else EQUATIONS_ONLY
        n, d, fits = float(self.samples), float(self.d), 40 if self.halving else 1
        return Cost(fits * (2 * n**2 * d + n**3 / 3 + 500 * n**2), 20 * n**2 + 8 * n * d + 3e7, n**3 / 3)
