"""Dual kernels E[f(u) g(v)] of Gaussian pairs: of all pairs of features at once, with biases, given one direction."""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
