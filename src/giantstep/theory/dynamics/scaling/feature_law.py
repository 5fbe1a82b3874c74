"""One-pass SGD on random features of power-law inputs: its mean risk for given features, and for typical ones.

    x_j = j^-a z_j,  y = sum_j j^-b x_j,  j = 1..v,   features phi = W^T x,  W_jk ~ N(0, 1/d),
    theta <- theta - g sum_{i <= B} phi_i (<phi_i, theta> - y_i),  theta = 0 at first                   [pxpp24]

Let l_j be the eigenvalues of K = W^T D W, D = diag(j^-2a), and e_j the mean squared error of theta along them. Since
inputs are Gaussian, what features cannot express is independent of them, and at any size (derived)

    e_j <- (1 - y(l_j)) e_j + g^2 B l_j P,   P = sum_j l_j e_j + P_inf,   y(l) = 2 g B l - g^2 B (B + 1) l^2.

That is a diagonal matrix plus one of rank one. With M = D^(1/2) W W^T D^(1/2), of the same eigenvalues, Cauchy's
formula around its spectrum gives the risk after any number t of steps at the same cost (derived):

    P(t) = P_oo - 1/(2 pi i) (closed integral) (1 - y)^t N(y) / (1 - g^2 B T(y)) dy,
    N = b^T D^(1/2) (y(M) - y)^-1 D^(1/2) b,   T = tr M^2 (y(M) - y)^-1,   P_oo = P_inf / (1 - g^2 B T(0)).

For large d resolvents of M are deterministic, (M - z)^-1 ~ (m D - z)^-1. With u = z/m they are explicit in u,

    m = 1 - (1/d) sum_j D_j/(D_j - u),   z = u m;   u = -kappa with sum_j D_j/(D_j + kappa) = d is z = 0,

and P_inf = sum_j D_j b_j^2 kappa/(D_j + kappa). The curve is chosen in u; it is valid where
(1/d) sum_j D_j^2/|D_j - u|^2 < 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import require
from giantstep.errors import InputError

Complex: TypeAlias = NDArray[np.complex128]

SINGLY = 64
"""So many terms of a sum over j are added one by one; then panels of a factor 2 with 8 nodes each take their place."""
NODES = 30
"""On the closed curve, for each factor e between its ends, and 200 at least: the integrand is periodic and analytic
there, so that its sum converges faster than any power."""
OPENING = 1.1
"""Half the angle under which the curve is seen from beyond its left end."""
ROOM = 0.75
"""g (B + 1) times the largest eigenvalue must stay below this: at 1 the slowest and the fastest modes mix."""


def power_sum_nodes(count: int) -> tuple[Array, Array]:
    """Places j and weights that stand for the sum over j = 1..count of functions that are smooth in log j.

    `count` is the last j. The sum from k on is the integral from k - 1/2 on, with an error of 1/(24 k^2) of it.
    """
    first = np.arange(1.0, min(count, SINGLY) + 1)
    if count <= SINGLY:
        return first, np.ones_like(first)
    low, high = np.log(SINGLY + 0.5), np.log(count + 0.5)
    edges = np.linspace(low, high, int(np.ceil((high - low) / np.log(2.0))) + 1)
    x, w = np.polynomial.legendre.leggauss(8)
    half = np.diff(edges)[:, None] / 2
    j = np.exp(edges[:-1, None] + half * (1 + x))
    return np.append(first, j), np.append(np.ones_like(first), half * w * j)


@dataclass(frozen=True, eq=False)
class FeatureLaw:
    """The mean risk of one-pass SGD on typical random features, as a function of the number of steps.

    Args:
        input_exponent: a, above 1/2.
        target_exponent: b, above 1/2 - a.
        d: the number of features; any real number above 1.
        v: the dimension of the inputs, above d.
        step: g.
        batch: B.
    """

    input_exponent: float
    target_exponent: float
    d: float
    v: int
    step: float
    batch: int = 1

    def __post_init__(self) -> None:
        require(self.input_exponent > 0.5, "the exponent of the inputs must be above 1/2")
        require(self.v > self.d > 1, f"there must be fewer features than inputs, got d = {self.d} and v = {self.v}")
        require(self.step > 0 and self.batch >= 1, "the step must be above 0 and a batch have a sample")
        largest = self.step * (self.batch + 1) * self.top
        if largest >= ROOM:
            raise InputError(
                f"the step is too large: step (batch + 1) times the largest eigenvalue is {largest:.3g}, it must be "
                f"below {ROOM}"
            )
        if self.noise_gain >= 1:
            raise InputError(f"SGD diverges: its noise feeds itself {self.noise_gain:.3g} times over; lower the step")

    @cached_property
    def _inputs(self) -> tuple[Array, Array, Array]:
        """D_j, how many j each stands for, and b_j^2."""
        j, count = power_sum_nodes(self.v)
        return j ** (-2 * self.input_exponent), count, j ** (-2 * self.target_exponent)

    @cached_property
    def kappa(self) -> float:
        """The kappa for which sum_j D_j/(D_j + kappa) = d: the variance below which features do not see inputs."""
        variances, count, _ = self._inputs

        def missing(log_kappa: float) -> float:
            return float(count @ (variances / (variances + np.exp(log_kappa)))) - self.d

        lowest, highest = float(np.log(variances[-1])) - 20.0, float(np.log(count @ variances))
        return float(np.exp(scipy.optimize.brentq(missing, lowest, highest, xtol=1e-13)))

    @cached_property
    def floor(self) -> float:
        """P_inf: what no linear function of the features can express."""
        variances, count, squares = self._inputs
        return float(count @ (variances * squares * self.kappa / (variances + self.kappa)))

    @cached_property
    def top(self) -> float:
        """The right end of the spectrum: where dz/du = 0 beyond the largest variance."""
        return float(self._edge(1.0, 1.0 + 10.0 / np.sqrt(self.d) + 10.0 / self.d)[1])

    def _edge(self, low: float, high: float) -> tuple[float, float]:
        """Where dz/du = 1 - (1/d) sum_j D_j^2/(D_j - u)^2 is 0, between these u, and z there."""
        variances, count, _ = self._inputs

        def slope(u: float) -> float:
            return 1.0 - float(count @ (variances / (variances - u)) ** 2) / self.d

        u = scipy.optimize.brentq(slope, low * (1 + 1e-9) if low > 0 else low, high, xtol=1e-14)
        return float(u), float(u * (1.0 - float(count @ (variances / (variances - u))) / self.d))

    @cached_property
    def noise_gain(self) -> float:
        """g^2 B T(0): how often the noise of a step feeds the noise of later ones; SGD diverges from 1 on."""
        p, q = self._rates
        # y(l) = l (p - q l), so that l^2/y(l) = (l/q) / (p/q - l).
        _, trace = self._trace_over(np.array([p / q + 0j]))
        return float(self.step**2 * self.batch * trace[0].real / q)

    @property
    def _rates(self) -> tuple[float, float]:
        """p and q of y = p l - q l^2."""
        return 2 * self.step * self.batch, self.step**2 * self.batch * (self.batch + 1)

    def _trace_over(self, far: Complex) -> tuple[Complex, Complex]:
        """u, and tr M (z - M)^-1, at places z that are far from the spectrum."""
        variances, count, _ = self._inputs
        u = far.copy()
        for _ in range(20):  # Newton's iteration for u m(u) = z, of which u = z is nearly a solution
            share = variances / (variances - u[:, None])
            change = (u * (1.0 - (share @ count) / self.d) - far) / (1.0 - (share**2 @ count) / self.d)
            u = u - change
            if np.abs(change).max() <= 1e-13 * np.abs(far).max():
                break
        return u, (variances / (u[:, None] - variances)) @ count

    @cached_property
    def _curve(self) -> tuple[Complex, Complex]:
        """1 - y at the nodes of the curve, and what each power of it is multiplied by."""
        variances, count, squares = self._inputs
        p, q = self._rates
        # The curve crosses the real axis between u = -kappa, where z = 0, and the left end of the spectrum.
        left, _ = self._edge(-self.kappa * (1 - 1e-9), -1e-12 * self.kappa)
        begin, end = np.log(0.3 * (left + self.kappa)), np.log(self.kappa + 1.0 + 0.9 * (p / (2 * q) - 1.0))
        nodes = max(200, int(NODES * (end - begin)))
        phi = 2 * np.pi * (np.arange(nodes) + 0.5) / nodes
        angle = 0.5 * (begin + end) + 0.5 * (end - begin) * np.cos(phi) + 1j * OPENING * np.sin(phi)
        turn = -0.5 * (end - begin) * np.sin(phi) + 1j * OPENING * np.cos(phi)
        u = np.exp(angle) - self.kappa
        share = variances / (variances - u[:, None])
        m = 1.0 - (share @ count) / self.d
        slope = 1.0 - (share**2 @ count) / self.d  # dz/du
        z = u * m
        y = p * z - q * z * z
        far_u, _ = self._trace_over(p / q - z)
        root = p - 2 * q * z  # q (z_2 - z_1), both roots of y(z) = y
        seen = self._resolved(u, m, squares) - self._resolved(far_u, (p / q - z) / far_u, squares)
        traced = self._trace(u, z) - self._trace(far_u, p / q - z)
        answer = (seen / root) / (1.0 - self.step**2 * self.batch * traced / root)
        weights = -answer * root * slope * (np.exp(angle) * turn) * (2 * np.pi / nodes) / (2j * np.pi)
        return 1.0 - y, weights

    def _resolved(self, u: Complex, m: Complex, squares: Array) -> Complex:
        """b^T D^(1/2) (M - z)^-1 D^(1/2) b at z = u m."""
        variances, count, _ = self._inputs
        return np.asarray((variances / (variances - u[:, None])) @ (count * squares) / m)

    def _trace(self, u: Complex, z: Complex) -> Complex:
        """tr M^2 (M - z)^-1 without tr M, which cancels."""
        variances, count, _ = self._inputs
        return np.asarray(z * ((variances / (variances - u[:, None])) @ count))

    @property
    def level(self) -> float:
        """P_oo: where the risk ends, for the noise of steps never does."""
        return self.floor / (1.0 - self.noise_gain)

    def risk(self, steps: ArrayLike) -> Array:
        """The mean risk after each of these numbers of `steps`, (k,)."""
        base, weights = self._curve
        times = np.atleast_1d(np.asarray(steps, dtype=np.float64))
        powers = np.exp(times[:, None] * np.log(base))
        return np.asarray(self.level + (powers @ weights).real)
