"""[bes22] the spike that one gradient step leaves in the singular values of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep import learners
from giantstep.claims import Allowance, Cost, Density, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import ProportionalClaim, overlap_allowance
from giantstep.theory import spectra

SLIDE = {"activation": "tanh", "target": "relu(x1)", "samples_per_dim": 4, "neurons_per_dim": 2}


def edge_shift(point: WeightSpike, predicted: float) -> float:  # noqa: ARG001  (a wrong edge must not excuse itself)
    """Twice the mean Tracy-Widom shift: the spike's neighbour is the first or second eigenvalue of a bulk."""
    return 2 * abs(point.bulk.edges[1] - spectra.finite_edge(point.d, point.neurons).mean)


@named(
    "bes22/weight-spike",
    kind="theorem",
    cite="bes22",
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
            Allowance(0.02, of="prediction", at=500, power=-0.5),
            "at finite d the residual gradient and |a|^2 lower the spike by about 1 % at d = 500, like d^(-1/2)",
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
            overlap_allowance(lambda point: spectra.weight_spike(point.setting(point.step))),
            "order d^(-1/2), and more in the critical window of relative width d^(-1/3)",
            against="finite",
        ),
        quantity.equal(
            "bulk_edge",
            edge_shift,
            "eigenvalues at an edge sit inside it by the Tracy-Widom shift, of order d^(-2/3)",
            help="second largest singular value of W1",
        ),
        quantity.equal(
            "bulk_distance",
            Allowance(6, power=-1, size=("d", "neurons")),
            "bulk eigenvalues are rigid: their distribution function is off by a few times 1/d",
            help="Kolmogorov-Smirnov distance of all but the largest singular value from the Marchenko-Pastur law",
        ),
    )
    views = (
        view.Spectrum("weights", "singular value of the weights", title="Singular values of $W_1$"),
        view.Curve("step", "0:8:9", ("spike", "alignment")),
    )
    presets = {
        "slide": {**SLIDE, "step": 2},
        "slide-figure": {**SLIDE, "step": 4},
        "no-linear-part": {"activation": "tanh", "target": "He2(x1)", "step": 4},
    }
    default_seeds = 20

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
