"""[mm19] the direction behind labels appears in a spectral matrix at a threshold of n/d."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import (
    Allowance,
    Cost,
    Hypothesis,
    Measurement,
    Prediction,
    Run,
    named,
    parameters,
    quantity,
    view,
)
from giantstep.claims.spectral._labels import (
    LabelClaim,
    grows_where_rare,
    limit_of,
    on_slices,
    read_transform,
    threshold_of,
    transformed,
)
from giantstep.errors import InputError
from giantstep.learners.labelled import labelled_matrices, top_eigenpairs
from giantstep.problems.labels import weak_recovery
from giantstep.theory.spectra.labels import SpectralLaw

SECOND_TRACY_WIDOM = 3.2624  # minus the mean of the second eigenvalue at an edge, in units of its scale
FAR = 1.5  # times the threshold: from there on the outlier has left the critical window at d = 1000


def window(point: Threshold) -> float:
    """1 up to 1.5 times the threshold, beyond that falling with the fourth power of n/d."""
    return float(min(1.0, FAR * point.critical / point.samples_per_dim)) ** 4


def smeared(point: Threshold) -> float:
    """0.6 d^(-1/3) up to 1.5 times the threshold, beyond that falling with the fourth power of n/d."""
    return float(0.6 * window(point) * point.d ** (-1 / 3))


def edge_shift(point: Threshold) -> float:
    """1.3 times the Tracy-Widom shift of the second eigenvalue, or 4 |max T| d^(-1/2)/alpha if that is less."""
    shift = 1.3 * SECOND_TRACY_WIDOM * point.limit.scale * point.d ** (-2 / 3)
    return float(min(shift, 4 * abs(point.on_slices.max()) * point.d**-0.5 / point.samples_per_dim))


def top_shift(point: Threshold) -> float:
    """The shift of the edge, times the window of the overlap."""
    return window(point) * edge_shift(point)


@named(
    "spectral/threshold",
    kind="theorem",
    cite="mm19",
    version=2,
    where="Theorem on spectral methods; Lu and Li 2017 for any transform, Luo, Alghamdi and Lu 2018 for the best one",
    flagship=True,
)
class Threshold(LabelClaim):
    """The top eigenvector of inputs weighted by transformed labels finds their direction above a threshold of n/d.

    D = (1/n) sum T(y_i) x_i x_i^T, labels y = f*(x) + noise of one direction v. Below the threshold the top eigenvalue
    lies at the edge of the bulk and its vector tells nothing; above, it leaves the bulk and the squared overlap grows
    from 0. `best` is T(y) = 1 - 1/E[z^2 | y], which no transform beats at any n/d and which has the least threshold of
    all, alpha_c = 1/E[(E[z^2 | y] - 1)^2]: 1/2 for |z| and z^2. `phd`, principal Hessian directions, is y - E y with
    the sign for which E[T z^2] > E T. The measured `edge` is the second eigenvalue.
    """

    transform: str = parameters.own("best", "what is done to the labels: best, phd, or a function of y", symbol="T")

    quantities = (
        quantity.equal(
            "overlap",
            Allowance(0.02, of="prediction") + Allowance(smeared),
            "2 %; in the critical window the overlap is of order d^(-1/3), below it chance gives less; "
            "at d = 128 to 1000 up to half of this",
            help="squared overlap of the top eigenvector with the direction",
            symbol=r"\langle v, v_1\rangle^2",
        ),
        quantity.equal(
            "top",
            Allowance(0.02, of="prediction", at=1000, power=-0.5) + Allowance(top_shift),
            "corrections of order d^(-1/2), and at the edge the Tracy-Widom shift",
            help="largest eigenvalue of D",
            symbol=r"\lambda_1",
        ),
        quantity.equal(
            "edge",
            Allowance(edge_shift),
            "eigenvalues at an edge sit inside it by the Tracy-Widom shift; where the transform ends in a thin tail, "
            "the shift is smaller and slower",
            help="second largest eigenvalue of D",
            symbol=r"\lambda_2",
        ),
        quantity.decreasing(
            "overlap", "d", "below the threshold there is nothing but chance",
            when=lambda point: point.samples_per_dim < point.critical,
            help="squared overlap of the top eigenvector with the direction, below the threshold",
            symbol=r"\langle v, v_1\rangle^2",
        ),
    )  # fmt: skip
    views = (
        view.Curve(
            "samples_per_dim", [0.3, 0.45, 0.6, 1, 1.5, 2, 3], ("overlap", "top", "edge"),
            title="Phase retrieval with noise, the best transform",
        ),
        view.Curve(
            "samples_per_dim", [0.4, 0.7, 1.2, 2, 4], ("overlap",), by="transform", by_values=["best", "phd"],
            at={"target": "cos(x1)", "noise": 0, "d": 500}, title="Best transform and principal Hessian directions",
        ),
        view.Curve(
            "noise", [0.1, 0.5, 1, 2], ("overlap", "top"), at={"transform": "tanh(y)", "d": 400, "samples_per_dim": 4},
            title="A transform of one's own",
        ),
        view.Curve(
            "d", [100, 320, 1000], ("overlap",), at={"samples_per_dim": 0.3}, log_x=True, log_y=True,
            title="Below the threshold: chance",
        ),
    )  # fmt: skip
    hypotheses = (
        Hypothesis(
            "the transform of the labels is bounded from above",
            lambda point: not grows_where_rare(point.on_slices, point.law),
        ),
    )
    presets = {
        "phase-retrieval": {"target": "x1**2", "noise": 0},
        "subset": {"target": "x1**2", "noise": 0, "transform": "(1 + sign(y - 2))/2"},
        "hessian-directions": {"target": "cos(x1)", "noise": 0, "transform": "phd"},
    }
    default_seeds = 32
    line_places = 41

    def check(self) -> None:
        super().check()
        if self.transform not in ("best", "phd"):
            read_transform(self.transform)
        if np.ptp(self.on_slices) < 1e-9:
            raise InputError(
                f"the transform {self.transform} of the labels of {self.target} is constant, so that the matrix shows "
                "nothing; take another transform"
            )

    @property
    def on_slices(self) -> Array:
        """T on each slice of the labels."""
        return on_slices(self.transform, self.target, self.noise)

    @property
    def critical(self) -> float:
        """The threshold of n/d for this transform."""
        return threshold_of(self.transform, self.target, self.noise)

    @property
    def limit(self) -> SpectralLaw:
        return limit_of(self.transform, self.target, self.noise, self.samples / self.d)

    def predict(self) -> Prediction:
        found, best = self.limit, weak_recovery(self.law).threshold
        if np.isfinite(self.critical):
            note = f"the direction appears at n/d = {self.critical:.4g}; the best transform needs {best:.4g}"
        elif np.isfinite(best):
            note = f"no n/d is enough for this transform; the best one needs {best:.4g}"
        else:
            note = "no n/d is enough for any transform: the labels tell nothing of the direction"
        return Prediction(
            {"overlap": found.overlap, "top": found.top, "edge": found.edge},
            regime="n, d to infinity in proportion, T bounded from above",
            notes=(note,),
            thresholds={"samples_per_dim": self.critical} if np.isfinite(self.critical) else {},
        )

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        first, counts = points[0], sorted({point.samples for point in points})
        found = labelled_matrices(
            first.rows(counts[-1], run.streams),
            lambda y: transformed(first.transform, first.target, first.noise, y),
            counts,
            progress=lambda share: run.progress(share / 2),
        )
        measured = {}
        for done, (count, matrix) in enumerate(zip(found.counts, found.matrices, strict=True), 1):
            values, vectors = top_eigenpairs(matrix, 2)
            overlap = first.along(vectors[:, 0])
            measured[count] = Measurement({"overlap": overlap, "top": float(values[0]), "edge": float(values[1])})
            run.progress(0.5 + done / (2 * len(counts)))
        return [measured[point.samples] for point in points]

    def cost(self) -> Cost:
        n, d = self.samples, self.d
        eigen = 4 * d**3 / 3 + 40 * d**2
        return Cost(n * d**2 + 60 * n * d + eigen, 8 * 6 * d**2 + 3e7, eigen + 8 * d**2)
