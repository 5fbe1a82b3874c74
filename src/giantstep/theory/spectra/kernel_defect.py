"""How far the expected conjugate kernel is from mu1^2 W W^T + mu2^2: not at all for odd activations, else two spikes.

Sigma_ij = E s(<w_i, x>) s(<w_j, x>) for rows w_i ~ N(0, I/d), d_i = |w_i|^2 - 1 of order d^(-1/2), s centred. Expanded
in the lengths and in the overlaps (derived; mu_k = E s He_k):

    E s(|w_i| z) = mu2' d_i/2,  mu2' = E s'',     so Sigma has the part (mu2'^2/4) d d^T,
    the term of degree 2, mu2'^2 <w_i, w_j>^2/2,  has the mean mu2'^2/(2d): (mu2'^2/(2d)) 1 1^T.

|d|^2 is 2N/d at the start: both parts have the norm mu2'^2 psi2/2, and their vectors, d and 1, are orthogonal in the
limit. A step of constant size on labels with a mean m stretches neuron i by 1 + eta a_i m mu2', a_i ~ N(0, 1/N), for
E[y x s'(<w, x>)] has the part m mu2' w: |d|^2 becomes 2N/d + (2 eta m mu2')^2. All else is of order d^(-1/2): slopes
E s'(|w_i| z) = mu1 + mu3 d_i/2 and second moments E s^2 + t d_i, t = E (z^2 - 1) s^2/2.
Source: [bes22], slide 'A Spiked Model for CK?', |Sigma_Phi - mu1^2 W^T W - mu2^2| -> 0 for odd s; the limit for other
activations is derived here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.kernels import hermite_at, second_moment_at
from giantstep.gaussian.quadrature import expect
from giantstep.problems import Activation


@dataclass(frozen=True)
class KernelDefect:
    """Sigma - mu1^2 W W^T - mu2^2 for a centred activation.

    Args:
        activation: s, with mean 0 under N(0, 1).

    >>> relu = KernelDefect(Activation("centered(relu)"))
    >>> round(relu.of_overlaps(1.5), 4), round(relu.of_lengths(1.5, step=2, mean=0.5), 4)
    (0.1194, 0.1447)
    """

    activation: Activation

    @property
    def curvature(self) -> float:
        """E s''."""
        return 0.0 if self.activation.is_odd else self.activation.moments.curvature

    def of_overlaps(self, neurons_per_dim: float) -> float:
        """The limit of the spike along 1, (E s'')^2 psi2/2, psi2 = `neurons_per_dim`: 0 for odd s."""
        return self.curvature**2 * neurons_per_dim / 2

    def of_lengths(self, neurons_per_dim: float, step: float, mean: float) -> float:
        """The limit of the spike along the lengths, (E s'')^2 psi2/2 + (E s'')^4 (eta m)^2: 0 for odd s.

        Args:
            neurons_per_dim: psi2.
            step: eta, in W1 = W0 + eta sqrt(N) G0.
            mean: m, that of the labels.
        """
        return self.of_overlaps(neurons_per_dim) + self.curvature**4 * (step * mean) ** 2

    def next_order(self, longest: float, top: float) -> float:
        """A bound on what is of order d^(-1/2), for max |d_i| = `longest` and the largest eigenvalue `top` of W W^T."""
        s, mu1, mu3 = self.activation, self.activation.moments.mu1, self.activation.hermite_coefficient(3)
        growth = expect(lambda z: (z * z - 1.0) * s(z) ** 2 / 2, s.kinks).value
        return longest * (abs(growth - mu1**2 - mu1 * mu3) + abs(mu1 * mu3) * top)

    def matrix(self, weights: Array) -> Array:
        """The difference for the `weights` drawn, (N, d), rows are neurons: (N, N).

        Lengths are exact; of the overlaps, what is linear, and the mean of what is quadratic.
        """
        s, gram = self.activation, weights @ weights.T
        lengths = np.sqrt(np.diagonal(gram))
        means, slopes, bends = hermite_at(s, lengths, 2).T
        slopes = slopes / lengths
        found = np.multiply.outer(means, means) + np.multiply.outer(bends, bends) / (2 * weights.shape[1])
        found += (np.multiply.outer(slopes, slopes) - s.moments.mu1**2) * gram
        own = second_moment_at(s, lengths) - s.moments.mu1**2 * lengths**2 - s.moments.mu2_squared
        np.fill_diagonal(found, own)
        return np.asarray(found)
