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

    `kappa` = |f| |H^+| / sqrt(rank): small if the Hessian shows all its directions about equally.
    """

    rank: int
    eigenvalues: tuple[float, ...]
    condition: float | None
    kappa: float | None


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
    return Hessian(rank, tuple(sorted(kept, reverse=True)), abs(kept[0]) / smallest, kappa)
