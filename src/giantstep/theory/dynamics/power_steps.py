"""Several giant steps of ReLU neurons on a target of one direction u without linear part, each on a fresh batch.

A neuron w = m u + rest moves by w += s a g, a = +1 or -1, in a network f = (1/p) sum_j a_j relu(<w_j, x>). Its mean
gradient on a function of x_u, sum_k e_k He_k, is A(c) u + B(c) w/|w| with the cosine c = m/|w| and mu_k = E[relu He_k]:

    A = sum_k k e_k mu_k c^(k-1),   B = sum_k e_k mu_(k+2) c^k,   e_k = c_k(f*) - mean_j(a_j |w_j| c_j^k) mu_k/k!,

what f has learned of f* along u being taken off (k = 1 apart, see below). Noise is E(y - f)^2/(2n) in each other
direction. As relu' = 1/2 + an odd part, half of it is the same vector in every neuron's gradient, so that w_j holds a_j
C with one C for all, and f the linear part <C, x>/2. The next step sees that, and moves every neuron by -s a_j C/4:

    m     <- m (1 + s a B/|w|) + s a (A - mean(a m)/4) + noise of variance s^2 E[(y - f)^2 x_u^2]/(2n),
    C     <- (1 - s/4) C + noise,   other <- other (1 + s a B/|w|) + noise,   each of s^2 d E(y - f)^2/(4n),

and E(y - f)^2 = sum_k k! e_k^2 + |C|^2/4. With s ~ (n/d)^(1/2) each step multiplies m by as much, a power method: m^2 ~
d^(T (kappa - 1) - 1) after T steps of n = d^kappa samples. But for s > 8 the network's own linear part C grows by s/4 a
step as well, and no sizes of T such steps do better than one; a step of size 4 in between takes C back. What f has of a
single neuron, of order 1/p, is left out. Derived.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import positive
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation
from giantstep.theory.gradient import GradientLaw, MeanGradient

NODES = 40
SMALL = 1e-4  # of a neuron's length: the step of differences
DEGREES = np.arange(0, 18, 2)  # of the network's output along u; of odd ones ReLU has the first alone


def shares_along_steps(
    law: GradientLaw,
    d: int,
    samples: int,
    sizes: Sequence[float],
    overlaps: Array | None = None,
    signs: Array | None = None,
) -> Array:
    """Mean over neurons of m^2/|w|^2 after each step, (T,), see the module.

    Args:
        law: the law of a ReLU neuron's gradient on f*, of one direction.
        d: input dimension.
        samples: n of each step.
        sizes: s of each step, (T,).
        overlaps: m of unit neurons at the start, (p,); random neurons if None.
        signs: a, (p,); both for each random neuron.

    >>> from giantstep.problems import Activation, Target
    >>> from giantstep.theory.gradient import gradient_law
    >>> law = gradient_law(Target("He2(x1)"), Activation("relu"))
    >>> shares_along_steps(law, 10**6, 10**12, [1e-9]).round(8)
    array([1.e-06])
    """
    positive("the mean square of the labels", law.power)
    node, chance = gauss_hermite(NODES)
    if overlaps is None or signs is None:
        overlaps, signs = np.tile(node / np.sqrt(d - 1 + node**2), 2), np.repeat([1.0, -1.0], NODES)
        weight = np.tile(chance, 2) / 2
    else:
        weight = np.full(len(overlaps), 1 / len(overlaps))
    mean, spread, common = np.array(overlaps, dtype=np.float64), np.zeros(len(overlaps)), 0.0
    other = 1 - mean**2
    energy, inside = 2 * law.power, law.noise_in_target_space()
    shares = []
    for size in sizes:
        squares, beside, push = mean**2 + spread, other + common, size * signs
        length = np.sqrt(squares + beside)
        of_neurons = (signs * length) * (squares / length**2) ** (DEGREES[:, None] // 2)
        gradient, learned = _what_is_left(law.mean, of_neurons @ weight)
        left = 1 + (common / 4 - learned) / energy
        slope, near = float(weight @ (signs * mean)) / 4, SMALL * length
        up, down = (_moved(gradient, mean + e, beside, push, slope)[0] for e in (near, -near))
        gain = (up - down) / (2 * near)
        noise = size**2 * left / samples
        mean, turn = _moved(gradient, mean, beside, push, slope)
        spread = spread * gain**2 + noise * inside
        other = other * turn**2 + noise * (d - 1) * energy / 4
        common = common * (1 - size / 4) ** 2 + noise * (d - 1) * energy / 4
        drawn = (mean[:, None] + np.sqrt(spread)[:, None] * node) ** 2
        shares.append(float(weight @ ((drawn / (drawn + (other + common)[:, None])) @ chance)))
    return np.array(shares)


def _what_is_left(target: MeanGradient, lengths: Array) -> tuple[MeanGradient, float]:
    """The mean gradient on f* - f along u, and by how much E(f* - f)^2 is smaller than E f*^2.

    `lengths` are mean(a |w| c^k) of the degrees k.
    """
    wanted = target.exponents[:, 0].astype(np.int64)
    count = int(max(wanted.max(), DEGREES[-1])) + 1
    mu, factorials = _relu(count)
    before = np.zeros(count)
    before[wanted] = target.coefficients
    after = before.copy()
    after[DEGREES] -= lengths * mu[DEGREES] / factorials[DEGREES]
    gradient = MeanGradient(np.arange(float(count))[:, None], after, mu)
    return gradient, float(factorials @ (before**2 - after**2))


@lru_cache(maxsize=8)
def _relu(count: int) -> tuple[Array, Array]:
    """mu_k of ReLU, two more of them than `count`, and as many k!."""
    relu = Activation("relu")
    return np.array([relu.hermite_coefficient(k) for k in range(count + 2)]), scipy.special.factorial(np.arange(count))


def _moved(gradient: MeanGradient, m: Array, beside: Array, push: Array, slope: float) -> tuple[Array, Array]:
    """Overlaps after the mean gradient of a step with s a = `push`, and what it multiplies the rest of a neuron by.

    |w|^2 - m^2 is `beside`, and `slope` is mean(a m)/4.
    """
    norm = np.sqrt(m**2 + beside)
    along_u, along_w = gradient((m / norm)[:, None])
    turn = 1 + push * along_w / norm
    return m * turn + push * (along_u[:, 0] - slope), turn
