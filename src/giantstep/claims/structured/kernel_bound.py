"""[mws23] how many samples a rotation invariant kernel needs on inputs with a spike."""

from __future__ import annotations

import math
from operator import attrgetter

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._spiked import CONVENTION, EQUATIONS_ONLY
from giantstep.errors import InputError
from giantstep.learners.kernels import half_samples_of
from giantstep.problems import Problem
from giantstep.problems.inputs import Spiked
from giantstep.theory.kernels import half_samples

LARGEST = 1000
"""Largest d that is simulated."""
MOST_SAMPLES = 4000
STRONGEST = 0.6
HIGHEST_DEGREE = 4
SIMULATED = attrgetter("simulated")


@named(
    "structured/kernel-bound",
    kind="theorem",
    cite="mws23",
    where="slide 'Interplay between Spike Magnitude and Alignment', KRR lower bound after Donhauser et al. 2021",
    finding=(
        "The bound d^Theta((1 - gamma2) p) is tight with factor one if the target lies along the spike: n lambda_p ~ 1 "
        "gives n ~ d^(p (1 - gamma2)), the effective dimension (d + theta)/(1 + theta) to the power p. For k = p the "
        "talk's exponent of the network, 1 + (k-1)(1 - gamma2), is larger by gamma2: gains need k < p or misalignment."
    ),
)
class KernelBound(Claim):
    """A rotation invariant kernel needs n ~ d^(p (1 - gamma)) samples for a degree p along a spike theta = d^gamma.

    The number of samples that halve the risk of He_p is searched in simulations of moderate dimension and in the
    deterministic equivalent. For d beyond 1000 nothing is simulated: the equations' exponent is shown beside its limit.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    kernel: parameters.Kernel = parameters.kernel("exp")
    d: int = parameters.dimension(64, le=10**7)
    strength_exponent: float = parameters.strength_exponent(0.5)
    ridge: float = parameters.ridge(0.01, path=False)

    quantities = (
        quantity.equal(
            "samples_half",
            Allowance(0.08, of="prediction", at=100, power=-0.5),
            "the search stops at the first crossing of a noisy risk; gaps measured are up to 5 % at d = 64",
            help="samples at which the risk is half of |f*|^2",
            symbol=r"n_{1/2}",
            when=SIMULATED,
        ),
        quantity.slope(
            "samples_half", "d", lambda point: local_exponent(point.half, point.d), 0.05,
            "the first crossing of a noisy risk is early, by a relative amount that falls with d",
            help="its exponent between d and 4 d, of which the limit p (1 - gamma) may still be far",
            when=SIMULATED,
        ),
        quantity.reported("sample_exponent", help="slope of log n_half in log d between d and 4 d, in the equations"),
        quantity.reported("sample_exponent_limit", help="the same for d to infinity", symbol=r"p (1 - \gamma)"),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (32, 64, 128), ("samples_half",), by="strength_exponent", by_values=(0.4, 0.6), seeds=64,
            log_x=True, log_y=True, title="degree 2",
        ),
        view.Curve(
            "strength_exponent", (0.5, 0.6, 0.7), ("samples_half",), seeds=40, log_y=True,
            at={"target": "He3(x1)/sqrt(6)", "d": 48}, title="degree 3, d = 48",
        ),
        view.Curve(
            "d", (10**4, 10**5, 10**6), ("sample_exponent",), by="strength_exponent", by_values=(0.25, 0.5, 0.6),
            seeds=2, log_x=True, bounds=("sample_exponent_limit",), at={"target": "He3(x1)/sqrt(6)", "d": 10**4},
            title="degree 3: exponents, from the equations",
        ),
    )  # fmt: skip
    presets = {
        "degree-3": {"target": "He3(x1)/sqrt(6)", "strength_exponent": 0.6},
        "large": {"d": 10**5},
        "polynomial-kernel": {"kernel": "(1 + t)**4"},
    }
    default_seeds = 40
    line_places = 4
    engine = "dense"
    convention = CONVENTION

    def check(self) -> None:
        degrees = [k for k, energy in enumerate(self.target.energies()) if energy]
        if self.target.directions != 1 or len(degrees) != 1 or not 2 <= degrees[0] <= HIGHEST_DEGREE:
            raise InputError(
                f"target = {self.target} is not allowed; it must be one of He2 to He{HIGHEST_DEGREE} of x1"
            )
        if not self.kernel.is_power_series or self.kernel.coefficients(degrees[0] + 1)[-1] <= 0:
            raise InputError(
                f"kernel = {self.kernel} is not allowed; it must be a power series with degree {degrees[0]}"
            )
        refuse_strong_spike(self.theta, self.d, STRONGEST)
        if self.simulated and self.d**self.exponent > MOST_SAMPLES / 8:
            raise InputError(
                f"about d^{self.exponent:.3g} samples are too many to simulate; lower d or raise the spike"
            )
        if self.simulated and self.half(self.d) > MOST_SAMPLES / 2:
            raise InputError(
                f"half the risk needs {self.half(self.d):.3g} samples, at most {MOST_SAMPLES / 2:g}; lower d or ridge"
            )

    @property
    def exponent(self) -> float:
        """p (1 - gamma)."""
        return (self.target.degree or 0) * (1 - self.strength_exponent)

    @property
    def theta(self) -> float:
        return float(self.d**self.strength_exponent)

    @property
    def simulated(self) -> bool:
        return self.d <= LARGEST

    def half(self, d: int) -> float:
        """n_half in dimension d, in the equations."""
        return half_samples(self.target, self.kernel, d, float(d**self.strength_exponent), self.ridge)

    def predict(self) -> Prediction:
        half, values = self.half(self.d), {"sample_exponent_limit": self.exponent}
        if self.simulated:
            values["samples_half"] = half
        else:
            # Near n ~ d^j the bulk's degree j is being learned, which moves the slope: -0.07 at n = d^1.2, d = 10^5.
            values["sample_exponent"] = math.log(self.half(4 * self.d) / half) / math.log(4)
        effective = (self.d + self.theta) / (1 + self.theta)
        note = f"effective dimension {effective:.4g}, to the power p"
        beyond = f"nothing is simulated beyond d = {LARGEST}: these are the values of the equations"
        notes = (note,) if self.simulated else (note, beyond)
        return Prediction(values, "target along the spike, n and d large", notes)

    def measure(self, run: Run) -> Measurement:
        if not self.simulated:
            return Measurement({})
        problem = Problem(self.target, self.d, inputs=Spiked(self.theta))
        found = half_samples_of(self.kernel, problem, self.ridge, run.streams.child("data"), (4, MOST_SAMPLES))
        return Measurement({"samples_half": found})

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n = min(8 * self.d**self.exponent, float(MOST_SAMPLES))
        return Cost(4 * n**3 + 2000 * n**2, 24 * n**2)
