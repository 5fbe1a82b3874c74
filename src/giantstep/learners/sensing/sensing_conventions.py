"""Names for the factors on which papers and talks differ: the loss of sensing, and the size of the start.

Everything is computed in one normal form, with the operator of `operators` (which holds the 1/sqrt(m)):

    symmetric    U += mu A*(y - A(U U^T)) U
    asymmetric   U += mu A*(y - A(U V^T)) V,      V += mu A*(y - A(U V^T))^T U
"""

from __future__ import annotations

from math import sqrt

from giantstep.checks import Choice


class SensingLoss(Choice):
    """A loss c * |A(.) - y|^2, mean or sum over measurements; its plain gradient step of size eta has the mu of the
    normal form `step(eta, m)`.

    >>> SensingLoss.SLIDE_SUM.step(0.01, 100, symmetric=False), SensingLoss.HALF_MEAN.step(0.25, 100, symmetric=False)
    (0.5, 0.25)
    >>> SensingLoss.SLIDE_SUM.size(0.5, 100, symmetric=False)
    0.01
    """

    QUARTER_MEAN = ("1/4, mean", 0.25, True)
    """[ss21]: L = (1/4)|A(U U^T) - y|^2, A with 1/sqrt(m); mu = eta for U U^T, eta/2 for U V^T."""
    HALF_MEAN = ("1/2, mean", 0.5, True)
    """L = (1/2)|A(U V^T) - y|^2; mu = eta for U V^T, 2 eta for U U^T."""
    SLIDE_SUM = ("1/4, sum", 0.25, False)
    """[soltanolkotabi22]: L = (1/4) sum_i (y_i - <A_i, U V^T>)^2 without 1/m; mu = m eta/2 for U V^T."""

    def __init__(self, label: str, factor: float, mean: bool) -> None:
        self.label = label
        self.factor = factor
        self.mean = mean

    def step(self, eta: float, measurements: float, *, symmetric: bool) -> float:
        """mu of the normal form."""
        return eta * self._per_unit(measurements, symmetric)

    def size(self, mu: float, measurements: float, *, symmetric: bool) -> float:
        """The eta whose step is mu."""
        return mu / self._per_unit(measurements, symmetric)

    def _per_unit(self, measurements: float, symmetric: bool) -> float:
        return self.factor * (4 if symmetric else 2) * (1 if self.mean else measurements)

    def __repr__(self) -> str:
        return f"<SensingLoss.{self.name}: {self.label}>"


class StartScale(Choice):
    """The size of the iid Gaussian entries at the start: the two differ by sqrt(r).

    >>> StartScale.UNIT_NORM.deviation(0.1, rank=4), StartScale.UNIT_ENTRIES.deviation(0.1, rank=4)
    (0.05, 0.1)
    """

    UNIT_NORM = "N(0, 1/r)"
    """[ss21]: U_0 has entries alpha N(0, 1/r): a unit vector's image has length about alpha."""
    UNIT_ENTRIES = "N(0, 1)"
    """[soltanolkotabi22], theorem: entries alpha N(0, 1)."""

    def deviation(self, scale: float, rank: int) -> float:
        """The standard deviation of the entries of U_0."""
        return scale / sqrt(rank) if self is StartScale.UNIT_NORM else scale

    def __repr__(self) -> str:
        return f"<StartScale.{self.name}: alpha {self.value}>"
