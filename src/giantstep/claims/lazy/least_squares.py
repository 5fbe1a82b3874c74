"""[soltanolkotabi22] the prelude: gradient descent on overparameterised least squares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Self

import numpy as np

from giantstep import learners
from giantstep.claims import (
    Allowance,
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
from giantstep.claims.sizes import count
from giantstep.errors import InputError
from giantstep.learners.descents import LeastSquaresDescent
from giantstep.theory.dynamics import LeastSquaresModes, limiting_modes, modes_of

TOLERANCE = 1e-8  # training ends when the residual has fallen to this share
MOST_WORK = 1e6  # steps


@lru_cache(maxsize=256)
def _limit(ratio: float, step: float, scale: float) -> LeastSquaresModes:
    """The modes of a point, once for its check, its prediction and what is allowed there."""
    return limiting_modes(ratio, step, scale)


def _condition(point: LeastSquares, _: float) -> float:
    """2e-8 times the condition number of X."""
    return float(2 * TOLERANCE * point.limit.condition)


def _zigzag(point: LeastSquares, predicted: float) -> float:
    """0.4/((2 - step) sqrt(samples)) of the prediction: the largest mode, one of n, goes 1/(2 - step) times the length
    of its way back and forth, alone."""
    return float(predicted * 0.4 / ((2 - point.step) * point.samples**0.5))


def _last_mode(point: LeastSquares, predicted: float) -> float:
    """0.3 (step - 1.5) of the prediction beyond step 1.5, where the last mode decays as a pure power, the law's edge
    faster: a logarithmic correction."""
    return float(predicted * 0.3 * max(0.0, point.step - 1.5))


@named(
    "lazy/least-squares",
    kind="theorem",
    cite="soltanolkotabi22",
    where="slide 'Prelude: Overparameterized Least Squares', the three properties",
    finding=(
        "'Total path length is relatively short' needs a step that is not close to the largest stable one, 2/s_max^2: "
        "the path is 1.15 times the straight line at 1/s_max^2 and 1.26 times at 1.5/s_max^2, but 2.2 times at "
        "1.9/s_max^2, where gradient descent zig-zags to the closest optimum (n = d/4; [os19] has the short paths)."
    ),
    version=2,
)
class LeastSquares(Claim):
    """Gradient descent on least squares with more weights than samples ends at the closest optimum, by a short path.

    There are d weights and n = samples_per_dim d samples; entries of X are N(0, 1/d), labels N(0, 1), the start is
    `scale` N(0, I). The end is theta_0 + X^+ (y - X theta_0); path and number of steps follow from the singular values
    of X, seed by seed, and for large d from the Marchenko-Pastur law.
    """

    d: int = parameters.dimension(200)
    samples_per_dim: float = parameters.samples_per_dim(0.25, help="samples per weight", symbol="n/d", le=0.9)
    scale: float = parameters.scale(1.0, help="size of the start's entries", ge=0, le=1e6)
    step: float = parameters.step(
        1.0, help="step size over 1/s_max^2", symbol=r"\eta s_{\max}^2", path=True, ge=0.01, le=1.99
    )

    quantities = (
        quantity.equal(
            "distance",
            _condition,
            "descent stops at a residual of 1e-8, which the condition number of X turns into a distance",
            help="from the end to the interpolator closest to the start, over the start's distance",
            symbol=r"|\theta_T - \theta_\infty|/|\theta_\infty - \theta_0|",
        ),
        quantity.equal(
            "path_ratio",
            Allowance(1e-6, of="prediction"),
            "the sum over modes is exact; 1e-6 for the stop",
            help="length of the path over the straight line from start to end",
            symbol=r"\sum_t |\theta_{t+1} - \theta_t|/|\theta_\infty - \theta_0|",
            against="finite",
            limit=Allowance(0.01, of="prediction") + _zigzag,
        ),
        quantity.equal(
            "iterations",
            Allowance(1),
            "the sum over modes is exact; one step for rounding at the stop",
            help="steps until the residual has fallen to 1e-8 of its first value",
            against="finite",
            limit=Allowance(2) + Allowance(4, of="prediction", power=-2 / 3, size="samples") + _last_mode,
        ),
        quantity.at_most(
            "bound", Allowance(0), "a bound for any labels and any size", against="finite",
            help="the same steps; predicted: the bound ln(1e-8)/ln max|1 - eta s^2| of the drawn X",
        ),
        quantity.equal(
            "steps_of_slowest", Allowance(1) + Allowance(0.07, of="prediction"),
            "the slowest of n modes holds its mean share of the residual's square, up to a factor of 10",
            against="finite",
            help="the same steps; predicted: the bound, but for the share of the residual that the slowest mode holds",
        ),
    )  # fmt: skip
    views = (
        view.Curve("step", (0.1, 0.5, 1, 1.5, 1.8, 1.9), ("path_ratio", "iterations"), log_y=True),
        view.Curve(
            "samples_per_dim", (0.05, 0.25, 0.5, 0.7), ("path_ratio", "iterations"), log_y=True,
            title="more samples, longer ways",
        ),
        view.Curve(
            "scale", (0, 4), ("path_ratio",), at={"d": 1200, "samples_per_dim": 0.5, "step": 1.5}, seeds=8,
            title="size of the start",
        ),
    )  # fmt: skip
    presets = {
        "wide": {"d": 1000, "samples_per_dim": 0.05},
        "narrow": {"d": 75, "samples_per_dim": 2 / 3},
        "zigzag": {"step": 1.9},
        "flow": {"step": 0.05},
    }
    default_seeds = 20
    engine = "dense"
    convention = "loss (1/2) sum over samples of (<x, theta> - y)^2"

    @property
    def samples(self) -> int:
        return count(self.samples_per_dim, self.d)

    @property
    def limit(self) -> LeastSquaresModes:
        return _limit(self.samples / self.d, self.step, self.scale)

    def check(self) -> None:
        needed = self.limit.condition**2 * log(1 / TOLERANCE) / self.step
        if needed > MOST_WORK:
            raise InputError(f"some {needed:.2g} steps would be needed; raise the step or lower samples_per_dim")

    def predict(self) -> Prediction:
        limit = self.limit
        return Prediction(
            {
                "distance": 0.0,
                "path_ratio": limit.path_ratio(),
                "iterations": float(limit.iterations(TOLERANCE)),
            },
            "any size on the draws; n and d to infinity in proportion for the limits",
            (f"the bound is {limit.bound(TOLERANCE)} steps",),
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first = points[0]
        n, d = first.samples, first.d
        x = run.streams.child("inputs").generator().standard_normal((n, d)) / d**0.5
        y = run.streams.child("labels").generator().standard_normal(n)
        start = first.scale * run.streams.child("start").generator().standard_normal(d)
        closest = start + np.linalg.pinv(x) @ (y - x @ start)
        straight = float(np.linalg.norm(closest - start))
        found = []
        for number, point in enumerate(points, 1):
            descent, modes = LeastSquaresDescent(x, y, point.step), modes_of(x, y - x @ start, point.step)
            way = learners.run(descent, start, steps=int(MOST_WORK), stop=lambda state: state.residual <= TOLERANCE)
            values = {
                "distance": float(np.linalg.norm(way.last.theta - closest)) / straight,
                "path_ratio": way.last.length / straight,
                "iterations": float(way.times[-1]),
                "bound": float(way.times[-1]),
                "steps_of_slowest": float(way.times[-1]),
            }
            finite = {
                "path_ratio": modes.path_ratio(),
                "iterations": float(modes.iterations(TOLERANCE)),
                "bound": float(modes.bound(TOLERANCE)),
                "steps_of_slowest": modes.steps_of_slowest(TOLERANCE, point.scale),
            }
            found.append(Measurement(values, finite=finite))
            run.progress(number / len(points))
        return found

    def cost(self) -> Cost:
        n, d = self.samples, self.d
        one = self.limit.iterations(TOLERANCE) * (4.0 * n * d + 4e4)
        return Cost(one + 30.0 * n * n * d, 8.0 * 6 * n * d + 2e7, one)
