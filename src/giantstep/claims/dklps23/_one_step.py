"""What the claims of [dklps23] about one giant step share: the paired start, the batch and its gradient."""

from __future__ import annotations

import math
from abc import abstractmethod

from giantstep.claims import ActivationField, Claim, Cost, Run, TargetField, parameter
from giantstep.errors import InputError
from giantstep.learners import DKLPS23, ReducedInfo, ReducedState, initial_state, reduced_gradient
from giantstep.problems import Activation, Problem, Target
from giantstep.problems.visibility import has_coefficient
from giantstep.theory import GradientLaw, gradient_law

MAX_SAMPLES = 1e10
SPARE = 4  # dimensions beyond the target's, without which overlaps have no density

CONVENTION = "f = (1/p) sum of neurons, loss (y - f)^2/2, paired start f = 0; step is eta/p: w_i += step a_i g_i"


class OneStepClaim(Claim):
    """A narrow network at its paired start, f = 0, and the gradient of one fresh batch of n samples."""

    activation: ActivationField = parameter(Activation("relu"), "activation of the network", symbol=r"\sigma")
    target: TargetField = parameter(Target("x1"), "what is learned, of x1, x2, ...", symbol="f^*")
    d: int = parameter(1024, "input dimension", symbol="d", ge=8)
    neurons: int = parameter(32, "neurons, an even number: they come in pairs so that f = 0", symbol="p", ge=2, le=4096)

    engine = "reduced"
    convention = CONVENTION

    @property
    @abstractmethod
    def samples(self) -> int:
        """The size n of the batch."""

    @property
    def exponent(self) -> int:
        """The information exponent l of the target."""
        return self.target.information_exponent or 0

    @property
    def sees(self) -> bool:
        """Whether the activation sees the target's leading part: mu_l(sigma) is not zero."""
        return has_coefficient(self.activation, self.exponent)

    @property
    def law(self) -> GradientLaw:
        """The law of a neuron's gradient."""
        return gradient_law(self.target, self.activation)

    def check(self) -> None:
        if self.neurons % 2:
            raise InputError(f"neurons = {self.neurons} is not allowed; it must be even, for neurons come in pairs")
        if self.target.directions + SPARE > self.d:
            raise InputError(
                f"the target has {self.target.directions} directions; d = {self.d} must be at least {SPARE} more"
            )
        if self.target.information_exponent is None:
            raise InputError(f"the target {self.target} is constant; there is nothing to learn")
        if self.activation.jumps:
            raise InputError(f"the activation {self.activation} jumps; a gradient step needs a continuous one")
        if self.samples > MAX_SAMPLES:
            raise InputError(
                f"n = {self.samples:.2g} samples are too many, at most {MAX_SAMPLES:g} are allowed; "
                "lower d or sample_exponent"
            )

    def first_gradient(self, run: Run) -> tuple[ReducedState, ReducedInfo]:
        """The start, and what its first gradient on the batch is."""
        directions = self.target.directions
        start = initial_state(DKLPS23, self.activation, self.d, self.neurons, directions, run.streams.child("network"))
        seen = reduced_gradient(
            start,
            Problem(self.target, self.d),
            self.samples,
            run.streams.child("step data"),
            threads=run.threads,
            progress=run.progress,
        )
        return start, seen

    def cost(self) -> Cost:
        width = self.neurons // 2 + self.target.directions
        per_sample = 60 * width + 12 * width**2
        return Cost(float(self.samples * per_sample * 3 + 2e7), 8.0 * 4096 * width * 8 + 2e7, 1e6)


def batch_size(d: int, exponent: float, factor: float = 1.0) -> int:
    """n = factor d^exponent, at least 2."""
    return max(2, round(factor * math.pow(d, exponent)))


def share_allowance(d: int, share: float) -> float:
    """How far the mean share may lie from theory: the next order in 1/d. Seen: 0.4/d for He3 at d = 16, else 0.1/d."""
    return (0.15 + 1.5 * share * (1 - share)) / d
