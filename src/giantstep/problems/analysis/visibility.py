"""Which parts of a target an activation can see at all.

A step moves along a direction that stands at He_b(x_U) in proportion to E[s^(|b|+1)] = E[s He_{|b|+1}] (derived from
the mean gradient E[f s'(<w,x>) x]; for the first step in [dklps23]). relu, softplus and gelu are z/2 plus an even
function: they see orders 1, 2, 4, 6, ...; odd activations see odd orders only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial, sqrt

from giantstep.problems.activation import Activation
from giantstep.problems.analysis.climb import Direction, Staircase, climb, gains
from giantstep.problems.analysis.splitting import Terms
from giantstep.problems.analysis.subspaces.spans import Basis

COMMON = ("relu", "gelu", "tanh", "erf", "relu(z + 1/2)")
"""Activations of which an analysis says by itself what they see."""


@lru_cache(maxsize=4096)
def has_coefficient(activation: Activation, k: int) -> bool:
    """Whether E[s He_k] is not zero, s the `activation`: `k` decided by symmetry where possible, else numerically."""
    if activation.vanishes(k):
        return False
    size = sqrt(activation.moments.second_moment)
    # E[s He_k] is at most sqrt(k!) |s|; ten digits below that is rounding of the quadrature.
    return bool(abs(activation.hermite_coefficient(k)) > 1e-10 * size * sqrt(factorial(k)))


@lru_cache(maxsize=1024)
def common_activations(orders: tuple[int, ...]) -> tuple[str, ...]:
    """Those of the common activations that see a direction reached through the coefficients E[s He_k], k in `orders`.

    >>> common_activations((2,))
    ('relu', 'gelu', 'relu(z + 1/2)')
    """
    return tuple(name for name in COMMON if any(has_coefficient(Activation(name), k) for k in orders))


@dataclass(frozen=True)
class Sight:
    """The staircase as one activation climbs it, and what it misses of what others would learn.

    Args:
        activation: its text.
        staircase: the levels that it climbs.
        missed: an orthogonal basis of what others would learn besides.
        blocked: the directions that would come next, each with the coefficients of which all vanish.
    """

    activation: str
    staircase: Staircase
    missed: Basis
    blocked: tuple[Direction, ...]

    @property
    def needed(self) -> tuple[int, ...]:
        """The k of which an activation would have to have one E[s He_k] that is not zero to climb on."""
        return tuple(sorted({k for direction in self.blocked for k in direction.orders}))


def sight(terms: Terms, activation: Activation, full: Staircase) -> Sight:
    """What a network with this activation learns of the staircase `full`."""
    seen = climb(terms, full.order, lambda k: has_coefficient(activation, k))
    top = seen.top.basis
    missed = terms.geometry.complement(top, full.top.basis) if len(top) < len(full.top.basis) else ()
    blocked = gains(terms, top, full.order)[0] if missed else ()
    return Sight(activation.text, seen, missed, blocked)
