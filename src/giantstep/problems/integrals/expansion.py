"""Mean and Hermite coefficients of any normal form: exact for polynomials, else integrated with a stated error.

Grouped by its atoms a form is f = sum_A P_A(x) A(x) with P_A an exact polynomial and A a product of independent
components (see `components`). The map He_a -> x^a turns orthogonal changes of variables into ordinary substitution,
and the product of independent functions into an ordinary product; so Hermite series are computed as polynomials:

    S f(x) = E f(z + x) = sum_a c_a x^a     if     f = sum_a c_a He_a.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.gaussian.quadrature import Estimate
from giantstep.problems.forms.components import Component, split
from giantstep.problems.forms.normal import Form, grouped
from giantstep.problems.forms.polynomial import Index, factorial, hermite_expansion
from giantstep.problems.integrals.component_moments import hermite_moments
from giantstep.problems.text.scalars import ZERO, Scalar

MAX_COEFFICIENTS = 6000
"""Most Hermite coefficients that are computed of a function that is not a polynomial."""

ROUNDING = 1e-15
"""Of a function's size: what substitutions and products of its Hermite series lose."""

Series = dict[Index, float]


def expectation(form: Form, dimension: int) -> Estimate:
    """E f under N(0, I)."""
    parts: list[float] = []
    error = 0.0
    for atoms, polynomial in grouped(form).items():
        series = hermite_expansion(polynomial, dimension)
        if not atoms:
            parts.append(float(series.get((0,) * dimension, ZERO)))
            continue
        components = split(atoms, dimension)
        # Given u = U x, the mean of He_a(x) is the part of its substitution in which only u occurs.
        images = _images(components, dimension)
        for powers, c in _substituted(series, images).items():
            moments, relative = _moment_product(components, powers)
            parts.append(c * moments)
            error += abs(c) * relative
    error += ROUNDING * sum(map(abs, parts)) if error else 0.0
    return Estimate(math.fsum(parts), error)


def _moment_product(components: Sequence[Component], powers: Index) -> tuple[float, float]:
    """prod_j E[He_b(u_j) K_j(u_j)] and a bound on its error."""
    value, error = 1.0, 0.0
    for component, b in zip(components, _cut(powers, components), strict=True):
        table, gap = hermite_moments(component, sum(b), 0)
        one = table[b, (0,) * component.rank]
        gap *= math.sqrt(factorial(b))
        value, error = value * one, abs(value) * gap + error * (abs(one) + gap)
    return value, error


def _cut(powers: Index, components: Sequence[Component]) -> list[Index]:
    cuts, start = [], 0
    for component in components:
        cuts.append(powers[start : start + component.rank])
        start += component.rank
    return cuts


def _images(components: Sequence[Component], dimension: int) -> list[Series]:
    """Each x_i as a linear form in all u: the i-th column of the stacked bases."""
    stacked = np.concatenate([np.array(c.basis) for c in components])
    return [linear(stacked[:, i]) for i in range(dimension)]


# --- Hermite coefficients -------------------------------------------------------------------------------


def hermite_coefficients(form: Form, dimension: int, degree: int) -> tuple[Series, float]:
    """c_a for |a| <= degree, and a bound on the error of c_a sqrt(a!)."""
    total: Series = {}
    error = 0.0
    for atoms, polynomial in grouped(form).items():
        series = hermite_expansion(polynomial, dimension)
        if not atoms:
            _accumulate(total, {a: float(c) for a, c in series.items() if sum(a) <= degree}, 1.0)
            continue
        part, gap = _part_coefficients(split(atoms, dimension), series, dimension, degree)
        _accumulate(total, part, 1.0)
        error += gap
    return total, error


def _part_coefficients(
    components: Sequence[Component], series: Mapping[Index, Scalar], dimension: int, degree: int
) -> tuple[Series, float]:
    stacked = np.concatenate([np.array(c.basis) for c in components])
    count = len(stacked)
    # x_i = (column i of the bases) . u + w_i with w = x - U'U x, the part that no component sees.
    rest = np.eye(dimension) - stacked.T @ stacked
    rest[np.abs(rest) < 1e-14] = 0.0
    seen = [i for i in range(dimension) if np.any(rest[i])]
    images = []
    for i in range(dimension):
        image = linear(np.concatenate([stacked[:, i], [float(i == j) for j in seen]]))
        images.append(image)
    by_powers: dict[Index, Series] = {}
    for powers, c in _substituted(series, images).items():
        _accumulate(by_powers.setdefault(powers[:count], {}), {powers[count:]: c}, 1.0)
    unseen = [linear(rest[i]) for i in seen]
    total: Series = {}
    error = 0.0
    for powers, outside in by_powers.items():
        others = _substituted(outside, unseen) if seen else {(0,) * dimension: sum(outside.values())}
        factors = [others]
        sizes, gaps = [], []
        for component, b in zip(components, _cut(powers, components), strict=True):
            inner, gap, size = _component_series(component, b, degree)
            factors.append(inner)
            sizes.append(size)
            gaps.append(gap)
        product = reduce(lambda f, g: times(f, g, degree), factors)
        _accumulate(total, product, 1.0)
        weight = math.sqrt(sum(c * c * factorial(a) for a, c in others.items()))
        error += weight * sum(gap * math.prod(sizes[:j] + sizes[j + 1 :]) for j, gap in enumerate(gaps))
        error += ROUNDING * weight * math.prod(sizes)
    return total, error


def _component_series(component: Component, b: Index, degree: int) -> tuple[Series, float, float]:
    """The series of He_b(u) K(u) as a polynomial in x, the error of its coefficients, and its norm."""
    table, gap = hermite_moments(component, sum(b), degree)
    inner = {c: m / factorial(c) for (a, c), m in table.items() if a == b}
    gap *= math.sqrt(factorial(b))
    size = math.sqrt(sum(m * m * factorial(c) for c, m in inner.items()))
    basis = np.array(component.basis)
    return _substituted(inner, [linear(row) for row in basis], degree), gap, size + gap


# --- polynomials as dictionaries ------------------------------------------------------------------------


def linear(vector: NDArray[Any]) -> Series:
    """The linear form <vector, x>."""
    n = len(vector)
    return {tuple(int(i == j) for j in range(n)): float(v) for i, v in enumerate(vector) if v != 0.0}


def times(f: Series, g: Series, degree: int | None = None) -> Series:
    """f g without the terms above `degree`."""
    result: Series = {}
    for a, c in f.items():
        room = None if degree is None else degree - sum(a)
        for b, d in g.items():
            if room is None or sum(b) <= room:
                index = tuple(map(int.__add__, a, b))
                result[index] = result.get(index, 0.0) + c * d
    return result


def _accumulate(total: Series, part: Mapping[Index, float], factor: float) -> None:
    for a, c in part.items():
        total[a] = total.get(a, 0.0) + factor * c


def _substituted(series: Mapping[Index, Scalar], images: Sequence[Series], degree: int | None = None) -> Series:
    """sum_a c_a prod_i images[i]^(a_i), dropping vanished images at once."""
    width = next((len(next(iter(image))) for image in images if image), 0)
    one: Series = {(0,) * width: 1.0}
    powers: list[list[Series]] = [[one] for _ in images]
    result: Series = {}
    for a, c in series.items():
        if any(n and not images[i] for i, n in enumerate(a)):
            continue
        term = one
        for i, n in enumerate(a):
            while len(powers[i]) <= n:
                powers[i].append(times(powers[i][-1], images[i], degree))
            if n:
                term = times(term, powers[i][n], degree)
        _accumulate(result, term, float(c))
    return result
