"""The test risk of a network, computed from Gaussian moments of its features; Monte-Carlo as a check."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
