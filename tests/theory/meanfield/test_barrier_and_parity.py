"""Two wells and parities' gradients, against closed forms and brute force."""

from __future__ import annotations

from itertools import product
from math import exp, log, pi, sqrt

import numpy as np
import pytest

from giantstep.gaussian.kernels import dual_kernel
from giantstep.problems import Activation
from giantstep.theory.meanfield import Wells, parity_energy, parity_signal, query_bound


def test_kramers_rate_is_approached_and_the_bound_is_below() -> None:
    ratios = []
    for temperature in (0.1, 0.05, 0.03):
        wells = Wells(0.25, 1.0, temperature)
        kramers = sqrt(2 * 0.25 * log(4) * 0.75) / pi * exp(-wells.barrier / temperature)
        ratios.append(wells.gap / kramers)
        assert wells.gap > wells.bound
    assert ratios[0] < ratios[1] < ratios[2] < 1
    assert ratios[2] > 0.94


@pytest.mark.parametrize("order", [2, 3])
def test_the_mean_over_signs_is_a_sum_over_all_of_them(order: int) -> None:
    d, s = 6, Activation("tanh(z + 1)")
    z = np.array(list(product((-1.0, 1.0), repeat=d)))
    slope = s.derivative_activation
    kernel = dual_kernel(slope, slope, 1.0, 1.0, z.mean(axis=1))
    assert parity_signal(s, d, order) == pytest.approx(np.mean(z[:, : order - 1].prod(axis=1) * kernel))
    whole = order * np.mean(z[:, : order - 1].prod(axis=1) * kernel)
    whole += (d - order) * np.mean(z[:, : order + 1].prod(axis=1) * kernel)
    assert parity_energy(s, d, order) == pytest.approx(whole)
    assert parity_energy(s, d, order) < query_bound(s, d, order)
