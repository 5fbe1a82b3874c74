"""A single-index network in two stages: [mws23], Algorithm 1.

    w' = -Sigma_n^-1 grad R_n        the normalised flow on samples, in steps (`SampleFlow`), from several random starts
    f = (1/N) sum a_i s(e_i <x, w> + b_i)     the head by ridge regression, biases b_i ~ N(0, 1), <w, Sigma_n w> = 1

The talk lets all neurons follow one w; of several starts the one with the least R_n is kept here. Signs e_i = +-1 point
neurons both ways, as starts of their own would for an even link; with e_i = 1 for all, f is 0 beyond the last kink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import uniform_rule
from giantstep.learners.draws import random_directions
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.flows.on_samples import SampleFlow
from giantstep.learners.flows.task import FlowTask
from giantstep.learners.heads.ridge_head import RidgeHead, fit_ridge
from giantstep.learners.trajectory import run
from giantstep.problems import Activation, Sample, whole
from giantstep.streams import Streams

POINTS, REACH = 4001, 9.0  # of the rule for functions of one variable with kinks


@dataclass(frozen=True, eq=False, repr=False)
class FlowFit:
    """A network all of whose neurons look along one direction.

    Args:
        activation: s.
        direction: w, (d,), <w, Sigma_n w> = 1.
        signs: e, (N,), +1 or -1.
        biases: b, (N,).
        coefficients: a/N, (N,).
    """

    activation: Activation
    direction: Array
    signs: Array
    biases: Array
    coefficients: Array

    def along(self, field: Array) -> Array:
        """f as a function of the `field` <x, w>, (m,)."""
        return features_along(self.activation, self.signs, self.biases, field) @ self.coefficients

    def __call__(self, inputs: Array) -> Array:
        """f at `inputs`, (m, d)."""
        return self.along(np.asarray(inputs) @ self.direction)

    def __repr__(self) -> str:
        return f"FlowFit({len(self.biases)} neurons, {self.activation}, d={len(self.direction)})"


def features_along(activation: Activation, signs: Array, biases: Array, field: Array) -> Array:
    """s(e_i u + b_i) for each u of the `field`, (m, N), for `signs` e and `biases` b, (N,), and an `activation` s."""
    return np.asarray(activation(np.multiply.outer(field, signs) + biases))


def random_neurons(neurons: int, streams: Streams, *, both_sides: bool = True) -> tuple[Array, Array]:
    """Signs and biases of so many `neurons`, (N,) each, drawn from `streams`; without `both_sides` all signs are +1."""
    biases = streams.child("biases").generator().standard_normal(neurons)
    signs = streams.child("signs").generator().choice([-1.0, 1.0], neurons)
    return signs if both_sides else np.ones(neurons), biases


def learn_single_index(
    sample: Sample,
    activation: Activation,
    neurons: int,
    step: float,
    steps: int,
    ridge: float,
    streams: Streams,
    *,
    starts: int = 4,
    both_sides: bool = True,
    head_sample: Sample | None = None,
) -> FlowFit:
    """Algorithm 1 of [mws23] on samples, which are held in memory.

    Args:
        sample: what both stages learn from; labels should have mean 0 and variance of order 1.
        activation: s, of the flow and of the network.
        neurons: N.
        step: size of a step of the flow, time of the flow in it.
        steps: how many.
        ridge: lambda in (1/n)|y - Psi c|^2 + lambda |c|^2.
        streams: where starts, signs and biases are drawn from.
        starts: random starts on the sphere, of which the best is kept.
        both_sides: whether neurons have random signs.
        head_sample: fresh samples of the head; those of the flow unless given.
    """
    whole_number("neurons", neurons, least=1)
    x, y = whole(sample)
    begin = random_directions(x.shape[1], starts, streams.child("starts"))
    with one_blas_thread():
        ends = run(SampleFlow(activation, x, y, step, "preconditioned"), begin, times=[steps]).last
        losses = np.mean((activation(x @ ends.T) - y[:, None]) ** 2, axis=0)
        direction = ends[int(np.argmin(losses))]
        signs, biases = random_neurons(neurons, streams, both_sides=both_sides)
        inputs, labels = (x, y) if head_sample is None else whole(head_sample)
        features = features_along(activation, signs, biases, inputs @ direction)
        coefficients = fit_ridge(features, labels, RidgeHead(ridge)).coefficients[0]
    return FlowFit(activation, direction, signs, biases, coefficients)


def flow_risk(fit: FlowFit, task: FlowTask) -> float:
    """The exact risk of a `fit` on its `task`: E (f - f*)^2 over fresh inputs."""
    w = fit.direction[None]
    return _risk_along(fit.along, float(task.size(w)[0]), float(task.overlap(w)[0]), task)


def best_head_error(activation: Activation, signs: Array, biases: Array, task: FlowTask) -> float:
    """The error of the best head for so many neurons that look along the target itself: what the width leaves.

    Args:
        activation: s.
        signs: e, (N,).
        biases: b, (N,).
        task: what is learned.
    """
    z, weight = uniform_rule(POINTS, REACH)
    root = np.sqrt(weight)[:, None]
    basis = np.linalg.qr(root * features_along(activation, signs, biases, z))[0]
    wanted = root[:, 0] * task.target(z[:, None])
    return float(np.sum((wanted - basis @ (basis.T @ wanted)) ** 2))


def principal_fit_risk(inputs: Array, labels: Array, degree: int, task: FlowTask) -> float:
    """The exact risk of a polynomial of the first principal component, by least squares.

    Args:
        inputs: x, (n, d).
        labels: y, (n,).
        degree: of the polynomial.
        task: what is learned.
    """
    with one_blas_thread():
        values, vectors = np.linalg.eigh(inputs.T @ inputs / len(labels))
    v = vectors[:, -1] / sqrt(float(values[-1]))
    fitted = np.linalg.lstsq(hermite_table(degree, inputs @ v, normalised=True).T, labels, rcond=None)[0]
    along = v[None]
    return _risk_along(
        lambda u: fitted @ hermite_table(degree, u, normalised=True),
        float(task.size(along)[0]), float(task.overlap(along)[0]), task,
    )  # fmt: skip


def _risk_along(f: Callable[[Array], Array], scale: float, overlap: float, task: FlowTask) -> float:
    """E (f(scale U) - g(V))^2 for standard U and V of correlation `overlap`: E[g(V) | U] has coefficients overlap^k."""
    z, weight = uniform_rule(POINTS, REACH)
    values = f(scale * z)
    degree = task.target.degree or 0
    table = hermite_table(degree, z, normalised=True)
    wanted = table @ (weight * task.target(z[:, None])) * overlap ** np.arange(degree + 1)
    return float(weight @ (values**2 - 2 * values * (wanted @ table))) + float(task.target.norm2)
