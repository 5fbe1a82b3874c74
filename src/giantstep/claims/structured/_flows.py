"""What the claims about gradient flows under spiked inputs share: the setting, its theory and its task."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Claim, parameters
from giantstep.claims.refusals import refuse_much_work, refuse_other_polynomials
from giantstep.errors import InputError
from giantstep.learners.flows import FlowKind, FlowTask, SampleFlow
from giantstep.streams import Streams
from giantstep.theory.structured import direction_variance
from giantstep.theory.structured.flows import SpikedFlow, typical_start

LEVEL = 0.9  # an overlap from which on the direction counts as found
HIGHEST_DEGREE = 8
MOST_WORK = 1e12  # floating-point operations of one descent
SLOW = 0.1  # a slow start has this share of the middle one's overlap
ROUNDING = 1e-12  # the smallest pull omega^(k-1) that the integrals of a population flow resolve well
PLACES = 41  # times at which a path is told
LONG = 4.0  # a path runs this many times as long as the normalised flow needs from its typical start
FULL = 40  # dimensions up to which a population flow is followed in all coordinates


@lru_cache(maxsize=256)
def variance_beside(flow: SpikedFlow, noise: float) -> float:
    """V of a flow's end beside the target, once for all that is said of a point."""
    return direction_variance(flow, noise)


class FlowClaim(Claim):
    """One neuron, x ~ N(0, I + theta mu mu^T), y = g(<x, beta>/sqrt(kappa)).

    theta = d^gamma2, <mu, beta> = d^-gamma1.
    """

    activation: parameters.Activation = parameters.activation("relu(z - 1)")
    target: parameters.Target = parameters.target("He3(x1)/sqrt(6)")
    d: int = parameters.dimension(1000, ge=8, le=10**12)
    alignment_exponent: float = parameters.alignment_exponent(
        0.0, symbol=r"\gamma_1,\ \langle\mu,\beta\rangle = d^{-\gamma_1}"
    )
    strength_exponent: float = parameters.strength_exponent(0.3, symbol=r"\gamma_2,\ \theta = d^{\gamma_2}", le=1.25)
    starts: int = parameters.starts(16)

    convention = "squared loss (f - y)^2, without a factor 1/2; time of the flow is the sum of step sizes"

    def check(self) -> None:
        refuse_other_polynomials(self.target, HIGHEST_DEGREE)
        if self.activation.jumps:
            raise InputError(f"activation = {self.activation} is not allowed; a flow needs one without jumps")
        if not self.sees():
            raise InputError(
                f"activation = {self.activation} does not lead to {self.target}: zeta(omega), the pull of the "
                "correlation, must be positive for 0 < omega < 1"
            )

    def sees(self) -> bool:
        """Whether zeta > 0 on (0, 1)."""
        pull = self.flow.zeta(np.linspace(0.0, 1.0, 201)[1:-1])
        return self.flow.exponent > 0 and bool((pull > 0).all())

    def check_rounding(self, d: int) -> None:
        """Refuse dimensions in which slow starts feel less than the integrals of a population flow resolve."""
        pull = (SLOW * typical_start(self.flow_in(d), d)) ** (self.exponent - 1)
        if pull < ROUNDING:
            raise InputError(
                f"in d = {d:g} slow starts would feel a pull of {pull:.2g}, which rounding hides; it must be "
                f"{ROUNDING:g} at least: lower d, or strengthen the spike"
            )

    def strength(self, d: int) -> float:
        """theta in dimension d."""
        return float(float(d) ** self.strength_exponent)

    def alignment(self, d: int) -> float:
        """<mu, beta> in dimension d."""
        return float(float(d) ** -self.alignment_exponent)

    @property
    def theta(self) -> float:
        return self.strength(self.d)

    def flow_in(self, d: int) -> SpikedFlow:
        """The setting in dimension d as theory knows it."""
        return SpikedFlow(self.target, self.activation, self.strength(d), self.alignment(d))

    @property
    def flow(self) -> SpikedFlow:
        return self.flow_in(self.d)

    @property
    def exponent(self) -> int:
        """The information exponent that the activation sees."""
        return self.flow.exponent

    def task(self, coordinates: int = 3, d: int | None = None) -> FlowTask:
        """The setting as a learner meets it, in dimension d or the claim's own."""
        d = d or self.d
        return FlowTask(self.target, self.activation, self.strength(d), self.alignment(d), coordinates)

    def population_task(self) -> FlowTask:
        """All d coordinates, or three of them, which are exact in law."""
        return self.task(self.d if self.d <= FULL else 3)

    def whitened(self, task: FlowTask, starts: Array) -> tuple[Array, Array]:
        """Theory's (omega, m) of these starts."""
        return self.flow.whitened(starts @ task.mu, starts @ task.beta)


class PathClaim(FlowClaim):
    """The path of a flow: on the population risk, or as gradient descent on samples."""

    samples_per_dim: float = parameters.samples_per_dim(
        0.0, help="samples per dimension; 0 is the population risk", symbol="n/d", ge=0, le=1e6
    )
    step: float = parameters.step(0.2, help="step size on samples", le=1)

    def check(self) -> None:
        super().check()
        if self.is_population:
            self.check_rounding(self.d)
        else:
            refuse_much_work("descent", self.descent_work(), MOST_WORK, "d or samples")

    @property
    def is_population(self) -> bool:
        return self.samples_per_dim == 0

    @property
    def samples(self) -> int:
        return math.ceil(self.samples_per_dim * self.d)

    @property
    def duration(self) -> float:
        """Four times what the preconditioned flow needs from a typical start."""
        return LONG * self.time_from(min(typical_start(self.flow, self.d), 0.5))

    def time_from(self, omega: float) -> float:
        """What the preconditioned flow needs from this overlap."""
        return float(self.flow.hitting_time(np.array([omega]), np.zeros(1), LEVEL, True)[0])

    @property
    def steps(self) -> int:
        """Of descent; at least one a place."""
        return max(PLACES - 1, math.ceil(self.duration / self.step))

    def descent_work(self) -> float:
        return 4.0 * self.steps * self.samples * (self.d + 20) * self.starts

    def descended(self, kind: FlowKind, start: Array, step: float, streams: Streams) -> tuple[Array, Array]:
        """Times and neurons, (times, starts, d), of gradient descent on samples."""
        x, y = self.task(self.d).samples(self.samples, streams)
        every = self.steps // (PLACES - 1)
        flow, looks = SampleFlow(self.activation, x, y, step, kind), range(0, every * PLACES, every)
        seen = learners.run(flow, start, times=looks, watch={"w": np.asarray})["w"]
        return step * every * np.arange(float(PLACES)), seen
