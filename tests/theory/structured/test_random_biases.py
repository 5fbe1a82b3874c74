"""Pulls of biased neurons and overlaps after a step, against other ways to them."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory.kernels import half_samples, misaligned_half_samples
from giantstep.theory.structured import pulled_share, relu_pulls, stepped_limit, stepped_overlaps
from giantstep.theory.structured.flows import SpikedFlow


@pytest.mark.parametrize("bias", [-0.7, 0.4])
def test_the_pull_is_that_of_the_flow(bias: float) -> None:
    target = Target("He2(x1)/2 - He3(x1)/3 + He4(x1)/5")
    flow = SpikedFlow(target, Activation(f"relu(z + {bias})"), 3.0, 0.5)
    assert relu_pulls(target, np.array([bias]), np.array([0.6]))[0, 0] * 0.6 == pytest.approx(float(flow.zeta(0.6)))


def test_the_share_of_biases_that_pull_is_an_interval_of_the_normal_law() -> None:
    """Of He2 + 3 He4, normalised, |b| > sqrt(1 - 1/sqrt(3))."""
    found = pulled_share(Target("He2(x1)/sqrt(2) + 3*He4(x1)/sqrt(24)"))
    assert found == pytest.approx(0.5156, abs=1e-3)


@pytest.mark.parametrize(("theta", "rho"), [(0.0, 0.2), (5.0, 0.4), (40.0, 0.1)])
def test_the_overlap_after_a_mean_step_is_that_of_sigma_beta(theta: float, rho: float) -> None:
    mu = np.array([rho, np.sqrt(1 - rho**2)])
    root = np.eye(2) + (np.sqrt(1 + theta) - 1) * np.outer(mu, mu)
    u, v = root @ [1.0, 0.0], root @ root @ root @ [1.0, 0.0]
    wanted = u @ v / np.linalg.norm(u) / np.linalg.norm(v)
    assert stepped_limit(theta, rho) == pytest.approx(wanted)
    linear = stepped_overlaps(Target("x1"), Activation("relu"), 50, theta, rho, np.array([[0.1, 0.2]]))
    assert linear[0] == pytest.approx(wanted)


def test_a_kernel_along_the_spike_is_a_case_of_one_beside_it() -> None:
    target = Target("He2(x1)/sqrt(2)")
    along = misaligned_half_samples(target, "exp", 64, 8.0, 1.0, 0.01)
    assert along == pytest.approx(half_samples(target, "exp", 64, 8.0, 0.01), rel=1e-3)
    assert misaligned_half_samples(target, "exp", 64, 8.0, 0.1, 0.01) > 5 * along
