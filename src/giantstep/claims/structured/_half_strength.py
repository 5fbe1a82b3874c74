"""How strong a spike must be for a kernel to learn a degree: strengths that are searched, and how far a point is from
the thresholds."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Any

from giantstep.claims import Allowance, Computed, Run, parameters, quantity
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._spiked import SpikedClaim
from giantstep.learners.kernels import half_strength_of
from giantstep.theory.kernels import half_strength

STRONGEST = 0.6
"""Largest theta/d: beyond, k(x, x) of the exponential kernel has no mean, nor its theory an answer."""
CLEAR = 0.05
"""The plateau is said where the equations should have come so near to it, in units of the target."""
DATA_SETS = 4  # over which the risk that is halved is a mean
HALVED = attrgetter("halved")


def far_from_thresholds(point: Any, predicted: float) -> float:  # noqa: ARG001
    """3 |f*|^2 d^-r, added up over l = 1 to 8: with e = 1 - l (1 - gamma), r = 2 e above the threshold, -e below.

    n lambda_l is d^e: of a learned degree the square of its inverse is left, and of others it is the share learned.
    """
    excess = [1 - degree * (1 - point.strength_exponent) for degree in range(1, 9)]
    shares = sum(math.pow(point.d, -2 * e if e > 0 else e) for e in excess)
    return 3 * float(point.target.norm2) * shares


def is_flat(point: Any) -> bool:
    """Whether the equations at this d should show a plateau."""
    if point.simulated or point.halving or not point.has_plateau:
        return False
    return far_from_thresholds(point, 0.0) <= CLEAR * float(point.target.norm2)


HALF_STRENGTH = (
    quantity.equal(
        "theta_half", Allowance(0.03, of="prediction", at=100, power=-0.5),
        "few samples have a large spike coordinate; a crossing moves by the gap of the risk over its slope",
        help="strength at which the risk of one degree is half of |f*|^2", symbol=r"\theta_{1/2}", when=HALVED,
    ),
    quantity.slope(
        "theta_half", "d", lambda point: point.half_slope, 0.03,
        "at the smallest d the strength itself is off by a few per cent",
        help="its exponent between d and 4 d, of which the limit 1 - 1/l is still far", when=HALVED,
    ),
    quantity.equal(
        "theta_half_limit", Computed(lambda point, _: 3 * point.d ** (-1 / point.degrees[0]), "3 d^(-1/l)"),
        "powers of theta/d, which is of order d^(-1/l)",
        help="exponent of half learning: of theta_half for d to infinity, by the equations from d to 4 d",
        symbol=r"1 - 1/\ell",
        when=lambda point: point.halving and not point.simulated,
    ),
)  # fmt: skip


class HalvedKernelClaim(SpikedClaim):
    """A kernel, and the strength of the spike that halves its risk of a single degree."""

    kernel: parameters.Kernel = parameters.kernel("exp")
    ridge: float = parameters.ridge(0.01)
    halving: bool = parameters.own(False, "search the strength that halves the risk of a single degree")

    @property
    def degrees(self) -> list[int]:
        """The degrees of the target."""
        return [k for k, energy in enumerate(self.target.energies()) if energy]

    def half(self, d: int) -> float:
        """theta_half in dimension d, in the equations."""
        return half_strength(self.target, self.kernel, d, self.samples_per_dim * d, self.ridge, self.noise)

    @property
    def half_slope(self) -> float:
        """The exponent of theta_half from d to 4 d in the equations; elsewhere than in a search its limit."""
        return local_exponent(self.half, self.d) if self.halving else 1 - 1 / (self.target.degree or 1)

    def measured_half(self, run: Run) -> float:
        ends, data = (0.1, STRONGEST * self.d), run.streams.child("data")
        return half_strength_of(self.kernel, self.problem, self.samples, self.ridge, data, ends, data_sets=DATA_SETS)
