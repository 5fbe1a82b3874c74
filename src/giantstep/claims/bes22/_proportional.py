"""What all claims of [bes22] share: the problem, the network and the ratios of the proportional regime."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, parameters
from giantstep.claims.engines import Engines
from giantstep.claims.refusals import refuse_few_dimensions, refuse_jumps
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.engines import sum_over_blocks
from giantstep.learners.networks import BES22, Network, initialise
from giantstep.problems import Problem, Sample
from giantstep.streams import Streams
from giantstep.theory import OneStep, Student, Teacher

CONVENTION = "W1 = W0 + eta sqrt(N) G0, G0 without the factor 2 of the squared error (bes22 slides)"
LEAST = 4  # samples and neurons
NO_LINEAR_PART = 1e-9  # moments come from quadrature: what is smaller than this is zero


class ProportionalClaim(Claim):
    """A two-layer network with n, N, d in proportion, started as in [bes22]: W_ij ~ N(0, 1/d), a_j ~ N(0, 1/N)."""

    activation: parameters.Activation = parameters.activation("tanh")
    target: parameters.Target = parameters.target("tanh(x1)")
    d: int = parameters.dimension(512)
    samples_per_dim: float = parameters.samples_per_dim(2.0)
    neurons_per_dim: float = parameters.neurons_per_dim(1.0)
    noise: float = parameters.noise(0.0)

    engine: ClassVar[Engines] = "full"
    convention = CONVENTION

    def check(self) -> None:
        """Refuse what is too small to have a bulk, has no labels, or no rank-one part mu1 X^T y a^T/(n sqrt N)."""
        refuse_few_dimensions(self.target, self.d)
        if min(self.samples, self.neurons) < LEAST:
            raise InputError(
                f"{self.samples} samples and {self.neurons} neurons are too few; raise samples_per_dim or "
                f"neurons_per_dim until there are at least {LEAST} of each"
            )
        if self.problem.second_moment == 0:
            raise InputError(f"the target {self.target} without noise makes all labels zero; there is nothing to learn")
        refuse_jumps(self.activation)
        if abs(self.activation.moments.mu1) < NO_LINEAR_PART:
            raise InputError(
                f"the activation {self.activation} has mu1 = E[z s(z)] = 0, so the gradient has no rank-one part; "
                "choose one with a linear part, such as tanh"
            )

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d)

    @property
    def neurons(self) -> int:
        return count(self.neurons_per_dim, self.d)

    @property
    def problem(self) -> Problem:
        return Problem(self.target, self.d, self.noise)

    def setting(self, step: float = 0.0) -> OneStep:
        """The numbers that theory needs, with the ratios as they are after rounding to whole samples and neurons."""
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        return OneStep(student, teacher, self.samples / self.d, self.neurons / self.d, step, self.noise)

    def network(self, streams: Streams) -> Network:
        """The network before training."""
        return initialise(BES22, self.activation, self.d, self.neurons, streams.child("network"))

    def step_data(self, streams: Streams) -> Sample:
        """The samples on which the first layer steps."""
        return self.problem.sample(self.samples, streams.child("step data"))

    def label_correlation(self, sample: Sample, linear: Array | None = None) -> Array:
        """(1/n) X^T y of a sample: the direction along which the rank-one part of the gradient lies. With `linear` the
        labels are those left by this linear function, (1/n) X^T (y - X linear)."""

        def work(number: int) -> tuple[Array]:
            x, y = sample.block(number)
            return (x.T @ (y if linear is None else y - x @ linear),)

        (total,) = sum_over_blocks(sample.blocks(), work)
        return total / sample.samples

    def linear_direction(self) -> Array:
        """The unit vector along E[x f*], in d coordinates; the first axis if f* has no linear part."""
        direction = np.zeros(self.d)
        linear = np.asarray(self.target.linear, dtype=float)
        size = np.linalg.norm(linear)
        direction[: len(linear)] = linear / size if size > 0 else np.eye(len(linear))[0]
        return direction


class GrowingStepClaim(ProportionalClaim):
    """A claim about steps that grow with the width, eta = c N^alpha."""

    step: float = parameters.step(
        1.0, help="step size at exponent 0, in the slide's convention", symbol="c", path=True, ge=0
    )
    step_exponent: float = parameters.step_exponent(0.5, path=True)

    @property
    def eta(self) -> float:
        """The size of each step."""
        return float(self.step * self.neurons**self.step_exponent)
