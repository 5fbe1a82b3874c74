"""Why learners that only correlate need n >= d^(p/2) samples: a large family of nearly orthogonal functions.

For unit vectors u the functions f_u(x) = He_p(<u, x>)/sqrt(p!) have E f_u^2 = 1 and E f_u f_v = <u, v>^p. Random unit
vectors have |<u, v>| <= eps for all pairs of e^(c d eps^2), c = 1/4. A correlational query h, E h^2 = 1, answered up to
tau, tells apart only the functions with |E f_u h| >= tau. If A is their set and s_u their signs, then

    tau |A| <= <sum s_u f_u, h> <= (|A| + |A|^2 eps^p)^(1/2),   so   |A| <= 1/(tau^2 - eps^p),

and q queries leave the learner in the dark unless q >= |F| (tau^2 - eps^p). The lecture's lemma has |A| <= 2/(..), one
sign at a time; with it, and eps^2 = ln(2 q (c d)^(p/2))/(c d),

    tau^2 <= eps^p + (c d)^(-p/2),   n ~ 1/tau^2.

Source: [dls22], lower bound, as in the lecture notes; the sharper lemma and the law of the largest overlap are derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
import scipy

from giantstep.checks import require

UNION_BOUND = 0.25
"""c in |F| = e^(c d eps^2): M^2/2 pairs, each beyond eps with probability 2 e^(-d eps^2/2) at most."""
_QUANTILES = 500


@dataclass(frozen=True)
class CsqLimits:
    """What q queries of tolerance tau must satisfy, and the samples of which 1/sqrt(n) is the tolerance.

    Args:
        overlap: eps, the largest overlap in the family.
        tolerance: tau: with more than this, q queries do not suffice.
        samples: 1/tau^2.
        exponent: log n / log d.
        warning: where the bound says little, why; else None.
    """

    overlap: float
    tolerance: float
    samples: float
    exponent: float
    warning: str | None = None


def csq_bound(d: int, degree: int, log_queries: float) -> CsqLimits:
    """The bound for q queries on polynomials He_p of one unknown direction. [dls22], as in the lecture notes.

    Args:
        d: input dimension, 2 or more.
        degree: p.
        log_queries: ln q.

    >>> round(csq_bound(1000, 4, 3 * log(1000)).samples)
    59
    """
    require(d >= 2 and degree >= 1, f"d must be 2 or more and the degree 1 or more, got {d} and {degree}")
    require(log_queries >= 0, "there must be at least one query")
    size = UNION_BOUND * d
    squared = max(0.0, (log(2) + log_queries + degree / 2 * log(size)) / size)
    tau2 = squared ** (degree / 2) + size ** (-degree / 2)
    warning = None
    if tau2 >= 1:
        tau2, warning = 1.0, "So many queries in this dimension: the family is too small, and nothing is excluded."
    samples = 1 / tau2
    return CsqLimits(min(1.0, sqrt(squared)), sqrt(tau2), samples, log(samples) / log(d), warning)


def family_overlap(d: int, vectors: int) -> float:
    """eps = sqrt(ln M/(c d)): among M = e^(c d eps^2) random unit vectors the union bound expects no larger overlap.

    Args:
        d: input dimension.
        vectors: M.
    """
    return sqrt(log(vectors) / (UNION_BOUND * d))


def largest_overlap(d: int, vectors: int) -> float:
    """E max |<u, v>| over the pairs of M random unit vectors in R^d.

    <u, v>^2 is Beta(1/2, (d-1)/2) and pairs are independent two by two, so that the number of pairs beyond t is nearly
    Poisson: P(max <= t) = (1 - P(|<u, v>| > t))^(M(M-1)/2). For large d it is sqrt((4 ln M - ln ln M + ..)/d). Derived.

    Args:
        d: input dimension, 2 or more.
        vectors: M, 2 or more.

    >>> round(largest_overlap(3, 2), 3)  # uniform on [0, 1] in three dimensions
    0.5
    """
    require(vectors >= 2 and d >= 2, f"there must be 2 vectors or more in 2 dimensions or more, got {vectors} and {d}")
    pairs = vectors * (vectors - 1) / 2
    quantile = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    beyond = -np.expm1(np.log(quantile) / pairs)
    return float(np.mean(np.sqrt(1 - scipy.special.betaincinv((d - 1) / 2, 0.5, beyond))))


def ruled_out(tolerance: float, overlap: float, degree: int) -> float:
    """The most functions that one query can tell apart, 1/(tau^2 - eps^p); infinite if tau^2 <= eps^p. Derived.

    Args:
        tolerance: tau, up to which queries are answered.
        overlap: eps, the largest overlap in the family.
        degree: p.
    """
    rest = tolerance**2 - overlap**degree
    return 1 / rest if rest > 0 else inf
