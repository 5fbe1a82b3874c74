"""Two-layer networks: weights, initialisations, and names for the factors on which papers differ."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
