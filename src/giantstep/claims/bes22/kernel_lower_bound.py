"""[bes22] what kernels reach without learning features, and the bound that none of them beats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.claims import (
    Cost,
    CurveView,
    Measurement,
    Prediction,
    Quantity,
    Run,
    absolute,
    at_least,
    claim,
    equal,
    parameter,
    relative,
)
from giantstep.claims.bes22._ridge import RidgeClaim
from giantstep.claims.values import Array
from giantstep.errors import InputError
from giantstep.learners import (
    Network,
    PenaltyConvention,
    kernel_ridge,
    tangent_directions,
    tangent_kernel,
    tangent_moments,
    wide_kernel,
    wide_kernel_moments,
)
from giantstep.problems import Activation
from giantstep.theory import (
    Student,
    Teacher,
    infinite_width_risk,
    initial_kernel_risk,
    kernel_lower_bound,
    linear_ridge_risk,
    tangent_kernel_risk,
)

CENTRED = 1e-9  # moments come from quadrature: a mean smaller than this is zero


def _risk(name: str, help: str, symbol: str, reason: str) -> Quantity:
    return equal(name, relative(0.03), reason, help=help, symbol=rf"\mathcal{{R}}_{{{symbol}}}")


@claim(
    "bes22/kernel-lower-bound",
    kind="theorem",
    cite="bes22",
    where="slides 'Limitation of Kernel Ridge Regression', theorem (Ghorbani et al. 19, Hu and Lu 20, Bartlett et al. 21)",
)
class KernelLowerBound(RidgeClaim):
    """No kernel of a network at initialisation beats |P_{>1} f*|^2, the part of f* that is not linear.

    Doc.
    """

    d: int = parameter(300, "input dimension", symbol="d", ge=16)
    neurons_per_dim: float = parameter(1.5, "neurons per dimension", symbol=r"\psi_2 = N/d", gt=0)
    noise: float = parameter(0.2, "standard deviation of label noise", symbol=r"\sigma_\varepsilon", ge=0)

    quantities = (
        _risk("risk_ck", "conjugate kernel of N random neurons", "CK", ""),
        _risk("risk_ntk", "tangent kernel", "NT", ""),
        _risk("risk_ck_infinite", "conjugate kernel of infinitely many neurons", r"CK,\infty", ""),
        _risk("risk_linear", "linear ridge regression", "lin", ""),
        at_least("lower_bound", absolute(0.0), ""),
    )
    default_seeds = 12

    def predict(self) -> Prediction:
        student, teacher = Student.of(self.activation), Teacher.of(self.target)
        psi1, psi2 = self.samples / self.d, self.neurons / self.d
        setting = (student, teacher, psi1, psi2, self.ridge, self.noise)
        return Prediction(
            {
                "risk_ck": float(initial_kernel_risk(*setting)),
                "risk_ntk": float(tangent_kernel_risk(*setting)),
                "risk_ck_infinite": float(infinite_width_risk(*setting)),
                "risk_linear": float(linear_ridge_risk(teacher, psi1, self.ridge / psi2, self.noise)),
                "lower_bound": kernel_lower_bound(teacher),
            },
            regime="n, N, d to infinity in proportion",
        )

    def measured_by_kernel(self, ridges: Sequence[float], run: Run) -> dict[str, Array]:
        net = self.network(run.streams)
        data = self.ridge_data(run.streams)
        x, y = (np.concatenate(part) for part in zip(*map(data.block, range(data.blocks())), strict=True))
        shifts = np.array([PenaltyConvention.BES22.convert(r, self.samples, self.neurons, PenaltyConvention.KERNEL) for r in ridges])
        found = {"risk_ck": self.measured_risks(net, ridges, run)}
        dual = kernel_ridge(tangent_kernel(net, x), y, shifts)
        found["risk_ntk"] = tangent_moments(net, self.problem).risk(tangent_directions(net, x, dual))
        if self.target.single_index is not None:
            dual = kernel_ridge(wide_kernel(self.activation, x), y, shifts)
            found["risk_ck_infinite"] = wide_kernel_moments(self.activation, x, self.problem).risk(dual)
        linear = Network(np.eye(self.d), np.zeros(self.d), Activation("z"), net.scaling)
        found["risk_linear"] = self.measured_risks(linear, [r * self.d / self.neurons for r in ridges], run)
        return found
