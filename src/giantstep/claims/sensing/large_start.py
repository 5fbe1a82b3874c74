"""[soltanolkotabi22] from a large start gradient descent fits any labels as soon as it has as many parameters."""

from __future__ import annotations

from math import sqrt

import numpy as np

from giantstep import learners
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import RectangularClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import Factors, Sensing, SensingDescent
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.theory.sensing import tangent_dimension
from giantstep.theory.sensing.baselines import tangent_residual

MOST_ENTRIES = 1e6  # of the measurement matrices together
MOST_MEASUREMENTS = 1500


@named(
    "sensing/large-start",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Challenge II: Generalization': 'with large initialization global convergence occurs as soon as "
    "r d >~ n' (Oymak and Soltanolkotabi 2019)",
    finding=(
        "'r d >~ n' is r (d1 + d2 - r) >= n, the dimension of the tangent space at the start: below it descent leaves "
        "the share 1 - r (d1 + d2 - r)/n of generic labels, above it nothing. The first output must be subtracted from "
        "the labels, or the start is not lazy however large it is."
    ),
)
class LargeStart(RectangularClaim):
    """From a large start descent on U V' fits any labels once r (d1 + d2 - r) reaches their number, before a share.

    Generic labels y of size 1, measured from the output of the start: U_0 V_0' stays where it is and factors move in
    its tangent space, of dimension r (d1 + d2 - r). `left` is the share of |y|^2 that `steps` steps of gradient descent
    leave; predicted for the draw by the kernel of the tangent space, and as 1 - r (d1 + d2 - r)/m, or 0. `moved` is how
    far factors go, over their size at the start.
    """

    d: int = parameters.dimension(20, help="rows of the matrix", ge=4, le=60)
    columns: int = parameters.columns(14, le=60)
    true_rank: int = parameters.true_rank(1)
    rank: int = parameters.rank(4)
    oversampling: float = parameters.oversampling(10.0)
    scale: float = parameters.scale(10.0, ge=3)
    steps: int = parameters.steps(2000, help="steps of size 1 over a bound of the curvature", symbol="T", le=50_000)

    quantities = (
        quantity.equal(
            "left",
            Allowance(2e-3) + Allowance(0.2, size="scale", power=-2),
            "factors still move, by order alpha^-2",
            help="share of the labels' square that is left",
            symbol="|y - f_T|^2/|y|^2",
            against="finite",
            limit=Allowance(3, power=-0.5, size="measurements"),
        ),
        quantity.at_most(
            "moved", Allowance(0), "labels of size 1 move factors by order alpha^-2 of their size",
            help="how far factors go over their size at the start",
        ),
    )  # fmt: skip
    views = (
        view.Curve("rank", (1, 2, 4, 6, 8, 10, 13), ("left",), title="generic labels from a large start, m = 200"),
        view.Curve(
            "scale", (3, 10), ("left", "moved"), log_x=True, log_y=True, at={"rank": 4}, title="size of the start",
        ),
    )  # fmt: skip
    presets = {"fits": {"rank": 12}, "square": {"columns": 20}}
    default_seeds = 8
    convention = "L = (1/2)|A(UV') - y|^2 with A = <A_i, .>/sqrt(m); entries alpha N(0, 1) at the start"

    def check(self) -> None:
        if self.measurements > MOST_MEASUREMENTS or self.measurements * self.d * self.columns > MOST_ENTRIES:
            raise InputError(f"m = {self.measurements} measurements of {self.shape} are too many to be fitted here")
        if self.rank > min(self.shape) or self.true_rank > min(self.shape):
            raise InputError(f"rank = {self.rank} is not allowed; it must be at most the sides {self.shape}")

    def predict(self) -> Prediction:
        share = tangent_dimension(self.d, self.rank, symmetric=False, columns=self.columns) / self.measurements
        return Prediction(
            {"left": max(0.0, 1 - share), "moved": 0.5 / self.scale**2},
            regime="alpha to infinity, trained to the end; any size on the draws",
            thresholds={"oversampling": share * self.oversampling},
        )

    def measure(self, run: Run) -> Measurement:
        operator, start = self.operator(run.streams), self.start(run.streams)
        assert isinstance(operator, DenseOperator)
        assert start.right is not None
        labels = run.streams.child("labels").generator().standard_normal(self.measurements)
        labels /= np.linalg.norm(labels)
        problem, step = Sensing(operator, labels=operator.apply(start.product) + labels), self.step_of(start)
        last = learners.run(SensingDescent(problem, step), start, times=[self.steps]).last
        assert last.factors.right is not None
        moved = np.hypot(
            np.linalg.norm(last.factors.left - start.left), np.linalg.norm(last.factors.right - start.right)
        ) / np.hypot(np.linalg.norm(start.left), np.linalg.norm(start.right))
        left = tangent_residual(operator.rows, labels, start.left, start.right, step, self.steps)
        return Measurement({"left": last.train_norm**2, "moved": float(moved)}, finite={"left": left})

    def step_of(self, start: Factors) -> float:
        """One over |A|^2 (|U_0|^2 + |V_0|^2), with the norm that A has in the limit."""
        assert start.right is not None
        squares = float(np.linalg.norm(start.left, 2)) ** 2 + float(np.linalg.norm(start.right, 2)) ** 2
        return 1 / (squares * (1 + sqrt(self.d * self.columns / self.measurements)) ** 2)

    def cost(self) -> Cost:
        size = float(self.measurements * self.d * self.columns)
        once = 4 * size * (self.d + self.columns + self.measurements) + 20 * self.measurements**3
        return Cost(self.steps * (4 * size + 2e4) + once, 8 * (4 * size + 3 * self.measurements**2) + 2e7)
