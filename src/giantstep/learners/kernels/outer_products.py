"""The average gradient outer product of a kernel fit: E grad f grad f^T over given inputs.

f(x) = sum_i alpha_i g(<x, x_i>/d) has grad f(x) = (1/d) sum_i alpha_i g'(<x, x_i>/d) x_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array, require, whole_number
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.kernels.fit import ROWS, KernelFit


def gradient_outer_product(fit: KernelFit, inputs: NDArray[Any], number: int = 0) -> Array:
    """The mean of grad f grad f^T over the rows of `inputs`, (d, d), of one fit on a kernel g(<x, x'>/d).

    Args:
        fit: of kernel ridge regression.
        inputs: where gradients are taken, (m, d).
        number: of the penalty among those of the fit, from 0.

    >>> from giantstep.learners.kernels import fit_kernel
    >>> found = fit_kernel("t", np.eye(2), np.array([1.0, 0.0]), 0.5)
    >>> gradient_outer_product(found, np.ones((3, 2))).round(6).tolist()  # f(x) = x1/2
    [[0.25, 0.0], [0.0, 0.0]]
    """
    x, own = real_array("the inputs", inputs, axes=2), fit.inputs
    require(x.shape[1] == own.shape[1], f"the inputs have dimension {x.shape[1]}, the samples {own.shape[1]}")
    dual = fit.dual[whole_number("number", number, least=0, most=len(fit.dual) - 1)]
    d, total = own.shape[1], np.zeros((own.shape[1],) * 2)
    with one_blas_thread():
        for start in range(0, len(x), ROWS):
            slope = fit.kernel.derivative(1, x[start : start + ROWS] @ own.T / d)
            gradient = (slope * dual) @ own / d
            total += gradient.T @ gradient
    return total / len(x)
