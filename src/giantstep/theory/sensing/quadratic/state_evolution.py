"""The risk of a quadratic network with weight decay at its minimum, at any width: state evolution.

    y = (x'S*x - tr S*)/sqrt d + noise xi,   |S*|_F^2 = d,   alpha = n/d^2,
    minimise (1/d^2) sum_i ((x_i'S x_i - tr S)/sqrt d - y_i)^2 + decay tr S/d   over S = W W' psd of rank <= width.

Matrices x x' - I act like Gaussian ones, so that the minimum is that of a noisy view of the truth [dxgtezlk25]: with
m = tr(S S*)/d, q = |S|^2/d and sigma the response of S to its field,

    mh = 2 alpha/(sigma + 1/4),   qh = 2 alpha (1 - 2 m + q + noise^2/2)/(sigma + 1/4)^2,
    S = positive part of (sqrt(qh) G + mh S* - 2 decay)/mh, its `width` largest eigenvalues alone,
    sigma = (1/d^2) (2 #{e_i kept} / mh + sum_{i != j} (s_i - s_j)/(e_i - e_j)),      e, s eigenvalues of field and S.

The spectrum of G + tau S*, tau = mh/sqrt(qh), is that of `noisy_spectrum`, where sums over pairs are integrals of s
times the Hilbert transform. Of pairs, an eigenvalue with itself counts once in the integral, twice in the sum: the 1
that is missing is the one that is added. (Derived.)

At finite d one thing more: |x|^2 is not d. A measurement x x' - I has the length of a Gaussian one times l = |x|^2/d,
so that each sample has a response l^2 sigma of its own: the averages over l below. They are 1 in the limit, and raise
the risk by 1 to 4 % at d = 100. (Derived.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.theory.sensing.quadratic.noisy_spectra import noisy_spectrum

ROUNDS = 500
PLAIN = 3
"""Rounds before acceleration, which remembers `REMEMBERED` of the last."""
REMEMBERED = 3
ENOUGH = 1e-6
LENGTHS = 64
"""Nodes of the law of |x|^2."""


@dataclass(frozen=True)
class QuadraticLimit:
    """What the minimum shows.

    Args:
        risk: |S - S*|_F^2/d, half of the expected squared error without noise.
        training_error: mean squared residual of the samples.
        used: the number of eigenvalues of S that are not 0.
        threshold: eigenvalues of S* that are well above this are learned, and this is taken from them: 2 decay/mh.
        noise_edge: twice the noise in the eigenvalues, the edge of what is not signal: 2 sqrt(qh)/mh.
    """

    risk: float
    training_error: float
    used: float
    threshold: float
    noise_edge: float


def quadratic_limit(truth: Array, samples: int, neurons: int, noise: float, decay: float) -> QuadraticLimit:
    """The minimum for a truth with these eigenvalues.

    Args:
        truth: the eigenvalues of S*, (d,); their squares sum up to d.
        samples: n.
        neurons: the width; d and more are the same.
        noise: standard deviation of the labels' noise.
        decay: of tr S/d = |W|^2/d, above 0.
    """
    require(decay > 0, f"state evolution needs a decay above 0, got {decay!r}")
    d = len(truth)
    size = float(truth @ truth) / d
    require(abs(size - 1) < 1e-6, f"the squares of the true eigenvalues must sum up to d = {d}, not to {size * d:.4g}")
    alpha, lengths = samples / d**2, _squared_lengths(d)
    order = np.array([0.0, 0.0, 1.0])  # m, q, sigma
    places: list[Array] = []
    moves: list[Array] = []
    for _ in range(ROUNDS):
        seen = _Field.of(order, alpha, noise, lengths)
        now, rank = seen.response(truth, neurons, decay)
        move = now - order
        if np.abs(move / (1, 1, now[2] + 0.25)).max() < ENOUGH:
            break
        places, moves = [*places[-REMEMBERED:], now], [*moves[-REMEMBERED:], move]
        order = _extrapolated(np.array(places), np.array(moves)) if len(places) > PLAIN else now
    m, q, sigma = now
    risk = float(1 - 2 * m + q)
    residual = float(np.mean((2 * lengths * risk + noise**2) / (4 * lengths * sigma + 1) ** 2))
    return QuadraticLimit(risk, residual, rank * d, 2 * decay / seen.strength, 2 * seen.spread / seen.strength)


@dataclass(frozen=True)
class _Field:
    """sqrt(qh) G + mh S*."""

    strength: float
    spread: float

    @classmethod
    def of(cls, order: Array, alpha: float, noise: float, lengths: Array) -> _Field:
        m, q, sigma = order
        response = lengths * sigma + 0.25
        error = lengths * (1 - 2 * m + q) + noise**2 / 2
        strength, spread = np.mean(lengths / response), np.mean(lengths * error / response**2)
        return cls(2 * alpha * float(strength), float(np.sqrt(2 * alpha * spread)))

    def response(self, truth: Array, neurons: int, decay: float) -> tuple[Array, float]:
        """m, q and sigma of S, and its rank over d."""
        d, to_noise = len(truth), self.strength / self.spread
        seen = noisy_spectrum(to_noise * truth)
        kept = seen.mass * (seen.top(neurons / d) if neurons < d else 1.0)
        learned = np.maximum(self.spread * seen.x - 2 * decay, 0.0) / self.strength
        rank = float(kept @ (learned > 0))
        m, q = kept @ (seen.truth / to_noise * learned), kept @ learned**2
        sigma = 2 * (kept @ (learned * seen.hilbert)) / self.spread + rank / (self.strength * d)
        return np.array([m, q, sigma]), rank


def _extrapolated(places: Array, moves: Array) -> Array:
    """Anderson's acceleration: the combination of the last places that would settle if the equations were linear.

    A place where the risk or the response is not positive is no place; then the last one is taken as it is.
    """
    mix = np.linalg.lstsq(np.diff(moves, axis=0).T, moves[-1], rcond=1e-10)[0]
    found = places[-1] - mix @ np.diff(places, axis=0)
    m, q, sigma = found
    return np.asarray(found if q >= 0 and 1 - 2 * m + q > 0 and sigma > 0 else places[-1])


def _squared_lengths(d: int) -> Array:
    """(|x|^2/d)^2 at equally likely places of its law, with mean 1."""
    shares = (np.arange(LENGTHS) + 0.5) / LENGTHS
    squares = (2 * scipy.special.gammaincinv(d / 2, shares) / d) ** 2
    return np.asarray(squares / squares.mean())
