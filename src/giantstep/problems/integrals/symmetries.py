"""Changes of sign of the coordinates under which a function keeps or changes its sign.

If f(Dx) = chi f(x), D diagonal with entries +-1, then E[h_a f] vanishes unless chi = prod_{D_i = -1} (-1)^{a_i}, and
half of the space suffices to integrate the others. Decided by normal forms, hence exactly.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from giantstep.problems.forms.normal import Form, FormError
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.parities import reflected
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.text.scalars import NumberError


@dataclass(frozen=True)
class Flip:
    """The coordinates whose signs change, and whether the function changes its own."""

    coordinates: frozenset[int]
    is_odd: bool

    def allows(self, a: Index) -> bool:
        """Whether E[h_a f] may be different from zero."""
        return sum(a[i] for i in self.coordinates) % 2 == self.is_odd


@dataclass(frozen=True)
class Flips:
    """Independent changes of sign, and for each the outermost of its coordinates, which no other one changes first."""

    independent: tuple[Flip, ...]

    def halves(self, k: int) -> tuple[bool, ...]:
        """Coordinates of which the positive half suffices."""
        first = {min(flip.coordinates) for flip in self.independent}
        return tuple(i in first for i in range(k))

    def allows(self, a: Index, known: int = 0) -> bool:
        """Whether E[h_b f | x_1, ..., x_known], `a` = (0, ..., 0, b), may be different from zero."""
        return all(flip.allows(a) for flip in self.independent if min(flip.coordinates) >= known)


def flips(form: Form, k: int) -> Flips:
    """All changes of sign in the variables 0, ..., k - 1 that a form knows, as independent ones."""
    found: list[Flip] = []
    first: set[int] = set()
    for start in range(k):
        # The outermost coordinate that changes is `start`; one such change is enough, others differ by later ones.
        for size in range(k - start):
            for others in itertools.combinations(range(start + 1, k), size):
                if start in first:
                    break
                coordinates = frozenset((start, *others))
                odd = _parity(form, coordinates, k)
                if odd is not None:
                    found.append(Flip(coordinates, odd))
                    first.add(start)
    return Flips(tuple(found))


def _parity(form: Form, coordinates: frozenset[int], k: int) -> bool | None:
    try:
        mirrored = reflected(form, coordinates, k)
    except (FormError, NumberError):
        return None
    if mirrored == form:
        return False
    return True if mirrored == Normaliser().scaled(form, Fraction(-1)) else None
