"""Where the diffusion of one neuron's overlap m tells its escape, and where there is one at all.

    E (one step's move of m)^2 = D(0)/d at a start, for which m^2 ~ 1/d;   dm/dt ~ (gamma a - gamma^2 b/2) m for l = 2

With D(0) the diffusion of `escape`, which supposes that many small steps add up: D(0) must be small. With l = 2 both
the pull and what the normalisation takes are linear in m: the neuron arrives after d log d samples only if the former
is larger on its whole way. For l = 1 the pull does not vanish at m = 0, for l > 2 the steps shrink with d. (Derived.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.escape import Overlap, escape_step, sphere_overlap


@dataclass(frozen=True)
class EscapeSteps:
    """The steps of one neuron on the sphere towards x1.

    Args:
        target: f*, of x1 alone.
        activation: sigma.
        step: gamma without its power of d, see `escape_step`.
        noise: standard deviation of the labels' noise.
        level: the overlap that counts as an escape, between 0 and 1.
    """

    target: Target
    activation: Activation
    step: float
    noise: float
    level: float

    @property
    def law(self) -> Overlap:
        return sphere_overlap(self.target, self.activation, self.level, self.noise)

    def size(self, d: int) -> float:
        """gamma at this d."""
        return escape_step(self.target, d, self.step)

    def first_move(self, d: int) -> float:
        """D(0): how far a step moves the overlap of a random start, squared and in units of the 1/d that it has."""
        _, spread = self.law.velocity_and_spread(np.zeros(1), self.size(d), d)
        return float(spread[0])

    def are_pulled(self, d: int) -> bool:
        """Whether the equation without noise arrives at this d, which decides for l = 2; for others it is not asked."""
        if self.target.information_exponent != 2:
            return True
        return math.isfinite(self.law.without_noise(self.size(d), d))
