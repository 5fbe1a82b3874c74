"""[nosw24] how many samples a wide network needs for a parity, whatever the matrix and the number of signs."""

from __future__ import annotations

from bisect import bisect_left
from math import exp
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Claim, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.refusals import refuse_much_work
from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns
from giantstep.learners.meanfield import Langevin, MeanFieldNetwork, prior_network
from giantstep.problems.inputs import ParityInputs, parity_target
from giantstep.streams import Streams

TESTED = 2000
SHARES = np.geomspace(1 / 16, 2, 31)  # of a + b d_eff: the numbers of samples among which 90 % is sought
LEARNED = 0.9  # share of right signs that counts as learned
OFFSETS = {1: 80, 2: 160, 3: 80, 4: 350}  # samples that are needed however strong the stretch is, by k
FACTORS = {1: 15.0, 2: 15.0, 3: 15.0, 4: 60.0}  # and samples per effective dimension beside
TWO = {"order": 2, "sample_offset": 160}
FOUR = {"order": 4, "sample_offset": 350, "sample_factor": 60}
COLD = 0.12  # temperature times d
HOT = 10.0
BOUND = 30.0  # of one neuron
SHEAR = 2.0  # largest over smallest singular value of what shears
MOST_WORK = 1e12
LARGEST = 40  # dimension up to which the constants were looked at
MOST_EFFECTIVE = 12  # and d^(1 - alpha)


def _seeks_samples(point: ParitySamples) -> bool:
    return point.sought == "samples"


@named(
    "meanfield/parity-samples",
    kind="theorem",
    cite="nosw24",
    where="talk on [mws23], slides 'Classifying Sparse Parity Functions', 'Analysis: Mean-field Langevin Dynamics'",
    finding=(
        "n = a + b d^(1 - alpha) is enough for 90 % at d = 12 to 36 and d^(1 - alpha) up to 12, with a = 80, b = 15 "
        "for three signs and a = 160 for two (with a = 80 they reach 82(1) % at alpha = 3/4). The exponent does not "
        "depend on k, far below d^(k-1); the constants do: four signs "
        "take a = 350, b = 60, and 80 + 15 d_eff samples teach nothing of them. "
        "The exponential width and time of the theorem are not needed there: 200 neurons and 400 steps do, where "
        "exp(d^(1 - alpha)) is up to 10^5. Time can stand for samples: without a stretch at d = 36, 400 steps need "
        "760(40) samples for three signs, of 80 + 15 d = 620; with 2000 steps 440 are more than enough. "
        "The temperature must be of order 1/d at the end, not on the way."
    ),
)
class ParitySamples(Claim):
    """Noisy descent learns a k-parity of stretched signs from n ~ d^(1 - alpha) samples, whatever k and the matrix are.

    x = A z, z_i = +-1/sqrt(d), y the product of k signs. A stretches k axes by d^(alpha/2); it may then rotate them,
    or shear them by a random matrix of condition number 2. The parity is a function of the signs' sum, so that what
    counts is d_eff = d |A^-T 1_k|^2/k, which is d^(1 - alpha) for stretched or rotated axes. From n = a + b d_eff
    samples on, `accuracy` on fresh inputs is at least 90 %, with N neurons and steps far below exp(d_eff). The
    temperature is heat/d, at the end of the way or on all of it.
    """

    d: int = parameters.dimension(24, ge=8, le=1000)
    order: int = parameters.order(3)
    stretch_exponent: float = parameters.stretch_exponent(0.5)
    matrix: Literal["stretched", "rotated", "sheared"] = parameters.own("stretched", "the matrix A", symbol="A")
    sample_offset: int = parameters.own(80, "samples beside those that grow with d_eff", symbol="a", ge=4, le=10_000)
    sample_factor: float = parameters.sample_factor(
        15.0, help="samples over d_eff beside them", symbol="b", ge=0, le=1000
    )
    neurons: int = parameters.neurons(200)
    heat: float = parameters.own(COLD, "temperature at the end, times d", symbol=r"\lambda d", gt=0, le=10)
    hotter: float = parameters.own(1.0, "temperature at the start over that at the end", ge=1, le=100)
    steps: int = parameters.steps(400, help="steps of the dynamics", symbol="T", le=100_000)
    sought: Literal["accuracy", "samples"] = parameters.own(
        "accuracy", "accuracy at a + b d_eff samples, or the samples with which it passes 90 %"
    )

    quantities = (
        quantity.at_least(
            "accuracy", 0, "an inequality with room at these sizes",
            help="share of fresh inputs whose sign is right", symbol="P(\\mathrm{sign} f = y)",
            when=lambda point: point.is_enough and not _seeks_samples(point),
        ),
        quantity.at_most(
            "samples_needed", 0, "an inequality with room at these sizes",
            help="samples with which 90 % of the signs are right", symbol="n_{90}",
            when=lambda point: point.is_enough and _seeks_samples(point),
        ),
        quantity.decreasing(
            "samples_needed", "stretch_exponent", "no allowance is needed", help="a stronger stretch needs fewer",
            when=_seeks_samples,
        ),
        quantity.increasing(
            "samples_needed", "d", "no allowance is needed", help="more dimensions need more", when=_seeks_samples,
        ),
        quantity.decreasing(
            "samples_needed", "steps", "no allowance is needed", help="more time needs fewer samples",
            when=lambda point: _seeks_samples(point) and point.d >= 24,
        ),
        quantity.increasing(
            "accuracy", "sample_factor", "no allowance is needed", help="fewer are not enough",
            when=lambda point: not _seeks_samples(point),
        ),
        quantity.decreasing(
            "accuracy", "heat", "no allowance is needed", help="a temperature that stays far above 1/d learns less",
            when=lambda point: point.heat >= COLD and not _seeks_samples(point),
        ),
        quantity.reported("weight_share", help="share of the weights' squares along the parity's signs"),
    )  # fmt: skip
    views = (
        view.Curve(
            "stretch_exponent", (0.25, 0.5, 0.75), ("accuracy",), seeds=6,
            title="n = 80 + 15 d^(1 - alpha), three signs",
        ),
        view.Curve(
            "stretch_exponent", (0.25, 0.5, 0.75), ("accuracy",), at=TWO, seeds=12,
            title="n = 160 + 15 d^(1 - alpha), two signs",
        ),
        view.Curve("d", (16, 36), ("accuracy",), seeds=6, title="sixteen and thirty-six dimensions"),
        view.Curve("stretch_exponent", (0.5, 0.75), ("accuracy",), at=FOUR, seeds=4, title="four signs take more"),
        view.Curve(
            "sample_factor", (0, 4, 15), ("accuracy",), at={"stretch_exponent": 0.25}, seeds=8, title="fewer samples",
        ),
        view.Curve(
            "d", (24, 32), ("accuracy",), by="matrix", by_values=("rotated", "sheared"), seeds=6,
            title="other matrices",
        ),
        view.Curve(
            "stretch_exponent", (0, 0.25, 0.5), ("samples_needed",), at={"sought": "samples", "d": 12}, seeds=8,
            title="samples for 90 %",
        ),
        view.Curve(
            "d", (12, 24), ("samples_needed",), by="steps", by_values=(400, 1200), at={"sought": "samples"}, seeds=12,
            title="samples for 90 %: time instead of samples",
        ),
        view.Curve("heat", (COLD, 2.4), ("accuracy",), at={"hotter": HOT}, seeds=14, title="annealed to heat/d"),
    )  # fmt: skip
    presets = {
        "isotropic": {"stretch_exponent": 0.0, "d": 12},
        "xor": TWO,
        "four-signs": FOUR,
        "rotated": {"matrix": "rotated"},
        "annealed": {"hotter": HOT},
    }
    default_seeds = 6
    engine = "particles"
    convention = "logistic loss; prior and start N(0, d I) on weights; temperature heat/d; step by the loss' curvature"

    def check(self) -> None:
        if self.d < self.order:
            raise InputError(f"d = {self.d} is not allowed; a parity of {self.order} signs needs as many dimensions")
        refuse_much_work("dynamics", self.cost().flops, MOST_WORK, "samples, neurons or steps")

    @property
    def effective(self) -> float:
        """d^(1 - alpha), d_eff but for a shear."""
        return float(self.d ** (1 - self.stretch_exponent))

    @property
    def samples(self) -> int:
        return round(self.sample_offset + self.sample_factor * self.effective)

    @property
    def is_enough(self) -> bool:
        """Whether n, N, the time and the temperature are those of which the claim speaks."""
        known = self.neurons >= 200 and self.steps >= 400 and self.heat == COLD
        if self.order not in OFFSETS or self.d > LARGEST or self.effective > MOST_EFFECTIVE:
            return False
        return known and self.sample_offset >= OFFSETS[self.order] and self.sample_factor >= FACTORS[self.order]

    def predict(self) -> Prediction:
        width, queries = exp(min(self.effective, 300.0)), self.d ** (self.order - 1)
        return Prediction(
            {"samples_needed": float(self.samples)} if _seeks_samples(self) else {"accuracy": LEARNED},
            "d_eff << n; the theorem has exponentially many neurons and steps",
            (f"the theorem's exp(d^(1 - alpha)) is {width:.3g}, the correlational bound d^(k-1) {queries}",),
        )

    def mixing(self, streams: Streams) -> Array:
        """What comes after the stretch, (d, d): nothing, a rotation, or a shear that leaves d_eff as it is."""
        if self.matrix == "stretched":
            return np.eye(self.d)
        left, right = (orthonormal_columns(self.d, self.d, streams.child(name)) for name in ("left", "right"))
        if self.matrix == "rotated":
            return left
        mixed = left @ np.diag(np.geomspace(1.0, SHEAR, self.d)) @ right.T
        signs = np.zeros(self.d)
        signs[: self.order] = 1 / np.sqrt(self.order)
        return np.asarray(mixed * float(np.linalg.norm(np.linalg.solve(mixed.T, signs))))

    def drawn(self, count: int, mixing: Array, streams: Streams) -> tuple[Array, Array]:
        law = ParityInputs(self.order, self.stretch_exponent)
        x = law.draw(streams.generator(), count, self.d)
        return x @ mixing.T, np.asarray(parity_target(self.order)(law.fields(x, self.order)))

    def learned(self, samples: int, mixing: Array, run: Run) -> tuple[float, MeanFieldNetwork]:
        """The share of right signs after training on the first `samples` of the data, and the network."""
        x, y = self.drawn(samples, mixing, run.streams.child("data"))
        start = prior_network(self.d, self.neurons, BOUND, run.streams.child("start"))
        last = self.heat / self.d
        dynamics = Langevin(x, y, (self.hotter * last, last), run.streams.child("noise"))
        found = learners.run(dynamics, start, times=[self.steps]).last.network
        return found.accuracy(*self.drawn(TESTED, mixing, run.streams.child("test"))), found

    def measure(self, run: Run) -> Measurement:
        mixing = self.mixing(run.streams.child("matrix"))
        if _seeks_samples(self):
            sizes = [round(self.samples * share) for share in SHARES]
            needed = bisect_left(sizes, True, key=lambda size: self.learned(size, mixing, run)[0] >= LEARNED)
            return Measurement({"samples_needed": float([*sizes, 2 * sizes[-1]][needed])})
        accuracy, found = self.learned(self.samples, mixing, run)
        weights = found.weights @ mixing
        share = float(np.sum(weights[:, : self.order] ** 2) / np.sum(weights**2))
        return Measurement({"accuracy": accuracy, "weight_share": share})

    def cost(self) -> Cost:
        rounds = 3 if _seeks_samples(self) else 1
        pairs = float(self.samples * self.neurons)
        return Cost(rounds * self.steps * pairs * (4.0 * self.d + 40), 8.0 * (3 * pairs + TESTED * self.d) + 2e7)
