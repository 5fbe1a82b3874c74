"""Gaussian inputs of any covariance: x ~ N(0, S), x = L g with S = L L^T, g ~ N(0, I_d).

The target lives on the first axes. Its variables are x1, x2, ... made independent and of variance one, each after those
before it: z = L_r^-1 (x_1, ..., x_r) with the factor L_r of the covariance of these. So its norm and energies are those
of its text, x1 is a multiple of the first coordinate, and for one direction this is what `Spiked` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.problems.inputs.isotropic import buffer


class Correlated:
    """N(0, S) for a given covariance.

    Args:
        covariance: S, (d, d), symmetric and positive definite; or the variances of independent coordinates, (d,).

    >>> law = Correlated([[2.0, 1.0], [1.0, 2.0]])
    >>> np.cov(law.draw(np.random.default_rng(0), 200_000, 2).T).round(1).tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """

    def __init__(self, covariance: ArrayLike) -> None:
        given = np.array(real_array("the covariance", covariance), dtype=np.float64)
        if given.ndim not in (1, 2) or (given.ndim == 2 and given.shape[0] != given.shape[1]) or not given.size:
            raise InputError(f"the covariance must be (d, d) or the variances (d,), not the shape {given.shape}")
        if given.ndim == 2 and not np.allclose(given, given.T):
            raise InputError("the covariance must be symmetric")
        matrix = given if given.ndim == 2 else np.diag(given)
        try:
            self._factor = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            raise InputError("the covariance must be positive definite: every direction needs some variance") from None
        self._variances = None if given.ndim == 2 else given
        matrix.setflags(write=False)
        self.covariance = matrix

    @classmethod
    def spiked(cls, d: int, spikes: ArrayLike) -> Correlated:
        """I + sum_k v_k v_k^T in dimension `d`, for the rows v_k of `spikes` (k, c), c <= d, with strengths |v_k|^2.

        >>> np.diag(Correlated.spiked(3, [[2.0, 0.0], [0.0, 1.0]]).covariance).tolist()
        [5.0, 2.0, 1.0]
        """
        rows = np.atleast_2d(real_array("the spikes", spikes))
        if rows.shape[1] > d:
            raise InputError(f"spikes of {rows.shape[1]} coordinates do not fit into d = {d}")
        padded = np.pad(rows, ((0, 0), (0, d - rows.shape[1])))
        return cls(np.eye(d) + padded.T @ padded)

    def draw(
        self,
        generator: np.random.Generator,
        rows: int,
        d: int,
        dtype: DTypeLike = np.float64,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """`rows` independent inputs as the rows of an array, written into `out` when it is given."""
        self._check_dimension(d)
        out = buffer(rows, d, dtype, out)
        generator.standard_normal(dtype=out.dtype.type, out=out)
        if self._variances is not None:
            out *= np.sqrt(self._variances)
        else:
            out[:] = out @ self._factor.T
        return out

    def fields(self, x: NDArray[Any], directions: int) -> Array:
        """The target's variables at these inputs, (rows, directions): independent and of variance one."""
        self._check_dimension(x.shape[1])
        # The factor of the leading block is the leading block of the factor.
        return np.linalg.solve(self._factor[:directions, :directions], x[:, :directions].T.astype(np.float64)).T

    def _check_dimension(self, d: int) -> None:
        if d != len(self.covariance):
            raise InputError(f"d = {d} is not allowed; the covariance is that of {len(self.covariance)} dimensions")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Correlated) and np.array_equal(self.covariance, other.covariance)

    def __hash__(self) -> int:
        return hash((type(self), self.covariance.tobytes()))

    def __repr__(self) -> str:
        values = np.linalg.eigvalsh(self.covariance)
        return f"Correlated(d={len(values)}, variances {values[0]:.4g} to {values[-1]:.4g})"
