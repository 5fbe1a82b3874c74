"""Samples and new rows at which a kernel is so large that nothing can be said there: a warning, not silence."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from giantstep.learners.kernels import fit_kernel


def test_a_few_long_samples_are_warned_of() -> None:
    x = np.random.default_rng(0).standard_normal((100, 8))
    x[0] *= 10  # as the pixels of a picture that are mostly 0 are, standardised
    with pytest.warns(UserWarning, match=r"k\(x, x\) of the longest sample is .* whatever leave-one-out says"):
        fit_kernel("exp", x, x[:, 1], [0.1], validate=True)


def test_new_rows_longer_than_all_samples_are_warned_of() -> None:
    x = np.random.default_rng(0).standard_normal((100, 8))
    fit = fit_kernel("exp", x, x[:, 1], [0.1])
    fit.predict(2 * x)
    with pytest.warns(UserWarning, match=r"of a new row is .* nothing is known there"):
        fit.predict(10 * x)


@pytest.mark.parametrize("kernel", ["t", "arccos1"])
def test_what_grows_slowly_is_not(kernel: str) -> None:
    x = np.random.default_rng(0).standard_normal((100, 8))
    x[0] *= 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_kernel(kernel, x, x[:, 1], [0.1]).predict(10 * x)
