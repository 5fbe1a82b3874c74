"""What can be said about a target before any simulation: staircases, leaps, exponents, samples needed."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
