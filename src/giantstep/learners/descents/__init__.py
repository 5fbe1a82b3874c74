"""Gradient descent of all parameters, through time: two-layer networks, least squares, deep linear networks."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
