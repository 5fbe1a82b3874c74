"""[dklps23] the threshold n ~ d^l is one of single neurons: many together see a target of exponent 2 at n ~ d."""

from __future__ import annotations

import numpy as np

from giantstep.claims import (
    Claim,
    Cost,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.dklps23._one_step import SHARE_ALLOWANCE, SHARE_REASON, SPARE
from giantstep.claims.refusals import refuse_constant, refuse_few_dimensions, refuse_jumps
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.networks import DKLPS23, initialise
from giantstep.problems import Problem
from giantstep.problems.analysis import has_coefficient
from giantstep.theory.visibility import FirstStepLaw, SingularVectorNoise, gradient_share, singular_vector_noise

MAX_WORK = 1e15
ENOUGH = 0.25  # noise of the samples up to which the first order in it says something


def _next_orders(point: PerNeuron, _: float) -> float:
    """e_S^2 + (0.3 + 20 e_W)/d with the noise e_S of the samples and e_W of the rows. The factors as measured at d = 32
    to 128, E f* = -0.5 to 2."""
    noise = point.vector_noise
    return float((noise.samples**2 + (0.3 + 20 * noise.rows) / point.d).max())


@named(
    "dklps23/per-neuron",
    kind="theorem",
    cite="dklps23",
    version=3,
    where="slides 'Results: one gradient step', n = O(d^(l-eps)) and ||P_V* w_i|| = o(||w_i||) for all i",
    finding=(
        "'The first layer never learns' below n ~ d^l is true of each neuron, not of the layer. For l = 2 and n = 16 d "
        "the share of V* in a neuron's gradient falls like 1/d, but the leading right singular vectors of the "
        "gradients of 4 d neurons keep an overlap of 0.8 with V*: together they see V* from n ~ d samples on. In the "
        "same sense, and only in it, a target with l = 1 shows its second direction at n ~ d^2 (preset 'second-order'; "
        "dklps23/overlaps for single neurons). What is seen is E f* + H, not H: a mean gives all neurons a part along "
        "themselves, and a direction with (E f* + h)^2 < (E f*)^2 is hidden, such as that of cos(x1), E f* + h = 0."
    ),
)
class PerNeuron(Claim):
    """Below n ~ d^l no neuron sees the target, but the gradients of many neurons together can: for l = 2 from n ~ d on.

    Two measures of one first gradient G: the share |P_V* g_i|^2/|g_i|^2 of V* in single rows, and the mean squared
    cosine between V* and the span of the r + 1 leading right singular vectors of G, r directions and one for the noise
    X^T y that all neurons share. To first order in d/n the second is 1/(1 + e), e of order d/n and, if the target has a
    mean, d/p, whatever d.
    """

    activation: parameters.Activation = parameters.activation("relu")
    target: parameters.Target = parameters.target("He2(x1)")
    d: int = parameters.dimension(64)
    samples_per_dim: float = parameters.samples_per_dim(16.0)
    neurons_per_dim: float = parameters.neurons_per_dim(4.0)

    quantities = (
        quantity.equal(
            "share", SHARE_ALLOWANCE, SHARE_REASON, symbol=r"|P_{V^*} g|^2/|g|^2",
            help="share of the relevant directions in a neuron's gradient, mean over neurons",
        ),
        quantity.decreasing(
            "share", "d", "signal and chance both fall with d", when=lambda point: point.exponent > 1,
            help="at n ~ d no neuron sees more than chance",
        ),
        quantity.equal(
            "sv_alignment", _next_orders,
            "first order of a series in the noise of the samples; overlaps of single neurons with the target are of "
            "order d^(-1/2), which moves the noise of the rows by a share of order 1/d, and chance is of order 1/d",
            help="squared cosine with the leading right singular vectors: of the relevant directions, in the mean",
            symbol=r"\cos^2(V^*, v_1, \ldots, v_{r+1})", when=lambda point: point.is_seen_together,
        ),
        quantity.slope(
            "sv_alignment", "d", 0.0, 0.05, "corrections of order 1/d, and outliers of single samples, like log d",
            help="at fixed n/d all dimensions see the same", when=lambda point: point.is_seen_together,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (32, 64, 128), ("share", "sv_alignment"), log_x=True, log_y=True, together=True,
            y_label="squared cosine", title="n = 16 d",
        ),
        view.Curve(
            "samples_per_dim", (16, 32, 64, 128), ("share", "sv_alignment"), log_x=True, together=True,
            y_label="squared cosine", title="d = 64",
        ),
        view.Curve(
            "neurons_per_dim", (2, 4, 8), ("sv_alignment",), log_x=True, by="target",
            by_values=("He2(x1) + 1", "He2(x1) - 0.5"), at={"samples_per_dim": 64}, title="targets with a mean",
        ),
    )  # fmt: skip
    presets = {
        "square": {"target": "He2(x1)"},
        "product": {"target": "x1*x2", "samples_per_dim": 32},
        "second-order": {"target": "x1 + He2(x2) + He2(x1)*x2", "samples_per_dim": 256},
        "slide-size": {"target": "He2(x1)", "d": 256},
    }
    default_seeds = 180
    engine = "full"
    convention = "f = (1/p) sum of neurons, paired start f = 0; neither measure depends on the step size"

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d, least=2)

    @property
    def neurons(self) -> int:
        """An even number, for neurons come in pairs: half of them are different."""
        return 2 * count(self.neurons_per_dim / 2, self.d)

    @property
    def exponent(self) -> int:
        return self.target.information_exponent or 0

    @property
    def vector_noise(self) -> SingularVectorNoise:
        """That of the singular vectors, infinite where theory has no such number."""
        if self.exponent != 2 or not has_coefficient(self.activation, 2):
            return SingularVectorNoise(np.array([np.inf]), np.array([np.inf]))
        step = FirstStepLaw.of(self.target, self.activation, self.d, self.samples)
        return singular_vector_noise(step, self.neurons // 2)

    @property
    def is_seen_together(self) -> bool:
        """Whether theory knows what the singular vectors see: l = 2, all of V* in E Hess f*, not hidden by a mean."""
        noise = self.vector_noise
        return noise.is_known and float(noise.samples.max()) <= ENOUGH and float(noise.rows.max()) <= ENOUGH

    def check(self) -> None:
        refuse_few_dimensions(self.target, self.d, spare=SPARE)
        refuse_constant(self.target)
        refuse_jumps(self.activation)
        if self.neurons <= self.target.directions:
            raise InputError(f"{self.neurons} neurons are too few; raise neurons_per_dim")
        if self.cost().flops > MAX_WORK:
            raise InputError(f"{self.samples:.2g} samples and {self.neurons} neurons are too much work; lower d")

    def predict(self) -> Prediction:
        share = gradient_share(self.target, self.activation, self.d, self.samples)
        values = {"share": share.value}
        if self.is_seen_together:
            values["sv_alignment"] = self.vector_noise.cos2
        return Prediction(
            values,
            regime="f = 0 at the start; any n for single neurons, n and p large multiples of d for singular vectors",
            notes=(f"the information exponent of the target is {self.exponent}; chance share {share.floor:.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        net = initialise(DKLPS23, self.activation, self.d, self.neurons, run.streams.child("network"))
        sample = Problem(self.target, self.d).sample(self.samples, run.streams.child("step data"))
        seen = first_layer_gradient(net, sample, threads=run.threads, progress=run.progress)
        r = self.target.directions
        vectors = np.linalg.eigh(seen.gradient.T @ seen.gradient)[1][:r, -(r + 1) :]
        overlap = float(np.sum(vectors**2)) / r
        return Measurement({"share": float(np.nanmean(seen.share(r))), "sv_alignment": overlap})

    def cost(self) -> Cost:
        n, d, p = float(self.samples), float(self.d), float(self.neurons)
        return Cost(4 * n * d * p + 20 * n * p + 2 * p * d**2 + 30 * d**3, 8 * (3 * p * d + 4096 * p) + 2e7)
