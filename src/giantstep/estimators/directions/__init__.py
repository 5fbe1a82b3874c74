"""Directions on which a label depends: nine methods with one contract, and the permutations that decide how many."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
