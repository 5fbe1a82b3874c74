"""[li91] sliced inverse regression at n ~ d: a law without threshold, for targets that the Hessian cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Allowance, Cost, Measurement, Prediction, Run, named, parameters, quantity, view
from giantstep.claims.spectral._labels import LabelClaim, slice_strength
from giantstep.errors import InputError
from giantstep.learners.labelled import (
    inverse_regression_matrix,
    labelled_matrices,
    leading_direction,
    top_eigenpairs,
)
from giantstep.problems import ArraySample, whole
from giantstep.theory.spectra.labels import InverseRegressionLaw, inverse_regression, linear_overlap


def is_odd(point: InverseRegression) -> bool:
    """Whether f(-x) = -f(x), so that labels have no mean Hessian."""
    pair = point.target.single_index
    return pair is not None and pair[0].is_odd


def is_odd_in_few_slices(point: InverseRegression) -> bool:
    """The same with so few slices that they still cost nothing."""
    return is_odd(point) and point.slices <= 20


def of_the_largest_labels(point: InverseRegression) -> float:
    """8 log(n)/d: the top eigenvector leans towards the few inputs with the largest labels, of z^2 = 2 log n or so."""
    return float(8 * log(point.samples) / point.d)


OVERLAP = r"squared overlap $\langle v, \hat v\rangle^2$"
SMALL = Allowance(4, power=-1) + Allowance(0.01, of="prediction")


@named(
    "spectral/inverse-regression",
    kind="theorem",
    cite="li91",
    version=3,
    where="the method; its law for n ~ d is derived here",
)
class InverseRegression(LabelClaim):
    """Means of the inputs over slices of the labels find a direction at every n/d, at a rate known in closed form.

    The labels are ranked and cut into H slices; the matrix of the slices' means, weighted by sqrt(p_h), is Gaussian
    noise plus one of rank one of squared size s2 = sum_h p_h E[z | slice h]^2. So it is a spiked matrix, with c = (H -
    1)/d: the squared overlap is (t - c/t)/(1 + t), t = s2 (n/d - c), and s2/(s2 + d/n) for few slices. (It is n/d - c,
    for inputs of one slice scatter less along the target's direction than beside it.) The linear estimator sum y_i x_i
    has E[y z]^2/(E[y z]^2 + E y^2 d/n), which a heavy tail of the labels spoils and slices do not. For odd targets
    principal Hessian directions find nothing at any n/d.
    """

    target: parameters.Target = parameters.target("x1**3")
    noise: float = parameters.noise(0.5)
    samples_per_dim: float = parameters.samples_per_dim(4.0, symbol=r"\alpha = n/d", path=True, ge=0.05, le=200)
    slices: int = parameters.own(5, "slices of the labels", symbol="H", path=True, ge=2, le=200)
    d: int = parameters.dimension(500, le=5000)

    quantities = (
        quantity.equal(
            "overlap",
            SMALL,
            "corrections of relative order 1/d; slices are those of the drawn labels",
            help="overlap of sliced inverse regression: squared, of its first direction",
            symbol=r"\langle v, \hat v\rangle^2",
        ),
        quantity.equal(
            "linear_overlap",
            SMALL,
            "corrections of relative order 1/d",
            help="overlap of the linear estimator: squared, of sum y_i x_i",
            symbol=r"\langle v, \hat v_{\mathrm{lin}}\rangle^2",
        ),
        quantity.equal(
            "top",
            SMALL,
            "corrections of relative order 1/d",
            help="largest squared singular value of the means: of the slices",
            symbol="s_1^2",
        ),
        quantity.at_most(
            "hessian_overlap",
            Allowance(of_the_largest_labels),
            "nothing but chance, and the pull of the largest labels",
            help="overlap of the principal Hessian direction: squared, of the first one",
            symbol=r"\langle v, \hat v_{\mathrm{Hess}}\rangle^2",
            when=is_odd,
        ),
        quantity.increasing(
            "overlap", "slices", "finer slices tell more, up to some tens of them", when=is_odd_in_few_slices
        ),
    )
    views = (
        view.Curve(
            "samples_per_dim",
            [1, 2, 4, 8, 16],
            ("overlap", "linear_overlap", "hessian_overlap"),
            together=True,
            y_label=OVERLAP,
            log_x=True,
            title="A cubic target: slices, the linear estimator, the Hessian",
        ),
        view.Curve(
            "slices",
            [2, 3, 5, 10, 20, 50, 100, 200],
            ("overlap", "top"),
            at={"samples_per_dim": 2},
            log_x=True,
            seeds=96,
            title="How many slices of 1000 samples",
        ),
        view.Curve(
            "noise",
            [0, 0.5, 1],
            ("overlap", "linear_overlap"),
            at={"target": "relu(x1) + x1**2/2", "d": 400},
            together=True,
            y_label=OVERLAP,
            title="Neither odd nor even, with noise",
        ),
    )
    presets = {
        "cubic": {"target": "x1**3", "noise": 0.5, "slices": 5, "samples_per_dim": 2},
        "sign": {"target": "sign(x1)", "noise": 0, "slices": 2},
        "many-slices": {"slices": 100, "samples_per_dim": 2},
    }
    default_seeds = 72

    def check(self) -> None:
        super().check()
        if self.slices > self.samples // 2:
            raise InputError(
                f"slices = {self.slices} is not allowed; {self.samples} samples make at most {self.samples // 2}"
            )

    @property
    def limit(self) -> InverseRegressionLaw:
        strength = slice_strength(self.target, self.noise, self.slices)
        return inverse_regression(strength, self.samples / self.d, slices=self.slices, d=self.d)

    def predict(self) -> Prediction:
        first = float(np.linalg.norm(self.target.linear))
        second = float(self.target.norm2) + self.noise**2
        values = {
            "overlap": self.limit.overlap,
            "linear_overlap": float(linear_overlap(first, second, self.samples / self.d)),
            "top": self.limit.top,
            **({"hessian_overlap": 0.0} if is_odd(self) else {}),
        }
        note = f"slices show the direction from n/d = {self.limit.threshold:.3g} on, which vanishes as d grows"
        return Prediction(values, regime="n, d to infinity in proportion", notes=(note,) if self.limit.overlap else ())

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, most = points[0], max(point.samples for point in points)
        x, y = whole(first.rows(most, run.streams))
        counts = sorted({point.samples for point in points})
        hessian = labelled_matrices(ArraySample(x, y), lambda label: label - float(first.target.mean), counts)
        curved = {n: float(first.along(_farthest(m))) for n, m in zip(counts, hessian.matrices, strict=True)}
        found = []
        for done, point in enumerate(points, 1):
            n = point.samples
            squares, direction = leading_direction(inverse_regression_matrix(ArraySample(x[:n], y[:n]), point.slices))
            linear = x[:n].T @ y[:n]
            found.append(
                Measurement(
                    {
                        "overlap": point.along(direction),
                        "linear_overlap": point.along(linear / np.linalg.norm(linear)),
                        "top": float(squares[0]),
                        "hessian_overlap": curved[n],
                    }
                )
            )
            run.progress(done / len(points))
        return found

    def cost(self) -> Cost:
        n, d = self.samples, self.d
        each = 2 * n * d * (self.slices + 1) + 4 * d**3 / 3 + 40 * d**2
        return Cost(n * d**2 + 60 * n * d + each, 8 * (2 * n * d + 4 * d**2) + 5e7, each)


def _farthest(matrix: Array) -> Array:
    """The eigenvector whose eigenvalue is farthest from 0, of either sign."""
    (low, left), (high, right) = top_eigenpairs(-matrix), top_eigenpairs(matrix)
    return left[:, 0] if low[0] > high[0] else right[:, 0]
