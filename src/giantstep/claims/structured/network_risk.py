"""[bes23] what one step and a head predict: the spike they need, whatever the degree, and why with biases."""

from __future__ import annotations

import math

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_strong_spike
from giantstep.claims.sizes import count
from giantstep.claims.structured._spiked import SpikedClaim
from giantstep.errors import InputError
from giantstep.learners.training import spiked

STRONGEST = 0.6
LARGER = 4  # times the dimension: the exponent of a threshold is taken from d to this
DATA_SETS = 7  # of whose risks the median is to be one half: some never see their spike
ISOTROPIC = 0.01  # spikes below this are none
MARGIN = 0.15  # above the threshold's exponent: from here on the risk is said to fall with d
SQUARE, CUBE = "He2(x1)/sqrt(2)", "He3(x1)/sqrt(6)"
QUARTIC, MIXED = "(He2(x1)/sqrt(2) + He4(x1)/sqrt(24))/sqrt(2)", "(x1 + He3(x1)/sqrt(6))/sqrt(2)"
HALF = {"halving": True, "d": 48, "neuron_exponent": 0.9}
PROPORTIONAL = {"target": MIXED, "strength_exponent": -2, "d": 32, "neuron_exponent": 1.3, "samples_per_dim": 32}


@named(
    "structured/network-risk",
    kind="theorem",
    cite="bes23",
    version=2,
    where="slides 'Sufficient Condition for NN+GD' (width d^eps, whatever p), 'Neural Network Learnability' (biases), "
    "'Prior Results: Isotropic Data' (k = 1)",
    finding=(
        "theta >> d^(1 - 1/k) is enough for a small risk, and more than enough: from d = 48 to 192 the strength that "
        "halves the risk of He2 grows like d^0.05 rather than d^(1/2), a bound that is loose by 0.45 in the exponent, "
        "and with degree 4 beside it falls like d^(-1/2), a bound that is loose by 1. Without "
        "biases a ReLU network is a linear function plus an even one: its risk is at least the target's odd part of "
        "degree 3 and more, whatever the spike, the samples and the width."
    ),
)
class NetworkRisk(SpikedClaim):
    """One step and a head predict targets of exponent k from theta >> d^(1 - 1/k) on, with N = d^eps biased neurons.

    Half of n = psi d samples give the step of a ReLU network, half its ridge head; risks are exact expectations.
    `risk` falls with d for a spike beyond the threshold, with few neurons; without a spike it falls with n/d if k = 1.
    `risk_exponent` is the growth from d to 4 d of the strength that halves the risk, at most 1 - 1/k whatever the
    degree p. `risk_unbiased` is the risk without biases, at least |P_odd f*|^2 without its linear part.
    """

    target: parameters.Target = parameters.target(SQUARE)
    d: int = parameters.dimension(64, le=4000)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\psi = n/d", ge=1, le=1000)
    strength_exponent: float = parameters.strength_exponent(0.7)
    neuron_exponent: float = parameters.neuron_exponent(0.75, symbol=r"\epsilon,\ N = d^\epsilon", le=2)
    halving: bool = parameters.own(False, "search the strength that halves the risk instead of the risk itself")

    quantities = (
        quantity.decreasing(
            "risk", "d", "no allowance is needed: the theorem's limit is 0",
            help="risk after one step and a head, a spike beyond the threshold", symbol=r"\mathcal{R}",
            when=lambda point: point.measured and point.is_beyond,
        ),
        quantity.decreasing(
            "risk", "strength_exponent", "no allowance is needed", help="a larger spike is easier",
            when=lambda point: point.measured and point.strength_exponent >= 0,
        ),
        quantity.decreasing(
            "risk", "samples_per_dim", "no allowance is needed", help="k = 1: n ~ d samples are enough",
            when=lambda point: point.measured and point.exponent == 1,
        ),
        quantity.slope(
            "risk", "samples_per_dim", -1.0, 0.3,
            "the errors of the direction and of the head are of order d/n and N/n, with second orders at the "
            "fewest samples, and a floor of N kinks",
            help="without a spike, k = 1: the risk vanishes like d/n",
            when=lambda point: point.measured and point.exponent == 1 and point.is_isotropic,
        ),
        quantity.at_least(
            "risk_unbiased", Allowance(0), "an inequality at every size",
            help="risk without biases: at least the odd part beyond degree 1", symbol=r"\mathcal{R}_{b=0}",
            when=lambda point: point.measured,
        ),
        quantity.at_most(
            "risk_exponent", Allowance(0), "a loose bound: kept by 0.45 for He2, and by 1 with degree 4 beside it",
            help="exponent of the strength that halves the risk, from d to 4 d", symbol="1 - 1/k",
            when=lambda point: point.halved, is_exponent=True,
        ),
        quantity.reported("theta_risk", help="strength that halves the risk", symbol=r"\theta_{1/2}"),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (32, 64, 128, 256), ("risk",), by="neuron_exponent", by_values=(0.6, 0.8), seeds=32, log_x=True,
            log_y=True, title="k = 2, theta = d^0.7: N = d^0.6, d^0.8 neurons are enough",
        ),
        view.Curve(
            "d", (32, 128), ("risk",), by="target", by_values=(SQUARE, QUARTIC), seeds=40, log_x=True, log_y=True,
            title="k = 2, degrees 2 and 4",
        ),
        view.Curve(
            "strength_exponent", (0.2, 0.45, 0.7), ("risk", "risk_unbiased"), by="target", by_values=(CUBE, MIXED),
            seeds=16, at={"d": 128}, log_y=True, title="with and without biases",
        ),
        view.Curve(
            "samples_per_dim", (32, 64, 128), ("risk",), at=PROPORTIONAL, seeds=48, log_x=True, log_y=True,
            title="no spike, k = 1, p = 3",
        ),
        view.Curve(
            "samples_per_dim", (4,), ("risk_exponent",), by="target", by_values=(SQUARE, QUARTIC), seeds=28, at=HALF,
            title="threshold of the risk, k = 2",
        ),
    )  # fmt: skip
    presets = {
        "k2p4": {"target": QUARTIC},
        "k3p3": {"target": CUBE, "strength_exponent": 0.8},
        "half": HALF,
        "proportional": PROPORTIONAL,
    }
    default_seeds = 24
    engine = "dense"
    convention = "as in structured/network-threshold; N = d^eps, rounded, and at least 4"

    def check(self) -> None:
        super().check()
        if not self.simulated:
            raise InputError(f"n = {self.samples} samples or d = {self.d} are too many to simulate; lower one of them")
        if not self.exponent:
            raise InputError(f"target = {self.target} is not allowed; it must not be constant")
        if self.halving and self.exponent < 2:
            raise InputError("halving needs a target without linear part, such as He2(x1)")
        if not self.halving:
            refuse_strong_spike(self.theta, self.d, STRONGEST)

    @property
    def exponent(self) -> int:
        """k."""
        return self.target.information_exponent or 0

    @property
    def threshold(self) -> float:
        """1 - 1/k."""
        return 1 - 1 / self.exponent

    @property
    def is_beyond(self) -> bool:
        """Whether the spike is clearly beyond its threshold."""
        return self.strength_exponent >= self.threshold + MARGIN

    @property
    def is_isotropic(self) -> bool:
        return self.theta <= ISOTROPIC

    def neurons_in(self, d: int) -> int:
        """d^eps."""
        return count(1.0, d, self.neuron_exponent, least=4)

    @property
    def odd_floor(self) -> float:
        """|P_odd f*|^2 without the linear part."""
        return float(sum(float(self.target.energy(j)) for j in range(3, (self.target.degree or 0) + 1, 2)))

    def predict(self) -> Prediction:
        regime = "n and d large in proportion, theta beyond its threshold"
        if self.halving:
            return Prediction({"risk_exponent": self.threshold}, regime)
        return Prediction({"risk_unbiased": self.odd_floor}, regime, thresholds={"strength_exponent": self.threshold})

    def measure(self, run: Run) -> Measurement:
        if not self.halving:
            setting = (self.problem, self.samples, self.neurons_in(self.d))
            risk = spiked.spiked_network_risk(*setting, run.streams.child("biased"))
            without = spiked.spiked_network_risk(*setting, run.streams.child("unbiased"), biases=False)
            return Measurement({"risk": risk, "risk_unbiased": without})
        near, far = (self.half(d, run) for d in (self.d, LARGER * self.d))
        return Measurement({"theta_risk": near, "risk_exponent": math.log(far / near) / math.log(LARGER)})

    def half(self, d: int, run: Run) -> float:
        """The strength that halves the risk in dimension d."""
        point = self.replace(d=d)
        ends, streams = (0.05, 10.0 * d), run.streams.child(f"d = {d}")
        return spiked.half_risk_of(point.problem, point.samples, self.neurons_in(d), streams, ends, DATA_SETS)

    def cost(self) -> Cost:
        d = LARGER * self.d if self.halving else self.d
        n, width = self.samples_per_dim * d, float(self.neurons_in(d))
        one = 8 * n * d * width + 4 * n * width**2 + 3e4 * width**2
        return Cost(one * (20 * DATA_SETS if self.halving else 2), 24 * n * (d + width) + 3e7)
