"""What the claims of sensing share: the truth, the operator, the start, and the parameters that they are made of."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Any, ClassVar

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, parameters
from giantstep.claims.engines import Engines
from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns
from giantstep.learners.sensing import Factors, Sensing, StartScale, random_factors
from giantstep.learners.sensing.operators import DenseOperator, Operator, PopulationOperator, RevealedOperator
from giantstep.streams import Streams
from giantstep.theory.sensing import FinalError, Refinement, SpectralMatrix, final_error, largest_curvature

MOST_NUMBERS = 4e8  # numbers that the directions revealed along a run may take
SIDE: dict[str, Any] = {"help": "side of the matrix", "ge": 2, "le": 4096}


@lru_cache(maxsize=256)
def turning_of_factors(d: int, true_rank: int, measurements: int, mu: float, columns: int) -> float:
    """How much the factors of U V' turn between Z and the truth, computed once for all who ask."""
    return Refinement.of(d, true_rank, measurements, mu, symmetric=False, columns=columns).turning()


class FactorsClaim(Claim):
    """A truth of rank r*, measured by m = oversampling d r* Gaussian matrices, and factors of rank r that learn it."""

    start_scale: ClassVar[StartScale] = StartScale.UNIT_ENTRIES
    engine: ClassVar[Engines] = "dense"

    d: int = parameters.dimension(100, **SIDE)
    true_rank: int = parameters.true_rank(5)
    rank: int = parameters.rank(20)
    oversampling: float = parameters.oversampling(10.0)
    scale: float = parameters.scale(1e-4)

    @property
    def shape(self) -> tuple[int, int]:
        return self.d, self.d

    @property
    def is_symmetric(self) -> bool:
        """Whether U U^T learns X X^T, or U V^T learns X Y^T."""
        return True

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

    @property
    def singular(self) -> Array:
        """The singular values of X, and of Y, largest first, (r*,)."""
        return np.ones(self.true_rank)

    def basis(self, streams: Streams) -> Array:
        """The left singular vectors of X, (d, r*)."""
        return orthonormal_columns(self.shape[0], self.true_rank, streams.child("truth"))

    def truth(self, streams: Streams) -> Factors:
        """X, or X and Y, whose columns are orthogonal."""
        left = self.basis(streams) * self.singular
        if self.is_symmetric:
            return Factors(left)
        right = orthonormal_columns(self.shape[1], self.true_rank, streams.child("truth, right"))
        return Factors(left, right * self.singular)

    def operator(self, streams: Streams) -> Operator:
        """The operator as drawn."""
        drawn = streams.child("operator")
        return DenseOperator.gaussian(self.shape, self.measurements, drawn, symmetric=self.is_symmetric)

    def problem(self, streams: Streams) -> Sensing:
        return Sensing(self.operator(streams), truth=self.truth(streams).product)

    def start(self, streams: Streams, scale: float | None = None, *, paired: bool = False) -> Factors:
        """U_0, or U_0 and V_0, of the claim's scale or another."""
        return random_factors(
            self.shape,
            self.rank,
            self.scale if scale is None else scale,
            streams.child("start"),
            symmetric=self.is_symmetric,
            convention=self.start_scale,
            paired=paired,
        )


class RectangularClaim(FactorsClaim):
    """Two factors, U V^T, that learn a truth X Y^T of d rows and other columns."""

    columns: int = parameters.columns(10)

    @property
    def shape(self) -> tuple[int, int]:
        return self.d, self.columns

    @property
    def is_symmetric(self) -> bool:
        return False


class SensingClaim(FactorsClaim):
    """Measurements that are revealed as a run asks for them, or infinitely many, and what theory knows of the run."""

    step: float = parameters.step(0.25, help="step size, gradient of (1/4)|A(UU') - y|^2", symbol=r"\mu", le=1)

    convention = (
        "L = (1/4)|A(UU') - y|^2, or (1/2)|A(UV') - y|^2, with A = <A_i, .>/sqrt(m); U_0 (and V_0) have entries "
        "alpha N(0, 1/r); singular values of X (and Y) from 1 down to 1/kappa, in equal ratios"
    )
    start_scale = StartScale.UNIT_NORM
    engine: ClassVar[Engines] = "revealed"

    @property
    def is_population(self) -> bool:
        """Whether there are infinitely many measurements."""
        return False

    @property
    def horizon(self) -> int:
        """The most iterations that a run of this point takes."""
        return 200

    @property
    def usual(self) -> int:
        """The iterations that a run of this point takes, about."""
        return self.horizon

    @property
    def held(self) -> int:
        """The most directions of the operator that a run reveals."""
        return 0 if self.is_population else min(self.horizon, self.d * (self.d + 1) // 2)

    def check(self) -> None:
        super().check()
        curvature = largest_curvature(self.d, self.true_rank, self.m, symmetric=self.is_symmetric)
        if self.step * curvature >= 2:
            raise InputError(
                f"step = {self.step} is not allowed; from {2 / curvature:.3g} on, 2 over the largest curvature at the "
                "truth, gradient descent leaves the truth again: take a smaller step"
            )
        numbers = 2.0 * (self.measurements + self.d * (self.d + 1) / 2) * self.held
        if numbers > MOST_NUMBERS:
            raise InputError(
                f"{self.horizon} iterations with m = {self.measurements} would keep {numbers:.2g} numbers, at most "
                f"{MOST_NUMBERS:g} are allowed; lower d, oversampling or the number of iterations"
            )

    @property
    def m(self) -> float:
        """The number of measurements, possibly infinite."""
        return inf if self.is_population else self.measurements

    @property
    def singular(self) -> Array:
        return np.geomspace(1.0, self.weakest, self.true_rank)

    @property
    def weakest(self) -> float:
        """sigma_min(X), 1/kappa; 1 for a truth of rank 1, and in claims without a condition number."""
        return 1 / float(getattr(self, "condition", 1.0)) if self.true_rank > 1 else 1.0

    @property
    def energy(self) -> float:
        """|X X^T|^2."""
        return float(np.sum(self.singular**4))

    @property
    def spectrum(self) -> SpectralMatrix:
        """The limiting spectrum of Z."""
        return SpectralMatrix.of(self.d, self.energy, self.m, symmetric=self.is_symmetric, columns=self.shape[1])

    @property
    def refinement(self) -> Refinement:
        """How the error shrinks near the truth."""
        settings = (self.d, self.true_rank, self.m, self.step)
        return Refinement.of(*settings, symmetric=self.is_symmetric, columns=self.shape[1])

    def final_error(self, scale: float) -> FinalError:
        """The error that stays, from a start of this scale; roughly, if the sides differ."""
        settings = (sum(self.shape) // 2, self.true_rank, self.rank, self.m, self.step)
        return final_error(*settings, scale, symmetric=self.is_symmetric)

    def operator(self, streams: Streams) -> Operator:
        """The operator as drawn; asked in the same order, it is the same for all scales and ranks."""
        if self.is_population:
            return PopulationOperator(self.shape, symmetric=self.is_symmetric)
        drawn = streams.child("operator")
        return RevealedOperator(self.shape, self.measurements, drawn, symmetric=self.is_symmetric)

    def cost(self) -> Cost:
        numbers, small = self.measurements + self.d * (self.d + 1) / 2, min(self.d, self.rank)
        # On average half of the directions are known; products with vectors run at the speed of memory, some four times
        # slower than products of matrices.
        held = min(self.held, self.usual)
        asking = 24 * numbers * held
        one = asking + 6 * self.d**2 * self.rank + 2 * self.d * small**2
        return Cost(self.usual * one + 1e7, 16.0 * numbers * held + 40 * self.d**2 + 3.2e7, 1e6)
