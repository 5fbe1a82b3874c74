"""[bes23] kernel ridge regression learns degree after degree as the spike of the inputs grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Self

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._spiked import BEYOND, CONVENTION, EQUATIONS_ONLY, SpikedClaim
from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, half_strength_of, spiked_risk
from giantstep.theory.kernels import eigenlearning_risk, half_strength, learned_degree, plateau, spiked_kernel_risk

STRONGEST = 0.6
"""Largest theta/d: beyond, k(x, x) of the exponential kernel has no mean, nor its theory an answer."""
FEW_SAMPLES = 300
HALVED = attrgetter("halved")
SINGLE = {"halving": True, "target": "He2(x1)"}


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
class KernelStaircase(SpikedClaim):
    """Kernel ridge regression with n ~ d learns degree l of the target once the spike passes theta = d^(1 - 1/l).

    The inputs are N(0, I + theta mu mu^T), the target is a polynomial of <x, mu>. The deterministic equivalent, class
    by class in the spike's coordinate, gives the risk at finite d, where the stairs are one rounded slope; the same
    equations at d = 10^12 show them, and the strength at which a single degree is half learned grows as d^(1 - 1/l).
    Beyond 20,000 samples nothing is simulated: the equations are shown beside their limits.
    """

    kernel: parameters.Kernel = parameters.kernel("exp")
    ridge: float = parameters.ridge(0.01)
    halving: bool = parameters.own(False, "search the strength that halves the risk of a single degree")

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
            help="the slide's objective at the solution that it prints, over that at (K + n lambda)^-1 y",
            when=lambda point: point.minimised,
        ),
        quantity.equal(
            "theta_half", Allowance(0.1, of="prediction"),
            "a crossing moves by the relative gap of the risk over its slope, up to 10 % at d = 48",
            help="strength at which the risk of one degree is half of |f*|^2", symbol=r"\theta_{1/2}", when=HALVED,
        ),
        quantity.slope(
            "theta_half", "d", lambda point: point.half_slope, 0.03,
            "at the smallest d the strength itself is off by a few per cent",
            help="its exponent between d and 4 d, of which the limit 1 - 1/l is still far", when=HALVED,
        ),
        *(
            quantity.reported(name, help=help, symbol=symbol)
            for name, help, symbol in (
                ("theta_half_exponent", "slope of log theta_half in log d between d and 4 d, in the equations", ""),
                ("theta_half_limit", "the same for d to infinity", r"1 - 1/\ell"),
                ("plateau", "limit of the risk as d grows", r"E_0 |P_{>\ell} f^*|^2"),
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
            log_x=True, log_y=True, at=SINGLE, title="half learned",
        ),
        view.Curve(
            "d", (10**8, 10**10), ("theta_half_exponent",), by="target", by_values=("He2(x1)", "He3(x1)", "He4(x1)"),
            seeds=2, log_x=True, at=SINGLE, bounds=("theta_half_limit",), title="its exponent, from the equations",
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
    convention = CONVENTION

    def check(self) -> None:
        super().check()
        refuse_strong_spike(self.theta, self.d, STRONGEST)
        if self.halving and (len(self.degrees) != 1 or self.degrees[0] < 2 or not self.kernel.is_power_series):
            raise InputError(
                "halving needs a target of one degree, 2 or more, such as He3(x1), and a kernel such as exp"
            )

    @property
    def degrees(self) -> list[int]:
        """The degrees of the target."""
        return [k for k, energy in enumerate(self.target.energies()) if energy]

    @property
    def unseen(self) -> bool:
        """Whether the kernel has none of the degrees of the target."""
        return not any(self.kernel.coefficients(max(self.degrees) + 1)[self.degrees] > 0)

    @property
    def minimised(self) -> bool:
        """Whether the slide's solution is tried too, which costs the fits once more."""
        return self.samples <= FEW_SAMPLES and not self.halving

    def half(self, d: int) -> float:
        """theta_half in dimension d, in the equations."""
        return half_strength(self.target, self.kernel, d, self.samples_per_dim * d, self.ridge, self.noise)

    @property
    def half_slope(self) -> float:
        """The exponent of theta_half from d to 4 d in the equations; elsewhere than in a search its limit."""
        return local_exponent(self.half, self.d) if self.halving else 1 - 1 / (self.target.degree or 1)

    def predict(self) -> Prediction:
        regime = "n and d large in proportion; the deterministic equivalent class by class is derived, not proven"
        values: dict[str, float] = {"risk_unseen": float(self.target.norm2)} if self.unseen else {}
        if self.halving:
            values["theta_half_limit"] = 1 - 1 / self.degrees[0]
            if self.simulated:
                values["theta_half"] = self.half(self.d)
            else:
                values["theta_half_exponent"] = math.log(self.half(4 * self.d) / self.half(self.d)) / math.log(4)
        elif self.kernel.is_power_series:
            n, psi, gamma = self.samples_per_dim * self.d, self.samples_per_dim, self.strength_exponent
            setting = (self.target, self.kernel, self.d, self.theta, n, self.ridge, self.noise)
            values["theory_risk"] = spiked_kernel_risk(*setting)
            values["risk_plain"] = eigenlearning_risk(*setting)
            values["plateau"] = plateau(self.target, self.kernel, gamma, psi, self.ridge, self.noise)
            if self.simulated:
                values["risk_kernel"] = values["theory_risk"]
        if self.minimised:
            values["objective_ratio"] = 1.0
        notes = (f"degrees up to {learned_degree(self.strength_exponent)} are learned when d tends to infinity",)
        return Prediction(values, regime, notes if self.simulated else (*notes, BEYOND))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        if not first.measured:
            return [Measurement({"theta_half": p.measured_half(run)} if p.halved else {}) for p in points]
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

    def measured_half(self, run: Run) -> float:
        ends, data = (1e-2, STRONGEST * self.d), run.streams.child("data")
        return half_strength_of(self.kernel, self.problem, self.samples, self.ridge, data, ends)

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n, d, fits = float(self.samples), float(self.d), 10 if self.halving else 1
        return Cost(fits * (2 * n**2 * d + n**3 / 3 + 500 * n**2), 20 * n**2 + 8 * n * d, n**3 / 3)
