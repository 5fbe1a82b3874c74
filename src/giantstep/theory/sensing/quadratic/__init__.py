"""Quadratic networks with weight decay: the law of noisy spectra, the risk at any width, and its exponents."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
