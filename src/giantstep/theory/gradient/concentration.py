"""How a neuron's gradient concentrates: |g - E g| against sqrt(d/n).

For g = (1/n) sum_i f(x_i) 1{<w, x_i> + b >= 0} x_i with independent samples, exactly,

    E |g - E g|^2 = (T - |E g|^2)/n,
    T = E[f^2 1{..} |x|^2] = (d - r - 1) E f^2 P + E[f^2 |x_V|^2] P + E f^2 E[1{..} z^2],

the last with <w, x> = z independent of x_V; P = P(z + b >= 0) = Phi(b). Overlaps m = w_V correlate them: by Mehler's
series, with E m m^T = 1/d, E f^2 1{..} = E f^2 P + E[f^2 (|x_V|^2 - r)] E[1{..} (z^2 - 1)]/(2d) + O(d^-2), where
E[1{..} (z^2 - 1)] = -b phi(b). Hence

    |g - E g| / sqrt(E f^2) = sqrt(P d/n) (1 + O(r/d)).

Source: [soltanolkotabi22], Lemma 1, which bounds the deviation by delta sqrt(E f^2) when n >= c d (..)/delta^2; its
constants are not specified, the rate and the constant here are derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import TYPE_CHECKING

import scipy

from giantstep.checks import require
from giantstep.gaussian.sphere import overlap_nodes
from giantstep.problems import Activation
from giantstep.theory.gradient.law import gradient_law

if TYPE_CHECKING:
    from giantstep.problems import Target


@dataclass(frozen=True)
class Concentration:
    """Root mean square of |g - E g| / sqrt(E f^2), up to a share of order d^-2, and its leading order sqrt(P d/n)."""

    deviation: float
    rate: float
    active: float  # P = P(<w, x> + b >= 0)

    @property
    def constant(self) -> float:
        """deviation over rate, 1 + O(r/d)."""
        return self.deviation / self.rate


def gradient_concentration(target: Target, d: int, samples: int, bias: float = 0.0) -> Concentration:
    """The deviation of a ReLU neuron's gradient from its mean, w uniform on the unit sphere and b fixed.

    Args:
        target: f*.
        d: input dimension.
        samples: n.
        bias: b.

    >>> from giantstep.problems import Target
    >>> round(gradient_concentration(Target("He2(x1)"), 10_000, 1_000_000).deviation ** 2, 4)
    0.005
    """
    require(samples >= 1, f"samples must be 1 or more, got {samples}")
    law = gradient_law(target, Activation(f"relu(z + ({bias!r}))"))
    overlap, weight = overlap_nodes(law.directions, d)
    mean2 = float(weight @ (law.mean_in_frame(overlap) ** 2).sum(axis=1))
    active = float(scipy.special.ndtr(bias))
    spread = law.noise_in_target_space() / law.power - law.directions
    density = exp(-(bias**2) / 2) / sqrt(2 * pi)
    tilted = law.power * (1 - spread * bias * density / active / (2 * d))
    noise = law.total_noise(d) + (d - law.directions - 1) * (tilted - law.power)
    deviation = sqrt((noise - mean2) / samples * active / law.power)
    return Concentration(deviation, sqrt(active * d / samples), active)
