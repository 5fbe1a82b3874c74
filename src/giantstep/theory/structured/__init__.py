"""Inputs with a spike: alignments of the first gradient, random starts, and flows of one neuron."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
