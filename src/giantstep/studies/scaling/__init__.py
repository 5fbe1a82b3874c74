"""A claim along sizes: how fast the gap between theory and simulation closes."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
