"""Expectations under the normal law: rules on lines and grids, split at kinks, with errors stated and meant."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
