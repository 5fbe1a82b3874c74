"""What claims about neurons of one weight share: a small regression problem, its particles and its mean-field limit."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, parameters
from giantstep.errors import InputError
from giantstep.learners.meanfield import ParticleTask, entropy_bias
from giantstep.theory.meanfield import FokkerPlanck, MeanField, MeanFieldLaw, gaussian_law, mean_field_law

MOST_WORK = 1e14
LARGEST_STEP = {True: 1.5, False: 0.5}  # of linear neurons and others, times the largest rate at which outputs answer
FEWEST_COPIES = 8
FEWEST_NEURONS = 16  # from which on errors of nonlinear neurons are said
WIDER = 4  # the local exponent is taken between N and four times N


class LineClaim(Claim):
    """Networks f = (1/N) sum_i sigma(w_i x) on n points x_k = reach k/n, trained by noisy gradient descent."""

    activation: parameters.Activation = parameters.activation("tanh")
    target: parameters.Target = parameters.target("tanh(2*x1)")
    samples: int = parameters.samples(4, help="data points, evenly spaced", ge=1, le=64)
    reach: float = parameters.own(3.0, "the largest input; the smallest is reach/samples", gt=0, le=100)
    neurons: int = parameters.neurons(
        128, help="neurons, that is particles of one network", symbol="N", ge=2, le=100_000
    )
    temperature: float = parameters.temperature(0.05, ge=1e-3, le=10)
    penalty: float = parameters.own(0.1, "penalty on squared weights", symbol="r", ge=1e-2, le=10)
    scale: float = parameters.scale(1.0, help="standard deviation of the start", ge=0.05)
    step: float = parameters.step(0.05, help="step size of the dynamics", symbol="h", ge=1e-4, le=1)
    time: float = parameters.own(5.0, "time: steps times step size", symbol="t", path=True, gt=0, le=200)
    particles: int = parameters.own(16384, "particles in all copies of the network together", ge=256, le=10**7)

    def check(self) -> None:
        if self.target.directions > 1:
            raise InputError(
                f"target = {self.target} is not allowed; it must be a function of x1, as inputs are numbers"
            )
        far = np.abs(self.activation(np.array([-60.0, -30.0, 30.0, 60.0])))
        unbounded = self.activation.degree != 1 and far.max() > 1.5 * far[1:3].max() + 1.0
        if unbounded or self.activation.jumps or self.activation.degree == 0:
            raise InputError(
                f"activation = {self.activation} is not allowed; it must be bounded without jumps (tanh, erf, sin, "
                "sigmoid, ...) or linear (z)"
            )
        rate = self.step * (self.model.curvature + self.penalty)
        largest = LARGEST_STEP[self.model.is_linear]
        if rate > largest:
            raise InputError(
                f"step = {self.step:g} is not allowed; times the steepest answer of the outputs it is {rate:.3g}, and "
                f"must be at most {largest} for steps to follow the flow"
            )
        if self.time < 2 * self.step:
            raise InputError(f"time = {self.time:g} is not allowed; it must be at least two steps of {self.step:g}")
        needed = WIDER * FEWEST_COPIES * self.neurons
        if self.particles < needed:
            raise InputError(
                f"particles = {self.particles} is not allowed; it must be at least {needed}, for {FEWEST_COPIES} "
                f"copies of a network of {WIDER} times {self.neurons} neurons"
            )
        if self.cost().flops > MOST_WORK:
            raise InputError(f"the dynamics would need {self.cost().flops:.2g} operations, at most {MOST_WORK:.2g}")
        if not self.model.is_linear:
            FokkerPlanck.on_line(self.model)  # says what it cannot resolve

    @property
    def inputs(self) -> Array:
        return np.asarray(self.reach * np.arange(1, self.samples + 1) / self.samples)

    @property
    def labels(self) -> Array:
        return np.asarray(self.target(self.inputs[:, None]), dtype=np.float64)

    @property
    def steps(self) -> int:
        """An even number, so that half the time is a whole number of steps too."""
        return 2 * round(self.time / (2 * self.step))

    @property
    def reached(self) -> float:
        """The time after these steps."""
        return self.steps * self.step

    @property
    def model(self) -> MeanField:
        """The setting of the limit."""
        x, y = (tuple(float(v) for v in values) for values in (self.inputs, self.labels))
        return MeanField(self.activation, x, y, self.penalty, self.temperature, self.scale)

    @property
    def law(self) -> MeanFieldLaw:
        """The limit: with the steps taken for linear neurons, in continuous time for others."""
        model = self.model
        return gaussian_law(model, self.step, self.steps) if model.is_linear else mean_field_law(model, self.reached)

    # -- how far finite size may move things ---------------------------------------------------------------

    def next_order(self, constant: float) -> float:
        """Errors are c/N (1 + b/N + ...): b is 1.5 at the defaults, up to 4 elsewhere (measured at N = 8, 16, 64);
        linear neurons have no further term."""
        return 0.0 if self.model.is_linear else constant / self.neurons

    @property
    def is_wide(self) -> bool:
        """Whether 1/N is small enough to speak of its leading order."""
        return self.model.is_linear or self.neurons >= FEWEST_NEURONS

    @property
    def has_few_wells(self) -> bool:
        """Whether the activation is monotone. Under sin and cos cold particles sit in many wells, and where they are
        depends on N and the step more than the allowances say."""
        slopes = self.activation.derivative(np.linspace(-10.0, 10.0, 401))
        return bool((slopes >= 0).all() or (slopes <= 0).all())

    @property
    def drift(self) -> float:
        """The relative error of Euler steps in the size of fluctuations: h (a + r)/2 for linear neurons, where it is
        known and part of the theory; up to twice that is granted to others."""
        return 0.0 if self.model.is_linear else self.step * (self.law.response + self.penalty)

    @property
    def energy_share(self) -> float:
        """What finite size may move the free energy by, as a share of it."""
        known = self.law.free_energy
        return energy_allowance(self, known) / max(known, 1e-300)

    # -- the simulation ------------------------------------------------------------------------------------

    def task(self) -> ParticleTask:
        """What the particles learn."""
        return ParticleTask(self.activation, self.inputs, self.labels, self.penalty, self.temperature)

    def cost(self) -> Cost:
        one = 2.0 * self.steps * self.particles * (180 * self.samples + 250)
        look = 5e8 + 3000.0 * self.particles * self.samples
        return Cost(one + look, 24.0 * self.particles * (self.samples + 4) + 2e7, look)


def energy_allowance(point: LineClaim, predicted: float) -> float:
    """Of free energies: the law of particles is off by some 1/N and h, its entropy by that of few spacings."""
    spacing = 2 * entropy_bias(point.particles) + 1 / point.neurons**2
    return (4 / point.neurons + point.drift / 2) * abs(predicted) + point.temperature * spacing
