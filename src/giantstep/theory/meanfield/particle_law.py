"""What the mean-field limit says about N interacting particles: the limit's energies, and fluctuations of order 1/N.

Particles dw_i = -V'(w_i; mu_N) dt + sqrt(2 lambda) dB_i, mu_N their empirical measure, start as independent draws of
mu_0. With mu_t the solution of the Fokker-Planck equation, eta = sqrt(N) (mu_N - mu_t) becomes Gaussian, and

    Cov(<eta_T, h_j>, <eta_T, h_k>) = Cov_mu_0(phi_j, phi_k) + 2 lambda int_0^T <mu_s, phi_j'(s) phi_k'(s)> ds,

where phi_j(s) solves the adjoint of the linearised equation backwards from phi_j(T) = h_j (derived):

    -d phi/ds = lambda phi'' - V' phi' - (1/n) sum_k h_k <mu_s, phi' h_k'>.

Hence N E|f_N - f|^2 tends to the mean of its diagonal; independent draws of mu_T would give the mean of Var_mu_T(h_k).
At rest the covariance is (S^-1 + I/(n lambda))^-1, S that of independent draws. Between rest mu* and Gibbs measure,

    lambda KL(mu | mu*) <= F_lambda(mu) - F_lambda(mu*) <= lambda KL(mu | Gibbs(mu))       (F is convex),

the entropy sandwich of [nosw24] and its forerunners. Linear neurons stay Gaussian (`linear_neurons`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.theory.meanfield.fokker_planck import FokkerPlanck, MeanField, Tridiagonal, solve

FEWEST_STEPS = 60
MOST_STEPS = 20_000
EMPTY = 1e-9  # mass that may lie at the ends of the line
ROUNDING = 1e-12
TAIL = 1e-3  # of the law, outside a histogram at either end
WIDENINGS = (1.0, 1.5, 2.25, 3.4, 5.0)


@dataclass(frozen=True, eq=False)
class MeanFieldLaw:
    """The limit at one time.

    Args:
        outputs: f(x_k), (n,).
        rest_outputs: the same at rest, (n,).
        free_energy: F_lambda above its value at rest.
        sandwich: the bounds of it from below and above, lambda KL(mu | mu*) and lambda KL(mu | Gibbs(mu)).
        particle_error: N times the mean squared error of the outputs of N particles.
        independent_error: the same for independent draws of the law.
        decay_rate: at which the free energy fell since half this time.
        rate_bound: a lower bound of it, twice the log-Sobolev constant times lambda.
        response: (1/n) sum_k E h_k'^2, at which outputs answer to their errors.
        grid: places w, (cells,).
        density: of the law there, (cells,).
    """

    outputs: Array
    rest_outputs: Array
    free_energy: float
    sandwich: tuple[float, float]
    particle_error: float
    independent_error: float
    decay_rate: float
    rate_bound: float
    response: float
    grid: Array
    density: Array

    @property
    def peak(self) -> float:
        """The largest density."""
        return float(self.density.max())

    def histogram(self, bins: int = 24) -> tuple[Array, Array]:
        """Edges of equal bins, so many, that hold all but the tails of the law, and the mass in each."""
        width = self.grid[1] - self.grid[0]
        edges = np.append(self.grid - width / 2, self.grid[-1] + width / 2)
        below = np.append(0.0, np.cumsum(np.maximum(self.density, 0.0)) * width)
        low, high = np.interp((TAIL, 1 - TAIL), below / below[-1], edges)
        chosen = np.linspace(float(low), float(high), bins + 1)
        return chosen, np.diff(np.interp(chosen, edges, below / below[-1]))


@lru_cache(maxsize=256)
def mean_field_law(model: MeanField, time: float) -> MeanFieldLaw:
    """The limit at a time, from the Fokker-Planck equation with two sizes of its time step, extrapolated to none.

    `model` says what is learned and how, `time` is that of the flow.
    """
    steps = 2 * ceil(max(FEWEST_STEPS, time * model.curvature) / 2)
    if steps > MOST_STEPS:
        raise InputError(
            f"the equation would need {steps} steps of time, at most {MOST_STEPS}: lower time or the slopes of neurons"
        )
    for widening in WIDENINGS:
        equation = FokkerPlanck.on_line(model, widening)
        path, matrices = equation.path(time, steps)
        rest = equation.rest()
        mass = np.exp(equation.log_gibbs(rest))
        if max(path[:, [0, -1]].max(), mass[0], mass[-1]) < EMPTY:
            break
    else:
        raise InputError("the law leaves every line tried: raise the penalty, or lower labels or slopes")
    coarse = _numbers(equation, path, matrices, rest, time)
    fine = _numbers(equation, *equation.path(time, 2 * steps), rest, time)
    numbers = 2 * fine - coarse
    count = len(model.inputs)
    now, half, low, high, error, independent, response = numbers[:7]
    return MeanFieldLaw(
        outputs=numbers[7 : 7 + count],
        rest_outputs=rest,
        free_energy=float(now),
        sandwich=(float(low), float(high)),
        particle_error=float(error),
        independent_error=float(independent),
        decay_rate=_rate(half, now, time),
        rate_bound=min(equation.log_sobolev_rate(p @ equation.features) for p in path[steps // 2 :]),
        response=float(response),
        grid=equation.centres,
        density=numbers[7 + count :] / equation.width,
    )


def _rate(before: float, now: float, time: float) -> float:
    """Of exponential decay over the second half of the time."""
    return log(max(before, 1e-300) / max(now, 1e-300)) / (time / 2)


def _numbers(equation: FokkerPlanck, path: Array, matrices: Sequence[Tridiagonal], rest: Array, time: float) -> Array:
    """Everything whose error is of the order of the time step."""
    features, mass = equation.features, path[-1]
    at_rest = equation.log_gibbs(rest)
    least = equation.free_energy(np.exp(at_rest))
    outputs = mass @ features
    covariance = fluctuations(equation, path, matrices, time)
    return np.concatenate(
        [
            [
                equation.free_energy(mass) - least,
                equation.free_energy(path[len(path) // 2]) - least,
                equation.divergence(mass, at_rest),
                equation.divergence(mass, equation.log_gibbs(outputs)),
                np.trace(covariance) / len(rest),
                np.mean(mass @ features**2 - outputs**2),
                np.mean(mass @ np.gradient(features, equation.width, axis=0) ** 2),
            ],
            outputs,
            mass,
        ]
    )


def fluctuations(equation: FokkerPlanck, path: Array, matrices: Sequence[Tridiagonal], time: float) -> Array:
    """The covariance (n, n) of sqrt(N) (f_N - f) at the path's end, by the adjoint equation backwards along it."""
    steps, n = len(path) - 1, equation.features.shape[1]
    step = time / steps
    left, sizes, right = np.linalg.svd(equation.features, full_matrices=False)
    kept = sizes > ROUNDING * sizes[0]  # neighbouring inputs see nearly the same: a few functions span all h_k
    basis, mix = left[:, kept], sizes[kept, None] * right[kept]
    slopes, phi = np.diff(basis, axis=0) / equation.width, basis
    covariance = np.zeros((len(mix), len(mix)))
    for k in range(steps, 0, -1):
        lower, main, upper = matrices[k - 1]
        phi = solve(upper, main, lower, phi)  # transposed: backwards
        moved = np.diff(phi, axis=0) / equation.width
        weighted = moved.T * ((path[k][1:] + path[k][:-1]) / 2)
        covariance += 2 * equation.model.temperature * step * (weighted @ moved)
        phi = phi - step / n * basis @ (mix @ mix.T @ (weighted @ slopes).T)
    means = path[0] @ phi
    covariance += (phi.T * path[0]) @ phi - np.outer(means, means)
    return np.asarray(mix.T @ covariance @ mix)
