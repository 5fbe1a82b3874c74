"""What the claims of [bes22] about prediction share: one step, then ridge regression on fresh data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from giantstep.claims import Run, parameter
from giantstep.claims.bes22._proportional import CONVENTION, ProportionalClaim
from giantstep.claims.values import Array
from giantstep.learners import (
    GiantStep,
    Network,
    PenaltyConvention,
    RidgeHead,
    StepConvention,
    StepInfo,
    apply_gradient,
    feature_moments,
    first_layer_gradient,
    fit_head_on,
)
from giantstep.problems import Sample
from giantstep.streams import Streams
from giantstep.theory import Student, Teacher, equivalent_spectrum, ridge_risk


class RidgeClaim(ProportionalClaim):
    """A claim about the risk of ridge regression on the network's features, fitted to samples of their own."""

    ridge: float = parameter(0.1, "ridge penalty", symbol=r"\lambda", path=True, gt=0)

    convention = f"{CONVENTION}; ridge (1/n)|y - Phi a|^2 + (lambda/N)|a|^2, Phi = s(XW)/sqrt(N), on fresh data"

    def ridge_data(self, streams: Streams) -> Sample:
        """The samples on which the second layer is fitted, independent of the step's."""
        return self.problem.sample(self.samples, streams.child("ridge data"))

    def measured_risks(self, net: Network, ridges: Sequence[float], run: Run) -> Array:
        """The exact test risk of ridge heads on the network's features, one per penalty."""
        head = RidgeHead(ridges, PenaltyConvention.BES22)
        path = fit_head_on(net, self.ridge_data(run.streams), head, threads=run.threads)
        return feature_moments(net, self.problem).risk(path.coefficients)

    def equivalent_risks(self, net: Network, ridges: Sequence[float]) -> Array:
        """What Gaussian equivalence predicts for these very weights, one number per penalty."""
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        spectrum = equivalent_spectrum(net.weights, student, teacher, self.linear_direction())
        return ridge_risk(spectrum, self.samples, np.asarray(ridges), self.noise).risk


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


Item = TypeVar("Item")


def grouped(points: Iterable[Item], key: str) -> Iterator[tuple[float, list[int], list[Item]]]:
    """Points with equal `key`: its value, their places in the list, and themselves."""
    groups: dict[float, list[int]] = {}
    listed = list(points)
    for place, point in enumerate(listed):
        groups.setdefault(getattr(point, key), []).append(place)
    for value, places in groups.items():
        yield value, places, [listed[i] for i in places]
