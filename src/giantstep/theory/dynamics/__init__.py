"""Learning in time: several steps, one-pass SGD, escapes, lazy flows, least squares and deep linear networks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
