"""Overlaps and norms of a neuron after one giant step w1 = w + s a g, |w| = 1, given its overlap m = w_V with f*.

    E <w1, w*_k>  =  m_k + s a (E g)_k,    E g  =  [mu_l/(l-1)!] C_l(m^{l-1})  +  orders m^l and beyond in V
    E |w1|^2      =  1 + 2 s a <w, E g> + s^2 [ |E g|^2 + (T - |E g|^2)/n ]
    E |P w1|^2    =  |P (m + s a E g)|^2 + s^2 ( tr P N - |P E g|^2 )/n,    N = E[f^2 s'^2 x_V x_V^T],  P onto part of V

with l the information exponent of f*, C_l = E grad^l f* and T = E[f^2 s'^2 |x|^2]. Source: [dklps23], overlaps and norm
after one step, where the factor mu_l(sigma)/(l-1)! is missing and |w1| stands for its square; constants derived. N and
T are taken at m = 0, with errors of relative order 1/d; the overlaps are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.quadrature import hermite_grid
from giantstep.gaussian.sphere import direction_nodes, overlap_nodes
from giantstep.theory.gradient.law import GradientLaw, gradient_law
from giantstep.theory.proportional import ROUNDING

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

# Nodes a direction for the noise that all neurons share.
_NODES = {1: 24, 2: 24, 3: 10, 4: 5}


@dataclass(frozen=True, eq=False)
class FirstStepLaw:
    """What one giant step does to neurons of known overlap m with the target's r directions.

    Args:
        law: of a neuron's gradient.
        exponent: l, the information exponent.
        norm2: E f*^2.
        d: input dimension.
        samples: n of the step.
    """

    law: GradientLaw
    exponent: int
    norm2: float
    d: int
    samples: int

    @classmethod
    def of(cls, target: Target, activation: Activation, d: int, samples: int) -> FirstStepLaw:
        """For a `target` that is not constant, an `activation`, input dimension `d` and n = `samples`."""
        exponent = target.information_exponent
        require(exponent is not None and exponent >= 1, "The target is constant: there is nothing to learn")
        require(samples >= 2, f"samples must be 2 or more, got {samples}")
        return cls(gradient_law(target, activation), int(exponent or 1), float(target.norm2), d, samples)

    @property
    def factor(self) -> float:
        """mu_l(sigma)/(l-1)!, by which the slide's formula is too large; 0 for an activation that does not see f*."""
        return float(self.law.mean.hermite[self.exponent]) / factorial(self.exponent - 1)

    @property
    def slide_slope(self) -> float:
        """The slope of <E g, w*_k> on C_l(m^{l-1}) over neurons and directions, as d grows and for l <= 2.

        It is `factor`, unless the target has a mean: the part mu_2 E f* m of E g is of the order of C_2 m, which gives
        mu_2 (1 + E f* tr C_2/tr C_2^2) at l = 2 (derived). At l = 1 it cancels over m, for l > 2 it outgrows the rest.
        """
        if self.exponent != 2:
            return self.factor
        second = self.slide_overlaps(np.eye(self.law.directions))
        return self.factor * (1 + self.law.mean.constant * float(np.trace(second) / (second**2).sum()))

    def overlaps(self, m: Array) -> Array:
        """<E g, w*_k> to all orders in m, (K, r): a step adds s a times it."""
        return self.law.mean_in_frame(m)[:, :-1]

    def slide_overlaps(self, m: Array) -> Array:
        """C_l(m^{l-1}), (K, r): what the slide puts in place of <E g, w*_k>, mu*_{k,l} m_k^{l-1} for separable f*."""
        mean = self.law.mean
        keep = np.isclose(mean.exponents.sum(axis=1), self.exponent)
        alone = replace(
            mean,
            exponents=mean.exponents[keep],
            coefficients=mean.coefficients[keep],
            hermite=np.ones_like(mean.hermite),
        )
        return np.asarray(alone(m)[0] * factorial(self.exponent - 1))

    def leading_space(self) -> Array:
        """Orthonormal rows that span U_l, the values of C_l(m^{l-1}): all that the leading order can move towards."""
        moved = self.slide_overlaps(direction_nodes(self.law.directions)[0])
        _, sizes, rows = np.linalg.svd(moved, full_matrices=False)
        return np.asarray(rows[sizes > ROUNDING * max(sizes[0], ROUNDING)])

    def other_space(self) -> Array:
        """Orthonormal rows that span the rest of V, of which the leading order says nothing; possibly none."""
        leading = self.leading_space()
        _, _, rows = np.linalg.svd(np.vstack([leading, np.zeros((1, leading.shape[1]))]))
        return np.asarray(rows[len(leading) :])

    def norms2(self, m: Array, step: Array) -> Array:
        """E |w1|^2 for neurons with overlaps m (K, r) and signed step sizes s a (K,)."""
        mean = self.law.mean_in_frame(m)
        rest = np.sqrt(np.maximum(0.0, 1 - (m**2).sum(axis=1)))
        along = (mean[:, :-1] * m).sum(axis=1) + mean[:, -1] * rest
        size = (mean**2).sum(axis=1)
        gradient2 = size + (self.law.total_noise(self.d) - size) / self.samples
        return np.asarray(1 + 2 * step * along + step**2 * gradient2)

    def gradient_squares(self, m: Array) -> Array:
        """E |P_V g|^2, (K,), for neurons with overlaps m (K, r)."""
        signal = (self.overlaps(m) ** 2).sum(axis=1)
        return np.asarray(signal + (self.law.noise_in_target_space() - signal) / self.samples)

    def squares(self, m: Array, step: Array, onto: Array) -> Array:
        """E |P w1|^2, P onto the rows of `onto` (k, r), for the same neurons."""
        gradient = self.overlaps(m) @ onto.T
        noise = float(np.trace(onto @ self.law.second[:-1, :-1] @ onto.T))
        moved = ((m @ onto.T + step[:, None] * gradient) ** 2).sum(axis=1)
        return np.asarray(moved + step**2 * (noise - (gradient**2).sum(axis=1)) / self.samples)

    def rank_ratio(self, m: Array) -> float:
        """Expected `deciding_ratio` of the gradients within V, given the neurons' overlaps m (K, r).

        Neurons are nearly orthogonal, so of their noise of covariance N/n the share mu_1^2/E[s'^2] is the same for
        all, that of mu_1 (1/n) sum f(x) x, and the rest is each neuron's own: g_i = E g_i + b + own noise.
        """
        signal, noise = self.overlaps(m), self.law.second[:-1, :-1] / self.samples
        shared = float(self.law.mean.hermite[1]) ** 2 * self.norm2 / self.law.power
        grid, mass = hermite_grid(_NODES.get(signal.shape[1], 3), signal.shape[1])
        sizes, axes = np.linalg.eigh(shared * noise)
        common = (grid * np.sqrt(np.maximum(sizes, 0.0))) @ axes.T
        mean = signal.mean(axis=0) + common
        centred = signal - signal.mean(axis=0)
        gram = mean[:, :, None] * mean[:, None, :] + (centred.T @ centred / len(m) + (1 - shared) * noise)
        return float(mass @ self.deciding_ratio(np.asarray(np.linalg.eigvalsh(gram))))

    def deciding_ratio(self, squares: Array) -> Array:
        """The singular value that decides the rank over the largest, from eigenvalues (..., r) of a Gram matrix in V.

        The second for l = 1, which theory calls rank one; the last of the dim U_l for l > 1, full rank in U_l.
        """
        place = 2 if self.exponent == 1 else len(self.leading_space())
        falling = np.sort(np.maximum(squares, 0.0), axis=-1)[..., ::-1]
        return np.asarray(np.sqrt(falling[..., place - 1] / falling[..., 0]))

    def rank_power(self, sample_exponent: float) -> float:
        """The power of d with which the deciding ratio goes, for n ~ d^kappa with l <= kappa <= max(2, l): 0 for l > 1.

        For l = 1 neurons leave the common direction by mu_2 C_2 m ~ d^(-1/2), or if that lies along it by their noise
        ~ n^(-1/2), beside which m^2 ~ 1/d is small.
        """
        if self.exponent > 1:
            return 0.0
        apart = replace(self, exponent=2).slide_overlaps(np.eye(self.law.directions)) @ self.other_space().T
        leaves = np.abs(self.law.mean.hermite[2] * apart).max(initial=0.0) > ROUNDING
        return -0.5 if leaves else -sample_exponent / 2

    def over_neurons(self, step: float, onto: Array) -> tuple[float, float]:
        """E |P w1|^2 and E |P w1|^2/|w1|^2, numerator and denominator averaged over samples each, the ratio over m."""
        m, weight = overlap_nodes(self.law.directions, self.d)
        both = [(self.squares(m, s, onto), self.norms2(m, s)) for s in (np.full(len(m), a * step) for a in (1, -1))]
        parts = [float(weight @ squares) for squares, _ in both], [float(weight @ (x / y)) for x, y in both]
        return float(np.mean(parts[0])), float(np.mean(parts[1]))
