"""How far a network leaves its linearisation f_lin(theta) = f(theta_0) + J(theta_0) (theta - theta_0) on its way."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.descents.two_layer import ScaledNetwork


class Departure:
    """The largest |f(theta_t) - f_lin(theta_t)| on a sample that was seen so far.

    Args:
        start: the network at theta_0.
        x: the sample, (n, d).
        often: every so many calls of `see` there is a look.
    """

    def __init__(self, start: ScaledNetwork, x: Array, often: int = 1) -> None:
        self.start, self.x, self.often = start, x, often
        self.before, self.jacobian, self.begin = start(x), start.jacobian(x), start.parameters()
        self.calls, self.largest = 0, 0.0

    def of(self, network: ScaledNetwork) -> float:
        """|f(theta) - f_lin(theta)| of this `network`."""
        linear = self.before + self.jacobian @ (network.parameters() - self.begin)
        return float(np.linalg.norm(network(self.x) - linear))

    def see(self, network: ScaledNetwork) -> None:
        """Look at this `network`, if it is time."""
        if self.calls % self.often == 0:
            self.largest = max(self.largest, self.of(network))
        self.calls += 1
