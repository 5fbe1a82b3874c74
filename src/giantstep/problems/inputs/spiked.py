"""Inputs with one strong direction: x ~ N(0, I + theta mu mu^T), and a target along beta = e_1.

    mu = rho e_1 + sqrt(1 - rho^2) e_2,     x = g + (sqrt(1 + theta) - 1) <g, mu> mu,  g ~ N(0, I_d),
    kappa = E <x, beta>^2 = 1 + theta rho^2,     x1 of the target = <x, beta>/sqrt(kappa) ~ N(0, 1).

Rotation invariance of the bulk lets beta be the first axis and mu lie in the plane of the first two. Strength and
alignment are numbers, or powers of the dimension as in [mws23]: theta = d^gamma2, rho = d^-gamma1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.arrays import Array
from giantstep.checks import real_number
from giantstep.errors import InputError
from giantstep.problems.inputs.isotropic import buffer


@dataclass(frozen=True)
class Spiked:
    """N(0, I + theta mu mu^T) with <mu, beta> = rho, each given as a number or as an exponent of d.

    Args:
        strength: theta, 0 or more; or
        strength_exponent: gamma2 of theta = d^gamma2.
        alignment: rho, the cosine of the angle between spike and target, 1 unless given; or
        alignment_exponent: gamma1 of rho = d^-gamma1.

    >>> law = Spiked(strength_exponent=0.5, alignment_exponent=0.25)
    >>> law.theta(10_000), law.rho(10_000), round(law.kappa(10_000), 9)
    (100.0, 0.1, 2.0)
    >>> Spiked(3.0).draw(np.random.default_rng(0), 2, 5).shape
    (2, 5)
    """

    strength: float | None = None
    strength_exponent: float | None = None
    alignment: float | None = None
    alignment_exponent: float | None = None

    def __post_init__(self) -> None:
        if (self.strength is None) == (self.strength_exponent is None):
            raise InputError("a spike needs either `strength` or `strength_exponent`, one of the two")
        if self.alignment is not None and self.alignment_exponent is not None:
            raise InputError("give `alignment` or `alignment_exponent`, not both")
        for name, allowed, least, most in (
            ("strength", "a finite number of 0 or more", 0.0, math.inf),
            ("strength_exponent", "a number between -4 and 4", -4.0, 4.0),
            ("alignment", "a cosine, between -1 and 1", -1.0, 1.0),
            ("alignment_exponent", "a number between 0 and 4", 0.0, 4.0),
        ):
            if getattr(self, name) is not None:
                real_number(name, getattr(self, name), allowed, least, most)

    def theta(self, d: int) -> float:
        """The strength in dimension d: the spike's direction has variance 1 + theta."""
        if self.strength is not None:
            return float(self.strength)
        assert self.strength_exponent is not None
        return float(d**self.strength_exponent)

    def rho(self, d: int) -> float:
        """<mu, beta>."""
        if self.alignment_exponent is not None:
            return float(d**-self.alignment_exponent)
        return 1.0 if self.alignment is None else float(self.alignment)

    def kappa(self, d: int) -> float:
        """E <x, beta>^2."""
        return 1.0 + self.theta(d) * self.rho(d) ** 2

    def direction(self, d: int) -> Array:
        """mu in the coordinates of x, (d,)."""
        rho = self.rho(d)
        mu = np.zeros(d)
        mu[:2] = (rho, math.sqrt(max(0.0, (1.0 - rho) * (1.0 + rho))))[: min(d, 2)]
        return mu

    def draw(
        self,
        generator: np.random.Generator,
        rows: int,
        d: int,
        dtype: DTypeLike = np.float64,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """`rows` independent inputs as the rows of an array, written into `out` when it is given."""
        self._check_dimension(d)
        out = buffer(rows, d, dtype, out)
        generator.standard_normal(dtype=out.dtype.type, out=out)
        plane = self.direction(d)[:2]
        along = out[:, :2].astype(np.float64) @ plane
        stretched = out[:, :2] + math.expm1(0.5 * math.log1p(self.theta(d))) * np.multiply.outer(along, plane)
        out[:, :2] = stretched
        return out

    def fields(self, x: NDArray[Any], directions: int) -> Array:
        """<x, beta>/sqrt(kappa), the one variable that the target may have."""
        self._check_dimension(x.shape[1])
        if directions > 1:
            raise InputError(f"the target has {directions} directions; under a spiked law it may be of x1 only")
        return x[:, :1].astype(np.float64) / math.sqrt(self.kappa(x.shape[1]))

    def _check_dimension(self, d: int) -> None:
        if d < 2:
            raise InputError(f"d = {d} is not allowed; a spiked law needs 2 dimensions or more")
