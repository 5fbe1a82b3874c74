"""The first gradients: their law, mean, noise and size, and what a step of a given size changes."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
