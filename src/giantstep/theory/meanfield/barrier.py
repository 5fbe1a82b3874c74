"""How fast Langevin dynamics forgets on which side of a barrier it started.

dw = -V'(w) dt + sqrt(2 lambda) dB,  V = r w^2/2 + A exp(-w^2/2): for A > r two wells at w^2 = 2 ln(A/r), and between
them a barrier of height A - r - r ln(A/r). The law converges at the spectral gap of L = lambda d^2/dw^2 - V' d/dw,

    gap ~ (1/pi) sqrt(V''(well) |V''(0)|) exp(-barrier/lambda)       (Kramers 1940, lambda to 0),

and the log-Sobolev constant alpha of exp(-V/lambda), lambda alpha <= gap, obeys lambda alpha >= r exp(-A/lambda)
(Holley and Stroock 1987, as in [nosw24]): both are exponential in
1/lambda. The gap is that of a reversible chain on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log, sqrt

import numpy as np
import scipy

from giantstep.checks import require

CELLS = 1600
TAILS = 7.0
"""Standard deviations of a well beyond it to which the grid goes."""


@dataclass(frozen=True)
class Wells:
    """The potential V of the module, for A > r, at a temperature.

    Args:
        ridge: r.
        bump: A.
        temperature: lambda.
    """

    ridge: float
    bump: float
    temperature: float

    def __post_init__(self) -> None:
        require(0 < self.ridge < self.bump < inf, f"two wells need a bump above the ridge, not {self.bump:g}")
        require(0 < self.temperature < inf, f"the temperature must be above 0, not {self.temperature:g}")

    @property
    def well(self) -> float:
        """Where the right one is."""
        return sqrt(2 * log(self.bump / self.ridge))

    @property
    def barrier(self) -> float:
        """The potential at 0 above that of the wells.

        >>> round(Wells(0.25, 1.0, 0.1).barrier, 4)
        0.4034
        """
        return self.bump - self.ridge - self.ridge * log(self.bump / self.ridge)

    @property
    def bound(self) -> float:
        """r exp(-A/lambda), what a log-Sobolev inequality promises as a rate."""
        return self.ridge * exp(-self.bump / self.temperature)

    @property
    def gap(self) -> float:
        """The rate at which the sides mix."""
        return _gap(self)


@lru_cache(maxsize=1024)
def _gap(wells: Wells) -> float:
    reach = wells.well + TAILS * sqrt(wells.temperature / wells.ridge)
    w = np.linspace(-reach, reach, CELLS)
    potential = wells.ridge / 2 * w**2 + wells.bump * np.exp(-(w**2) / 2)
    speed = wells.temperature / (w[1] - w[0]) ** 2
    half = np.diff(potential) / (2 * wells.temperature)
    leaving = np.zeros(CELLS)
    leaving[:-1] += speed * np.exp(-half)
    leaving[1:] += speed * np.exp(half)
    found = scipy.linalg.eigh_tridiagonal(
        leaving, np.full(CELLS - 1, -speed), eigvals_only=True, select="i", select_range=(0, 1)
    )
    return float(found[1] - found[0])
