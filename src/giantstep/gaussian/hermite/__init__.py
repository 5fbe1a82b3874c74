"""Hermite polynomials, and the Hermite series of functions at many scales."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
