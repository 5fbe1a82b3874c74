"""[dxgtezlk25] the risk of quadratic networks is a power of the samples, whose exponent the decay decides."""

from __future__ import annotations

from typing import Literal

from giantstep.claims import Allowance, Hypothesis, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.quadratic._quadratic import QuadraticClaim, scarce
from giantstep.errors import InputError
from giantstep.theory.sensing.quadratic import edge_decay, first_samples, sample_scaling

EDGE = {"rule": "edge", "noise": 0.5, "decay": 1.0, "samples": 12_800}
START = {"decay": 16.0, "samples": 1000}
NARROW = {"neurons": 2, "decay": 0.1, "noise": 0.3, "samples": 6000}
LITTLE = 5.0  # times the samples of the start, from which on a power law is seen


def _falls(point: Scaling) -> bool:
    """Beyond the start, with neurons left over, and with a decay that rules: as a power of n."""
    free = point.limit.used < 0.9 * min(point.neurons, point.d) and point.spectrum_exponent > 0.5
    if point.rule == "edge":
        return free and point.noise > 0
    return free and point.samples >= LITTLE * point.first and point.limit.threshold > point.limit.noise_edge


def _stays(point: Scaling) -> bool:
    """Well before the start, or with what the neurons cannot hold as nine tenths of the risk."""
    rest = float((point.truth[point.neurons :] ** 2).sum()) / point.d
    return point.samples <= 0.7 * point.first or rest > 0.9 * point.limit.risk


@named(
    "quadratic/scaling",
    kind="theorem",
    cite="dxgtezlk25",
    where="phase diagram of the excess risk; exponents derived from its state evolution",
)
class Scaling(QuadraticClaim):
    """The risk of a quadratic network falls as a power of the samples; noise, kept out by decay, halves the exponent.

    The truth has eigenvalues k^(-gamma), learned from the largest on as samples grow. A fixed decay (`rule` fixed)
    hides those below decay d^2/(4 n), so that the risk is 1 until the first one appears, then falls like
    n^(-(2 - 1/gamma)) until noise enters. A decay that grows with the noise (`edge`: decay times 4 noise sqrt(n)/d)
    keeps all noise out and no more, and the risk falls like n^(-(1 - 1/(2 gamma))). Networks of few neurons stay at
    the eigenvalues that they have no neuron for.
    """

    d: int = parameters.dimension(64, le=500)
    samples: int = parameters.samples(9600, le=10**7)
    neurons: int = parameters.neurons(24, help="neurons, more than eigenvalues are learned", symbol="r", le=10**5)
    noise: float = parameters.noise(0.0, symbol=r"\sqrt{\Delta}", le=10)
    decay: float = parameters.decay(4.0, help="weight decay, of the squared weights over d; times rule's")
    spectrum_exponent: float = parameters.spectrum_exponent(1.5)
    rule: Literal["fixed", "edge"] = parameters.own(
        "fixed", "whether the decay is that of `decay`, or that times 4 noise sqrt(n)/d"
    )

    quantities = (
        quantity.equal(
            "risk", Allowance(scarce, of="prediction").times(6) + Allowance(1e-6),
            "next order in d/n: few eigenvectors are learned, and samples along them are unlike others; its number is "
            "measured: 1 to 8 at n = 75 d to 800 d",
            help="squared distance from the truth, over d", symbol=r"|S - S_*|^2/d",
        ),
        quantity.slope(
            "risk", "samples", lambda point: sample_scaling(max(0.51, point.spectrum_exponent), point.rule), 0.12,
            "few eigenvalues are learned, and they come one by one",
            help="a power of the samples", when=_falls,
        ),
        quantity.slope(
            "risk", "samples", 0, 0.07, "what is learned is learned ever better",
            help="no change while nothing is learned, or when all neurons are used", when=_stays,
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis("samples are many times d: residuals average", lambda point: point.samples >= 10 * point.d),
    )
    views = (
        view.Curve("samples", (4800, 9600, 19_200, 38_400), ("risk",), log_x=True, log_y=True, title="a fixed decay"),
        view.Curve(
            "samples", (6400, 12_800, 25_600, 51_200), ("risk",), at=EDGE, log_x=True, log_y=True,
            title="a decay that follows the noise",
        ),
        view.Curve(
            "samples", (800, 1400, 9000, 18_000), ("risk",), at=START, log_x=True, log_y=True,
            title="more decay: nothing at first",
        ),
        view.Curve(
            "samples", (3000, 6000, 12_000), ("risk",), at=NARROW, log_x=True, log_y=True,
            title="two neurons: no more than two eigenvalues",
        ),
    )  # fmt: skip
    presets = {"edge": EDGE, "start": START, "narrow": NARROW}
    default_seeds = 10
    line_places = 9

    @property
    def penalty(self) -> float:
        return self.decay * (edge_decay(self.d, self.samples, self.noise) if self.rule == "edge" else 1.0)

    @property
    def first(self) -> float:
        """Samples from which on the largest eigenvalue is learned."""
        return first_samples(self.d, self.penalty, float(self.truth[0]))

    def check(self) -> None:
        super().check()
        if self.rule == "edge" and not self.noise > 0:
            raise InputError("rule = edge follows the noise; take a noise above 0")

    def predict(self) -> Prediction:
        limit = self.limit
        told = (
            f"{limit.used:.3g} eigenvalues are learned, above {max(limit.threshold, limit.noise_edge):.3g} of "
            f"{self.truth[0]:.3g}; the first one from n = {self.first:.4g} on"
        )
        threshold = {"samples": self.first} if self.rule == "fixed" else {}
        return Prediction(
            {"risk": limit.risk}, "d, n to infinity with n/d^2 fixed; exponents while 1 << K << d", (told,),
            thresholds=threshold,
        )  # fmt: skip

    def measure(self, run: Run) -> Measurement:
        return Measurement({"risk": self.risk_of(self.fitted(run))})
