"""[mws23] how many samples a rotation invariant kernel needs where the spike knows the target in part."""

from __future__ import annotations

import math
from operator import attrgetter

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._spiked import CONVENTION, EQUATIONS_ONLY
from giantstep.errors import InputError
from giantstep.learners.kernels import half_samples_beside
from giantstep.problems import Problem
from giantstep.problems.inputs import Spiked
from giantstep.theory.kernels import misaligned_half_samples

LARGEST = 1000
"""Largest d that is simulated."""
MOST_SAMPLES = 3000
ENDS = (4, MOST_SAMPLES)
DATA_SETS = 16  # over which the risk is a mean where the spike carries the target: few samples are noisy, and cheap
STRONGEST = 0.6
SIMULATED = attrgetter("simulated")
HERMITE = ("He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)")
ISOTROPIC = {"alignment_exponent": 0.5, "strength_exponent": -2}
BESIDE = {"alignment_exponent": 0.5, "strength_exponent": 0.5}


def _crossing(point: KernelMisaligned) -> float:
    """1.5/d where the spike carries the target; else 16 % at d = 24, falling like d^(-1/2).

    A target in the bulk is learned early by 3/d, which the equations leave out: lower sectors take part of it.
    """
    return 1.5 / point.d if point.is_carried else 0.16 * math.sqrt(24 / point.d)


def _next_orders(point: KernelMisaligned) -> float:
    """0.0005 + 3 p r d^-r, added up: r = |gamma2|, 1 - gamma2, |gamma2 - 2 gamma1|, and the distances of the exponent
    from whole numbers, next to which a degree of the bulk is learned in part."""
    strength = point.strength_exponent
    rates = [abs(strength), min(1.0, 1 - strength), abs(strength - 2 * point.alignment_exponent)]
    rates += [point.exponent % 1, -point.exponent % 1]
    return 5e-4 + 3.0 * (point.target.degree or 0) * sum(rate * math.pow(point.d, -rate) for rate in rates)


@named(
    "structured/kernel-misaligned",
    kind="theorem",
    cite="mws23",
    where="slide 'Interplay between Spike Magnitude and Alignment', KRR lower bound after [dwy21]",
    version=3,
    finding=(
        "Beside a misaligned spike the bound d^(Theta((1 - gamma2) p)) is tight only if the spike carries "
        "the target's variance, gamma2 > 2 gamma1. Below, the target lies in the bulk and kernels need n ~ d^p, as if "
        "there were no spike: the bound is loose, and the network's exponent, 1 + (k-1)(1 - 2 (gamma2 - gamma1)) for "
        "gamma1 < gamma2, is smaller."
    ),
)
class KernelMisaligned(Claim):
    """Beside a misaligned spike a kernel needs d^(p (1 - gamma2)) samples for gamma2 > 2 gamma1, and d^p below.

    theta = d^gamma2, <mu, beta> = d^-gamma1. The number of samples that halve the risk of He_p is searched in
    simulations of moderate dimension, and in the deterministic equivalent, in which the target has parts of degrees 0
    to p beside the spike. For d beyond 1000 nothing is simulated: the equations' exponent is held against its limit,
    and against the talk's bound.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    kernel: parameters.Kernel = parameters.kernel("exp")
    d: int = parameters.dimension(24, ge=8, le=10**12)
    alignment_exponent: float = parameters.alignment_exponent(0.4)
    strength_exponent: float = parameters.strength_exponent(0.5, symbol=r"\gamma_2,\ \theta = d^{\gamma_2}")
    ridge: float = parameters.ridge(0.01, path=False)

    quantities = (
        quantity.equal(
            "samples_half", Allowance(_crossing, of="prediction"),
            "parts of order 1/d lie in lower sectors, and the first crossing of a noisy risk is early",
            help="samples at which the risk is half of |f*|^2", symbol=r"n_{1/2}", when=SIMULATED,
        ),
        quantity.slope(
            "samples_half", "d", lambda point: local_exponent(point.half, point.d, (1, 1.5, 2.25)), 0.1,
            "the crossing of a noisy risk is early or late by a relative amount that falls with d",
            help="its exponent between d and 2.25 d, for a target in the bulk (along the spike: kernel-bound)",
            when=lambda point: point.simulated and not point.is_carried,
        ),
        quantity.equal(
            "sample_exponent", Allowance(_next_orders), "what the equations still add at this d to the limit",
            help="exponent of the samples needed: of n_half in d for d to infinity, by the equations from d to 4 d",
            symbol=r"p (1 - \gamma_2)\ \mathrm{or}\ p", when=lambda point: point.is_far,
        ),
        quantity.at_least(
            "sample_bound", Allowance(_next_orders), "what the equations still add at this d to the limit",
            help="exponent over the talk's bound: the same over p (1 - gamma2)", symbol=r"\geq p (1 - \gamma_2)",
            when=lambda point: point.is_far,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (18, 27, 40), ("samples_half",), by="alignment_exponent", by_values=(0.1, 0.5), seeds=32,
            log_x=True, log_y=True, title="degree 2, theta = d^(1/2), simulated",
        ),
        view.Curve(
            "d", (18, 27, 40), ("samples_half",), at=ISOTROPIC, seeds=16, log_x=True, log_y=True,
            title="degree 2, no spike, simulated",
        ),
        view.Curve(
            "d", (10**9,), ("sample_exponent",), at={"d": 10**9, **ISOTROPIC}, by="target", by_values=HERMITE,
            seeds=2, log_x=True, title="no spike: n ~ d^p, from the equations",
        ),
        view.Curve(
            "strength_exponent", (0.4, 0.75), ("sample_exponent", "sample_bound"), seeds=2, at={"d": 10**9},
            by="alignment_exponent", by_values=(0.1, 0.5), line_places=61, title="degree 2, from the equations",
        ),
        view.Curve(
            "alignment_exponent", (0.1, 0.45), ("sample_exponent",), seeds=2,
            at={"d": 10**9, "target": HERMITE[1]}, line_places=61,
            title="degree 3, theta = d^(1/2), from the equations",
        ),
    )  # fmt: skip
    presets = {"isotropic": ISOTROPIC, "beside": BESIDE, "large": {"d": 10**6, **BESIDE}}
    default_seeds = 32
    line_places = 4
    engine = "dense"
    convention = CONVENTION

    def check(self) -> None:
        degrees = [k for k, energy in enumerate(self.target.energies()) if energy]
        if self.target.directions != 1 or len(degrees) != 1 or not 2 <= degrees[0] <= 3:
            raise InputError(f"target = {self.target} is not allowed; it must be He2 or He3 of x1")
        if not self.kernel.is_power_series or self.kernel.coefficients(degrees[0] + 1)[-1] <= 0:
            raise InputError(
                f"kernel = {self.kernel} is not allowed; it must be a power series with degree {degrees[0]}"
            )
        refuse_strong_spike(self.theta, self.d, STRONGEST)
        if self.simulated and self.half(self.d) > MOST_SAMPLES / 2:
            raise InputError(
                f"half the risk needs {self.half(self.d):.3g} samples, at most {MOST_SAMPLES / 2:g}; lower d or ridge"
            )

    @property
    def theta(self) -> float:
        return float(self.d**self.strength_exponent)

    @property
    def simulated(self) -> bool:
        return self.d <= LARGEST

    @property
    def is_far(self) -> bool:
        """Whether equations speak alone, and the point is not where both regimes meet."""
        return not self.simulated and abs(self.strength_exponent - 2 * self.alignment_exponent) >= 0.05

    @property
    def bound(self) -> float:
        """p (1 - gamma2), without a spike p."""
        return (self.target.degree or 0) * (1 - max(0.0, self.strength_exponent))

    @property
    def exponent(self) -> float:
        """p (1 - gamma2) where the spike carries the target, else p."""
        return self.bound if self.is_carried else float(self.target.degree or 0)

    @property
    def is_carried(self) -> bool:
        """Whether the spike carries the target's variance."""
        return self.strength_exponent > 2 * self.alignment_exponent

    def half(self, d: int) -> float:
        """n_half in dimension d, in the equations."""
        theta, rho = float(d**self.strength_exponent), float(d**-self.alignment_exponent)
        return misaligned_half_samples(self.target, self.kernel, d, theta, rho, self.ridge)

    def predict(self) -> Prediction:
        regime = "n and d large; a spike of any alignment"
        if self.simulated:
            return Prediction({"samples_half": self.half(self.d)}, regime)
        beyond = f"nothing is simulated beyond d = {LARGEST}: these are the values of the equations"
        return Prediction({"sample_exponent": self.exponent, "sample_bound": self.bound}, regime, (beyond,))

    def measure(self, run: Run) -> Measurement:
        if not self.simulated:
            found = math.log(self.half(4 * self.d) / self.half(self.d)) / math.log(4)
            return Measurement({"sample_exponent": found, "sample_bound": found})
        law = Spiked(self.theta, alignment=float(self.d**-self.alignment_exponent))
        problem = Problem(self.target, self.d, inputs=law)
        sets = DATA_SETS if self.is_carried else 1
        found = half_samples_beside(self.kernel, problem, self.ridge, run.streams, ENDS, data_sets=sets)
        return Measurement({"samples_half": found})

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n = 3 * self.half(self.d) * (DATA_SETS if self.is_carried else 1) ** 0.5
        return Cost(n**3 + 8000.0 * n * self.d + 4000 * n**2, 14 * n**2 + 16.0 * 700 * n + 2.5e7)
