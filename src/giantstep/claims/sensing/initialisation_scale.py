"""[soltanolkotabi22] many matrices fit the measurements; the size of the start decides which one is found."""

from __future__ import annotations

from math import sqrt
from typing import Literal

import numpy as np

from giantstep import learners
from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.sensing._sensing import SIDE, FactorsClaim
from giantstep.errors import InputError
from giantstep.learners.sensing import Factors, SensingDescent, relative_error
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.theory.sensing import Refinement, final_error, tangent_dimension
from giantstep.theory.sensing.baselines import tangent_interpolant

LAZY = 0.3  # paired starts of this size or more hardly move
FLOOR = 0.3  # a start is small if the error it leaves is below this share of the error at which training stops
MOST_ENTRIES = 5e7  # of the measurement matrices together
MOST_ITERATIONS = 8000
MOST_SYMMETRIC = 0.1  # a larger start of U U' may have no positive semidefinite fit near by
ERROR = "relative error or misfit"


@named(
    "sensing/initialisation-scale",
    kind="figure",
    cite="soltanolkotabi22",
    where="slide 'Challenge II: Generalization', example r* = 5, n = 5 r* d, train and test error against the scale",
    finding=(
        "Train and test error of small starts depend on when training stops: slow directions are those that "
        "measurements see least, so that the test error is 2.2 times the train error here, as predicted. A large "
        "start is not lazy by itself: U_0 V_0' must be unlearned, the error grows like alpha^2, and the tangent "
        "interpolant stays 6 % off however large alpha is; with columns in pairs, so that U_0 V_0' = 0, large starts "
        "end in it. The slide's loss, 1/4 times a sum over n without 1/n, has steps of 2/n times those used here."
    ),
    version=2,
)
class InitialisationScale(FactorsClaim):
    """Whatever the size of the start, all measurements are fitted; but only from a small start is the truth found.

    Gradient descent on U V' (or U U') runs until the relative misfit of the m measurements is `tolerance`. From small
    starts the test error |U V' - X Y'|/|X Y'| is then that of the slowest directions of refinement; from large ones it
    is of order one or more. Large paired starts (U_0 V_0' = 0) end in the tangent interpolant of the same draw.
    """

    d: int = parameters.dimension(32, **SIDE)
    rank: int = parameters.rank(64)
    oversampling: float = parameters.oversampling(5.0)
    scale: float = parameters.scale(1e-6)
    step: float = parameters.step(0.25, help="step size for small starts; large ones take less", symbol=r"\mu", le=0.4)
    tolerance: float = parameters.own(0.01, "relative misfit at which training stops", ge=1e-5, le=0.1)
    model: Literal["asymmetric", "symmetric"] = parameters.model("asymmetric")
    paired: bool = parameters.own(False, "columns in pairs, so that U_0 V_0' = 0")

    quantities = (
        quantity.at_most(
            "train_error",
            Allowance(0.0),
            "training goes on until this is true",
            help="relative misfit of the measurements at the end",
            when=lambda point: not point.is_symmetric or point.scale <= MOST_SYMMETRIC,
        ),
        quantity.equal(
            "test_error",
            Allowance(0.04, of="prediction"),
            "terms of order s^2, the noise of Z inside the complement of the truth, and what the start leaves",
            help="relative error of the matrix found, where the misfit passes the tolerance",
            when=lambda point: point.is_small,
        ),
        quantity.equal(
            "lazy_error",
            Allowance(0.05, of="prediction"),
            "the factors still move, by order alpha^-2, and training stops before the end",
            help="relative error from large starts; predicted: the tangent interpolant",
            against="finite",
            when=lambda point: point.is_lazy,
        ),
        quantity.increasing("test_error", "scale", "noise grows with the start, and larger starts move less"),
    )
    views = (
        view.Curve(
            "scale", (1e-6, 1e-2, 0.1, 1), ("train_error", "test_error", "lazy_error"), together=True,
            y_label=ERROR, log_x=True, log_y=True, title="asymmetric, $r_*$ = 5, n = 5 $r_*$ d",
        ),
        view.Curve(
            "scale", (1e-6, 1e-2, 0.1), ("train_error", "test_error"), together=True, log_x=True,
            y_label=ERROR, log_y=True, at={"model": "symmetric", "true_rank": 2, "d": 40}, title="symmetric, $r_*$ = 2",
        ),
        view.Curve(
            "scale", (1e-6, 0.1, 0.3, 1), ("train_error", "test_error", "lazy_error"), together=True,
            y_label=ERROR, log_x=True, log_y=True, at={"paired": True}, title="asymmetric, paired columns",
        ),
        view.Curve(
            "tolerance", (0.1, 0.03, 0.01, 0.003), ("test_error",), log_x=True, log_y=True, seeds=16,
            at={"d": 24, "true_rank": 3, "rank": 48, "step": 0.4}, title="when training stops, asymmetric",
        ),
        view.Curve(
            "oversampling", (4, 5.5, 7.5), ("test_error",), log_x=True, seeds=16,
            at={"model": "symmetric", "true_rank": 2}, title="measurements, symmetric",
        ),
    )  # fmt: skip
    presets = {
        "slide": {"true_rank": 5, "oversampling": 5, "model": "asymmetric"},
        "symmetric": {"true_rank": 2, "model": "symmetric", "d": 40},
        "lazy": {"paired": True, "scale": 1},
    }
    default_seeds = 8
    convention = (
        "L = (1/2)|A(UV') - y|^2 or (1/4)|A(UU') - y|^2 with A = <A_i, .>/sqrt(m); entries alpha N(0, 1) at the start; "
        "X, Y orthonormal; mu at most 1/(|A|^2 (|U_0|^2 + |V_0|^2))"
    )

    @property
    def is_symmetric(self) -> bool:
        return self.model == "symmetric"

    @property
    def entries(self) -> int:
        """Length of a measurement: the coordinates of a matrix."""
        return self.d * (self.d + 1) // 2 if self.is_symmetric else self.d**2

    def refinement(self) -> Refinement:
        return Refinement.of(self.d, self.true_rank, self.measurements, self.step, symmetric=self.is_symmetric)

    @property
    def is_small(self) -> bool:
        """Whether the error that noise leaves is well below the one at which training stops."""
        alpha = self.scale * sqrt(self.rank)
        if alpha >= 0.1:
            return False
        settings = (self.d, self.true_rank, self.rank, self.measurements, self.step, alpha)
        floor = final_error(*settings, symmetric=self.is_symmetric).value
        return floor < FLOOR * self.refinement().stopped(self.tolerance)

    @property
    def is_lazy(self) -> bool:
        return self.paired and self.scale >= LAZY and self.rank >= 2 * self.d

    def check(self) -> None:
        super().check()
        if self.paired and (self.is_symmetric or self.rank % 2):
            raise InputError("paired starts are for the asymmetric model and an even rank")
        needed = tangent_dimension(self.d, self.true_rank, symmetric=self.is_symmetric)
        if not 1.5 * needed <= self.measurements < self.entries:
            raise InputError(
                f"m = {self.measurements} measurements are not allowed; they must be at least 1.5 times the {needed} "
                f"degrees of freedom of the truth, and fewer than the {self.entries} of all matrices, which would fix "
                "the answer"
            )
        if self.measurements * self.entries > MOST_ENTRIES:
            raise InputError(f"d = {self.d} is not allowed: the measurement matrices would have more than 5e7 entries")

    def predict(self) -> Prediction:
        stopped = self.refinement().stopped(self.tolerance)
        return Prediction(
            {"train_error": self.tolerance, **({"test_error": stopped} if self.is_small else {})},
            regime="Gaussian measurements, 1.5 dim T <= m < entries; test errors for small or lazy starts",
            notes=(f"at misfit {self.tolerance:g} small starts have test error {stopped:.3g}",),
        )

    def measure(self, run: Run) -> Measurement:
        problem, start = self.problem(run.streams), self.start(run.streams, paired=self.paired)
        truth, operator = problem.truth, problem.operator
        assert truth is not None
        assert isinstance(operator, DenseOperator)
        labels = operator.apply(truth)
        size = float(np.linalg.norm(labels))
        step = min(self.step, 1 / self._curvature(start))
        seen = learners.run(
            SensingDescent(problem, step),
            start,
            steps=MOST_ITERATIONS,
            stop=lambda state: state.train_norm <= self.tolerance * size,
            watch={
                "misfit": lambda state: state.train_norm / size,
                "error": lambda state: relative_error(state.product, truth),
            },
        )
        error = _error_at(self.tolerance, seen["misfit"], seen["error"])
        values = {"train_error": float(seen["misfit"][-1]), "test_error": error}
        if self.scale < LAZY or start.right is None:
            return Measurement(values)
        interpolant = tangent_interpolant(operator.rows, labels, start.left, start.right)
        return Measurement(values | {"lazy_error": error}, finite={"lazy_error": relative_error(interpolant, truth)})

    def _curvature(self, start: Factors) -> float:
        """A bound of the loss's curvature at the start: |A|^2 (|U_0|^2 + |V_0|^2)."""
        other = start.left if start.right is None else start.right
        squares = float(np.linalg.norm(start.left, 2)) ** 2 + float(np.linalg.norm(other, 2)) ** 2
        return squares * (1 + sqrt(self.entries / self.measurements)) ** 2

    def cost(self) -> Cost:
        iterations = 100 if self.is_small else 1000
        size = float(self.measurements * self.entries)
        one = 25 * size + 8 * self.d**2 * self.rank
        return Cost(iterations * one + 100 * size + 1e7, 12 * size + 40 * self.d * self.rank + 2e7)


def _error_at(tolerance: float, misfits: Array, errors: Array) -> float:
    """The error where the misfit passes the tolerance in its last step, between both in logarithms."""
    if len(misfits) < 2 or not misfits[-1] <= tolerance < misfits[-2]:
        return float(errors[-1])
    part = np.log(misfits[-2] / tolerance) / np.log(misfits[-2] / misfits[-1])
    return float(errors[-2] ** (1 - part) * errors[-1] ** part)
