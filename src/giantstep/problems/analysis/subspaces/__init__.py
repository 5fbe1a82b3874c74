"""Exact linear algebra of the directions of a target: spans, square roots, polynomials with packed exponents."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
