"""Neurons of a random two-layer network in the plane: what chance alone shows."""

from __future__ import annotations

from math import gamma, pi, sqrt

from giantstep.checks import require


def aligned_share_at_random(teachers: int, degrees: float) -> float:
    """k degrees/360: the share of mass within so many degrees of k directions far apart and of the right sign.

    Directions are uniform and independent of masses and signs.

    Args:
        teachers: k, the number of directions.
        degrees: half-width of the sectors, in degrees.

    >>> aligned_share_at_random(1, 15.0) * 24
    1.0
    """
    require(0 < degrees * teachers <= 180, "the sectors of all teachers must fit beside each other")
    return teachers * degrees / 360


def mass_at_random(d: int, scale: float) -> float:
    """E sum_l |v'_l| |w'_l| = alpha^2 E|v| E|w| for v ~ N(0, 1), w ~ N(0, I/d).

    E|v| = sqrt(2/pi), E|w| = sqrt(2/d) Gamma((d+1)/2)/Gamma(d/2).

    Args:
        d: input dimension.
        scale: alpha, which multiplies both layers at the start.

    >>> round(mass_at_random(2, 1.0) ** 2, 12)
    0.5
    """
    return scale**2 * sqrt(2 / pi) * sqrt(2 / d) * gamma((d + 1) / 2) / gamma(d / 2)
