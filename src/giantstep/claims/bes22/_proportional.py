"""What all claims of [bes22] share: the problem, the network and the ratios of the proportional regime."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, Computed, Run, parameters
from giantstep.claims.engines import Engines
from giantstep.claims.refusals import refuse_few_dimensions, refuse_jumps
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners import networks, training  # their parts are loaded when something is simulated
from giantstep.problems import Activation, Problem, Sample, Target
from giantstep.streams import Streams
from giantstep.theory import OneStep, Student, Teacher

CONVENTION = "W1 = W0 + eta sqrt(N) G0, G0 without the factor 2 of the squared error (bes22 slides)"
LEAST = 4  # samples and neurons
LITTLE = 0.1  # of a neuron's squared length, up to which corrections of first order are trusted
# Minus the means of the first and second eigenvalue at an edge, in Tracy-Widom units (Dieng 2005).
FIRST_TRACY_WIDOM, SECOND_TRACY_WIDOM = 1.2065, 3.2624
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
    has_rank_one_part: ClassVar[bool] = True  # whether the claim needs one

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
        if self.has_rank_one_part and abs(self.activation.moments.mu1) < NO_LINEAR_PART:
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
        student, teacher = _moments(self.activation, self.target, (str(self.activation), str(self.target)))
        return _one_step(student, teacher, self.samples / self.d, self.neurons / self.d, step, self.noise)

    def network(self, streams: Streams) -> networks.Network:
        """The network before training."""
        return networks.initialise(networks.BES22, self.activation, self.d, self.neurons, streams.child("network"))

    def step_data(self, streams: Streams) -> Sample:
        """The samples on which the first layer steps."""
        return self.problem.sample(self.samples, streams.child("step data"))

    def first_gradient(self, run: Run) -> training.FirstGradient:
        """Draw the network and the step's samples, and take the gradient once for all step sizes."""
        net, sample = self.network(run.streams), self.step_data(run.streams)
        return training.first_gradient(net, sample, threads=run.threads, progress=run.progress)

    def linear_direction(self) -> Array:
        """The unit vector along E[x f*], in d coordinates; the first axis if f* has no linear part."""
        direction = np.zeros(self.d)
        linear = np.asarray(self.target.linear, dtype=float)
        size = np.linalg.norm(linear)
        direction[: len(linear)] = linear / size if size > 0 else np.eye(len(linear))[0]
        return direction


@lru_cache(maxsize=1024)
def _one_step(student: Student, teacher: Teacher, psi1: float, psi2: float, step: float, noise: float) -> OneStep:
    """The setting of a point once for all that is said there: prediction, what is printed, what is allowed."""
    return OneStep(student, teacher, psi1, psi2, step, noise)


@lru_cache(maxsize=256)
def _moments(activation: Activation, target: Target, _: tuple[str, str]) -> tuple[Student, Teacher]:
    """Both once for all points of a picture; equal functions that are written otherwise may differ in a last bit."""
    return Student.of(activation), Teacher.of(target)


def mean_growth(point: ProportionalClaim, step: float) -> float:
    """(2 eta c2 mu0*)^2/N, the variance over neurons that a target with a mean gives to |w_j|^2, c2 = E s''."""
    setting = point.setting(step)
    return float((2 * step * setting.student.curvature * setting.teacher.mu0) ** 2 / point.neurons)


def refuse_uncentred(activation: Activation, why: str) -> None:
    """Refuse an activation with a mean under N(0,1), and say why: `which the theory leaves out`."""
    if not Student.of(activation).is_centred:
        mean = f"{activation.moments.mu0:.3g} under N(0,1)"
        raise InputError(f"the activation {activation} has mean {mean}, {why}; write centered({activation})")


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

    @property
    def added_variance(self) -> float:
        """theta1^2/N, what training adds to the variance 1 of a neuron's preactivation."""
        return float(self.setting(self.eta).theta1) ** 2 / self.neurons


def overlap_allowance(spike_at: Callable[[Any], Any]) -> Computed:
    """What finite size does to squared overlaps with the vector of a spike, near its threshold and away from it."""

    def allowed(point: Any, predicted: float) -> float:  # noqa: ARG001  (the same for large overlaps and small ones)
        spike = spike_at(point)
        return in_window(point.d, spike.theta1, spike.threshold)

    return Computed(allowed, WINDOW)


WINDOW = (
    "0.03 at d = 500, falling like d^(-1/2); up to three times that within a window of relative width d^(-1/3) around "
    "the threshold, where the outlier has not yet separated from the edge"
)


def in_window(d: int, theta1: float, threshold: float) -> float:
    """The number that `WINDOW` tells."""
    distance = (theta1 / threshold - 1) * d ** (1 / 3)
    return float(0.03 * (500 / d) ** 0.5 * (1 + 2 * float(np.exp(-((distance / 2) ** 2)))))
