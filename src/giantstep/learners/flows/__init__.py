"""Gradient flows of one neuron, from many starts at once, on the population or on samples."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
