"""A target with everything that was found out about it on the way: staircases by sample size, spreads by subspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from giantstep.problems.analysis.climb import Staircase, climb
from giantstep.problems.analysis.conditional import Spread, spread
from giantstep.problems.analysis.splitting import Terms, terms_of
from giantstep.problems.analysis.subspaces.spans import Basis
from giantstep.problems.analysis.visibility import Sight, sight

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation
    from giantstep.problems.target import Target


@dataclass(frozen=True, eq=False)
class Landscape:
    """What is asked again and again while a `target` is analysed, each computed once."""

    target: Target
    _climbs: dict[int, Staircase] = field(default_factory=dict, init=False, repr=False)
    _spreads: dict[Basis, Spread] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self.target)

    @property
    def space(self) -> Basis:
        """V*."""
        return self.terms.space

    def staircase(self, order: int = 1) -> Staircase:
        """U_0, U_1, ... with n ~ d^order samples a step."""
        if order not in self._climbs:
            self._climbs[order] = climb(self.terms, order)
        return self._climbs[order]

    def spread(self, basis: Basis) -> Spread:
        """What knowing P_U x leaves open, U the span of `basis`, a part of V*."""
        if basis not in self._spreads:
            self._spreads[basis] = spread(self.target, self.terms, basis)
        return self._spreads[basis]

    @property
    def spreads(self) -> tuple[Spread, ...]:
        """All that were asked for so far."""
        return tuple(self._spreads.values())

    def seen_by(self, activation: Activation, order: int = 1) -> Sight:
        """What a network with this `activation` climbs of the staircase with n ~ d^order samples a step."""
        return sight(self.terms, activation, self.staircase(order))

    def outside(self, basis: Basis) -> Basis:
        """An orthogonal basis of what is orthogonal to the span of `basis` in V*."""
        return self.terms.geometry.complement(basis, self.space) if len(basis) < len(self.space) else ()

    @cached_property
    def isoleap(self) -> int | None:
        """The smallest m for which the staircase with n ~ d^m reaches all of V*; None for a constant.

        It is the largest leap over all rotations of the coordinates (derived): if the staircase of order m stops at U,
        the leap is above m in coordinates adapted to U; if in some coordinates the terms of cost at most m reach only a
        set S of them, every U_t stays inside the span of S.
        """
        return self._first(lambda stairs: stairs.is_complete)

    @cached_property
    def one_step_exponent(self) -> int | None:
        """The smallest m for which a single step with n ~ d^m learns all of V*."""
        return self._first(lambda stairs: len(stairs.after(1).basis) == len(self.space))

    def _first(self, holds: Callable[[Staircase], bool]) -> int | None:
        if not self.space:
            return None
        return next((m for m in range(1, self.terms.degree + 1) if holds(self.staircase(m))), None)
