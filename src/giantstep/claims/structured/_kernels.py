"""What the claims about kernel ridge regression on spiked inputs share."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Cost, Run, parameters
from giantstep.claims.base import Claim
from giantstep.errors import InputError
from giantstep.learners.kernels import fit_kernel, spiked_risk
from giantstep.problems import Problem, whole
from giantstep.problems.inputs import Spiked

MOST_SAMPLES = 20_000
"""Beyond, the n x n matrix does not fit in ordinary memory: theory speaks alone."""
EQUATIONS_ONLY = Cost(1e9, 1e7)
"""Where nothing is simulated."""
BEYOND = f"nothing is simulated beyond {MOST_SAMPLES:,} samples: these are the values of the equations"
HIGHEST_DEGREE = 8
CONVENTION = "f = k(x)^T (K + ridge)^-1 y, k(x, x') = g(<x, x'>/d); ridge is what is added to K"


class SpikedClaim(Claim):
    """x ~ N(0, I + theta mu mu^T) with theta = d^gamma, and a target along the spike."""

    target: parameters.Target = parameters.target("(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6))/sqrt(3)")
    d: int = parameters.dimension(200, le=10**12)
    samples_per_dim: float = parameters.samples_per_dim(2.0, symbol=r"\psi = n/d", ge=0.1, le=1000)
    strength_exponent: float = parameters.strength_exponent(0.5)
    noise: float = parameters.noise(0.0)

    def check(self) -> None:
        if self.target.directions != 1 or not self.target.is_polynomial:
            raise InputError(f"target = {self.target} is not allowed; it must be a polynomial of x1")
        if not 1 <= (self.target.degree or 0) <= HIGHEST_DEGREE:
            raise InputError(f"target = {self.target} is not allowed; its degree must be 1 to {HIGHEST_DEGREE}")
        if self.samples < 8:
            raise InputError(f"n = {self.samples} samples are too few; raise d or samples_per_dim")

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def theta(self) -> float:
        return float(self.d**self.strength_exponent)

    @property
    def problem(self) -> Problem:
        return Problem(self.target, self.d, self.noise, Spiked(self.theta))

    @property
    def simulated(self) -> bool:
        """Whether the data fit in memory."""
        return self.samples <= MOST_SAMPLES and self.d <= MOST_SAMPLES

    def data(self, run: Run, samples: int, name: str = "data") -> tuple[Array, Array]:
        """Inputs (n, d) and labels (n,), which every pair of samples needs at once."""
        return whole(self.problem.sample(samples, run.streams.child(name)))


class KernelClaim(SpikedClaim):
    """Kernel ridge regression on such data."""

    kernel: parameters.Kernel = parameters.kernel("exp")
    ridge: float = parameters.ridge(0.01)

    convention = CONVENTION

    def kernel_risks(self, ridges: list[float], run: Run) -> Array:
        """The risk for each penalty, by quadrature in the spike's coordinate."""
        fit = fit_kernel(self.kernel, *self.data(run, self.samples), ridges)
        return spiked_risk(fit, self.problem, run.streams.child("bulk"))

    def objective_ratios(self, ridges: list[float], run: Run) -> Array:
        """(1/n)|y - f|^2 + lambda |f|_H^2 of the printed (K + lambda)^-1 y over that of (K + n lambda)^-1 y.

        lambda = ridge/n. With (K + rho) alpha = y the first term is |rho alpha|^2/n, the norm <alpha, y - rho alpha>.
        """
        x, y = self.data(run, self.samples)
        weight = np.array(ridges) / len(y)
        values = []
        for shifts in (weight, np.array(ridges)):
            missed = shifts[:, None] * (dual := fit_kernel(self.kernel, x, y, shifts).dual)
            values.append((missed**2).mean(axis=1) + weight * (dual * (y - missed)).sum(axis=1))
        return np.asarray(values[0] / values[1])

    def cost(self) -> Cost:
        if not self.simulated:
            return EQUATIONS_ONLY
        n, d = float(self.samples), float(self.d)
        return Cost(2 * n**2 * d + n**3 / 3 + 500 * n**2, 20 * n**2 + 8 * n * d, n**3 / 3)
