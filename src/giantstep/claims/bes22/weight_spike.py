"""[bes22] the spike that one gradient step leaves in the singular values of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from giantstep import learners
from giantstep.claims import (
    Allowance,
    Cost,
    Density,
    Hypothesis,
    Measurement,
    Prediction,
    Printed,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.bes22._proportional import (
    FIRST_TRACY_WIDOM,
    LITTLE,
    SECOND_TRACY_WIDOM,
    ProportionalClaim,
    overlap_allowance,
)
from giantstep.theory import spectra
from giantstep.theory.gradient import frobenius_ratio

SLIDE = {"activation": "tanh", "target": "relu(x1)", "samples_per_dim": 4, "neurons_per_dim": 2}


def residual(point: WeightSpike) -> float:
    """eta^2 (Var s' E[y^2]/psi1 + (mu0* E s'')^2)/N, the variance that the residual of the gradient adds to a weight.

    Relative to the variance 1/d of the initial ones, in the mean over neurons (derived: (|B|_F/|A|_F)^2 theta1^2/N).
    """
    setting = point.setting(point.step)
    ratio = float(frobenius_ratio(setting.student, setting.teacher, setting.psi1, noise=setting.noise))
    return float((ratio * setting.theta1) ** 2 / point.neurons) if point.step > 0 else 0.0


def edge_shift(point: WeightSpike, predicted: float) -> float:  # noqa: ARG001  (a wrong edge must not excuse itself)
    """The second Tracy-Widom mean, for the neighbour of the spike is the first or second of a bulk, and the part by
    which the residual adds to the variance of weights."""
    edge, first = point.bulk.edges[1], spectra.finite_edge(point.d, point.neurons).mean
    return abs(edge - first) * SECOND_TRACY_WIDOM / FIRST_TRACY_WIDOM + residual(point) * edge


SPREAD = Allowance(residual)
OVERLAP = overlap_allowance(lambda point: spectra.weight_spike(point.setting(point.step))) + SPREAD
# Samples, neurons, activation and target for which no two of the theory's numbers are equal, and none is 0.
CURVED = {
    "activation": "centered(softplus)", "target": "relu(x1) + 1", "samples_per_dim": 1, "neurons_per_dim": 0.5,
    "noise": 1.5, "d": 400,
}  # fmt: skip


def in_the_figure(point: WeightSpike) -> float | None:
    """The spike that the slide's figure shows for eta = 2: that of a step twice as large."""
    if point.step != 2 or any(getattr(point, name) != value for name, value in WeightSpike().shown().items()):
        return None
    return spectra.weight_spike(point.setting(4.0)).singular_value


@named(
    "bes22/weight-spike",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'A spiked model for W1', theorem on s1(W1) and u1",
    finding=(
        "The slide's figure states eta = 2 for tanh, ReLU teacher, psi = (4, 2). With the slide's own G0 this is "
        "below the threshold eta_c = 3.206: no spike appears. With the true gradient of the squared error, twice G0, "
        "the same eta is eta = 4 here and the spike of the figure is there (presets 'slide' and 'slide-figure'). Also, "
        "|f*|^2 under the root of theta1 must be E[y^2], which contains the target's mean and the label noise."
    ),
    flagship=True,
)
class WeightSpike(ProportionalClaim):
    """After one step of constant size, the weights keep their bulk of singular values and gain one spike.

    W1 = W0 + eta sqrt(N) G0 is, up to a residual of small operator norm, a rank-one perturbation of a Gaussian matrix.
    With theta1 = mu1 eta sqrt(E[y^2]/psi1 + mu1*^2) above psi2^(1/4), its top singular value leaves the bulk for
    sqrt((1 + theta1^2)(psi2 + theta1^2)/theta1^2), and its left singular vector aligns with the linear part of f*.
    Below the threshold nothing is seen. A target without linear part still gives a spike, but no alignment.
    """

    target: parameters.Target = parameters.target("relu(x1)")
    samples_per_dim: float = parameters.samples_per_dim(4.0, help="samples of the step per dimension")
    neurons_per_dim: float = parameters.neurons_per_dim(2.0)
    step: float = parameters.step(6.0, help="step size in the slide's convention", path=True, ge=0)

    quantities = (
        quantity.equal(
            "spike",
            Allowance(0.02, of="prediction", at=500, power=-0.5) + Allowance(residual, of="prediction"),
            "at finite d the output and |a|^2 lower the spike by about 1 % at d = 500, like d^(-1/2); the residual "
            "gradient adds to the variance of all weights",
            help="largest singular value of W1",
            symbol="s_1",
            against="finite",
        ),
        *quantity.equals(
            {
                "alignment": (
                    "squared overlap of the top left singular vector with the linear direction of f*",
                    r"\langle u_1, \beta_*\rangle^2",
                ),
                "right_alignment": (
                    "squared overlap of the top right singular vector with the second layer",
                    r"\langle v_1, a/|a|\rangle^2",
                ),
            },
            OVERLAP,
            "order d^(-1/2), and more in the critical window of relative width d^(-1/3); the residual adds noise",
            against="finite",
        ),
        quantity.increasing(
            "alignment",
            "samples_per_dim",
            "the direction X^T y turns towards the target, and the step stays large enough for a spike",
            help="squared overlap of the top left singular vector with the linear direction of f*, against the samples",
            symbol=r"\langle u_1, \beta_*\rangle^2",
            when=lambda point: float(point.setting(point.step).theta2) > 1.2 * (point.neurons / point.d) ** 0.25,
        ),
        quantity.equal(
            "bulk_edge",
            edge_shift,
            "eigenvalues at an edge sit inside it by the Tracy-Widom shift, of order d^(-2/3); the residual widens it",
            help="second largest singular value of W1",
        ),
        quantity.equal(
            "bulk_distance",
            Allowance(6, power=-1, size=("d", "neurons")) + 0.5 * SPREAD,
            "bulk eigenvalues are rigid: their distribution function is off by a few times 1/d; the residual widens it",
            help="Kolmogorov-Smirnov distance of all but the largest singular value from the Marchenko-Pastur law",
        ),
    )
    views = (
        view.Spectrum("weights", "singular value of the weights", title="Singular values of $W_1$"),
        view.Curve("step", [0, 2, 2.75, 3.75, 5, 6, 8], ("spike", "alignment")),
        view.Curve("step", [2, 4], ("spike", "alignment"), at=CURVED, title="SoftPlus, mean and noise"),
        view.Curve(
            "samples_per_dim",
            [0.5, 2, 8, 32],
            ("alignment",),
            at={"d": 200},
            log_x=True,
            title="alignment against samples",
        ),
    )
    hypotheses = (
        Hypothesis(
            "the step is of order 1: the residual of the gradient adds at most a tenth to the variance of weights",
            lambda point: residual(point) <= LITTLE,
        ),
    )
    printed = (
        Printed(
            "spike", "theta1 has |f*|^2 under the root, without the noise of the labels.",
            lambda point: spectra.weight_spike(replace(point.setting(point.step), noise=0.0)).singular_value,
        ),
        Printed("spike", "for tanh, ReLU teacher, psi = (4, 2) the figure shows a spike at eta = 2.", in_the_figure),
    )  # fmt: skip
    presets = {
        "slide": {**SLIDE, "step": 2},
        "slide-figure": {**SLIDE, "step": 4},
        "no-linear-part": {"activation": "tanh", "target": "He2(x1)", "step": 4},
    }
    default_seeds = 32

    def shown(self) -> dict[str, Any]:
        """The parameters that the slide's figure states, but the step."""
        return {
            name: getattr(self, name)
            for name in ("activation", "target", "samples_per_dim", "neurons_per_dim", "noise")
        }

    @property
    def bulk(self) -> spectra.SingularValues:
        """The law of the singular values but the spike."""
        return spectra.SingularValues(self.neurons / self.d)

    def predict(self) -> Prediction:
        setting = self.setting(self.step)
        spike, critical = spectra.weight_spike(setting), float(spectra.threshold_step(setting))
        isolated = (spike.singular_value,) if spike.supercritical else ()
        return Prediction(
            {
                "spike": spike.singular_value,
                "alignment": spike.left_alignment,
                "right_alignment": spike.right_alignment,
                "bulk_edge": spike.edge,
                "bulk_distance": 0.0,
            },
            regime="n, N, d to infinity in proportion, step size of order 1",
            notes=tuple(filter(None, [f"the spike leaves the bulk at step {critical:.4g}", spike.warning])),
            thresholds={"step": critical},
            densities={"weights": Density.of(self.bulk, isolated)},
        )

    def predict_for(self, first: learners.training.FirstGradient) -> dict[str, float]:
        """The same for the rank-one part as it was drawn: theta1 is eta mu1 |X^T y/n| |a| instead of its limit."""
        theta1, ratio = self.step * first.rank_one_norm, self.neurons / self.d
        towards_target = float(first.direction @ self.linear_direction()) ** 2
        return {
            "spike": float(spectra.spike_singular_value(theta1, ratio)),
            "alignment": towards_target * float(spectra.left_overlap(theta1, ratio)),
            "right_alignment": float(spectra.right_overlap(theta1, ratio)),
        }

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0].first_gradient(run)
        a, direction = first.start.second_layer, points[0].linear_direction()
        found = []
        for point in points:
            values, left, right = learners.singular_values_and_top(first.after(point.step).weights)
            measured = {
                "spike": float(values[-1]),
                "alignment": float((left @ direction) ** 2),
                "right_alignment": float((right @ a) ** 2 / np.sum(a**2)),
                "bulk_edge": float(values[-2]),
                "bulk_distance": learners.distance_to_law(values[:-1], point.bulk.cdf),
            }
            found.append(Measurement(measured, point.predict_for(first), spectra={"weights": values}))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(d, width)
        eigen = 2 * d * width * small + 12 * small**3
        return Cost(4 * n * d * width + eigen, 8 * (5 * d * width + 3 * small**2) + 2e7, eigen)
