"""[nosw24] interacting particles against their mean-field limit: errors, free energy, entropy sandwich."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Self

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Curve, Measurement, Prediction, Run, Value, named, quantity, view
from giantstep.claims.meanfield._line import WIDER, LineClaim, energy_allowance
from giantstep.learners.meanfield import (
    InteractingParticles,
    ParticleStart,
    ParticleState,
    ParticleTask,
    entropy,
    free_energy,
    gibbs_divergence,
    gibbs_free_energy,
)
from giantstep.streams import Streams

BINS = 24
GAUSSIAN = {"activation": "z", "target": "x1", "samples": 1, "reach": 1.0, "penalty": 0.5, "temperature": 0.2}

NEXT = "the next order in 1/N, and Euler steps, whose error is of order step times the rate at which outputs answer"
ENTROPY = "the next order in 1/N, Euler steps, and the entropy of finitely many spacings"


def _error_allowance(point: Particles, predicted: float) -> float:
    return (point.next_order(4.0) + point.drift) * predicted


def _independent_allowance(point: Particles, predicted: float) -> float:
    return (3 / point.neurons + point.drift / 2) * predicted


def _is_wide(point: Particles) -> bool:
    return point.is_wide


def _is_seen(point: Particles) -> bool:
    """Whether the free energy is large enough above its minimum to be seen in particles."""
    return point.energy_share < 0.25 and point.has_few_wells


def _rate_allowance(point: Particles, predicted: float) -> float:  # noqa: ARG001
    """Both free energies may be moved by their share; the later one by more."""
    return 2 * point.energy_share / (point.reached / 2)


@named(
    "meanfield/particles",
    kind="theorem",
    cite="nosw24",
    where="talk on [mws23], slide 'Analysis: Mean-field Langevin Dynamics'",
    finding=(
        "Propagation of chaos says that particles become independent, and the error is c/N at all times; but c is not "
        "that of independent draws of the limit law: particles correct each other, here by a factor of 2.3 at t = 5, "
        "for linear neurons lambda/(1 + r) instead of lambda/r. The constant follows from the equation linearised "
        "around the limit. The decay of the free energy hardly depends on the temperature here, while the log-Sobolev "
        "bound on it, exponential in 1/lambda, is from 10^2 to 10^17 times smaller."
    ),
)
class Particles(LineClaim):
    """N neurons trained by noisy gradient descent stay within 1/sqrt(N) of a flow of laws whose free energy falls.

    f = (1/N) sum_i sigma(w_i x) learns n points; its weights follow dw = -V'(w) dt + sqrt(2 lambda) dB, V = dF/dmu of
    the squared loss plus (r/2) E w^2. For N to infinity their law solves a Fokker-Planck equation, the gradient flow of
    F_lambda = F + lambda int mu log mu. `particle_error` is the distance of networks from that limit, with slope -1 in
    N and the constant of the linearised equation; `independent_error` what independent draws of the limit law would
    give. `free_energy` above its minimum, estimated from all particles (entropy by spacings), falls along the
    equation's curve, between lambda KL(mu | rest) and lambda KL(mu | Gibbs(mu)). Linear neurons (activation z) stay
    Gaussian: theory is exact there for every N and step.
    """

    quantities = (
        quantity.equal(
            "particle_error", _error_allowance, NEXT + "; nothing for linear neurons",
            help="squared distance of the outputs from those of the limit, mean over data points",
            symbol=r"E|f_N - f|^2", when=_is_wide,
        ),
        quantity.slope(
            "particle_error", "neurons", -1.0, lambda point, predicted: 0.01 + point.next_order(1.7),
            "the next order in 1/N, at the smallest width; a logarithm of few copies", help="its exponent in N",
            when=_is_wide,
        ),
        quantity.equal(
            "particle_slope", lambda point, predicted: 0.005 + point.next_order(2.2),
            "the next order in 1/N; a logarithm of few copies", help="its exponent between N and 4 N", when=_is_wide,
        ),
        quantity.equal(
            "independent_error", _independent_allowance, NEXT,
            help="what independent draws of the limit law would err", symbol=r"\mathrm{Var}_\mu h/N",
        ),
        quantity.equal(
            "free_energy", energy_allowance, ENTROPY, help="free energy above its minimum",
            symbol=r"F_\lambda(\mu_t) - F_\lambda(\mu^*)", when=_is_seen,
        ),
        quantity.decreasing("free_energy", "time", "no allowance is needed", help="and it falls", when=_is_seen),
        quantity.equal(
            "sandwich_low", energy_allowance, ENTROPY, help="divergence from the limit's rest",
            symbol=r"\lambda\,\mathrm{KL}(\mu_t|\mu^*)", when=_is_seen,
        ),
        quantity.equal(
            "sandwich_high", energy_allowance, ENTROPY, help="divergence from the law's own Gibbs measure",
            symbol=r"\lambda\,\mathrm{KL}(\mu_t|\mathrm{Gibbs}(\mu_t))", when=_is_seen,
        ),
        quantity.reported(
            "sandwich_slack",
            help="the smaller distance of the free energy from the two divergences: not negative for any law",
        ),
        quantity.equal(
            "decay_rate", _rate_allowance, ENTROPY, help="of the free energy, over the second half of the time",
            when=_is_seen,
        ),
        quantity.reported("rate_bound", help="what the log-Sobolev constants of the Gibbs measures on the way promise"),
        quantity.equal(
            "density", lambda point, predicted: (3 / point.neurons + point.drift / 2) * point.law.peak,
            NEXT, help="density of the particles",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "neurons", (16, 48, 128), ("particle_error", "independent_error"), together=True, log_x=True, log_y=True,
            title="tanh neurons, t = 5",
        ),
        view.Curve(
            "neurons", (2, 16, 128), ("particle_error",), bounds=("independent_error",), log_x=True, log_y=True,
            at=GAUSSIAN, title="linear neurons: exact for every N",
        ),
        view.Curve(
            "time", (1, 2, 5, 10, 20), ("particle_error", "independent_error"), together=True, log_y=True,
            title="errors stay bounded for all times",
        ),
        view.Curve(
            "time", (1, 2, 5, 10), ("sandwich_low", "free_energy", "sandwich_high"), together=True, log_y=True,
            title="the free energy falls, in its sandwich",
        ),
        view.Time(("density",), by="time", by_values=(1, 5, 20), title="the law of the weights"),
        view.Curve(
            "temperature", (0.02, 0.05, 0.2), ("decay_rate",), bounds=("rate_bound",), log_x=True, log_y=True,
            title="decay, far above its bound",
        ),
        view.Curve(
            "step", (0.05, 0.5, 0.9), ("particle_error",), at={**GAUSSIAN, "neurons": 16},
            title="linear neurons: steps add noise",
        ),
    )  # fmt: skip
    presets = {
        "gaussian": GAUSSIAN,
        "cold": {"temperature": 0.02},
        "late": {"time": 20.0},
    }
    default_seeds = 16
    line_places = 13
    engine = "particles"
    convention = "loss (1/2n) sum (f - y)^2, f the mean of neurons, N times the gradient by one of them"

    def predict(self) -> Prediction:
        law = self.law
        edges, masses = law.histogram(BINS)
        values: dict[str, Value] = {
            "particle_error": law.particle_error / self.neurons,
            "particle_slope": -1.0,
            "independent_error": law.independent_error / self.neurons,
            "free_energy": law.free_energy,
            "sandwich_low": law.sandwich[0],
            "sandwich_high": law.sandwich[1],
            "rate_bound": law.rate_bound,
            "density": _density(edges, masses),
        }
        if _is_seen(self):
            values["decay_rate"] = law.decay_rate
        regime = "any N, any step: exact" if self.model.is_linear else "N to infinity, steps to zero, any time"
        quiet = law.independent_error / law.particle_error
        return Prediction(values, regime, (f"independent draws of the limit would err {quiet:.3g} times as much",))

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        task = first.task()
        looks = sorted({s for p in points for s in (p.steps // 2, p.steps)})
        narrow, wide = (
            first.states(looks, n, run.streams.child(name))
            for name, n in (("network", first.neurons), ("wider network", WIDER * first.neurons))
        )
        return [p.measured(task, narrow[p.steps // 2], narrow[p.steps], wide[p.steps]) for p in points]

    def states(self, looks: list[int], neurons: int, streams: Streams) -> dict[int, ParticleState]:
        """All particles after each number of steps, as networks of so many neurons: one trajectory."""
        dynamics = InteractingParticles(self.task(), self.step, streams)
        start = ParticleStart(self.particles // neurons, neurons, self.scale)
        seen = learners.run(dynamics, start, times=looks, watch=("weights", "outputs"))
        return {t: ParticleState(seen["weights"][k], seen["outputs"][k]) for k, t in enumerate(looks)}

    def measured(
        self, task: ParticleTask, before: ParticleState, now: ParticleState, wide: ParticleState
    ) -> Measurement:
        law, weights = self.law, now.weights
        errors, wider = (np.mean((s.outputs - law.outputs) ** 2, axis=1) for s in (now, wide))
        spread = np.var(task.activation(np.multiply.outer(weights.reshape(-1), task.inputs)), axis=0)
        least = gibbs_free_energy(task, law.rest_outputs)
        negentropy = entropy(weights)
        energy = free_energy(task, weights, negentropy) - least
        half = free_energy(task, before.weights, entropy(before.weights)) - least
        low, high = (
            gibbs_divergence(task, weights, negentropy, outputs)
            for outputs in (law.rest_outputs, task.outputs(weights.reshape(-1)))
        )
        edges, _ = law.histogram(BINS)
        found, _ = np.histogram(weights, edges)
        values: dict[str, Value] = {
            "particle_error": float(errors.mean()),
            "particle_slope": (_log_mean(wider) - _log_mean(errors)) / log(WIDER),
            "independent_error": float(spread.mean()) / self.neurons,
            "free_energy": energy,
            "sandwich_low": low,
            "sandwich_high": high,
            "sandwich_slack": min(energy - low, high - energy),
            "density": _density(edges, found / weights.size),
        }
        if min(energy, half) > 0:
            values["decay_rate"] = log(half / energy) / (self.reached / 2)
        return Measurement(values)


def _density(edges: Array, masses: Array) -> Curve:
    return Curve((edges[1:] + edges[:-1]) / 2, masses / np.diff(edges), "weight w")


def _log_mean(errors: Array) -> float:
    """log E of which these are draws: the logarithm of their mean is low by half its relative variance."""
    mean = float(errors.mean())
    return log(mean) + float(errors.var(ddof=1)) / (2 * len(errors) * mean**2)
