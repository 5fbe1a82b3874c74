"""What the claims of [bes22] about prediction share: one step, then ridge regression on fresh data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Run, parameters
from giantstep.claims.bes22._proportional import CONVENTION, GrowingStepClaim, ProportionalClaim, mean_growth
from giantstep.learners.engines import GiantStep
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import Network, RidgeConvention, StepConvention
from giantstep.learners.risk import feature_moments
from giantstep.learners.training import GiantSteps
from giantstep.problems import Sample
from giantstep.streams import Streams
from giantstep.theory import Batch, OneStep, Student, Teacher
from giantstep.theory.ridge import equivalent_spectrum, exact_spectrum, ridge_risk


class FeaturesClaim(ProportionalClaim):
    """A claim about the risk of ridge regression on the network's features, fitted to samples of their own."""

    convention = f"{CONVENTION}; ridge (1/n)|y - Phi a|^2 + (lambda/N)|a|^2, Phi = s(XW)/sqrt(N), on fresh data"

    @property
    def head_samples(self) -> int:
        """How many samples the second layer is fitted to."""
        return self.samples

    def ridge_data(self, streams: Streams) -> Sample:
        """The samples on which the second layer is fitted, independent of the step's."""
        return self.problem.sample(self.head_samples, streams.child("ridge data"))

    def measured_risks(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The exact test risk of ridge heads on the network's features, one per penalty."""
        head = RidgeHead(ridges, RidgeConvention.BES22)
        path = fit_head(net, self.ridge_data(run.streams), head, threads=run.threads)
        return feature_moments(net, self.problem).risk(path.coefficients)

    def equivalent_risks(self, net: Network, ridges: Sequence[float]) -> Array:
        """What Gaussian equivalence predicts for these very weights, one number per penalty."""
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        spectrum = equivalent_spectrum(student, teacher, net.weights, self.linear_direction())
        return ridge_risk(spectrum, self.head_samples, np.asarray(ridges), self.noise).risk

    def measured_and_equivalent_risks(self, net: Network, ridges: Sequence[float], run: Run) -> tuple[Array, Array]:
        """The test risks, and what Gaussian equivalence predicts for them."""
        return self.measured_risks(net, ridges, run), self.equivalent_risks(net, ridges)

    def measured_and_exact_risks(self, net: Network, ridges: Sequence[float], run: Run) -> tuple[Array, Array]:
        """The test risks, and the deterministic equivalent with the exact second moments of these very features."""
        moments = feature_moments(net, self.problem)
        spectrum = exact_spectrum(moments.covariance, moments.cross, moments.norm2)
        equivalent = ridge_risk(spectrum, self.head_samples, np.asarray(ridges), self.noise).risk
        head = RidgeHead(ridges, RidgeConvention.BES22)
        path = fit_head(net, self.ridge_data(run.streams), head, threads=run.threads)
        return moments.risk(path.coefficients), equivalent


class RidgeClaim(FeaturesClaim):
    """The same at one penalty, or along a path of them."""

    ridge: float = parameters.ridge(0.1)


class RepeatedStepsClaim(GrowingStepClaim, RidgeClaim):
    """The same after several steps that may grow with the width, on the same batch or on fresh ones."""

    steps: int = parameters.steps(1, path=True)
    batch: Batch = parameters.own("same", "samples of each step: the same batch or a fresh one")

    def trained_setting(self, steps: int | None = None) -> OneStep:
        """The numbers that theory needs after so many steps, all of them unless said otherwise."""
        return replace(self.setting(self.eta), steps=self.steps if steps is None else steps, batch=self.batch)

    @property
    def added_variance(self) -> float:
        return float(self.trained_setting().theta1) ** 2 / self.neurons if self.steps else 0.0

    def batch_of_step(self, number: int, run: Run) -> Sample:
        """The samples of step 1, 2, ...; the first batch is the same for either kind of batch."""
        name = "step data" if self.batch == "same" or number == 1 else f"step data {number}"
        return self.problem.sample(self.samples, run.streams.child(name))

    def networks(self, steps: int, run: Run) -> Iterator[Network]:
        """The network before training and after each of the steps."""
        step = GiantStep(self.eta, StepConvention.BES22_SLIDE)
        dynamics = GiantSteps(step, lambda number: self.batch_of_step(number, run), run.threads)
        return dynamics.states(self.network(run.streams), range(steps + 1))


def unequal_lengths(point: FeaturesClaim) -> float:
    """1.5 (2 eta c2 mu0*)^2/N, for neurons whose lengths a target with a mean has spread, c2 = E s'' (1.1 times it is
    seen): features are then known to first order in |w_j|^2 - 1 only."""
    return 1.5 * mean_growth(point, total_step(point))


def total_step(point: FeaturesClaim) -> float:
    """The size of all steps together."""
    eta = point.eta if isinstance(point, GrowingStepClaim) else getattr(point, "step", 0.0)
    return float(eta * getattr(point, "steps", 1))


UNEQUAL = Allowance(unequal_lengths, of="prediction")
# How far the output of the network, and the draw of the weights, may move a risk from its limit.
RESIDUAL = Allowance(0.6, of="prediction", size="neurons", power=-0.5)


def exact_share(point: GrowingStepClaim) -> float:
    """2 %, up to 4 % where steps add much to the variance of preactivations.

    So far a risk may be from the equivalent with exact second moments. No theorem: where theta1^2/N is not small, the
    features are far from Gaussian along one direction.
    """
    return 0.02 * (1 + point.added_variance / (1 + point.added_variance))


def not_gaussian(point: Any) -> float:
    """2.5 theta1^2/N, where steps add theta1^2/N to the variance 1 of preactivations (1 to 2.4 times it is seen)."""
    return 2.5 * float(point.added_variance)


def pulled_back(point: RepeatedStepsClaim) -> float:
    """eta mu1^2 (t - 1)/(2 sqrt(N)), by which the output, which the limit neglects, shrinks the later steps."""
    return float(point.eta * point.activation.moments.mu1**2 * max(0, point.steps - 1) / 2 / point.neurons**0.5)


EXACT = Allowance(exact_share, of="prediction")
AFTER_STEPS = RESIDUAL + Allowance(pulled_back, of="prediction")
