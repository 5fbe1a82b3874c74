"""The first gradient on isotropic inputs: its expected length at a random neuron, and the scatter of a batch about it.

For x ~ N(0, I), |w| = 1, m = <w, beta>, s = sum a_j h_j and y = f*(<x, beta>), f* = sum a*_j h_j, Stein's lemma gives

    E[y s'(<x, w>) x] = A beta + B w,   A = sum j a_j a*_j m^(j-1),   B = sum sqrt((j+1)(j+2)) a_(j+2) a*_j m^j,

of squared length A^2 + B^2 + 2 A B m, and m is of order d^-1/2 at a random w: with k the information exponent the
gradient has length d^-(k-1)/2 (slide 'Limitation under Isotropic Data'; in the He_j its coefficients are
j j! alpha_j alpha*_j, for which the slide has j^2 alpha_j alpha*_j). A batch of n scatters by

    E |g - E g|^2 = (E[y^2 s'^2 |x|^2] - |E g|^2)/n,   E[y^2 s'^2 |x|^2] = d E s'^2 E y^2 + E[(u^2 - 1) s'^2] E y^2 +
    E s'^2 E[(v^2 - 1) y^2]   at m = 0, up to a relative 1/d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.quadrature import expect, gauss_hermite
from giantstep.gaussian.sphere import angle_rule

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

DEGREES = 12


@dataclass(frozen=True)
class GradientSize:
    """Lengths of the first gradient, root mean squares over random neurons.

    Args:
        norm: of the expected gradient.
        error: of a batch's distance from it.
        printed: the norm with the slide's coefficients j^2 alpha_j alpha*_j in place of j j! alpha_j alpha*_j.
    """

    norm: float
    error: float
    printed: float


def isotropic_gradient(target: Target, activation: Activation, d: int, samples: float) -> GradientSize:
    """Length of E g and of g - E g, root mean squares over random neurons; the module's formulas (derived).

    Args:
        target: f*, of one direction.
        activation: s of the neuron.
        d: input dimension.
        samples: n, the size of the batch.
    """
    degree = target.degree or DEGREES
    wanted = np.zeros(degree + 1)
    for index, value in target.hermite().items():
        wanted[index[0]] = float(value) * math.sqrt(math.factorial(index[0]))
    a, j = hermite_series(activation, degree + 2), np.arange(degree + 1)
    m, weight = angle_rule(d, degree + 2)
    powers = m[:, None] ** j
    pulls = j * a[: degree + 1] * wanted
    slips = pulls * j / np.cumprod(np.maximum(j, 1.0))
    bent = powers @ (np.sqrt((j + 1.0) * (j + 2.0)) * a[2:] * wanted)
    squares = []
    for along in (powers[:, :-1] @ coefficients[1:] for coefficients in (pulls, slips)):
        squares.append(float(weight @ (along**2 + bent**2 + 2 * along * bent * m)))
    square, printed = squares
    slope = activation.derivative_activation
    gate = expect(lambda u: slope(u) ** 2, slope.kinks).value
    wide = expect(lambda u: (u * slope(u)) ** 2, slope.kinks).value
    nodes, share = gauss_hermite(degree + 4)
    y2 = np.asarray(target(nodes[:, None]), dtype=np.float64) ** 2
    label, far = float(share @ y2), float(share @ (nodes**2 * y2))
    scatter = (d - 2) * gate * label + wide * label + gate * far - square
    return GradientSize(math.sqrt(square), math.sqrt(max(scatter, 0.0) / samples), math.sqrt(printed))
