"""Several giant steps on fresh batches of n ~ d samples: how overlaps and norms of all neurons grow.

Given the second layer a, the overlaps M = W W*^T and the Gram matrix Q = W W^T follow for d to infinity, p and n/d
fixed, a deterministic recursion (derived; Conjecture 1 of [dklps23] says which overlaps become positive):

    M_i <- M_i + s a_i g_i^V,
    Q_ij <- Q_ij + s (a_j <w_i, g_j> + a_i <w_j, g_i>) + s^2 a_i a_j { <g_i, g_j> + (d/n) E[e^2 s'_i s'_j] },

with the population gradient g and the error e = y - f. The last term is the noise of n samples, which has a part in
each of the d directions, fresh at every step; it decides how large |w_i| is, and so how large cosines can be.

Along a direction that is not learned M stays of order d^(-1/2). Its covariance C, over all neurons and directions of
the target, follows the linearised recursion (derived)

    C <- A C A^T + (s^2/n) a_i a_j Cov(e s'_i x_k, e s'_j x_l),   A = 1 + s a_i d g_i / d M,

from Q/d at the start: what is left in an unlearned direction is of order 1/d, with a known constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.theory.gradient.population import gradient_noise, network_gradient, towards_target_slope

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

_LARGEST = 1e8
"""|w|^2 beyond this is a network that has diverged."""


@dataclass(frozen=True, eq=False)
class StaircasePath:
    """Overlaps and norms of all neurons after t = 0, 1, ..., T steps.

    Args:
        overlaps: mean overlaps M with the target's directions, (T+1, p, r).
        grams: Gram matrices Q of the weights, (T+1, p, p).
        spreads: covariance of all overlaps, (T+1, p, r, p, r).
    """

    overlaps: Array
    grams: Array
    spreads: Array

    def energy(self, direction: Array) -> Array:
        """mean_i <w_i, u>^2/|w_i|^2 after each step, u the unit vector along `direction`, (T+1,)."""
        u = direction / np.linalg.norm(direction)
        return np.asarray(np.einsum("tkl,k,l->t", self.shares(), u, u))

    def shares(self) -> Array:
        """mean_i of w_i w_i^T/|w_i|^2 in the target's space after each step, (T+1, r, r)."""
        own = np.einsum("tikil->tikl", self.spreads)
        second = self.overlaps[..., :, None] * self.overlaps[..., None, :] + own
        return np.asarray((second / self._norms()[..., None, None] ** 2).mean(axis=1))

    def singular_value(self, order: int, basis: Array) -> float:
        """The singular value number k = `order` of the overlaps at the end, rows divided by |w_i|, over sqrt(p).

        Only the space spanned by the rows of `basis`, orthonormal, is looked at. Of the mean overlaps, l_k is this
        singular value, v its right vector and L the left vectors before it. To second order in the fluctuation D,

            sv_k^2 = l_k^2 + E|(1 - L L^T) D v|^2 :

        what all neurons share of D turns the space they span, but does not make it larger (derived).
        """
        norms, p = self._norms()[-1], self.overlaps.shape[1]
        left, values, right = np.linalg.svd(self.overlaps[-1] @ basis.T / norms[:, None], full_matrices=False)
        v = right[order - 1] @ basis
        shared = left[:, : order - 1]
        outside = np.eye(p) - shared @ shared.T
        covariance = np.einsum("ikjl,k,l->ij", self.spreads[-1], v, v) / np.multiply.outer(norms, norms)
        return float(np.sqrt((values[order - 1] ** 2 + np.sum(outside * covariance)) / p))

    def _norms(self) -> Array:
        """|w_i| after each step, (T+1, p)."""
        return np.sqrt(np.diagonal(self.grams, axis1=1, axis2=2))

    def __repr__(self) -> str:
        steps, p, r = self.overlaps.shape
        norm = np.sqrt(np.diag(self.grams[-1]).mean())
        return f"StaircasePath({steps - 1} steps, p={p}, r={r}, |w|={norm:.4g} at the end)"


@lru_cache(maxsize=256)
def staircase_path(
    target: Target,
    activation: Activation,
    second_layer: tuple[float, ...],
    d: int,
    samples: int,
    step: float,
    steps: int,
) -> StaircasePath:
    """The recursion for f = (1/p) sum_i a_i s(<w_i, x>) from pairs, w_i = w_{p+1-i}, a_i = -a_{p+1-i}, |w_i| = 1.

    Regime: d to infinity, n of order d, p and the number of steps fixed, polynomial target, no label noise. Relative
    errors are of order 1/d in all that is not zero in the limit, and of order d^(-1/2) in what is.

    Args:
        target: f*, a polynomial of r directions.
        activation: s of every neuron.
        second_layer: a_i, (p,), paired as above.
        d: input dimension.
        samples: n, fresh samples of each step.
        step: s in w_i += s a_i g_i.
        steps: T, the number of steps.
    """
    a = np.array(second_layer)
    p, r = len(a), target.directions
    overlaps, gram = np.zeros((p, r)), np.eye(p) + np.eye(p)[::-1]
    spread = np.einsum("ij,kl->ikjl", gram, np.eye(r)) / d
    path = [(overlaps, gram, spread)]
    for number in range(steps):
        g = network_gradient(target, activation, overlaps, gram, a / p)
        outer, inner = gradient_noise(target, activation, overlaps, gram, a / p)
        moved, signs = g.overlaps(overlaps), np.multiply.outer(step * a, step * a)
        inner_noise = inner - np.einsum("ik,jl->ikjl", moved, moved)
        response = _response(target, activation, overlaps, gram, step * a, g.output)
        with_weights, own = g.with_weights(overlaps, gram), g.gram(overlaps, gram)
        total = outer * (d - r) + np.einsum("ikjk->ij", inner) - own
        change = with_weights * (step * a)
        spread = np.einsum("ikmn,mnop,jlop->ikjl", response, spread, response, optimize=True)
        spread = spread + signs[:, None, :, None] * inner_noise / samples
        overlaps = overlaps + (step * a)[:, None] * moved
        gram = gram + change + change.T + signs * (own + total / samples)
        if not float(np.diag(gram).max()) < _LARGEST:
            raise InputError(
                f"the weights grow without bound: |w| is beyond {_LARGEST**0.5:g} after step {number + 1}; "
                "take fewer or smaller steps, or an activation that grows no faster than linearly"
            )
        path.append((overlaps, gram, spread))
    return StaircasePath(*(np.stack(parts) for parts in zip(*path, strict=True)))


def _response(
    target: Target, activation: Activation, overlaps: Array, gram: Array, rates: Array, output: Array
) -> Array:
    """A = 1 + s a_i d g_i/d M, (p, r, p, r); the output's kernel is held."""
    p, r = overlaps.shape
    slope = towards_target_slope(target, activation, overlaps, np.sqrt(np.diag(gram)))
    one = np.eye(p)
    response = -np.einsum("ij,kl->ikjl", rates[:, None] * output - one, np.eye(r))
    return np.asarray(response + np.einsum("ij,ikl->ikjl", one * rates, slope))
