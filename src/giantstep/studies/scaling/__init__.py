"""A claim along sizes: how fast the gap between theory and simulation closes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
