"""Risks of ridge regression on features, in proportion and beyond: deterministic equivalents, limits, bounds."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
