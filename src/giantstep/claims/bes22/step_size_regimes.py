"""[bes22] how far one step moves the weights and the features, for step sizes from order 1 to order sqrt(N)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Printed, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import CONVENTION, NO_LINEAR_PART, GrowingStepClaim
from giantstep.learners import operator_norm
from giantstep.learners.training import FirstGradient
from giantstep.theory import gradient
from giantstep.theory.spectra import finite_edge

TILT = 0.04
POWER = "corrections of up to 10/d, from finite samples and weights, tilt the line by up to 0.04 from d = 128 on"
SMALL = f"{POWER}; a change that is not small bends it by as much as the features saturate"
OVERTAKEN = r"P(|\Delta W_{ij}| > |W_{ij}|)"
PARTS = "residual, output and moments of finite samples, all of relative order 1/d"
# The draw's own norms |a| and |X^T y/n| have means that are off by a few times 1/d.
LIMIT = Allowance(10, of="prediction", power=-1, size=("neurons", "d"))


def second_order(point: StepSizeRegimes) -> float:
    """(4 + 6 |B|_F^2/|A|_F^2)/min(N, d): the residual of the gradient acts in second order; 1/d also from the edge of
    W0."""
    setting = point.setting()
    residual = float(gradient.frobenius_ratio(setting.student, setting.teacher, setting.psi1, noise=setting.noise))
    return (4 + 6 * residual**2) / min(point.neurons, point.d)


@named(
    "bes22/step-size-regimes",
    kind="proposition",
    cite="bes22",
    version=4,
    where="slides 'Selection of Learning Rate'",
    finding=(
        "For eta = Theta(sqrt(N)) the slide says that every coordinate of the features changes significantly. Neuron j "
        "moves by eta a_j g_j, in proportion to its own |a_j|: typical features change by order 1, but the least moved "
        "of N neurons by a factor of order 1/N less (least_feature_change). For eta = Theta(1) it says that every "
        "entry of the weights moves by much less than itself. Typical ones do, by a factor N^(-1/2); but weights that "
        "happen to be small are overtaken, a share of order N^(-1/2) of all entries (overtaken)."
    ),
)
class StepSizeRegimes(GrowingStepClaim):
    """A step of order 1 moves the weights in operator norm only; one of order sqrt(N) moves the features too.

    With eta = step N^alpha, |W1 - W0|/|W0| grows like N^alpha in operator norm, but like N^(alpha - 1/2) in Frobenius
    norm, and so does the root mean square change of the features s(<w_j, x>) relative to their size, while it is small.
    At alpha = 0 the spectrum feels the step and no single weight does: the network stays near its kernel. At
    alpha = 1/2 features change by order 1 at every width, which is what the maximal update parametrisation asks of a
    learning rate: the largest change of the features that does not blow up with the width.
    """

    step: float = parameters.step(1.0, help="step size in units of N^alpha", symbol="c", path=True)

    convention = f"{CONVENTION}; eta = step * N^step_exponent"
    quantities = (
        quantity.slope(
            "operator_change", "d", lambda p: gradient.regime_slopes(p.step_exponent).operator, TILT, POWER,
            help="change of the weights in operator norm, as a power of the size", symbol=r"\|W_1 - W_0\|/\|W_0\|",
        ),
        quantity.slope(
            "frobenius_change", "d", lambda p: gradient.regime_slopes(p.step_exponent).frobenius, TILT, POWER,
            help="change of the weights in Frobenius norm, as a power of the size",
            symbol=r"\|W_1 - W_0\|_F/\|W_0\|_F",
        ),
        quantity.slope(
            "feature_change", "d", lambda p: gradient.regime_slopes(p.step_exponent).features, TILT, SMALL,
            help="relative root mean square change of the features, as a power of the size",
            symbol=r"|\phi_1 - \phi_0|/|\phi_0|",
        ),
        quantity.equal(
            "operator_change", Allowance(second_order, of="prediction"), PARTS,
            help="change of the weights in operator norm, relative", against="finite", limit=LIMIT,
        ),
        quantity.equal(
            "frobenius_change", Allowance(5, of="prediction", power=-1), PARTS,
            help="change of the weights in Frobenius norm, relative", against="finite", limit=LIMIT,
        ),
        quantity.equal(
            "feature_change", Allowance(5, of="prediction", power=-1), PARTS,
            help="root mean square change of the features over inputs and neurons, relative", against="finite",
            limit=LIMIT,
        ),
        quantity.slope(
            "overtaken", "d", lambda p: p.step_exponent - 0.5, 0.08,
            "the target's own coordinate, whose entries are overtaken anyway, adds a share of 1/d: it tilts the line "
            "by 0.05 from d = 128 on",
            help="share of the weights that move by more than themselves, as a power of the size",
            symbol=OVERTAKEN, when=lambda p: p.step_exponent == 0,
        ),
        quantity.equal(
            "overtaken", Allowance(10, of="prediction", power=-1), "moments of finite samples, of relative order 1/d",
            help="share of the weights that move by more than themselves", symbol=OVERTAKEN, against="finite",
            limit=2 * LIMIT, when=lambda p: p.step_exponent == 0,
        ),
        quantity.equal(
            "least_feature_change", Allowance(10, of="prediction", power=-1),
            "lengths of the neurons' gradients scatter by d^(-1/2), and the least of N products is off by its square",
            help="the same for the neuron whose features change least, which is the one of least |a_j|",
            symbol=r"\min_j|\phi_1^j - \phi_0^j|/|\phi_0|", against="finite", when=lambda p: p.is_largest,
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "d", (128, 256, 512, 1024), ("operator_change", "frobenius_change", "feature_change"),
            by="step_exponent", by_values=(0.0, 0.5), log_x=True, log_y=True,
        ),
        view.Curve(
            "d", (128, 256, 512, 1024), ("overtaken",), at={"step_exponent": 0.0}, log_x=True, log_y=True,
            title="weights that move by more than themselves",
        ),
        view.Curve(
            "step", "log:0.1:10:7", ("feature_change",), log_x=True, log_y=True, at={"step_exponent": 0.5}, seeds=12
        ),
        view.Curve(
            "step", (0.1, 1, 4), ("operator_change", "frobenius_change", "feature_change"), log_x=True, log_y=True,
            at={
                "activation": "centered(relu)", "target": "relu(x1) + 1/2", "samples_per_dim": 1.5,
                "neurons_per_dim": 0.75, "noise": 0.7,
            },
            seeds=12, title="ReLU, a target with a mean, noise",
        ),
    )  # fmt: skip
    printed = (
        Printed(
            "overtaken", "for eta = Theta(1) every entry moves by much less than itself, with high probability.",
            lambda point: 0.0 if point.step_exponent == 0 else None,
        ),
        Printed(
            "least_feature_change",
            "for eta = Theta(sqrt(N)) every coordinate of the features changes significantly: a tenth of typical, say.",
            lambda point: point.predict()["feature_change"] / 10 if point.is_largest else None,
            relation="at least",
        ),
    )  # fmt: skip
    presets = {
        "small": {"step_exponent": 0.0},
        "large": {"step_exponent": 0.5},
        "between": {"step_exponent": 0.25},
        "relu": {"activation": "centered(relu)", "target": "tanh(x1)", "neurons_per_dim": 1.5},
    }
    default_seeds = 48
    line_places = 13

    @property
    def is_largest(self) -> bool:
        """Whether eta grows like sqrt(N)."""
        return self.step_exponent == 0.5

    def predict(self) -> Prediction:
        setting = self.setting(self.eta)
        norms = gradient.step_norms(setting, self.neurons)
        return Prediction(
            {
                "operator_change": norms.operator,
                "frobenius_change": norms.frobenius,
                "feature_change": gradient.typical_feature_change(self.activation, setting, self.neurons),
                "overtaken": gradient.typical_overtaken_share(setting, self.d, self.neurons, self.linear_part),
            },
            regime="n, N, d to infinity in proportion, step size of order sqrt(N) or less",
            notes=(f"the step size is eta = {self.eta:.4g}",),
        )

    @property
    def linear_part(self) -> Array:
        """E[x_i f*] for the coordinates in which it is not 0."""
        linear = np.asarray(self.target.linear, dtype=float)
        return np.asarray(linear[np.abs(linear) > NO_LINEAR_PART])

    def predict_for(self, first: FirstGradient) -> dict[str, float]:
        """The same for the second layer and the rank-one part of the gradient as they were drawn."""
        setting = self.setting(self.eta)
        typical, overlap = gradient.neuron_gradient(setting)
        residual2 = typical**2 - (float(setting.theta1) / self.eta) ** 2
        a, size = first.start.second_layer, float(np.linalg.norm(first.start.second_layer))
        drawn = float(np.sqrt((first.rank_one_norm / size) ** 2 + residual2))
        return {
            "operator_change": self.eta * first.rank_one_norm / finite_edge(self.d, self.neurons).mean,
            "frobenius_change": self.eta * drawn * size / float(np.sqrt(self.neurons)),
            "feature_change": gradient.feature_change(self.activation, self.eta * a, drawn, overlap),
            "least_feature_change": gradient.feature_change(
                self.activation, self.eta * np.abs(a).min(keepdims=True), drawn, overlap
            ),
            "overtaken": gradient.overtaken_share(setting, self.d, self.eta * a, self.linear_part),
        }

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0].first_gradient(run)
        start, moved = first.start.weights, first.gradient
        operator = operator_norm(moved) / operator_norm(start)
        frobenius = float(np.linalg.norm(moved) / np.linalg.norm(start))
        found = []
        for point in points:
            squares = first.feature_changes(point.eta)
            measured = {
                "operator_change": point.eta * operator,
                "frobenius_change": point.eta * frobenius,
                "feature_change": float(np.sqrt(squares.mean())),
                "least_feature_change": float(np.sqrt(squares.min())),
                "overtaken": float(np.mean(point.eta * np.abs(moved) > np.abs(start))),
            }
            found.append(Measurement(measured, finite=point.predict_for(first)))
        return found

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(d, width)
        features = 4e6 * width  # dual kernels without closed form
        work = 4 * n * d * width + 4 * d * width * small + 6 * small**3 + features
        return Cost(work, 8 * (7 * d * width + 3 * small**2) + 2e7, features)
