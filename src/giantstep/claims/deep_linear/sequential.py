"""[smg13] deep linear networks learn singular values one after another."""

from __future__ import annotations

from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Curve, Measurement, Prediction, Run, Value, named, parameters, quantity, view
from giantstep.errors import InputError
from giantstep.learners.descents import (
    DeepLinearDescent,
    DeepLinearState,
    aligned_layers,
    balance_drift,
    random_layers,
    random_task,
    reaching_times,
    resting_losses,
)
from giantstep.theory.dynamics import (
    effective_start,
    half_time,
    learning_time,
    loss_curve,
    saddle_losses,
    strength,
    typical_start,
)

PLACES = 41  # at which the loss is compared
NEARLY = 0.97  # of every mode must be learned before training ends
LEARNED = 0.95
STAIRCASE = {2: 1e-4, 3: 0.02, 4: 0.06}  # scales below which plateaus are long enough to be seen
MOST_STEPS = 400_000


def _has_theory(point: Sequential) -> bool:
    return point.start == "aligned" or point.depth == 2


def _time_allowance(point: Sequential, predicted: float) -> float:
    """A finite step slows growth from s to ln(1 + step s)/step, a share step s/2; a random start that is not small lets
    modes overlap."""
    overlap = 0.0 if point.start == "aligned" else 0.005 + point.scale**2 * point.neurons
    return (point.step * point.rank + overlap) * predicted


def _loss_allowance(point: Sequential, predicted: float) -> float:  # noqa: ARG001
    """The delay of a finite step, where the loss of a mode falls fastest (by less than 0.4 s^(4 - 2/L) a unit of time);
    and the random start itself, which is no effective start yet."""
    values, starts = point.singular_values(), point.typical_starts()
    delay = point.step * point.rank / 2 * half_time(float(values[0]), float(starts[0]), point.depth)
    found = 0.01 * float(saddle_losses(values)[0]) + 0.4 * point.rank ** (4 - 2 / point.depth) * delay
    if point.start == "random":
        found += float(values @ starts) + 0.5 * point.scale**4 * point.neurons * point.d**2
    return float(found)


@named(
    "deep-linear/sequential",
    kind="theorem",
    cite="smg13",
    where="exact solutions for balanced starts; [soltanolkotabi22] slide 'Learning beyond the lazy regime'",
    finding=(
        "With two layers modes overlap: when the first is 95 % learned the second has a share ~ u0^(1 - s2/s1), 30 % "
        "for entries of 0.01; a staircase needs three layers or more, or a tiny start. From a random start a mode's "
        "effective beginning is what its hidden vector has orthogonally to those of the modes learned before it."
    ),
    version=2,
)
class Sequential(Claim):
    """A deep linear network learns the singular values of its target one after another, at times known in closed form.

    Gradient descent on (1/2) |W_L ... W_1 - M|^2 for a d x d matrix M with singular values rank, ..., 2, 1. Between two
    modes the loss rests near the saddle (1/2) sum_{i>k} s_i^2. From balanced layers aligned with M every time is exact
    at any depth; from two random ones it is that of the effective start of each mode; from depth 3 on the first wait
    grows as scale^-(depth - 2). Flow keeps W_{l+1}^T W_{l+1} - W_l W_l^T; descent lets it drift in proportion to the
    step.
    """

    d: int = parameters.dimension(5, help="side of the matrix", ge=2, le=2000)
    rank: int = parameters.rank(3, help="singular values to be learned: rank, ..., 2, 1", ge=2, le=20)
    depth: int = parameters.own(2, "layers", symbol="L", ge=2, le=6)
    neurons: int = parameters.neurons(8, help="neurons of each hidden layer", symbol="h", ge=2, le=2000)
    scale: float = parameters.scale(0.01, symbol=r"\epsilon", ge=1e-8, le=0.5)
    step: float = parameters.step(0.005, ge=1e-4, le=0.05)
    start: Literal["random", "aligned"] = parameters.own(
        "random", "start: entries scale N(0, 1), or layers aligned with M, all singular values = scale"
    )

    quantities = (
        quantity.equal(
            "half_time",
            _time_allowance,
            "a finite step delays by a share step s/2; modes of a random start that is not small overlap",
            help="when half of each mode is learned", symbol="t_{1/2}", against="finite",
            limit=_time_allowance,
            when=_has_theory,
        ),
        quantity.equal(
            "loss",
            _loss_allowance,
            "the delay of a finite step, seen where the loss falls fastest, and the size of the random start itself",
            help="loss against time", symbol="L(t)", against="finite",
            limit=lambda point, predicted: 0.2 * float(saddle_losses(point.singular_values())[0]),
            when=_has_theory,
        ),
        quantity.equal(
            "second_mode",
            lambda point, predicted: 0.01 + (0.02 + 4 * point.step) * predicted,
            "the finite step, and modes of a random start that is not small overlap",
            help="share of the second mode when the first is 95 % learned", symbol="u_2/s_2",
            against="finite",
            limit=lambda point, predicted: 0.05 + 0.2 * predicted,
            when=_has_theory,
        ),
        quantity.increasing(
            "second_mode", "scale", "the smaller the start, the longer each mode is alone", when=_has_theory,
        ),
        quantity.equal(
            "saddle_loss",
            lambda point, predicted: 0.03 * float(saddle_losses(point.singular_values())[0]),
            "at a finite scale the next mode has already begun, and the last one is not quite done",
            help="loss where it rests between two modes",
            when=lambda point: point.scale <= STAIRCASE.get(point.depth, 0.1),
        ),
        quantity.slope(
            "first_time", "scale", lambda point: 2.0 - point.depth, 0.06,
            "next order in the scale, and growth along other directions before the first mode",
            help="when half of the first mode is learned", when=lambda point: point.depth > 2,
        ),
        quantity.slope(
            "imbalance", "step", 1.0, 0.05, "the next order in the step",
            help="drift of the differences of neighbouring layers' Gram matrices",
        ),
    )  # fmt: skip
    views = (
        view.Time(("loss", "half_time"), title="two layers, random start"),
        view.Time(("loss",), at={"depth": 3, "scale": 0.1, "start": "aligned"}, title="three layers, aligned", seeds=3),
        view.Time(("loss",), at={"depth": 4, "scale": 0.18, "start": "aligned"}, title="four layers, aligned", seeds=3),
        view.Curve("scale", (1e-4, 1e-3, 1e-2, 1e-1), ("second_mode",), log_x=True, title="how much modes overlap"),
        view.Curve(
            "scale", (0.005, 0.01, 0.02, 0.04), ("first_time",), at={"depth": 3, "step": 0.02}, seeds=4, log_x=True,
            log_y=True, title="first wait, three layers",
        ),
        view.Curve(
            "scale", (0.035, 0.05, 0.07, 0.1), ("first_time",), at={"depth": 4, "step": 0.02}, seeds=4, log_x=True,
            log_y=True, title="first wait, four layers",
        ),
        view.Time(("saddle_loss",), at={"depth": 3, "scale": 0.01, "step": 0.02}, seeds=4, title="saddles"),
        view.Curve("step", (0.0025, 0.005, 0.01, 0.02), ("imbalance",), log_x=True, log_y=True, title="balancedness"),
    )  # fmt: skip
    presets = {
        "three-layers": {"depth": 3, "scale": 0.1, "start": "aligned"},
        "four-layers": {"depth": 4, "scale": 0.18, "start": "aligned"},
        "staircase": {"depth": 3, "scale": 0.01, "step": 0.02},
        "two-layer-staircase": {"scale": 1e-5},
    }
    default_seeds = 8
    engine = "population"
    convention = "loss (1/2)|W_L...W_1 - M|^2 in Frobenius norm, time = step times number of steps"

    def check(self) -> None:
        if self.rank > min(self.d, self.neurons):
            raise InputError(
                f"rank = {self.rank} is not allowed; it must be at most d = {self.d} and neurons = {self.neurons}"
            )
        fastest = float(self.depth * self.rank ** (2 - 2 / self.depth))
        if self.step * fastest > 1:
            raise InputError(f"step = {self.step} is too large for these singular values; at most {1 / fastest:.3g}")
        if self.typical_starts().max() >= 0.4:
            raise InputError(
                f"scale = {self.scale} is too large: half of the smallest mode would be there at the start"
            )
        if self.duration() / self.step > MOST_STEPS:
            needed = f"{self.duration() / self.step:.2g}"
            raise InputError(f"some {needed} steps would be needed, at most {MOST_STEPS:.2g}; raise scale or step")

    def singular_values(self) -> Array:
        return np.arange(self.rank, 0, -1, dtype=np.float64)

    def typical_starts(self) -> Array:
        """u0 of each mode: exact for an aligned start, exp E ln u0 for two random layers, an order for more."""
        if self.start == "aligned":
            return np.full(self.rank, self.scale**self.depth)
        return typical_start(self.scale, self.neurons, self.rank) ** (self.depth / 2)

    def duration(self) -> float:
        return 1.3 * half_time(1.0, float(self.typical_starts()[-1]), self.depth)

    def theory(self, starts: Array) -> dict[str, Value]:
        """Everything that follows from the modes' strengths at the start."""
        values, depth = self.singular_values(), self.depth
        times = np.linspace(0, self.duration(), PLACES)
        when = float(learning_time(LEARNED * values[0], values[0], starts[0], depth))
        return {
            "half_time": _modes([half_time(float(s), float(u), depth) for s, u in zip(values, starts, strict=True)]),
            "loss": Curve(times, loss_curve(times, values, starts, depth), "time"),
            "second_mode": float(strength(when, values[1], starts[1], depth) / values[1]),
        }

    def predict(self) -> Prediction:
        values: dict[str, Value] = {"saddle_loss": _plateaus(saddle_losses(self.singular_values()))}
        if _has_theory(self):
            values |= self.theory(self.typical_starts())
        return Prediction(values, "gradient flow; aligned start, or two layers with a small random start")

    def measure(self, run: Run) -> Measurement:
        task = random_task(self.d, self.singular_values(), run.streams.child("task"))
        streams = run.streams.child("start")
        if self.start == "aligned":
            layers = aligned_layers(task, self.depth, self.neurons, self.scale, streams)
        else:
            layers = random_layers(self.d, self.depth, self.neurons, self.scale, streams)
        duration = self.duration() if _has_theory(self) else 0.0

        def is_over(state: DeepLinearState) -> bool:
            return state.time >= duration and bool((state.strengths >= NEARLY * task.values).all())

        found = learners.run(
            DeepLinearDescent(task, self.step),
            layers,
            steps=2 * MOST_STEPS,
            watch=("time", "strengths", "loss"),
            stop=is_over,
        )
        half = reaching_times(found, task.values / 2)
        first = float(reaching_times(found, LEARNED * task.values)[0])
        places = np.linspace(0, self.duration(), PLACES)
        loss = Curve(places, np.interp(places, found["time"], found["loss"]), "time")
        starts = self.typical_starts()
        if self.start == "random" and self.depth == 2:
            starts = effective_start(layers[0], layers[1], task.right, task.left)
        return Measurement(
            {
                "half_time": _modes(half),
                "second_mode": float(np.interp(first, found["time"], found["strengths"][:, 1]) / task.values[1]),
                "saddle_loss": _plateaus(resting_losses(found, half)),
                "first_time": float(half[0]),
                "imbalance": balance_drift(layers, found.last.layers),
                **({"loss": loss} if _has_theory(self) else {}),
            },
            finite=self.theory(starts) if _has_theory(self) else {},
        )

    def cost(self) -> Cost:
        small = self.depth * (self.d + self.neurons) * self.neurons * self.d * 6.0
        return Cost(self.duration() / self.step * (small + 1e5), 8.0 * 20 * self.d * self.d + 2e7)


def _modes(times: list[float] | Array) -> Curve:
    return Curve(np.arange(1.0, len(times) + 1), np.asarray(times), "mode")


def _plateaus(losses: Array) -> Curve:
    return Curve(np.arange(float(len(losses))), losses, "modes learned")
