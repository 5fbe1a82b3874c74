"""Learning in time: several steps, one-pass SGD, escapes, lazy flows, least squares and deep linear networks."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
