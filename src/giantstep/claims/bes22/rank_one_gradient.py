"""[bes22] the first gradient is of rank one for the operator norm, and not for the Frobenius norm."""

from __future__ import annotations

import numpy as np

from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.bes22._proportional import ProportionalClaim
from giantstep.learners import operator_norm
from giantstep.theory import Student, Teacher
from giantstep.theory.gradient import frobenius_ratio, gradient_norm


def second_order(point: RankOneGradient) -> float:
    """(4 + 6 |B|_F^2/|A|_F^2)/N: the norm of A + B exceeds that of A by at most |B|^2/|A|, and N |B|^2 is a few times
    |B|_F^2."""
    return (4 + 6 * point.residual_share(np.inf) ** 2) / point.neurons


def output(point: RankOneGradient) -> float:
    """What the network's output adds to |B|_F/|A|_F at a finite width."""
    return point.residual_share(point.neurons) - point.residual_share(np.inf)


@named(
    "bes22/rank-one-gradient",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'Properties of the Gradient Matrix G0', proposition",
    finding=(
        "The slide orders the norms of the two parts; their sizes follow too. |B|_F/|A|_F converges to "
        "sqrt(Var s' E[y^2]/psi1 + (mu0* E s'')^2) / (mu1 sqrt(E[y^2]/psi1 + mu1*^2)), at psi1 = 2 from 0.13 (sigmoid "
        "on x1) to 0.84 (ReLU on relu(x1)): the part that the operator norm hides is no small part of the change."
    ),
)
class RankOneGradient(ProportionalClaim):
    """The first gradient is one rank-one spike plus a residual small in operator norm, not in Frobenius norm.

    Split s' into its mean mu1 and the rest: G0 = A + B with A = mu1 X^T y a^T/(n sqrt(N)) of rank one. The residual B
    is spread over all directions: its operator norm is smaller than that of G0 by a factor of order sqrt(N), while its
    Frobenius norm, the sum over all directions, stays comparable to that of A. The spectrum of the weights after a
    step sees A alone; single weights see B as well.
    """

    target: parameters.Target = parameters.target("relu(x1)")

    quantities = (
        quantity.slope(
            "operator_ratio",
            "d",
            -0.5,
            0.08,
            "the largest entries of the second layer give the residual a factor of at most sqrt(log N), which moves "
            "the exponent by at most 1/(2 log N)",
            help="operator norm of the residual over that of the gradient, as a power of the size",
            symbol=r"\|G_0 - A\|/\|G_0\|",
        ),
        quantity.reported(
            "operator_ratio",
            help="operator norm of the residual over that of the gradient",
            symbol=r"\|G_0 - A\|/\|G_0\|",
        ),
        quantity.equal(
            "frobenius_ratio",
            Allowance(6, of="prediction", power=-1),
            "the network's output is accounted for; lengths of weights and fourth moments of samples add a few 1/d",
            help="Frobenius norm of the residual over that of the rank-one part",
            symbol=r"\|G_0 - A\|_F/\|A\|_F",
            against="finite",
            limit=Allowance(6, of="prediction", power=-1) + Allowance(output),
        ),
        quantity.equal(
            "gradient_norm",
            Allowance(second_order, of="prediction"),
            "residual and output of the network act on the rank-one part in second order, which is of order 1/N",
            help="operator norm of the gradient times sqrt(N)",
            symbol=r"\sqrt{N}\,\|G_0\|",
            against="finite",
            limit=2 * Allowance(second_order, of="prediction"),
        ),
    )
    views = (
        view.Curve(
            "d", (128, 256, 512, 1024), ("operator_ratio", "frobenius_ratio"), together=True, log_x=True, log_y=True,
            y_label="size of the residual",
            title="residual in two norms",
        ),
        view.Curve("samples_per_dim", (0.5, 2, 8), ("gradient_norm", "frobenius_ratio"), log_x=True),
        view.Curve(
            "samples_per_dim", (0.5, 2, 8), ("gradient_norm", "frobenius_ratio"), log_x=True,
            at={"activation": "centered(gelu)", "target": "relu(x1) + 1/2", "neurons_per_dim": 1.5, "noise": 0.7},
            title="GELU, a target with a mean, noise",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"activation": "tanh", "target": "relu(x1)", "samples_per_dim": 4, "neurons_per_dim": 2},
        "relu": {"activation": "centered(relu)", "target": "tanh(x1)", "neurons_per_dim": 1.5},
        "softplus": {
            "activation": "centered(softplus)", "target": "tanh(x1)", "samples_per_dim": 1.5, "neurons_per_dim": 1.25,
        },
    }  # fmt: skip
    default_seeds = 36

    def residual_share(self, neurons: float) -> float:
        """|B|_F/|A|_F at a width."""
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        return float(frobenius_ratio(student, teacher, self.samples / self.d, neurons, self.noise))

    def predict(self) -> Prediction:
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        return Prediction(
            {
                "frobenius_ratio": self.residual_share(np.inf),
                "gradient_norm": float(gradient_norm(student, teacher, self.samples / self.d, self.noise)),
            },
            regime="n, N, d to infinity in proportion",
            notes=("the operator norm of the residual is known up to a constant: its power of the size is judged",),
        )

    def measure(self, run: Run) -> Measurement:
        first = self.first_gradient(run)
        gradient = first.gradient
        norm, residual = operator_norm(gradient), gradient - first.rank_one_part
        return Measurement(
            {
                "operator_ratio": operator_norm(residual) / norm,
                "frobenius_ratio": float(np.linalg.norm(residual)) / first.rank_one_norm,
                "gradient_norm": norm,
            },
            finite={"frobenius_ratio": self.residual_share(self.neurons), "gradient_norm": first.rank_one_norm},
        )

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        small = min(d, width)
        return Cost(4 * n * d * width + 4 * d * width * small + 6 * small**3, 8 * (6 * d * width + 3 * small**2) + 2e7)
