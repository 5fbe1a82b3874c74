"""H = E[Hess f]: its rank, decided like all ranks here, and its condition number on its range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from giantstep.problems.analysis.landscape import Landscape
from giantstep.problems.analysis.subspaces.spans import axes


@dataclass(frozen=True)
class Hessian:
    """Rank, eigenvalues that are not zero (largest first), max |l| / min |l|, and the normalised one of [dls22].

    `kappa` = |f| |H^+| / sqrt(rank): small if the Hessian shows all its directions about equally. `error` bounds the
    error of the eigenvalues, `relative_error` that of condition and kappa, as a share of them.
    """

    rank: int
    eigenvalues: tuple[float, ...]
    condition: float | None
    kappa: float | None
    error: float = 0.0
    relative_error: float = 0.0


def hessian_of(landscape: Landscape) -> Hessian:
    terms = landscape.terms
    rows = [row for k, row in terms.split(()).gradients(2) if k == 2]
    rank = len(terms.geometry.extension(rows, (), axes(terms.dimension)).vectors)
    if rank == 0:
        return Hessian(0, (), None, None)
    values = np.linalg.eigvalsh(landscape.target.hessian)
    kept = sorted((float(v) for v in values), key=abs, reverse=True)[:rank]
    smallest = abs(kept[-1])
    kappa = math.sqrt(float(landscape.target.norm2)) / (smallest * math.sqrt(rank))
    # H_ij = c_a a! with a! <= 2: each entry is off by at most sqrt(2) times the error of c_a sqrt(a!).
    target = landscape.target
    error = math.sqrt(2.0) * terms.dimension * target.coefficient_error
    relative = 2.0 * error / max(smallest - error, 1e-300) + target.norm2_error / float(target.norm2)
    return Hessian(rank, tuple(sorted(kept, reverse=True)), abs(kept[0]) / smallest, kappa, error, relative)
