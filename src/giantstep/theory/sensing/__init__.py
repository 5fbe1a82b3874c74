"""Low-rank matrix sensing: spectral starts, phases of descent, balance, and the error that is left."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
