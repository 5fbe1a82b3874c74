"""The minimum of a quadratic network with weight decay: |A(U U') - y|^2 + ridge |U|^2 over U of r columns.

L-BFGS on the factor, from several starts, of which the lowest end is kept: with few columns there are local minima. A
stationary U is the minimum over *all* positive semidefinite matrices if 2 A*(A(U U') - y) + ridge I has no negative
eigenvalue, for that matrix is the gradient of a convex function of S = U U' and vanishes on the range of U. So a wide
network need not be carried with all its columns: more columns are added until this certificate says that they are of
no use, or until there are as many as the network has neurons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Factors
from giantstep.learners.sensing.operators.rank_one import RankOneOperator
from giantstep.streams import Streams

ITERATIONS = 4000
MEMORY = 20
"""Pairs of steps that L-BFGS remembers."""
STATIONARY = 1e-4
"""Length of the gradient over ridge |U|: a fit with more is not at its minimum."""
CERTIFIED = 1e-2
"""A negative eigenvalue of the certificate is none if it is less than this part of the ridge."""
FEW = 64
"""Columns that a wide network is first tried with; then twice as many."""


@dataclass(frozen=True, eq=False, repr=False)
class DecayedFit:
    """A network at its minimum.

    Args:
        factors: U, of as many columns as were needed.
        loss: |A(U U') - y|^2 + ridge |U|^2.
        training_error: |A(U U') - y|^2.
        gradient: the length of the gradient, in units of ridge |U|; 0 at a minimum.
        certificate: the least eigenvalue of the certificate in units of the ridge; not below 0 if no psd matrix at
            all has a lower loss.
    """

    factors: Factors
    loss: float
    training_error: float
    gradient: float
    certificate: float

    @property
    def is_stationary(self) -> bool:
        return self.gradient <= STATIONARY

    @property
    def is_global(self) -> bool:
        """Whether more columns could not lower the loss."""
        return self.certificate >= -CERTIFIED

    def __repr__(self) -> str:
        return f"DecayedFit(loss={self.loss:.6g}, rank <= {self.factors.rank}, {self.gradient:.1e} from stationary)"


def fit_decayed(
    operator: RankOneOperator, labels: Array, neurons: int, ridge: float, streams: Streams, *, starts: int = 2
) -> DecayedFit:
    """The lowest of the minima from several starts: the first at the top of A*(y), the others at random.

    Args:
        operator: the samples.
        labels: y in the operator's unit, (n,).
        neurons: the width r.
        ridge: of |U|^2, above 0.
        streams: where the random starts are drawn from.
        starts: how many, at least 1.
    """
    if np.shape(labels) != (int(operator.measurements),):
        raise InputError(f"labels of shape {np.shape(labels)} were given for {operator.measurements:g} samples")
    if not ridge > 0 or neurons < 1 or starts < 1:
        raise InputError(f"ridge {ridge:g}, {neurons} neurons, {starts} starts: all of them must be above 0")
    d = operator.shape[0]
    widest, columns = min(neurons, d), min(neurons, d, FEW)
    values, vectors = np.linalg.eigh(operator.adjoint(labels))
    generator = streams.child("starts").generator()
    while True:
        tops = np.sqrt(np.maximum(values[::-1][:columns], 1e-3 * values[-1]))
        begin = [vectors[:, ::-1][:, :columns] * tops]
        begin += [generator.standard_normal((d, columns)) * (tops[0] / np.sqrt(d)) for _ in range(starts - 1)]
        best = _descended(operator, labels, ridge, begin[0])
        for start in begin[1:]:
            if not best.is_global:
                best = min(best, _descended(operator, labels, ridge, start), key=lambda fit: fit.loss)
        if columns == widest or best.is_global:
            return best
        columns = min(2 * columns, widest)


def _descended(operator: RankOneOperator, labels: Array, ridge: float, start: Array) -> DecayedFit:
    shape, size = start.shape, float(labels @ labels)

    def loss(flat: Array) -> tuple[float, Array]:
        factor = flat.reshape(shape)
        residual, pull = operator.fit_and_pull(factor, labels)
        value = float(residual @ residual) + ridge * float(flat @ flat)
        return value / size, ((4 * pull + 2 * ridge * factor) / size).ravel()

    tight: Any = {"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "maxcor": MEMORY, "ftol": 1e-12, "gtol": 1e-9}
    found = scipy.optimize.minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=tight)
    factor = found.x.reshape(shape)
    residual, pull = operator.fit_and_pull(factor, labels)
    gradient = float(np.linalg.norm(2 * pull + ridge * factor))
    length = float(np.linalg.norm(factor))
    dual = float(np.linalg.eigvalsh(2 * operator.adjoint(residual))[0])
    fitted = float(residual @ residual)
    apart = gradient / (ridge * (length or 1.0))
    return DecayedFit(Factors(factor), fitted + ridge * length**2, fitted, apart, 1 + dual / ridge)
