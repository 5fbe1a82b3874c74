"""Kernel ridge regression in its dual form, and the conjugate kernel of infinitely many neurons.

    f(x) = k(x)^T alpha,    alpha = (K + rho)^-1 y,    K_ij = k(x_i, x_j);

with k = Phi Phi^T of N features and rho = n lam/N this is (1/n)|y - Phi a|^2 + (lam/N)|a|^2.

For w ~ N(0, I/d) the kernel E_w[s(<w, x>) s(<w, x'>)] is, with x = sqrt(d) t u, |u| = 1, and the Hermite series
s(t z) = sum_k al_k(t) h_k(z),

    k(x, x') = sum_k al_k(t) al_k(t') <u, u'>^k = sum_l g_l(t, t') P_l(<u, u'>),     g_l = sum_k m_kl al_k(t) al_k(t'),

where P_l are the Gegenbauer polynomials of the sphere in R^d with P_l(1) = 1, and <u, u'>^k = sum_l m_kl P_l. They are
orthogonal under rotations, E_u[P_l(<u, u_i>) P_m(<u, u_j>)] = delta_lm P_l(<u_i, u_j>)/n_l with n_l the number of
spherical harmonics, and E_u[P_l(<u, u_i>) g(<u, b>)] = P_l(<u_i, b>) E_u[P_l(<u, b>) g(<u, b>)] (Funk and Hecke). What
is left of the moments E[k(x, x_i) k(x, x_j)] and E[k(x, x_i) f*(x)] are averages over |x| and <x, b>: no test set is
needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import expand, hermite_series
from giantstep.gaussian.kernels import gram_kernel
from giantstep.gaussian.quadrature import panel_rule
from giantstep.gaussian.sphere import chi_square_rule, gegenbauer, harmonics
from giantstep.learners.heads.ridge_path import positive_numbers, solve_path
from giantstep.learners.risk.features import FeatureMoments
from giantstep.problems import Activation, Problem, check_problem

if TYPE_CHECKING:
    from giantstep.problems import Target


MOST_DEGREES = 40
"""Highest power of <u, u'>, a variable of size 1/sqrt(d): fewer are needed the larger d is."""
TOLERANCE = 1e-13
"""Root mean square of the first power that is left out."""
RADII = 14
"""Nodes of the Gauss rule for |x|^2, which fluctuates by a relative sqrt(2/d)."""
NEGLIGIBLE = 1e-15
"""A degree with more than 1/NEGLIGIBLE harmonics adds nothing that double precision can show."""


def kernel_ridge(matrix: Array, labels: Array, ridge: Array) -> Array:
    """alpha = (K + rho)^-1 y for each penalty rho, (L, n).

    Args:
        matrix: K, (n, n).
        labels: y, (n,).
        ridge: rho, one positive number or L of them; what is added to the diagonal of K.
    """
    k = np.asarray(real_array("the kernel matrix", matrix), dtype=np.float64)
    y = np.asarray(real_array("the labels", labels), dtype=np.float64)
    if k.ndim != 2 or k.shape != 2 * y.shape:
        raise InputError(f"kernel matrix {k.shape} and labels {y.shape} must be (n, n) and (n,)")
    return solve_path(k, y, positive_numbers(ridge))


def wide_kernel(activation: Activation | str, inputs: NDArray[Any]) -> Array:
    """The kernel matrix E_w[s(<w, x_i>) s(<w, x_j>)], w ~ N(0, I/d), (n, n), on the rows of `inputs` (n, d).

    `activation` is s, as such or as text.
    """
    rows = real_array("the inputs", inputs, axes=2)
    sigma = activation if isinstance(activation, Activation) else Activation(activation)
    return gram_kernel(sigma, rows @ rows.T / rows.shape[1])


def wide_kernel_moments(activation: Activation | str, inputs: NDArray[Any], problem: Problem) -> FeatureMoments:
    """Moments of the functions k(., x_i), so that `.risk(alpha)` is the exact risk of fits on the wide kernel.

    Args:
        activation: s, as such or as text.
        inputs: the samples x_i of the fit, (n, d).
        problem: isotropic inputs, and a target of one direction.
    """
    activation = activation if isinstance(activation, Activation) else Activation(activation)
    x, d = real_array("the inputs", inputs, axes=2), check_problem(problem).d
    degrees, left_out = _degrees(d)
    seen, direction = _seen_of_target(activation, problem.target, d, degrees)
    lengths = np.linalg.norm(x, axis=1)
    unit = x / lengths[:, None]
    series = expand(activation, lengths / np.sqrt(d), degrees)
    own = series.coefficients.T  # al_k(t_i), (n, K + 1)
    powers, count = _powers(d, degrees), _harmonics(d, degrees)
    square, weight = chi_square_rule(d, RADII)
    radial = hermite_series(activation, degrees, np.sqrt(square / d))
    covariance, cross = np.zeros((len(x), len(x))), np.zeros(len(x))
    angles = zip(gegenbauer(unit @ unit.T, d), gegenbauer(unit[:, : len(direction)] @ direction, d), strict=True)
    for degree, number, (between, towards) in zip(range(degrees + 1), count, angles, strict=False):
        g = own @ (powers[:, degree] * radial).T  # g_l(t_q, t_i), (n, radii)
        covariance += (g * weight) @ g.T * (between / number)
        cross += own @ (powers[:, degree] * seen[degree]) * towards
    norm2 = float(problem.target.norm2)
    # Beyond degree K, k(x, x_i) has at most <u, u_i>^(K+1) times the tails of both series, by Cauchy and Schwarz.
    cut = left_out * float(series.tail(degrees).max())
    size = float(np.diagonal(covariance).max())
    rounding = float(np.finfo(np.float64).eps) * len(count)
    return FeatureMoments(
        covariance, cross, norm2, 2 * cut * size**0.5 + rounding * size, (cut + rounding * size**0.5) * norm2**0.5
    )


@lru_cache(maxsize=16)
def _seen_of_target(activation: Activation, target: Target, d: int, degrees: int) -> tuple[Array, Array]:
    """E[al_k(t) P_l(<u, b>) f*(x)] for all l and k, (K + 1, K + 1), and b; the same for all data."""
    if target.single_index is None:
        raise InputError("the exact risk on the wide kernel needs a target of one direction, such as tanh(x1)")
    link, direction = target.single_index
    # <x, b> = h is Gaussian, and the rest of |x|^2 is an independent chi-square with d - 1 degrees of freedom.
    h, h_weight = panel_rule(link.kinks, panels=36, reach=9.0)
    rest, rest_weight = chi_square_rule(d - 1, RADII)
    radius = np.sqrt(h[:, None] ** 2 + rest)
    series = hermite_series(activation, degrees, radius / np.sqrt(d))  # (h, rest, K + 1)
    series *= (h_weight * np.asarray(link(h)))[:, None, None] * rest_weight[:, None]
    along = zip(range(degrees + 1), gegenbauer(h[:, None] / radius, d), strict=False)
    return np.stack([np.einsum("hr,hrk->k", values, series) for _, values in along]), direction


def _degrees(d: int) -> tuple[int, float]:
    """K, and the root mean square of <u, u'>^(K+1): E <u, u'>^2m = 1 * 3 ... (2m - 1)/(d (d + 2) ... (d + 2m - 2))."""
    square = 1.0
    for power in range(1, MOST_DEGREES + 2):
        square *= (2 * power - 1) / (d + 2 * power - 2)
        if square < TOLERANCE**2:
            break
    return power - 1, float(np.sqrt(square))


def _powers(d: int, degrees: int) -> Array:
    """m_kl with x^k = sum_l m_kl P_l(x), (K + 1, K + 1): none is negative."""
    degree = np.arange(degrees + 1)
    share = (degree + d - 2) / (2 * degree + d - 2)
    rows = np.eye(1, degrees + 1)
    for _ in range(degrees):
        last = rows[-1]
        up = np.concatenate([[0.0], (share * last)[:-1]])
        down = np.concatenate([((1 - share) * last)[1:], [0.0]])
        rows = np.vstack([rows, up + down])
    return rows


def _harmonics(d: int, degrees: int) -> list[float]:
    """n_l, the number of spherical harmonics of degree l in R^d, up to the last that counts."""
    found = [float(harmonics(degree, d)) for degree in range(degrees + 1)]
    beyond = sum(count <= 1 / NEGLIGIBLE for count in found)
    return found[: beyond + 1]
