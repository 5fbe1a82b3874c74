"""Two-layer networks: weights, initialisations, and names for the factors on which papers differ."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
