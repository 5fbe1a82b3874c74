"""The Marchenko-Pastur law of W W^T and W^T W, its singular values, and the width of its edge.

W is d x N with independent N(0, 1/d) entries and N/d -> ratio. With l-+ = (1 -+ sqrt(ratio))^2 the d x d
matrix W W^T has density sqrt((l+ - l)(l - l-)) / (2 pi l) and an atom 1 - ratio at 0 if ratio < 1; the N x
N matrix W^T W has the same density divided by ratio and an atom 1 - 1/ratio at 0 if ratio > 1.
Source: Marchenko and Pastur 1967; [bes22] uses it for the weights at initialisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import positive, require

Side = Literal["rows", "columns"]

# Mean and standard deviation of the Tracy-Widom law for real matrices (beta = 1); Bornemann 2010.
TRACY_WIDOM_MEAN = -1.2065335745820
TRACY_WIDOM_DEVIATION = 1.2679764866570


@dataclass(frozen=True)
class MarchenkoPastur:
    """Law of the eigenvalues of W W^T (side "rows", d x d) or W^T W (side "columns", N x N).

    Args:
        ratio: N/d.
        side: "rows" or "columns".

    >>> law = MarchenkoPastur(2.0)
    >>> float(law.cdf(law.edges[1])), law.atom
    (1.0, 0.0)
    >>> MarchenkoPastur(2.0, side="columns").atom
    0.5
    """

    ratio: float
    side: Side = "rows"

    def __post_init__(self) -> None:
        positive("ratio", self.ratio)
        require(self.side in ("rows", "columns"), f"side must be 'rows' or 'columns', got {self.side!r}")

    @property
    def edges(self) -> tuple[float, float]:
        """Both ends of the continuous part."""
        root = float(np.sqrt(self.ratio))
        return (1 - root) ** 2, (1 + root) ** 2

    @property
    def atom(self) -> float:
        """Mass at 0."""
        return max(0.0, 1 - (self.ratio if self.side == "rows" else 1 / self.ratio))

    @property
    def _size(self) -> float:
        """Size of the chosen matrix over d."""
        return 1.0 if self.side == "rows" else self.ratio

    def density(self, eigenvalue: ArrayLike) -> Array:
        """Density of the continuous part; its integral is 1 - atom."""
        low, high = self.edges
        x = np.asarray(eigenvalue, dtype=np.float64)
        inside = (x > low) & (x < high)
        at = np.where(inside, x, high)
        return np.sqrt(np.maximum((high - at) * (at - low), 0.0)) / (2 * np.pi * at * self._size)

    def cdf(self, eigenvalue: ArrayLike) -> Array:
        """Distribution function, atom included.

        The antiderivative of sqrt((b-x)(x-a))/x is elementary; arcsin's are written with arctan2, which keeps
        them accurate at the edges (derived).
        """
        low, high = self.edges
        x = np.asarray(eigenvalue, dtype=np.float64)
        at = np.clip(x, low, high)
        left, right = at - low, high - at
        continuous = (
            np.sqrt(left * right)
            + 2 * (1 + self.ratio) * np.arctan2(np.sqrt(left), np.sqrt(right))
            - 2 * abs(1 - self.ratio) * np.arctan2(np.sqrt(high * left), np.sqrt(low * right))
        ) / (2 * np.pi * self._size)
        # Rounding must not make the function leave [atom, 1].
        return np.where(x < 0, 0.0, np.clip(self.atom + continuous, self.atom, 1.0))

    def quantile(self, probability: ArrayLike) -> Array:
        """Smallest x with cdf(x) >= probability, by bisection in the angle that makes both edges smooth."""
        p = np.asarray(probability, dtype=np.float64)
        require((p >= 0) & (p <= 1), "probability must lie between 0 and 1")
        low, high = self.edges
        below, above = np.zeros(p.shape), np.full(p.shape, np.pi)
        for _ in range(55):
            middle = (below + above) / 2
            beyond = self.cdf(low + (high - low) * np.sin(middle / 2) ** 2) >= p
            below, above = np.where(beyond, below, middle), np.where(beyond, middle, above)
        return np.where(p <= self.atom, 0.0 if self.atom else low, low + (high - low) * np.sin(above / 2) ** 2)


@dataclass(frozen=True)
class SingularValues:
    """Law of the min(d, N) singular values of W (no atom): density 2 s rho(s^2)/min(1, ratio), `ratio` = N/d.

    >>> law = SingularValues(2.0)
    >>> round(law.edges[1], 4)
    2.4142
    """

    ratio: float

    @property
    def _law(self) -> MarchenkoPastur:
        # The smaller side of the matrix has no atom.
        return MarchenkoPastur(self.ratio, "rows" if self.ratio >= 1 else "columns")

    @property
    def edges(self) -> tuple[float, float]:
        """|1 - sqrt(ratio)| and 1 + sqrt(ratio)."""
        root = float(np.sqrt(self.ratio))
        return abs(1 - root), 1 + root

    def density(self, singular_value: ArrayLike) -> Array:
        """Density of singular values."""
        s = np.asarray(singular_value, dtype=np.float64)
        return np.where(s > 0, 2 * s * self._law.density(s**2), 0.0)

    def cdf(self, singular_value: ArrayLike) -> Array:
        """Distribution function."""
        s = np.asarray(singular_value, dtype=np.float64)
        return np.where(s > 0, self._law.cdf(s**2), 0.0)

    def quantile(self, probability: ArrayLike) -> Array:
        """Inverse of the distribution function."""
        return np.sqrt(self._law.quantile(probability))


@dataclass(frozen=True)
class FiniteEdge:
    """Where the largest singular value of a finite W lies: limit, mean and standard deviation."""

    limit: float
    mean: float
    deviation: float


def finite_edge(d: int, neurons: int) -> FiniteEdge:
    """Largest singular value of W (d x N, entries N(0, 1/d)) with its Tracy-Widom fluctuation.

    s1^2 = (1 + sqrt(N/d))^2 + g chi,  g = (sqrt N + sqrt d)/d (N^-1/2 + d^-1/2)^(1/3), chi of Tracy-Widom law
    (beta = 1): Johnstone 2001. The singular value follows by a first-order expansion of the root about the
    mean. Regime: no spike above the edge; the error is of smaller order than g.

    Args:
        d: rows of W, the input dimension.
        neurons: N, columns of W.

    >>> round(finite_edge(1000, 2000).mean, 3)
    2.407
    """
    require(d >= 1 and neurons >= 1, "d and neurons must be 1 or more")
    limit2 = (1 + np.sqrt(neurons / d)) ** 2
    scale = (np.sqrt(neurons) + np.sqrt(d)) / d * np.cbrt(neurons**-0.5 + d**-0.5)
    mean = float(np.sqrt(max(0.0, limit2 + TRACY_WIDOM_MEAN * scale)))
    deviation = float(TRACY_WIDOM_DEVIATION * scale / (2 * mean)) if mean > 0 else float("nan")
    return FiniteEdge(float(np.sqrt(limit2)), mean, deviation)
