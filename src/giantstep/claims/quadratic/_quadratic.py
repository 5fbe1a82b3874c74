"""A quadratic network with weight decay at its minimum: what the claims on width and on samples share."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Run, parameters
from giantstep.errors import InputError
from giantstep.learners.sensing.operators import RankOneOperator
from giantstep.learners.sensing.quadratic import DecayedFit, fit_decayed
from giantstep.theory.sensing.quadratic import QuadraticLimit, quadratic_limit

MOST = 2e8  # numbers of the samples
KEPT = 1e-3  # eigenvalues below this part of the largest are none


class QuadraticClaim(Claim):
    """Samples of y = (x'S*x - tr S*)/sqrt d + noise with the eigenvalues of S* proportional to k^(-gamma)."""

    d: int = parameters.dimension(100, le=500)
    samples: int = parameters.samples(5000, le=10**7)
    neurons: int = parameters.neurons(8, help="neurons, the width; d and more are the same", symbol="r", le=10**5)
    noise: float = parameters.noise(0.7, symbol=r"\sqrt{\Delta}", le=10)
    decay: float = parameters.decay(0.1)
    spectrum_exponent: float = parameters.spectrum_exponent(0.8)

    engine = "full"
    convention = (
        "loss (1/d^2) sum (yhat - y)^2 + decay |W|^2/d, yhat = (|W'x|^2 - |W|^2)/sqrt(d), |S*|_F^2 = d, alpha = n/d^2; "
        "risk |WW' - S*|_F^2/d, half of the expected (yhat - y)^2 without noise"
    )

    def check(self) -> None:
        if self.samples * self.d > MOST:
            raise InputError(f"samples x d = {self.samples * self.d:.2g} numbers are too many; at most {MOST:.0e}")

    @property
    def truth(self) -> Array:
        """The eigenvalues of S*, largest first."""
        return power_law(self.d, self.spectrum_exponent)

    @property
    def penalty(self) -> float:
        """lt, the weight decay at this point."""
        return self.decay

    @property
    def limit(self) -> QuadraticLimit:
        return _limit(self.d, self.samples, self.neurons, self.noise, self.penalty, self.spectrum_exponent)

    def fitted(self, run: Run) -> DecayedFit:
        """The network at its minimum, on samples in the eigenbasis of S*: Gaussian inputs know no other."""
        n, d = self.samples, self.d
        operator = RankOneOperator(run.streams.child("inputs").generator().standard_normal((n, d)))
        run.progress(0.05)
        labels = (operator.inputs**2 - 1) @ self.truth / np.sqrt(d)
        labels += self.noise * run.streams.child("noise").generator().standard_normal(n)
        unit = np.sqrt(d / (2 * n))  # of the operator
        return fit_decayed(operator, unit * labels, self.neurons, self.penalty * d**2 / (2 * n), run.streams)

    def risk_of(self, fit: DecayedFit) -> float:
        return float(np.sum((fit.factors.product - np.diag(self.truth)) ** 2)) / self.d

    def rank_of(self, fit: DecayedFit) -> float:
        """How many neurons, or rather eigenvalues, are left."""
        found = np.linalg.eigvalsh(fit.factors.left.T @ fit.factors.left)
        return float(np.sum(found > KEPT * found[-1]))

    def cost(self) -> Cost:
        n, d, columns = self.samples, self.d, min(self.neurons, self.d, 64)
        evaluations = 250  # about, of loss and gradient, for any width: measured from 30 to 500
        return Cost(2 * evaluations * 4 * n * d * columns + 4 * n * d**2, 8 * n * (d + 4 * columns) + 3e7)


def scarce(point: QuadraticClaim) -> float:
    """D/n: with few samples a parameter, residuals that few large eigenvalues make do not average to Gaussian ones."""
    return point.d / point.samples


def power_law(d: int, exponent: float) -> Array:
    """Proportional to k^(-exponent), with squares that sum up to d."""
    values = np.arange(1, d + 1) ** -exponent
    return np.asarray(values * np.sqrt(d / (values @ values)))


@lru_cache(maxsize=512)
def _limit(d: int, samples: int, neurons: int, noise: float, decay: float, exponent: float) -> QuadraticLimit:
    return quadratic_limit(power_law(d, exponent), samples, min(neurons, d), noise, decay)
