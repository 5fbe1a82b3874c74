"""[bes23] the spectrum of inputs with a spike: a bulk that knows nothing of it, and one eigenvalue that does."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Density,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.learners import distance_to_law
from giantstep.problems.inputs import Spiked
from giantstep.theory.spectra import MarchenkoPastur, finite_edge
from giantstep.theory.structured import covariance_spike, upper_alignment

NEAR = 0.3
"""Relative distance of the spike from its threshold within which vectors are not spoken of."""


def _window(point: InputSpectrum) -> float:
    """(3/d)(1 + (theta^2/c - 1)^-2): of order 1/d, and more near the threshold."""
    return 3 / point.d * (1 + (point.theta**2 / point.ratio - 1) ** -2)


SECOND_TRACY_WIDOM = 2.704
"""How much deeper than the largest eigenvalue of a bulk the second one lies: the ratio of their Tracy-Widom means."""


def _shift(point: InputSpectrum) -> float:
    """How far inside the bulk's end its largest eigenvalue lies: the mean of the Tracy-Widom law, of order d^(-2/3)."""
    edge = finite_edge(point.samples, point.d)
    return edge.limit**2 - edge.mean**2


def _edge(point: InputSpectrum) -> float:
    """The Tracy-Widom shift of the bulk's end, of order d^(-2/3), unless the spike stands clear of it."""
    return 0.0 if point.is_beside else _shift(point)


def _second(point: InputSpectrum) -> float:
    """Half the Tracy-Widom shift of the bulk's end, next orders of it; three times near the threshold.

    The spike's own eigenvalue leaves the second one its place in the critical window, d^(-1/3) wide, only gradually:
    1/w of the shift is granted where the spike is w = d^(1/3) |theta/sqrt(c) - 1| windows away.
    """
    away = float(point.d ** (1 / 3)) * abs(point.theta / sqrt(point.ratio) - 1)
    return (0.5 + 1 / away if point.is_away else 3) * _shift(point)


def _window_of_target(point: InputSpectrum) -> float:
    """<mu, beta>^2 (3/d)(1 + (theta^2/c - 1)^-2), and as much as chance, 1/d, where the spike is lost in the bulk.

    The rest of the vector has no direction: given the alignment, the mean share with the target is exact.
    """
    return float(point.rho**2) * _window(point) + (0.0 if point.is_beside else 1 / point.d)


WINDOW = Allowance(_window)


@named(
    "structured/input-spectrum",
    kind="theorem",
    cite="bes23",
    version=2,
    where="slide 'Spiked Random Matrix Model', after Johnstone 2001 and Baik, Ben Arous and Peche 2005",
    finding=(
        "The spike of the samples is informative from theta = sqrt(d/n) on only. Below, nothing leaves the bulk, but "
        "inputs have a spike, and the bulk knows of it a little: in its upper half d <v, mu>^2 is 1.34 for "
        "theta = 1/4 and n = 4 d, chance being 1, and falls to 0 as the spike takes all."
    ),
)
class InputSpectrum(Claim):
    """Inputs with a spike theta > sqrt(d/n) have one eigenvalue beside their bulk, whose vector shows the spike.

    The d eigenvalues of X^T X/n, rows of X ~ N(0, I + theta mu mu^T). One lies at (1 + theta)(1 + d/(n theta)), the
    others follow the Marchenko-Pastur law; `alignment` is <v, mu>^2 of the top vector, `target_alignment` <v, beta>^2
    for a target at <mu, beta> = d^-gamma1 from the spike, and `upper_alignment` the mean of d <v, mu>^2 over
    the upper half of the bulk: chance is 1.
    """

    d: int = parameters.dimension(200, le=4000)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\psi = n/d", ge=1, le=1000)
    alignment_exponent: float = parameters.alignment_exponent(0.25)
    strength_exponent: float = parameters.strength_exponent(0.25)

    quantities = (
        quantity.equal(
            "spike", Allowance(_edge) + Allowance(3, of="prediction", power=-1),
            "at the bulk's end eigenvalues sit inside it by the Tracy-Widom shift, beside it they are off by order 1/d",
            help="largest eigenvalue of the inputs' covariance", symbol=r"\lambda_1",
        ),
        quantity.equal(
            "bulk_edge", Allowance(_second),
            "next orders of the Tracy-Widom shift that is predicted, and of the spike's distance from its threshold",
            help="second largest eigenvalue", symbol=r"\lambda_2",
        ),
        quantity.equal(
            "bulk_distance", Allowance(3, power=-1), "bulk eigenvalues are rigid: off by a few times 1/d",
            help="distance of the bulk from its law: Kolmogorov-Smirnov, without the largest eigenvalue",
        ),
        quantity.equal(
            "alignment", WINDOW, "of order 1/d, and more near the threshold", when=lambda point: point.is_away,
            help="squared cosine with the spike: of the top vector", symbol=r"\langle v_1, \mu\rangle^2",
        ),
        quantity.equal(
            "target_alignment", Allowance(_window_of_target),
            "that of the alignment: beside the spike all directions are alike",
            help="squared cosine with the target: of the top vector",
            symbol=r"\langle v_1, \beta\rangle^2", when=lambda point: point.is_away,
        ),
        quantity.equal(
            "upper_alignment", 2 * WINDOW + Allowance(2, power=-1),
            "what the top vector takes is missing in the bulk, spread over d/2 vectors",
            symbol=r"d \langle v, \mu\rangle^2",
            help="d times the squared cosine with the spike, mean over the upper half of the bulk",
            when=lambda point: point.is_away,
        ),
    )  # fmt: skip
    views = (
        view.Spectrum("inputs", "eigenvalue of the inputs", title="bulk and spike", seeds=64),
        view.Curve(
            "strength_exponent", (-0.3, 0, 0.1, 0.25, 0.5),
            ("spike", "alignment", "target_alignment", "upper_alignment"), seeds=64, title="four samples a dimension",
        ),
        view.Curve(
            "samples_per_dim", (1, 4, 16), ("spike", "alignment", "bulk_distance"), at={"strength_exponent": -0.05},
            seeds=120, log_x=True, title="more samples show weaker spikes",
        ),
    )  # fmt: skip
    presets = {"hidden": {"strength_exponent": -0.3}, "aligned": {"alignment_exponent": 0.0}}
    default_seeds = 12
    engine = "dense"
    convention = "C = X^T X/n; the threshold of theta is sqrt(d/n)"

    @property
    def samples(self) -> int:
        return round(self.samples_per_dim * self.d)

    @property
    def ratio(self) -> float:
        """c = d/n."""
        return self.d / self.samples

    @property
    def law(self) -> Spiked:
        return Spiked(strength_exponent=self.strength_exponent, alignment_exponent=self.alignment_exponent)

    @property
    def theta(self) -> float:
        return self.law.theta(self.d)

    @property
    def is_away(self) -> bool:
        """Whether the spike is not in the critical window."""
        return abs(self.theta / sqrt(self.ratio) - 1) >= NEAR

    @property
    def is_beside(self) -> bool:
        """Whether the spike's eigenvalue stands clear of the bulk."""
        return self.is_away and self.theta > sqrt(self.ratio)

    @property
    def second_eigenvalue(self) -> float:
        """The mean of the bulk's largest eigenvalue, or of its second one where the spike is lost in it."""
        deeper = 1 if self.theta > sqrt(self.ratio) else SECOND_TRACY_WIDOM
        return finite_edge(self.samples, self.d).limit ** 2 - deeper * _shift(self)

    def predict(self) -> Prediction:
        spike, bulk, rho = covariance_spike(self.theta, self.ratio), MarchenkoPastur(self.ratio, "columns"), self.rho
        by_chance = (1 - spike.alignment) * (1 - rho**2) / (self.d - 1)
        return Prediction(
            {
                "spike": spike.eigenvalue,
                "bulk_edge": self.second_eigenvalue,
                "bulk_distance": 0.0,
                "alignment": spike.alignment,
                "target_alignment": spike.alignment * rho**2 + by_chance,
                "upper_alignment": upper_alignment(self.theta, self.ratio),
            },
            regime="n and d to infinity in proportion",
            thresholds={"strength_exponent": log(self.ratio) / (2 * log(self.d))},
            densities={"inputs": Density.of(bulk, (spike.eigenvalue,) if spike.supercritical else ())},
        )

    @property
    def rho(self) -> float:
        """<mu, beta>."""
        return self.law.rho(self.d)

    def measure(self, run: Run) -> Measurement:
        x = self.law.draw(run.streams.child("inputs").generator(), self.samples, self.d)
        values, vectors = np.linalg.eigh(x.T @ x / self.samples)
        squares = (self.law.direction(self.d) @ vectors) ** 2
        found = {
            "spike": float(values[-1]),
            "bulk_edge": float(values[-2]),
            "bulk_distance": distance_to_law(values[:-1], MarchenkoPastur(self.ratio, "columns").cdf),
            "alignment": float(squares[-1]),
            "target_alignment": float(vectors[0, -1] ** 2),
            "upper_alignment": float(self.d * np.mean(squares[self.d // 2 : -1])),
        }
        return Measurement(found, spectra={"inputs": values})

    def cost(self) -> Cost:
        n, d = float(self.samples), float(self.d)
        return Cost(2 * n * d**2 + 12 * d**3 + 20 * n * d, 8 * (n * d + 4 * d**2) + 2e7, 12 * d**3)
