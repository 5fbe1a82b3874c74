"""When labels are enough to find directions with n ~ d samples.

A direction shows at any n ~ d through E[z | y], if that is not zero. What is left shows through G(y) = E[z z^T - I | y]
once alpha = n/d passes

    1/alpha_c = max over M psd, |M|_F = 1, of |E[G M G]|_F,

the largest eigenvalue of M -> E[G(y) M G(y)], which is self-adjoint and keeps M positive; for one direction alpha_c =
1/E[(E[z^2 | y] - 1)^2]. Source: [mm19] for one direction,
[tddlkp24] for several.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.problems.labels.label_laws import LabelLaw

NOTHING = 1e-12
"""A largest eigenvalue below it is zero: no threshold at n ~ d."""

EQUAL = 1e-3
"""Eigenvalues that differ by less, relatively, belong to one eigenspace."""
EQUAL_ON_NETS = 0.02
"""The same where points are sparse."""


@dataclass(frozen=True, eq=False)
class Recovery:
    """The threshold alpha_c of n/d (inf if G = 0), how far slices may have moved it, and the M that is found first.

    Args:
        threshold: alpha_c.
        error: by how much alpha_c changes when slices are twice as coarse.
        matrix: M, (p, p), positive semidefinite with Frobenius norm 1.
    """

    threshold: float
    error: float
    matrix: Array


def linear_part_seen(law: LabelLaw) -> Array:
    """E[ E[z | y] E[z | y]^T ], (p, p): the directions in its range are found at any n ~ d.

    `law` is that of the labels.
    """
    first, second = law.halves or (law, law)
    seen = np.einsum("h,hi,hj->ij", law.weight, first.mean, second.mean)
    return np.asarray((seen + seen.T) / 2)


def weak_recovery(law: LabelLaw, together: float | None = None) -> Recovery:
    """alpha_c of the directions that labels show through second moments, by the module's formula.

    Args:
        law: of the labels.
        together: directions whose thresholds differ by less than this share are found together; rounding alone if it
            is not given.

    >>> from giantstep.problems import Target
    >>> from giantstep.problems.labels import label_law
    >>> round(weak_recovery(label_law(Target("x1*x2"))).threshold, 3)
    0.594
    """
    equal = (EQUAL if law.halves is None else EQUAL_ON_NETS) if together is None else together
    strength, matrix = _largest(law, equal)
    coarse = _largest(law.halved(), equal)[0] if law.slices > 2 else strength
    if strength <= NOTHING:
        return Recovery(np.inf, 0.0, matrix)
    return Recovery(1 / strength, abs(1 / strength - 1 / coarse) if coarse > NOTHING else np.inf, matrix)


def _largest(law: LabelLaw, equal: float) -> tuple[float, Array]:
    """The largest eigenvalue of M -> E[G M G] on symmetric M, and the positive M of its eigenspace."""
    p = law.directions
    one, other = (half.second - np.eye(p) for half in law.halves or (law, law))
    operator = np.einsum("h,hij,hkl->ikjl", law.weight, one, other).reshape(p * p, p * p)
    swap = np.eye(p * p).reshape(p, p, p * p).transpose(1, 0, 2).reshape(p * p, p * p)
    symmetric = (np.eye(p * p) + swap) / 2
    operator = symmetric @ (operator + operator.T) @ symmetric / 2
    values, vectors = np.linalg.eigh(operator)
    # Sparse points split an eigenspace; the image of the identity is positive and averages over it.
    top = vectors[:, values > values[-1] * (1 - equal) - NOTHING]
    matrix = top @ (top.T @ np.eye(p).ravel())
    size = float(np.linalg.norm(matrix))
    if size < NOTHING:
        return float(values[-1]), vectors[:, -1].reshape(p, p)
    matrix /= size
    return float(matrix @ operator @ matrix), matrix.reshape(p, p)
