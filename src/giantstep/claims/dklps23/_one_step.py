"""What the claims of [dklps23] about one giant step share: the paired start, the batch and its gradient."""

from __future__ import annotations

from abc import abstractmethod

from giantstep.claims import Claim, Computed, Cost, Run, parameters
from giantstep.claims.refusals import refuse_constant, refuse_few_dimensions, refuse_jumps, refuse_odd
from giantstep.errors import InputError
from giantstep.learners.engines import ReducedState, StepInfo, first_layer_gradient, initial_state
from giantstep.learners.networks import DKLPS23
from giantstep.problems import Problem
from giantstep.problems.analysis import has_coefficient
from giantstep.theory.gradient import GradientLaw, gradient_law

MAX_SAMPLES = 1e10
TINY = 1e-9
SPARE = 4  # dimensions beyond the target's, without which overlaps have no density

# How far the mean share of V* may lie from theory. Seen at d = 16 to 32: 0.4/d for He3, else up to 0.2/d.
SHARE_ALLOWANCE = Computed(lambda point, share: (0.15 + share * (1 - share)) / point.d, "(0.15 + share (1 - share))/d")
SHARE_REASON = "sums over samples are Gaussian only for large n and d: the next order in 1/d"


class OneStepClaim(Claim):
    """A narrow network at its paired start, f = 0, and the gradient of one fresh batch of n samples."""

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target("x1")
    d: int = parameters.dimension(1024, ge=8)
    neurons: int = parameters.neurons(32, help=parameters.PAIRED, ge=2, le=4096)

    engine = "reduced"
    convention = "f = (1/p) sum of neurons, loss (y - f)^2/2, paired start f = 0; step is eta/p: w_i += step a_i g_i"

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
    def is_hidden_by_mean(self) -> bool:
        """Whether the part mu_2 E f* w of the gradient outgrows the target's, of order d^((1 - l)/2)."""
        return self.exponent > 1 and abs(float(self.target.mean)) > TINY and has_coefficient(self.activation, 2)

    @property
    def law(self) -> GradientLaw:
        """The law of a neuron's gradient."""
        return gradient_law(self.target, self.activation)

    def check(self) -> None:
        refuse_odd("neurons", self.neurons)
        refuse_few_dimensions(self.target, self.d, spare=SPARE)
        refuse_constant(self.target)
        refuse_jumps(self.activation)
        if self.samples > MAX_SAMPLES:
            raise InputError(
                f"n = {self.samples:.2g} samples are too many, at most {MAX_SAMPLES:g} are allowed; "
                "lower d or sample_exponent"
            )

    def first_gradient(self, run: Run) -> tuple[ReducedState, StepInfo]:
        """The start, and what its first gradient on the batch is."""
        directions = self.target.directions
        start = initial_state(DKLPS23, self.activation, self.d, self.neurons, directions, run.streams.child("network"))
        sample = Problem(self.target, self.d).sample(self.samples, run.streams.child("step data"))
        return start, first_layer_gradient(start, sample, threads=run.threads, progress=run.progress)

    def cost(self) -> Cost:
        width = self.neurons // 2 + self.target.directions
        per_sample = 60 * width + 12 * width**2
        return Cost(float(self.samples * per_sample * 3 + 2e7), 8.0 * 4096 * width * 8 + 2e7, 1e6)
