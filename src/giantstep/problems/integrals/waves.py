"""Products of sin, cos and exp of linear forms: sums of exponentials, whose Gaussian integrals are closed.

    E[He_a(u) exp(<c, u>)] = c^a exp(<c, c>/2),   c complex, <c, c> = sum_i c_i^2.

So cos(20 x1) has the coefficients 20^k exp(-200)/k!, far below what quadrature sees beside |f|, with full precision.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite import multi_indices
from giantstep.problems.forms.normal import Atom, Form, Monomial, degree_of
from giantstep.problems.forms.polynomial import Index, factorial

MOST_WAVES = 4096
_EPS = 2.3e-16


def wave_moments(atoms: Monomial, basis: Array, degree: int) -> tuple[Mapping[Index, float], float] | None:
    """E[h_a(u) K] for |a| <= degree, u = basis x, and a bound on the errors; None if K is no product of such waves."""
    waves: dict[tuple[complex, ...], complex] = {(0j,) * len(basis): 1.0 + 0j}
    for atom, power in atoms:
        own = _as_exponentials(atom, basis) if isinstance(atom, Atom) else None
        if own is None:
            return None
        for _ in range(power):
            product: dict[tuple[complex, ...], complex] = {}
            for c, w in waves.items():
                for d, v in own.items():
                    total = tuple(x + y for x, y in zip(c, d, strict=True))
                    product[total] = product.get(total, 0j) + w * v
            waves = product
            if len(waves) > MOST_WAVES:
                return None
    table: dict[Index, float] = {}
    error = 0.0
    for a in multi_indices(len(basis), degree):
        value, size = 0j, 0.0
        for c, w in waves.items():
            exponent = sum(x * x for x in c) / 2
            part = w * cmath.exp(exponent) * math.prod(x**n for x, n in zip(c, a, strict=True))
            value += part
            size += abs(part) * (8.0 + sum(a) + 4.0 * abs(exponent))
        norm = math.sqrt(factorial(a))
        if value.real != 0.0:
            table[a] = value.real / norm
        error = max(error, _EPS * size / norm)
    return table, error


def _as_exponentials(atom: Atom, basis: Array) -> dict[tuple[complex, ...], complex] | None:
    vector = _linear(atom.argument, basis.shape[1])
    if atom.name not in ("sin", "cos", "exp") or vector is None:
        return None
    c = [float(v) for v in basis @ vector]
    if atom.name == "exp":
        return {tuple(complex(v) for v in c): 1.0 + 0j}
    plus, minus = tuple(complex(0.0, v) for v in c), tuple(complex(0.0, -v) for v in c)
    return {plus: 0.5 + 0j, minus: 0.5 + 0j} if atom.name == "cos" else {plus: -0.5j, minus: 0.5j}


def _linear(form: Form, dimension: int) -> Array | None:
    """The vector of a linear form without constant."""
    vector = np.zeros(dimension)
    for monomial, c in form.terms:
        if degree_of(monomial) != 1 or not isinstance(monomial[0][0], int):
            return None
        vector[monomial[0][0]] = float(c)
    return vector
