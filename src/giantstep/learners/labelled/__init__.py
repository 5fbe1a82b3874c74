"""Directions from labelled inputs without a network: spectral matrices and slices of labels."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
