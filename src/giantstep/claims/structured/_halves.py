"""Strengths of the spike at which a gradient is half aligned with it: searched, and their exponents in equations."""

from __future__ import annotations

import math
from operator import attrgetter

from giantstep.claims import Allowance, Computed, Quantity, quantity
from giantstep.claims.sizes import local_exponent
from giantstep.claims.structured._spiked import SpikedClaim
from giantstep.theory.structured import Which, alignment_exponent, half_aligned

KINDS: dict[str, Which] = {"theta_half": "euclidean", "whitened_half": "whitened"}
NEXT_ORDER = {
    "euclidean": Computed(lambda point, _: 8 * point.d ** (-1 / point.exponent), "8 d^(-1/k)"),
    "whitened": Allowance(2, power=-1 / 3),
}


def half_quantities(name: str, what: str, symbol: str, limit: str) -> tuple[Quantity, ...]:
    """The strength at which an alignment is one half, and its exponent."""
    return (
        quantity.equal(
            name, Allowance(0.05, of="prediction", at=100, power=-0.5),
            "labels have heavy tails, which few samples miss: gaps measured are 5 % at d = 96 and fall with d",
            help=f"strength at which the {what} is one half", symbol=symbol, when=attrgetter("halved"),
        ),
        quantity.slope(
            name, "d", lambda point: point.half_slope(KINDS[name]), 0.05,
            "at the smallest d the strength itself is off by a few per cent",
            help="its exponent between d and 8 d, of which the limit is still far", when=attrgetter("halved"),
        ),
        quantity.equal(
            f"{name}_limit", NEXT_ORDER[KINDS[name]],
            "next orders of the gate, whose argument is of order sqrt(theta/d)",
            help=f"limit exponent of half {what}: of theta for d to infinity, by the equations", symbol=limit,
            when=lambda point: not point.simulated and point.exponent > 1,
        ),
    )  # fmt: skip


class HalvedClaim(SpikedClaim):
    """Half of the samples give a gradient, whose alignment with the spike is one half at some strength."""

    @property
    def exponent(self) -> int:
        """k."""
        return self.target.information_exponent or 0

    def half(self, d: int, which: Which) -> float:
        """theta of half alignment in the equations; half of the samples give the step."""
        return half_aligned(self.target, d, self.samples_per_dim * d / 2, which)

    def half_slope(self, which: Which) -> float:
        """Its exponent from d to 8 d; elsewhere than in a search its limit."""
        if not self.halving:
            return alignment_exponent(self.exponent, which)
        return local_exponent(lambda d: self.half(d, which), self.d, (1, 2, 4, 8))

    def predicted_halves(self) -> dict[str, float]:
        """Strengths of half alignment where they are simulated, else the limits of their exponents; k = 1 has none."""
        if self.exponent < 2:
            return {}
        if self.simulated:
            return {name: self.half(self.d, which) for name, which in KINDS.items()}
        return {f"{name}_limit": alignment_exponent(self.exponent, which) for name, which in KINDS.items()}

    def exponents_of_equations(self) -> dict[str, float]:
        """Slopes of the strengths of half alignment from d to 10 d; k = 1 has none."""
        if self.exponent < 2:
            return {}
        halves = {name: [self.half(d, which) for d in (self.d, 10 * self.d)] for name, which in KINDS.items()}
        return {f"{name}_limit": math.log10(far / near) for name, (near, far) in halves.items()}
