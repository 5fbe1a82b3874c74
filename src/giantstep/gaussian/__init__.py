"""Calculus under the standard normal law.

By topic: `quadrature` with stated errors, `hermite` polynomials and series, the dual `kernels` E[f(u) g(v)] of Gaussian
pairs, the `sphere`; here what a function of one variable must tell, and its moments. Knows nothing of targets, networks
or theory.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
