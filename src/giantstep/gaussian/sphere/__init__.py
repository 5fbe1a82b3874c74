"""Averages over the sphere and over Gaussian vectors by their length and angle; overlaps with a few directions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
