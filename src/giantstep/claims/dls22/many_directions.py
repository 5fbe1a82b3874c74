"""[dls22] the first step finds all r directions from n ~ d^2 r kappa^2 samples, noisy labels or not."""

from __future__ import annotations

import math

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Claim,
    Computed,
    Cost,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dls22._algorithm import RELU
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.engines import initial_state, label_gradient
from giantstep.learners.networks import Initialisation, Scaling
from giantstep.problems import Problem, Target
from giantstep.theory.visibility import direction_shares, hessian_alignment

MOST_SAMPLES = 1e9
QUADRATIC = 0.5  # the energy of degree 2; the other half is a cubic part, which H does not see
START = Initialisation("sphere", "signs", scaling=Scaling.UNIT)
FEW = Allowance(1, power=-1)


@named(
    "dls22/many-directions",
    kind="theorem",
    cite="dls22",
    version=2,
    where="lecture notes 'r directions', 'rank(H) = r, kappa = |H^+|/sqrt(r)', 'n >= d^2 r (first iteration)'",
    finding=(
        "r counts because E f*^2 = 1 is shared by r directions, so that an eigenvalue of H is r^(-1/2) or less, and "
        "kappa^2 is missing beside it: the weakest direction needs d^2 r kappa^2 samples. Together, the directions are "
        "seen from n ~ d^2 on whatever r is. Eigenvalues of one sign add r d^(-1/2) along w itself."
    ),
)
class ManyDirections(Claim):
    """One step shows the weakest of r directions from n ~ d^2 r kappa^2 samples on, with labels noisy by +-1 or not.

    The target has E f*^2 = 1, half of it a cubic part of x1 and half quadratic: H has r - 1 equal eigenvalues and the
    last one `condition` times smaller; kappa = |H^+|/sqrt(r), and n = c d^2 r kappa^2. `weakest` is what this direction
    has in a neuron's new weights beside all that lies outside of the target's space: at the same c it is the same for
    all d, r and kappa. `alignment` is the share of the whole space. Both have closed forms for large d.
    """

    d: int = parameters.dimension(32)
    directions: int = parameters.directions(4, le=16)
    condition: float = parameters.condition(1.0)
    sample_factor: float = parameters.sample_factor(6.0, help="samples over d^2 r kappa^2")
    noise: float = parameters.noise(0.0, help="size of the labels' noise, +1 or -1 times it")
    neurons: int = parameters.neurons(8, le=64)

    quantities = (
        quantity.equal(
            "weakest", FEW, "of order 1/d: the cubic part's own gradient, tails of the labels and what noise leaves",
            help="the weakest direction's share of it and of all outside: squares, mean over neurons",
            symbol=r"g_r^2/(g_r^2 + |g_\perp|^2)", against="finite",
        ),
        quantity.slope("weakest", "d", 0.0, 0.1, "corrections of order 1/d", help="n ~ d^2"),
        quantity.slope("weakest", "directions", 0.0, 0.1, "corrections of order 1/d", help="n ~ r"),
        quantity.slope("weakest", "condition", 0.0, 0.1, "corrections of order 1/d", help="n ~ kappa^2"),
        quantity.equal(
            "alignment", FEW, "of order 1/d: the cubic part's own gradient and tails of the labels", against="finite",
            limit=Computed(lambda point, _: (3 + 2 * point.directions) / point.d, "(3 + 2 r)/d"),
            help="share of the target's space in the new weights, mean over neurons", symbol=r"|P w|^2/|w|^2",
        ),
    )  # fmt: skip
    views = (
        view.Curve("d", (24, 36, 54), ("weakest",), log_x=True, title="n = 6 d^2 r kappa^2: any d"),
        view.Curve(
            "directions", (1, 2, 4, 8), ("weakest", "alignment"), together=True, log_x=True,
            y_label="share of the gradient",
            title="any number of directions",
        ),
        view.Curve(
            "condition", (1, 2, 4), ("weakest", "alignment"), together=True, log_x=True, at={"directions": 2},
            y_label="share of the gradient",
            title="any condition number",
        ),
        view.Curve(
            "sample_factor", (1.5, 6, 24), ("weakest",), by="noise", by_values=(0, 1), at={"directions": 2}, log_x=True,
            title="labels with and without noise +-1",
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "weakest", "n >= d^2 r samples show every direction: what the same n gives at kappa = 1",
            lambda point: hessian_alignment(
                np.array([math.sqrt(2 * QUADRATIC / point.directions)]), point.label_norm2, point.d, point.samples
            ),
        ),
    )  # fmt: skip
    presets = {
        "four": {},
        "eight": {"directions": 8},
        "weak-direction": {"directions": 2, "condition": 4},
        "noisy": {"noise": 1},
    }
    default_seeds = 200
    engine = "reduced"
    convention = "gradient of (1/2n) sum (y - f)^2 without a_j, f = 0, |w| = 1, labels without mean and linear part"

    @property
    def eigenvalues(self) -> Array:
        """Of H, (r,), of both signs, so that its trace is small; the last one is the smallest."""
        found = (-1.0) ** np.arange(self.directions)
        found[-1] /= self.condition
        return np.asarray(found * math.sqrt(2 * QUADRATIC / float(found @ found)))

    @property
    def kappa(self) -> float:
        return float(1 / abs(self.eigenvalues[-1]) / math.sqrt(self.directions))

    @property
    def samples(self) -> int:
        return count(self.sample_factor * self.directions * self.kappa**2, self.d, 2, least=2)

    @property
    def target(self) -> Target:
        squares = [f"{h / 2:.17g}*He2(x{k})" for k, h in enumerate(self.eigenvalues, 1)]
        return Target(" + ".join([*squares, f"{math.sqrt((1 - QUADRATIC) / 6):.17g}*He3(x1)"]))

    @property
    def label_norm2(self) -> float:
        return 1 + self.noise**2

    def check(self) -> None:
        if self.d < (least := self.neurons + self.directions + 2):
            raise InputError(f"d = {self.d} is too small for these neurons and directions; it must be {least} or more")
        if not max(2 * self.d, self.neurons) < self.samples <= MOST_SAMPLES:
            raise InputError(f"n = {self.samples:.3g} samples are not allowed; more than 2 d, at most 10^9 are")

    def predict(self) -> Prediction:
        h, n = self.eigenvalues, self.samples
        values = {
            "weakest": hessian_alignment(h[-1:], self.label_norm2, self.d, n),
            "alignment": hessian_alignment(h, self.label_norm2, self.d, n),
        }
        notes = (f"kappa = {self.kappa:.4g}, n = {n} samples",)
        return Prediction(values, "d to infinity, n ~ d^2, r fixed", notes)

    def measure(self, run: Run) -> Measurement:
        r, problem = self.directions, Problem(self.target, self.d, self.noise, noise_law="signs")
        start = initial_state(START, RELU, self.d, self.neurons, r, run.streams.child("network"))
        sample = problem.sample(self.samples, run.streams.child("step data"))
        seen = label_gradient(start, sample, threads=run.threads, progress=run.progress)
        squares = seen.gradient**2
        last, outside = squares[:, r - 1], squares[:, r:].sum(axis=1)
        values = {"weakest": float(np.mean(last / (last + outside))), "alignment": float(np.mean(seen.share(r)))}
        known = direction_shares(start.overlaps, self.eigenvalues, self.label_norm2, self.d, self.samples)
        return Measurement(values, finite=dict(zip(("weakest", "alignment"), known, strict=True)))

    def cost(self) -> Cost:
        width = self.neurons + self.directions
        return Cost(float(self.samples * (40 * width + 6 * width**2) * 3 + 2e7), 8.0 * 4096 * width * 8 + 2e7)
