"""Whole trainings: the papers' two-stage algorithms, descents of both layers, least squares, deep linear networks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
