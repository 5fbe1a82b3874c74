"""One verb for the second layer: any head, on the features that a network or a reduced state has on a sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.checks import shown
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import Progress
from giantstep.learners.engines.reduced import ReducedState, drawn
from giantstep.learners.heads.gradient_head import GradientHead, descended
from giantstep.learners.heads.head_path import HeadPath
from giantstep.learners.heads.ridge_head import RidgeHead, fit_ridge_on
from giantstep.learners.networks.network import Network
from giantstep.problems import Sample

RIDGES = tuple(10.0 ** (k / 2) for k in range(-12, 5))
"""Ridge penalties per neuron among which leave-one-out chooses: up to 100 times the size of a feature's square, for a
head that should learn nothing must be able to say so."""

LEAVE_ONE_OUT = RidgeHead(RIDGES, validate=True)
"""Ridge regression, its penalty chosen by the leave-one-out error."""


def fit_head(
    state: Network | ReducedState,
    sample: Sample,
    head: RidgeHead | GradientHead = LEAVE_ONE_OUT,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> HeadPath:
    """Fit the second layer to a sample, on the features sigma(X W^T + b) that are never held whole when n > N.

    Args:
        state: the network, or the reduced state, whose features are used.
        sample: n labelled inputs in dimension d; for a reduced state `problem.sample(n, streams)`, of which the local
            coordinates are drawn.
        head: how it is fitted, ridge regression or gradient descent from the second layer that the state has.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done after each block.
    """
    if isinstance(state, ReducedState):
        batch = drawn(sample)
        local = replace(batch, problem=state.local_problem(batch.problem))
        return fit_head(state.local, local, head, threads=threads, progress=progress)
    if isinstance(head, RidgeHead):
        return fit_ridge_on(state, sample, head, threads=threads, progress=progress)
    if not isinstance(head, GradientHead):
        raise InputError(f"the head must be one such as RidgeHead(0.1) or GradientHead(100), not {shown(head)}")
    ridge = head.ridge or fit_head(state, sample, threads=threads).chosen
    coefficients, error = descended(state, sample, head.steps, ridge, threads=threads, progress=progress)
    return HeadPath(str(head), np.array([ridge]), coefficients[None], np.array([error]), None, None, sample.samples)
