"""The risk of a kernel fit under a spiked law, by quadrature in the spike's coordinate: no under-sampled tails.

With the target along the spike, x = (sqrt(1 + theta) z, v), v ~ N(0, I_{d-1}), a kernel g(<x, x'>/d) sees at sample i

    a_i + u_i,   a_i = sqrt(1 + theta) z x_i1/d,   u = (<v, v_i>/d)_i ~ N(0, V V^T/d^2)   given z,

and with s_i^2 = Var u_i, rho_ij the correlations and c_m(a, s) = E[g(a + s xi) h_m(xi)] (Mehler)

    E (f - f*)^2 = E_z [(sum_i alpha_i c_0(a_i, s_i) - f*(z))^2 + sum_{m>=1} sum_ij alpha_i alpha_j c_m c_m' rho_ij^m ].

s is of order d^-1/2 and rho_ij too, so that a few m suffice. For kernels that depend on lengths the bulk v is sampled
instead, with the same quadrature in z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.kernels.fit import KernelFit, fit_kernel
from giantstep.learners.searching import half_along, half_upwards
from giantstep.problems import InnerProductKernel, Problem, whole
from giantstep.problems.inputs import Spiked
from giantstep.streams import Streams

NODES = 48
"""Nodes in z: exact for products of polynomials up to degree 95 in all."""
DEGREES = 5
"""Highest m."""
INNER = 10
"""Nodes in xi."""


def spiked_risk(fit: KernelFit, problem: Problem, streams: Streams | None = None, bulk: int = 32) -> Array:
    """E (f - f*)^2 for each penalty of a fit, (L,): exact for g(<x, x'>/d), else a mean over random v.

    Args:
        fit: the fit, on samples of the problem.
        problem: a target along the spike, or isotropic inputs.
        streams: where the v are drawn from, for kernels that depend on lengths.
        bulk: how many v for each of 48 nodes in z.
    """
    stretch = math.sqrt(1.0 + aligned_strength(problem))
    z, weight = gauss_hermite(NODES)
    wanted = np.asarray(problem.target(z[:, None]), dtype=np.float64)
    with one_blas_thread():
        if fit.kernel.is_power_series:
            return _exact(fit, stretch * z, weight, wanted)
        if streams is None:
            raise InputError(f"the kernel {fit.kernel} depends on lengths: its risk needs random numbers")
        x = np.empty((NODES * bulk, problem.d))
        x[:, 0] = np.repeat(stretch * z, bulk)
        x[:, 1:] = streams.generator().standard_normal((len(x), problem.d - 1))
        missed = (fit.predict(x) - np.repeat(wanted, bulk)) ** 2
        return np.asarray(missed.reshape(len(missed), NODES, bulk).mean(axis=2) @ weight)


def least_spiked_risk(
    kernel: InnerProductKernel | str, problem: Problem, inputs: Array, labels: Array, ridge: Sequence[float]
) -> float:
    """The risk of kernel ridge regression with the best of several penalties, chosen in hindsight.

    Args:
        kernel: k, of <x, x'>/d alone.
        problem: a target along the spike, or isotropic inputs.
        inputs: x, (n, d).
        labels: y, (n,).
        ridge: the penalties, rho in K + rho.
    """
    return float(spiked_risk(fit_kernel(kernel, inputs, labels, ridge), problem).min())


def aligned_strength(problem: Problem) -> float:
    """theta of a problem whose target lies along the spike; 0 for isotropic inputs."""
    if not isinstance(problem.inputs, Spiked):
        return 0.0
    if abs(problem.inputs.rho(problem.d)) != 1.0:
        raise InputError("the exact risk under a spiked law needs a target along the spike")
    return problem.inputs.theta(problem.d)


def _exact(fit: KernelFit, places: Array, weight: Array, wanted: Array) -> Array:
    n, d = fit.inputs.shape
    v = fit.inputs[:, 1:]
    spread = np.sqrt(np.einsum("ij,ij->i", v, v)) / d
    correlation = (v @ v.T) / d**2 / np.multiply.outer(spread, spread)
    xi, table = _inner_rule()
    arguments = np.multiply.outer(places, fit.inputs[:, 0]) / d  # a, (z, n)
    values = fit.kernel(0.0, 0.0, arguments[..., None] + np.multiply.outer(spread, xi))
    series = np.moveaxis(values @ table.T, 2, 0)  # c_m, (m, z, n)
    risk = ((fit.dual @ series[0].T - wanted) ** 2) @ weight
    power = np.ones_like(correlation)
    for one in series[1:]:
        power *= correlation
        columns = (fit.dual[:, None, :] * (np.sqrt(weight)[:, None] * one)).reshape(-1, n)
        risk += ((columns @ power) * columns).sum(axis=1).reshape(len(fit.dual), -1).sum(axis=1)
    return np.asarray(risk)


@lru_cache(maxsize=1)
def _inner_rule() -> tuple[Array, Array]:
    """xi, and weights times h_m(xi) for m = 0, 1, ..., (m, xi)."""
    xi, weight = gauss_hermite(INNER)
    return xi, weight * hermite_table(DEGREES, xi, normalised=True)


def half_strength_of(
    kernel: InnerProductKernel,
    problem: Problem,
    samples: int,
    ridge: float,
    streams: Streams,
    ends: tuple[float, float],
    data_sets: int = 1,
) -> float:
    """theta at which these very samples, stretched along their spike to theta, give a mean risk of |f*|^2/2: looked for
    upwards, for far beyond it the risk of few samples may grow again.

    Args:
        kernel: k.
        problem: the target; its spike's strength is what is looked for.
        samples: n.
        ridge: rho, what is added to the diagonal of K.
        streams: where the samples are drawn from.
        ends: the least and the largest theta.
        data_sets: how many samples of n the risk is a mean over.
    """

    def risk(theta: float) -> float:
        stretched = replace(problem, inputs=Spiked(theta))
        drawn = (whole(stretched.sample(samples, streams.child(f"set {i}"))) for i in range(data_sets))
        risks = [float(spiked_risk(fit_kernel(kernel, x, y, [ridge]), stretched)[0]) for x, y in drawn]
        return float(np.mean(risks)) / float(problem.target.norm2)

    refusal = f"no strength from {ends[0]:g} to {ends[1]:g} halves the risk of these {samples} samples"
    return half_upwards(risk, ends, refusal, rising=False, accuracy=0.005)


def half_samples_of(
    kernel: InnerProductKernel, problem: Problem, ridge: float, streams: Streams, ends: tuple[int, int]
) -> float:
    """n at which the first n samples of a stream give a risk of |f*|^2/2: n grows by sqrt(2) until the risk is below,
    and log n is interpolated; refused if it never is.

    Args:
        kernel: k.
        problem: a target along the spike, or isotropic inputs.
        ridge: rho, what is added to the diagonal of K.
        streams: where the samples are drawn from.
        ends: the least and the largest n.
    """

    def risk(samples: float) -> float:
        fit = fit_kernel(kernel, *whole(problem.sample(round(samples), streams)), [ridge])
        return float(spiked_risk(fit, problem)[0]) / float(problem.target.norm2)

    def growing() -> Iterator[float]:
        samples = float(ends[0])
        while samples <= ends[1]:
            yield samples
            samples *= math.sqrt(2.0)

    fewer, more = "a weaker spike needs more", "a stronger spike needs fewer"
    return half_along(risk, growing(), "the risk, in units of |f*|^2,", rising=False, fewer=fewer, more=more)
