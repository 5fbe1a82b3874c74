"""The test risk of a network, computed from Gaussian moments of its features; Monte-Carlo as a check."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
