"""Directions of decreasing strength, each learned at a time of its own: many jumps, and their sum a power law.

    f* = sum_{p <= P} a_p s(<v_p, x>),  a_p = p^-beta,   s = He_k/sqrt(k!)                                  [rnwl25]
    f  = sum_i |w_i|^2 s(<w_i, x>/|w_i|)

With orthonormal v_p, E s(<u, x>) s(<v, x>) = <u, v>^k. Gradient flow on E (f - f*)^2/2 moves the masses rho = |w|^2 and
the unit vectors u = w/|w| by (derived)

    rho_i' = 4 rho_i (sum_p a_p m_ip^k - sum_j rho_j q_ij^k),
    u_i'   = k (I - u_i u_i^T) (sum_p a_p m_ip^(k-1) v_p - sum_j rho_j q_ij^(k-1) u_j).

While masses and overlaps m = <u, v> are small, each m_ip goes its own way, m' = k a_p m^(k-1), and reaches order one
at t = m_ip(0)^-(k-2)/(k (k - 2) a_p): sharply, and in the unit 1/a_p = p^beta. The neuron that is first at direction p
is lost to others, and its mass then grows to a_p. With tau = a_p t, r = rho/a_p and m = tanh x for this one neuron,

    dx/dtau = k m^(k-1),   dr/dtau = 4 r (m^k - r),

which is solved by integrals that all starts share: tau = T(x) - T(x0), and 1/r = (E(x0)/r0 + J(x) - J(x0))/E(x) with
E = (1 - m^2)^(-2/k) and J = 4 int E dT. What is learned of the direction is r m^k, its risk a_p^2 (1 - 2 r m^k + r^2).
Before t_P directions beyond P are not there: the risk of infinitely many falls like t^-((2 beta - 1)/beta). (Derived.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import require

GRID = 6000
FARTHEST = 40.0
"""Of x: there the overlap is 1 to all digits."""
HALVINGS = 40
NEVER = 1e-9
"""A smaller overlap than this takes for ever to grow."""
QUANTILES = 24
"""Starts that stand for all of them in an average."""
COMBINED = 4000
"""Combinations of starts that stand for all of them in a mean of logarithms: right to 0.01."""
LONG = 1e5
"""A time to an overlap of 1, in units of 1/a_p, beside which that of the mass is next to nothing."""
LATE = (100, 1600)
"""Directions that are learned at the times between which the risk is a power."""


@dataclass(frozen=True, eq=False)
class JumpTable:
    """The integrals that all starts share, on a grid of x = artanh m."""

    order: int
    x: Array
    clock: Array
    """T."""
    log_growth: Array
    """ln E."""
    log_sum: Array
    """ln J."""

    def strengths(self, starts: Array, masses: Array, scaled: Array) -> tuple[Array, Array]:
        """m and r at scaled times tau of neurons with these overlaps and masses r0 at tau = 0, all of one shape."""
        x0 = np.arctanh(starts)
        at = np.interp(x0, self.x, self.clock) + scaled
        x = np.interp(at, self.clock, self.x)
        # Beyond the grid x grows by k a unit of tau; there m is 1, E grows by exp(extra) and J by what E does.
        far = np.maximum(0.0, at - self.clock[-1]) * self.order
        log_e0, log_e = (np.interp(place, self.x, self.log_growth) for place in (x0, x))
        log_j0, log_j = (np.interp(place, self.x, self.log_sum) for place in (x0, x))
        extra = 4.0 * far / self.order
        first = np.exp(log_e0 - log_e - extra) / masses
        since = 1.0 + (np.exp(log_j - log_e) - 1.0) * np.exp(-extra)
        return np.tanh(x), 1.0 / (first + since - np.exp(log_j0 - log_e - extra))


@lru_cache(maxsize=8)
def jump_table(order: int, halvings: int) -> JumpTable:
    """The table for s = He_k/sqrt(k!), k = `order` even and above 2, from m = 2^-`halvings` on.

    It begins near the starts: integrals from a much smaller m would be so large that their differences lose digits.
    """
    require(order > 2 and order % 2 == 0, f"the order must be even and above 2, got {order}")
    x = np.concatenate([np.geomspace(0.5**halvings, 0.5, GRID // 2), np.linspace(0.5, FARTHEST, GRID)[1:]])
    m = np.tanh(x)
    clock = scipy.integrate.cumulative_simpson(1.0 / (order * m ** (order - 1)), x=x, initial=0.0)
    log_growth = (4 / order) * np.log(np.cosh(x))
    rate = 4.0 * np.exp(log_growth) / (order * m ** (order - 1))
    total = scipy.integrate.cumulative_simpson(rate, x=x, initial=0.0) + 1e-300
    return JumpTable(order, x, clock, log_growth, np.log(total))


@dataclass(frozen=True, eq=False)
class EmergentDirections:
    """Directions that are learned one after another, each by the neuron that is first there.

    Args:
        amplitudes: a_p, (P,).
        order: k.
        starts: overlap of that neuron at the beginning, (P, n): n equally likely values for each direction.
        mass: rho at the beginning.
    """

    amplitudes: Array
    order: int
    starts: Array
    mass: float

    def learned(self, times: ArrayLike) -> Array:
        """r m^k, what is learned of each direction, (P, n, T), at `times` of shape (T,), or (P, n, T) for their own."""
        m, r = self._state(times)
        return np.asarray(r * m**self.order)

    def _state(self, times: ArrayLike) -> tuple[Array, Array]:
        starts = self.starts[:, :, None]
        amplitudes = self.amplitudes[:, None, None]
        scaled = amplitudes * np.asarray(times, dtype=np.float64) + 0 * starts
        table = jump_table(self.order, int(np.ceil(1 - np.log2(self.starts.min()))))
        return table.strengths(starts + 0 * scaled, self.mass / amplitudes, scaled)

    def risks(self, times: ArrayLike) -> Array:
        """The mean risk of each direction at `times`, (P, T)."""
        return np.asarray(self._risks(times).mean(axis=1))

    def spread(self, times: ArrayLike) -> Array:
        """The standard deviation over starts of the risk of all directions at `times`, (T,)."""
        return np.asarray(np.sqrt(self._risks(times).var(axis=1).sum(axis=0)))

    def mean_logarithm(self, times: ArrayLike, beyond: float = 0.0) -> Array:
        """E ln(risk of all directions + `beyond`) at `times`, (T,), each direction with a start of its own.

        Slopes of single runs have this mean. It is below the logarithm of the mean risk, the more the fewer directions
        make the risk: early more than late, which makes lines flatter.
        """
        risks = self._risks(times)
        rng = np.random.default_rng(0)  # of an integral: the same for every point
        drawn = rng.integers(risks.shape[1], size=(len(risks), COMBINED))
        total = sum((one[chosen] for one, chosen in zip(risks, drawn, strict=True)), np.zeros(risks.shape[2]))
        return np.asarray(np.log(total + beyond).mean(axis=0))

    def _risks(self, times: ArrayLike) -> Array:
        """The risk of each direction from each of its starts, (P, n, T)."""
        m, r = self._state(times)
        return np.asarray(self.amplitudes[:, None, None] ** 2 * (1 - 2 * r * m**self.order + r**2))

    def times_of(self, share: float) -> Array:
        """When this `share` of each direction is learned, on average over its starts, (P,)."""
        low, high = np.zeros_like(self.starts), 20.0 * self._first_guess()
        for _ in range(HALVINGS):  # what is learned only grows
            middle = 0.5 * (low + high)
            early = self.learned(middle[:, :, None])[:, :, 0] < share
            low, high = np.where(early, middle, low), np.where(early, high, middle)
        return np.asarray((0.5 * (low + high)).mean(axis=1))

    def _first_guess(self) -> Array:
        """The time to an overlap of 1, and then for the mass to grow: within a factor of the time of learning."""
        k = self.order
        aligned = self.starts ** (2 - k) / (k * (k - 2))
        grown = np.log1p(self.amplitudes / self.mass)[:, None] / 4
        return np.asarray((aligned + grown) / self.amplitudes[:, None])


def first_overlaps(d: int, neurons: int, directions: int) -> Array:
    """Equally likely values of the largest |<u_i, v_p>| of the neurons that are left for direction p, (P, n).

    Each direction takes one neuron: p finds neurons - p + 1 of them, with overlaps N(0, 1/d).

    Args:
        d: the dimension of the inputs.
        neurons: N.
        directions: P, at most N.
    """
    require(directions <= neurons, f"{neurons} neurons cannot learn {directions} directions; take more neurons")
    levels = (np.arange(QUANTILES) + 0.5) / QUANTILES
    left = neurons - np.arange(directions)
    one = levels[None] ** (1 / left[:, None])  # the quantile of one neuron at which the largest has this one
    return np.asarray(np.minimum(scipy.special.ndtri(0.5 * (1 + one)) / np.sqrt(d), 0.98))


def matched_overlaps(overlaps: Array, amplitudes: Array, order: int, mass: float) -> Array:
    """Which neuron is first at each direction, as overlaps |<u_i, v_p>| at the beginning, (P, 1).

    Pairs come in the order of their times m^-(k-2)/(k (k - 2) a_p). A neuron goes to the direction that has it first;
    until a direction is learned, which takes ln(1 + a_p/rho)/(4 a_p) from its first neuron on, others may come too
    and are lost with it; afterwards it pulls no more.

    Args:
        overlaps: <u_i, v_p> at the beginning, (N, P).
        amplitudes: a_p, (P,).
        order: k.
        mass: rho at the beginning.
    """
    size = np.maximum(np.abs(overlaps), NEVER)
    times = size ** (2 - order) / (order * (order - 2) * amplitudes)
    found, learned = np.zeros(len(amplitudes)), np.full(len(amplitudes), np.inf)
    free = np.ones(len(overlaps), dtype=bool)
    for pair in np.argsort(times, axis=None):
        i, p = divmod(int(pair), len(amplitudes))
        if not free[i] or times[i, p] > learned[p]:
            continue
        free[i] = False
        if not found[p]:
            found[p] = size[i, p]
            learned[p] = times[i, p] + np.log1p(amplitudes[p] / mass) / (4 * amplitudes[p])
    # A direction for which no neuron is left waits for ever; here for the one that has least of it.
    return np.where(found > 0, found, size.min(axis=0))[:, None]


def late_exponent(amplitude_exponent: float, order: int) -> float:
    """The power of t with which the risk of infinitely many directions falls, from these equations at late times.

    Masses are small and all starts are one small overlap, so that times are p^beta times one number, `LONG`, and the
    risk is looked at when the directions `LATE` are learned. It tends to -(2 beta - 1)/beta.

    Args:
        amplitude_exponent: beta.
        order: k.
    """
    early, late = LATE
    p = np.arange(1.0, 4 * late)
    small = (order * (order - 2) * LONG) ** (-1 / (order - 2))
    amplitudes = p**-amplitude_exponent
    theory = EmergentDirections(amplitudes, order, np.full((len(p), 1), small), 1e-3 * amplitudes[-1])
    times = LONG * np.array([early, late]) ** amplitude_exponent
    risk = theory.risks(times).sum(axis=0) + power_tail(2 * amplitude_exponent, len(p))
    return float(np.log(risk[1] / risk[0]) / np.log(times[1] / times[0]))


def power_tail(exponent: float, after: int) -> float:
    """sum_{p > after} p^-exponent.

    Args:
        exponent: above 1.
        after: the last p that is left out.
    """
    return float(scipy.special.zeta(exponent, after + 1))
