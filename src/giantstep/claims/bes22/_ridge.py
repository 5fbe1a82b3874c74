"""What the claims of [bes22] about prediction share: one step, then ridge regression on fresh data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Run, parameters
from giantstep.claims.bes22._proportional import CONVENTION, ProportionalClaim
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, StepInfo, apply_gradient, first_layer_gradient, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import Network, RidgeConvention, StepConvention
from giantstep.learners.risk import feature_moments
from giantstep.problems import Activation, Sample
from giantstep.streams import Streams
from giantstep.theory import Batch, Student, Teacher
from giantstep.theory.ridge import equivalent_spectrum, exact_spectrum, ridge_risk


class FeaturesClaim(ProportionalClaim):
    """A claim about the risk of ridge regression on the network's features, fitted to samples of their own."""

    convention = f"{CONVENTION}; ridge (1/n)|y - Phi a|^2 + (lambda/N)|a|^2, Phi = s(XW)/sqrt(N), on fresh data"

    def ridge_data(self, streams: Streams) -> Sample:
        """The samples on which the second layer is fitted, independent of the step's."""
        return self.problem.sample(self.samples, streams.child("ridge data"))

    def measured_risks(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The exact test risk of ridge heads on the network's features, one per penalty."""
        head = RidgeHead(ridges, RidgeConvention.BES22)
        path = fit_head(net, self.ridge_data(run.streams), head, threads=run.threads)
        return feature_moments(net, self.problem).risk(path.coefficients)

    def equivalent_risks(self, net: Network, ridges: Sequence[float]) -> Array:
        """What Gaussian equivalence predicts for these very weights, one number per penalty."""
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        spectrum = equivalent_spectrum(net.weights, student, teacher, self.linear_direction())
        return ridge_risk(spectrum, self.samples, np.asarray(ridges), self.noise).risk

    def measured_and_exact_risks(self, net: Network, ridges: Sequence[float], run: Run) -> tuple[Array, Array]:
        """The test risks, and the deterministic equivalent with the exact second moments of these very features."""
        moments = feature_moments(net, self.problem)
        spectrum = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
        equivalent = ridge_risk(spectrum, self.samples, np.asarray(ridges), self.noise).risk
        head = RidgeHead(ridges, RidgeConvention.BES22)
        path = fit_head(net, self.ridge_data(run.streams), head, threads=run.threads)
        return moments.risk(path.coefficients), equivalent


class RidgeClaim(FeaturesClaim):
    """The same at one penalty, or along a path of them."""

    ridge: float = parameters.ridge(0.1)


def refuse_uncentred(activation: Activation) -> None:
    """Refuse an activation whose mean under N(0,1) would add a constant direction that the theory leaves out."""
    if not Student.of(activation).is_centered:
        raise InputError(
            f"the activation {activation} has mean {activation.moments.mu0:.3g} under N(0,1), which the theory leaves "
            f"out; write centered({activation})"
        )


@dataclass(frozen=True, eq=False)
class FirstStep:
    """A network before its step and the gradient that every step size uses."""

    start: Network
    seen: StepInfo

    def after(self, step: float) -> Network:
        """The network after a step of this size in the slide's convention."""
        return apply_gradient(self.start, self.seen, GiantStep(step, StepConvention.BES22_SLIDE))


def first_step(claim: ProportionalClaim, run: Run) -> FirstStep:
    """Draw the network and the step's samples, and take the gradient once for all step sizes."""
    net = claim.network(run.streams)
    seen = first_layer_gradient(net, claim.step_data(run.streams), threads=run.threads, progress=run.progress)
    return FirstStep(net, seen)


def batch_of_step(claim: ProportionalClaim, batch: Batch, number: int, run: Run) -> Sample:
    """The samples of step 1, 2, ...; the first batch is the same for either kind of batch."""
    name = "step data" if batch == "same" or number == 1 else f"step data {number}"
    return claim.problem.sample(claim.samples, run.streams.child(name))


def trajectory(claim: ProportionalClaim, size: float, batch: Batch, steps: int, run: Run) -> Iterator[Network]:
    """The network before training and after each step."""
    net = claim.network(run.streams)
    yield net
    for number in range(1, steps + 1):
        data = batch_of_step(claim, batch, number, run)
        net, _ = take_step(net, data, GiantStep(size, StepConvention.BES22_SLIDE), threads=run.threads)
        yield net


def exact_allowance(theta1: float, neurons: int) -> float:
    """Relative distance from the equivalent with exact second moments: 2 %, and up to 4 % when the steps add to the
    variance 1 of a neuron's preactivation a share theta1^2/N that is not small. No theorem: the features are then
    far from Gaussian along one direction."""
    share = theta1**2 / neurons
    return 0.02 * (1 + share / (1 + share))
