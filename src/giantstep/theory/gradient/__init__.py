"""The first gradients: their law, mean, noise and size, and what a step of a given size changes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
