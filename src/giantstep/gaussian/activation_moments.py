"""The few Gaussian moments of an activation that the theory of one gradient step is written in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

from giantstep.arrays import Array
from giantstep.gaussian.functions import ScalarFunction, evaluate, kinks_of
from giantstep.gaussian.quadrature.lines import Estimate, expect


@dataclass(frozen=True)
class Moments:
    """Moments of s(z), z ~ N(0,1), in the notation of [bes22].

    Args:
        mu0: E s.
        mu1: E z s = E s'.
        mu2_squared: E s^2 - mu0^2 - mu1^2.
        curvature: E (z^2 - 1) s = E s''.
        slope_variance: Var s'(z), infinite for a function that jumps: there s' contains a point mass.
        second_moment: E s^2.
        error: bound on the absolute error of each number.
    """

    mu0: float
    mu1: float
    mu2_squared: float
    curvature: float
    slope_variance: float
    second_moment: float
    error: float

    @property
    def mu2(self) -> float:
        """The norm of the nonlinear part, sqrt(E s^2 - mu0^2 - mu1^2)."""
        return sqrt(self.mu2_squared)


def moments(function: ScalarFunction) -> Moments:
    """All moments of s = `function` by adaptive quadrature, split at its kinks.

    mu2^2 is integrated as E (s - mu0 - mu1 z)^2, never obtained by subtraction: it cannot be negative and keeps its
    digits when the function is nearly linear.
    """
    breaks = kinks_of(function)

    def mean(integrand: Callable[[Array], Array]) -> Estimate:
        return expect(integrand, breaks)

    def s(z: Array) -> Array:
        return evaluate(function, z)

    mu0, mu1 = mean(s), mean(lambda z: z * s(z))
    curvature, second = mean(lambda z: (z * z - 1.0) * s(z)), mean(lambda z: s(z) ** 2)
    mu2_squared = mean(lambda z: (s(z) - mu0.value - mu1.value * z) ** 2)
    slope_variance = Estimate(inf, 0.0)
    if not function.jumps:
        slope_variance = mean(lambda z: (evaluate(function.derivative, z) - mu1.value) ** 2)
    # The errors of mu0 and mu1 enter the centred integrals only squared: the residual is orthogonal to 1 and z.
    return Moments(
        mu0=mu0.value,
        mu1=mu1.value,
        mu2_squared=mu2_squared.value,
        curvature=curvature.value,
        slope_variance=slope_variance.value,
        second_moment=second.value,
        error=max(e.error for e in (mu0, mu1, curvature, second, mu2_squared, slope_variance)),
    )
