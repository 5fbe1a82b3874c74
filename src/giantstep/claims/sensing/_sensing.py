"""What the claims of sensing share: the truth X X^T, the operator, the start, and the parameters that they are made
of."""

from __future__ import annotations

from typing import Any, ClassVar

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, parameters
from giantstep.claims.engines import Engines
from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns
from giantstep.learners.sensing import (
    Factors,
    Operator,
    PopulationOperator,
    RevealedOperator,
    Sensing,
    random_factors,
)
from giantstep.streams import Streams
from giantstep.theory.sensing import SpectralMatrix

MOST_NUMBERS = 4e8  # numbers that the directions revealed along a run may take
SIDE: dict[str, Any] = {"help": "side of the matrix", "ge": 2, "le": 4096}


class FactorsClaim(Claim):
    """A truth of rank r*, measured by m = oversampling d r* Gaussian matrices, and factors of rank r that learn it."""

    d: int = parameters.dimension(100, **SIDE)
    true_rank: int = parameters.true_rank(5)
    rank: int = parameters.rank(20)
    oversampling: float = parameters.oversampling(10.0)
    scale: float = parameters.scale(1e-4)

    @property
    def measurements(self) -> int:
        return max(1, round(self.oversampling * self.d * self.true_rank))

    def check(self) -> None:
        if self.true_rank >= self.d:
            raise InputError(f"true_rank = {self.true_rank} is not allowed; it must be less than d = {self.d}")
        if self.rank < self.true_rank:
            raise InputError(
                f"rank = {self.rank} is not allowed; it must be at least the true rank {self.true_rank}: "
                "with fewer columns the factors cannot be the truth"
            )


class SensingClaim(FactorsClaim):
    """A symmetric truth X X^T with X orthonormal, learned by U U^T."""

    step: float = parameters.step(0.25, help="step size, gradient of (1/4)|A(UU') - y|^2", symbol=r"\mu", le=1)

    convention = "L = (1/4)|A(UU') - y|^2 with A = <A_i, .>/sqrt(m); U_0 has entries alpha N(0, 1/r); X orthonormal"
    engine: ClassVar[Engines] = "revealed"

    @property
    def horizon(self) -> int:
        """The most iterations that a run of this point takes."""
        return 200

    @property
    def held(self) -> int:
        """The most directions of the operator that a run reveals."""
        return min(self.horizon, self.d * (self.d + 1) // 2)

    def check(self) -> None:
        super().check()
        numbers = 2.0 * (self.measurements + self.d * (self.d + 1) / 2) * self.held
        if numbers > MOST_NUMBERS:
            raise InputError(
                f"{self.horizon} iterations with m = {self.measurements} would keep {numbers:.2g} numbers, at most "
                f"{MOST_NUMBERS:g} are allowed; lower d, oversampling or the number of iterations"
            )

    @property
    def spectrum(self) -> SpectralMatrix:
        """The limiting spectrum of Z."""
        return SpectralMatrix.of(self.d, self.true_rank, self.measurements)

    def basis(self, streams: Streams) -> Array:
        """X."""
        return orthonormal_columns(self.d, self.true_rank, streams.child("truth"))

    def operator(self, streams: Streams, *, population: bool = False) -> Operator:
        """The operator as drawn; asked in the same order, it is the same for all scales and ranks."""
        shape = (self.d, self.d)
        if population:
            return PopulationOperator(shape, symmetric=True)
        return RevealedOperator(shape, self.measurements, streams.child("operator"), symmetric=True)

    def problem(self, basis: Array, streams: Streams, *, population: bool = False) -> Sensing:
        return Sensing(self.operator(streams, population=population), truth=basis @ basis.T)

    def start(self, streams: Streams) -> Factors:
        """U_0."""
        return random_factors((self.d, self.d), self.rank, self.scale, streams.child("start"), symmetric=True)

    def cost(self) -> Cost:
        numbers, small = self.measurements + self.d * (self.d + 1) / 2, min(self.d, self.rank)
        # On average half of the directions are known; products with vectors run at the speed of memory, some four times
        # slower than products of matrices.
        asking = 24 * numbers * self.held
        one = asking + 6 * self.d**2 * self.rank + 2 * self.d * small**2
        return Cost(self.horizon * one + 1e7, 16.0 * numbers * self.held + 40 * self.d**2 + 1e7, 1e6)
