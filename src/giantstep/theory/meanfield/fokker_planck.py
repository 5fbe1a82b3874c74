"""The mean-field limit of noisy gradient descent on neurons of one weight: a Fokker-Planck equation on a line.

    f(x) = E_mu h(w, x),  h = sigma(w x),      F(mu) = (1/2n) sum_k (f(x_k) - y_k)^2 + (r/2) E_mu w^2,
    V(w) = dF/dmu (w) = (1/n) sum_k (f(x_k) - y_k) h(w, x_k) + (r/2) w^2,
    d mu/dt = (mu V')' + lambda mu'',          F_lambda(mu) = F(mu) + lambda int mu log mu,

the Wasserstein gradient flow of F_lambda (talk on [mws23], slide 'Mean-field Langevin dynamics'). Its rest is the one
minimiser of F_lambda, which is its own Gibbs measure exp(-V/lambda)/Z; with g = f - y it maximises the concave dual

    D(g) = -(1/2n) sum_k g_k^2 - (1/n) sum_k g_k y_k - lambda log int exp(-((1/n) sum_k g_k h_k + r w^2/2)/lambda) dw.

Cells of width delta exchange mass at the rates (lambda/delta^2) B(+-dV/lambda), B(z) = z/(e^z - 1) (Scharfetter and
Gummel): Gibbs measures are then at rest exactly. A step of time is implicit in mu: mass is kept and stays positive. V
is that of the step's beginning; F_lambda then falls at every step below 2/((1/n) sum_k sup |h_k'|^2) (derived).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from typing import Any, TypeAlias

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems import Activation

Tridiagonal: TypeAlias = tuple[Array, Array, Array]  # lower, main and upper diagonal

WIDE = 6.0  # standard deviations of the start, and of the rest without data, that the line reaches at least
CELLS_PER_WIDTH = 28.0  # cells in the narrower of these two deviations
CELLS_PER_RISE = 10.0  # cells in which a neuron rises by one, where it is steepest
MOST_CELLS = 6000
LARGEST_STEP = {True: 1.5, False: 0.5}  # of linear neurons and others, times the largest rate at which outputs answer
STEEPEST_PLACES = np.linspace(-60.0, 60.0, 4801)


@dataclass(frozen=True)
class MeanField:
    """Many neurons h_k(w) = sigma(w x_k) on the line, noisy descent on squared errors with a penalty r w^2/2.

    Args:
        activation: sigma.
        inputs: x_k, (n,).
        labels: y_k, (n,).
        ridge: r, the penalty on squared weights.
        temperature: lambda.
        scale: standard deviation of the weights at the start, N(0, scale^2).

    >>> MeanField(Activation("tanh"), (1.0,), (1.0,), ridge=0.1, temperature=0.05).curvature
    1.0
    """

    activation: Activation
    inputs: tuple[float, ...]
    labels: tuple[float, ...]
    ridge: float
    temperature: float
    scale: float = 1.0

    @property
    def is_linear(self) -> bool:
        """Whether all laws stay Gaussian."""
        degree = self.activation.degree
        return degree is not None and degree <= 1

    @property
    def steepness(self) -> float:
        """sup |sigma'|, as far as numbers go."""
        return float(np.max(np.abs(self.activation.derivative(STEEPEST_PLACES))))

    @property
    def curvature(self) -> float:
        """(1/n) sum_k sup |h_k'|^2: how fast the outputs can answer."""
        return self.steepness**2 * float(np.mean(np.square(self.inputs)))

    @property
    def has_few_wells(self) -> bool:
        """Whether the activation is monotone. Under sin and cos cold particles sit in many wells, and where they are
        depends on their number and on the step more than on the limit."""
        slopes = self.activation.derivative(np.linspace(-10.0, 10.0, 401))
        return bool((slopes >= 0).all() or (slopes <= 0).all())

    def check(self, step: float) -> None:
        """Refuse neurons and Euler steps of which the limit says nothing, and laws that no line of cells resolves."""
        far = np.abs(self.activation(np.array([-60.0, -30.0, 30.0, 60.0])))
        unbounded = self.activation.degree != 1 and far.max() > 1.5 * far[1:3].max() + 1.0
        if unbounded or self.activation.jumps or self.activation.degree == 0:
            raise InputError(
                f"activation = {self.activation} is not allowed; it must be bounded without jumps (tanh, erf, sin, "
                "sigmoid, ...) or linear (z)"
            )
        rate, largest = step * (self.curvature + self.ridge), LARGEST_STEP[self.is_linear]
        if rate > largest:
            raise InputError(
                f"step = {step:g} is not allowed; times the steepest answer of the outputs it is {rate:.3g}, and "
                f"must be at most {largest} for steps to follow the flow"
            )
        if not self.is_linear:
            FokkerPlanck.on_line(self)


@dataclass(frozen=True, eq=False)
class FokkerPlanck:
    """The equation on cells of a line.

    Args:
        model: what is learned, and how.
        centres: of the cells, (cells,).
        width: of a cell.
    """

    model: MeanField
    centres: Array
    width: float

    @classmethod
    def on_line(cls, model: MeanField, widening: float = 1.0) -> FokkerPlanck:
        """Cells as fine as start, rest and neurons need."""
        widths = model.scale, sqrt(model.temperature / model.ridge)
        steep = model.steepness * max(abs(x) for x in model.inputs)
        end = widening * WIDE * max(widths)
        finest = min(min(widths) / CELLS_PER_WIDTH, 1.0 / (CELLS_PER_RISE * max(steep, 1e-9)))
        count = ceil(2 * end / finest)
        if count > MOST_CELLS:
            raise InputError(
                f"the equation would need {count} cells, at most {MOST_CELLS}: the start (scale {model.scale:g}), the "
                f"rest (sqrt(temperature/ridge) = {widths[1]:.3g}) and the slope of a neuron differ too much in width"
            )
        edges = np.linspace(-end, end, count + 1)
        return cls(model, (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0]))

    @cached_property
    def features(self) -> Array:
        """h_k at the cells, (cells, n)."""
        return np.asarray(self.model.activation(np.outer(self.centres, self.model.inputs)))

    @cached_property
    def labels(self) -> Array:
        return np.asarray(self.model.labels)

    def start(self) -> Array:
        """The masses of N(0, scale^2)."""
        ends = np.append(self.centres - self.width / 2, self.centres[-1] + self.width / 2)
        mass = np.diff(scipy.special.ndtr(ends / self.model.scale))
        return np.asarray(mass / mass.sum())

    # -- energies ------------------------------------------------------------------------------------------

    def potential(self, outputs: Array) -> Array:
        """V for given outputs f(x_k)."""
        data = self.features @ (outputs - self.labels) / len(outputs)
        return np.asarray(data + self.model.ridge / 2 * self.centres**2)

    def free_energy(self, mass: Array) -> float:
        """F_lambda."""
        loss = float(np.mean((mass @ self.features - self.labels) ** 2)) / 2
        entropy = float(scipy.special.xlogy(mass, mass / self.width).sum())
        return loss + self.model.ridge / 2 * float(mass @ self.centres**2) + self.model.temperature * entropy

    def log_gibbs(self, outputs: Array) -> Array:
        """Logarithms of the masses of exp(-V/lambda)/Z."""
        exponent = -self.potential(outputs) / self.model.temperature
        return np.asarray(exponent - scipy.special.logsumexp(exponent))

    def divergence(self, mass: Array, log_gibbs: Array) -> float:
        """lambda KL(mu | Gibbs)."""
        return self.model.temperature * float(scipy.special.xlogy(mass, mass).sum() - mass @ log_gibbs)

    def log_sobolev_rate(self, outputs: Array) -> float:
        """2 lambda alpha, alpha a lower bound on the log-Sobolev constant of exp(-V/lambda)/Z: that of Bakry and Emery,
        min V''/lambda, or that of Holley and Stroock, (r/lambda) exp(-osc(V - r w^2/2)/lambda)."""
        potential = self.potential(outputs)
        convex = float(np.min(np.diff(potential, 2))) / self.width**2
        bent = float(np.ptp(potential - self.model.ridge / 2 * self.centres**2))
        return 2 * max(convex, self.model.ridge * float(np.exp(-bent / self.model.temperature)))

    # -- the way and the rest ------------------------------------------------------------------------------

    def exchange(self, outputs: Array, time: float) -> Tridiagonal:
        """The matrix I + time Q of an implicit step."""
        jumps = np.diff(self.potential(outputs)) / self.model.temperature
        scaled = time * self.model.temperature / self.width**2
        both = scaled * _bernoulli(np.abs(jumps))  # B(-z) = B(z) + z
        up, down = both + scaled * np.maximum(-jumps, 0), both + scaled * np.maximum(jumps, 0)
        main = np.ones(len(self.centres))
        main[:-1] += up
        main[1:] += down
        return -up, main, -down

    def path(self, time: float, steps: int) -> tuple[Array, list[Tridiagonal]]:
        """Masses (steps + 1, cells) at times 0, time/steps, ..., time, and the matrix of each step."""
        found, matrices = np.empty((steps + 1, len(self.centres))), []
        found[0] = self.start()
        for k in range(steps):
            matrices.append(self.exchange(found[k] @ self.features, time / steps))
            found[k + 1] = solve(*matrices[-1], found[k])
        return found, matrices

    def rest(self) -> Array:
        """The outputs f(x_k) of the minimiser of F_lambda, by Newton's method on the dual."""
        count, temperature = len(self.labels), self.model.temperature
        residual = np.zeros(count)

        def dual(g: Array) -> float:
            tilt = scipy.special.logsumexp(-self.potential(self.labels + g) / temperature)
            return -float(np.mean(g**2) / 2 + np.mean(g * self.labels)) - temperature * float(tilt)

        for _ in range(200):
            mass = np.exp(self.log_gibbs(self.labels + residual))
            outputs = mass @ self.features
            slope = outputs - self.labels - residual
            if np.max(np.abs(slope)) < 1e-12:
                return np.asarray(self.labels + residual)
            spread = (self.features.T * mass) @ self.features - np.outer(outputs, outputs)
            step = np.linalg.solve(np.eye(count) + spread / (temperature * count), slope)
            before, gain, share = dual(residual), float(np.mean(slope * step)), 1.0
            while dual(residual + share * step) < before + 0.1 * share * gain - 1e-13 and share > 1e-9:
                share /= 2
            residual = residual + share * step
        raise InputError(f"the law at rest was not found at temperature {temperature:g}; try a higher one")


def solve(lower: Array, main: Array, upper: Array, right: Array) -> Array:
    """A tridiagonal system."""
    solution: Any = scipy.linalg.lapack.dgtsv(lower, main, upper, right)[3]
    return np.asarray(solution)


def _bernoulli(z: Array) -> Array:
    """z/(e^z - 1) for z >= 0."""
    small = z < 1e-6
    safe = np.where(small, 1.0, z)
    with np.errstate(over="ignore"):
        return np.where(small, 1.0 - z / 2, safe / np.expm1(safe))
