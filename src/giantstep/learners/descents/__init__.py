"""Gradient descent of all parameters, through time: two-layer networks, least squares, deep linear networks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
