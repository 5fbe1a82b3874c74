"""[nosw24] interacting particles against their mean-field limit: errors, free energy, entropy sandwich."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from operator import attrgetter
from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim, Computed, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.meanfield._limit import known_law, labelled_points
from giantstep.claims.refusals import refuse_much_work
from giantstep.errors import InputError
from giantstep.learners.meanfield import Cloud, ParticleStart, ParticleTask, entropy_bias, particle_clouds
from giantstep.theory.meanfield import MeanField, MeanFieldLaw
from giantstep.verdicts.stating import Curve, Value

MOST_WORK, FEWEST_COPIES = 1e14, 8
FEWEST_NEURONS = 16  # from which on errors of nonlinear neurons are said
WIDER = 4  # the local exponent is taken between N and four times N
GAUSSIAN = {"activation": "z", "target": "x1", "samples": 1, "reach": 1.0, "ridge": 0.5, "temperature": 0.2}
ERRORS, SANDWICH = ("particle_error", "independent_error"), ("sandwich_low", "free_energy", "sandwich_high")
TOGETHER: dict[str, Any] = {"together": True, "log_y": True}
DISTANCES = {**TOGETHER, "y_label": "squared distance from the limit"}
NEXT = "the next order in 1/N, and Euler steps, whose error is of order step times the rate at which outputs answer"
ENTROPY = "the next order in 1/N, Euler steps, and the entropy of finitely many spacings"
KL, DRAWS = r"\lambda\,\mathrm{KL}", "3/N + h (a + r)/2"
IS_WIDE, IS_SEEN = attrgetter("is_wide"), attrgetter("is_seen")


def _energy(point: Particles, predicted: float) -> float:
    """4/N + h (a + r)/2 of the prediction, and the temperature times the error of an entropy from spacings."""
    spacing = 2 * entropy_bias(point.particles) + 1 / point.neurons**2
    return (4 / point.neurons + point.drift / 2) * abs(predicted) + point.temperature * spacing


@named(
    "meanfield/particles",
    kind="theorem",
    cite="nosw24",
    version=2,
    where="talk on [mws23], slide 'Analysis: Mean-field Langevin Dynamics', after [nws22], [chizat22] and [swn23]",
    finding=(
        "Propagation of chaos says that particles become independent, and the error is c/N at all times; but c is not "
        "that of independent draws of the limit law: particles correct each other, here by a factor of 2.3 at t = 5, "
        "for linear neurons lambda/(1 + r) instead of lambda/r. The constant follows from the equation linearised "
        "around the limit. The decay of the free energy hardly depends on the temperature here, while the log-Sobolev "
        "bound on it, exponential in 1/lambda, is from 10^2 to 10^17 times smaller."
    ),
)
class Particles(Claim):
    """N neurons trained by noisy gradient descent stay within 1/sqrt(N) of a flow of laws whose free energy falls.

    f = (1/N) sum_i sigma(w_i x) learns n points; its weights follow dw = -V'(w) dt + sqrt(2 lambda) dB, V = dF/dmu of
    the squared loss plus (r/2) E w^2. For N to infinity their law solves a Fokker-Planck equation, the gradient flow of
    F_lambda = F + lambda int mu log mu. `particle_error` is the distance of networks from that limit, with slope -1 in
    N and the constant of the linearised equation; `independent_error` what independent draws of the limit law would
    give. `free_energy` above its minimum, estimated from all particles (entropy by spacings), falls along the
    equation's curve, between lambda KL(mu | rest) and lambda KL(mu | Gibbs(mu)). Linear neurons (activation z) stay
    Gaussian: theory is exact there for every N and step.
    """

    activation: parameters.Activation = parameters.activation("tanh")
    target: parameters.Target = parameters.target("tanh(2*x1)")
    samples: int = parameters.samples(4, help="data points, evenly spaced", ge=1, le=64)
    reach: float = parameters.own(3.0, "the largest input; the smallest is reach/samples", gt=0, le=100)
    neurons: int = parameters.neurons(128, help="neurons, that is particles of one network", symbol="N", ge=2, le=10**5)
    temperature: float = parameters.temperature(0.05, ge=1e-3, le=10)
    ridge: float = parameters.ridge(0.1, help="penalty on squared weights", symbol="r", path=False, ge=1e-2, le=10)
    scale: float = parameters.scale(1.0, help="standard deviation of the start", ge=0.05)
    step: float = parameters.step(0.05, help="step size of the dynamics", symbol="h", ge=1e-4, le=1)
    time: float = parameters.own(5.0, "time: steps times step size", symbol="t", path=True, gt=0, le=200)
    particles: int = parameters.own(16384, "particles in all copies of the network together", ge=256, le=10**7)

    quantities = (
        quantity.equal(
            "particle_error", Computed(lambda p, y: (p.next_order(4.0) + p.drift) * y, "4/N + h (a + r), relative"),
            NEXT + "; nothing for linear neurons",
            help="squared distance of the outputs from those of the limit, mean over data points",
            symbol=r"E|f_N - f|^2", when=IS_WIDE,
        ),
        quantity.slope(
            "particle_error", "neurons", -1.0, Computed(lambda p, _: 0.01 + p.next_order(1.7), "0.01 + 1.7/N"),
            "the next order in 1/N, at the smallest width; a logarithm of few copies", help="its exponent in N",
            when=IS_WIDE,
        ),
        quantity.equal(
            "particle_slope", Computed(lambda p, _: 0.005 + p.next_order(2.2), "0.005 + 2.2/N"),
            "the next order in 1/N; a logarithm of few copies", help="its exponent between N and 4 N", when=IS_WIDE,
        ),
        quantity.equal(
            "independent_error",
            Computed(lambda p, y: (3 / p.neurons + p.drift / 2) * y, f"{DRAWS} of the prediction"), NEXT,
            help="what independent draws of the limit law would err", symbol=r"\mathrm{Var}_\mu h/N",
        ),
        *quantity.equals(
            {
                "free_energy": ("free energy above its minimum", r"F_\lambda(\mu_t) - F_\lambda(\mu^*)"),
                "sandwich_low": ("divergence from the limit's rest", KL + r"(\mu_t|\mu^*)"),
                "sandwich_high": ("divergence from its own Gibbs measure", KL + r"(\mu_t|\mathrm{Gibbs}(\mu_t))"),
            },
            _energy, ENTROPY, when=IS_SEEN,
        ),
        quantity.decreasing("free_energy", "time", "no allowance is needed", help="and it falls", when=IS_SEEN),
        quantity.reported("sandwich_slack", help="distance of the free energy from the nearer one: 0 or more, always"),
        quantity.equal(
            "decay_rate",
            Computed(lambda p, _: 2 * p.energy_share / (p.steps * p.step / 2), "4/t of the free energy's share"),
            ENTROPY, help="decay rate of the free energy: over the second half of the time", when=IS_SEEN,
        ),
        quantity.at_least("decay_margin", 0, "much room", help="the same over its log-Sobolev bound", when=IS_SEEN),
        quantity.reported("rate_bound", help="rate that log-Sobolev constants promise: of the Gibbs measures passed"),
        quantity.equal(
            "density", Computed(lambda p, _: (3 / p.neurons + p.drift / 2) * p.law.peak, f"{DRAWS} of the largest one"),
            NEXT, help="density of the particles",
        ),
    )  # fmt: skip
    views = (
        view.Curve("neurons", (16, 48, 128), ERRORS, log_x=True, title="tanh neurons, t = 5", **DISTANCES),
        view.Curve(
            "neurons", (2, 16, 128), ("particle_error",), bounds=("independent_error",), log_x=True, log_y=True,
            at=GAUSSIAN, title="linear neurons: exact for every N",
        ),
        view.Curve("time", (1, 2, 5, 10, 20), ERRORS, title="errors stay bounded for all times", **DISTANCES),
        view.Curve("time", (1, 2, 5, 10), SANDWICH, title="it falls, sandwiched", y_label="free energy", **TOGETHER),
        view.Time(("density",), by="time", by_values=(1, 5, 20), title="the law of the weights"),
        view.Curve(
            "temperature", (0.02, 0.05, 0.2), ("decay_rate",), bounds=("rate_bound",), log_x=True, log_y=True,
            title="decay, far above its bound",
        ),
        view.Curve("step", (0.05, 0.5, 0.9), ("particle_error",), at={**GAUSSIAN, "neurons": 16},
            title="linear neurons: steps add noise"),
    )  # fmt: skip
    presets = {"gaussian": GAUSSIAN, "cold": {"temperature": 0.02}, "late": {"time": 20.0}}
    default_seeds = 24
    line_places = 13
    engine = "particles"
    convention = "loss (1/2n) sum (f - y)^2, f the mean of neurons, N times the gradient by one of them"

    def check(self) -> None:
        if self.target.directions > 1:
            raise InputError(f"target = {self.target} is not allowed; inputs are numbers, it must be a function of x1")
        self.model.check(self.step)
        if self.time < 2 * self.step:
            raise InputError(f"time = {self.time:g} is not allowed; it must be at least two steps of {self.step:g}")
        needed = WIDER * FEWEST_COPIES * self.neurons
        if self.particles < needed:
            networks = f"{FEWEST_COPIES} networks of {WIDER} N neurons"
            raise InputError(f"particles = {self.particles} is not allowed; {networks} need at least {needed}")
        refuse_much_work("dynamics", self.cost().flops, MOST_WORK)

    @property
    def steps(self) -> int:
        """An even number, so that half the time is a whole number of steps too."""
        return 2 * round(self.time / (2 * self.step))

    @property
    def model(self) -> MeanField:
        """The setting of the limit: points x_k = reach k/n and their labels."""
        points = labelled_points(self.target, self.samples, self.reach)
        return MeanField(self.activation, *points, self.ridge, self.temperature, self.scale)

    @property
    def law(self) -> MeanFieldLaw:
        return known_law(self.model, self.step, self.steps)

    def next_order(self, constant: float) -> float:
        """Errors are c/N (1 + b/N + ...): b is 1.5 to 4 (measured at N = 8, 16, 64); linear neurons have none."""
        return 0.0 if self.model.is_linear else constant / self.neurons

    @property
    def drift(self) -> float:
        """What steps may change fluctuations by: twice h (a + r)/2, which for linear neurons is part of the theory."""
        return 0.0 if self.model.is_linear else self.step * (self.law.response + self.ridge)

    @property
    def energy_share(self) -> float:
        """What finite size may move the free energy by, as a share of it."""
        return _energy(self, self.law.free_energy) / max(self.law.free_energy, 1e-300)

    @property
    def is_wide(self) -> bool:
        """Whether 1/N is small enough to speak of its leading order."""
        return self.model.is_linear or self.neurons >= FEWEST_NEURONS

    @property
    def is_seen(self) -> bool:
        """Whether the free energy is far enough above its minimum to be seen in particles, which sit in few wells."""
        return self.energy_share < 0.25 and self.model.has_few_wells

    def predict(self) -> Prediction:
        law = self.law
        values: dict[str, Value] = {
            "particle_error": law.particle_error / self.neurons,
            "particle_slope": -1.0,
            "independent_error": law.independent_error / self.neurons,
            **dict(zip(SANDWICH, (law.sandwich[0], law.free_energy, law.sandwich[1]), strict=True)),
            "rate_bound": law.rate_bound,
            "density": _density(*law.histogram()),
        }
        if self.is_seen:
            values |= {"decay_rate": law.decay_rate, "decay_margin": 1.0}
        regime = "any N, any step: exact" if self.model.is_linear else "N to infinity, steps to zero, any time"
        ratio = law.independent_error / law.particle_error
        return Prediction(values, regime, (f"independent draws of the limit would err {ratio:.3g} times as much",))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, model = points[0], points[0].model
        data = np.array(model.inputs), np.array(model.labels)
        task = ParticleTask(first.activation, *data, first.ridge, first.temperature)
        starts = [ParticleStart(first.particles // n, n, first.scale) for n in (first.neurons, WIDER * first.neurons)]
        looks = sorted({steps for p in points for steps in (p.steps // 2, p.steps)})
        narrow, wide = (
            particle_clouds(task, start, first.step, looks, run.streams.child(name))
            for start, name in zip(starts, ("network", "wider network"), strict=True)
        )
        return [p.measured(narrow[p.steps // 2], narrow[p.steps], wide[p.steps]) for p in points]

    def measured(self, before: Cloud, now: Cloud, wide: Cloud) -> Measurement:
        law = self.law
        (half, _, _), (energy, low, high) = (cloud.energies(law.rest_outputs) for cloud in (before, now))
        edges, _ = law.histogram()
        values: dict[str, Value] = {
            "particle_error": float(now.squared_errors(law.outputs).mean()),
            "particle_slope": (wide.log_error(law.outputs) - now.log_error(law.outputs)) / log(WIDER),
            "independent_error": now.variance / self.neurons,
            "free_energy": energy,
            "sandwich_low": low,
            "sandwich_high": high,
            "sandwich_slack": min(energy - low, high - energy),
            "density": _density(edges, now.shares(edges)),
        }
        if min(energy, half) > 0:
            rate = log(half / energy) / (self.steps * self.step / 2)
            values |= {"decay_rate": rate, "decay_margin": rate / law.rate_bound}
        return Measurement(values)

    def cost(self) -> Cost:
        one = 2.0 * self.steps * self.particles * (180 * self.samples + 250)
        look = 5e8 + 3000.0 * self.particles * self.samples
        return Cost(one + look, 24.0 * self.particles * (self.samples + 4) + 2e7, look)


def _density(edges: Array, masses: Array) -> Curve:
    return Curve((edges[1:] + edges[:-1]) / 2, masses / np.diff(edges), "weight w")
