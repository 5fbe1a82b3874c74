"""What can be said about a target before any simulation: staircases, leaps, exponents, samples needed."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
