"""[nosw24] the rate of Langevin dynamics, and the bound on it, are exponential in the inverse temperature."""

from __future__ import annotations

from math import ceil, log

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_much_work
from giantstep.errors import InputError
from giantstep.learners.meanfield import sides
from giantstep.theory.meanfield import Wells

COOLER = 0.6  # the temperature next to which the barrier is seen
EARLY, LATE = 0.4, 1.2  # in units of one over the gap: between them the decay is seen
SETTLED = 3.0  # time in which a well is filled
LEAST = 1.0  # barrier over temperature from which on wells are wells
MOST_WORK = 1e12


def _scheme(point: LogSobolev) -> float:
    """2 h^2 (1 + barrier/lambda), of a scheme of second order whose error enters the exponent."""
    return 2 * point.step**2 * (1 + point.wells.barrier / point.temperature)


def _next_order(point: LogSobolev) -> float:
    """lambda^2, and the errors of both rates: the prefactor changes by a relative order lambda."""
    between = (1 / COOLER - 1) / point.temperature
    return point.temperature**2 + 2 * _scheme(point) / between


@named(
    "meanfield/log-sobolev",
    kind="theorem",
    cite="nosw24",
    version=2,
    where="talk on [mws23], slide 'Analysis: Mean-field Langevin Dynamics', log-Sobolev constant",
    finding=(
        "The exponential is real, not a weakness of the proof, as soon as the potential has a barrier: the rate falls "
        "like exp(-barrier/lambda). But the exponent of the bound is the whole oscillation A of the bounded part, that "
        "of the rate its barrier alone, here 0.40 A; without one the rate hardly depends on lambda "
        "(meanfield/particles)."
    ),
)
class LogSobolev(Claim):
    """Noisy descent converges at least at its log-Sobolev rate, which like the true one is exponential in 1/lambda.

    Particles in V = r w^2/2 + A exp(-w^2/2), a penalty and a bounded neuron's part as in mean-field Langevin dynamics,
    for a functional that is linear in their law: their limit is exact. All start in the right well; `decay_rate` is
    the rate at which the mean sign falls, against the spectral gap of the dynamics; `rate_bound` the bound
    r exp(-A/lambda) of Holley and Stroock, below it; and `activation_energy` is -d ln(rate)/d(1/lambda), against the
    barrier.
    """

    bump: float = parameters.own(1.0, "height of the bounded part of the potential", symbol="A", gt=0, le=10)
    neurons: int = parameters.neurons(1000, help="particles", symbol="N", ge=10, le=10**6)
    temperature: float = parameters.temperature(0.2, ge=0.01)
    ridge: float = parameters.ridge(0.25, help="penalty on squared weights", symbol="r", path=False, ge=1e-2, le=10)
    step: float = parameters.step(0.1, help="step size of the dynamics", symbol="h", ge=1e-3, le=0.3)

    quantities = (
        quantity.equal(
            "decay_rate", Allowance(_scheme, of="prediction"), "the scheme's second order in the step",
            help="rate at which the side of the start is forgotten", symbol=r"\mathrm{gap}",
        ),
        quantity.at_least(
            "rate_bound", 0, "an inequality at every temperature",
            help="the same rate, and what its log-Sobolev bound promises", symbol=r"r e^{-A/\lambda}",
        ),
        quantity.equal(
            "activation_energy", Allowance(_next_order), "the next order in lambda, and the scheme's errors",
            help="height of the barrier: -d ln(rate)/d(1/lambda), between lambda and 0.6 lambda", symbol=r"\Delta V",
            when=lambda point: point.wells.barrier >= LEAST * point.temperature,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "temperature", (0.16, 0.2, 0.3), ("decay_rate", "activation_energy"), seeds=72, log_y=True,
            title="the rate is exponential in one over the temperature",
        ),
        view.Curve(
            "temperature", (0.16, 0.3), ("decay_rate",), bounds=("rate_bound",), seeds=72, log_y=True,
            title="far above its bound",
        ),
        view.Curve("bump", (0.75, 1, 1.25), ("decay_rate", "activation_energy"), seeds=72, title="height of the bump"),
    )  # fmt: skip
    presets = {"cold": {"temperature": 0.14}, "flat": {"bump": 0.6}}
    default_seeds = 72
    engine = "particles"
    convention = "dw = -V' dt + sqrt(2 lambda) dB"

    def check(self) -> None:
        if self.bump <= self.ridge:
            raise InputError(f"bump = {self.bump:g} is not allowed; two wells need one above ridge = {self.ridge:g}")
        refuse_much_work("dynamics", self.cost().flops, MOST_WORK, "neurons, or raise temperature")

    @property
    def wells(self) -> Wells:
        return Wells(self.ridge, self.bump, self.temperature)

    @property
    def cooler(self) -> Wells:
        return Wells(self.ridge, self.bump, COOLER * self.temperature)

    def times(self, wells: Wells) -> tuple[int, int]:
        """Steps between which the decay is seen: after a well is filled, and about one over the gap apart."""
        return tuple(ceil((SETTLED + part / wells.gap) / self.step) for part in (EARLY, LATE))  # type: ignore[return-value]

    def predict(self) -> Prediction:
        wells = self.wells
        return Prediction(
            {"decay_rate": wells.gap, "rate_bound": wells.bound, "activation_energy": wells.barrier},
            regime="any temperature; the activation energy for small ones",
            notes=(f"the bound is {wells.bound:.3g}, the gap {wells.gap / wells.bound:.3g} times as large",),
        )

    def measure(self, run: Run) -> Measurement:
        rate, slower = (self.rate(wells, run) for wells in (self.wells, self.cooler))
        if rate is None or slower is None:
            return Measurement({} if rate is None else {"decay_rate": rate, "rate_bound": rate})
        energy = log(rate / slower) / ((1 / COOLER - 1) / self.temperature)
        return Measurement({"decay_rate": rate, "rate_bound": rate, "activation_energy": energy})

    def rate(self, wells: Wells, run: Run) -> float | None:
        """Of exponential decay between the two times; None if few particles are all over already."""
        early, late = self.times(wells)
        streams = run.streams.child(f"particles at {wells.temperature:.6g}")
        before, after = sides(self.neurons, self.step, self.ridge, self.bump, wells.temperature, (early, late), streams)
        return log(before / after) / ((late - early) * self.step) if before > after > 0 else None

    def cost(self) -> Cost:
        steps = sum(self.times(wells)[1] for wells in (self.wells, self.cooler))
        return Cost(120.0 * steps * self.neurons, 80.0 * self.neurons + 1e7)
