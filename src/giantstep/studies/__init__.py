"""Studies: many runs of one claim over a grid and seeds, in this process or on many, with one verdict."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
