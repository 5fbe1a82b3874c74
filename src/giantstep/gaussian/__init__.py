"""Calculus under the standard normal law.

Quadrature with stated errors, Hermite polynomials and series, the moments of activations, and the dual kernels
E[f(u) g(v)] of Gaussian pairs. Knows nothing of targets, networks or theory.
"""

from giantstep.gaussian.functions import FAMILIES, ScalarFunction, Term
from giantstep.gaussian.gram import gram_kernel
from giantstep.gaussian.grids import hermite_grid, product_rule
from giantstep.gaussian.hermite import (
    hermite,
    hermite_coefficients,
    hermite_table,
    power_to_hermite,
)
from giantstep.gaussian.kernels import cross_kernel, dual_kernel, hermite_at, mean_at, second_moment_at
from giantstep.gaussian.moments import Moments, moments
from giantstep.gaussian.quadrature import Estimate, expect, gauss_hermite, panel_rule
from giantstep.gaussian.series import Expansion, expand, hermite_series

__all__ = [
    "FAMILIES",
    "Estimate",
    "Expansion",
    "Moments",
    "ScalarFunction",
    "Term",
    "cross_kernel",
    "dual_kernel",
    "expand",
    "expect",
    "gauss_hermite",
    "gram_kernel",
    "hermite",
    "hermite_at",
    "hermite_coefficients",
    "hermite_grid",
    "hermite_series",
    "hermite_table",
    "mean_at",
    "moments",
    "panel_rule",
    "power_to_hermite",
    "product_rule",
    "second_moment_at",
]
