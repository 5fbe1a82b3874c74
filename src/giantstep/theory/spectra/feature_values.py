"""The singular values of the features Phi = s(XW)/sqrt(N): roots of those eigenvalues of the kernel that are not zero.

Eigenvalues of the kernel Phi Phi^T crowd near zero, and some are zero; their roots spread, and are drawn instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.theory.spectra.conjugate import ConjugateKernel


@dataclass(frozen=True)
class FeatureSingularValues:
    """Law of the singular values of Phi that are not zero (no atom): density 2 s rho(s^2)/(1 - atom), with rho and the
    atom those of the conjugate `kernel`.

    >>> law = FeatureSingularValues(ConjugateKernel(mu1=1.0, mu2_squared=0.0, psi1=2.0, psi2=1.0))
    >>> float(law.cdf(0.0)), float(law.cdf(law.edges[1]).round(6))
    (0.0, 1.0)
    """

    kernel: ConjugateKernel

    @property
    def edges(self) -> tuple[float, float]:
        """Where the bulk begins and ends."""
        return float(self.kernel.support[0][0] ** 0.5), float(self.kernel.edge**0.5)

    def density(self, singular_value: ArrayLike) -> Array:
        """Density of singular values."""
        s = np.asarray(singular_value, dtype=np.float64)
        return np.asarray(2 * s * self.kernel.density(s**2) / (1 - self.kernel.atom))

    def cdf(self, singular_value: ArrayLike) -> Array:
        """Distribution function."""
        s = np.asarray(singular_value, dtype=np.float64)
        return np.asarray((self.kernel.cdf(s**2) - self.kernel.atom) / (1 - self.kernel.atom))

    def rank(self, samples: int) -> int:
        """How many there are on n = `samples`: min(n, N), or fewer where a linear activation leaves more at zero."""
        return round((1 - self.kernel.atom) * samples)
