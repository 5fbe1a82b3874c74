"""Gradient flows of one neuron, from many starts at once, on the population or on samples."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
