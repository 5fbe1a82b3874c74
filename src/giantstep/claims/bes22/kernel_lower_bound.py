"""[bes22] what kernels reach without learning features, and the bound that none of them beats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Cost,
    Measurement,
    Prediction,
    Printed,
    Quantity,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.bes22._ridge import RESIDUAL, RidgeClaim
from giantstep.learners import kernels
from giantstep.learners.networks import Network, RidgeConvention
from giantstep.problems import Activation, whole
from giantstep.theory import ridge

RISKS = ("risk_ck", "risk_ntk", "risk_ck_infinite", "risk_linear")


# Samples, neurons, activation and target for which no two of the theory's numbers are equal, and none is 0.
CURVED = {
    "activation": "centered(relu)", "target": "relu(x1) + 1/4", "samples_per_dim": 3, "neurons_per_dim": 0.8,
    "noise": 0.5,
}  # fmt: skip


def _single_index(point: KernelLowerBound) -> bool:
    return point.target.single_index is not None


def _risk(name: str, help: str, symbol: str, against: Literal["limit", "finite"] = "limit") -> Quantity:
    return quantity.equal(
        name,
        Allowance(5, of="prediction", power=-1),
        "kernels are linear up to terms of order 1/d: risks are moved by up to 4/d in the cases measured",
        help=help,
        symbol=rf"\mathcal{{R}}_{{{symbol}}}",
        against=against,
        limit=RESIDUAL if against == "finite" else None,
        when=_single_index if name == "risk_ck_infinite" else None,
    )


def _risks_against(parameter: str, values: Any, **more: Any) -> view.Curve:
    return view.Curve(parameter, values, RISKS, together=True, bounds=("lower_bound",), log_x=True, log_y=True, **more)


@named(
    "bes22/kernel-lower-bound",
    kind="theorem",
    cite="bes22",
    version=2,
    where="slides 'Limitation of Kernel Ridge Regression', theorem after Ghorbani et al. 2019, Hu and Lu 2020",
    finding=(
        "The bound is not reached at finite psi1: tangent and infinite kernel have the risk of linear regression at a "
        "penalty raised by their own nonlinearity, Var s' or mu2^2, and with two samples per dimension the best of all "
        "stays at almost three times the bound. The projection is onto degrees above one: read as P_{>=1}, as in the "
        "lecture notes, the statement would be false, for every kernel here learns of the linear part. The mean of the "
        "target is learned by activations that are not odd, whose kernels have a constant part of the size of the "
        "linear one, (E s'')^2/(2d) or twice that for the tangent kernel."
    ),
)
class KernelLowerBound(RidgeClaim):
    """No kernel of a network before training beats |P_{>1} f*|^2, the part of the target that is not linear.

    Compared are the conjugate kernel of N random neurons, the tangent kernel of the first layer, the conjugate kernel
    of infinitely many neurons and linear regression, each fitted as f = k(x)^T (K + n lambda/N)^-1 y to the same data.
    With n of order d they learn linear functions only: tangent and infinite kernels have the risk of linear regression
    at a larger penalty, N random neurons that of a noisy random projection. All measured risks are exact expectations
    over x; no test set is drawn.
    """

    d: int = parameters.dimension(300)
    neurons_per_dim: float = parameters.neurons_per_dim(1.5)
    noise: float = parameters.noise(0.2)

    quantities = (
        _risk("risk_ck", "conjugate kernel of N random neurons", "CK", "finite"),
        _risk("risk_ntk", "tangent kernel of the first layer", "NT"),
        _risk("risk_ck_infinite", "conjugate kernel of infinitely many neurons", r"CK,\infty"),
        _risk("risk_linear", "linear regression, kernel <x, x'>/d", "lin"),
        quantity.at_least(
            "lower_bound",
            0,
            "the bound is strict at any finite ratio of samples to dimension",
            help="|P_{>1} f*|^2, which the smallest of the measured risks does not undercut",
            symbol=r"\|P_{>1}f^*\|^2",
        ),
    )
    views = (
        _risks_against("ridge", "log:0.001:100:11", title="tanh network"),
        _risks_against("ridge", "log:0.01:10:4", at=CURVED, title="ReLU network and target, which has a mean"),
        _risks_against("ridge", [0.1, 1], at={**CURVED, "activation": "relu"}, title="the same, not centred"),
        _risks_against("samples_per_dim", [1, 2, 4, 8], at={"d": 120}, seeds=12, title="tanh network, more samples"),
    )
    printed = (
        Printed(
            "lower_bound", "no kernel beats |P_{>=1} f*|^2, as the lecture notes read.",
            lambda point: point.setting().teacher.norm2 - point.setting().teacher.mu0 ** 2,
        ),
    )  # fmt: skip
    presets = {
        "tanh": {"activation": "tanh", "target": "tanh(x1)"},
        "erf": {
            "activation": "erf", "target": "erf(x1)", "samples_per_dim": 4, "neurons_per_dim": 2, "noise": 0, "d": 200,
        },
        "relu": {"activation": "centered(relu)", "target": "tanh(x1)"},
        "relu-target": {
            "activation": "tanh", "target": "relu(x1) - 1/sqrt(2*pi)", "samples_per_dim": 3, "neurons_per_dim": 1,
            "noise": 0.1, "d": 250,
        },
    }  # fmt: skip
    default_seeds = 24
    engine = ("full", "dense")
    convention = "f = k(x)^T (K + n lambda/N)^-1 y, that is (1/n)|y - Phi a|^2 + (lambda/N)|a|^2 with K = Phi Phi^T"

    def predict(self) -> Prediction:
        student, teacher = self.setting().student, self.setting().teacher
        psi1, psi2 = self.samples / self.d, self.neurons / self.d
        network = (student, teacher, psi1, psi2, self.ridge, self.noise)
        told = "the target has several directions: the kernel of infinitely many neurons is predicted, not simulated"
        return Prediction(
            {
                "risk_ck": float(ridge.initial_kernel_risk(*network)),
                "risk_ntk": float(ridge.tangent_kernel_risk(*network)),
                "risk_ck_infinite": float(ridge.infinite_width_risk(*network)),
                "risk_linear": float(ridge.linear_ridge_risk(teacher, psi1, self.ridge / psi2, self.noise)),
                "lower_bound": ridge.kernel_lower_bound(teacher),
            },
            regime="n, N, d to infinity in proportion, isotropic inputs",
            notes=() if _single_index(self) else (told,),
        )

    def kernel_risks(self, net: Network, ridges: Sequence[float], run: Run) -> dict[str, Array]:
        """The exact risks on the four kernels, one per penalty."""
        x, y = whole(self.ridge_data(run.streams))
        slide, kernel = RidgeConvention.BES22, RidgeConvention.KERNEL
        shifts = np.array([slide.convert(r, self.samples, self.neurons, kernel) for r in ridges])
        linear = Network(np.eye(self.d), np.zeros(self.d), Activation("z"), net.scaling)
        found = {
            "risk_ck": self.measured_risks(net, ridges, run),
            # On the features x itself, kernel <x, x'>, the same fit has the penalty lambda d/N.
            "risk_linear": self.measured_risks(linear, [r * self.d / self.neurons for r in ridges], run),
        }
        dual = kernels.kernel_ridge(kernels.tangent_kernel(net, x), y, shifts)
        found["risk_ntk"] = kernels.tangent_moments(net, self.problem).risk(kernels.tangent_directions(net, x, dual))
        if _single_index(self):
            dual = kernels.kernel_ridge(kernels.wide_kernel(self.activation, x), y, shifts)
            found["risk_ck_infinite"] = kernels.wide_kernel_moments(self.activation, x, self.problem).risk(dual)
        return found

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        named, ridges = points[0], [p.ridge for p in points]
        net = named.network(run.streams)
        risks = named.kernel_risks(net, ridges, run)
        least, given = np.min(list(risks.values()), axis=0), named.equivalent_risks(net, ridges)
        return [
            Measurement(
                {**{name: float(values[i]) for name, values in risks.items()}, "lower_bound": float(least[i])},
                finite={"risk_ck": float(given[i])},
            )
            for i in range(len(points))
        ]

    def cost(self) -> Cost:
        n, d, width = self.samples, self.d, self.neurons
        fixed = 2.0 * n**2 * (d + width) + 400 * n**2 + n * width * (2 * d + width) + 400 * width**2 + 20 * width**3
        each = 2.0 * n**3 / 3 + 2 * n * width * d + 4 * width**2 * d + 60 * width**2
        return Cost(2 * (fixed + each), 8 * (6 * n**2 + 2 * n * (d + width) + 8 * width**2) + 2e7, 2 * each)
