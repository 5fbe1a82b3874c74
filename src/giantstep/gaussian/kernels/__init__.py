"""Dual kernels E[f(u) g(v)] of Gaussian pairs: of all pairs of features at once, with biases, given one direction."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
