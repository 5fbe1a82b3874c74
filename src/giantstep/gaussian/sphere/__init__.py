"""Averages over the sphere and over Gaussian vectors by their length and angle; overlaps with a few directions."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
