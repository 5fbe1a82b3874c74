"""[smg13] deep linear networks learn singular values one after another."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
    Cost,
    Curve,
    Measurement,
    Prediction,
    Run,
    Value,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.deep_linear._half_times import half_times
from giantstep.errors import InputError
from giantstep.learners import descents
from giantstep.theory.dynamics import DeepLinearModes, effective_start, saddle_losses, typical_strength

PLACES = 41  # at which the loss is compared
NEARLY, LEARNED = 0.97, 0.95  # of every mode must be learned before training ends; of one that counts as learned
APART = 0.2  # part of the time by which a mode must follow the one before it for a rest between them
SMALL = 0.1  # scales up to which the first wait is a power of the scale
STAIRCASE = {2: 1e-4, 3: 0.02, 4: 0.06}  # scales below which plateaus are long enough to be seen
MOST_STEPS = 400_000
FIRST_WAITS = (
    ("first wait, three layers", {"depth": 3, "step": 0.02}, (0.005, 0.01, 0.02, 0.04)),
    ("first wait, four layers", {"depth": 4, "step": 0.02}, (0.035, 0.05, 0.07, 0.1)),
)


def _has_theory(point: Sequential) -> bool:
    return point.start == "aligned" or point.depth == 2


def _of_first_loss(part: float) -> Computed:
    return Computed(
        lambda point, _: part * saddle_losses(point.values)[0], f"{100 * part:g} % of the loss at the first saddle"
    )


def _time_allowance(point: Sequential, predicted: float) -> float:
    """Step x rank of the prediction, and from a random start 0.005 + scale^2 neurons of it besides."""
    overlap = 0.0 if point.start == "aligned" else 0.005 + point.scale**2 * point.neurons
    return (point.step * point.rank + overlap) * predicted


def _share_allowance(point: Sequential, predicted: float) -> float:
    """4 step of the prediction, and from a random start 0.01 and 2 % of it besides."""
    overlap = 0.0 if point.start == "aligned" else 0.01 + 0.02 * predicted
    return float(4 * point.step * predicted + overlap)


def _loss_allowance(point: Sequential, _: float) -> float:
    """What the loss falls by in the delay of a finite step, at most 0.4 s^(4 - 2/L) a unit of time, and the loss of a
    random start."""
    delay = point.step * point.rank / 2 * half_times(point)[0]
    drawn = point.values @ point.typical_starts + 0.5 * point.scale**4 * point.neurons * point.d**2
    return float(0.4 * point.rank ** (4 - 2 / point.depth) * delay + (drawn if point.start == "random" else 0.0))


@named(
    "deep-linear/sequential",
    kind="theorem",
    cite="smg13",
    where="exact solutions for balanced starts; [soltanolkotabi22] slide 'Learning beyond the lazy regime'",
    finding=(
        "With two layers modes overlap: when the first is 95 % learned the second has a share ~ u0^(1 - s2/s1), 30 % "
        "for entries of 0.01; a staircase needs three layers or more, or a tiny start. From a random start a mode's "
        "effective beginning is what its hidden vector has orthogonally to those of the modes learned before it. "
        "From three or more random layers some draws learn two modes together, with no rest between them (`together`)."
    ),
    version=3,
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
            "half_time", _time_allowance,
            "a finite step delays by a share step s/2; modes of a random start that is not small overlap",
            help="when half of each mode is learned", symbol="t_{1/2}", against="finite", when=_has_theory,
        ),
        quantity.equal(
            "loss", _of_first_loss(0.01) + Computed(_loss_allowance),
            "the delay of a finite step, seen where the loss falls fastest, and the size of the random start itself",
            help="loss along the way", symbol="L(t)", against="finite", limit=_of_first_loss(0.2), when=_has_theory,
        ),
        quantity.equal(
            "second_mode", _share_allowance, "the finite step, and modes of a random start that is not small overlap",
            help="share of the second mode when the first is 95 % learned", symbol="u_2/s_2",
            against="finite", limit=Allowance(0.05) + Allowance(0.2, of="prediction"), when=_has_theory,
        ),
        quantity.increasing(
            "second_mode", "scale", "the smaller the start, the longer each mode is alone", when=_has_theory,
        ),
        quantity.equal(
            "saddle_loss", _of_first_loss(0.03),
            "at a finite scale the next mode has already begun, and the last one is not quite done",
            help="loss where it rests between two modes, in draws that learn no two of them together",
            when=lambda point: point.scale <= STAIRCASE.get(point.depth, 0.1),
        ),
        quantity.slope(
            "first_time", "scale", lambda point: 2.0 - point.depth, 0.06,
            "next order in the scale, and growth along other directions before the first mode",
            help="when half of the first mode is learned",
            when=lambda point: point.depth > 2 and point.scale <= SMALL,
        ),
        quantity.reported("together", help="whether two neighbouring modes were learned at about the same time"),
        quantity.slope(
            "imbalance", "step", 1.0, 0.05, "the next order in the step",
            help="drift of the differences of neighbouring layers' Gram matrices",
        ),
    )  # fmt: skip
    presets = {
        "three-layers": {"depth": 3, "scale": 0.1, "start": "aligned"},
        "four-layers": {"depth": 4, "scale": 0.18, "start": "aligned"},
        "staircase": {"depth": 3, "scale": 0.01, "step": 0.02}, "two-layer-staircase": {"scale": 1e-5},
    }  # fmt: skip
    views = (
        view.Time(("loss", "half_time"), title="two layers, random start"),
        view.Time(("loss",), at=presets["three-layers"], title="three layers, aligned", seeds=3),
        view.Time(("loss",), at=presets["four-layers"], title="four layers, aligned", seeds=3),
        view.Curve("scale", (1e-4, 1e-3, 1e-2, 1e-1), ("second_mode",), log_x=True, title="how much modes overlap"),
        view.Curve(
            "depth", (2, 3, 4), ("second_mode", "half_time"), at={"start": "aligned", "scale": 0.15}, seeds=2,
            title="overlap of modes, aligned",
        ),
        *(
            view.Curve("scale", scales, ("first_time",), at=at, seeds=8, log_x=True, log_y=True, title=title)
            for title, at, scales in FIRST_WAITS
        ),
        view.Time(("saddle_loss",), at=presets["staircase"], seeds=12, title="saddles"),
        view.Curve("step", (0.0025, 0.005, 0.01, 0.02), ("imbalance",), log_x=True, log_y=True, title="balancedness"),
    )  # fmt: skip
    default_seeds = 12
    engine = "population"
    convention = "loss (1/2)|W_L...W_1 - M|^2 in Frobenius norm, time = step times number of steps"

    def check(self) -> None:
        if self.rank > min(self.d, self.neurons):
            raise InputError(
                f"rank = {self.rank} is not allowed; it must be at most d = {self.d} and neurons = {self.neurons}"
            )
        largest = 1 / (self.depth * self.rank ** (2 - 2 / self.depth))
        if self.step > largest:
            raise InputError(f"step = {self.step} is too large for these singular values; at most {largest:.3g}")
        if self.typical_starts.max() >= 0.4:
            raise InputError(f"scale = {self.scale} is too large: half of the smallest mode would be there already")
        if (needed := self.duration / self.step) > MOST_STEPS:
            raise InputError(f"some {needed:.2g} steps would be needed, at most {MOST_STEPS:.2g}; raise scale or step")

    @property
    def values(self) -> Array:
        return np.arange(self.rank, 0, -1, dtype=np.float64)

    @property
    def typical_starts(self) -> Array:
        """u0 of each mode: exact for an aligned start, exp E ln u0 for two random layers, an order for more."""
        if self.start == "aligned":
            return np.full(self.rank, self.scale**self.depth)
        return typical_strength(self.neurons, self.rank, self.scale) ** (self.depth / 2)

    def modes(self) -> DeepLinearModes:
        """The modes of gradient flow from their typical starts."""
        return DeepLinearModes(self.values, self.typical_starts, self.depth)

    @property
    def duration(self) -> float:
        return 1.3 * half_times(self)[-1]

    def told_by(self, modes: DeepLinearModes | descents.LearnedModes) -> dict[str, Value]:
        """What modes say that are known from theory, or that were measured."""
        times = np.linspace(0, self.duration, PLACES)
        return {
            "half_time": _by_mode(modes.half_times()),
            "loss": Curve(times, modes.losses(times), "time"),
            "second_mode": modes.second_share(LEARNED),
        }

    def predict(self) -> Prediction:
        values: dict[str, Value] = {"saddle_loss": _plateaus(saddle_losses(self.values))}
        if _has_theory(self):
            values |= self.told_by(self.modes())
        return Prediction(values, "gradient flow; aligned start, or two layers with a small random start")

    def measure(self, run: Run) -> Measurement:
        task = descents.random_task(self.d, self.values, run.streams.child("task"))
        streams = run.streams.child("start")
        if self.start == "aligned":
            layers = descents.aligned_layers(task, self.depth, self.neurons, self.scale, streams)
        else:
            layers = descents.random_layers(self.d, self.depth, self.neurons, self.scale, streams)
        least = self.duration if _has_theory(self) else 0.0
        descent = descents.DeepLinearDescent(task, self.step)
        learned = descents.learn_modes(descent, layers, steps=2 * MOST_STEPS, share=NEARLY, time=least)
        together = bool((np.diff(learned.half_times()) < APART * learned.half_times()[1:]).any())
        values = self.told_by(learned) | {
            **({} if together else {"saddle_loss": _plateaus(learned.resting_losses())}),
            "together": float(together),
            "first_time": float(learned.half_times()[0]),
            "imbalance": descents.balance_drift(layers, learned.seen.last.layers),
        }
        if not _has_theory(self):
            del values["loss"]  # the descent may have ended before it is compared
            return Measurement(values)
        modes = self.modes()
        if self.start == "random":
            modes = replace(modes, starts=effective_start(layers[0], layers[1], task.right, task.left))
        return Measurement(values, finite=self.told_by(modes))

    def cost(self) -> Cost:
        small = self.depth * (self.d + self.neurons) * self.neurons * self.d * 6.0
        return Cost(self.duration / self.step * (small + 1e5), 8.0 * 20 * self.d * self.d + 2e7)


def _by_mode(times: Array) -> Curve:
    return Curve(np.arange(1.0, len(times) + 1), times, "mode")


def _plateaus(losses: Array) -> Curve:
    return Curve(np.arange(float(len(losses))), losses, "modes learned")
