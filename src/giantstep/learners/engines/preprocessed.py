"""Gradients on labels that have lost their mean and linear part, exact in law at a cost that does not know d.

    alpha = (1/n) sum y_i,  beta = (1/n) sum y_i x_i,  g = (1/n) sum (y_i - alpha - <beta, x_i>) sigma'(<w, x_i>) x_i

([dls22], Algorithm 1, pre-processing, on the samples of the step itself, with output f = 0). Let z_i be the k local
coordinates that hold w and the target, and X (n x D), D = d - k, the others: Gaussian and independent of z, y. Rotate
them so that X^T y = |y| |xi| e_1, |xi|^2 ~ chi^2_D. Then beta has length |y||xi|/n along e_1, and

    X e_1 = y |xi|/|y| + (1 - y y^T/|y|^2) gamma,   gamma ~ N(0, I_n),   X e_j = (1 - y y^T/|y|^2) gamma_j,  j > 1.

The residuals, hence the vectors v = sigma' (y - alpha - <beta, x>) of all neurons, depend on z, y and X e_1 only; the
rest of X^T V has Gram V^T (1 - y y^T/|y|^2) V in law times a Wishart of D - 1 degrees of freedom. Two passes over the
samples: one for alpha and beta, one for V. (Derived.)
"""

from __future__ import annotations

import math

import numpy as np

from giantstep.errors import InputError
from giantstep.learners.draws import bartlett
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.giant_step import StepInfo
from giantstep.learners.engines.reduced import LOCAL_BLOCK_ROWS, ReducedState, drawn, reduced_gradient, square_root
from giantstep.problems import DrawnSample, Sample


def label_gradient(
    state: ReducedState,
    sample: Sample,
    *,
    preprocess: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
) -> StepInfo:
    """The gradients of all neurons on a fresh batch, pre-processed or not; the network's output is taken as 0.

    Args:
        state: the neurons.
        sample: `problem.sample(n, streams)`, of which the problem, n and the streams are used.
        preprocess: whether the labels lose their mean and their linear part first.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done after each block.
    """
    if preprocess:
        return _preprocessed_gradient(state, drawn(sample), threads, progress)
    silent = state.with_coefficients(np.zeros(state.neurons))
    return reduced_gradient(silent, sample, threads=threads, progress=progress)


def _preprocessed_gradient(
    state: ReducedState, batch: DrawnSample, threads: int, progress: Progress | None
) -> StepInfo:
    net = state.local
    n, streams, freedom = batch.samples, batch.streams, state.d - net.d
    if freedom < 2 or n <= net.neurons:
        raise InputError(
            f"{net.neurons} neurons in d = {state.d} on {n} samples: d must exceed the {net.d} local axes "
            "by 2 or more, and samples must outnumber neurons"
        )
    sample = state.local_problem(batch.problem).sample(n, streams.child("local"), LOCAL_BLOCK_ROWS)
    along = streams.child("along beta")

    def label_sums(number: int) -> Results:
        z, y = sample.block(number)
        gamma = along.block(number).standard_normal(len(y))
        return y @ z, np.array([y.sum(), y @ y, y @ gamma])

    told = (lambda done: progress(done / 2), lambda done: progress(0.5 + done / 2)) if progress else (None, None)
    linear, (total, square, mixed) = sum_over_blocks(sample.blocks(), label_sums, threads=threads, progress=told[0])
    generator = streams.child("orthogonal").generator()
    xi, size = math.sqrt(generator.chisquare(freedom)), math.sqrt(square)
    alpha, beta, beta_outside = total / n, linear / n, size * xi / n
    turn = (xi - mixed / size) / size

    def neuron_sums(number: int) -> Results:
        z, y = sample.block(number)
        first = along.block(number).standard_normal(len(y)) + turn * y  # X e_1
        residual = y - alpha - z @ beta - beta_outside * first
        slope = net.activation.derivative(z @ net.weights.T + (0.0 if net.biases is None else net.biases))
        v = slope * residual[:, None]
        return v.T @ np.column_stack([z, first]), v.T @ y, v.T @ v, np.array([residual @ residual])

    inside, labels, second, remaining = sum_over_blocks(sample.blocks(), neuron_sums, threads=threads, progress=told[1])
    rest = second - np.outer(labels, labels) / square
    outside = bartlett(freedom - 1, net.neurons, generator) @ square_root(rest)
    gradient = np.hstack([inside, outside.T]) / n
    return StepInfo(gradient, float(remaining[0]) / n, square / n, n)
