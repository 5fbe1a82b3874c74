"""[moniri24] a step that grows with n puts several spikes into the features, one for each power of the linear part."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Claim,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.printed import Printed
from giantstep.claims.refusals import refuse_few_dimensions, refuse_jumps
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.labelled import top_eigenpairs
from giantstep.learners.networks import Initialisation, initialise
from giantstep.learners.training import label_correlation, label_step
from giantstep.problems import Activation, Problem, whole
from giantstep.theory.spectra import PolynomialSpikes, polynomial_spikes

POWERS = (1, 2, 3)
LINEAR = {"step_exponent": 0.2, "step": 2}
QUADRATIC = {"step_exponent": 0.3}
SIZES = (50, 100, 200)


_limits = lru_cache(maxsize=256)(polynomial_spikes)  # a point is checked, predicted and judged by the same numbers


@lru_cache(maxsize=256)
def _is_seen(activation: Activation, degree: int) -> bool:
    return abs(activation.hermite_coefficient(degree)) > 1e-9


def near_edge(point: PolynomialSpikesClaim) -> float:
    """0.5 d^(-1/2), and n^(-1/3) where the last spike is within 3 n^(-2/3) of the edge: the width of the transition."""
    spikes = point.spikes()
    away = abs(float(spikes.values[point.degree - 1]) / spikes.edge - 1)
    return float(point.samples ** (-1 / 3) if away < 3 * point.samples ** (-2 / 3) else 0.5 * point.d**-0.5)


@named(
    "moniri24/polynomial-spikes",
    kind="theorem",
    cite="moniri24",
    where="theorem on the spectrum of the feature matrix, and on its left singular vectors",
    finding=(
        "The l left singular vectors span the powers 1 to l together, not one each: they are orthogonal, and powers "
        "are not. The third is orthogonal to the first, X beta, so that its squared overlap with (X beta)^3 tends "
        "to 6/15, the share of He3 in a cube. At sizes within reach the second spike may even be the larger one."
    ),
)
class PolynomialSpikesClaim(Claim):
    """A step of size n^alpha puts l spikes into the features, whose left vectors span the powers 1 to l of X beta.

    eta = step n^alpha with (l - 1)/(2 l) < alpha < l/(2 l + 2); beta = X^T y/n is the direction of the step, and the
    features are those of fresh inputs. `captured_k` is the squared length of (X beta)^k, as a unit vector, in the span
    of the first l left singular vectors. The theorem says that it tends to 1 for k up to l, slowly: spike l grows
    like n^(l alpha - (l-1)/2). The prediction for finite n is that of a signal of several modes, the singular functions
    of E_z s(kappa u + z), in a bulk that does not know them, for the second layer that was drawn.
    """

    activation: parameters.Activation = parameters.activation(
        "centered(sin(z + 0.5))", help="activation, with mean zero"
    )
    target: parameters.Target = parameters.target("x1 + He2(x1)/4")
    noise: float = parameters.noise(0.1)
    samples_per_dim: float = parameters.samples_per_dim(
        4.0, help="samples per dimension, of step and features each", symbol="n/d", ge=0.1, le=50
    )
    neurons_per_dim: float = parameters.neurons_per_dim(2.0, symbol="N/d", ge=0.1, le=50)
    step_exponent: float = parameters.step_exponent(
        0.36, help="growth of the step with the samples", symbol=r"\alpha,\ \eta = c\, n^\alpha", ge=0, lt=0.375
    )
    step: float = parameters.step(3.0, help="step size over n^alpha", symbol="c", le=100)
    d: int = parameters.dimension(100, le=4000)

    quantities = (
        *(
            quantity.equal(
                f"captured_{k}", Allowance(near_edge),
                "chance turns singular vectors by order d^(-1/2), near the edge more",
                help=f"share of power {k} of X beta that the spikes span: (X beta)^{k} in the "
                "span of the first l left singular vectors",
                symbol=f"P_{k}", against="finite", limit=Allowance(0.2, at=100, power=-0.5) + Allowance(near_edge),
                when=lambda point, k=k: k <= point.degree,
            )
            for k in POWERS
        ),
        *(
            quantity.increasing(
                f"captured_{k}", "d", "the spikes grow with n",
                help=f"the same along d, at n/d and N/d fixed: (X beta)^{k} is learned", symbol=f"P_{k}",
                when=lambda point, k=k: k <= point.degree,
            )
            for k in POWERS
        ),
        *(
            quantity.equal(
                f"value_{k}", Allowance(1.5, of="prediction", power=-1) + Allowance(0.02, of="prediction"),
                "at the edge values scatter like d^(-2/3); the bulk is taken with its mean variance",
                help=f"singular value {k} of the features: over sqrt(N)", symbol=f"s_{k}",
                against="finite", limit=Allowance(2, of="prediction", power=-0.5),
                when=lambda point, k=k: k <= point.degree,
            )
            for k in POWERS
        ),
        quantity.equal(
            "third_alone", Allowance(near_edge), "as what is captured",
            help="squared overlap of the third left singular vector with (X beta)^3, for large n 6/15",
            symbol=r"\langle u_3, (X\beta)^{\circ 3}\rangle^2", when=lambda point: point.degree >= 3,
            against="finite", limit=Allowance(0.2, at=100, power=-0.5) + Allowance(near_edge),
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the activation sees all powers up to l: c_1, ..., c_l are not 0",
            lambda point: all(_is_seen(point.activation, k) for k in range(1, point.degree + 1)),
        ),
    )
    views = (
        view.Curve(
            "d", SIZES, ("captured_1", "captured_2", "captured_3"), together=True, log_x=True, seeds=72,
            title=r"three spikes: $\alpha = 0.36$", y_label="share that the spikes span",
        ),
        view.Curve(
            "d", SIZES, ("captured_1", "captured_2"), at=QUADRATIC, together=True, log_x=True, seeds=20,
            title=r"two spikes: $\alpha = 0.3$", y_label="share that the spikes span",
        ),
        view.Curve("d", SIZES, ("captured_1",), at=LINEAR, log_x=True, seeds=24, title=r"one spike: $\alpha = 0.2$"),
        view.Curve(
            "step", (2.5, 3, 4), ("captured_1", "captured_2", "value_2"), seeds=28, title="a target with a mean",
            at={"step_exponent": 0.3, "d": 80, "target": "x1 + He2(x1)/4 + 1/2"},
        ),
    )  # fmt: skip
    printed = (Printed("third_alone", "the third left singular vector is aligned with (X beta)^3.", lambda _: 1.0),)
    presets = {
        "one-spike": LINEAR,
        "two-spikes": QUADRATIC,
        "three-spikes": {"step_exponent": 0.36, "d": 400},
        "relu": {"activation": "centered(relu(z + 0.5))", **QUADRATIC, "step": 2},
    }
    default_seeds = 28
    line_places = 9
    convention = "W1 = W0 + step n^alpha a_i mean(y s'(W0 x) x), a_i ~ N(0, 1/N), rows of W0 of length 1"

    @property
    def degree(self) -> int:
        """l, the number of spikes that the theorem promises: alpha lies below l/(2 l + 2) for the first time."""
        return math.floor(2 * self.step_exponent / (1 - 2 * self.step_exponent)) + 1

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d, least=4)

    @property
    def neurons(self) -> int:
        return count(self.neurons_per_dim, self.d, least=4)

    @property
    def eta(self) -> float:
        return float(self.step * self.samples**self.step_exponent)

    @property
    def problem(self) -> Problem:
        return Problem(self.target, self.d, self.noise)

    def spikes(self, second_layer: Array | None = None) -> PolynomialSpikes:
        """Theory, for the second layer that was drawn or its law."""
        given = self.target, self.activation, self.d, self.samples, self.neurons, self.eta, self.noise
        if second_layer is None:
            return _limits(*given, count=max(POWERS))
        return polynomial_spikes(*given, second_layer=second_layer, count=max(POWERS))

    def check(self) -> None:
        refuse_few_dimensions(self.target, self.d, spare=1)
        refuse_jumps(self.activation)
        if not np.asarray(self.target.linear).any():
            raise InputError(f"the target {self.target} has no linear part: the step learns no direction of it")
        _ = self.spikes()

    def predict(self) -> Prediction:
        found = self.spikes()
        promised = f"the theorem promises {self.degree} spikes; the bulk ends at {found.edge:.4g}"
        return Prediction(
            self.told(found),
            regime="n, N, d to infinity in proportion, (l - 1)/(2 l) < alpha < l/(2 l + 2)",
            notes=(promised, f"neurons have gained {found.gain:.3g} along beta, in standard deviation"),
        )

    def told(self, found: PolynomialSpikes) -> dict[str, float]:
        """Theory's numbers under the names of the quantities."""
        captured = found.captured(self.degree)
        return (
            {f"captured_{k}": float(captured[k - 1]) for k in POWERS}
            | {f"value_{k}": float(found.values[k - 1]) for k in POWERS}
            | {"third_alone": float(found.aligned[2, 2])}
        )

    def measure(self, run: Run) -> Measurement:
        init = Initialisation("sphere", "gaussian/N")
        start = initialise(init, self.activation, self.d, self.neurons, run.streams.child("network"))
        sample = self.problem.sample(self.samples, run.streams.child("step data"))
        seen = label_step(start, sample, threads=run.threads, progress=lambda share: run.progress(share / 2))
        net = seen.scaled(start.second_layer).after(self.eta)
        x, _ = whole(self.problem.sample(self.samples, run.streams.child("feature data")))
        features = net.features(x) / self.neurons**0.5
        squares, right = top_eigenpairs(features.T @ features, max(POWERS))
        values = np.sqrt(squares)
        left = features @ right / values
        beta = label_correlation(sample)
        powers = np.array([(x @ beta / np.linalg.norm(beta)) ** k for k in POWERS])
        aligned = (left.T @ (powers / np.linalg.norm(powers, axis=1, keepdims=True)).T) ** 2
        captured = aligned[: self.degree].sum(axis=0)
        measured = {f"captured_{k}": float(captured[k - 1]) for k in POWERS}
        measured |= {f"value_{k}": float(values[k - 1]) for k in POWERS}
        return Measurement(measured | {"third_alone": float(aligned[2, 2])}, self.told(self.spikes(start.second_layer)))

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(n, width)
        work = n * width * (6.0 * d + 2 * small + 60) + 10 * small**3 + 4e4 * width
        return Cost(work, 8 * (4 * d * width + 3 * n * width + 3 * small**2 + 2 * n * d) + 4e7)
