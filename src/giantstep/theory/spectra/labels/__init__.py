"""Directions from labels at n ~ d: linear estimators, slices, spectral matrices, messages."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
