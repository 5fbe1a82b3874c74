"""The Gaussian integrals of a component K: the numbers E[He_b(u) He_c(u) K(u)], with an error that is meant.

Closed forms where K is a product of waves, else quadrature in the coordinates u. Products of Hermite polynomials are
multiplied out: He_m He_n = sum_k k! C(m, k) C(n, k) He_{m+n-2k}, all coefficients positive.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import numpy as np

from giantstep.gaussian.hermite import multi_indices
from giantstep.problems.forms.components import Component
from giantstep.problems.forms.normal import Form, make_form, variable_form
from giantstep.problems.forms.normaliser import Normaliser
from giantstep.problems.forms.polynomial import Index
from giantstep.problems.integrals.several_coordinates import form_moments
from giantstep.problems.integrals.waves import wave_moments
from giantstep.problems.text.scalars import ONE


@lru_cache(maxsize=512)
def hermite_moments(component: Component, left: int, right: int) -> tuple[dict[tuple[Index, Index], float], float]:
    """E[He_b(u) He_c(u) K(u)] for |b| <= left, |c| <= right, and a bound on the errors, divided by sqrt(b! c!)."""
    k = component.rank
    single = wave_moments(component.atoms, np.array(component.basis), left + right)
    if single is None:
        single = form_moments(in_own_coordinates(component), k, left + right)
    moments, error = single
    table: dict[tuple[Index, Index], float] = {}
    growth = 1.0
    for b in multi_indices(k, left):
        for c in multi_indices(k, right):
            total, size = 0.0, 0.0
            for factor, a in _product(b, c):
                # h_a = He_a/sqrt(a!), so the factor belongs to He_a over sqrt(b! c!).
                scale = factor * _root_factorial(a)
                total += scale * moments.get(a, 0.0)
                size += scale
            table[b, c] = total
            growth = max(growth, size / (_root_factorial(b) * _root_factorial(c)))
    return table, growth * error


def in_own_coordinates(component: Component) -> Form:
    """K as a form in u, exactly if u is a choice of the variables."""
    basis = np.array(component.basis)
    work = Normaliser()
    images = []
    for column in basis.T:
        parts = [
            work.scaled(variable_form(j), ONE if v == 1.0 else float(v)) for j, v in enumerate(column) if abs(v) > 1e-15
        ]
        images.append(work.total(parts))
    return work.substitute(make_form({component.atoms: ONE}), images)


def _product(b: Index, c: Index) -> list[tuple[float, Index]]:
    """He_b He_c as a sum of He_a."""
    parts = [
        [(float(math.factorial(k) * math.comb(m, k) * math.comb(n, k)), m + n - 2 * k) for k in range(min(m, n) + 1)]
        for m, n in zip(b, c, strict=True)
    ]
    return [(math.prod(f for f, _ in chosen), tuple(n for _, n in chosen)) for chosen in itertools.product(*parts)]


def _root_factorial(a: Index) -> float:
    return math.sqrt(float(math.prod(map(math.factorial, a))))
