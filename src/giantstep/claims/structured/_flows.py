"""What the claims about gradient flows under spiked inputs share: the setting, its theory and its task."""

from __future__ import annotations

import numpy as np

from giantstep.claims import ActivationField, Claim, TargetField, parameter
from giantstep.claims import parameters as shared
from giantstep.claims.values import Array
from giantstep.errors import InputError
from giantstep.learners.flows import FlowTask
from giantstep.theory.flows import SpikedFlow

LEVEL = 0.9  # an overlap from which on the direction counts as found
HIGHEST_DEGREE = 8
MOST_WORK = 1e12  # floating-point operations of one descent


class FlowClaim(Claim):
    """One neuron, x ~ N(0, I + theta mu mu^T), y = g(<x, beta>/sqrt(kappa)).

    theta = d^gamma2, <mu, beta> = d^-gamma1.
    """

    activation: ActivationField = shared.activation("relu(z - 1)")
    target: TargetField = shared.target("He3(x1)/sqrt(6)")
    d: int = parameter(1000, "input dimension", symbol="d", ge=8, le=10**12)
    alignment_exponent: float = parameter(
        0.0, "exponent of the alignment of spike and target",
        symbol=r"\gamma_1,\ \langle\mu,\beta\rangle = d^{-\gamma_1}",
        ge=0, le=0.5,
    )  # fmt: skip
    strength_exponent: float = parameter(
        0.3, "exponent of the spike's strength", symbol=r"\gamma_2,\ \theta = d^{\gamma_2}", ge=-2, le=1.25
    )
    starts: int = parameter(16, "random starts, all at once", symbol="B", ge=1, le=4096)

    convention = "squared loss (f - y)^2, without a factor 1/2; time of the flow is the sum of step sizes"

    def check(self) -> None:
        if self.target.directions != 1 or not self.target.is_polynomial:
            raise InputError(f"target = {self.target} is not allowed; it must be a polynomial of x1")
        if not 1 <= (self.target.degree or 0) <= HIGHEST_DEGREE:
            raise InputError(f"target = {self.target} is not allowed; its degree must be 1 to {HIGHEST_DEGREE}")
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

    def check_work(self, work: float) -> None:
        if work > MOST_WORK:
            raise InputError(
                f"the descent would need {work:.2g} operations, at most {MOST_WORK:.2g}; lower d or samples"
            )

    @property
    def theta(self) -> float:
        return float(self.d**self.strength_exponent)

    @property
    def rho(self) -> float:
        return float(self.d**-self.alignment_exponent)

    @property
    def flow(self) -> SpikedFlow:
        """The setting as theory knows it."""
        return SpikedFlow(self.activation, self.target, self.theta, self.rho)

    @property
    def exponent(self) -> int:
        """The information exponent that the activation sees."""
        return self.flow.exponent

    def task(self, coordinates: int = 3) -> FlowTask:
        """The setting as a learner meets it."""
        return FlowTask(self.activation, self.target, self.theta, self.rho, coordinates)

    def whitened(self, task: FlowTask, starts: Array) -> tuple[Array, Array]:
        """Theory's (omega, m) of these starts."""
        return self.flow.whitened(starts @ task.mu, starts @ task.beta)
