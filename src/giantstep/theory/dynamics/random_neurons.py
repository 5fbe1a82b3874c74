"""Neurons of a random two-layer network in the plane: what chance alone shows."""

from __future__ import annotations

from math import gamma, pi, sqrt

from giantstep.checks import require


def aligned_share_at_random(teachers: int, degrees: float) -> float:
    """k degrees/360: the share of mass within so many degrees of k directions far apart and of the right sign.

    Directions are uniform and independent of masses and signs.

    >>> aligned_share_at_random(1, 15.0) * 24
    1.0
    """
    require(0 < degrees * teachers <= 180, "the sectors of all teachers must fit beside each other")
    return teachers * degrees / 360


def mass_at_random(scale: float, d: int) -> float:
    """E sum_l |v'_l| |w'_l| = alpha^2 E|v| E|w| for v ~ N(0, 1), w ~ N(0, I/d).

    E|v| = sqrt(2/pi), E|w| = sqrt(2/d) Gamma((d+1)/2)/Gamma(d/2).

    >>> round(mass_at_random(1.0, 2) ** 2, 12)
    0.5
    """
    return scale**2 * sqrt(2 / pi) * sqrt(2 / d) * gamma((d + 1) / 2) / gamma(d / 2)
