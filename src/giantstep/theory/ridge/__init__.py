"""Risks of ridge regression on features and kernels: deterministic equivalents, limits, floors and bounds."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
