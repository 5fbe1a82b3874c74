"""What the claims about kernels and networks on inputs with a spike along the target share."""

from __future__ import annotations

from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Run, parameters
from giantstep.claims.refusals import refuse_other_polynomials
from giantstep.errors import InputError
from giantstep.problems import Problem, whole
from giantstep.problems.inputs import Spiked

MOST_SAMPLES = 20_000
"""Beyond, the n x n matrix does not fit in ordinary memory: theory speaks alone."""
EQUATIONS_ONLY = Cost(1e9, 3e7)
"""Where nothing is simulated."""
BEYOND = f"nothing is simulated beyond {MOST_SAMPLES:,} samples: these are the values of the equations"
HIGHEST_DEGREE = 8
CONVENTION = (
    "f = k(x)^T (K + ridge)^-1 y, k(x, x') = g(<x, x'>/d); ridge is what is added to K: n lambda in the slide's "
    "(1/n) sum (y - f)^2 + lambda |f|^2, whose solution it prints with K + lambda"
)


class SpikedClaim(Claim):
    """x ~ N(0, I + theta mu mu^T) with theta = d^gamma, and a target along the spike.

    Besides risks, each claim has strengths of the spike at which something is one half, which it searches if `halving`.
    """

    target: parameters.Target = parameters.target("(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6))/sqrt(3)")
    d: int = parameters.dimension(200, le=10**12)
    samples_per_dim: float = parameters.samples_per_dim(2.0, symbol=r"\psi = n/d", ge=0.1, le=1000)
    strength_exponent: float = parameters.strength_exponent(0.5)
    noise: float = parameters.noise(0.0)
    halving: bool

    def check(self) -> None:
        refuse_other_polynomials(self.target, HIGHEST_DEGREE)
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

    @property
    def measured(self) -> bool:
        """Whether this very strength is simulated."""
        return self.simulated and not self.halving

    @property
    def halved(self) -> bool:
        """Whether strengths of one half are searched in simulations."""
        return self.simulated and self.halving

    def data(self, run: Run, samples: int, name: str = "data") -> tuple[Array, Array]:
        """Inputs (n, d) and labels (n,), which every pair of samples needs at once."""
        return whole(self.problem.sample(samples, run.streams.child(name)))
