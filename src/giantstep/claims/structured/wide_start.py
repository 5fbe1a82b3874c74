"""[mws23] how near to the target the best neuron of a wide network starts."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from giantstep.claims import Allowance, Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.learners import random_overlaps
from giantstep.theory.structured.flows import largest_start_overlap, width_for_overlap, width_growth

FOUND = 25
"""Neurons of the wanted overlap that are waited for; the width is the mean wait."""
BLOCK = 20_000
MOST_DRAWS = 1e8
FARTHEST = 40.0
"""Logarithm of a width that nobody waits for."""


def _corrections(point: WideStart) -> float:
    """ln(2)/(2 d) + 1/(c d)^2: besides its exponential the width grows like sqrt(d), up to a part 1/(d c^2)."""
    return log(2) / (2 * point.d) + 1 / (point.overlap * point.d) ** 2


@named(
    "structured/wide-start",
    kind="proposition",
    cite="mws23",
    where="slide 'Beyond Narrow NNs: the Mean-field Regime', <w_i, beta> >> d^(-1/2) for some i",
    finding=(
        "That the width may have to be exponential is exact: a neuron of overlap c takes N = (1 - c^2)^(-d/2) of them, "
        "up to a power of d (1.155^d for c = 1/2). Polynomial widths gain a factor sqrt(2 ln N) over d^(-1/2) only; "
        "and sqrt(2 ln(N)/d) is still too large by a tenth at N = 10^4, d = 100."
    ),
)
class WideStart(Claim):
    """The best of N random neurons has overlap sqrt(2 ln(N)/d) with the target: a constant one takes e^(cd) of them.

    |<w, beta>|^2 is Beta(1/2, (d-1)/2) for a random direction w: `largest_overlap` is the largest of N, `gain` the same
    over the typical d^(-1/2), and `width` the number of neurons of which one has overlap c. `width_rate` is
    ln(N_2d/N_d)/d, which tends to -ln(1 - c^2)/2.
    """

    d: int = parameters.dimension(64, le=10**9)
    neurons: int = parameters.neurons(1000, symbol="N", le=10**7)
    overlap: float = parameters.own(0.5, "the overlap that one neuron shall have", symbol="c", gt=0, le=0.9)

    quantities = (
        quantity.equal(
            "largest_overlap", 1e-6, "exact at every d and N: the error of the quadrature",
            help="largest overlap of N random neurons with the target", symbol=r"\max_j |\langle w_j, \beta\rangle|",
        ),
        quantity.increasing(
            "gain", "neurons", "no allowance is needed: more neurons, a larger maximum",
            help="largest overlap over the typical one: times sqrt(d), the larger the wider",
        ),
        quantity.at_most(
            "gain", 0, "a union bound, with room at every N",
            help="largest overlap over the typical one: times sqrt(d), against sqrt(2 ln(2 N))",
            symbol=r"\sqrt{d} \max_j |\langle w_j, \beta\rangle|",
        ),
        quantity.reported("gaussian", help="order for Gaussian overlaps: sqrt(2 ln(N)/d), for 1 << ln N << d"),
        quantity.equal(
            "width", 1e-6, "exact at every d", help="neurons of which one has the overlap c, in the mean",
            symbol="N_c", when=lambda point: point.waits,
        ),
        quantity.equal(
            "width_rate", Allowance(_corrections), "N_c grows like sqrt(d) besides its exponential",
            help="growth rate of the width: ln(N_2d/N_d)/d", symbol=r"-\ln(1 - c^2)/2", when=lambda point: point.waits,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "neurons", (10, 100, 1000, 10_000), ("largest_overlap",), bounds=("gaussian",), seeds=48, log_x=True,
            title="64 dimensions: slowly",
        ),
        view.Curve(
            "d", (100, 10_000, 10**6), ("largest_overlap",), bounds=("gaussian",), seeds=48, log_x=True, log_y=True,
            title="1000 neurons",
        ),
        view.Curve("neurons", (10, 1000), ("gain",), seeds=48, log_x=True, title="over the typical overlap"),
        view.Curve("d", (16, 24, 32), ("width",), seeds=24, log_y=True, title="overlap 1/2: exponentially many"),
        view.Curve("overlap", (0.3, 0.5), ("width_rate",), at={"d": 24}, seeds=24, title="factor a dimension"),
    )  # fmt: skip
    presets = {"wide": {"neurons": 100_000}, "far": {"d": 24, "overlap": 0.6}}
    default_seeds = 24
    engine = "reduced"

    @property
    def waits(self) -> bool:
        """Whether neurons of the wanted overlap can be waited for, in 2 d dimensions too."""
        return 2 * self.d * width_growth(self.overlap) < FARTHEST and self.draws <= MOST_DRAWS

    @property
    def draws(self) -> float:
        """Neurons that are drawn in the mean until enough have the wanted overlap."""
        return FOUND * sum(width_for_overlap(d, self.overlap) for d in (self.d, 2 * self.d))

    def predict(self) -> Prediction:
        largest = largest_start_overlap(self.d, self.neurons)
        values = {
            "largest_overlap": largest,
            "gain": sqrt(2 * log(2 * self.neurons)),
            "gaussian": sqrt(2 * log(self.neurons) / self.d),
            "width_rate": width_growth(self.overlap),
        }
        if self.waits:
            values["width"] = width_for_overlap(self.d, self.overlap)
        return Prediction(values, "random directions at any d; the rate for d to infinity")

    def measure(self, run: Run) -> Measurement:
        largest = float(np.abs(random_overlaps(self.d, 1, self.neurons, run.streams.child("neurons"))).max())
        values = {"largest_overlap": largest, "gain": sqrt(self.d) * largest}
        if self.waits:
            width, wider = (self.waited(d, run) for d in (self.d, 2 * self.d))
            values |= {"width": width, "width_rate": log(wider / width) / self.d}
        return Measurement(values)

    def waited(self, d: int, run: Run) -> float:
        """Neurons drawn until 25 have the wanted overlap, over 25: unbiased."""
        drawn, found = 0, np.zeros(0, dtype=np.int64)
        while len(found) < FOUND:
            block = np.abs(random_overlaps(d, 1, BLOCK, run.streams.child(f"wait in {d}, {drawn}")))[:, 0]
            found = np.append(found, drawn + 1 + np.flatnonzero(block >= self.overlap))
            drawn += BLOCK
        return float(found[FOUND - 1]) / FOUND

    def cost(self) -> Cost:
        return Cost(60.0 * (self.neurons + (self.draws + 2 * BLOCK if self.waits else 0)), 32.0 * self.neurons + 2e7)
