"""Quadratic networks with weight decay, trained to their minimum."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
