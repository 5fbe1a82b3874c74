"""Samples that are used twice, and samples in batches: how long a neuron on the sphere takes to find its target."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
