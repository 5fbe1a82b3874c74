"""Linear neurons h = s w x + b: the particle system and its limit are Gaussian at every step of noisy descent, exactly.

With a = s^2 mean(x^2) and c = s mean(x (y - b))/a the loss is (a/2)(m - c)^2 + const of the mean m. Euler steps h give

    limit:      m' = m - h (a (m - c) + r m),           v' = (1 - h r)^2 v + 2 lambda h,
    particles:  Var(mean_N)' = (1 - h (a + r))^2 Var(mean_N) + 2 lambda h/N,

so E(mean_N - m)^2 tends to lambda/(N (a + r))/(1 - h (a + r)/2), while independent draws of the limit would give v/N,
v = lambda/r/(1 - h r/2) at rest. In continuous time the rest is N(a c/(a + r), lambda/r), the Gibbs measure of a law of
mean m is N(a (c - m)/r, lambda/r), and KL of two normal laws is explicit (derived).
"""

from __future__ import annotations

from math import log, pi, sqrt

import numpy as np

from giantstep.errors import InputError
from giantstep.theory.meanfield.fokker_planck import MeanField
from giantstep.theory.meanfield.particle_law import MeanFieldLaw, mean_field_law

GRID_POINTS = 401
GRID_WIDTH = 8.0  # standard deviations


def gaussian_law(model: MeanField, step: float, steps: int) -> MeanFieldLaw:
    """The limit of linear neurons after Euler steps, with the exact error of N particles, whatever N is. Derived.

    Args:
        model: with a linear activation.
        step: h, the size of an Euler step in time.
        steps: how many.

    >>> from giantstep.problems import Activation
    >>> model = MeanField(Activation("z"), (1.0,), (1.0,), ridge=0.5, temperature=0.2)
    >>> round(gaussian_law(model, 0.02, 2000).particle_error, 6)  # 0.2/1.5/(1 - 0.015)
    0.135364
    """
    if not model.is_linear:
        raise InputError(f"neurons sigma = {model.activation} are not linear: their law does not stay Gaussian")
    slope, offset = float(model.activation.derivative(0.0)), float(model.activation(0.0))
    x, y, r, temperature = np.asarray(model.inputs), np.asarray(model.labels), model.ridge, model.temperature
    a, pull = slope**2 * float(np.mean(x**2)), slope * float(np.mean(x * (y - offset)))
    rest_mean, rest_variance = pull / (a + r), temperature / r

    def after(count: int) -> tuple[float, float, float]:
        """The limit's mean and variance, and N times the variance of the particles' mean."""
        kept = (1 - step * (a + r)) ** count
        return rest_mean * (1 - kept), variance(r, count), variance(a + r, count)

    def variance(rate: float, count: int) -> float:
        """Of v' = (1 - h rate)^2 v + 2 lambda h from scale^2."""
        kept = (1 - step * rate) ** (2 * count)
        return kept * model.scale**2 + (1 - kept) * temperature / rate / (1 - step * rate / 2)

    def free_energy(m: float, v: float) -> float:
        loss = float(np.mean((slope * x * m + offset - y) ** 2)) / 2
        return loss + r / 2 * (m**2 + v) - temperature / 2 * (log(2 * pi * v) + 1)

    def divergence(m: float, v: float, centre: float) -> float:
        share = v / rest_variance
        return temperature / 2 * (share - 1 - log(share) + (m - centre) ** 2 / rest_variance)

    least = free_energy(rest_mean, rest_variance)
    m, v, error = after(steps)
    now, half = free_energy(m, v) - least, free_energy(*after(steps // 2)[:2]) - least
    grid = m + sqrt(v) * np.linspace(-GRID_WIDTH, GRID_WIDTH, GRID_POINTS)
    return MeanFieldLaw(
        outputs=np.asarray(slope * m * x + offset),
        rest_outputs=np.asarray(slope * rest_mean * x + offset),
        free_energy=now,
        sandwich=(divergence(m, v, rest_mean), divergence(m, v, (pull - a * m) / r)),
        particle_error=a * error,
        independent_error=a * v,
        decay_rate=log(max(half, 1e-300) / max(now, 1e-300)) / (step * (steps - steps // 2)),
        rate_bound=2 * r,
        response=a,
        grid=grid,
        density=np.exp(-((grid - m) ** 2) / (2 * v)) / sqrt(2 * pi * v),
    )


def law_after(model: MeanField, step: float, steps: int) -> MeanFieldLaw:
    """The limit of a `model` after so many Euler `steps` of size `step`: with the very steps for linear neurons, in
    continuous time for others."""
    return gaussian_law(model, step, steps) if model.is_linear else mean_field_law(model, steps * step)
