"""How many samples halve the risk of kernel ridge regression beside a spike, on fresh inputs."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from giantstep.learners.kernels.fit import fit_kernel
from giantstep.learners.searching import half_along
from giantstep.problems import InnerProductKernel, Problem, whole
from giantstep.streams import Streams


def half_samples_beside(
    kernel: InnerProductKernel,
    problem: Problem,
    ridge: float,
    streams: Streams,
    ends: tuple[int, int],
    tested: int = 2000,
    data_sets: int = 1,
) -> float:
    """n at which the first n samples of a stream give a mean risk of |f*|^2/2 on fresh ones: n grows by sqrt(2) until
    the risk is below three times in a row, and log n is interpolated before them; refused if it never is.

    The first crossing of a noisy risk is early: a mean over data sets is less so.

    Args:
        kernel: k.
        problem: any target and inputs, without label noise.
        ridge: rho, what is added to the diagonal of K.
        streams: where the samples are drawn from.
        ends: the least and the largest n.
        tested: how many fresh inputs.
        data_sets: how many streams of samples the risk is a mean over.
    """
    fresh, wanted = whole(problem.sample(tested, streams.child("test")))
    size = float(np.mean(wanted**2))
    streams_of_data = [streams.child(f"set {i}") for i in range(data_sets)]

    def risk(samples: float) -> float:
        drawn = (whole(problem.sample(round(samples), stream)) for stream in streams_of_data)
        fits = (fit_kernel(kernel, x, y, [ridge]) for x, y in drawn)
        return float(np.mean([np.mean((fit.predict(fresh)[0] - wanted) ** 2) for fit in fits])) / size

    def growing() -> Iterator[float]:
        samples = float(ends[0])
        while samples <= ends[1]:
            yield samples
            samples *= sqrt(2.0)

    fewer, more = "a weaker spike needs more", "a smaller d needs fewer"
    return half_along(risk, growing(), "the risk, in units of |f*|^2,", rising=False, fewer=fewer, more=more, sure=2)
