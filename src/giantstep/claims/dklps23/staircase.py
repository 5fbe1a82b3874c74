"""[dklps23] several giant steps with fresh batches climb a staircase of directions."""

from __future__ import annotations

from typing import Literal

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Claim, Printed, named, parameters, quantity, view
from giantstep.claims.dklps23._stair_settings import (
    ENERGY,
    EXAMPLE_2,
    F1,
    F2,
    FEW,
    FINITE,
    LINKS,
    PLANE,
    PRESETS,
    RELATIVE,
    THREE,
    energy_along,
)
from giantstep.claims.dklps23._stairs import Stairs, length_of_mean, refuse_divergence, stairs_of
from giantstep.claims.refusals import refuse_few_dimensions, refuse_many_directions, refuse_odd
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, ReducedState, initial_state, take_steps
from giantstep.learners.networks import DKLPS23, DKLPS23_GAUSSIAN
from giantstep.problems import ZOO, Problem
from giantstep.theory.dynamics import staircase_path
from giantstep.theory.gradient import network_gradient
from giantstep.verdicts.stating import Cost, Curve, Measurement, Prediction, Quantity, Run, Value

MAX_SAMPLES, MAX_DIRECTIONS = 1e10, 8
MANY, MOST = 160, 960  # seeds, where what is judged is of the size of its scatter, the most where they are cheap
SIZES, BOTH, SECOND = (256, 1024, 4096), ("energy_x1+x2", "energy_x1-x2"), {**EXAMPLE_2, **FEW}


@named(
    "dklps23/staircase",
    kind="conjecture",
    cite="dklps23",
    version=2,
    where="slides 'Several gradient steps', Conjecture 1 and examples 1 to 3",
    finding=(
        "Example 3 (f2) needs a spread second layer: with a_i = +-1 the neurons collapse onto two vectors, so that "
        "they never span three directions (sv3 falls like d^(-1/2)). 'No new learning whenever all links are equal' "
        "holds for orthogonal directions but not in general: preset 'equal-links' learns a second direction. And the "
        "activation must see the direction: odd ones learn x1 - x2 of example 1 at no step (preset 'unseen')."
    ),
)
class Staircase(Claim):
    """With n ~ d fresh samples a step, each giant step learns what is linear given what was learned before.

    Measured is, after each step, the mean squared cosine of the neurons with each direction of the staircase U_1,
    U_2, ... of the target, and with the directions it never reaches: `energy_x1-x2` is that of (1, -1)/sqrt(2). Chance
    is 1/d. Theory is the deterministic recursion of overlaps and norms for d to infinity, given the second layer, with
    the fluctuations of order 1/d that are left in directions not learned. `increment` is by how much the steps moved
    the neurons, against the population gradient at the weights that each step found.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target(ZOO["example-1"].text)
    d: int = parameters.dimension(1024)
    neurons: int = parameters.neurons(32, help=parameters.PAIRED, ge=2, le=256)
    samples_per_dim: float = parameters.samples_per_dim(20.0)
    step: float = parameters.step(4.0, help="step size per neuron, w_i += s a_i g_i", symbol=r"s = \eta/p")
    steps: int = parameters.steps(3, help="number of giant steps", symbol="T", le=10)
    second_layer: Literal["signs", "gaussian"] = parameters.second_layer(
        "signs", help="law of the a_i: +1 or -1, or N(0, 1)"
    )

    quantities = (
        quantity.equal(
            "increment", Allowance(0.1, of="prediction", power=-0.5), against="finite",
            reason="exact in the mean at any size; the length of a mean has a bias far below 1 %",
            help="length of the mean of a_i times a neuron's increment in V*, over all steps, at the weights that came",
            symbol=r"(\sum_t|\langle a_i\Delta m_i\rangle|^2)^{1/2}",
        ),
        quantity.equal(
            "learned", RELATIVE + Allowance(0.5, power=-1), FINITE, against="finite",
            when=lambda point: bool(point.learned),
            help="energy of the direction learned last, of those in U_T",
        ),
        quantity.equal(
            "unlearned", ENERGY, FINITE, against="finite",
            when=lambda point: bool(point.unlearned), help="energy of what is not learned: V* outside U_T",
        ),
        # Of the square the mean is predicted, and rows of a matrix with few rows are not independent of its space.
        quantity.equal(
            "sv3", RELATIVE + Allowance(2, of="prediction", power=-1, size="neurons"),
            "second order in fluctuations of size d^(-1/2); with p = 32 neurons the mean is 3 to 5 % below the formula",
            against="finite", when=lambda point: point.has_third,
            help="third singular value of the overlaps: with V*, rows divided by |w_i|, over sqrt(p)",
        ),
        quantity.slope(
            "learned", "d", 0.0, 0.05, "corrections of relative order 10/d at the smallest d",
            when=lambda point: point.is_sharp and bool(point.learned),
        ),
        quantity.slope(
            "unlearned", "d", -1.0, 0.1, "corrections of relative order 10/d at the smallest d",
            when=lambda point: point.is_sharp and bool(point.unlearned),
        ),
        quantity.slope(
            "sv3", "d", -0.5, 0.15, "corrections of relative order d^(-1/2)",
            when=lambda point: point.is_sharp and point.has_third,
        ),
    )  # fmt: skip
    printed = (Printed("sv3", "f2 of example 3 is learned in two steps whatever the a_i are", exponent=lambda _: 0.0),)
    views = (
        view.Time(BOTH, by="d", by_values=SIZES, title="example 1: both are learned"),
        PLANE,
        view.Time(BOTH, by="d", by_values=SIZES, at=SECOND, log_y=True, seeds=MANY, title="example 2: one is not"),
        view.Curve(
            "d", SIZES, ("learned", "unlearned"), at=SECOND, together=True, log_x=True, log_y=True,
            seeds=MANY, y_label="mean squared cosine of the neurons", title="example 2: learned and not learned",
        ),
        view.Curve(
            "d", (256, 1024), ("sv3",), by="second_layer", by_values=("signs", "gaussian"), at=F2, seeds=96,
            log_x=True, log_y=True, title="example 3, f2: signs do not span three directions",
        ),
        view.Time(
            ("energy_8x1+4x2+5x3", "energy_2x1+x2-4x3", "energy_x1-2x2"), at={**LINKS, **FEW}, seeds=MOST, log_y=True,
            title="equal links: a second direction is learned, a third is not",
        ),
        view.Time(
            ("energy_x1", "energy_x2+x3", "energy_x2-x3"), at={**F1, **FEW}, seeds=MANY, log_y=True,
            title="example 3, f1: the sum is learned, the difference is not",
        ),
        view.Time(
            ("energy_x1-x2",), at={"activation": "tanh", **FEW}, by="d", by_values=(256, 1024), seeds=MOST, log_y=True,
            title="example 1, not seen by tanh",
        ),
        view.Time(
            ("energy_x3",), by="target", by_values=(ZOO["three-level"].text, ZOO["stuck"].text), at=THREE, log_y=True,
            seeds=MANY, title="three levels, and none",
        ),
    )  # fmt: skip
    presets = PRESETS
    default_seeds = 80
    engine = "reduced"
    convention = "f = (1/p) sum a_i sigma(<w_i, x>), paired start f = 0; s = eta/p in the paper's step"

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d, least=2)

    @property
    def d_per_degree(self) -> float:
        return self.d / (self.target.degree or 1)

    @property
    def stairs(self) -> Stairs:
        return stairs_of(self.target, self.activation)

    @property
    def is_sharp(self) -> bool:
        """Whether the limit does not depend on the draw of the second layer."""
        return self.second_layer == "signs"

    @property
    def learned(self) -> list[int]:
        """The numbers of the directions in U_T."""
        return self.stairs.learned_by(self.steps)

    @property
    def unlearned(self) -> list[int]:
        return [k for k in range(len(self.stairs.directions)) if k not in self.learned]

    @property
    def chance(self) -> float:
        """The energy of random neurons in the directions not learned."""
        return len(self.unlearned) / self.d

    @property
    def has_third(self) -> bool:
        """Whether there is a third singular value of the overlaps, apart from others that are chance."""
        return min(len(self.stairs.directions), self.neurons) >= 3 and len(self.unlearned) <= 1

    def stated(self) -> tuple[Quantity, ...]:
        # The names of the views are always known, so that one study may hold several targets.
        shown = [q.removeprefix("energy_") for v in self.views if isinstance(v, view.Time) for q in v.quantities]
        return (*map(energy_along, dict.fromkeys((*self.stairs.names, *shown))), *self.quantities)

    def check(self) -> None:
        refuse_odd("neurons", self.neurons)
        if not self.target.is_polynomial or not self.target.degree:
            raise InputError("the target must be a polynomial that is not constant: its increments are then known")
        refuse_few_dimensions(self.target, self.d, spare=1)
        refuse_many_directions(self.target, MAX_DIRECTIONS)
        refuse_divergence(self.activation, self.steps)
        if (samples := self.samples * self.steps) > MAX_SAMPLES:
            raise InputError(f"{samples:.2g} samples are too many, at most {MAX_SAMPLES:g} are allowed")

    def summary(self, shares: Array, third: float) -> dict[str, Value]:
        """The quantities from the second moments of w_i/|w_i| at the start and after each step (T+1, r, r), and sv3."""
        energies, time = self.stairs.energies(shares[1:]), np.arange(1.0, self.steps + 1)
        found: dict[str, Value] = {
            f"energy_{name}": Curve(time, energy, "step t")
            for name, energy in zip(self.stairs.names, energies, strict=True)
        }
        if self.learned:
            found["learned"] = float(energies[self.learned[-1], -1])
        if self.unlearned:
            found["unlearned"] = float(energies[self.unlearned, -1].sum())
        return found | ({"sv3": third} if self.has_third else {})

    def predicted(self, second_layer: Array) -> dict[str, Value]:
        """What the recursion says for a second layer; the order of neurons does not matter, nor that within a pair."""
        half = np.sort(np.abs(second_layer[: self.neurons // 2]))[::-1]
        a = tuple(map(float, np.append(half, -half[::-1])))
        path = staircase_path(self.target, self.activation, a, self.d, self.samples, self.step, self.steps)
        return self.summary(path.shares(), path.singular_value(3, self.stairs.unit) if self.has_third else 0.0)

    def predict(self) -> Prediction:
        values: dict[str, Value] = {}
        if self.is_sharp:
            values = self.predicted(np.repeat([1.0, -1.0], self.neurons // 2))
        told = () if self.is_sharp else ("energies are predicted for the second layer that is drawn",)
        notes = (*self.stairs.in_words(), *told)
        return Prediction(values, "d to infinity, n of order d, p and T fixed, fresh batches", notes)

    def measure(self, run: Run) -> Measurement:
        init, problem = DKLPS23 if self.is_sharp else DKLPS23_GAUSSIAN, Problem(self.target, self.d)
        network, r = run.streams.child("network"), self.target.directions
        start = initial_state(init, self.activation, self.d, self.neurons, r, network)
        batches = [problem.sample(self.samples, run.streams.child(f"step {t + 1}")) for t in range(self.steps)]
        states = take_steps(start, batches, GiantStep(self.step), threads=run.threads, progress=run.progress)
        moved = np.diff([state.overlaps for state in states], axis=0)
        expected = np.stack([self.mean_increments(state) for state in states[:-1]])
        cosines = [state.overlaps / np.linalg.norm(state.local.weights, axis=1, keepdims=True) for state in states]
        shares = np.stack([c.T @ c for c in cosines]) / self.neurons
        values = np.linalg.svd(cosines[-1] @ self.stairs.unit.T, compute_uv=False) / self.neurons**0.5
        measured = self.summary(shares, float(values[2]) if self.has_third else 0.0)
        measured["increment"] = length_of_mean(moved, start.second_layer)
        finite = self.predicted(start.second_layer)
        finite["increment"] = length_of_mean(expected, start.second_layer)
        return Measurement(measured, finite=finite, paths=self.stairs.paths(cosines, start.second_layer))

    def mean_increments(self, state: ReducedState) -> Array:
        """By how much a step along the population gradient moves the overlaps, (p, r)."""
        gradient = network_gradient(self.target, self.activation, state.overlaps, state.gram, state.local.coefficients)
        return np.asarray(self.step * state.second_layer[:, None] * gradient.overlaps(state.overlaps))

    def cost(self) -> Cost:
        width = self.neurons + self.target.directions
        per_sample = 60 * width + 6 * width**2
        return Cost(float(self.steps * (self.samples * per_sample + 4e9)), 8.0 * 4096 * width * 8 + 6e7)
