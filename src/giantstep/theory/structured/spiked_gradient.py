"""The first gradient of a ReLU neuron on spiked inputs along the target.

x ~ N(0, I + theta mu mu^T), y = f*(z) + noise, z = <x, mu>/sqrt(1 + theta). For a neuron w on the unit sphere with
bias b, m = <w, mu>, the gradient is g = (1/n) sum y 1{<x, w> + b > 0} x. With
a(z) = (sqrt(1 + theta) m z + b)/sqrt(1 - m^2),

    along mu      mean sqrt(1 + theta) E[z y Phi(a)],   variance ((1 + theta) E[z^2 y^2 Phi(a)] - mean^2)/n
    along w       mean E[y phi(a)]
    across        |.|^2 = (d - 1) E[y^2 Phi(a)]/n

so that the alignments are means, over m sqrt(d) and b ~ N(0, 1) and the Gaussian noise along mu, of

    Euclidean   g_mu^2/|g|^2,        whitened   (1 + theta) g_mu^2/((1 + theta) g_mu^2 + |g_across|^2),

the second being the squared correlation of <x, g> with the target's variable. Pure noise as labels gives the whitened
alignment E[c xi^2/(c xi^2 + d - 1)], c = (1 + theta)^2, for the noise of a gradient has the covariance of the inputs.
Half is reached at theta ~ d^(1 - 1/k) (Euclidean, the threshold of [bes23]) and d^min((k-1)/(k+1), 1/2) (whitened),
with k the information exponent (derived).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.quadrature import normal_density, uniform_rule
from giantstep.theory.searches import where_half

if TYPE_CHECKING:
    from giantstep.problems import Target

Which = Literal["euclidean", "whitened"]
"""In the Euclidean geometry of the weights, or in that of the inputs."""


@dataclass(frozen=True)
class SpikeAlignment:
    """Mean alignments of one neuron's first gradient with the spike."""

    euclidean: float
    whitened: float


@lru_cache(maxsize=512)
def spike_alignment(target: Target, d: int, theta: float, samples: float, noise: float = 0.0) -> SpikeAlignment:
    """Alignments at finite d and n, with Gaussian noise along the spike and across it its mean square.

    Args:
        target: f*, a function of the spike's direction.
        d: input dimension.
        theta: strength of the spike.
        samples: n, the size of the batch.
        noise: standard deviation of the label noise, which enters E[y^2] and E[z^2 y^2].
    """
    z, weight = uniform_rule(241, 9.0)
    y = np.asarray(target(z[:, None]), dtype=np.float64)
    return _alignment(z, y, y**2 + noise**2, weight, d, theta, samples, drawn=False)


def spike_alignment_given(z: Array, y: Array, d: int, theta: float) -> SpikeAlignment:
    """The same for the labels that were drawn.

    The heavy tails of y are then the sample's own: the sums run over the samples, and only their bulk is random, which
    leaves the variance (1 + theta) sum z^2 y^2 Phi (1 - Phi)/n^2 along the spike.

    Args:
        z: <x, mu>/sqrt(1 + theta) at the samples, (n,).
        y: the labels, (n,).
        d: input dimension.
        theta: strength of the spike.
    """
    return _alignment(z, y, y**2, np.full(len(z), 1.0 / len(z)), d, theta, float(len(z)), drawn=True)


def _alignment(
    z: Array, y: Array, square_y: Array, z_weight: Array, d: int, theta: float, samples: float, *, drawn: bool
) -> SpikeAlignment:
    t, t_weight = uniform_rule(41, 4.5)
    b, b_weight = uniform_rule(25, 3.5)
    xi, xi_weight = uniform_rule(31, 4.5)
    m = np.minimum(np.abs(t) / math.sqrt(d), 0.999) * np.sign(t)
    a = (math.sqrt(1 + theta) * m[:, None, None] * z + b[:, None]) / np.sqrt(1 - m**2)[:, None, None]
    open_, edge = scipy.special.ndtr(a), normal_density(a)
    mean = math.sqrt(1 + theta) * (open_ @ (z_weight * z * y))
    square = (open_ * (1 - open_) if drawn else open_) @ (z_weight * z**2 * square_y)
    variance = np.maximum((1 + theta) * square - (0.0 if drawn else mean**2), 0.0) / samples
    across = (edge @ (z_weight * y)) ** 2 + (d - 1) * (open_ @ (z_weight * square_y)) / samples
    along = (mean[..., None] + np.sqrt(variance)[..., None] * xi) ** 2
    law = t_weight[:, None, None] * b_weight[:, None] * xi_weight
    across = np.maximum(across, 1e-300)[..., None]
    return SpikeAlignment(
        float((law * along / (along + across)).sum()),
        float((law * (1 + theta) * along / ((1 + theta) * along + across)).sum()),
    )


def noise_alignment(d: int, theta: float) -> float:
    """The whitened alignment that labels without any signal give, E[c xi^2/(c xi^2 + d - 1)], c = (1 + theta)^2.

    Args:
        d: input dimension.
        theta: strength of the spike.
    """
    xi, weight = uniform_rule(4001, 8.0)
    square = (1 + theta) ** 2 * xi**2
    return float(weight @ (square / (square + d - 1)))


def half_aligned(target: Target, d: int, samples: float, which: Which) -> float:
    """theta at which the alignment is one half.

    Args:
        target: f*, a function of the spike's direction.
        d: input dimension.
        samples: n, the size of the batch.
        which: "euclidean" or "whitened" alignment.
    """

    def aligned(theta: float) -> float:
        return float(getattr(spike_alignment(target, d, theta, samples), which))

    refusal = f"no spike weaker than 10 d = {10 * d} aligns a gradient on {target} to one half"
    return where_half(aligned, 1e-3, 10.0 * d, refusal=refusal, tol=1e-6)


def alignment_exponent(exponent: int, which: Which) -> float:
    """The power of d at which half alignment is reached, n ~ d: 1 - 1/k, or min((k-1)/(k+1), 1/2) whitened (derived).

    Args:
        exponent: k, the target's information exponent.
        which: "euclidean" or "whitened" alignment.
    """
    return 1 - 1 / exponent if which == "euclidean" else min((exponent - 1) / (exponent + 1), 0.5)
