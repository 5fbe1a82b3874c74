"""Noisy gradient descent of many neurons as interacting particles."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
