"""Risks of ridge regression on features, in proportion and beyond: deterministic equivalents, limits, bounds."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
