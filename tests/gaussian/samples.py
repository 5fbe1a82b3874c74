"""Functions to test the calculus with, written down by hand, and oracles that share no code with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, pi, sqrt
from typing import Any

import numpy as np
from scipy.special import erf, expit, ndtr

from giantstep.gaussian import Term


@dataclass(frozen=True)
class Function:
    """A ScalarFunction from its parts."""

    value: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    kinks: tuple[float, ...] = ()
    jumps: tuple[float, ...] = ()
    terms: tuple[Term, ...] | None = None

    def __call__(self, z: Any, /) -> Any:
        return self.value(z)

    def derivative(self, z: Any, /) -> Any:
        return self.slope(z)

    def without_terms(self) -> Function:
        return replace(self, terms=None)


def phi(z: Any) -> Any:
    return np.exp(-0.5 * z * z) / sqrt(2 * pi)


TANH = Function(np.tanh, lambda z: 1 / np.cosh(np.clip(z, -300, 300)) ** 2)
SIGMOID = Function(expit, lambda z: expit(z) * expit(-z))
SOFTPLUS = Function(lambda z: np.logaddexp(0, z), expit)
GELU = Function(lambda z: z * ndtr(z), lambda z: ndtr(z) + z * phi(z))
RELU_MEAN = 1 / sqrt(2 * pi)
RELU_SD = sqrt(0.5 - RELU_MEAN**2)
CENTRED_RELU = Function(
    lambda z: np.maximum(z, 0) - RELU_MEAN,
    lambda z: (z > 0) * 1.0,
    (0.0,),
    (),
    (Term(1, "relu"), Term(-RELU_MEAN, "constant")),
)
NORMALISED_RELU = Function(
    lambda z: (np.maximum(z, 0) - RELU_MEAN) / RELU_SD,
    lambda z: (z > 0) / RELU_SD,
    (0.0,),
    (),
    (Term(1 / RELU_SD, "relu"), Term(-RELU_MEAN / RELU_SD, "constant")),
)
SHIFTED_RELU = Function(lambda z: np.maximum(z + 0.5, 0), lambda z: (z > -0.5) * 1.0, (-0.5,))


def sharp(slope: float, place: float = 0.0) -> Function:
    """tanh with a steep flank somewhere."""
    return Function(
        lambda z: np.tanh(slope * (z - place)),
        lambda z: slope / np.cosh(np.clip(slope * (z - place), -300, 300)) ** 2,
    )


def family(name: str, scale: float = 1.0, order: int = 0) -> Function:
    """One elementary function with its single term."""
    he = np.polynomial.hermite_e.HermiteE.basis(order)
    value, slope = {
        "constant": (np.ones_like, np.zeros_like),
        "identity": (lambda x: x, np.ones_like),
        "erf": (erf, lambda x: 2 / sqrt(pi) * np.exp(-x * x)),
        "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0) * 1.0),
        "step": (lambda x: (x > 0) * 1.0, np.zeros_like),
        "abs": (np.abs, np.sign),
        "sign": (np.sign, np.zeros_like),
        "exp": (np.exp, np.exp),
        "sin": (np.sin, np.cos),
        "cos": (np.cos, lambda x: -np.sin(x)),
        "hermite": (he, he.deriv()),
    }[name]
    kinks = (0.0,) if name in ("relu", "step", "abs", "sign") else ()
    jumps = (0.0,) if name in ("step", "sign") else ()
    return Function(
        lambda z: value(scale * np.asarray(z, dtype=float)),
        lambda z: scale * slope(scale * np.asarray(z, dtype=float)),
        kinks,
        jumps,
        (Term(1.0, name, scale, order),),
    )


def half_line_rule(breaks: tuple[float, ...], panels: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """A plain composite rule on [-11, 11] between the breaks, for oracles: numpy's Gauss-Legendre, 40 points."""
    t, w = np.polynomial.legendre.leggauss(40)
    corners = sorted({-11.0, 11.0, *(b for b in breaks if -11 < b < 11)})
    edges = np.unique(np.concatenate([np.linspace(a, b, panels + 1) for a, b in pairwise(corners)]))
    half = np.diff(edges)[:, None] / 2
    z = (edges[:-1, None] + half + half * t).ravel()
    return z, (half * w).ravel() * phi(z)


def conditional_oracle(f: Function, g: Function, sd_u: float, sd_v: float, rho: float) -> float:
    """E f(u) g(v): u = sd_u z outside, v | u inside, both split at the kinks; no Hermite series anywhere.

    Where g has a kink the outer integrand is nearly kinked too, at z = kink / (sd_v rho): a break there as well.
    """
    rest = sqrt(1 - rho * rho)
    near = tuple(k / (sd_v * rho) for k in g.kinks)
    outer, weights = half_line_rule((*(k / sd_u for k in f.kinks), *near), panels=12)
    kink = np.clip(((g.kinks or (0.0,))[0] / sd_v - rho * outer) / rest, -11, 11)[:, None]
    t, w = np.polynomial.legendre.leggauss(40)
    means = np.zeros_like(outer)
    for k in range(3):  # three panels on either side of the kink of g, which moves with u
        for lo, hi in (
            (-11 + k * (kink + 11) / 3, -11 + (k + 1) * (kink + 11) / 3),
            (kink + k * (11 - kink) / 3, kink + (k + 1) * (11 - kink) / 3),
        ):
            e = 0.5 * (lo + hi) + 0.5 * (hi - lo) * t
            means += (0.5 * (hi - lo) * w * phi(e) * g(sd_v * (rho * outer[:, None] + rest * e))).sum(axis=1)
    return float(weights @ (f(sd_u * outer) * means))


TABLE = {
    # name: (function, mu0, mu1, mu2^2, curvature, Var s')
    "tanh": (TANH, 0, 0.6057055096, 0.02741532604, 0, 0.09752373809),
    "erf": (family("erf"), 0, 0.6514700159, 0.04014587282, 0, 0.1449968532),
    "sin": (family("sin"), 0, 0.6065306597, 0.06445291721, 0, 0.1997882004),
    "sigmoid": (SIGMOID, 0.5, 0.2066209641, 0.0006868130352, 0, 0.002144018527),
    "relu": (family("relu"), 0.3989422804, 0.5, 0.09084505691, 0.3989422804, 0.25),
    "normalised relu": (NORMALISED_RELU, 0, 0.8564292752, 0.2665288965, 0.6833316961, 0.7334711035),
    "softplus": (SOFTPLUS, 0.8060591833, 0.5, 0.0215145018, 0.2066209641, 0.04337903586),
    "gelu": (GELU, 0.2820947918, 0.5, 0.09564401102, 0.4231421877, 0.2058508656),
    "identity": (family("identity"), 0, 1, 0, 0, 0),
    "He2": (family("hermite", order=2), 0, 0, 2, 2, 4),
    "He3": (family("hermite", order=3), 0, 0, 6, 0, 18),
    "He4": (family("hermite", order=4), 0, 0, 24, 0, 96),
    "step": (family("step"), 0.5, RELU_MEAN, 0.25 - RELU_MEAN**2, 0, inf),
}
