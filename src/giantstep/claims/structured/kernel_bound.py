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
SEARCHED = 5e-4
SIMULATED = attrgetter("simulated")


def _next_orders(point: KernelBound, predicted: float) -> float:  # noqa: ARG001
    """3 p r d^-r, added up, and 0.0005: r = gamma, 1 - gamma, and the distances of p (1 - gamma) from whole numbers.

    (1 + theta)^p is not yet theta^p, higher powers of theta/d count, and the bulk's degree next to log_d n is learned
    in part, which changes the implicit ridge. Measured: at most 2.5 p r d^-r from d = 10^4 to 10^12. The searches stop
    at an error of 0.0001 in log n.
    """
    exponent = point.exponent
    rates = (point.strength_exponent, 1 - point.strength_exponent, exponent % 1, -exponent % 1)
    return SEARCHED + 3.0 * (point.target.degree or 0) * sum(rate * math.pow(point.d, -rate) for rate in rates)


@named(
    "structured/kernel-bound",
    kind="theorem",
    cite="mws23",
    version=2,
    where="slide 'Interplay between Spike Magnitude and Alignment', KRR lower bound after [dwy21]",
    finding=(
        "The bound d^(Theta((1 - gamma2) p)) is tight with factor one if the target lies along the spike: n lambda_p "
        "~ 1 gives n ~ d^(p (1 - gamma2)), the effective dimension (d + theta)/(1 + theta) to the power p. For k = p "
        "the talk's exponent of the network, 1 + (k-1)(1 - gamma2), is larger by gamma2: gains need k < p or "
        "misalignment."
    ),
)
class KernelBound(Claim):
    """A rotation invariant kernel needs n ~ d^(p (1 - gamma)) samples for a degree p along a spike theta = d^gamma.

    The number of samples that halve the risk of He_p is searched in simulations of moderate dimension and in the
    deterministic equivalent. For d beyond 1000 nothing is simulated: the equations' exponent is held against its limit.
    """

    target: parameters.Target = parameters.target("He2(x1)/sqrt(2)")
    kernel: parameters.Kernel = parameters.kernel("exp")
    d: int = parameters.dimension(64, le=10**12)
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
        quantity.equal(
            "sample_exponent", _next_orders, "what the equations still add at this d to the limit",
            help="exponent of half the risk: of n_half in d for d to infinity, by the equations from d to 4 d",
            symbol=r"p (1 - \gamma)",
            when=lambda point: not point.simulated,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (32, 64, 128), ("samples_half",), by="strength_exponent", by_values=(0.4, 0.6), seeds=64,
            log_x=True, log_y=True, title="degree 2",
        ),
        view.Curve(
            "d", (16, 22, 30), ("samples_half",), at={"strength_exponent": -2, "d": 22}, log_x=True, log_y=True,
            title="degree 2 without a spike",
        ),
        view.Curve(
            "strength_exponent", (0.5, 0.6, 0.7), ("samples_half",), seeds=40, log_y=True,
            at={"target": "He3(x1)/sqrt(6)", "d": 48}, title="degree 3, d = 48",
        ),
        view.Curve(
            "d", (10**6, 10**9, 10**12), ("sample_exponent",), by="strength_exponent", by_values=(0, 0.25, 0.5),
            seeds=2, log_x=True, at={"target": "He3(x1)/sqrt(6)", "d": 10**6}, title="degree 3, from the equations",
        ),
    )  # fmt: skip
    presets = {
        "no-spike": {"strength_exponent": -2, "d": 22},
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
        if self.simulated and self.d**self.exponent > MOST_SAMPLES / 4:
            raise InputError(
                f"about d^{self.exponent:.3g} samples are too many to simulate; lower d or raise the spike"
            )
        if self.simulated and self.half(self.d) > MOST_SAMPLES / 2:
            raise InputError(
                f"half the risk needs {self.half(self.d):.3g} samples, at most {MOST_SAMPLES / 2:g}; lower d or ridge"
            )

    @property
    def exponent(self) -> float:
        """p (1 - gamma), and p if the spike fades."""
        return (self.target.degree or 0) * (1 - max(0.0, self.strength_exponent))

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
        values = {"samples_half": self.half(self.d)} if self.simulated else {"sample_exponent": self.exponent}
        effective = (self.d + self.theta) / (1 + self.theta)
        note = f"effective dimension {effective:.4g}, to the power p"
        beyond = f"nothing is simulated beyond d = {LARGEST}: these are the values of the equations"
        notes = (note,) if self.simulated else (note, beyond)
        return Prediction(values, "target along the spike, n and d large", notes)

    def measure(self, run: Run) -> Measurement:
        if not self.simulated:
            return Measurement({"sample_exponent": math.log(self.half(4 * self.d) / self.half(self.d)) / math.log(4)})
        problem = Problem(self.target, self.d, inputs=Spiked(self.theta))
        found = half_samples_of(self.kernel, problem, self.ridge, run.streams.child("data"), (4, MOST_SAMPLES))
        return Measurement({"samples_half": found})

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n = min(1.5 * self.d**self.exponent, float(MOST_SAMPLES))  # where the search ends, about
        return Cost(4 * n**3 + 2000 * n**2, 24 * n**2 + 3.5e7)
