"""Hermite polynomials, and the Hermite series of functions at many scales."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
