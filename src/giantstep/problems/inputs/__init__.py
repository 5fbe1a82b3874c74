"""The laws of the inputs x: isotropic, spiked, and sign vectors."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
