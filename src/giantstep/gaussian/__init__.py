"""Calculus under the standard normal law.

Quadrature with stated errors, Hermite polynomials and series, the moments of activations, and the dual kernels
E[f(u) g(v)] of Gaussian pairs. Knows nothing of targets, networks or theory.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
